"""Reminding those who are asked that their round ends soon, at an hour at which they are awake."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from accounts.models import Player
from domain.pace import Kind, State, Terms
from domain.pace.counting import calendar_of
from domain.tournament.state import CONFIRMED
from games import projections
from games.models import Game
from notices import outbox
from tournaments.models import OnlineRound, OnlineTable
from tournaments.selectors import state_of

DEADLINE: Final = "tournament.deadline"
_BY_DAY: Final = Terms(Kind.DAYS, timedelta(days=1))
_MOMENT: Final = timedelta(milliseconds=1)


def remind(round_id: int, now: datetime) -> int:
    """Once a fifth of the round's time is left, tell those who are asked; how many were. Does it once."""
    with transaction.atomic():
        row = OnlineRound.objects.select_related("tournament").get(pk=round_id)
        taken = OnlineRound.objects.filter(pk=round_id, remind_at__lte=now).update(remind_at=None)
        if not taken or row.deadline_at <= now:
            return 0
        state, told = state_of(row.tournament), 0
        tables = OnlineTable.objects.filter(
            tournament=row.tournament, key__startswith=f"{row.key}.", game__status=Game.Status.PLAYING
        )
        for each in tables.select_related("game").order_by("key"):
            table = state.table(each.key)
            player = _asked(each.game) if each.game is not None else None
            if table is None or table.state == CONFIRMED or player is None:
                continue
            assert each.game is not None
            params = {
                "game": each.game.public_id,
                "tournament": row.tournament.public_id,
                "table": each.key,
                "until": row.deadline_at.isoformat(),
            }
            outbox.put(DEADLINE, player, params, due_at=awake(player, now), expires_at=row.deadline_at)
            told += 1
        return told


def awake(player: Player, now: datetime) -> datetime:
    """The first moment from `now` on at which somebody is awake, by the hours they have given."""
    return calendar_of(_BY_DAY, projections.rhythm_of(player)).deadline(now, _MOMENT)


def _asked(game: Game) -> Player | None:
    """The person for whom a game waits; None where a computer player acts, or nobody is asked."""
    if game.to_act is None or projections.state_of(game, game.to_act) is not State.HERE:
        return None
    return game.seats.select_related("player__merged_into").get(number=game.to_act).player.current
