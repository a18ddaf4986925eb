"""What the learner has read, and what the others wait for."""

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
    """The progress of this table's learner in a deal at action `number` of the log; None before it is dealt."""
    asked = table.asked_of_person(game, hand_number, number)
    if asked is None:
        return None
    entries = game.actions.filter(kind=Action.Kind.EVENT, text=READ, hand_number=hand_number, number__lte=number)
    read = list(entries.order_by("number").values_list("number", "data"))
    fresh = next((data["topic"] for number, data in reversed(read) if number > asked.answered), "")
    return Course(asked.view, [Moment(view) for view in asked.questions], {data["topic"] for _, data in read}, fresh)


def _stop_at(game: Game) -> str:
    """What the learner of a locked game must read before the others go on; empty if nothing."""
    if game.kind != Game.Kind.GUIDED:
        return ""
    course = course_of(game, game.hand_number, game.number)
    return stop_of(course) if course is not None else ""


def waits(game: Game) -> bool:
    """Whether the computer players of a lesson wait because its learner has something to read."""
    return _stop_at(game) != ""


@command
def mark_read(game_id: int, seat: int, *, expected: int, request_id: uuid.UUID, by: Player) -> common.Receipt:
    """Note that the learner has read the present stop, so that the others go on.

    This is logged, since what the lesson says next depends on it; other tables only need `play.go_on`. Takes the game's
    lock. Raises Stale, NotNow if there is nothing to read, NotYourSeat, GameEnded, ``request-reused``.
    """
    game = common.locked(game_id)
    opened = common.enter(game, seat, by, request_id, (READ, None))
    common.check_expected(game, expected)
    stop = _stop_at(game)
    if opened.hand is None or not stop:
        raise NotNow
    entry = common.log(game, Action.Kind.EVENT, READ, seat=seat, player=by, request_id=request_id, data={"topic": stop})
    common.ask(opened, opened.hand)
    return common.receipt(opened, entry)
