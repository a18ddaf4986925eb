"""Swiss for pairs, against trying every pairing; and re-seeding by standing."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from domain.seating.field import FOR_PAIRS, FOR_PLAYERS, THREE_PAIRS, TWO_PAIRS, Entrant, Field, Past, Settings
from domain.seating.methods import swiss as swiss_module
from domain.seating.seat import seat
from tests.domain.seating.tournaments import seed_of


def field_of(count, number, rounds=3):
    """A field with random results: pairs, points, meetings at random."""
    luck = Random(number)
    ids = [f"p{i:03}" for i in range(count)]
    past = []
    for _ in range(rounds):
        order = luck.sample(ids, count)
        out = (order.pop(),) if count % 2 else ()
        past.append(Past(tuple(zip(order[0::2], order[1::2], strict=True)), out))
    points = tuple((who, luck.randint(0, rounds)) for who in ids)
    entrants = tuple(Entrant(who, groups=(luck.choice("ABC"),)) for who in ids)
    return Field(entrants, rounds=tuple(past), standing=points)


def judge(field, pairs):
    """Repeated meetings (squared), then points apart (in groups of equal points) and club mates, by the published weights."""
    met = Counter(frozenset(table) for past in field.rounds for table in past.tables)
    points = dict(field.standing)
    level = {score: n for n, score in enumerate(sorted({points[e.id] for e in field.present}))}
    groups = {entrant.id: entrant.groups for entrant in field.entrants}
    again = sum(met[frozenset(pair)] ** 2 for pair in pairs)
    soft = sum(
        10 * (level[points[a]] - level[points[b]]) ** 2
        + 9 * (groups[a] == groups[b])
        + 36 * met[frozenset((a, b))] ** 2
        for a, b in pairs
    )
    return again, soft


def pairings(people):
    if not people:
        yield []
        return
    first, rest = people[0], people[1:]
    for other in rest:
        for more in pairings([who for who in rest if who != other]):
            yield [(first, other), *more]


@pytest.mark.parametrize(("count", "number"), [(4, 1), (6, 1), (6, 2), (8, 1), (8, 2), (8, 3)])
def test_no_pairing_of_a_small_field_is_better(count, number):
    field = field_of(count, number)
    found = seat("swiss", field, FOR_PAIRS, seed_of(number))
    best = min(judge(field, pairs) for pairs in pairings([entrant.id for entrant in field.present]))
    assert judge(field, [table.seats for table in found.tables]) == best
    assert found.cost == best[1]


def test_a_field_that_has_all_met_still_plays():
    """Research, 3.6: with a hard rule against rematches a fifth of such tournaments ends here."""
    field = field_of(4, 1, rounds=12)
    found = seat("swiss", field, FOR_PAIRS, seed_of(1))
    assert (len(found.tables), len(found.repeats), found.out) == (2, 2, ())


def test_the_bye_goes_to_the_lowest_who_had_none():
    ids = [f"p{i}" for i in range(7)]
    standing = tuple((who, 10 - i) for i, who in enumerate(ids))
    earlier = Past((("p0", "p1"), ("p2", "p3"), ("p4", "p5")), out=("p6",))
    field = Field(tuple(Entrant(who) for who in ids), rounds=(earlier,), standing=standing)
    assert seat("swiss", field, FOR_PAIRS, seed_of(1)).out == ("p5",)


def test_three_pairs_at_a_table_where_the_ruleset_allows():
    found = seat("swiss", field_of(9, 2, rounds=0), Settings(shapes=(TWO_PAIRS, THREE_PAIRS)), seed_of(1))
    assert sorted(len(table.seats) for table in found.tables) == [2, 2, 2, 3]
    assert found.out == ()


@pytest.mark.parametrize(("count", "number"), [(5, 1), (7, 1), (7, 2), (9, 1), (9, 2), (9, 3)])
def test_no_table_of_three_with_any_pairing_of_the_others_is_better(count, number):
    """Who has been at such a table, or sat out, least often; then the round as a whole."""
    field = field_of(count, number)
    settings = Settings(shapes=(TWO_PAIRS, THREE_PAIRS))
    found = seat("swiss", field, settings, seed_of(number))
    (trio,) = (table.seats for table in found.tables if len(table.seats) == 3)
    chosen = [pair for table in found.tables for pair in combinations(table.seats, 2)]
    burden = Counter(who for past in field.rounds for who in past.out)
    ids = [entrant.id for entrant in field.present]
    least = min(sorted(burden[who] for who in three) for three in combinations(ids, 3))
    assert sorted(burden[who] for who in trio) == least
    best = min(
        judge(field, [*combinations(three, 2), *pairs])
        for three in combinations(ids, 3)
        if sorted(burden[who] for who in three) == least
        for pairs in pairings([who for who in ids if who not in three])
    )
    assert judge(field, chosen) == best


def test_seventeen_pairs_meet_nobody_again_in_five_rounds():
    """Seen on an evening: three were chosen before the others were thought of, and two pairs met again for it."""
    ids = [f"p{i:02}" for i in range(17)]
    entrants = tuple(Entrant(who) for who in ids)
    rounds: tuple[Past, ...] = ()
    settings = Settings(shapes=(TWO_PAIRS, THREE_PAIRS))
    luck = Random(17)
    points: Counter[str] = Counter()
    for number in range(5):
        field = Field(entrants, rounds=rounds, standing=tuple((who, points[who]) for who in ids))
        found = seat("swiss", field, settings, seed_of(number))
        assert found.repeats == ()
        rounds += (Past(tuple(table.seats for table in found.tables)),)
        points.update(luck.choice(table.seats) for table in found.tables)
    of_three = Counter(who for past in rounds for table in past.tables if len(table) == 3 for who in table)
    assert max(of_three.values()) == 1


def test_the_best_meet_at_the_first_table():
    standing = tuple((f"p{i}", 10 - i // 2) for i in range(8))
    found = seat("swiss", Field(tuple(Entrant(f"p{i}") for i in range(8)), standing=standing), FOR_PAIRS, seed_of(1))
    assert [set(table.seats) for table in found.tables] == [{f"p{i}", f"p{i + 1}"} for i in range(0, 8, 2)]


def test_neighbours_only_is_as_good_where_nobody_must_meet_again(monkeypatch):
    field = field_of(60, 4)
    whole = seat("swiss", field, FOR_PAIRS, seed_of(1))
    monkeypatch.setattr(
        swiss_module, "WHOLE_FIELD", 10
    )  # a limit, not a behaviour: large fields would take too long here
    monkeypatch.setattr(swiss_module, "NEIGHBOURS", 25)
    near = seat("swiss", field, FOR_PAIRS, seed_of(1))
    assert (near.cost, near.repeats) == (whole.cost, whole.repeats)


def test_neighbours_who_have_all_met_are_paired_over_the_whole_field(monkeypatch):
    ids = [f"p{i}" for i in range(8)]
    known = tuple(Past((("p0", "p1"), ("p2", "p3"), ("p4", "p5"), ("p6", "p7"))) for _ in range(2))
    standing = tuple((who, 10 - i) for i, who in enumerate(ids))
    field = Field(tuple(Entrant(who) for who in ids), rounds=known, standing=standing)
    monkeypatch.setattr(swiss_module, "WHOLE_FIELD", 2)
    monkeypatch.setattr(swiss_module, "NEIGHBOURS", 1)
    found = seat("swiss", field, FOR_PAIRS, seed_of(1))
    assert (len(found.tables), found.repeats) == (4, ())


def standing_of(count):
    return Field(
        tuple(Entrant(f"p{i:02}") for i in range(count)), standing=tuple((f"p{i:02}", 100 - i) for i in range(count))
    )


def test_strict_reseeding_puts_blocks_of_four_together_and_the_first_with_the_fourth():
    found = seat("standing", standing_of(12), replace(FOR_PLAYERS, strict=True), seed_of(1))
    assert [sorted(table.seats) for table in found.tables] == [[f"p{i + k:02}" for k in range(4)] for i in (0, 4, 8)]
    assert {frozenset(pair) for pair in found.tables[0].partners} == {
        frozenset(("p00", "p03")),
        frozenset(("p01", "p02")),
    }


def test_reseeding_weighs_repeats_against_the_standing():
    field = standing_of(12)
    blocks = Past(tuple(tuple(f"p{i + k:02}" for k in range(4)) for i in (0, 4, 8)))
    fresh = seat("standing", field, FOR_PLAYERS, seed_of(1))
    assert fresh.cost == 0
    again = seat("standing", replace(field, rounds=(blocks, blocks)), FOR_PLAYERS, seed_of(1))
    strict = seat("standing", replace(field, rounds=(blocks, blocks)), replace(FOR_PLAYERS, strict=True), seed_of(1))
    assert again.cost < strict.cost
    assert len(again.repeats) < len(strict.repeats)
    reach = [max(table.seats) for table in again.tables]
    assert reach == sorted(reach)


def test_the_last_in_the_standing_sit_at_the_odd_table():
    found = seat("standing", standing_of(11), replace(FOR_PLAYERS, strict=True), seed_of(1))
    assert [table.seats for table in found.tables if table.odd] == [("p08", "p09", "p10")]
