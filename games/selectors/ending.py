"""Ending a game by consent: what stands proposed, read from the log alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from games import projections
from games.models import Action, Game, Seat
from games.read_models import EndSeen

PROPOSED: Final = "end-proposed"
AGREED: Final = "end-agreed"
DECLINED: Final = "end-declined"
ENDED: Final = "ended"
"""All have agreed; `counts` in its data says whether the score stands."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Seat `by` proposes to end the game; `counts`: the score stands as it is."""

    by: int
    counts: bool
    agreed: tuple[int, ...]


def may_be_ended(game: Game) -> bool:
    """Whether the people of this game may end it by consent: not where other tables play the same deals, nor in lessons."""
    return game.status == Game.Status.PLAYING and game.kind == Game.Kind.PLAY and game.board_set_id is None


def proposal_in(events: Iterable[Action]) -> Proposal | None:
    """What stands proposed after these events of the log, in order. Who takes a seat over has agreed to nothing."""
    found: Proposal | None = None
    for event in events:
        if event.text == PROPOSED and event.seat is not None:
            found = Proposal(event.seat, bool(event.data["counts"]), (event.seat,))
        elif event.text in (DECLINED, ENDED):
            found = None
        elif found is not None and event.seat is not None:
            if event.text == AGREED:
                found = replace(found, agreed=(*found.agreed, event.seat))
            elif event.text == "substituted":
                found = replace(found, agreed=tuple(seat for seat in found.agreed if seat != event.seat))
    return found


def proposal_of(game: Game) -> Proposal | None:
    """What stands proposed in a game. One query."""
    told = game.actions.filter(text__in=(PROPOSED, AGREED, DECLINED, ENDED, "substituted"), kind=Action.Kind.EVENT)
    return proposal_in(told.order_by("number"))


def seen_by(game: Game, seat: int | None, seats: Sequence[Seat], happened: Sequence[Action]) -> EndSeen | None:
    """What the person at `seat` is told of it, from the events of the log; None where they have nothing to do with it. `seats`
    come with their players."""
    if seat is None or not may_be_ended(game):
        return None
    consenting = projections.consenting_seats(game, seats)
    if seat not in consenting:
        return None
    found = proposal_in(happened)
    if found is None:
        return EndSeen(None, counts=False, mine=False) if len(consenting) > 1 else None
    return EndSeen(found.by, found.counts, seat not in found.agreed)
