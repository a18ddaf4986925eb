"""The list as a whole: rounds missed and dropped, leavers, what is open, corrections; and a second count of random evenings."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from domain.errors import DomainError
from domain.standings.criteria import Lot, RoundScore
from domain.standings.profile import Given, HouseRules
from domain.standings.ranking import changes, rank, why
from domain.standings.results import Deal, Entrant, Evening, Penalty, Round
from domain.standings.rounds import Open, Problem, drop
from tests.domain.standings.kit import by_rank, evening, pair_table, random_evening, rules

CARDS = rules("card-points", rounds=3)


def points(one: Evening, entrant: str) -> list[tuple[str, int, int, int]]:
    return [(each.kind, each.points, each.match, each.difference) for each in rank(one).row(entrant).sheet.rounds]


def test_a_bye_brings_what_the_house_says():
    rounds = ("a-b 40, bye c", "a-c 30, bye b", "b-c 37, bye a")
    fixed = replace(CARDS, bye=Given("fixed", 36, 1))
    assert points(evening(fixed, *rounds), "c")[0] == ("bye", 36, 1, 0)
    own = replace(CARDS, bye=Given("own-average"))
    # c played 42 and 35: 38.5, rounded 39; match points 2 and 0; difference +12 and −2.
    assert points(evening(own, *rounds), "c")[0] == ("bye", 39, 1, 5)
    field = replace(CARDS, bye=Given("field-average"))
    assert points(evening(field, *rounds), "c")[0] == ("bye", 36, 1, 0)
    low = replace(CARDS, bye=Given("lowest"))
    assert points(evening(low, *rounds), "c")[0] == ("bye", 32, 0, -8)


def test_an_average_of_nothing_falls_back_to_the_field_and_then_to_the_fixed_number():
    own = replace(CARDS, bye=Given("own-average", 33, 1))
    assert points(evening(own, "a-b 40, bye c"), "c") == [("bye", 36, 1, 0)]
    assert points(evening(own, "bye c"), "c") == [("bye", 33, 1, 0)]


def test_late_absent_and_left_are_told_apart():
    house = replace(CARDS, late=Given("fixed", 20), absent=Given("fixed", 10))
    people = (Entrant("a"), Entrant("b"), Entrant("c", first=2), Entrant("d"), Entrant("e", last=1))
    one = evening(house, "a-b 40, d-e 36", "a-c 40, b-d 40", "a-b 40", entrants=people)
    assert points(one, "c") == [("late", 20, 0, 0), ("played", 32, 0, -8), ("absent", 10, 0, 0)]
    assert points(one, "e")[1:] == [("left", 10, 0, 0)] * 2


def test_who_left_stays_ranked_comes_after_or_goes_out():
    people = (Entrant("a"), Entrant("b"), Entrant("c"), Entrant("d", last=1))
    rounds = ("a-b 40, c-d 2", "a-c 40")

    def order(leavers):
        return [
            (row.entrant, row.rank, row.status)
            for row in rank(evening(replace(CARDS, leavers=leavers), *rounds, entrants=people)).rows
        ]

    assert order("ranked") == [("a", 1, "ranked"), ("d", 2, "ranked"), ("c", 3, "ranked"), ("b", 4, "ranked")]
    assert order("after") == [("a", 1, "ranked"), ("c", 2, "ranked"), ("b", 3, "ranked"), ("d", 4, "after")]
    assert order("out") == [("a", 1, "ranked"), ("c", 2, "ranked"), ("b", 3, "ranked"), ("d", 0, "out")]


def test_who_can_no_longer_play_enough_rounds_is_listed_without_a_rank():
    house = replace(CARDS, fewest_rounds=2)
    people = tuple(map(Entrant, "abc"))
    assert rank(evening(house, "a-b 40, bye c", "a-b 40", entrants=people)).row("c").status == "ranked"
    assert rank(evening(house, "a-b 40", "a-b 40", entrants=people)).row("c").status == "out"
    assert rank(evening(house, "a-b 40", entrants=people)).row("c").status == "ranked"
    leaving = (*people[:2], Entrant("c", last=2))
    assert rank(evening(house, "a-b 40", entrants=leaving)).row("c").status == "out"
    assert rank(evening(house, "a-c 40", entrants=leaving)).row("c").status == "ranked"


def test_the_worst_round_is_dropped_but_never_the_only_one():
    house = replace(CARDS, dropped=1)
    assert rank(evening(house, "a-b 40")).row("a").values == (("card-points", 40),)
    two = rank(evening(house, "a-b 40", "a-b 30")).row("a")
    assert two.values == (("card-points", 40),)
    assert [each.dropped for each in two.sheet.rounds] == [False, True]


def test_of_equal_worst_rounds_the_earlier_is_dropped_and_a_penalty_stays():
    house = replace(CARDS, dropped=1)
    one = evening(house, "a-b 36", "a-b 36", "a-b 40", penalties=(Penalty("a", "Card shown", 5, round=1),))
    row = rank(one).row("a")
    assert [each.dropped for each in row.sheet.rounds] == [True, False, False]
    assert row.values == (("card-points", 71),)


def test_a_missed_round_is_dropped_only_if_the_house_says_so():
    rounds = ("a-b 40, c-d 36", "a-d 30, c-b 36", "a-c 36")
    house = replace(CARDS, dropped=1)
    assert rank(evening(house, *rounds)).row("b").values == (("card-points", 68),)
    strict = replace(house, drop_missed=False)
    assert rank(evening(strict, *rounds)).row("b").values == (("card-points", 36),)


def test_worst_is_meant_by_what_the_tournament_is_played_for():
    matches = rules("match-points", "card-points", dropped=1)
    row = [RoundScore(1, "played", 50, 0, 0), RoundScore(2, "played", 37, 2, 0), RoundScore(3, "played", 36, 1, 0)]
    assert [each.dropped for each in drop(row, matches)] == [True, False, False]
    assert [each.dropped for each in drop(row, replace(CARDS, dropped=1))] == [False, False, True]


@given(some.lists(some.integers(-90, 90), min_size=1, max_size=7), some.integers(0, 3))
def test_what_is_kept_is_the_best_choice_there_is_and_a_better_round_never_harms(scores, dropped):
    house = HouseRules(rounds=10, dropped=dropped, tie_breaks=("card-points",))

    def total(of):
        kept = drop([RoundScore(number, "played", each) for number, each in enumerate(of, 1)], house)
        return sum(each.points for each in kept if not each.dropped)

    keep = max(1, len(scores) - dropped)
    assert total(scores) == max(sum(choice) for choice in itertools.combinations(scores, keep))
    for place in range(len(scores)):
        better = [each + (at == place) for at, each in enumerate(scores)]
        assert total(better) >= total(scores)


def test_an_open_table_counts_for_nobody_and_keeps_the_list_provisional():
    one = evening(replace(CARDS, rounds=1), "a-b 40, c-d 36")
    assert rank(one).final
    waiting = replace(
        one, rounds=(Round(1, (pair_table(1, "a", "b", 40), pair_table(2, "c", "d", 70, state="entered"))),)
    )
    found = rank(waiting)
    assert not found.final
    assert found.open == (Open(1, 2, "entered", ()),)
    assert found.row("c").values == (("card-points", 0),)
    wrong = replace(pair_table(2, "c", "d", 40), deals=(Deal((40, 30)),))
    found = rank(replace(one, rounds=(Round(1, (pair_table(1, "a", "b", 40), wrong)),)))
    assert found.open == (Open(1, 2, "confirmed", (Problem("wrong-sum", 1, 70, 72),)),)


def test_a_list_is_provisional_until_the_last_round():
    assert not rank(evening(CARDS, "a-b 40", "a-b 30")).final
    assert rank(evening(CARDS, "a-b 40", "a-b 30", "a-b 40")).final


def test_equals_share_a_rank_and_the_next_is_left_free():
    found = rank(evening(CARDS, "a-b 36, c-d 40"))
    assert [(row.rank, row.entrant, row.shared) for row in found.rows] == [
        (1, "c", False), (2, "a", True), (2, "b", True), (4, "d", False)
    ]  # fmt: skip
    assert by_rank(found) == (("c",), ("a", "b"), ("d",))


def test_a_correction_is_shown_as_a_difference():
    before = rank(evening(CARDS, "a-b 40, c-d 38"))
    after = rank(evening(CARDS, "a-b 37, c-d 38"))
    shown = {
        each.entrant: (each.rank_before, each.rank_after, each.before[0][1], each.after[0][1])
        for each in changes(before, after)
    }
    assert shown == {"a": (1, 2, 40, 37), "c": (2, 1, 38, 38), "b": (4, 3, 32, 35), "d": (3, 4, 34, 34)}
    assert changes(before, before) == ()
    gone = rank(evening(CARDS, "a-b 40"))
    assert [(each.entrant, each.rank_after) for each in changes(before, gone)] == [("b", 2), ("c", 0), ("d", 0)]


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: Evening(CARDS, (Entrant("a"), Entrant("a"))), "twice"),
        (lambda: Evening(CARDS, (Entrant("a", first=0),)), "bad-stay"),
        (lambda: evening(CARDS, "a-b 40, a-c 40"), "twice"),
        (lambda: evening(CARDS, "a-b 40, bye a"), "twice"),
        (lambda: evening(CARDS, "a-b 40", entrants=(Entrant("a"),)), "unknown-id"),
        (lambda: evening(CARDS, *["a-b 40"] * 4), "no-such-round"),
        (lambda: evening(CARDS, "a-b 40", penalties=(Penalty("a", " ", 1),)), "no-reason"),
        (lambda: evening(CARDS, "a-b 40", penalties=(Penalty("a", "Bonus", -1),)), "negative"),
        (lambda: evening(CARDS, "a-b 40", penalties=(Penalty("x", "Who", 1),)), "unknown-id"),
        (lambda: evening(CARDS, "a-b 40", lots=(Lot(("a", "a"), ""),)), "twice"),
        (lambda: one_table(replace(pair_table(1, "a", "b", 40), sides=(("a",),))), "too-few-sides"),
        (lambda: one_table(replace(pair_table(1, "a", "b", 40), state="signed")), "not-a-choice"),
        (lambda: one_table(replace(pair_table(1, "a", "b", 40), writer=2)), "out-of-range"),
        (lambda: one_table(replace(pair_table(1, "a", "b", 40), deals=(Deal((72,)),))), "bad-count"),
        (lambda: one_table(replace(pair_table(1, "a", "b", 40), deals=(Deal((40, 32), (("a",), ("c",))),))), "unknown-id"),
        (lambda: one_table(replace(pair_table(1, "a", "b", 40), deals=(Deal((10**7, 0)),))), "out-of-range"),
    ],
)  # fmt: skip
def test_an_evening_that_makes_no_sense_is_refused(make, code):
    with pytest.raises(DomainError) as refused:
        make()
    assert refused.value.code == code


def one_table(table) -> Evening:
    return Evening(CARDS, (Entrant("a"), Entrant("b"), Entrant("c")), (Round(1, (table,)),))


@given(some.integers(0, 10**9))
def test_the_order_in_which_things_are_given_does_not_matter(seed):
    chance = random.Random(seed)
    one = random_evening(chance)

    def mixed(things):
        return tuple(chance.sample(things, len(things)))

    other = replace(
        one,
        entrants=mixed(one.entrants),
        rounds=mixed([Round(each.number, mixed(each.tables), mixed(each.byes)) for each in one.rounds]),
    )
    assert rank(other) == rank(one)


@given(some.integers(0, 10**9))
def test_a_second_count_gives_the_same_list(seed):
    """Match points, card points and difference added up from the deals in another way, byes fixed, nothing dropped."""
    chance = random.Random(seed)
    house = HouseRules(
        deals=2, rounds=3, bye=Given("fixed", 70, 1), tie_breaks=("match-points", "card-points", "difference")
    )
    one = random_evening(chance, house)
    marks = {each.id: [0, 0, 0] for each in one.entrants}
    whole = 0
    for each in one.rounds:
        for who in each.byes:
            marks[who][0] += 1
            marks[who][1] += 70
        for table in each.tables:
            left, right = (sum(deal.scores[side] for deal in table.deals) for side in (0, 1))
            whole += 2 * (left + right)
            for who in table.ids:
                own, theirs = (left, right) if who in table.sides[0] else (right, left)
                marks[who][0] += 2 if own > theirs else 1 if own == theirs else 0
                marks[who][1] += own
                marks[who][2] += own - theirs
    found = rank(one)
    for row in found.rows:
        assert [value for _, value in row.values] == marks[row.entrant]
        assert row.rank == 1 + sum(marks[other] > marks[row.entrant] for other in marks)
    played = [each for row in found.rows for each in row.sheet.played]
    assert sum(each.points for each in played) == whole
    assert sum(each.difference for each in played) == 0


@given(some.integers(0, 10**9))
def test_why_agrees_with_the_list_for_any_two(seed):
    found = rank(random_evening(random.Random(seed)))
    for before, behind in itertools.combinations(found.rows, 2):
        reason = why(found, behind.entrant, before.entrant)
        assert (reason.before, reason.behind) == (before.entrant, behind.entrant)
        assert (reason.criterion == "shared") == (before.rank == behind.rank)
        if reason.value is not None and reason.other is not None:
            assert reason.value > reason.other


HOUSE = (Entrant("a"), Entrant("b"), Entrant("c"), Entrant("x", house=True))


def test_who_is_of_the_house_is_not_listed_and_ranks_close_up():
    one = evening(replace(CARDS, rounds=1), "a-b 30, x-c 40", entrants=HOUSE)
    assert [(row.rank, row.entrant) for row in rank(one).rows] == [(1, "b"), (2, "c"), (3, "a")]
    assert by_rank(rank(one)) == (("b",), ("c",), ("a",))
    assert rank(one).final


def test_nobody_needs_a_lot_against_the_house_or_is_compared_with_it_head_to_head():
    house = rules("card-points", "head-to-head", "lot", rounds=1)
    one = evening(house, "a-b 36, x-c 36", entrants=HOUSE)
    assert rank(one).lots_needed == (("a", "b", "c"),)
    # a and x have as many points and met; among those who are listed nobody did.
    one = evening(house, "a-x 36, b-c 40", entrants=HOUSE)
    assert dict(rank(one).row("a").values)["head-to-head"] is None


def test_what_the_house_played_is_no_part_of_what_is_given():
    for method, given_points in (("field-average", 35), ("lowest", 32)):
        bye = replace(CARDS, rounds=1, bye=Given(method))
        people = (*HOUSE, Entrant("d"), Entrant("e"))
        one = evening(bye, "a-b 40, x-c 40, bye d, bye e", entrants=people)
        # a 40, b 32, c 32: 34.67
        assert points(one, "d")[0][:2] == ("bye", given_points)


def test_before_the_first_table_counts_nobody_has_a_rank_and_no_lot_is_needed():
    house = rules("match-points", "lot", rounds=2)
    tables = (pair_table(1, "a", "b", 40, state="entered"), pair_table(2, "c", "d", 30, state="entered"))
    people = tuple(Entrant(name) for name in "abcd")
    for rounds in ((), (Round(1, tables),)):
        found = rank(Evening(house, people, rounds, penalties=(Penalty("a", "late", 5),)))
        assert [(row.rank, row.shared) for row in found.rows] == [(0, False)] * 4
        assert found.lots_needed == ()
    first = rank(Evening(house, people, (Round(1, (pair_table(1, "a", "b", 40), tables[1])),)))
    assert by_rank(first) == (("a",), ("b", "c", "d"))
