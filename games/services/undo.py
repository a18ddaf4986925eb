"""Taking back: somebody asks to take back their latest move, and all people at the table consent.

Anyone alone with computer players takes back what they like, up to the last deal of cards, even if the hand is over
and the next one not dealt yet; such a hand does not count in statistics.

The locking rules are those of `play`. The log is never shortened: a move that was taken back stays in it, but does
not count any more. docs/adr/0004-undo.md says what can be taken back.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from core.commands import command
from games import hooks, projections
from games.exceptions import GameError, NotNow
from games.models import Action, Game, GameHand, PlayedSeat
from games.selectors import log
from games.services import common
from games.services.common import Receipt
from notices import outbox

EVENT: Final = Action.Kind.EVENT
STANDS: Final = timedelta(days=1)
"""How long a proposal is open at a table without a clock."""


@command
def propose(game_id: int, seat: int, move: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Propose to take back action number `move` of `seat`.

    If its player is alone with computer players, it is taken back at once, with everything that these did since.

    Raises ``cannot-take-back`` if somebody has acted since, if the action revealed something, or if the proposal was
    declined before; NotYourSeat, GameEnded, ``request-reused``.
    """
    game = common.locked(game_id)
    data: dict[str, Any] = {"move": move}
    table = common.enter(game, seat, by, request_id, (projections.UNDO_PROPOSED, data), (log.UNDONE, data), part=True)
    takeable = projections.takeable_move(table)
    if takeable is None or (takeable.number, takeable.seat) != (move, seat):
        raise GameError("cannot-take-back")
    data["verb"] = takeable.text.partition(" ")[0]
    if projections.lone_seat(table) == seat:
        data["moves"] = [
            each.number for each in projections.latest_moves(table) if each.number >= move and not each.said
        ]
        if table.hand is None:
            _reopen(table)
        return common.receipt(table, _take_back(table, seat, data, request_id))
    until = _lapses_at(game, game.moment or timezone.now())
    data["until"] = until.isoformat()
    entry = common.log(game, EVENT, projections.UNDO_PROPOSED, seat=seat, player=by, request_id=request_id, data=data)
    for other in projections.undo_waits_for(game):
        params = {"game": game.public_id, "what": projections.UNDO_PROPOSED, "move": move, "by": by.public_id}
        outbox.put("game.asked", table.seats[other].player, params, expires_at=until)
    _carry_out(table)
    return common.receipt(table, entry)


@command
def answer(game_id: int, seat: int, move: int, *, agree: bool, request_id: uuid.UUID, by: Player) -> Receipt:
    """Agree that action number `move` is taken back, or decline.

    Declining withdraws the proposal; so the proposer can drop it.

    The action is taken back with the last consent. Raises NotNow if that is not proposed any more or the player has
    agreed already, NotYourSeat, GameEnded, ``request-reused``.
    """
    word = projections.UNDO_AGREED if agree else projections.UNDO_DECLINED
    game = common.locked(game_id)
    table = common.enter(game, seat, by, request_id, (word, {"move": move}), part=True)
    proposal = projections.undo_proposal_of(game)
    if proposal is None or proposal.move != move or seat not in projections.consenting_seats(game):
        raise NotNow
    if agree and seat in proposal.agreed:
        raise NotNow
    data = {"move": move, **(common.WITHDRAWN if not agree and seat == proposal.by else {})}
    entry = common.log(game, EVENT, word, seat=seat, player=by, request_id=request_id, data=data)
    if agree:
        _carry_out(table)
    else:
        common.reschedule(table)
    return common.receipt(table, entry)


def lapse(game_id: int, *, expected: int, now: datetime | None = None) -> bool:
    """End a proposal that not everybody has answered in time. Returns False if there was nothing to do any more."""
    with transaction.atomic():
        game = common.locked(game_id, now)
        proposal = projections.undo_proposal_of(game)
        if game.status != Game.Status.PLAYING or game.number != expected or proposal is None:
            return False
        if proposal.until > (game.moment or timezone.now()):
            return False
        common.log(game, EVENT, projections.UNDO_DECLINED, data={"move": proposal.move})
        common.reschedule(log.open_table(game))
        common.done(game)
        return True


def _lapses_at(game: Game, moment: datetime) -> datetime:
    """When a proposal lapses: well before the deadline of the player on turn, so that waiting does not cost them
    their turn."""
    if game.deadline_at is not None:
        return moment + max(timedelta(0), game.deadline_at - moment) / 2
    terms = projections.terms_of(game)
    return moment + (terms.action if terms is not None else STANDS)


def _carry_out(table: log.Table) -> None:
    """Take the move back if everybody has consented."""
    proposal = projections.undo_proposal_of(table.game)
    if proposal is not None and not projections.undo_waits_for(table.game):
        _take_back(table, proposal.by, {"move": proposal.move, "verb": proposal.verb})


def _reopen(table: log.Table) -> None:
    """Reopen the deal that has just ended: remove its result and the row of the next deal.

    The next pack stays promised.
    """
    game = table.game
    table.hands.pop().delete()
    row = table.row
    game.totals = [total - score for total, score in zip(game.totals, row.scores, strict=True)]
    game.hands_played -= 1
    game.hand_number = row.number
    row.status, row.points, row.scores, row.parties = GameHand.Status.OPEN, [], [], []
    row.save(update_fields=["status", "points", "scores", "parties"])
    PlayedSeat.objects.filter(hand=row).delete()


def _take_back(table: log.Table, seat: int, data: dict[str, Any], request_id: uuid.UUID | None = None) -> Action:
    """Log that the moves named by `data` do not count any more, and ask the player at `seat` again, who made them.

    Scheduled plans are dropped; nor is any plan carried out for the player who takes back: they are here, and want to
    choose for themselves.
    """
    player = table.seats[seat].player
    entry = common.log(table.game, EVENT, log.UNDONE, seat=seat, player=player, request_id=request_id, data=data)
    for ahead in hooks.ahead:
        ahead.forget(table.game)
    common.ask(table, log.reread_hand(table), by_themselves=True)
    return entry
