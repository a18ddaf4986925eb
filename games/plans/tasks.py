"""Carry out the actions that are due for players, as ordinary actions. Called by the worker."""

from __future__ import annotations

import logging
import uuid
from datetime import datetime, timedelta

from django.db.models import QuerySet

from core.exceptions import Refusal
from core.models import first_rows
from games import projections
from games.exceptions import Stale
from games.models import Game
from games.plans import selectors
from games.plans.models import Scheduled
from games.selectors import table
from games.services import play
from notices import outbox

logger = logging.getLogger(__name__)


def do_due(moment: datetime, limit: int) -> int:
    """Carry out at most `limit` actions that are due at `moment`. Returns how many were done.

    One query if nothing is due.
    """
    rows = Scheduled.objects.filter(due_at__lte=moment).select_related("game", "player").order_by("due_at")
    return sum(_try_to_carry_out(row, moment) for row in first_rows(rows, limit))


def _try_to_carry_out(row: Scheduled, moment: datetime) -> bool:
    """Carry out a row. A broken one must not block the others and is tried again after a minute."""
    try:
        return carry_out(row)
    except Exception:
        logger.exception("could not act for a player in game %s", row.game.public_id)
        _same(row).update(due_at=moment + timedelta(minutes=1))
        return False


def carry_out(row: Scheduled) -> bool:
    """Act for the player, if the position is still the same and they still want it. Returns whether it was done."""
    game, player = row.game, row.player
    clock = projections.clock_of(game)
    if clock is not None and clock.paused_until is not None and game.status == Game.Status.PLAYING:
        _same(row).update(due_at=clock.paused_until)
        return False
    if game.undo and game.due_at is not None:
        # While a request to take back is open, the wait must not decide it. When that is over, another moment is drawn.
        _same(row).update(due_at=game.due_at)
        return False
    view = table.view_for(game, row.seat)
    seat = game.seats.select_related("player__merged_into").get(number=row.seat)
    if view is None or not selectors.may_act(game, row, view) or seat.player.current != player:
        _same(row).delete()
        return False
    action = selectors.planned_action(game, player, selectors.plans_of(game, player), row.hand_number, view)
    if action is None:  # they have changed their mind
        _same(row).delete()
        _ask(game, row)
        return False
    # The same position always gets the same request id, so two workers, or one that died, cannot act twice. After a
    # take-back, the position comes a second time, with another number.
    position = f"{row.hand_number}:{row.after}:{game.number}"
    request_id = uuid.uuid5(uuid.NAMESPACE_URL, f"standing:{game.public_id}:{position}")
    try:
        play.submit(
            game.pk,
            row.seat,
            str(action),
            expected=game.number,
            request_id=request_id,
            by=seat.player,
            came=False,
        )
    except Stale:  # something else happened at the table in between; the next run sees it
        return False
    except Refusal:
        _same(row).delete()
        _ask(game, row)
        return False
    _same(row).delete()
    return True


def _same(row: Scheduled) -> QuerySet[Scheduled]:
    """The row, unless it is for another position by now: there is only one row for each game."""
    return Scheduled.objects.filter(pk=row.pk, hand_number=row.hand_number, after=row.after)


def _ask(game: Game, row: Scheduled) -> None:
    """Tell the player that it is their turn, since nothing is done for them after all."""
    until = {"until": game.deadline_at.isoformat()} if game.deadline_at is not None else {}
    outbox.put("game.turn", row.player, {"game": game.public_id, "number": game.number, **until})
