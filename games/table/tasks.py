"""The worker: finds in the database what is due and does it, with the same commands as everybody else.

No process keeps a timer. Any number of workers may run; if one dies, the next look of another does its work.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import close_old_connections
from django.db.models import Q
from django.utils import timezone

from accounts.services import expire_guests, forget_sessions
from core import last_runs, limits
from games import broadcast, hooks, projections
from games.lobby import tasks as lobby
from games.models import Game
from games.plans import tasks
from games.services import boards, computers, play, timing, undo
from notices import delivery, outbox
from people import tasks as people
from rules import terms

logger = logging.getLogger(__name__)

AT_ONCE: Final = 50  # games of one kind in one look
LOOK_EVERY: Final = 0.5  # seconds between looks at the tables, where people wait
LOOK_ROUND_EVERY: Final = 5.0  # seconds between looks at everything; the end of a deal causes one at once
CLEAN_EVERY: Final = timedelta(hours=1)
IDLE_GUEST: Final = timedelta(days=30)
IDLE_GAME: Final = timedelta(days=30)
TOLD_KEPT: Final = timedelta(days=14)


def do_due(now: datetime | None = None, *, turn_waits: timedelta = timedelta()) -> int:
    """Do everything that is due. Returns how much was done. For `turn_waits` see `outbox.tell_due`."""
    moment = now or timezone.now()
    done = do_at_tables(moment) + boards.open_due(AT_ONCE, moment)
    for task in hooks.due_tasks:
        try:
            done += task(moment)
        except Exception:  # a bug in one app must not stop the clocks of the others
            logger.exception("what is due in %s failed", task.__module__)
    return done + lobby.do_due(moment) + outbox.tell_due(turn_waits=turn_waits)


def do_at_tables(moment: datetime) -> int:
    """Do what is due in games: actions of computer players, deadlines and reminders, and the plans of people.

    Returns how much was done.
    """
    done = 0
    if projections.is_any_game_due(moment):
        for due_by in projections.DUE_BY:
            for game in projections.due_games(due_by, moment, AT_ONCE):
                done += _try_due(game, due_by, moment)
    return done + tasks.do_due(moment, AT_ONCE)


def do_in(public_ids: Collection[str], moment: datetime) -> int:
    """Do what is due in these games by `due_at`: computer players act, deals begin. Returns how much was done.

    One query if nothing is due.
    """
    due = Game.objects.filter(public_id__in=public_ids, due_at__lte=moment).order_by("due_at")
    return sum(_try_due(game, "due_at", moment) for game in due)


def catch_up(game: Game, now: datetime | None = None) -> Game:
    """Do what is due by the clock of a game, so that nobody sees an outdated table. Returns the game after it.

    Computer players are left to the worker. Costs nothing if nothing is due.
    """
    moment = now or timezone.now()
    if not game.is_due(moment):
        return game
    is_due = game.due_at is not None and game.due_at <= moment
    if game.undo and is_due:
        undo.lapse(game.pk, expected=game.number, now=moment)
        return Game.objects.get(pk=game.pk)
    begins = game.to_act is None and is_due
    if not game.pace or not (begins or (game.deadline_at is not None and game.deadline_at <= moment)):
        return game
    if begins:
        timing.begin(game.pk, expected=game.number, now=moment)
    else:
        timing.time_out(game.pk, expected=game.number, now=moment)
    return Game.objects.get(pk=game.pk)


def _try_due(game: Game, due_by: str, moment: datetime) -> bool:
    """Do what is due in one game by the field `due_by`. Returns whether anything was done.

    A game that raises an error must not hold up the others: it is tried again a minute later.
    """
    try:
        if due_by == "deadline_at":
            return timing.time_out(game.pk, expected=game.number, now=moment)
        if due_by == "remind_at":
            return timing.remind(game.pk, expected=game.number, now=moment)
        if game.undo:
            return undo.lapse(game.pk, expected=game.number, now=moment)
        if computers.rests(game, moment):
            return False
        if game.to_act is None:
            return timing.begin(game.pk, expected=game.number, now=moment)
        return computers.act_for(game)
    except Exception:
        logger.exception("could not act in game %s", game.public_id)
        Game.objects.filter(pk=game.pk, number=game.number).update(**{due_by: moment + timedelta(minutes=1)})
        return False


def clean(now: datetime | None = None) -> None:
    """Delete idle guests with their unfinished games, and old notices; end games to which nobody came back."""
    moment = now or timezone.now()
    idle = Game.objects.filter(status=Game.Status.PLAYING, acted_at__lt=moment - IDLE_GAME)
    # If a clock runs, the clock decides, even if its time was over long before this worker started.
    clocked = ~Q(pace={}) & (Q(deadline_at__isnull=False) | Q(due_at__isnull=False))
    for game in idle.exclude(clocked):
        play.expire(game.pk)
    lobby.forget(moment)
    expire_guests(IDLE_GUEST, moment)
    forget_sessions(moment)
    outbox.prune(TOLD_KEPT, moment)
    people.forget(moment)
    limits.forget(moment)
    for task in hooks.hourly_tasks:
        try:
            task(moment)
        except Exception:  # a bug in one app must not stop the work of the others
            logger.exception("an hourly task of %s failed", task.__module__)


def run(stop: threading.Event) -> None:
    """Work until `stop` is set.

    What is due in a game that moved on in this process is done at its moment, without looking at anything else. The
    rest, such as games that moved on in other processes, is found by looking: at the tables often, at everything less
    often.
    """
    close_old_connections()  # after an error this thread may have a broken one
    cleaned = timezone.now()
    noted: datetime | None = None
    last_runs.note(last_runs.WORKER, cleaned)
    clean(cleaned)
    coming: dict[str, datetime] = {}
    next_look = next_round = time.monotonic()  # the system's clock may jump
    while not stop.is_set():
        close_old_connections()
        now, at = timezone.now(), time.monotonic()
        for public_id, due_at in broadcast.take_rung().items():
            if due_at is None:
                next_round = at
            else:
                coming[public_id] = due_at
        due = [public_id for public_id, moment in coming.items() if moment <= now]
        for public_id in due:
            del coming[public_id]
        if at >= next_round:
            terms.refresh()
            # If anything was done, something else may be due now.
            done = do_due(now, turn_waits=outbox.TURN_WAITS)
            next_round, next_look = at + (0 if done else LOOK_ROUND_EVERY), at + LOOK_EVERY
        elif at >= next_look:
            done = do_at_tables(now) + outbox.tell_due(turn_waits=outbox.TURN_WAITS)
            next_look = at + (0 if done else LOOK_EVERY)
        elif due:
            do_in(due, now)
        if not noted or abs(now - noted) > last_runs.WORKER_EVERY:
            last_runs.note(last_runs.WORKER, now)
            noted = now
        if not cleaned <= now <= cleaned + CLEAN_EVERY:  # or the clock was set back
            clean(now)
            cleaned = now
        wait = min(next_look, next_round) - time.monotonic()
        if coming:
            wait = min(wait, (min(coming.values()) - timezone.now()).total_seconds())
        if wait > 0:
            broadcast.worker_wakeup.wait(wait)
    close_old_connections()


def run_supervised(stop: threading.Event) -> None:
    """Work until `stop` is set; after an error, start again. Mails and messages are sent by a thread of their own."""
    delivery.start(stop)
    while not stop.is_set():
        try:
            run(stop)
        except Exception:
            logger.exception("the worker failed and starts again")
            stop.wait(1)
