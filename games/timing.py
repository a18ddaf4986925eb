"""The door's other wing: what has to do with time. Clocks that run out, hands that begin by themselves, and seats that
change hands. (What people agree on about time comes in by `agreements`.)

The rules are those of `play`: the lock first, then checks, the log with its projections in one transaction, the ring
after the commit; a refusal changes nothing. What the worker calls says which number of the game it saw, and does nothing
if the game stands elsewhere by now: so two workers cannot do it twice.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts import blocking, rhythms, suspending
from accounts.models import Player
from games import boards, clocks, shelf, sitting, standing, steps
from games.models import Action, Game, GameHand
from games.pace import Out, State
from games.refusals import IsSuspended, MayNotMeet, NotNow, SeatTaken
from games.steps import Receipt
from notices import outbox

EVENT: Final = Action.Kind.EVENT


# what the worker does when something is due


def time_out(game_id: int, *, expected: int, now: datetime | None = None) -> bool:
    """Do what follows when a game's deadline has passed; False if there was nothing to do any more.

    A pause ends; live play goes back to days; a table that looked for a substitute gets a computer player. The time of a
    person is out only when no day of their vacation is left to be taken: then a computer player acts, or a substitute is
    looked for, as the table agreed.
    """
    with transaction.atomic():
        game = steps.locked(game_id, now)
        moment = game.moment or timezone.now()
        if not _is_due(game, expected, game.deadline_at, moment):
            return False
        table, clock = shelf.open_table(game), clocks.of(game)
        assert clock is not None
        if clock.paused_until is not None:
            steps.log(game, EVENT, "resumed")
            steps.tell(table, "game.resumed")
            steps.time_anew(table)
        elif clock.live:
            steps.log(game, EVENT, "live-ended", seat=clock.running)
        elif clock.running is not None and clock.seats[clock.running].state is State.SOUGHT:
            steps.log(game, EVENT, "absent", seat=clock.running, data=clocks.AGAIN)
            steps.ask_again(table)
        elif clock.running is not None and not _rests(table, clock.running, moment):
            clocks.tally(table.seats[clock.running].player, moment, timeouts=1)
            _give_away(table, clock.running, clock.terms.out)
        steps.done(game)
        return True


def begin(game_id: int, *, expected: int, now: datetime | None = None) -> bool:
    """Begin the deal that waits, at a table that agreed not to sit down; False if there was nothing to do any more."""
    with transaction.atomic():
        game = steps.locked(game_id, now)
        moment = game.moment or timezone.now()
        if not game.pace or game.to_act is not None or not _is_due(game, expected, game.due_at, moment):
            return False
        table = shelf.open_table(game)
        if table.row.status != GameHand.Status.WAITING:
            return False
        ready = shelf.ready_seats(game)
        for seat in table.seats:
            if not seat.player.is_computer and seat.number not in ready:
                steps.log(game, EVENT, "ready", seat=seat.number, player=seat.player, data={"agreed": True})
        steps.begin(table)
        steps.done(game)
        return True


def remind(game_id: int, *, expected: int, now: datetime | None = None) -> bool:
    """Remind the person who is asked of their deadline; False if there was nothing to do any more."""
    with transaction.atomic():
        game = steps.locked(game_id, now)
        moment = game.moment or timezone.now()
        if game.to_act is None or not _is_due(game, expected, game.remind_at, moment):
            return False
        clock = clocks.of(game)
        assert clock is not None
        coming = [one for one in clock.reminders() if one > moment]
        game.remind_at = coming[0] if coming else None
        game.save(update_fields=["remind_at"])
        if game.deadline_at is None or game.deadline_at <= moment:
            return False
        params = {
            "game": game.public_id,
            "number": game.number,
            "share": "half" if coming else "fifth",
            "until": game.deadline_at.isoformat(),
        }
        player = game.seats.select_related("player__merged_into").get(number=game.to_act).player
        if standing.is_scheduled(game, player):
            return False
        outbox.put("game.deadline", player, params, expires_at=game.deadline_at)
        return True


def _is_due(game: Game, expected: int, at: datetime | None, now: datetime) -> bool:
    return game.status == Game.Status.PLAYING and game.number == expected and at is not None and at <= now


def _rests(table: shelf.Table, seat: int, now: datetime) -> bool:
    """Before time is out: whether the person has days off that the log did not know, or days of vacation to be taken."""
    game, player = table.game, table.seats[seat].player
    steps.tell_days(game, seat, player)
    while True:
        clock = clocks.of(game)
        deadline = clock.deadline() if clock is not None else None
        if clock is None or deadline is None or deadline > now:
            return True
        if clock.seats[seat].vacation >= clock.terms.vacation:
            return False
        # A deadline at midnight belongs to the day that ends there.
        day = clock.calendar(seat).day_at(deadline - timedelta(milliseconds=1))
        if not rhythms.spend_day(player.current, day):
            return False
        steps.log(game, EVENT, "vacation", seat=seat, player=player, data={"day": day.isoformat()})
        outbox.put("game.vacation", player, {"game": game.public_id, "day": day.isoformat()})


def _give_away(table: shelf.Table, seat: int, to: Out) -> None:
    game, player = table.game, table.seats[seat].player
    event = "absent" if to is Out.COMPUTER else "substitute-asked"
    steps.log(game, EVENT, event, seat=seat, player=player)
    outbox.put("game.timeout", player, {"game": game.public_id})
    steps.tell(table, "game.timeout", who=player.display_name)
    steps.ask_again(table)


# seats that change hands


def come_back(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """The player at `seat` plays themselves again. Raises NotYourSeat, GameEnded, NoClock, NotNow, RequestReused."""
    with transaction.atomic():
        table, first = steps.enter(game_id, seat, by, request_id, "returned")
        if first is not None:
            return first
        entry = steps.welcome_back(table, seat, by, request_id)
        if entry is None:
            raise NotNow
        if table.game.to_act == seat:
            steps.ask_again(table)
        steps.done(table.game)
        return Receipt(entry.number, entry.at)


def ask_substitute(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """Somebody at the table wants a person at `seat`, for which a computer player acts: a substitute is looked for.

    Raises NotYourSeat for who does not play here, GameEnded, NoClock, NotNow, RequestReused.
    """
    with transaction.atomic():
        game, table, clock = steps.clocked(game_id)
        steps.seat_here(table, clock, by)
        data = {"by": by.public_id}
        first = steps.answered(game, seat, request_id, ("substitute-asked", data))
        if first is not None:
            return first
        steps.check_playing(game)
        if not 0 <= seat < len(clock.seats) or clock.seats[seat].state is not State.AWAY:
            raise NotNow
        entry = steps.log(game, EVENT, "substitute-asked", seat=seat, player=by, request_id=request_id, data=data)
        if game.to_act == seat:
            steps.ask_again(table)
        steps.done(game)
        return Receipt(entry.number, entry.at)


def substitute(game_id: int, seat: int, *, request_id: uuid.UUID, by: Player) -> Receipt:
    """`by` takes the seat for which a substitute is looked for: from now on it is theirs, with all that it knows.

    They begin with a full reserve. Raises SeatTaken, NotNow for who sits here already, IsSuspended, MayNotMeet, MetAlready for
    who knows these deals from another table, what rooms above refuse (`sitting`), GameEnded, NoClock, RequestReused.
    """
    with transaction.atomic():
        game, table, clock = steps.clocked(game_id)
        before = game.actions.filter(seat=seat, request_id=request_id, text="substituted", player=by).first()
        if before is not None:
            return Receipt(before.number, before.at)
        steps.check_playing(game)
        if table.seat_of(by.pk) is not None or by.is_computer:
            raise NotNow
        if not 0 <= seat < len(clock.seats) or clock.seats[seat].state is not State.SOUGHT:
            raise SeatTaken
        try:
            suspending.check(by)
        except suspending.Suspended as why:
            raise IsSuspended(why) from None
        if not blocking.may_meet(by, [table.seats[number].player for number in clock.here()]):
            raise MayNotMeet
        steps.check_knows_no_other_hand(game, seat, by)
        boards.check_new_to([by], game.board_set)
        sitting.check(game, by)
        row = table.seats[seat]
        gone, row.player = row.player, by
        row.save(update_fields=["player"])
        data = {"of": gone.public_id, **steps.days_of(game, by)}
        entry = steps.log(game, EVENT, "substituted", seat=seat, player=by, request_id=request_id, data=data)
        if game.to_act == seat:
            steps.ask_again(table)
        steps.done(game)
        return Receipt(entry.number, entry.at)
