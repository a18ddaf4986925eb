"""Opening shared deals: as soon as every table of a set has played one, or will not play it any more, all may see it.

The worker calls it. What a sealed deal keeps back is written then: the statistics of its hands.
"""

from __future__ import annotations

import logging
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone

from domain.engine.counting import tallies
from games import broadcast, projections
from games.models import Action, BoardSet, Deal, Game, GameHand
from games.selectors import log

logger = logging.getLogger(__name__)
ENDED = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


def open_due(limit: int, now: datetime | None = None) -> int:
    """Look at sets at which something has changed, and open what may be opened; how many deals were.

    One that is broken stays sealed, and does not hold up the others.
    """
    waiting = BoardSet.objects.filter(changed=True, opened_at=None).order_by("pk").values_list("pk", flat=True)
    return sum(_tried(pk, now) for pk in waiting[:limit])


def _tried(set_id: int, now: datetime | None) -> int:
    try:
        return open_what_may(set_id, now)
    except Exception:  # it is tried again at the next look
        logger.exception("could not open the deals of set %s", set_id)
        return 0


def open_what_may(set_id: int, now: datetime | None = None) -> int:
    """Open those deals of a set that no table has still to play, and write their statistics: all of it or nothing.

    How many. Takes the lock on the set's row.
    """
    with transaction.atomic():
        boards = BoardSet.objects.select_for_update().get(pk=set_id)
        if boards.opened_at is not None:
            return 0
        moment = now or timezone.now()
        boards.changed = False
        sealed = list(Deal.objects.filter(table=boards.public_id, origin=Deal.Origin.SHARED, opened_at=None))
        ready = [] if boards.awaits else [deal for deal in sealed if not _is_awaited(boards, deal)]
        for deal in ready:
            deal.opened_at = moment
            deal.save(update_fields=["opened_at"])
            _count(deal)
        if len(ready) == len(sealed):
            boards.opened_at = moment
        boards.save(update_fields=["changed", "opened_at"])
        if ready:
            for public_id, number in boards.games.values_list("public_id", "number"):
                transaction.on_commit(partial(broadcast.ring, public_id, number), robust=True)
        return len(ready)


def _is_awaited(boards: BoardSet, deal: Deal) -> bool:
    """Whether a table that goes on has not played this deal yet."""
    playing = boards.games.filter(status=Game.Status.PLAYING)
    done = GameHand.objects.filter(deal=deal, status__in=ENDED)
    return playing.exclude(pk__in=done.values("game")).exists()


def _count(deal: Deal) -> None:
    """Write what each seat did with this deal, which nobody might see before."""
    for row in deal.hands.filter(status__in=ENDED).select_related("game", "deal"):
        table = log.open_table(row.game)
        hand = log.replay_hand(table, row, log.moves_of(row.game, row.number))
        last = row.game.actions.filter(kind=Action.Kind.MOVE, hand_number=row.number).order_by("number").last()
        assert last is not None
        projections.write_played(row.game, row, projections.EndedHand(last.at, tallies(hand)))
