"""Who sat where, and when: seats change hands when a substitute comes, and what was done before was done by another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from accounts.models import Player
from games.models import Action, Game, Seat
from games.seen import Line, Sat


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


def of(game: Game, seats: Sequence[Seat]) -> Sitters:
    """Who sat in `seats`, which are those of `game`. No query without a clock, where no seat changes hands; one or two with it."""
    if not game.pace:
        return Sitters()
    entries = list(game.actions.filter(kind=Action.Kind.EVENT, text="substituted").order_by("number"))
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
