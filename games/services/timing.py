"""Time: clocks that run out, hands that begin by themselves, and seats that change hands.

(Agreements about time are in `agreements`.) The locking rules are those of `play`. The functions for the worker take
the action number it saw as `expected`, and do nothing if the game has moved on, so that two workers cannot do a thing
twice.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts import availability
from accounts.models import Player
from core.commands import command
from domain.pace import Out, State
from games import hooks, projections
from games.exceptions import GameError, NotNow
from games.models import Action, Game, GameHand
from games.selectors import log
from games.services import common, ending
from games.services.common import Receipt
from notices import outbox

EVENT: Final = Action.Kind.EVENT


# what the worker does when something is due


def time_out(game_id: int, *, expected: int, now: datetime | None = None) -> bool:
    """Carry out the consequences of a deadline that has passed. Returns False if there was nothing to do any more.

    A pause ends; live play goes back to days; a table that was looking for a substitute gets a computer player. A
    person's time has run out only if none of their vacation days may be taken (not after they have missed a turn of
    this game): then a computer player acts, or a substitute is looked for, as the table has agreed.
    """
    with transaction.atomic():
        game = common.locked(game_id, now)
        moment = game.moment or timezone.now()
        if not _is_due(game, expected, game.deadline_at, moment):
            return False
        table, clock = log.open_table(game), projections.clock_of(game)
        assert clock is not None
        if clock.paused_until is not None:
            common.log(game, EVENT, "resumed")
            common.notify_table(table, "game.resumed")
            common.reschedule(table)
        elif clock.live:
            common.log(game, EVENT, "live-ended", seat=clock.running)
        elif clock.running is not None and clock.seats[clock.running].state is State.SOUGHT:
            common.log(game, EVENT, "absent", seat=clock.running, data=projections.AGAIN)
            common.ask_again(table, clock.running)
        elif clock.running is not None and not _has_days_off(table, clock.running, moment):
            projections.count_punctuality(table.seats[clock.running].player, moment, timeouts=1)
            _give_away(table, clock.running, clock.terms.out)
        common.done(game)
        return True


def begin(game_id: int, *, expected: int, now: datetime | None = None) -> bool:
    """Begin the waiting deal at a table where deals begin by themselves: with a clock, or of computer players only.

    Returns False if there was nothing to do any more.
    """
    with transaction.atomic():
        game = common.locked(game_id, now)
        moment = game.moment or timezone.now()
        by_itself = game.pace or game.kind == Game.Kind.COMPUTERS
        if not by_itself or game.to_act is not None or not _is_due(game, expected, game.due_at, moment):
            return False
        table = log.open_table(game)
        if table.row.status != GameHand.Status.WAITING:
            return False
        ready = log.ready_seats(game)
        for seat in table.seats:
            if not seat.player.is_computer and seat.number not in ready:
                common.log(game, EVENT, "ready", seat=seat.number, player=seat.player, data={"agreed": True})
        common.begin(table)
        common.done(game)
        return True


def remind(game_id: int, *, expected: int, now: datetime | None = None) -> bool:
    """Remind the person on turn: first once more of their turn, then of their deadline.

    Returns False if there was nothing to do any more.
    """
    with transaction.atomic():
        game = common.locked(game_id, now)
        moment = game.moment or timezone.now()
        if game.to_act is None or not _is_due(game, expected, game.remind_at, moment):
            return False
        clock = projections.clock_of(game)
        assert clock is not None
        coming = [one for one in clock.reminders() if one > moment]
        game.remind_at = coming[0] if coming else None
        game.save(update_fields=["remind_at"])
        if game.deadline_at is None or game.deadline_at <= moment:
            return False
        player = game.seats.select_related("player__merged_into").get(number=game.to_act).player
        if any(ahead.is_scheduled(game, player) for ahead in hooks.ahead):
            return False
        params = {"game": game.public_id, "number": game.number, "until": game.deadline_at.isoformat()}
        if len(coming) > 1:
            if _was_reminded(game, player):
                return False
            outbox.put("game.turn", player, params | {"again": True}, expires_at=game.deadline_at)
        else:
            share = "half" if coming else "fifth"
            outbox.put("game.deadline", player, params | {"share": share}, expires_at=game.deadline_at)
        return True


def _was_reminded(game: Game, player: Player) -> bool:
    """Whether the player was reminded of this very turn: the moment for it may come again, if their days have changed
    since."""
    before = game.actions.filter(kind=Action.Kind.MOVE).order_by("-number").values_list("number", flat=True).first()
    return outbox.was_put("game.turn", player, game.public_id, again=True, number__gte=before or 0)


def _is_due(game: Game, expected: int, at: datetime | None, now: datetime) -> bool:
    return game.status == Game.Status.PLAYING and game.number == expected and at is not None and at <= now


def _has_days_off(table: log.Table, seat: int, now: datetime) -> bool:
    """Whether days off move the deadline of `seat` past `now`: days that the log did not know yet, or vacation days,
    which are taken here."""
    game, player = table.game, table.seats[seat].player
    common.log_rhythm_change(game, seat, player)
    while True:
        clock = projections.clock_of(game)
        deadline = clock.deadline() if clock is not None else None
        if clock is None or deadline is None or deadline > now:
            return True
        if clock.seats[seat].missed or clock.seats[seat].vacation >= clock.terms.vacation:
            return False
        # A deadline at midnight belongs to the day that ends there.
        day = clock.calendar(seat).day_at(deadline - timedelta(milliseconds=1))
        if not availability.spend_day(player.current, day):
            return False
        common.log(game, EVENT, "vacation", seat=seat, player=player, data={"day": day.isoformat()})
        outbox.put("game.vacation", player, {"game": game.public_id, "day": day.isoformat()})


def _give_away(table: log.Table, seat: int, to: Out) -> None:
    game, player = table.game, table.seats[seat].player
    event = "absent" if to is Out.COMPUTER else "substitute-asked"
    common.log(game, EVENT, event, seat=seat, player=player)
    outbox.put("game.timeout", player, {"game": game.public_id})
    common.notify_table(table, "game.timeout", by=player.public_id, seat=seat)
    if not ending.carry_out(table):  # whoever is away is not waited for
        common.ask_again(table, seat)


# seats that change hands


@command
def come_back(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Let the player of `seat`, for whom others act, play in person again.

    Raises NotYourSeat, GameEnded, ``no-clock``, NotNow, ``request-reused``.
    """
    game, _clock = common.clocked(game_id)
    table = common.enter(game, seat, by, request_id, ("returned", None))
    entry = common.log_return(table, seat, by, request_id)
    if entry is None:
        raise NotNow
    common.ask_again(table, seat)
    return common.receipt(table, entry)


