"""What the learner has read, and that the others wait for it."""

from __future__ import annotations

import uuid
from typing import Final

from accounts.models import Player
from core.commands import command
from games.exceptions import NotNow
from games.lessons.topics import Course, Moment, stop_of
from games.models import Action, Game
from games.selectors import table
from games.services import common

READ: Final = "read"
"""The entry of the log for a stop that was read; its data has the `topic`."""


def course_of(game: Game, hand_number: int, number: int) -> Course | None:
    """How far the learner of this table had come in a deal at action `number` of the log; None before it is dealt."""
    asked = table.asked_of_person(game, hand_number, number)
    if asked is None:
        return None
    entries = game.actions.filter(kind=Action.Kind.EVENT, text=READ, hand_number=hand_number, number__lte=number)
    read = list(entries.order_by("number").values_list("number", "data"))
    fresh = next((data["topic"] for number, data in reversed(read) if number > asked.answered), "")
    return Course(asked.view, [Moment(view) for view in asked.questions], {data["topic"] for _, data in read}, fresh)


def _stop_at(game: Game) -> str:
    """What the learner of a locked game has to read before the others go on; empty where there is nothing."""
    if game.kind != Game.Kind.GUIDED:
        return ""
    course = course_of(game, game.hand_number, game.number)
    return stop_of(course) if course is not None else ""


def waits(game: Game) -> bool:
    """Whether the computer players of a lesson wait because its learner has something to read."""
    return _stop_at(game) != ""


@command
def mark_read(game_id: int, seat: int, *, expected: int, request_id: uuid.UUID, by: Player) -> common.Receipt:
    """The learner has read what stands there: the others go on. It is kept in the log, since what the lesson says next hangs on
    it; at any other table nothing but `play.go_on` is needed.

    Takes the game's lock. Raises Stale, NotNow where there is nothing to read, NotYourSeat, GameEnded, ``request-reused``.
    """
    game = common.locked(game_id)
    entered = common.enter(game, seat, by, request_id, (READ, None))
    common.check_expected(game, expected)
    stop = _stop_at(game)
    if entered.hand is None or not stop:
        raise NotNow
    entry = common.log(game, Action.Kind.EVENT, READ, seat=seat, player=by, request_id=request_id, data={"topic": stop})
    common.ask(entered, entered.hand)
    return common.receipt(entered, entry)
