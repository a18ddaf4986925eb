"""Consent at a table: one who plays there proposes another mode, the others agree to it or decline it.

What is agreed about one thing is a row of the game: `mode` holds now, `wish` is proposed instead by `wished_by`, and
`agreed` are the keys of those who have agreed to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction
from django.db.models import TextChoices, prefetch_related_objects

from accounts.models import Player
from games import projections
from games.exceptions import Malformed, NotNow, NotYourSeat
from games.models import Game, TableChat, TableWatching

Row = TypeVar("Row", TableChat, TableWatching)


def agree_at_start(game: Game, *, chat: str, watching: str) -> None:
    """Keep what was agreed before the game began. Call it in the transaction that makes the game."""
    if chat != TableChat().mode:
        TableChat.objects.create(game=game, mode=chat)
    if watching != TableWatching().mode:
        TableWatching.objects.create(game=game, mode=watching)


@dataclass(frozen=True, slots=True)
class Consent(Generic[Row]):
    """How one thing is agreed on: `rows` hold it, `modes` are offered.

    `check` raises what else keeps from answering, `check_proposal` from proposing; `changed` is told of a mode that holds
    from now on, with who proposed it; `ring` tells open pages after the commit. All are called with the lock held.
    """

    rows: type[Row]
    modes: type[TextChoices]
    ring: Callable[[Game], None]
    check: Callable[[Game], None] = lambda _game: None
    check_proposal: Callable[[Game], None] = lambda _game: None
    changed: Callable[[Game, str, Player], object] = lambda _game, _mode, _by: None

    def propose(self, game_id: int, player: Player, mode: str) -> Row:
        """Propose another mode. It holds as soon as everybody who plays there has agreed; at once for who plays alone.

        Proposing what somebody else proposes is agreeing. Locks the game's row. Raises Malformed for a mode that is none,
        NotYourSeat, what the checks raise, NotNow where it is so already or something else is proposed.
        """
        if mode not in self.modes.values:
            raise Malformed("mode is one of those that are offered")
        with transaction.atomic():
            game, row = self._locked(game_id, player)
            self.check_proposal(game)
            if row.mode == mode or row.wish not in ("", mode):
                raise NotNow
            if not row.wish:
                row.wish, row.wished_by, row.agreed = mode, player, []
            return self._agreed(game, row, player)

    def answer(self, game_id: int, player: Player, *, agree: bool, mode: str = "") -> Row:
        """Agree to what is proposed, or decline it, which takes it off the table. `mode` is what the player saw proposed.

        Locks the game's row. Raises NotYourSeat, what `check` raises, NotNow where nothing is proposed or, meanwhile,
        something else.
        """
        with transaction.atomic():
            game, row = self._locked(game_id, player)
            if not row.wish or mode not in ("", row.wish):
                raise NotNow
            if agree:
                return self._agreed(game, row, player)
            row.wish, row.wished_by, row.agreed = "", None, []
            return self._saved(game, row)

    def _locked(self, game_id: int, player: Player) -> tuple[Game, Row]:
        game = Game.objects.select_for_update().get(pk=game_id)
        if not game.seats.filter(player=player).exists():
            raise NotYourSeat
        self.check(game)
        row, _made = self.rows.objects.get_or_create(game=game)
        return game, row

    def _agreed(self, game: Game, row: Row, player: Player) -> Row:
        if player.pk not in row.agreed:
            row.agreed = [*row.agreed, player.pk]
        if not voters(game) - set(row.agreed):
            row.mode, by = row.wish, row.wished_by or player
            row.wish, row.wished_by, row.agreed = "", None, []
            self.changed(game, row.mode, by)
        return self._saved(game, row)

    def _saved(self, game: Game, row: Row) -> Row:
        row.save()
        self.ring(game)
        return row


def voters(game: Game) -> set[int]:
    """The keys of those who have to agree: the people who sit there, without those who are away while the game goes on."""
    clock = projections.clock_of(game) if game.status == Game.Status.PLAYING else None
    seats = list(game.seats.all())
    prefetch_related_objects(seats, "player")
    people = {seat.number: seat.player_id for seat in seats if not seat.player.is_computer}
    return {person for number, person in people.items() if clock is None or number in clock.here()}
