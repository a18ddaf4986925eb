"""Of whom something is wanted in a stored game: a projection, so that a list of games need not open any of them."""

from __future__ import annotations

from games import clocks, undoing
from games.models import Action, Game
from games.pace import State

SIT = "sit"
"""Asked between two deals: to sit down for the next."""


def settle(game: Game) -> None:
    """After a step of the door, or from what was read of the log: write what is asked, and of which seats. Does not save.

    `to_act` and `due_at` must be right, and, while a seat is asked, `asked`.
    """
    if game.status != Game.Status.PLAYING:
        game.asked, game.waits_for = "", 0
    elif game.to_act is None:
        game.asked, game.waits_for = SIT, _not_sitting(game)
    elif game.undo:
        # Whoever is asked for a card may lay it, but is not waited for before everybody has answered.
        game.waits_for = sum(1 << seat for seat in undoing.waiting_for(game))
    else:
        game.waits_for = 1 << game.to_act if _is_left_to_a_person(game, game.to_act) else 0


def _is_left_to_a_person(game: Game, seat: int) -> bool:
    """Whether the seat's player has to act: nothing is due for the worker, no substitute is sought, and there is no pause."""
    clock = clocks.of(game)
    if clock is not None and (clock.paused_until is not None or clock.seats[seat].state is State.SOUGHT):
        return False
    return game.due_at is None


def _not_sitting(game: Game) -> int:
    """The seats whose people have not sat down yet; none at a table with a pace, where hands begin by themselves."""
    if game.pace:
        return 0
    said = game.actions.filter(hand_number=game.hand_number, kind=Action.Kind.EVENT, text="ready")
    ready = set(said.values_list("seat", flat=True))
    people = game.seats.filter(player__computer="").values_list("number", flat=True)
    return sum(1 << seat for seat in people if seat not in ready)
