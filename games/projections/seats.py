"""Who sat where, and when: seats change hands when a substitute comes, and what was done before was done by another.

Of whom something is wanted in a stored game: a projection, so that a list of games need not open any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from accounts.models import Player
from domain.pace import State
from games.models import Action, Game, Seat
from games.projections import clocks, undo_proposal
from games.read_models import Line, Sat


@dataclass(frozen=True, slots=True)
class Change:
    """From entry `number` of the log on, `seat` is another's than before."""

    number: int
    seat: int
    before: Player


@dataclass(frozen=True, slots=True)
class Sitters:
    """The people of the seats of one game, over its whole log. `now` holds whom each seat that changed hands has at last."""

    changes: tuple[Change, ...] = ()
    now: tuple[tuple[int, Player], ...] = ()

    def at(self, number: int) -> tuple[Sat, ...]:
        """Who sat, when entry `number` was written, in the seats that ever changed hands; nothing for all the others."""
        return tuple(
            Sat(seat, (then := self._at(seat, last, number)).display_name, then == last, then.page)
            for seat, last in self.now
        )

    def told(self, line: Line) -> Line:
        """A line of the log with the people of its own time."""
        return replace(line, then=self.at(line.number)) if self.now else line

    def _at(self, seat: int, last: Player, number: int) -> Player:
        """The person of a seat: whoever gave it away next, or who has it still."""
        return next((change.before for change in self.changes if change.seat == seat and change.number > number), last)


def sitters_of(game: Game, seats: Sequence[Seat], events: Sequence[Action] | None = None) -> Sitters:
    """Who sat in `seats`, which are those of `game`; `events` are those of its log, if they were read.

    No query without a clock, where no seat changes hands; two at most with it.
    """
    if not game.pace:
        return Sitters()
    if events is None:
        events = list(game.actions.filter(kind=Action.Kind.EVENT, text="substituted").order_by("number"))
    entries = [event for event in events if event.text == "substituted"]
    if not entries:
        return Sitters()
    wanted = {str(entry.data["of"]) for entry in entries}
    people = Player.objects.filter(public_id__in=wanted).select_related("merged_into")
    known = {player.public_id: player.current for player in people}
    changes = [
        Change(entry.number, entry.seat, known[str(entry.data["of"])])
        for entry in entries
        if entry.seat is not None and str(entry.data["of"]) in known
    ]
    changed = {change.seat for change in changes}
    return Sitters(
        tuple(changes), tuple((seat.number, seat.player.current) for seat in seats if seat.number in changed)
    )


def person_of(game: Game, player: Player) -> Player:
    """Who somebody named in the log of `game` is now: a guest who became a member since is the member, unless both sat in
    this game. No query for anybody else.
    """
    current = player.current
    if current.pk == player.pk:
        return player
    seated = game.actions.filter(text__in=("sat", "substituted"), player=current)
    return player if seated.exists() else current


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
        game.waits_for = sum(1 << seat for seat in undo_proposal.waiting_for(game))
    else:
        game.waits_for = 1 << game.to_act if _is_left_to_a_person(game, game.to_act) else 0


def _is_left_to_a_person(game: Game, seat: int) -> bool:
    """Whether the seat's player has to act: nothing is due for the worker, no substitute is sought, and there is no pause."""
    clock = clocks.clock_of(game)
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
