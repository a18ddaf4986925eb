"""When a planned action is carried out: after the time the player usually takes, so that nobody can tell it from an
answer of their own; or at once, if the player wants that.
"""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts.models import BotSpeed, Player
from domain.engine import View
from domain.engine.claims import plainly_forced
from domain.pace import Calendar, Kind
from games import projections
from games.models import Action, Game
from games.services import common


class Tempo(Enum):
    """The kind of table, with the shortest and longest time that players think there."""

    ALONE = (timedelta(milliseconds=700), timedelta(milliseconds=1600))
    """The player sits with computer players only, so there is nobody to hide anything from."""
    LIVE = (timedelta(seconds=2), timedelta(seconds=7))
    DAYS = (timedelta(minutes=7), timedelta(hours=5))
    """In counted time, which is 4 minutes to 3 hours of a waking day of 14 hours. Used if a player's habits are
    unknown."""


AT_LEAST_LEFT: Final = 0.5
"""The part of the free waiting time (which costs nobody anything) that is never used."""
FEWEST_ANSWERS: Final = 8
"""From this number of answers on, we know how long a player usually takes."""
SHORTEST: Final = timedelta(seconds=30)
"""The shortest drawn time at a table of days, in counted time."""
_CHANCE: Final = secrets.SystemRandom()


def drawn(tempo: Tempo, left: timedelta | None, chance: random.Random | None = None) -> timedelta:
    """How long to wait at a table that is not of days, drawn from a log-uniform distribution.

    `left` is the time that can be waited without cost, None without a clock.
    """
    lot = chance or _CHANCE
    return _within(_log_uniform(tempo, lot), left, lot)


def moment(
    waking: Calendar,
    start: datetime,
    free_until: datetime,
    usual: Sequence[timedelta],
    chance: random.Random | None = None,
) -> datetime:
    """When to act at a table of days: in the hours that `waking` counts, before waiting begins to cost (`free_until`).

    `usual` are the times the player took lately, in counted time. If there are enough of them, two are drawn and
    varied, and the shorter is taken, since people are quick if there is little to think about. So a quick answer is at
    most twice as likely to be one of these as an answer of the player's own, and a slow one may still be. If there is
    no free time to wait, the result is `start`.
    """
    lot = chance or _CHANCE
    wait = min(_usual(usual, lot), _usual(usual, lot))
    return waking.deadline(start, _within(wait, waking.spent(start, free_until), lot))


def _usual(usual: Sequence[timedelta], lot: random.Random) -> timedelta:
    """A random time like those the player takes."""
    if len(usual) < FEWEST_ANSWERS:
        return _log_uniform(Tempo.DAYS, lot)
    return max(SHORTEST, lot.choice(usual) * 2 ** lot.uniform(-0.5, 0.5))


def _log_uniform(tempo: Tempo, lot: random.Random) -> timedelta:
    least, most = (math.log(bound.total_seconds()) for bound in tempo.value)
    return timedelta(seconds=math.exp(lot.uniform(least, most)))


def _within(wait: timedelta, left: timedelta | None, lot: random.Random) -> timedelta:
    """A wait that leaves a part of the time `left`; one that is too long is replaced by a random shorter one."""
    if left is None:
        return wait
    most = AT_LEAST_LEFT * max(timedelta(0), left)
    return wait if wait <= most else lot.random() * most


LATEST_ANSWERS: Final = 40
"""How many of a player's latest answers are looked at."""
BY_ITSELF: Final = 5
"""The UUID version of request ids that the site creates for itself (those of people are random: version 4)."""


def usual_answers(player: Player, waking: Calendar) -> list[timedelta]:
    """How long the player took for their latest answers in games of days, counted by `waking`. One query.

    Only answers of their own count, since from planned actions the site would learn its own habits. An answer outside
    of their waking hours is measured by the wall clock.
    """
    moves = Action.objects.filter(kind=Action.Kind.MOVE)
    before = moves.filter(game=OuterRef("game"), number__lt=OuterRef("number")).order_by("-number")
    own = moves.filter(player__in=[player.pk, *player.merged.values_list("pk", flat=True)], request_id__isnull=False)
    rows = (
        own.filter(game__pace_kind="days")
        .annotate(asked_at=Subquery(before.values("at")[:1]))
        .order_by("-pk")
        .values_list("asked_at", "at", "request_id")[: 2 * LATEST_ANSWERS]
    )
    answers = [
        waking.spent(asked_at, at) or at - asked_at
        for asked_at, at, request_id in rows
        if asked_at is not None and request_id is not None and request_id.version != BY_ITSELF
    ]
    return answers[:LATEST_ANSWERS]


def due_at(
    game: Game, player: Player, view: View, chance: random.Random | None = None, *, at_once: bool = False
) -> datetime:
    """A random moment at which to act for `player`, whose turn it is at the seat of `view`.

    At a table of days it is in their waking hours, after a time like those they usually take, and before their reserve
    is touched. It is never before the end of a pause. An action that everybody can see is forced is done at once,
    whatever the hour, and so is the cut, which depends on no card, and with `at_once` any action. If the others are
    computer players, it goes at their speed.
    """
    now, seat = game.moment or timezone.now(), view.turn
    clock = projections.clock_of(game)
    start = now if clock is None or clock.paused_until is None else max(now, clock.paused_until)
    free = clock.free_until(seat, now) if clock is not None else None
    left = free - start if free is not None else None
    if not game.seats.filter(player__computer="").exclude(number=seat).exists():
        slowness = common.SLOWNESS[BotSpeed(player.current.bot_speed)]
        return start + slowness * drawn(Tempo.ALONE, left, chance)
    if at_once or view.asked == "cut" or plainly_forced(view):
        return start + drawn(Tempo.ALONE, left, chance)
    if clock is None or clock.live or clock.terms.kind is Kind.LIVE or free is None:
        return start + drawn(Tempo.LIVE, left, chance)
    waking = clock.waking(seat)
    return moment(waking, start, free, usual_answers(player.current, waking), chance)
