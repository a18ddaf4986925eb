"""Who may watch a game, and whether its people may end it.

Every page, file and socket of a game asks here before it shows anything to anyone who does not play.

A closed table is closed while its game goes on: only its players learn anything about it. When the game is over, its
permanent pages are open to anyone with the link, like those of every other game. If other tables have still to play
its deals, a table is closed until they have, whether its game is over or not, and whatever was agreed.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from core.exceptions import Refusal
from games.exceptions import NotYourSeat
from games.models import ChatMode, Game, TableChat, TableWatching, WatchMode


class ClosedTable(Refusal):
    """Only its players can see the table: it is closed while its game goes on, or other tables have still to play its
    deals (`sealed`)."""

    words = {"closed-table": _("Only those who play see this table while the game goes on.")}
    statuses = {403: ("closed-table",)}
    code = "closed-table"

    def __init__(self, *, sealed: bool = False) -> None:
        super().__init__(message=_SEALED if sealed else "")


_SEALED: Final = _("Others have still to play the deals of this table. Until then only those who sit here see it.")


WITH_IT: Final = ("board_set", "watching")
"""The relations to read with a game before the check who may see it."""


def mode_of(game: Game) -> WatchMode:
    """Who may watch the game, by agreement of the table; nobody while its deals are sealed.

    At most two queries, none for a game that was read with `WITH_IT`.
    """
    if game.is_sealed:
        return WatchMode.CLOSED
    if game._state.fields_cache.get("watching"):
        return WatchMode(game.watching.mode)
    row = None if "watching" in game._state.fields_cache else TableWatching.objects.filter(game=game).first()
    return WatchMode(row.mode) if row is not None else WatchMode.LINK


def sits(game: Game, player: Player | None) -> bool:
    """Whether the player sits at the table. No query if the seats were read already."""
    return player is not None and any(seat.player_id == player.pk for seat in game.seats.all())


def seat_of(game: Game, player: Player | None) -> int:
    """The seat of the player. Raises NotYourSeat. No query if the seats were read already."""
    if player is not None:
        for seat in game.seats.all():
            if seat.player_id == player.pk:
                return seat.number
    raise NotYourSeat


def may_see(game: Game, viewer: Player | None, mode: WatchMode | None = None) -> bool:
    """Whether `viewer` (None: a stranger) may see anything of the game now; `mode` is the agreed one, if it was read
    already."""
    if game.is_sealed:
        return sits(game, viewer)
    if game.status != Game.Status.PLAYING:
        return True
    return (mode or mode_of(game)) is not WatchMode.CLOSED or sits(game, viewer)


def check_may_see(game: Game, viewer: Player | None, mode: WatchMode | None = None) -> None:
    """Raise ClosedTable unless `viewer` may see the game now. The parameters are those of `may_see`."""
    if not may_see(game, viewer, mode):
        raise ClosedTable(sealed=game.is_sealed)


def may_be_ended(game: Game) -> bool:
    """Whether the people of this game may end it by consent: not in lessons, nor if other tables play the same
    deals."""
    return game.status == Game.Status.PLAYING and game.kind == Game.Kind.PLAY and game.board_set_id is None


def chat_mode_of(game: Game) -> ChatMode:
    """The agreed mode of a table's chat. One query."""
    row = TableChat.objects.filter(game=game).values_list("mode", flat=True).first()
    return ChatMode(row) if row is not None else ChatMode.BETWEEN
