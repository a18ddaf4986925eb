"""What one viewer is told about the watching of a game, as plain data: the only input of pages, fragments and JSON."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import Player
from games.models import Game
from games.watching import door, presence, rights
from games.watching_models import NamedWatcher, TableWatching, WatchMode


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody at the table proposes `mode`. `mine`: the viewer has not agreed yet; `own`: it is their own proposal."""

    mode: str
    words: str  # as WatchMode words it
    by: str
    mine: bool
    own: bool


@dataclass(frozen=True, slots=True)
class WatchingSeen:
    """How a game is watched. `count` are those who watch, `names` those of them who chose to be named.

    `sits`: the viewer plays. `choices` are the modes a player may propose. `named`: the viewer, a watcher, is named;
    `may_be_named`: they have a name to show.
    """

    public_id: str
    playing: bool
    count: int
    names: tuple[str, ...]
    mode: str
    mode_words: str
    sits: bool
    alone: bool
    choices: tuple[tuple[str, str], ...]
    asked: Asked | None
    named: bool
    may_be_named: bool


def of(game: Game, viewer: Player | None) -> WatchingSeen:
    """How `game` is watched, for `viewer` (None: a stranger). Raises ClosedTable."""
    row = TableWatching.objects.filter(game=game).select_related("wished_by__merged_into").first()
    mode = WatchMode(row.mode) if row is not None else WatchMode.LINK
    rights.check(game, viewer, mode)
    sealed = game.is_sealed
    if sealed:  # whatever was agreed: it holds again when all tables have played
        mode, row = WatchMode.CLOSED, None
    playing, sits = game.status == Game.Status.PLAYING, rights.sits(game, viewer)
    count = presence.count(game) if playing else 0
    wanted = count or not sits  # where nobody watches, nobody is named
    chosen = set(NamedWatcher.objects.filter(game=game).values_list("player", flat=True)) if wanted else set()
    named = [player for player in presence.known(game) if player.pk in chosen] if count and chosen else []
    return WatchingSeen(
        public_id=game.public_id,
        playing=playing,
        count=count,
        names=tuple(player.display_name for player in named),
        mode=mode.value,
        mode_words=str(mode.label),
        sits=sits,
        alone=sits and len(door.asked(game)) < 2,
        choices=tuple((each.value, str(each.label)) for each in WatchMode if each is not mode)
        if sits and not sealed
        else (),
        asked=_asked(row, viewer) if row is not None and sits and playing else None,
        named=viewer is not None and viewer.pk in chosen,
        may_be_named=viewer is not None and bool(viewer.name) and not sits,
    )


def _asked(row: TableWatching, viewer: Player | None) -> Asked | None:
    if not row.wish or viewer is None:
        return None
    return Asked(
        mode=row.wish,
        words=str(WatchMode(row.wish).label),
        by=row.wished_by.display_name if row.wished_by is not None else "",
        mine=viewer.pk not in row.agreed,
        own=row.wished_by_id == viewer.pk,
    )
