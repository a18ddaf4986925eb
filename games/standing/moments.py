"""At which moment something is done for a player: by the table's tempo, the player's days and what it would cost them."""

from __future__ import annotations

import random
from datetime import datetime

from django.utils import timezone

from accounts.models import Player
from games import clocks
from games.engine import View
from games.engine.forced import plainly_forced
from games.models import Game, Seat
from games.pace import Kind
from games.standing import delays
from games.standing.delays import Tempo
from games.standing.habits import usual_answers


def due_at(game: Game, player: Player, view: View, chance: random.Random | None = None) -> datetime:
    """When to act for `player`, who is asked at the seat of `view`; drawn by chance.

    At a table of days: in their waking hours, after a time such as they usually take, and before their reserve is touched. A
    pause is waited for. What everybody sees to be forced is done at once, whatever the hour.
    """
    now, seat = game.moment or timezone.now(), view.turn
    clock = clocks.of(game)
    start = now if clock is None or clock.paused_until is None else max(now, clock.paused_until)
    free = clock.free_until(seat, now) if clock is not None else None
    left = free - start if free is not None else None
    if plainly_forced(view) or not _other_people(game, seat):
        return start + delays.drawn(Tempo.ALONE, left, chance)
    if clock is None or clock.live or clock.terms.kind is Kind.LIVE or free is None:
        return start + delays.drawn(Tempo.LIVE, left, chance)
    waking = clock.waking(seat)
    return delays.moment(waking, start, free, usual_answers(player.current, waking), chance)


def _other_people(game: Game, seat: int) -> bool:
    return Seat.objects.filter(game=game, player__computer="").exclude(number=seat).exists()
