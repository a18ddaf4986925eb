"""The judge's own tools, on examples worked by hand: who judges others should add up rightly."""

from __future__ import annotations

from fractions import Fraction

import lxml.html
import pytest
import segno

from tests.tournaments.evenings import arithmetic, camera
from tests.tournaments.evenings.books import Books, Line, Person, Round, Sheet
from tests.tournaments.evenings.secretary import rappen


@pytest.mark.parametrize("length", [20, 45, 80, 130, 200])
def test_the_camera_reads_what_is_printed(length: int):
    address = ("http://127.0.0.1:8000/e/8nxtgtk2jh2/s/" + "1-1-2-0-9bt8x4nn7f/" * 12)[:length]
    picture = segno.make(address, error="m", micro=False).svg_inline(border=2, omitsize=True)
    assert camera.read(lxml.html.fromstring(picture)) == address


@pytest.mark.parametrize(
    ("text", "amount"), [("CHF 1’210.50", 121_050), ("10.–", 1000), ("CHF −35.50", -3550), ("gets 0.05", 5)]
)
def test_amounts_are_read_as_the_site_writes_them(text: str, amount: int):
    assert rappen(text) == amount


def test_halves_are_rounded_away_from_zero():
    assert [arithmetic.nearest(Fraction(each, 2)) for each in (5, -5, 4, 1, -1)] == [3, -3, 2, 1, -1]


@pytest.fixture
def books() -> Books:
    """Five people, two rounds: A and B beat C and D by 80 to 64 while E sits out, then A, C and E against each other."""
    found = Books()
    for letter in "ABCDE":
        found.know([Person(letter, letter, named=True)])
        found.entrants[letter] = (f"{letter} {letter}",)
        found.plays_for[f"{letter} {letter}"] = letter
        found.came[letter] = 1
    found.left = {"B": 1, "D": 1}
    first = Sheet(
        "1.1.1", (("A A", "B B"), ("C C", "D D")), 72, 2, {1: Line((50, 22)), 2: Line((30, 42))}, confirmed=True
    )
    second = Sheet("1.2.1", (("A A",), ("C C",), ("E E",)), 78, 1, {1: Line((20, 29, 29))}, confirmed=True)
    found.rounds = [Round(1, 1, {1: first}, ("E",)), Round(1, 2, {1: second}, ())]
    return found


def test_a_standing_counts_sides_byes_and_who_left(books: Books):
    rows = {row.entrant: row for row in arithmetic.standing(books, 1)}
    # E’s bye is worth what E made in the one round played: 29 points and ten more, half of 2 and 1, 29 less 24.5.
    assert rows["E"].values == (2, 78, 10, 39)
    assert rows["A"].values == (2, 110, 16 - 9, 80)
    assert rows["C"].values == (1, 103, -16 + 5, 64)
    assert rows["B"].values == (2, 80, 16, 80)
    assert [(row.entrant, row.rank) for row in arithmetic.standing(books, 1)] == [
        ("A", 1),
        ("B", 2),
        ("E", 3),
        ("C", 4),
        ("D", 5),
    ]


def test_who_meets_again_in_the_same_role_is_counted(books: Books):
    met = arithmetic.Met()
    assert arithmetic.meet(books, met, books.rounds[0]) == 0
    assert arithmetic.meet(books, met, books.rounds[1]) == 1  # A and C, opponents both times
    assert arithmetic.meet(books, met, books.rounds[0]) == 6


def test_equals_share_a_rank_until_a_lot_is_drawn(books: Books):
    del books.rounds[1], books.left["B"]
    shared = [(row.entrant, row.rank, row.shared) for row in arithmetic.standing(books, 1)]
    assert shared[:2] == [("A", 1, True), ("B", 1, True)]
    drawn = [(row.entrant, row.rank, row.shared) for row in arithmetic.standing(books, 1, [(1, ["B", "A"])])]
    assert drawn[:2] == [("B", 1, False), ("A", 2, False)]
