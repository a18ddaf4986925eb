"""What a player may be called."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from accounts.names import clean_name, clean_text, key_of


def test_a_name_is_trimmed_composed_and_keeps_single_spaces() -> None:
    assert clean_name("  Gion   Antoni u\u0308ber ") == "Gion Antoni \u00fcber"


@pytest.mark.parametrize(
    "unseen",
    [
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200f",
        "\ufeff",
        "\x00",
        "\x1b",
        "\n",
        "\t",
        "\x85",
        "\u2028",
        "\ue000",
        "\u0378",
        "\ud800",
    ],
    ids=lambda character: f"U+{ord(character):04X}",
)
def test_a_name_with_a_character_that_cannot_be_seen_is_refused(unseen: str) -> None:
    for name in (f"Onna{unseen}Maria", f"{unseen}Onna", f"Onna{unseen}"):
        with pytest.raises(ValidationError) as refused:
            clean_name(name)
        assert refused.value.code == "unseen"


@pytest.mark.parametrize("name", ["", "   ", "...", "\u0301", "\u3164 "[1:], "\U0001f600"])
def test_a_name_without_letter_or_digit_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        clean_name(name)
    assert refused.value.code == "empty"


def test_a_tower_of_accents_is_refused_but_two_on_one_letter_are_not() -> None:
    assert clean_name("q\u0323\u0307") == "q\u0323\u0307"
    with pytest.raises(ValidationError) as refused:
        clean_name("q\u0323\u0307\u0308")
    assert refused.value.code == "marks"


def test_forty_characters_fit_and_one_more_does_not() -> None:
    assert clean_name("a" * 40) == "a" * 40
    with pytest.raises(ValidationError) as refused:
        clean_name("a" * 41)
    assert refused.value.messages == ["A name has at most 40 characters; this one has 41."]


@given(st.text(max_size=60))
def test_cleaning_a_clean_name_changes_nothing(raw: str) -> None:
    with translation.override("en"):
        try:
            name = clean_name(raw)
        except ValidationError:
            return
        assert clean_name(name) == name
        assert 1 <= len(name) <= 40


@pytest.mark.parametrize(
    "name",
    [
        "Computer", "computer", "C0mputer", "Cömputer", "ADMIN", "Admin Onna", "Troccas-Team", "a d m i n", "Support",
        "Moderator1", "ｃｏｍｐｕｔｅｒ",
    ],
)  # fmt: skip
def test_a_name_that_passes_for_the_site_or_a_computer_player_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        clean_name(name)
    assert refused.value.code == "office"


@pytest.mark.parametrize("name", ["Player 1234", "Guest1234", "Gast 1234", "former player 7", "GUEST - 12"])
def test_what_the_site_calls_people_without_a_name_is_refused_in_each_of_its_languages(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        clean_name(name)
    assert refused.value.code == "numbered"


@pytest.mark.parametrize(
    "name",
    [
        "win at evil.example",
        "Evil.Com",
        "www.evil",
        "https://evil",
        "evil//x",
        "onna@example.org",
        "a．evil",
        "evil。com",
    ],
)
def test_a_name_that_a_mail_program_makes_a_link_of_is_refused(name: str) -> None:
    """It stands in letters, also to people who have no account."""
    with pytest.raises(ValidationError) as refused:
        clean_name(name)
    assert refused.value.code == "link"


@pytest.mark.parametrize("name", ["Оnna", "Gіon", "Mariα"])
def test_a_word_of_two_alphabets_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        clean_name(name)
    assert refused.value.code == "mixed"


@pytest.mark.parametrize(
    "name",
    [
        "Onna", "O’Brien", "Gion Antoni", "Léa-Maria", "Мария", "Onna Мария", "山田ひろ", "Teamo", "Abbott", "Botti", "Gion 1234",
        "1984", "Supporta", "J. R. Caduff", "Gion B.", "St. Gallen", "Onna 2.0", "Robi.v2", "A.B.", "@onna", "Onna...",
    ],
)  # fmt: skip
def test_names_of_people_are_left_alone(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [("Olivia", "0lívIa"), ("Onna", "ОННА"[:1] + "nna"), ("Gion", "G I O N"), ("Paul", "PauI"), ("Rosa", "roѕа")],
)
def test_names_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


def test_different_names_have_different_keys() -> None:
    names = ["Onna", "Anna", "Gion", "Gian", "Toni", "Tona", "Maria 1", "Maria 2", ""]
    assert len({key_of(name) for name in names}) == len(names)


@pytest.mark.parametrize("text", ["Hoi.\n\nTgau.", "👨\u200d👩\u200d👧 da Medel", ""])
def test_a_text_keeps_its_lines_and_pictures(text: str) -> None:
    assert clean_text(text) == text


@pytest.mark.parametrize("text", ["a\u202eb", "a\x00", "a\u200bb", "a\u2028b"])
def test_a_text_with_what_cannot_be_seen_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        clean_text(text)
