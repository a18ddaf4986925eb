"""Terms in articles: which words are linked, where, and how often."""

from __future__ import annotations

import re

import pytest

from rules.markup import Rendered, render
from tests.rules import entries

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def words() -> None:
    entries.word(
        "words.scart",
        {"lang": "en", "text": "discard", "pos": "noun"},
        {"lang": "rm-sursilv", "text": "scart", "look_up": ["scarts"], "sources": ["pagat"]},
        {"lang": "de", "text": "Ablage", "pos": "noun"},
        games=("troccas",),
        definitions={"en": {"text": "Cards *laid* away & hidden."}, "de": {"text": "Weggelegte Karten."}},
    )
    entries.word(
        "words.tapp",
        {"lang": "en", "text": "Tapp"},
        {"lang": "gsw", "text": "Tapp", "sources": ["pagat"]},
        games=("troggu",),
    )
    entries.word("words.trump", {"lang": "en", "text": "trump", "pos": "noun"}, {"lang": "de", "text": "Trumpf"})
    entries.word("words.low-trump", {"lang": "en", "text": "low trump", "pos": "noun"})


def made(text: str, language: str = "en", **document: object) -> Rendered:
    return render({"text": text, **document}, language, key="x", preview=True)


def linked(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<a class="term" href="[^"]+" data-term="([^"]+)"[^>]*>([^<]+)</a>', html)


def test_the_first_mention_of_a_term_is_linked_and_no_other() -> None:
    assert linked(made("The discard. A discard again.\n\n* discard").html) == [("words.scart", "discard")]


def test_a_link_leads_to_the_words_page() -> None:
    assert 'href="/en/words/scart/"' in made("The discard.").html


def test_whole_words_only_in_any_case_and_with_the_plural() -> None:
    assert linked(made("Discarded, trumped. DISCARDS!").html) == [("words.scart", "DISCARDS")]


def test_the_longest_term_wins() -> None:
    assert linked(made("A low trump, then a trump.").html) == [
        ("words.low-trump", "low trump"),
        ("words.trump", "trump"),
    ]


def test_a_term_may_be_written_with_a_hyphen() -> None:
    assert linked(made("A low-trump lead.").html) == [("words.low-trump", "low-trump")]


def test_but_not_over_the_end_of_a_sentence() -> None:
    assert linked(made("It was low. Trump it.").html) == [("words.trump", "Trump")]


@pytest.mark.parametrize(
    "text",
    [
        "## The trump",
        '::: mistake x\nclaim = "trump"\nwhere = "jv"\ntruth = "x"\n:::',
        "::: glance\nTrump: x\n:::",
        "[a trump](https://example.org)",
        "`trump`",
        "    trump",
    ],
)
def test_no_terms_are_linked_in_headings_links_and_code(text: str) -> None:
    assert linked(made(text).html) == []


def test_terms_are_linked_in_lists_tables_glances_and_notes() -> None:
    for text in ("* a trump", "| a |\n|---|\n| trump |", "::: glance\nAim: trump\n:::", "::: note\na trump\n:::"):
        assert linked(made(text).html) == [("words.trump", "trump")], text


def test_german_nouns_are_known_by_their_capital() -> None:
    assert linked(made("die ablage, die Ablage", "de").html) == [("words.scart", "Ablage")]


def test_words_of_the_players_are_known_in_italics_whatever_the_language_of_the_text() -> None:
    html = made("They call it *scart*, in the plural *scarts*; a scart.").html
    assert linked(html) == [("words.scart", "scart")]
    assert (
        '<em><a class="term" href="/en/words/scart/" data-term="words.scart" lang="rm-sursilv">scart</a></em>' in html
    )
    assert '<em><span lang="rm-sursilv">scarts</span></em>' in html


def test_a_term_is_linked_by_hand_by_its_key_with_or_without_a_label() -> None:
    html = made("[[words.scart]], [[words.trump|the high ones]], [[scart|again]]").html
    assert linked(html) == [("words.scart", "discard"), ("words.trump", "the high ones"), ("words.scart", "again")]


def test_a_term_linked_by_hand_is_not_linked_again() -> None:
    assert linked(made("[[words.scart|laid away]], the discard").html) == [("words.scart", "laid away")]


def test_an_unknown_term_is_text_and_told() -> None:
    rendered = made("[[words.nothing|so to say]]")
    assert '<span class="unknown-target">so to say</span>' in rendered.html
    assert [str(trouble) for trouble in rendered.troubles] == ["1: There is no word “words.nothing”."]


def test_a_word_of_several_concepts_means_the_one_of_the_game() -> None:
    for game in ("troccas", "troggu"):
        entries.word(f"words.pile-{game}", {"lang": "en", "text": "pile"}, games=(game,))
    for game in ("troccas", "troggu"):
        assert linked(made("The pile.", ruleset=f"{game}-x").html) == [(f"words.pile-{game}", "pile")]


def test_what_only_the_other_game_knows_is_not_meant_but_a_shorter_word_in_it_may_be() -> None:
    entries.word("words.four-kings", {"lang": "en", "text": "four kings"}, games=("troggu",))
    entries.word("words.kings", {"lang": "en", "text": "kings"})
    assert linked(made("The four kings.", ruleset="troccas").html) == [("words.kings", "kings")]
    assert linked(made("The four kings.", ruleset="troggu").html) == [("words.four-kings", "four kings")]
    assert linked(made("The four kings.").html) == [("words.four-kings", "four kings")]
    assert linked(made("The [[words.four-kings]].", ruleset="troccas").html) == [("words.four-kings", "four kings")]


def test_a_word_that_is_no_longer_used_is_not_the_name_of_its_concept() -> None:
    entries.word(
        "words.fool",
        {"lang": "en", "text": "madman", "status": "deprecated"},
        {"lang": "en", "text": "Fool"},
    )
    assert linked(made("The [[words.fool]].").html) == [("words.fool", "Fool")]


def test_everyday_words_are_linked_by_hand_only() -> None:
    entries.word("words.take", {"lang": "en", "text": "take", "pos": "verb"})
    assert linked(made("You take it: [[words.take]].").html) == [("words.take", "take")]
    entries.word("ranks.jack", {"lang": "en", "text": "page", "pos": "noun"})
    assert linked(made("This page, and how to read these pages.").html) == []


def test_the_words_used_are_listed_with_their_meaning() -> None:
    rendered = made("The discard and a trump.\n\n::: words\n:::")
    assert rendered.terms == ("words.scart", "words.trump")
    assert rendered.glossary == ""
    rows = re.findall(r'<div data-term="([^"]+)"><dt>(.*?)</dt><dd>(.*?)</dd></div>', rendered.html)
    assert rows == [
        (
            "words.scart",
            '<a href="/en/words/scart/">discard</a> <small><span lang="rm-sursilv">scart</span></small>',
            "Cards <em>laid</em> away &amp; hidden.",
        ),
        ("words.trump", '<a href="/en/words/trump/">trump</a>', ""),
    ]


def test_without_a_list_of_words_the_meanings_come_beside_the_text() -> None:
    rendered = made("The discard.")
    assert "hidden" not in rendered.html
    assert "Cards <em>laid</em> away &amp; hidden." in rendered.glossary


def test_a_meaning_missing_in_the_language_of_the_text_stands_in_english() -> None:
    entries.word("words.par", {"lang": "de", "text": "Soll"}, definitions={"en": {"text": "The half."}})
    assert '<dd lang="en">The half.</dd>' in made("Das Soll.", "de").glossary


def test_a_phrase_is_explained_by_what_it_tells() -> None:
    entries.word(
        "phrases.da-muster",
        {"lang": "rm-sursilv", "text": "da Mustér", "sources": ["pagat"]},
        sort="phrase",
        theme="talk",
        talk_theme="court-cards",
        tells={"en": "court cards"},
        literal={"en": "from Disentis"},
    )
    assert "<dd>court cards</dd>" in made("They say *da Mustér*.").glossary
    assert '<dd lang="en">court cards</dd>' in made("Man sagt *da Mustér*.", "de").glossary


def test_beside_a_sursilvan_text_each_word_says_its_language_as_the_page_around_it_is_in_german() -> None:
    glossary = made("Il scart.", "rm-sursilv").glossary
    assert '<span lang="rm-sursilv">scart</span>' in glossary
    assert '<dd lang="de">Weggelegte Karten.</dd>' in glossary
