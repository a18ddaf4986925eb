"""Rebuilding where one person has been two: a member who sat down as a guest, and came back into their own name."""

from __future__ import annotations

import pytest

from accounts import services
from games.services import play, timing
from games.services.rebuilding import rebuild
from tests.games.lobby_kit import guest, member
from tests.games.pace_kit import SUBSTITUTE, act, asked, due, fresh, people, request, table, turned, work_at
from tests.games.table_kit import seat_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch):
    with turned(monkeypatch) as wall_clock:
        yield wall_clock


@pytest.fixture
def taken_back(clock):
    """A game in which a member's time ran out and a nameless guest helped out, who turns out to be the member; and the member."""
    anna, helper = member(), guest("")
    game = table([anna, *people()[1:]], SUBSTITUTE)
    while asked(game) != anna:
        act(game)
        game = fresh(game)
    seat = seat_of(game, anna)
    clock.to(due(game))
    work_at(clock.now)
    timing.substitute(game.pk, seat, request_id=request(), by=helper)
    services.claim(helper, anna)
    return fresh(game), anna


def test_who_took_their_own_seat_as_a_guest_has_it_as_a_member_and_rebuilding_leaves_it_to_them(taken_back):
    game, anna = taken_back
    assert asked(game) == anna
    act(game)
    assert rebuild(game.pk) == []
    assert game.seats.filter(player=anna).exists()


def test_a_seat_that_is_somebody_elses_is_mended_all_the_same(taken_back):
    game, anna = taken_back
    seat = game.seats.get(player=anna)
    seat.player = guest("Emil")
    seat.save()
    assert rebuild(game.pk) == [f"seat {seat.number}: player"]
    seat.refresh_from_db()
    assert seat.player.current == anna


def test_two_selves_of_one_person_keep_a_seat_each(clock):
    anna, visitor = member(), guest()
    game = play.start("troccas", [anna, visitor, *people(2)])
    services.claim(visitor, anna)
    assert rebuild(game.pk) == []
    assert set(game.seats.values_list("player", flat=True)) >= {anna.pk, visitor.pk}
