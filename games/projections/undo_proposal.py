"""Taking back by consent, as a projection of the log: what is proposed, who has agreed, whose answer is waited for.

The door (`taking_back`) writes the events; every entry of the log is told to `note`, and rebuilding reads the same from the
log. Which moves count is said in one place, `shelf.moves_of`. docs/adr/0004-undo.md says what can be taken back, and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from domain.engine import parse_action
from domain.engine.undo import can_be_taken_back
from domain.pace import State
from games.models import Action, Game
from games.projections import clocks
from games.selectors import log

PROPOSED: Final = "undo-proposed"
AGREED: Final = "undo-agreed"
DECLINED: Final = "undo-declined"
_ABOUT_TIME: Final = frozenset(
    {
        "rhythm", "vacation", "more-time", "pause-proposed", "pause-agreed", "pause-declined", "paused", "resumed",
        "live-offered", "live-agreed", "live-declined", "live-begun", "live-ended",
    }
)  # fmt: skip
"""What may happen after a move that is taken back: nobody has acted with that, or come or gone. Anything else is too much,
also what nobody has thought of yet."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Somebody asks to take back their move number `move`, a `verb`. `until`: when it lapses if not all have answered."""

    move: int
    verb: str
    by: int
    agreed: tuple[int, ...]
    until: datetime

    def to_json(self) -> dict[str, Any]:
        """As it is stored with the game."""
        agreed, until = list(self.agreed), self.until.isoformat()
        return {"move": self.move, "verb": self.verb, "by": self.by, "agreed": agreed, "until": until}


def proposal_of(game: Game) -> Proposal | None:
    """What is proposed in a game as it is stored; None for nothing."""
    return _read(game.undo) if game.undo else None


def _read(data: Mapping[str, Any]) -> Proposal:
    until = datetime.fromisoformat(data["until"])
    return Proposal(data["move"], data["verb"], data["by"], tuple(data["agreed"]), until)


# following the log


def follow(proposal: Proposal | None, entry: Action) -> Proposal | None:
    """What is proposed after an entry of the log. Time may pass; whatever else happens ends it."""
    if entry.kind == Action.Kind.EVENT:
        if entry.text == PROPOSED:
            return _read({**entry.data, "by": entry.seat, "agreed": (entry.seat,)})
        if entry.text == AGREED and proposal is not None and entry.seat is not None:
            return replace(proposal, agreed=(*proposal.agreed, entry.seat))
        if entry.text in _ABOUT_TIME:
            return proposal
    return None


def note(game: Game, entry: Action) -> None:
    """Take note of an entry of the log, after the clocks have. Does not save the game.

    While something is proposed the worker waits for its end; after that, for what it waited for before.
    """
    before = proposal_of(game)
    after = follow(before, entry)
    if after is not None:
        game.undo, game.due_at = after.to_json(), after.until
    elif before is not None:
        game.undo = {}
        game.due_at = game.acted_at if worker_acts(game) else None


def worker_acts(game: Game) -> bool:
    """Whether a computer player is asked, in its own seat or for somebody who is away. One query at most."""
    if game.to_act is None:
        return False
    player = game.seats.select_related("player").get(number=game.to_act).player
    return player.is_computer or clocks.state_of(game, game.to_act) is State.AWAY


# whose consent is wanted


def company(game: Game) -> tuple[int, ...]:
    """The seats whose people play, and who must all consent. Computer players consent always: they know but what they see."""
    clock = clocks.clock_of(game)
    if clock is not None:
        return clock.here()
    return tuple(game.seats.filter(player__computer="").order_by("number").values_list("number", flat=True))


def waiting_for(game: Game) -> tuple[int, ...]:
    """The seats that have not answered yet; none while nothing is proposed."""
    proposal = proposal_of(game)
    return tuple(seat for seat in company(game) if seat not in proposal.agreed) if proposal is not None else ()


# what can be taken back


def takeable(table: log.Table, happened: Sequence[Action] | None = None) -> log.Move | None:
    """The move that may be proposed to be taken back now, by who made it; None if there is none.

    It is the last action of the open hand, done by a person for their own seat; nobody has acted, come or gone since; it has
    not been asked before and declined; and nothing that was hidden was seen by it (`domain.engine.undo`). `happened` is the log from
    that action on, or more of it, without moves that were taken back; one query without it.
    """
    game = table.game
    if game.kind != Game.Kind.PLAY or game.status != Game.Status.PLAYING or game.undo:
        return None
    if table.hand is None or not table.moves:
        return None
    last = table.moves[-1]
    if happened is None:
        happened = list(game.actions.filter(number__gte=last.number).select_related("player__merged_into"))
    entry, *since = (one for one in happened if one.number >= last.number)
    if any(one.kind == Action.Kind.MOVE or one.text not in _ABOUT_TIME for one in since):
        return None
    seated = table.seats[last.seat].player
    own = entry.player is not None and not entry.player.is_computer and entry.player.current.pk == seated.current.pk
    if not own or clocks.state_of(game, last.seat) not in (None, State.HERE):
        return None
    before = log.replay_hand(table, table.row, table.moves[:-1])
    after = before.copy()
    after.push(parse_action(last.text))
    return last if can_be_taken_back(before, after) else None
