"""The judge's own tools, on examples worked by hand: who judges others should add up rightly, and must be able to say no."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.domain.rating.kit import TROCCAS, Bayes, pairs
from tests.tournaments.leagues import counting, luck
from tests.tournaments.leagues.counting import Field, Round, Sheet

FOUR = ("e1", "e2", "e3", "e4")
MODEL = {"skill": TROCCAS.skill, "deal": TROCCAS.deal, "play": TROCCAS.play, "memory": TROCCAS.memory}


@pytest.mark.parametrize(("twice", "away"), [(5, 3), (7, 4), (-5, -3), (-1, -1), (4, 2)])
def test_halves_are_rounded_as_the_papers_say(twice: int, away: int):
    assert counting.away_from_zero(Fraction(twice, 2)) == away


def three_tables() -> Round:
    """The example of docs/standings.md: the dealer's side made 40, 42 and 50; at the second table the others deal."""
    made = {1: (40, 32), 2: (30, 42), 3: (50, 22)}
    return Round(
        "1.1",
        {
            number: Sheet(
                f"1.1.{number}",
                tuple(f"e{4 * number + place}" for place in range(4)),
                {1: points},
                turn=1 if number == 2 else 0,
                counts=True,
            )
            for number, points in made.items()
        },
    )


def test_gains_are_those_of_the_papers():
    turn = three_tables()
    found = counting.traveller(turn, 1)
    assert found is not None
    assert found.datum == (Fraction(44), Fraction(28))
    assert {number: gains for number, (_, gains) in found.tables.items()} == {1: (-12, 12), 2: (-6, 6), 3: (18, -18)}
    assert counting.gained(turn, 2) == {1: (6, -6)}


def test_a_table_that_is_late_or_forfeited_is_not_in_the_datum():
    turn = three_tables()
    turn.sheets[3].counts = False
    found = counting.traveller(turn, 1)
    assert found is not None
    assert found.datum == (Fraction(41), Fraction(31))
    turn.sheets[2].forfeit = ("e8",)
    found = counting.traveller(turn, 1)
    assert found is not None
    assert found.datum == (Fraction(40), Fraction(32))


def test_a_standing_knows_forfeits_leavers_and_computer_players():
    people = Field(dict.fromkeys(FOUR, 1) | {"e5": 1}, {"e5": 1}, {"e6"})
    first = Round("1.1", {1: Sheet("1.1.1", FOUR, {1: (40, 32), 2: (38, 34)}, counts=True)}, {"e5"})
    second = Round("1.2", {1: Sheet("1.2.1", ("e1", "e2", "e4", "e6"), forfeit=("e2",), counts=True)})
    rows = {row.entrant: row for row in counting.standing(people, [first, second], duplicate=False)}
    assert "e6" not in rows
    kinds = {who: [score.kind for score in row.scores] for who, row in rows.items()}
    assert kinds["e1"] == ["played", "bye"]
    assert kinds["e2"] == ["played", "absent"]
    assert kinds["e3"] == ["played", "absent"]
    assert kinds["e5"] == ["bye", "left"]
    # A bye brings the own average; who has none, that of the round: 78 and 66 points, two each, are 72, and (2+2+0+0)/4 is 1.
    assert rows["e1"].values == (4, 156, 24, 78)
    assert rows["e4"].values == (0, 132, -24, 66)
    assert rows["e2"].values == (0, 66, -12, 66)
    assert rows["e5"].values == (1, 72, 0, counting.NEVER)
    assert [rows[who].rank for who in ("e1", "e3", "e5", "e4", "e2")] == [1, 2, 3, 4, 5]


def test_equals_share_a_rank_and_season_points_until_a_lot_is_drawn():
    people = Field(dict.fromkeys(FOUR, 1))
    turn = Round("1.1", {1: Sheet("1.1.1", FOUR, {1: (40, 32)}, counts=True)})
    rows = counting.standing(people, [turn], duplicate=False)
    assert [(row.entrant, row.rank, row.shared) for row in rows][:2] == [("e1", 1, True), ("e3", 1, True)]
    assert counting.season_points(rows, (25, 20, 16, 13)) == {"e1": 22, "e3": 22, "e2": 14, "e4": 14}
    rows = counting.standing(people, [turn], duplicate=False, lots=[["e3", "e1"]])
    assert [(row.entrant, row.rank, row.shared) for row in rows][:2] == [("e3", 1, False), ("e1", 2, False)]


def test_ratings_of_free_deals_are_those_of_a_third_computation():
    games = [("a b", "c d", 4), ("a c", "b d", -6), ("a d", "b e", 10), ("c e", "a b", 2)]
    log = [pairs(f"{number}", f"{one} - {other}", margin) for number, (one, other, margin) in enumerate(games)]
    mine = luck.rate(
        [
            luck.Match((0, str(number), 1), 0, (tuple(one.split()), tuple(other.split())), 8, margin / 16)
            for number, (one, other, margin) in enumerate(games)
        ],
        MODEL,
    )
    third = Bayes(log, TROCCAS)
    for who in "abcde":
        mean, variance = third.of(who)
        assert mine.mean[who] == pytest.approx(mean, abs=1e-9)
        assert mine.variance[who] == pytest.approx(variance, rel=1e-9)


def test_a_matrix_is_inverted():
    inverse = luck.inverted([[4.0, 1.0], [1.0, 3.0]])
    assert [value for row in inverse for value in row] == pytest.approx([3 / 11, -1 / 11, -1 / 11, 4 / 11])
