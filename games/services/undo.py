"""Taking back: somebody asks to take back what they have just done, and all people at the table consent. Whoever is alone with
computer players takes back what they like, up to the last deal of cards, also when the hand is over and the next not dealt;
such a hand does not count in statistics.

The rules are those of `play`. The log is never shortened: a move that was taken back stays, and counts no more.
docs/adr/0004-undo.md says what can be taken back.
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
"""How long a proposal waits for answers at a table without a clock."""


@command
def propose(game_id: int, seat: int, move: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """The player at `seat` asks to take back their action number `move`. Where they are alone it is taken back at once, with
    all that computer players did since.

    Raises ``cannot-take-back`` if somebody has acted since, if it showed something, or if it was asked before and declined;
    NotYourSeat, GameEnded, ``request-reused``.
    """
    game = common.locked(game_id)
    data: dict[str, Any] = {"move": move}
    table = common.enter(game, seat, by, request_id, (projections.UNDO_PROPOSED, data), (log.UNDONE, data), part=True)
    found = projections.takeable_move(table)
    if found is None or (found.number, found.seat) != (move, seat):
        raise GameError("cannot-take-back")
    data["verb"] = found.text.partition(" ")[0]
    if projections.lone_seat(table) == seat:
        data["moves"] = [
            each.number for each in projections.latest_moves(table) if each.number >= move and not each.said
        ]
        if table.hand is None:
            _reopen(table)
        return common.receipt(table, _take_back(table, seat, data, request_id))
    until = _stands_until(game, game.moment or timezone.now())
    data["until"] = until.isoformat()
    entry = common.log(game, EVENT, projections.UNDO_PROPOSED, seat=seat, player=by, request_id=request_id, data=data)
    for asked in projections.undo_waits_for(game):
        params = {"game": game.public_id, "what": projections.UNDO_PROPOSED, "move": move, "who": by.display_name}
        outbox.put("game.asked", table.seats[asked].player, params, expires_at=until)
    _carry_out(table)
    return common.receipt(table, entry)


@command
def answer(game_id: int, seat: int, move: int, *, agree: bool, request_id: uuid.UUID, by: Player) -> Receipt:
    """Agree that action number `move` is taken back, or decline it; who proposed it may let it be so.

    With the last consent it is taken back. Raises NotNow if that is not proposed any more, or if one has agreed already;
    NotYourSeat, GameEnded, ``request-reused``.
    """
    word = projections.UNDO_AGREED if agree else projections.UNDO_DECLINED
    game = common.locked(game_id)
    table = common.enter(game, seat, by, request_id, (word, {"move": move}), part=True)
    proposal = projections.undo_proposal_of(game)
    if proposal is None or proposal.move != move or seat not in projections.consenting_seats(game):
        raise NotNow
    if agree and seat in proposal.agreed:
        raise NotNow
    data: dict[str, Any] = {"move": move}
    if not agree and seat == proposal.by:
        data["withdrawn"] = True
    entry = common.log(game, EVENT, word, seat=seat, player=by, request_id=request_id, data=data)
    if agree:
        _carry_out(table)
    else:
        common.time_anew(table)
    return common.receipt(table, entry)


def lapse(game_id: int, *, expected: int, now: datetime | None = None) -> bool:
    """Not everybody has answered in time: what was proposed is over. False if there was nothing to do any more."""
    with transaction.atomic():
        game = common.locked(game_id, now)
        proposal = projections.undo_proposal_of(game)
        if game.status != Game.Status.PLAYING or game.number != expected or proposal is None:
            return False
        if proposal.until > (game.moment or timezone.now()):
            return False
        common.log(game, EVENT, projections.UNDO_DECLINED, data={"move": proposal.move})
        common.time_anew(log.open_table(game))
        common.done(game)
        return True


def _stands_until(game: Game, moment: datetime) -> datetime:
    """When a proposal lapses: before the time of whoever is asked is out, so that waiting for others costs them nothing."""
    if game.deadline_at is not None:
        return moment + max(timedelta(0), game.deadline_at - moment) / 2
    terms = projections.terms_of(game)
    return moment + (terms.action if terms is not None else STANDS)


def _carry_out(table: log.Table) -> None:
    """With the last consent the move is taken back."""
    proposal = projections.undo_proposal_of(table.game)
    if proposal is not None and not projections.undo_waits_for(table.game):
        _take_back(table, proposal.by, {"move": proposal.move, "verb": proposal.verb})


def _reopen(table: log.Table) -> None:
    """The deal that is just over goes on: what followed from its end is gone. The promise of the next pack still stands."""
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
    """Write that what `data` names counts no more, and ask again the player at `seat`, who did it.

    What was to be done for whoever was asked in the meantime is not; and nothing is done for who takes back: they have just
    been here, and want to choose by themselves.
    """
    player = table.seats[seat].player
    entry = common.log(table.game, EVENT, log.UNDONE, seat=seat, player=player, request_id=request_id, data=data)
    for ahead in hooks.ahead:
        ahead.forget(table.game)
    common.ask(table, log.lay_open(table), by_themselves=True)
    return entry
