"""When two spellings count as the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import fold, skeleton

anything = st.text(st.characters(), max_size=60)  # halves of surrogate pairs, too


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Schwäärti", "schwaarti"),
        ("Misère", "misere"),
        ("Strasse", "strasse"),
        ("Straße", "strasse"),
        ("Œuvre", "oeuvre"),
        ("d’aur, l'um", "d aur l um"),
        ("S-chüra", "s chura"),
        ("  XXI – the World!  ", "xxi the world"),
        ("a_b", "a b"),
        ("½ Ⅻ ﬁ", "1 2 xii fi"),
        ("Schwa\u0308a\u0308rti", "schwaarti"),
        ("", ""),
        ("?!", ""),
    ],
)
def test_folding_leaves_small_letters_without_marks(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    "spellings",
    [
        ("Schwäärti", "schwarti", "schwaerti", "Schwaerti", "SCHWÄRTI"),
        ("Bättler", "battler", "Baettler", "bätler"),
        ("Troccas", "Trockas", "Troggas", "trocas"),
        ("Troggu", "Trogggu", "troccu"),
        ("Stich", "Schtich"),
        ("Spiel", "Schpiil", "spil"),
        ("retg", "retsch"),
        ("Goppe", "gope"),
        ("Könige", "Koenige", "konige"),
        ("buob sche", "Buob-sche", "BUOB  SCHE", "buob schè"),
        ("Zermatt", "Zermat"),
    ],
)
def test_these_spellings_are_one_word(spellings: tuple[str, ...]) -> None:
    assert len({skeleton(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("buob", "bub"),
        ("scart", "schart"),
        ("trumps", "trump"),
        ("77", "7"),
        ("vitas", "witas"),
        ("11", "1"),
        ("XXI", "XI"),
        ("iii", "ii"),
    ],
)
def test_these_words_stay_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(anything)
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(anything)
def test_a_skeleton_is_its_own_skeleton(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


@given(anything)
def test_spellings_that_fold_alike_have_one_skeleton(text: str) -> None:
    assert skeleton(fold(text)) == skeleton(text)


@given(anything)
def test_folded_words_hold_letters_and_figures_only(text: str) -> None:
    assert all(word.isalnum() for word in fold(text).split(" ") if word)
    assert "  " not in fold(text)


@given(st.text(max_size=30))
def test_case_never_matters(text: str) -> None:
    assert fold(text.casefold()) == fold(text)
