"""Two people's changes in one document."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from rules import documents
from tests.rules import document_kit as kit

EN, RM, DE = kit.scart()["terms"]


def merged(base: Any, mine: Any, theirs: Any) -> Any:
    """The merged concept, which must be clean, and good."""
    result = documents.merge("concept", base, mine, theirs)
    assert not result.conflicts
    assert result.document == result.draft
    return documents.check("concept", result.document)


@given(kit.CONCEPTS, kit.CONCEPTS)
def test_with_no_other_change_mine_stays_as_it_is(base: Any, mine: Any) -> None:
    assert merged(base, mine, base) == mine
    assert merged(base, base, mine) == mine
    assert merged(base, mine, mine) == mine


@given(kit.ARTICLES, kit.ARTICLES)
def test_the_same_holds_for_articles(base: Any, mine: Any) -> None:
    assert documents.merge("article", base, mine, base).document == mine
    assert documents.merge("article", base, base, mine).document == mine


@given(kit.CONCEPTS, kit.CONCEPTS, kit.CONCEPTS)
def test_every_word_that_somebody_added_is_there_afterwards(base: Any, mine: Any, theirs: Any) -> None:
    result = documents.merge("concept", base, mine, theirs)

    def words(document: Any) -> Counter[tuple[str, str]]:
        return Counter((term["lang"], term["text"]) for term in document.get("terms", ()))

    told = repr(result.draft) + repr(result.conflicts)
    for side in (mine, theirs):
        # A word that only got another place was not added: where it is respelt meanwhile, its place goes along.
        for _lang, text in words(side) - words(base):
            assert text in told


@given(kit.CONCEPTS, kit.CONCEPTS, kit.CONCEPTS)
def test_a_draft_is_good_but_for_limits(base: Any, mine: Any, theirs: Any) -> None:
    assert documents.check("concept", documents.merge("concept", base, mine, theirs).draft)


def test_changes_in_different_fields_are_joined() -> None:
    mine = kit.scart(theme="play")
    theirs = kit.scart(terms=[EN, {**RM, "gender": "f"}, DE])
    assert merged(kit.scart(), mine, theirs) == kit.scart(theme="play", terms=[EN, {**RM, "gender": "f"}, DE])


def test_changes_in_different_fields_of_one_word_are_joined() -> None:
    mine = kit.scart(terms=[EN, {**RM, "gender": "f"}, DE])
    theirs = kit.scart(terms=[EN, {**RM, "ipa": "ʃkart"}, DE])
    assert merged(kit.scart(), mine, theirs)["terms"][1] == {**RM, "gender": "f", "ipa": "ʃkart"}


def test_a_respelt_word_takes_the_other_persons_change_along() -> None:
    mine = kit.scart(terms=[EN, {**RM, "text": "il scart"}, DE])
    theirs = kit.scart(terms=[EN, {**RM, "gender": "f"}, DE])
    assert merged(kit.scart(), mine, theirs)["terms"][1] == {**RM, "text": "il scart", "gender": "f"}


def test_both_may_add_words_and_sources() -> None:
    fr, it = (
        {"lang": "fr", "text": "écart", "status": "admitted"},
        {"lang": "it", "text": "scarto", "status": "admitted"},
    )
    mine = kit.scart(terms=[EN, RM, DE, fr], related=["words.tapp", "fool"])
    theirs = kit.scart(terms=[EN, {**RM, "sources": [*RM["sources"], "lt"]}, DE, it], related=["words.scartist"])
    both = merged(kit.scart(), mine, theirs)
    assert [term["lang"] for term in both["terms"]][:3] == ["en", "rm-sursilv", "de"]
    assert {term["text"] for term in both["terms"]} == {"discard", "scart", "Scart", "écart", "scarto"}
    assert both["terms"][1]["sources"] == ["pagat: The Scart", "lt"]
    assert both["related"] == ["fool", "words.scartist"]


def test_the_same_word_added_by_both_is_there_once() -> None:
    fr = {"lang": "fr", "text": "écart", "status": "admitted"}
    both = merged(kit.scart(), kit.scart(terms=[EN, RM, DE, fr]), kit.scart(terms=[EN, RM, DE, {**fr, "gender": "m"}]))
    assert [term for term in both["terms"] if term["lang"] == "fr"] == [{**fr, "gender": "m"}]


def test_one_reorders_while_the_other_adds() -> None:
    it = {"lang": "it", "text": "scarto", "status": "admitted"}
    both = merged(kit.scart(), kit.scart(terms=[RM, EN, DE]), kit.scart(terms=[EN, RM, it, DE]))
    assert [term["text"] for term in both["terms"]] == ["scart", "scarto", "discard", "Scart"]


def test_two_orders_of_the_words_are_a_conflict() -> None:
    result = documents.merge("concept", kit.scart(), kit.scart(terms=[RM, EN, DE]), kit.scart(terms=[DE, EN, RM]))
    assert [conflict.field for conflict in result.conflicts] == ["terms"]
    assert result.draft["terms"] == [RM, EN, DE]


def test_a_word_taken_away_here_and_changed_there_is_kept_and_named() -> None:
    result = documents.merge(
        "concept", kit.scart(), kit.scart(terms=[EN, DE]), kit.scart(terms=[EN, {**RM, "gender": "f"}, DE])
    )
    (conflict,) = result.conflicts
    assert result.document is None
    assert (conflict.mine, conflict.theirs) == (None, {**RM, "gender": "f"})
    assert {**RM, "gender": "f"} in result.draft["terms"]


def test_the_same_field_changed_by_both_is_a_conflict_with_all_three_texts() -> None:
    result = documents.merge("concept", kit.scart(), kit.scart(theme="play"), kit.scart(theme="deal"))
    (conflict,) = result.conflicts
    assert (conflict.field, conflict.label) == ("theme", "theme")
    assert (conflict.base, conflict.mine, conflict.theirs) == ("discard", "play", "deal")
    assert result.document is None
    assert result.draft["theme"] == "play"


def test_different_lines_of_an_article_are_joined() -> None:
    text = kit.ARTICLE["text"]
    mine = kit.article(text=text.replace("One line", "One changed line"))
    theirs = kit.article(text=text.replace("A third line", "A longer third line"))
    result = documents.merge("article", kit.article(), mine, theirs)
    assert result.document is not None
    assert "One changed line" in result.document["text"]
    assert "A longer third line" in result.document["text"]


def test_the_same_line_changed_by_both_is_one_conflict_and_the_rest_is_joined() -> None:
    text = kit.ARTICLE["text"]
    mine = kit.article(text=text.replace("One line", "My line"))
    theirs = kit.article(text=text.replace("One line", "Their line").replace("A third", "The third"))
    result = documents.merge("article", kit.article(), mine, theirs)
    (conflict,) = result.conflicts
    assert (conflict.field, conflict.base, conflict.mine, conflict.theirs) == (
        "text",
        "One line.",
        "My line.",
        "Their line.",
    )
    assert "My line." in result.draft["text"]
    assert "The third line." in result.draft["text"]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029"])
def test_lines_end_where_the_file_ends_them_and_nowhere_else(separator: str) -> None:
    mine = kit.article(text=f"a{separator}b\nc", title="Mine")
    theirs = kit.article(text=f"a{separator}b\nd")
    base = kit.article(text=f"a{separator}b\ne")
    assert documents.merge("article", base, mine, theirs).draft["text"] == f"a{separator}b\nc"
