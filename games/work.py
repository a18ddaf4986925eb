"""The worker: finds in the database what is due and does it, through the same door as everybody.

No timer lives in a process. Any number of workers may run; a worker that dies is followed by the next look.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta
from typing import Final

from django.db import close_old_connections
from django.utils import timezone

from accounts.guests import expire_guests
from games import bell, computers, play
from games.models import Game
from notices import outbox

logger = logging.getLogger(__name__)

LOOK_EVERY: Final = 0.5  # seconds; a ring wakes the worker at once
CLEAN_EVERY: Final = timedelta(hours=1)
IDLE_GUEST: Final = timedelta(days=30)
IDLE_GAME: Final = timedelta(days=30)
TOLD_KEPT: Final = timedelta(days=14)


def do_due(now: datetime | None = None) -> int:
    """Do everything that is due; returns how much was done."""
    moment = now or timezone.now()
    done = 0
    for game in Game.objects.filter(due_at__lte=moment).order_by("due_at")[:50]:
        try:
            done += computers.act_for(game)
        except Exception:
            # One broken game must not hold up the others; it is tried again, later each time it fails.
            logger.exception("could not act in game %s", game.public_id)
            Game.objects.filter(pk=game.pk, number=game.number).update(due_at=moment + timedelta(minutes=1))
    return done + outbox.tell_due()


def next_due() -> datetime | None:
    """When the next game is due."""
    return Game.objects.filter(due_at__isnull=False).order_by("due_at").values_list("due_at", flat=True).first()


def clean(now: datetime | None = None) -> None:
    """Let go of idle guests with their unfinished games, of games nobody came back to, and of old notices."""
    moment = now or timezone.now()
    for game in Game.objects.filter(status=Game.Status.PLAYING, acted_at__lt=moment - IDLE_GAME):
        play.expire(game.pk)
    expire_guests(IDLE_GUEST, moment)
    outbox.prune(TOLD_KEPT, moment)


def run(stop: threading.Event) -> None:
    """Work until `stop` is set."""
    cleaned = timezone.now()
    clean(cleaned)
    while not stop.is_set():
        bell.worker_bell.clear()
        close_old_connections()
        done = do_due()
        now = timezone.now()
        if now - cleaned > CLEAN_EVERY:
            clean(now)
            cleaned = now
        due = next_due()
        wait = LOOK_EVERY if due is None else min(LOOK_EVERY, (due - now).total_seconds())
        if wait > 0 and not done:
            bell.worker_bell.wait(wait)
    close_old_connections()


def run_supervised(stop: threading.Event) -> None:
    """Work until `stop` is set; after an error, start again."""
    while not stop.is_set():
        try:
            run(stop)
        except Exception:
            logger.exception("the worker stumbled and starts again")
            stop.wait(1)
