"""Ending a game by consent of the people at the table, at any time: with the score as it is, or as a game that does
not count.

The locking rules are those of `play`.
"""

from __future__ import annotations

import uuid
from typing import Any, Final

from accounts.models import Player
from core.commands import command
from games import hooks, permissions, projections
from games.exceptions import NotNow
from games.models import Action, Game, PlayedSeat
from games.selectors import log
from games.services import common
from games.services.common import Receipt
from notices import outbox

EVENT: Final = Action.Kind.EVENT


@command
def propose(game_id: int, seat: int, *, counts: bool, request_id: uuid.UUID, by: Player) -> Receipt:
    """Propose to end the game now, with the present score (`counts`) or as if it had not been played.

    The game ends when every person who plays has agreed; people who are away are not waited for. Raises NotNow if
    others depend on this game or its end is proposed already, NotYourSeat, GameEnded, ``request-reused``.
    """
    data: dict[str, Any] = {"counts": counts}
    game = common.locked(game_id)
    table = common.enter(game, seat, by, request_id, (projections.END_PROPOSED, data))
    if not permissions.may_be_ended(game) or seat not in projections.consenting_seats(game):
        raise NotNow
    for check in hooks.may_end:
        check(game)
    if projections.end_proposal_of(game) is not None:
        raise NotNow
    entry = common.log(game, EVENT, projections.END_PROPOSED, seat=seat, player=by, request_id=request_id, data=data)
    for other in projections.consenting_seats(game):
        if other != seat:
            params = {
                "game": game.public_id,
                "what": projections.END_PROPOSED,
                "number": entry.number,
                "by": by.public_id,
                "counts": counts,
            }
            outbox.put("game.asked", table.seats[other].player, params)
    carry_out(table)
    return common.receipt(table, entry)


@command
def answer(game_id: int, seat: int, *, agree: bool, request_id: uuid.UUID, by: Player) -> Receipt:
    """Agree to end the game, or decline. Declining withdraws the proposal; so the proposer can take it back.

    The game ends with the last consent. Raises NotNow if its end is not proposed any more or the player has agreed
    already, NotYourSeat, GameEnded, ``request-reused``.
    """
    word = projections.END_AGREED if agree else projections.END_DECLINED
    game = common.locked(game_id)
    table = common.enter(game, seat, by, request_id, (word, None))
    proposal = projections.end_proposal_of(game)
    if proposal is None or seat not in projections.consenting_seats(game) or (agree and seat in proposal.agreed):
        raise NotNow
    data = common.WITHDRAWN if not agree and seat == proposal.by else {}
    entry = common.log(game, EVENT, word, seat=seat, player=by, request_id=request_id, data=data)
    if not agree:
        common.notify_declined(table, proposal.by, seat, word)
    carry_out(table)
    return common.receipt(table, entry)


def carry_out(table: log.Table) -> bool:
    """End the game if everybody who plays has agreed to it. Returns whether it ended. Expects the lock on its row."""
    game = table.game
    proposal = projections.end_proposal_of(game)
    if proposal is None or not set(projections.consenting_seats(game)) <= set(proposal.agreed):
        return False
    common.log(game, EVENT, projections.ENDED, data={"counts": proposal.counts})
    common.end(table, Game.Status.FINISHED if proposal.counts else Game.Status.ENDED, reason=projections.ENDED)
    if not proposal.counts:
        PlayedSeat.objects.filter(hand__game=game).delete()
    return True
