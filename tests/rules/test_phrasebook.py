"""The phrase book in the reader's language."""

import re

import pytest
from django.utils import translation

from domain.engine.talk import phrase_book
from rules.content_files import CONTENT, read_files
from rules.terms import UnknownTerm, content
from rules.text import names


@pytest.mark.parametrize("lang", ["en", "de", "rm-sursilv"])
def test_the_book_holds_exactly_the_phrases_that_may_be_said(lang: str) -> None:
    said = [phrase.id for phrase in names.phrases(lang)]
    assert len(said) == len(set(said))
    assert set(said) == set(phrase_book())


def test_every_phrase_is_translated_into_german() -> None:
    for phrase in names.phrases("de"):
        english = names.by_id(phrase.id, "en")
        assert phrase.lang == "de"
        assert phrase.tells
        assert phrase.tells != english.tells
        assert bool(phrase.literal) == bool(english.literal), phrase.id
        assert (phrase.romansh, phrase.strength, phrase.theme) == (english.romansh, english.strength, english.theme)


def test_no_translation_is_left_over_from_a_phrase_that_is_gone() -> None:
    assert set(content("phrases")["de"]) == set(phrase_book())


def test_a_phrase_says_where_it_was_heard_and_what_it_tells() -> None:
    phrase = names.by_id("ina-napla", "en")
    assert (phrase.romansh, phrase.theme, phrase.place) == ("ina napla", "court-cards", "Breil/Brigels")
    assert phrase.tells == "king and queen together"


def test_the_language_of_the_page_is_used_when_none_is_given() -> None:
    with translation.override("de"):
        assert names.by_id("liber").literal == "frei"


def test_who_reads_sursilvan_is_told_the_sense_in_german_and_never_in_english() -> None:
    phrase = names.by_id("liber", "rm-sursilv")
    assert (phrase.literal, phrase.lang) == ("frei", "de")
    assert {phrase.lang for phrase in names.phrases("rm-sursilv")} == {"de"}


def test_themes_come_in_the_order_of_the_book_and_divide_it() -> None:
    themes = [theme.id for theme in names.themes("en")]
    assert themes[:3] == ["trumps", "court-cards", "kings"]
    assert sum(len(names.phrases("en", theme=theme)) for theme in themes) == len(names.phrases("en"))


def test_themes_have_names_in_each_language_and_unattested_ones_are_drafts() -> None:
    assert [theme.name for theme in names.themes("de")][:2] == ["Trümpfe", "Figurenkarten"]
    sursilvan = {theme.id: theme for theme in names.themes("rm-sursilv")}
    assert (sursilvan["trumps"].name, sursilvan["trumps"].draft) == ("troccas", False)
    assert sursilvan["good-hand"].draft


@pytest.mark.parametrize("row", content("phrases")["themes"].values())
def test_a_romansh_theme_is_attested_or_a_draft(row: dict[str, dict[str, object]]) -> None:
    assert row["rm-sursilv"].get("source") or row["rm-sursilv"].get("draft")


def test_what_is_not_in_the_book_is_refused() -> None:
    with pytest.raises(UnknownTerm):
        names.by_id("gin")
    with pytest.raises(UnknownTerm):
        names.phrases(theme="weather")


@pytest.mark.parametrize("lang", ["en", "de", "fr", "it"])
def test_the_article_on_the_talk_translates_each_phrase_as_the_phrase_book_does(lang: str) -> None:
    literal = {
        filed.document["terms"][0]["text"]: filed.document.get("literal", {}).get(lang) or "–"
        for filed in read_files().entries
        if filed.document.get("sort") == "phrase"
    }
    article = (CONTENT / "articles" / lang / "table-talk.md").read_text()
    rows = re.findall(r"^\| \*(.+?)\* \| (.+?)(?: \(.+?\))? \|", article, re.MULTILINE)
    assert dict(rows) == {phrase: words for phrase, words in literal.items() if phrase != "liber"}
