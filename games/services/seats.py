"""Commands for apps that direct games, such as tournaments: appoint a player to a seat, give a seat up, call a game
off.

The caller has checked the permission. The locking rules are those of `play`: locks of the apps above are taken before
these, never after.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.models import Player
from domain.pace import Out, State
from games import projections
from games.exceptions import NotNow
from games.models import Action, Game
from games.selectors import log
from games.services import common

EVENT: Final = Action.Kind.EVENT
CALLED_OFF: Final = "called-off"
"""In the log: the game was ended by those who direct it."""


def appoint(game_id: int, seat: int, player: Player, *, by: Player | None = None, now: datetime | None = None) -> None:
    """Give the seat to `player`, who learns everything that it knows and begins with a full reserve.

    `by` has decided it.

    Raises NotNow for a computer player, a missing seat or a player who sits at the table already, ``suspended``,
    MayNotMeet, MetAlready, GameEnded, ``no-clock``.
    """
    with transaction.atomic():
        game, clock = common.clocked(game_id, now)
        common.check_playing(game)
        table = log.open_table(game)
        if player.is_computer or table.seat_of(player.pk) is not None or not 0 <= seat < len(clock.seats):
            raise NotNow
        common.check_may_take(table, clock, seat, player)
        common.give_seat(table, seat, player, by=by)
        common.done(game)


def give_up(game_id: int, seat: int, *, now: datetime | None = None) -> bool:
    """Replace the person at `seat`, who does not come back, by a computer player or a substitute, as the table has
    agreed.

    It does not count against their punctuality. Returns False if nothing had to be done, because others act for the
    seat already or the game is over.
    """
    with transaction.atomic():
        game = common.locked(game_id, now)
        clock = projections.clock_of(game)
        if game.status != Game.Status.PLAYING or clock is None or clock.seats[seat].state is not State.HERE:
            return False
        table = log.open_table(game)
        event = "substitute-asked" if clock.terms.out is Out.SUBSTITUTE else "absent"
        data = {"left": True, **projections.AGAIN}
        common.log(game, EVENT, event, seat=seat, player=table.seats[seat].player, data=data)
        common.ask_again(table, seat)
        common.done(game)
        return True


def call_off(game_id: int, *, now: datetime | None = None) -> bool:
    """End a game that goes on, and notify its people. Returns False if it is over already."""
    with transaction.atomic():
        game = common.locked(game_id, now)
        if game.status != Game.Status.PLAYING:
            return False
        table = log.open_table(game)
        common.log(game, EVENT, CALLED_OFF, data={"waited": list(waiting_seats(game))})
        common.end(table, Game.Status.EXPIRED, reason=CALLED_OFF)
        common.done(game)
        return True


def waiting_seats(game: Game) -> tuple[int, ...]:
    """The seats for which others wait: the one whose person is on turn, and those whose player is away or to be
    replaced.

    For a game that is over: the seats for which it was waiting when it was called off, or whose people left.
    """
    clock = projections.clock_of(game)
    if clock is None:
        return ()
    if game.status != Game.Status.PLAYING:
        entry = game.actions.filter(kind=EVENT, text__in=(CALLED_OFF, "resigned")).order_by("number").last()
        if entry is not None and entry.text == CALLED_OFF:
            return tuple(int(seat) for seat in entry.data["waited"])
        gone = {entry.seat} if entry is not None and entry.seat is not None else set()
        return tuple(sorted(gone | {n for n, seat in enumerate(clock.seats) if seat.state is State.AWAY}))
    waiting = {number for number, seat in enumerate(clock.seats) if seat.state in (State.AWAY, State.SOUGHT)}
    if game.to_act is not None and clock.seats[game.to_act].state is State.HERE:
        waiting.add(game.to_act)
    return tuple(sorted(waiting))
