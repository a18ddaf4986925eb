"""How far a player has seen a game, and what is therefore news to them; and the occasion of a game ("Liga, round 2,
table 3"), which other apps register.

A visit ends when nothing was shown for `AWAY`. What happened before the present visit began is shown as news until the
player dismisses it, acts, or comes again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Player
from core.models import only
from core.registry import Registry
from games.models import Game
from games.mygames.models import Seen
from notices.selectors import note_visit

AWAY: Final = timedelta(minutes=10)
"""Somebody who looks again within this time was not away."""
WRITTEN_EVERY: Final = timedelta(seconds=30)
"""A look that shows nothing new is written at most this often."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The news: the actions after number `after` up to `until`.

    `last_here` is None if the player never looked before.
    """

    after: int
    until: int
    last_here: datetime | None


def news_for(game: Game, player: Player, now: datetime | None = None) -> Stretch | None:
    """What the player has missed; None if nothing. One query."""
    row = only(Seen.objects.filter(game=game, player=player))
    if row is None:
        stretch = Stretch(0, game.number, None)
    elif (now or timezone.now()) - row.at >= AWAY:
        stretch = Stretch(row.number, game.number, row.at)
    else:
        stretch = Stretch(row.since, row.until, row.away_since)
    return stretch if stretch.after < stretch.until else None


def not_seen(game: Game, player: Player) -> Stretch:
    """What happened since the player last looked at all."""
    row = only(Seen.objects.filter(game=game, player=player))
    return Stretch(row.number if row is not None else 0, game.number, row.at if row is not None else None)


def note(
    game: Game, player: Player, number: int, *, done: bool = False, acted: bool = False, now: datetime | None = None
) -> None:
    """Note that the player has been shown the game up to `number`.

    With `done` they have also dismissed the news. `acted` implies `done`; the action has settled the notices itself
    (`outbox.settle`). A number beyond the game's last action counts as that one; a number smaller than the noted one
    does not replace it.
    """
    moment = now or timezone.now()
    number = min(number, game.number)
    done = done or acted
    key = game.public_id, player.public_id
    if not acted:
        note_visit(player, game.public_id)
    elif timedelta(0) <= moment - _noted.get(key, _LONG_AGO) < WRITTEN_EVERY:
        return
    row = only(Seen.objects.filter(game=game, player=player))
    if row is not None and _is_noted(row, number, moment, done=done):
        if done:
            _remember(key, row.at)
        return
    try:
        with transaction.atomic():
            row = only(Seen.objects.select_for_update().filter(game=game, player=player))
            row = row or Seen(game=game, player=player, number=0, at=moment - AWAY)
            if moment - row.at >= AWAY:
                row.since, row.until = row.number, max(row.number, number)
                row.away_since = row.at if row.pk else None
            if done:
                row.since = row.until
            row.number, row.at = max(row.number, number), max(row.at, moment)
            row.save()
        if done:
            transaction.on_commit(lambda: _remember(key, row.at), robust=True)
    except IntegrityError:  # another page of the same player was first
        return


_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
_REMEMBERED: Final = 10_000
_noted: Final[dict[tuple[str, str], datetime]] = {}
"""By game and player: when this process last saw it written that the player has no news. Until that must be written
again, nothing can become news, so no query is needed."""


def _remember(key: tuple[str, str], at: datetime) -> None:
    if len(_noted) >= _REMEMBERED:
        _noted.clear()
    _noted[key] = at


def _is_noted(row: Seen, number: int, moment: datetime, *, done: bool) -> bool:
    """Whether nothing need be written yet. After an action the number can wait, after a look only if it is not new."""
    if done:
        nothing_new = row.since == row.until
        return nothing_new and moment - row.at < WRITTEN_EVERY
    return number <= row.number and moment - row.at < WRITTEN_EVERY


Namer: TypeAlias = Callable[[Collection[Game]], Mapping[int, str]]
"""Takes games; returns the occasions that the app knows, by the game's key, in the reader's language. One query or
two."""

namers: Final = Registry[Namer]()


def occasions_of(games: Collection[Game]) -> dict[int, str]:
    """The occasions of these games, by their keys. Games that players opened themselves have none."""
    occasions: dict[int, str] = {}
    if games:
        for namer in namers:
            occasions |= namer(games)
    return occasions
