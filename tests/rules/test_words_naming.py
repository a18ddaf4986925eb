"""Words as lists file them: the article set apart, the letter they stand under, the language somebody falls back to."""

from __future__ import annotations

import pytest

from rules.wordbook.naming import Naming, fallbacks, localised, usable


def naming(text: str, language: str, status: str = "preferred") -> Naming:
    return Naming(text, language, status)


@pytest.mark.parametrize(
    ("text", "language", "article", "head"),
    [
        ("il mund", "rm-sursilv", "il ", "mund"),
        ("igl aunghel", "rm-sursilv", "igl ", "aunghel"),
        ("l’amur", "rm-sursilv", "l’", "amur"),
        ("ina flur", "rm-sursilv", "ina ", "flur"),
        ("the Fool", "en", "the ", "Fool"),
        ("trick", "en", "", "trick"),
        ("theatre", "en", "", "theatre"),
        ("der Narr", "de", "der ", "Narr"),
        ("Le Mat", "fr", "Le ", "Mat"),
        ("L'Étoile", "fr", "L'", "Étoile"),
        ("il", "rm-sursilv", "", "il"),
        ("Diebstahl", "gsw", "", "Diebstahl"),
    ],
)
def test_the_article_is_set_apart_from_the_word(text: str, language: str, article: str, head: str) -> None:
    word = naming(text, language)
    assert (word.article, word.head) == (article, head)


@pytest.mark.parametrize(
    ("text", "language", "letter"),
    [("la vacca", "rm-sursilv", "V"), ("Étoile", "fr", "E"), ("Übertrumpf", "de", "U"), ("72", "en", "#")],
)
def test_a_word_stands_under_its_first_letter_without_accent_or_article(text: str, language: str, letter: str) -> None:
    assert naming(text, language).letter == letter


def test_german_stands_in_for_romansh_and_english_for_everything() -> None:
    assert fallbacks("rm-sursilv") == ("rm-sursilv", "de", "en")
    assert fallbacks("de") == ("de", "en")
    assert fallbacks("en") == ("en",)


def test_what_is_said_in_no_language_one_falls_back_to_is_said_in_any() -> None:
    assert localised({"en": "cow", "de": "Kuh"}, "rm-sursilv").text == "Kuh"
    assert localised({"it": "mucca"}, "en").language == "it"
    assert not localised({}, "en")


def test_words_that_are_better_not_used_are_no_names() -> None:
    terms = [
        {"lang": "en", "text": "Booy", "status": "deprecated"},
        {"lang": "en", "text": "Fool", "status": "preferred"},
        {"lang": "de", "text": "Narr", "status": "preferred"},
    ]
    assert [name.text for name in usable(terms, "de", "en")] == ["Narr", "Fool"]
