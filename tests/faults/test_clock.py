"""The clock of the machine jumps, forward and back: games go on, nothing waits for a time that came already."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from games.models import Action, Game
from games.table import tasks
from notices import leases, outbox
from notices.models import Delivery, Outbox
from tests.games.pace_kit import DAY, MONDAY, act, fresh, people, table, turned
from troccas_site import backups, verifying

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch):
    with turned(monkeypatch) as clock:
        yield clock


@pytest.mark.parametrize("jumps", [(DAY, -2 * DAY), (-300 * DAY, 300 * DAY), (timedelta(hours=-3), DAY)])
def test_a_game_goes_on_whatever_the_clock_does(clock, jumps):
    game = table(people(), options={"throw_in": False})
    for jump in (*jumps, timedelta(0)):
        act(game)
        clock.to(clock.now + jump)
        act(game)
        for _look in range(3):
            tasks.do_due()
    numbers = list(Action.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, fresh(game).number + 1))
    assert fresh(game).status == Game.Status.PLAYING
    assert list(verifying.differences()) == []


def test_after_the_clock_was_set_back_the_worker_still_cleans_every_hour(clock, monkeypatch):
    cleaned: list[datetime] = []
    stop = threading.Event()
    looks = iter([timedelta(0), -300 * DAY, timedelta(hours=2)])

    def look(_now: datetime, **_options: object) -> int:
        jump = next(looks, None)
        if jump is None:
            stop.set()
        else:
            clock.to(clock.now + jump)
        return 1

    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)  # the test is in a transaction
    monkeypatch.setattr(tasks, "clean", cleaned.append)
    monkeypatch.setattr(tasks, "do_due", look)
    tasks.run(stop)
    assert cleaned == [MONDAY, MONDAY - 300 * DAY, MONDAY - 300 * DAY + timedelta(hours=2)]


def test_what_a_worker_had_taken_before_the_clock_was_set_back_is_free_again(clock):
    player = people(1)[0]
    outbox.put("notices.test", player, {"channel": "mail"}, due_at=MONDAY - 400 * DAY)
    Outbox.objects.update(lease_until=MONDAY + outbox.LEASE)
    assert outbox.tell_due() == 0, "somebody is at it"
    clock.to(MONDAY - 300 * DAY)
    assert outbox.tell_due() == 1
    row = Outbox.objects.get()
    letter = Delivery.objects.create(
        outbox=row, player=player, channel="push", planned_for=clock.now, due_at=clock.now, lease_until=MONDAY
    )
    assert leases.take(Delivery.Channel.PUSH, clock.now, 5) == [letter]


def test_a_backup_from_the_future_does_not_keep_the_next_one_from_being_made(settings, tmp_path, monkeypatch):
    settings.BACKUP_DIR = tmp_path
    made: list[Path] = []

    def make(folder: Path, **_how: object) -> Path:
        made.append(folder)
        return folder

    monkeypatch.setattr(backups, "make", make)
    now = timezone.now()
    (tmp_path / (now + 300 * DAY).strftime(backups._NAME)).touch()
    backups.nightly(now)
    assert made == [tmp_path]
