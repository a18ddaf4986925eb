"""When what was planned is done: after as long as the player usually takes, so that nobody can tell it from an answer of their
own; or at once, where the player wants that.
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
    """What sort of table it is: who waits, and for how long one thinks there (least and most)."""

    ALONE = (timedelta(milliseconds=700), timedelta(milliseconds=1600))
    """Only computer players sit with the player: there is nobody to hide anything from."""
    LIVE = (timedelta(seconds=2), timedelta(seconds=7))
    DAYS = (timedelta(minutes=7), timedelta(hours=5))
    """Counted time: of a waking day of fourteen hours, four minutes to three hours. Where a player's habits are not known."""


AT_LEAST_LEFT: Final = 0.5
"""Of the time that may be waited away without costing anybody anything, the part that never is."""
ENOUGH: Final = 8
"""So many answers of a player tell how long they usually take."""
SHORTEST: Final = timedelta(seconds=30)
"""Nobody is seen to answer faster than this at a table of days, counted time."""
_CHANCE: Final = secrets.SystemRandom()


def drawn(tempo: Tempo, left: timedelta | None, chance: random.Random | None = None) -> timedelta:
    """How long to wait where every second counts. Short waits are as likely as long ones, by ratio (a log-uniform distribution).

    `left` is the time that may be waited without cost, None where there is no clock.
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
    """When to act at a table of days: in the hours that `waking` counts, and before `free_until`, after which waiting would cost.

    `usual`: how long the player took lately, in counted time; of two of these times, drawn and varied, the shorter, if there
    are enough of them: one is quick where there is little to think about. So a quick answer is at most twice as likely
    to be one of these as an answer of the player's own, and a slow one may still be. Where nothing can be waited away, the
    answer is `start`.
    """
    lot = chance or _CHANCE
    wait = min(_usual(usual, lot), _usual(usual, lot))
    return waking.deadline(start, _within(wait, waking.spent(start, free_until), lot))


def _usual(usual: Sequence[timedelta], lot: random.Random) -> timedelta:
    """A time such as the player takes."""
    if len(usual) < ENOUGH:
        return _log_uniform(Tempo.DAYS, lot)
    return max(SHORTEST, lot.choice(usual) * 2 ** lot.uniform(-0.5, 0.5))


def _log_uniform(tempo: Tempo, lot: random.Random) -> timedelta:
    least, most = (math.log(bound.total_seconds()) for bound in tempo.value)
    return timedelta(seconds=math.exp(lot.uniform(least, most)))


def _within(wait: timedelta, left: timedelta | None, lot: random.Random) -> timedelta:
    """A wait that leaves a part of what is `left`; one that is too long gives way to any shorter one."""
    if left is None:
        return wait
    most = AT_LEAST_LEFT * max(timedelta(0), left)
    return wait if wait <= most else lot.random() * most


LATELY: Final = 40
"""So many answers are looked at, the latest."""
BY_ITSELF: Final = 5
"""The version of request ids that the site makes for itself (a person's are drawn by chance: version 4)."""


def usual_answers(player: Player, waking: Calendar) -> list[timedelta]:
    """How long the player took for their latest answers in games of days, counted by `waking`. One query.

    Only what they did themselves: what the site did for them would teach it its own habits. An answer outside of their
    waking hours took as long as the wall clock says.
    """
    moves = Action.objects.filter(kind=Action.Kind.MOVE)
    before = moves.filter(game=OuterRef("game"), number__lt=OuterRef("number")).order_by("-number")
    own = moves.filter(player__in=[player.pk, *player.merged.values_list("pk", flat=True)], request_id__isnull=False)
    found = (
        own.filter(game__pace_kind="days")
        .annotate(asked_at=Subquery(before.values("at")[:1]))
        .order_by("-pk")
        .values_list("asked_at", "at", "request_id")[: 2 * LATELY]
    )
    answers = [
        waking.spent(asked_at, at) or at - asked_at
        for asked_at, at, request_id in found
        if asked_at is not None and request_id is not None and request_id.version != BY_ITSELF
    ]
    return answers[:LATELY]


def due_at(
    game: Game, player: Player, view: View, chance: random.Random | None = None, *, at_once: bool = False
) -> datetime:
    """When to act for `player`, who is asked at the seat of `view`; drawn by chance.

    At a table of days: in their waking hours, after a time such as they usually take, and before their reserve is touched. A
    pause is waited for. What everybody sees to be forced is done at once, whatever the hour, and so is the cut, which hangs on
    no card; and, with `at_once`, anything. Alone with computer players it goes at their speed.
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
