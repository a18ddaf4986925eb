"""Text that people write loses what cannot be seen, and keeps everything else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import lines, one_line


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("  Grüezi \t mitenand\n", "Grüezi mitenand"),
        ("a\u202egnp.exe", "agnp.exe"),  # a direction override
        ("\u2066a\u2069\u200bb\ufeff\u00adc", "abc"),
        ("\x00\x07\x1b[31mred", "[31mred"),
        ("a\u2028b\u2029c", "a b c"),
        ("u\u0308ber", "über"),
        ("Z" + "\u0317" * 40 + "a", "Z\u0317\u0317a"),
        ("👩\u200d👩\u200d👧 yes", "👩\u200d👩\u200d👧 yes"),
        ("a\u200db\u200d", "ab"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("שלום", "שלום"),
        ("\ue000\U000e0041", ""),
        ("\u200b \u2060", ""),
    ],
)
def test_a_line_keeps_what_can_be_seen(raw, kept):
    assert one_line(raw) == kept


def test_a_note_keeps_its_lines_but_not_heaps_of_empty_ones():
    assert lines("one\r\n\r\n\r\n\r\ntwo\rthree\u2028four\n\n") == "one\n\ntwo\nthree\nfour"


@given(st.text())
def test_nothing_unseen_is_left_and_doing_it_twice_changes_nothing(raw):
    kept = one_line(raw)
    assert one_line(kept) == kept
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") for character in kept)
    assert not any(unicodedata.category(character) == "Cf" and character != "\u200d" for character in kept)
    assert all(lines(line) == line for line in lines(raw).split("\n"))
