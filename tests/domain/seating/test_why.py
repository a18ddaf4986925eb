"""Why am I at this table?"""

from dataclasses import replace

import pytest

from domain.errors import DomainError
from domain.seating.field import Past
from domain.seating.seat import seat
from domain.seating.why import why
from tests.domain.seating.checker import price
from tests.domain.seating.tournaments import EVENINGS, seed_of, tournament


@pytest.mark.parametrize("number", range(6))
def test_exchanges_cost_what_the_published_weights_say(number):
    """Every exchange is tried out here, with another way of counting."""
    made = tournament(number + 4 * len(EVENINGS), rounds=3, most=14)
    played = made.played[-1]
    tables = [list(table.seats) for table in played.seating.tables]
    known = {
        "rounds": played.before["rounds"],
        "weights": made.settings.weights,
        "table_partners": made.table_partners,
        "groups": {entrant.id: entrant.groups for entrant in played.field.entrants},
    }
    for who in played.before["present"]:
        reasons = why(played.seating, played.field, made.settings, seed_of(number), who, best=100)
        assert all(who in term.who for term in reasons.terms)
        for exchange in reasons.exchanges:
            turned = {who: exchange.other, exchange.other: who}
            other = [[turned.get(each, each) for each in table] for table in tables]
            assert exchange.more == price(other, **known) - price(tables, **known)


def crowd():
    """Twelve people who met in one round, seated again with the standing of that round."""
    made = tournament(6, rounds=2, most=20)
    return made, made.played[-1]


def test_the_best_exchanges_come_first_and_keep_burdens_fair():
    made, played = crowd()
    who = played.seating.tables[0].seats[0]
    reasons = why(played.seating, played.field, made.settings, seed_of(6), who, best=100)
    assert reasons.table == 1
    assert not reasons.planned
    assert reasons.cost == played.seating.tables[0].cost
    order = [(each.burdens, max(0, each.more_repeats), each.more) for each in reasons.exchanges]
    assert order == sorted(order)
    short = why(played.seating, played.field, made.settings, seed_of(6), who)
    assert short.exchanges == reasons.exchanges[:3]


def test_a_plan_is_the_reason_in_a_rotation():
    made = tournament(8, rounds=1)
    field = replace(made.played[0].field, entrants=made.played[0].field.entrants[:8], standing=(), absent=frozenset())
    assert len(field.entrants) == 8
    field = replace(field, entrants=tuple(replace(entrant, carried=0) for entrant in field.entrants))
    seating = seat("rotation", field, made.settings, seed_of(1))
    reasons = why(seating, field, made.settings, seed_of(1), field.entrants[0].id)
    assert (seating.remarks, reasons.planned, reasons.exchanges) == ((), True, ())


def test_somebody_who_sits_out_learns_how_often_they_did():
    made = tournament(9, rounds=1)
    field = replace(made.played[0].field, entrants=made.played[0].field.entrants[:3], standing=(), rounds=(Past(()),))
    seating = seat("swiss", field, made.settings, seed_of(1))
    reasons = why(seating, field, made.settings, seed_of(1), seating.out[0])
    assert reasons.table is None
    assert [term.criterion for term in reasons.terms] == ["bye"]
    assert len(reasons.exchanges) == 2


def test_who_is_not_here_has_no_place():
    made, played = crowd()
    with pytest.raises(DomainError, match="not-seated"):
        why(played.seating, played.field, made.settings, seed_of(6), "nobody")
