"""How many watch a game just now: one row for each open socket of a page that watches.

The server that holds a socket says so every `STAYS_SECONDS`; if it dies, the row counts for `HOLDS_SECONDS` more. Somebody
who has several pages open counts once; of strangers every page counts, as nothing is kept by which to know them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Q
from django.utils import timezone

from accounts.models import Player
from games.models import Game
from games.watching_models import Watcher

STAYS_SECONDS: Final = 30.0
HOLDS_SECONDS: Final = 80.0


def come(game_id: int, socket: str, player: Player | None) -> None:
    """A page that watches is open."""
    now = timezone.now()
    Watcher.objects.filter(until__lt=now - timedelta(hours=1)).delete()
    Watcher.objects.update_or_create(
        socket=socket, defaults={"game_id": game_id, "player": player, "until": _until(now)}
    )


def stay(socket: str) -> None:
    """It still is."""
    Watcher.objects.filter(socket=socket).update(until=_until(timezone.now()))


def go(socket: str) -> None:
    """It is closed."""
    Watcher.objects.filter(socket=socket).delete()


def count(game: Game) -> int:
    """How many watch. One query."""
    return counts([game.pk]).get(game.pk, 0)


def counts(games: Iterable[int]) -> dict[int, int]:
    """How many watch each of these games (by key); games that nobody watches are left out. One query."""
    here = Watcher.objects.filter(game__in=list(games), until__gt=timezone.now()).order_by()
    rows = here.values("game").annotate(
        known=Count("player", distinct=True), strangers=Count("pk", filter=Q(player__isnull=True))
    )
    return {row["game"]: row["known"] + row["strangers"] for row in rows}


def known(game: Game) -> list[Player]:
    """The players among those who watch, in the order of their names."""
    here = Watcher.objects.filter(game=game, until__gt=timezone.now(), player__isnull=False)
    people = Player.objects.filter(pk__in=here.values("player")).select_related("merged_into")
    return sorted(people, key=lambda player: player.display_name.casefold())


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=HOLDS_SECONDS)
