"""Money as Swiss write it."""

from __future__ import annotations

import re

import pytest

from clubs import money


@pytest.mark.parametrize(
    ("text", "rappen"),
    [
        ("10", 1000),
        ("10.5", 1050),
        ("10.50", 1050),
        ("10,05", 1005),
        ("10.–", 1000),
        ("CHF 10.-", 1000),
        ("1'000.20", 100_020),
        ("20 Fr.", 2000),
        ("0", 0),
    ],
)
def test_what_people_write_is_read(text, rappen):
    assert money.read_money(text) == rappen


@pytest.mark.parametrize("text", ["  ", "ten", "-5", "1.234", "10.5.5", "1e3"])
def test_what_is_no_sum_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(text)):
        money.read_money(text)


def test_sums_are_shown_as_one_writes_them():
    assert [money.money_text(each) for each in (1000, 1050, -250, 100_000_005)] == [
        "CHF 10.00",
        "CHF 10.50",
        "CHF −2.50",
        "CHF 1’000’000.05",
    ]
    assert [money.short_money(each) for each in (1000, 1050, 5)] == ["10.–", "10.50", "0.05"]
