"""The phrase book, and the same word elsewhere."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from rules.models import Concept
from rules.wordbook import lists as phrases_shown
from rules.wordbook import page as wordpage
from rules.wordbook import related
from tests.rules.entries import published, word

pytestmark = pytest.mark.django_db


def text_of(html: str) -> str:
    """A page as somebody reads it."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html[html.index("<main") :]))


# --- Phrases ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def flower() -> Concept:
    """A phrase of the talk."""
    published("place", "medel", {"names": {"": "Medel"}, "sort": "valley"})
    published(
        "concept",
        "phrases.ina-flur",
        {
            "sort": "phrase",
            "theme": "talk",
            "talk_theme": "kings",
            "games": ["troccas"],
            "strength": 4,
            "place": "medel",
            "literal": {"en": "one flower", "de": "eine Blume"},
            "tells": {"en": "worth about two kings"},
            "note": {"en": "Printed so."},
            "terms": [{"lang": "rm-sursilv", "text": "ina flur", "status": "preferred"}],
        },
    )
    return Concept.objects.get(key="phrases.ina-flur")


def test_the_page_of_a_phrase_says_what_it_says_tells_and_how_strong_it_is(client: Client, flower: Concept) -> None:
    html = client.get("/en/words/phrases-ina-flur/").content.decode()
    page = text_of(html)
    assert '<h1 lang="rm-sursilv">ina flur</h1>' in html
    for fact in ("one flower", "worth about two kings", "strong", "kings", "Medel", "Printed so."):
        assert fact in page, fact
    assert html.count('<i class="filled">') == 4


def test_the_phrase_book_has_a_chapter_for_every_theme_and_one_for_the_rest(client: Client, flower: Concept) -> None:
    published(
        "concept",
        "phrases.new",
        {
            "sort": "phrase",
            "theme": "talk",
            "talk_theme": "weather",
            "tells": {"en": "rain"},
            "terms": [{"lang": "rm-sursilv", "text": "ei plova", "status": "proposed"}],
        },
    )
    chapters = phrases_shown.chapters("de")
    assert [(chapter.id, [phrase.name.text for phrase in chapter.phrases]) for chapter in chapters] == [
        ("kings", ["ina flur"]),
        ("other", ["ei plova"]),
    ]
    assert chapters[0].name.text == "Könige"
    page = client.get("/de/words/phrases/").content.decode()
    assert "eine Blume" in page
    assert '<span class="name draft" lang="rm-sursilv">ei plova</span>' in page


# --- The same word elsewhere ------------------------------------------------------------------------------------------


@pytest.fixture
def laid_away() -> None:
    """Two concepts that correspond, and one alone."""
    word(
        "words.scart",
        {"lang": "en", "text": "discard"},
        {"lang": "rm-sursilv", "text": "scart"},
        {"lang": "fr", "text": "écart"},
        elsewhere="cards laid away",
        theme="discard",
    )
    word(
        "words.tapp",
        {"lang": "en", "text": "talon"},
        {"lang": "gsw", "text": "Tapp"},
        {"lang": "fr", "text": "chien"},
        elsewhere="cards laid away",
        theme="discard",
    )
    word("words.lonely", {"lang": "rm-sursilv", "text": "sulet"}, elsewhere="lonely")


@pytest.mark.usefixtures("laid_away")
def test_what_corresponds_stands_side_by_side_with_a_word_of_warning(client: Client) -> None:
    (line,) = related.lines("en")
    assert line.is_loose
    assert [[name.text for held in cell.held for name in held.names] for cell in line.cells] == [
        ["scart"],
        ["Tapp"],
        ["écart", "chien"],
        [],
    ]
    assert "alike, not the same" in client.get("/en/words/elsewhere/").content.decode()


@pytest.mark.usefixtures("laid_away")
def test_the_page_of_a_word_shows_its_row(client: Client) -> None:
    page = wordpage.WordPage(Concept.objects.get(key="words.tapp"), "en")
    assert page.elsewhere is not None
    assert "scart" in text_of(client.get("/en/words/tapp/").content.decode())
    assert wordpage.WordPage(Concept.objects.get(key="words.lonely"), "en").elsewhere is None


def test_titles_on_cards_and_words_that_only_repeat_the_players_own_are_no_words_of_others() -> None:
    word(
        "trumps.21",
        {"lang": "rm-sursilv", "text": "il mund"},
        {"lang": "fr", "text": "Le Monde", "register": "printed on the cards"},
        {"lang": "de", "text": "die Welt"},
    )
    mund = Concept.objects.get(key="trumps.21")
    line = related.line_of("x", [mund], "en")
    assert [bool(cell.held) for cell in line.cells] == [True, False, False, True]
    word("words.troccas", {"lang": "rm-sursilv", "text": "troccas"}, {"lang": "fr", "text": "Troccas"})
    concepts = [Concept.objects.get(key="words.troccas"), mund]
    line = related.line_of("x", concepts, "en")
    assert not line.cells[2].held
