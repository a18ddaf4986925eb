"""The door, continued: what people at a table agree on about time. More time for others, pauses, playing on live.

The rules are those of `play`: the lock first, then checks, the log with its projections in one transaction, the ring
after the commit; a refusal changes nothing.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from games import clocks, shelf, steps
from games.models import Action
from games.pace import Kind
from games.refusals import NotNow, OwnTime, TimeRefused
from games.steps import Receipt

EVENT: Final = Action.Kind.EVENT
MORE_TIME: Final = {
    Kind.LIVE: (timedelta(seconds=30), timedelta(minutes=10)),
    Kind.DAYS: (timedelta(days=1), timedelta(days=7)),
}
"""The least and the most that can be given at once."""
MOST_BANK: Final = timedelta(days=60)
SHORTEST_PAUSE: Final = timedelta(hours=1)
LONGEST_PAUSE: Final = timedelta(days=60)
OFFER_STANDS: Final = timedelta(minutes=10)
"""How long an offer to play on live waits for the others."""


def more_time(game_id: int, seat: int, amount: timedelta, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Somebody else at the table gives `seat` more time: it goes into the reserve, whole seconds only.

    Raises OwnTime, TimeRefused, NotYourSeat for who does not play here, NotNow for a seat nobody plays at, GameEnded,
    NoClock, RequestReused.
    """
    with transaction.atomic():
        game, table, clock = steps.clocked(game_id)
        giver = steps.seat_here(table, clock, by)
        data = {"seconds": amount // timedelta(seconds=1), "giver": giver}
        first = steps.answered(game, seat, request_id, ("more-time", data))
        if first is not None:
            return first
        steps.check_playing(game)
        if seat == giver:
            raise OwnTime
        if seat not in clock.here():
            raise NotNow
        least, most = MORE_TIME[clock.terms.kind]
        if not least <= amount <= most or clock.seats[seat].bank + amount > MOST_BANK:
            raise TimeRefused
        entry = steps.log(game, EVENT, "more-time", seat=seat, player=by, request_id=request_id, data=data)
        steps.done(game)
        return Receipt(entry.number, entry.at)


def propose_pause(game_id: int, seat: int, until: datetime, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Propose that all clocks stand still until a moment, or until somebody ends the pause.

    It begins when every person at the table has agreed. Raises TimeRefused, NotNow while something else is proposed or
    the game is paused, NotYourSeat, GameEnded, NoClock, RequestReused.
    """
    data = {"until": until.isoformat()}
    with transaction.atomic():
        table, first = steps.enter(game_id, seat, by, request_id, "pause-proposed", data)
        if first is not None:
            return first
        if not SHORTEST_PAUSE <= until - (table.game.moment or timezone.now()) <= LONGEST_PAUSE:
            raise TimeRefused
        return _propose(table, seat, "pause-proposed", data, request_id, by)


def offer_live(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """At a table that counts in days, propose to play on live for as long as everybody stays.

    Raises as `propose_pause`, and NotNow at a table that is live anyway, or where nobody else plays.
    """
    with transaction.atomic():
        table, first = steps.enter(game_id, seat, by, request_id, "live-offered")
        if first is not None:
            return first
        clock, moment = clocks.of(table.game), table.game.moment or timezone.now()
        assert clock is not None
        if clock.terms.kind is Kind.LIVE or clock.live or len(clock.here()) < 2:
            raise NotNow
        return _propose(table, seat, "live-offered", {"until": (moment + OFFER_STANDS).isoformat()}, request_id, by)


def answer(game_id: int, seat: int, *, agree: bool, request_id: uuid.UUID, by: Player) -> Receipt:
    """Agree to what is proposed, or decline it, which takes it off the table; who proposed it may take it back so.

    Raises NotNow if nothing is proposed or one has agreed already, NotYourSeat, GameEnded, NoClock, RequestReused.
    """
    with transaction.atomic():
        game, table, clock = steps.clocked(game_id)
        steps.check_seat(table, seat, by)
        word = "agreed" if agree else "declined"
        first = steps.answered(game, seat, request_id, (f"pause-{word}", {}), (f"live-{word}", {}))
        if first is not None:
            return first
        steps.check_playing(game)
        proposal = clock.proposal
        if proposal is None or seat not in clock.here() or (agree and seat in proposal.agreed):
            raise NotNow
        if agree and proposal.until is not None and proposal.until <= (game.moment or timezone.now()):
            raise NotNow
        event = f"{proposal.what}-{word}"
        entry = steps.log(game, EVENT, event, seat=seat, player=by, request_id=request_id)
        _carry_out(table)
        steps.done(game)
        return Receipt(entry.number, entry.at)


def resume(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """End a pause before its time. Raises NotNow if there is none, NotYourSeat, GameEnded, NoClock, RequestReused."""
    with transaction.atomic():
        table, first = steps.enter(game_id, seat, by, request_id, "resumed")
        if first is not None:
            return first
        clock = clocks.of(table.game)
        if clock is None or clock.paused_until is None:
            raise NotNow
        entry = steps.log(table.game, EVENT, "resumed", seat=seat, player=by, request_id=request_id)
        steps.tell(table, "game.resumed", but=seat)
        steps.time_anew(table)
        steps.done(table.game)
        return Receipt(entry.number, entry.at)


def end_live(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Go back from live play to days. Raises NotNow if it is not live, NotYourSeat, GameEnded, NoClock, RequestReused."""
    with transaction.atomic():
        table, first = steps.enter(game_id, seat, by, request_id, "live-ended")
        if first is not None:
            return first
        clock = clocks.of(table.game)
        if clock is None or not clock.live:
            raise NotNow
        entry = steps.log(table.game, EVENT, "live-ended", seat=seat, player=by, request_id=request_id)
        steps.time_anew(table)
        steps.done(table.game)
        return Receipt(entry.number, entry.at)


def _propose(
    table: shelf.Table, seat: int, event: str, data: dict[str, str], request_id: uuid.UUID, by: Player
) -> Receipt:
    game, clock = table.game, clocks.of(table.game)
    assert clock is not None
    standing = clock.proposal
    lapsed = standing is not None and standing.until is not None and standing.until <= (game.moment or timezone.now())
    if seat not in clock.here() or clock.paused_until is not None or (standing is not None and not lapsed):
        raise NotNow
    entry = steps.log(game, EVENT, event, seat=seat, player=by, request_id=request_id, data=data)
    steps.tell(table, "game.asked", but=seat, what=event)
    _carry_out(table)
    steps.done(game)
    return Receipt(entry.number, entry.at)


def _carry_out(table: shelf.Table) -> None:
    """Let what is proposed come about if everybody has agreed."""
    game = table.game
    clock = clocks.of(game)
    if clock is None or clock.proposal is None or clock.needs_consent():
        return
    until = clock.proposal.until
    if clock.proposal.what == "live":
        steps.log(game, EVENT, "live-begun")
    elif until is not None:
        steps.log(game, EVENT, "paused", data={"until": until.isoformat()})
        steps.tell(table, "game.paused")
    steps.time_anew(table)
