"""Who may watch a game. Every page, file and socket of a game asks here before it shows anything to who does not play.

A closed table is closed while its game goes on: nobody but those who sit there learns anything of it. When it is over, its
permanent pages are open to whoever has the link, as those of every other game. A table whose deals others have still to
play is closed until they have, over or not, whatever was agreed.
"""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from games.models import Game
from games.refusals import Refusal
from games.watching_models import TableWatching, WatchMode


class ClosedTable(Refusal):
    """The table is closed to watchers while its game goes on."""

    status = 403
    code = "closed-table"
    message = _("Only those who play see this table while the game goes on.")


class SealedTable(ClosedTable):
    """The deals of the table are still to be played at others."""

    message = _("Others have still to play the deals of this table. Until then only those who sit here see it.")


def mode_of(game: Game) -> WatchMode:
    """Who may watch the game, as is agreed at the table; nobody while its deals are sealed. Two queries at most."""
    if game.is_sealed:
        return WatchMode.CLOSED
    mode = TableWatching.objects.filter(game=game).values_list("mode", flat=True).first()
    return WatchMode(mode) if mode is not None else WatchMode.LINK


def closed_game(public_id: str) -> Game | None:
    """The game with this public id, if its table is closed to watchers now. One query."""
    agreed = Q(status=Game.Status.PLAYING, watching__mode=WatchMode.CLOSED)
    sealed = Q(board_set__isnull=False, board_set__opened_at=None)
    return Game.objects.filter(agreed | sealed, public_id=public_id).select_related("board_set").first()


def sits(game: Game, player: Player | None) -> bool:
    """Whether the player sits at the table. No query where a page has read the seats already."""
    return player is not None and any(seat.player_id == player.pk for seat in game.seats.all())


def may_see(game: Game, viewer: Player | None, mode: WatchMode | None = None) -> bool:
    """Whether `viewer` (None: a stranger) may see anything of the game now; `mode` is what is agreed, if that is known."""
    if game.is_sealed:
        return sits(game, viewer)
    if game.status != Game.Status.PLAYING:
        return True
    return (mode or mode_of(game)) is not WatchMode.CLOSED or sits(game, viewer)


def check(game: Game, viewer: Player | None, mode: WatchMode | None = None) -> None:
    """Raise ClosedTable unless `viewer` may see the game now; as `may_see`."""
    if not may_see(game, viewer, mode):
        raise SealedTable if game.is_sealed else ClosedTable
