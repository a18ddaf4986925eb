"""The door: what the people at a table agree on about who may watch it.

As at the door of games: the lock on the game's row first, then the checks, everything in one transaction, the ring after
the commit; a refusal changes nothing.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import prefetch_related_objects

from accounts.models import Player
from games import bell, clocks
from games.models import Game
from games.refusals import GameEnded, Malformed, NotNow, NotYourSeat
from games.watching import rights
from games.watching_models import NamedWatcher, TableWatching, WatchMode


def agree_at_start(game: Game, mode: str) -> None:
    """What was agreed before the game began. Call it in the transaction that makes the game."""
    if mode != WatchMode.LINK:
        TableWatching.objects.create(game=game, mode=mode)


def propose(game_id: int, player: Player, mode: str) -> TableWatching:
    """Propose who may watch from now on. It holds as soon as everybody who plays there has agreed; at once for who plays
    alone.

    Proposing what somebody else proposes is agreeing. Raises NotYourSeat, GameEnded, NotNow where it is so already, something
    else is proposed, or the table is closed because others have still to play its deals; Malformed for a mode that is none.
    """
    if mode not in WatchMode.values:
        raise Malformed("mode is one of those that are offered")
    with transaction.atomic():
        game, row = _locked(game_id, player)
        if row.mode == mode or row.wish not in ("", mode) or game.is_sealed:
            raise NotNow
        if not row.wish:
            row.wish, row.wished_by, row.agreed = mode, player, []
        return _agreed(game, row, player)


def answer(game_id: int, player: Player, *, agree: bool, mode: str = "") -> TableWatching:
    """Agree to what is proposed, or decline it, which takes it off the table. `mode` is what the player saw proposed.

    Raises NotYourSeat, GameEnded, NotNow where nothing is proposed or, meanwhile, something else.
    """
    with transaction.atomic():
        game, row = _locked(game_id, player)
        if not row.wish or mode not in ("", row.wish):
            raise NotNow
        if agree:
            return _agreed(game, row, player)
        row.wish, row.wished_by, row.agreed = "", None, []
        return _saved(game, row)


def show_name(game: Game, player: Player, *, shown: bool) -> None:
    """A watcher lets those at the table know their name, or does so no longer. Raises ClosedTable, NotNow for who plays."""
    rights.check(game, player)
    with transaction.atomic():
        if shown:
            if rights.sits(game, player):
                raise NotNow
            NamedWatcher.objects.get_or_create(game=game, player=player)
        else:
            NamedWatcher.objects.filter(game=game, player=player).delete()
        _ring(game)


def _locked(game_id: int, player: Player) -> tuple[Game, TableWatching]:
    game = Game.objects.select_for_update().get(pk=game_id)
    if not rights.sits(game, player):
        raise NotYourSeat
    if game.status != Game.Status.PLAYING:
        raise GameEnded
    row, _made = TableWatching.objects.get_or_create(game=game)
    return game, row


def _agreed(game: Game, row: TableWatching, player: Player) -> TableWatching:
    if player.pk not in row.agreed:
        row.agreed = [*row.agreed, player.pk]
    if not asked(game) - set(row.agreed):
        row.mode = row.wish
        row.wish, row.wished_by, row.agreed = "", None, []
    return _saved(game, row)


def _saved(game: Game, row: TableWatching) -> TableWatching:
    row.save()
    _ring(game)
    return row


def asked(game: Game) -> set[int]:
    """The keys of those who have to agree: the people who sit there, without those who are away."""
    clock = clocks.of(game)
    seats = list(game.seats.all())
    prefetch_related_objects(seats, "player")
    people = {seat.number: seat.player_id for seat in seats if not seat.player.is_computer}
    here = set(people) if clock is None else set(clock.here())
    return {person for number, person in people.items() if number in here}


def _ring(game: Game) -> None:
    public_id = game.public_id
    transaction.on_commit(lambda: bell.ring_watching(public_id), robust=True)
