"""Seasons over several evenings."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from domain.errors import DomainError
from domain.standings.season import Counting, PastEvening, Place, SeasonRules, counting_changes, season


def night(day: int, *who: str, club: str = "Sagogn") -> PastEvening:
    """An evening: ``ada 1 300`` is rank and result."""
    places = tuple(Place(name, int(rank), int(result)) for name, rank, result in map(str.split, who))
    return PastEvening(f"e{day}", f"2026-11-{day:02}", club, places)


THREE = (
    night(1, "ada 1 300", "leo 2 280", "mia 3 250"),
    night(8, "leo 1 310", "ada 2 290", club="Sedrun"),
    night(15, "mia 1 330", "leo 2 300", "ada 2 300"),
)


def totals(evenings, rules) -> list[tuple[str, int, int]]:
    return [(row.person, row.rank, row.total) for row in season(evenings, rules)]


def test_places_bring_points_and_equals_share_those_of_their_places():
    rules = SeasonRules(place_points=(10, 6, 3))
    # In the third, places two and three make 9, each 4.
    assert totals(THREE, rules) == [("ada", 1, 20), ("leo", 1, 20), ("mia", 3, 13)]
    assert [row.shared for row in season(THREE, rules)] == [True, True, False]


def test_the_two_of_a_pair_have_one_place_and_do_not_share_it():
    rules = SeasonRules(place_points=(10, 6, 3, 1))
    ranks = {"ada": ("e1", 1), "leo": ("e1", 1), "mia": ("e2", 2), "ugo": ("e2", 2), "eva": ("e3", 2), "ivo": ("e3", 2)}
    pairs = PastEvening(
        "e1", "2026-11-01", "Sagogn", tuple(Place(who, rank, 0, of) for who, (of, rank) in ranks.items())
    )
    # Two pairs share places two and three, which make 9, each 4.
    assert totals([pairs], rules) == [
        *[("ada", 1, 10), ("leo", 1, 10)],
        *[("eva", 3, 4), ("ivo", 3, 4), ("mia", 3, 4), ("ugo", 3, 4)],
    ]


def test_by_the_field_everybody_gets_one_for_each_not_better():
    # ada 3, 1 and 2, leo three times 2: six each, ada's best evening is better.
    assert totals(THREE, SeasonRules(by="field")) == [("ada", 1, 6), ("leo", 2, 6), ("mia", 3, 4)]


def test_by_the_sum_of_what_the_evenings_brought():
    # leo's best evening, 310, comes before ada's 300.
    assert totals(THREE, SeasonRules(by="sum")) == [("leo", 1, 890), ("ada", 2, 890), ("mia", 3, 580)]


def test_the_best_evenings_count_and_it_is_remembered_which():
    rows = season(THREE, SeasonRules(place_points=(10, 6, 3), best=2))
    ada = next(row for row in rows if row.person == "ada")
    assert [(share.evening, share.club, share.points, share.counted) for share in ada.shares] == [
        ("e1", "Sagogn", 10, True), ("e8", "Sedrun", 6, True), ("e15", "Sagogn", 4, False)
    ]  # fmt: skip
    assert ada.values == (16, 10, 6, 3)


def test_attendance_brings_points_and_too_few_evenings_no_rank():
    assert totals(THREE, SeasonRules(by="sum", attendance=5, best=1, fewest=3)) == [
        ("leo", 1, 325), ("ada", 2, 315), ("mia", 0, 340)
    ]  # fmt: skip


def test_of_equal_totals_the_better_best_evening_comes_first():
    evenings = (night(1, "ada 1 9", "leo 2 8"), night(8, "leo 2 8", "ada 3 7"))
    rows = season(evenings, SeasonRules(place_points=(10, 8, 6)))
    assert [(row.person, row.rank, row.values) for row in rows] == [
        ("ada", 1, (16, 10, 6, 2)),
        ("leo", 2, (16, 8, 8, 2)),
    ]


def test_of_equal_totals_and_equally_good_evenings_more_of_them_come_first():
    # The third place brings nothing, but leo was there; mia has 10.
    evenings = (night(1, "ada 1 9", "leo 1 9"), night(8, "mia 1 9", "eva 2 8", "leo 3 7"))
    rows = season(evenings, SeasonRules(place_points=(10, 4)))
    assert [(row.person, row.rank, row.values) for row in rows[1:3]] == [
        ("leo", 2, (7, 7, 0, 2)),
        ("ada", 3, (7, 7, 0, 1)),
    ]


def test_the_number_of_evenings_is_never_compared_with_points():
    # All have 6, ada 4 and 2; leo has 3, 2 and 1, and mia a fourth evening without points.
    evenings = (
        night(1, "ada 1 4", "leo 1 3"), night(2, "ada 1 2", "leo 1 2"), night(3, "leo 1 1"),
        night(4, "mia 1 3"), night(5, "mia 1 2"), night(6, "mia 1 1"), night(7, "mia 1 0"),
    )  # fmt: skip
    assert totals(evenings, SeasonRules(by="sum")) == [("ada", 1, 6), ("mia", 2, 6), ("leo", 3, 6)]


def test_where_results_can_be_negative_a_missed_evening_is_worth_nothing():
    # Troggu: 5, 3 and −3 against 5 alone; the second-best evening decides.
    evenings = (night(1, "ada 1 5", "leo 1 5"), night(2, "leo 1 3"), night(3, "leo 1 -3"))
    assert totals(evenings, SeasonRules(by="sum")) == [("leo", 1, 5), ("ada", 2, 5)]
    # Being there brings one point: −1 makes that up, and loses the second evening against none.
    two = (night(1, "ada 1 5", "leo 1 5"), night(2, "leo 1 -1"))
    assert totals(two, SeasonRules(by="sum", attendance=1)) == [("ada", 1, 6), ("leo", 2, 6)]


def test_a_new_evening_shows_what_no_longer_counts():
    rules = SeasonRules(place_points=(10, 6, 3), best=2)
    before, after = season(THREE[:2], rules), season(THREE, rules)
    assert counting_changes(before, after) == (Counting("mia", ("e15",), ()),)
    better = (*THREE, night(22, "ada 1 400"))
    assert counting_changes(after, season(better, rules)) == (Counting("ada", ("e22",), ("e8",)),)


def test_who_was_there_without_a_rank_counts_as_present():
    rows = season((night(1, "ada 1 300", "leo 0 90"),), SeasonRules(attendance=1))
    assert [(row.person, row.total, row.attended) for row in rows] == [("ada", 26, 1), ("leo", 1, 1)]


@given(some.integers(0, 10**9))
def test_order_does_not_matter_and_best_of_all_is_all(seed):
    chance = random.Random(seed)
    evenings = []
    for day in range(1, chance.randrange(2, 8)):
        here = chance.sample("abcdefgh", chance.randrange(1, 9))
        evenings.append(night(day, *(f"{who} {rank} {chance.randrange(400)}" for rank, who in enumerate(here, 1))))
    rules = SeasonRules(by=chance.choice(("place", "field", "sum")), best=chance.randrange(0, 4))
    rows = season(evenings, rules)
    assert season(chance.sample(evenings, len(evenings)), rules) == rows
    for row in rows:
        every = sorted((share.points for share in row.shares), reverse=True)
        assert row.total == sum(every[: rules.best or None])
        assert row.rank == 1 + sum(other.values > row.values for other in rows)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: SeasonRules(by="luck"), "not-a-choice"),
        (lambda: SeasonRules(place_points=(1, 2)), "wrong-order"),
        (lambda: SeasonRules(best=-1), "negative"),
        (lambda: season((THREE[0], THREE[0]), SeasonRules()), "twice"),
        (lambda: season((night(1, "ada 1 3", "ada 2 2"),), SeasonRules()), "twice"),
        (lambda: season((night(1, "ada -1 3"),), SeasonRules()), "negative"),
    ],
)
def test_a_season_that_makes_no_sense_is_refused(make, code):
    with pytest.raises(DomainError) as refused:
        make()
    assert refused.value.code == code


def test_of_equally_good_evenings_the_earlier_counts():
    rows = season((night(8, "ada 1 300"), night(1, "ada 1 200")), SeasonRules(best=1))
    assert [(share.evening, share.counted) for share in rows[0].shares] == [("e1", True), ("e8", False)]