@command
def ask_substitute(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Look for a substitute for `seat`, for which a computer player acts, at the request of a player of the table.

    Raises NotYourSeat if `by` does not play here, GameEnded, ``no-clock``, NotNow, ``request-reused``.
    """
    game, clock = common.clocked(game_id)
    table = log.open_table(game)
    common.seat_here(table, clock, by)
    data = {"by": by.public_id}
    common.check_new(game, seat, request_id, ("substitute-asked", data))
    common.check_playing(game)
    if not 0 <= seat < len(clock.seats) or clock.seats[seat].state is not State.AWAY:
        raise NotNow
    entry = common.log(game, EVENT, "substitute-asked", seat=seat, player=by, request_id=request_id, data=data)
    common.ask_again(table, seat)
    return common.receipt(table, entry)


@command
def play_on(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Stop waiting for a substitute, at the request of a player of the table: a computer player acts for `seat` until
    its player is back.

    Raises NotYourSeat if `by` does not play here, GameEnded, ``no-clock``, NotNow, ``request-reused``.
    """
    game, clock = common.clocked(game_id)
    table = log.open_table(game)
    common.seat_here(table, clock, by)
    data = {**projections.AGAIN, "by": by.public_id}
    common.check_new(game, seat, request_id, ("absent", data))
    common.check_playing(game)
    if not 0 <= seat < len(clock.seats) or clock.seats[seat].state is not State.SOUGHT:
        raise NotNow
    entry = common.log(game, EVENT, "absent", seat=seat, player=by, request_id=request_id, data=data)
    common.ask_again(table, seat)
    return common.receipt(table, entry)


@command
def substitute(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Give the seat for which a substitute is looked for to `by`, who learns everything that it knows.

    They begin with a full reserve. Raises ``seat-taken``, NotNow if `by` already sits here, ``suspended``, MayNotMeet,
    MetAlready if they know these deals from another table, the refusals of apps above (`hooks.may_sit`), GameEnded,
    ``no-clock``, ``request-reused``.
    """
    game, clock = common.clocked(game_id)
    table = log.open_table(game)
    before = game.actions.filter(seat=seat, request_id=request_id, text="substituted", player=by).first()
    if before is not None:
        return Receipt(before.number, before.at)
    common.check_playing(game)
    if table.seat_of(by.pk) is not None or by.is_computer:
        raise NotNow
    if not 0 <= seat < len(clock.seats) or clock.seats[seat].state is not State.SOUGHT:
        raise GameError("seat-taken")
    common.check_may_take(table, clock, seat, by)
    for check in hooks.may_sit:
        check(game, by)
    return common.receipt(table, common.give_seat(table, seat, by, request_id=request_id))
