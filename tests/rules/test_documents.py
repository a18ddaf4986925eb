"""What documents may hold, and how they are tidied."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from rules import documents
from rules.documents import BadDocument
from rules.documents.kinds import KINDS
from tests.rules import document_kit as kit

GOOD = [("concept", kit.SCART), ("article", kit.ARTICLE), ("source", kit.SOURCE), ("place", kit.PLACE)]


def problems(kind: str, document: Any) -> dict[str, str]:
    """What is wrong with a document, by field."""
    with pytest.raises(BadDocument) as bad:
        documents.check(kind, document)
    return {problem.field: str(problem.message) for problem in bad.value.problems}


def tried(kind: str, document: Any) -> dict[str, str] | None:
    """What is wrong with a document, by field; None if it is good."""
    try:
        documents.check(kind, document)
    except BadDocument as bad:
        return {problem.field: str(problem.message) for problem in bad.problems}
    return None


@pytest.mark.parametrize(("kind", "document"), GOOD)
def test_checking_a_canonical_document_again_changes_nothing(kind: str, document: dict[str, Any]) -> None:
    once = documents.check(kind, document)
    assert documents.check(kind, once) == once
    assert list(documents.check(kind, dict(reversed(once.items())))) == list(once)


@given(kit.CONCEPTS)
def test_canonical_concepts_are_stable(document: dict[str, Any]) -> None:
    assert documents.check("concept", document) == document


@given(st.sampled_from(sorted(KINDS)), kit.JSON)
def test_whatever_is_sent_is_a_document_or_bad_and_nothing_else(kind: str, value: Any) -> None:
    found = tried(kind, value if isinstance(value, dict) else {"title": value, "terms": value, "names": value})
    assert found is None or (found and all(found.values()))


@given(kit.CONCEPTS, st.data())
def test_any_value_in_any_field_is_accepted_or_named_as_the_problem(
    document: dict[str, Any], data: st.DataObject
) -> None:
    field = data.draw(st.sampled_from([field.name for field in KINDS["concept"].fields]))
    value = data.draw(kit.JSON)
    found = tried("concept", {**document, field: value}) or {}
    assert {name.split(".")[0] for name in found} <= {field, "terms", "tells"}


def test_texts_are_stripped_composed_and_empty_values_dropped() -> None:
    tidy = documents.check(
        "concept",
        {
            "theme": "play",
            "slug": "  ",
            "related": ["fool", "fool", ""],
            "terms": [
                {"lang": "gsw", "text": " Tappa\u0308 ", "look_up": [], "note": {"en": ""}},
                {"lang": "", "text": ""},
            ],
        },
    )
    assert tidy == {
        "sort": "word",
        "theme": "play",
        "related": ["fool"],
        "terms": [{"lang": "gsw", "text": "Tappä", "status": "admitted"}],
    }


def test_all_problems_are_told_at_once_each_with_its_field() -> None:
    found = problems(
        "concept",
        {
            "theme": "fishing",
            "related": ["Not A Key"],
            "strength": 9,
            "surprise": 1,
            "terms": [{"lang": "xx", "text": "a" * 121, "gender": "q", "sources": ["Pagat!"]}],
        },
    )
    assert set(found) == {
        "theme", "related.0", "strength", "surprise", "terms.0.lang", "terms.0.text", "terms.0.gender", "terms.0.sources.0",
    }  # fmt: skip


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\0", "\x1b", "\ud800", "\u0085"])
def test_characters_that_deceive_or_break_are_refused(character: str) -> None:
    assert "title" in problems("article", {**kit.ARTICLE, "title": f"The{character}deal"})
    assert "text" in problems("article", {**kit.ARTICLE, "text": f"The\n{character}deal"})


def test_a_heap_of_accents_on_one_letter_is_refused() -> None:
    assert "title" in problems("article", {**kit.ARTICLE, "title": "Z" + "\u0317\u0324" * 20})


def test_an_article_of_more_than_sixty_kilobytes_is_refused_whatever_its_letters() -> None:
    assert documents.check("article", {**kit.ARTICLE, "text": "a" * 60_000})
    assert "text" in problems("article", {**kit.ARTICLE, "text": "ä" * 30_001})
    assert "text" in problems("article", {**kit.ARTICLE, "text": "a" * 10_000_000})
    assert "text" in problems("article", {**kit.ARTICLE, "text": "a\n" * 3_001})


def test_more_than_sixty_words_for_one_thing_are_refused() -> None:
    terms = [{"lang": "en", "text": f"word {number}"} for number in range(61)]
    assert "terms" in problems("concept", {**kit.SCART, "terms": terms})


def test_the_same_word_twice_in_one_place_is_refused_but_not_in_two_places() -> None:
    there = {"lang": "gsw", "text": "Trogga", "place": "visp"}
    assert "terms.1" in problems("concept", {**kit.SCART, "terms": [there, there]})
    assert documents.check("concept", {**kit.SCART, "terms": [there, {**there, "place": "graechen"}]})


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "//example.org", "ftp://x.org", "https://", "data:text/html,x", "https://a b.c"]
)
def test_a_source_has_an_address_of_the_web_or_none(address: str) -> None:
    assert "url" in problems("source", {**kit.SOURCE, "url": address})


def test_numbers_are_not_truth_and_truth_is_no_number() -> None:
    assert "order" in problems("article", {**kit.ARTICLE, "order": True})
    assert "draft" in problems("article", {**kit.ARTICLE, "draft": 1})
    assert "year" in problems("source", {**kit.SOURCE, "year": 10**5000})
    assert documents.check("source", {**kit.SOURCE, "year": 1999})["year"] == "1999"


def test_deep_nesting_ends_in_a_message() -> None:
    deep: Any = "x"
    for _level in range(5000):
        deep = {"en": deep}
    assert "note.en" in problems("concept", {**kit.SCART, "note": deep})


def test_problems_are_told_in_the_readers_language() -> None:
    with pytest.raises(BadDocument) as bad:
        documents.check("article", {})
    with translation.override("de"):
        assert str(bad.value.problems[0].message) != ""
    assert documents.label_of("article", "title") == "title"


def test_a_phrase_says_what_it_tells() -> None:
    assert "tells.en" in problems("concept", {**kit.SCART, "sort": "phrase"})
    phrase = documents.check("concept", {**kit.SCART, "sort": "phrase", "strength": 0, "tells": {"en": "weak"}})
    assert phrase["strength"] == 0  # a weak hand is something that is said


def test_a_digest_does_not_depend_on_the_order_of_keys() -> None:
    document = kit.scart()
    assert documents.digest(document) == documents.digest(dict(reversed(document.items())))
    assert documents.digest(document) != documents.digest(kit.scart(theme="play"))


def test_what_a_document_points_to_is_found_with_its_field() -> None:
    document = kit.scart(broader="words.card")
    assert documents.references("concept", document, "source") == {
        "definitions.en.sources.0": "pagat",
        "terms.1.sources.0": "pagat",
        "terms.2.sources.0": "lt",
    }
    assert documents.references("concept", document, "concept") == {"broader": "words.card", "related.0": "words.tapp"}
    assert documents.references("place", documents.check("place", kit.PLACE), "place") == {"parent": "surselva"}
    assert documents.source_of("pagat: The Scart") == "pagat"


def test_it_is_known_in_which_languages_a_word_was_changed() -> None:
    before = kit.scart()
    german = kit.scart(definitions={**kit.SCART["definitions"], "de": {"text": "Drei Karten."}})
    assert documents.languages_changed(before, german) == {"de"}
    respelt = kit.scart(
        terms=[kit.SCART["terms"][0], {**kit.SCART["terms"][1], "text": "scartt"}, kit.SCART["terms"][2]]
    )
    assert documents.languages_changed(before, respelt) == {"rm-sursilv"}
    assert documents.languages_changed(before, kit.scart(theme="play")) == {""}
    assert documents.languages_changed(before, before) == frozenset()


def test_a_comparison_reads_as_sentences_a_person_understands() -> None:
    said = [str(line) for line in documents.lines("concept", kit.scart())]
    assert "words › Sursilvan › scart › gender: masculine" in said
    assert "words › Sursilvan › scart › sources: pagat: The Scart" in said
    assert "definition › English › text: Three cards laid away." in said
    assert "theme: laying away" in said
    text = [line.text for line in documents.lines("article", kit.article()) if line.label == "text"]
    assert text == kit.ARTICLE["text"].split("\n")


@given(kit.CONCEPTS)
def test_every_change_of_a_word_shows_in_its_lines(document: dict[str, Any]) -> None:
    added = {"lang": "it", "text": "scarto", "status": "admitted"}
    more = documents.check("concept", {**document, "terms": [*document["terms"], added]})
    assert documents.lines("concept", more) != documents.lines("concept", document)


def test_a_path_has_the_label_that_its_lines_have() -> None:
    assert documents.label_of("concept", "terms.1.gender", kit.scart()) == "words › Sursilvan › scart › gender"
    assert documents.label_of("concept", "terms.9.nonsense") == "words › 10 › nonsense"
