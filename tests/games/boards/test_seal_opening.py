"""Opening: all of it or nothing, once, and never while a table has still to play; a set that is broken holds up no other."""

from __future__ import annotations

import uuid
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from games import projections
from games.exceptions import MetAlready
from games.models import BoardSet, Deal, Game, PlayedSeat
from games.services import agreements, boards, play
from tests.games.api_kit import member
from tests.games.boards import kit
from tests.games.test_lobby_at_once import at_once

pytestmark = pytest.mark.django_db


def played(owner: str = "test:1") -> BoardSet:
    """A set of one deal that its one table has played."""
    board_set = kit.laid(1, "troggu", 4, owner)
    kit.play_out(kit.table(board_set, 0, [member("Anna")]))
    boards.complete(board_set)
    return board_set


def test_a_deal_opens_with_its_statistics_or_not_at_all(monkeypatch):
    broken, whole = played(), played("test:2")
    write = projections.write_played

    def writes(game: Game, *given: object) -> None:
        write(game, *given)
        if game.board_set_id == broken.pk:
            raise RuntimeError("the disk is full")

    monkeypatch.setattr(projections, "write_played", writes)
    assert boards.open_due(10) == 1
    broken.refresh_from_db()
    assert (broken.opened_at, broken.changed, boards.deals(broken)[0].is_sealed) == (None, True, True)
    assert not PlayedSeat.objects.filter(hand__game__board_set=broken).exists()
    assert not boards.deals(whole)[0].is_sealed, "the other set does not wait for the broken one"
    monkeypatch.undo()
    assert boards.open_due(10) == 1
    assert PlayedSeat.objects.filter(hand__game__board_set=broken).count() == 4


def paced() -> tuple[BoardSet, Game, Game]:
    """Two tables by correspondence, one of which has played all."""
    board_set = kit.laid(1)
    done = kit.table(board_set, 0, [member("Anna"), member("Beat")], pace=kit.DAYS)
    going = kit.table(board_set, 1, [member("Clau"), member("Dora")], pace=kit.DAYS)
    kit.play_out(done)
    boards.complete(board_set)
    return board_set, done, going


def test_nothing_opens_while_a_paced_game_goes_on_whoever_is_away():
    board_set, _done, going = paced()
    assert boards.open_due(10) == 0
    kit.play_hand(going, 10)
    BoardSet.objects.update(changed=True)
    assert boards.open_due(10) == 0
    kit.seek(going, 0)  # nobody plays there just now
    BoardSet.objects.update(changed=True)
    assert boards.open_due(10) == 0
    clau = going.seats.get(number=0).player
    play.resign(going.pk, 1, request_id=uuid.uuid4(), by=going.seats.get(number=1).player)
    going.refresh_from_db()
    if going.status == Game.Status.PLAYING:
        BoardSet.objects.update(changed=True)
        assert boards.open_due(10) == 0
        kit.play_hand(going)
    assert boards.open_due(10) == 1
    assert boards.has_met(clau, board_set)


def test_nothing_opens_during_a_pause():
    board_set, _done, going = paced()
    kit.play_hand(going, 10)
    until = timezone.now() + timedelta(days=3)
    agreements.propose_pause(going.pk, 0, until, request_id=uuid.uuid4(), by=going.seats.get(number=0).player)
    agreements.answer(going.pk, 1, agree=True, request_id=uuid.uuid4(), by=going.seats.get(number=1).player)
    going.refresh_from_db()
    assert going.clock["paused_until"]
    BoardSet.objects.update(changed=True)
    assert boards.open_due(10) == 0
    assert boards.deals(board_set)[0].is_sealed


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_open_at_once_do_it_once():
    board_set = played()
    opened = at_once(*[partial(boards.open_ready_deals, board_set.pk)] * 3)
    assert sorted(opened) == [0, 0, 1]
    assert PlayedSeat.objects.count() == 4
    assert Deal.objects.filter(table=board_set.public_id, opened_at=None).count() == 0


@pytest.mark.django_db(transaction=True)
def test_of_two_tables_that_begin_at_once_with_the_same_person_one_is_refused():
    board_set, anna = kit.laid(1, "troggu", 4), member("Anna")
    others = [[kit.computer() for _ in range(3)] for _ in range(2)]
    begun = at_once(*(
        partial(play.start, "troggu", [anna, *three], board_set=board_set, dealer=turn) for turn, three in enumerate(others)
    ))  # fmt: skip
    assert sorted(isinstance(one, MetAlready) for one in begun) == [False, True]
    assert Game.objects.count() == 1
