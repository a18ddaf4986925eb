"""What `core.http` reads of what was sent."""

from __future__ import annotations

import pytest

from core.http import typed_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("36", 36),
        (" +12 ", 12),
        ("−30", -30),
        ("–30", -30),
        ("1’000", 1000),
        ("1'000", 1000),
        ("1 000", 1000),
        ("1\u00a0000", 1000),
        ("1\u202f000", 1000),
    ],
)
def test_numbers_are_read_as_people_and_their_phones_type_them(text, number):
    assert typed_number(text) == number


@pytest.mark.parametrize("text", ["", "-", "12_0", "1.5", "٣", "twelve", "9" * 10, "--3"])
def test_what_is_no_whole_number_is_none(text):
    assert typed_number(text) is None
