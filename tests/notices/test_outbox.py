"""The outbox: a notice exists with its event, is told at least once, and waits longer after each failure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from core.registry import Registry
from notices import outbox
from notices.models import Delivery, Outbox, Preference
from notices.registry import Wish
from tests.notices.post_office import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(monkeypatch):
    """What was told, by the only teller; it fails while `told.broken` is set."""

    class Told(list):
        broken = False

        def __call__(self, row):
            if self.broken:
                raise ConnectionError
            self.append(row.event)

    teller = Told()
    monkeypatch.setattr(outbox, "receivers", Registry([teller]))
    return teller


@pytest.fixture
def player():
    return Player.objects.create()


def test_a_notice_is_told_once(told, player):
    outbox.put("game.turn", player, {"game": "x"})
    assert outbox.tell_due() == 1
    assert outbox.tell_due() == 0
    assert told == ["game.turn"]


def test_a_notice_waits_for_its_time(told, player):
    later = timezone.now() + timedelta(hours=1)
    outbox.put("game.turn", player, {}, due_at=later)
    assert outbox.tell_due() == 0
    assert outbox.tell_due(later) == 1


def test_a_turn_that_is_taken_within_seconds_is_never_told(told, player):
    outbox.put("game.turn", player, {"game": "x"})
    assert outbox.tell_due(turn_waits=outbox.TURN_WAITS) == 0
    outbox.settle(player, "x")
    assert outbox.tell_due(timezone.now() + timedelta(hours=1)) == 0
    assert told == []


def test_a_turn_that_nobody_takes_is_told_after_seconds_and_everything_else_at_once(told, player):
    program = Player.objects.create(name="Robot", program_since=timezone.now())
    outbox.put("game.turn", player, {"game": "x"})
    outbox.put("game.turn", program, {"game": "x"})
    outbox.put("game.finished", player, {"game": "y"})
    assert outbox.tell_due(turn_waits=outbox.TURN_WAITS) == 2
    assert outbox.tell_due(timezone.now() + outbox.TURN_WAITS, turn_waits=outbox.TURN_WAITS) == 1
    assert told == ["game.turn", "game.finished", "game.turn"]


def test_a_notice_vanishes_with_the_event_that_was_not_written(told, player):
    with transaction.atomic():
        outbox.put("game.turn", player, {})
        transaction.set_rollback(True)
    assert not Outbox.objects.exists()


def test_a_failure_is_tried_again_later_and_later(told, player):
    row = outbox.put("game.turn", player, {})
    told.broken = True
    waits = []
    for _ in range(3):
        row.refresh_from_db()
        moment = row.due_at
        assert outbox.tell_due(moment) == 0
        row.refresh_from_db()
        waits.append(row.due_at - moment)
    assert waits == sorted(waits)
    assert waits[0] < waits[-1]
    told.broken = False
    assert outbox.tell_due(row.due_at) == 1


def test_the_error_that_is_kept_names_no_data(told, player):
    row = outbox.put("game.turn", player, {})
    told.broken = True
    outbox.tell_due()
    row.refresh_from_db()
    assert row.error == "ConnectionError"


def test_a_worker_that_died_loses_its_lease(told, player):
    row = outbox.put("game.turn", player, {})
    now = timezone.now()
    Outbox.objects.filter(pk=row.pk).update(lease_until=now + outbox.LEASE)
    assert outbox.tell_due(now) == 0
    assert outbox.tell_due(now + outbox.LEASE + timedelta(seconds=1)) == 1


def test_a_hopeless_notice_is_given_up(told, player):
    row = outbox.put("game.turn", player, {})
    told.broken = True
    for _ in range(20):
        row.refresh_from_db()
        outbox.tell_due(row.due_at)
    row.refresh_from_db()
    assert row.attempts == outbox.MOST_ATTEMPTS


def test_old_notices_are_pruned_and_waiting_ones_kept(told, player):
    outbox.put("game.turn", player, {})
    outbox.tell_due()
    outbox.put("game.finished", player, {})
    assert outbox.prune(timedelta(days=1), timezone.now() + timedelta(days=2)) == 1
    assert Outbox.objects.get().event == "game.finished"


def test_a_long_list_of_notices_plans_none_for_a_daily_letter_that_has_gone_meanwhile(told, village, monkeypatch):
    """A letter has its name from its reader and its moment: a second one of that moment would pass for a copy."""
    clock = [datetime(2026, 6, 1, 4, 59, 59, tzinfo=UTC)]  # a second before seven in Zurich
    monkeypatch.setattr(timezone, "now", lambda: clock[0])
    player = member()
    Preference.objects.create(player=player, game_mail=Wish.DIGEST)
    for game in ("x", "y"):
        outbox.put("game.finished", player, {"game": game})

    def slow(row):
        if row.topic == "x":
            clock[0] += timedelta(minutes=2)

    outbox.receivers.register(slow)
    clock[0] += timedelta(milliseconds=1)
    assert outbox.tell_due() == 2
    planned = dict(Delivery.objects.values_list("outbox__topic", "planned_for"))
    assert planned["x"] == datetime(2026, 6, 1, 5, tzinfo=UTC)
    assert planned["y"] == datetime(2026, 6, 2, 5, tzinfo=UTC)
