"""Ending a game by consent: whether its people may, and what one of them is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from games import projections
from games.models import Game, Seat
from games.read_models import EndSeen


def may_be_ended(game: Game) -> bool:
    """Whether the people of this game may end it by consent: not where other tables play the same deals, nor in lessons."""
    return game.status == Game.Status.PLAYING and game.kind == Game.Kind.PLAY and game.board_set_id is None


def seen_by(game: Game, seat: int | None, seats: Sequence[Seat]) -> EndSeen | None:
    """What the person at `seat` is told of it; None where they have nothing to do with it. `seats` come with their players."""
    if seat is None or not may_be_ended(game):
        return None
    consenting = projections.consenting_seats(game, seats)
    if seat not in consenting:
        return None
    found = projections.end_proposal_of(game)
    if found is None:
        return EndSeen(None, counts=False, mine=False) if len(consenting) > 1 else None
    return EndSeen(found.by, found.counts, seat not in found.agreed)
