"""Agreements of the people at a table about who may watch it, and how many watch now. The locking rules are those of
`games.services.play`.

There is one row for each open socket of a page that watches. The server that holds a socket renews its row every
`STAYS_SECONDS`; if the server dies, the row counts for `HOLDS_SECONDS` more. A player with several open pages counts
once, and so do all strangers at one address; of strangers without a known address, every page counts.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Player
from games import broadcast
from games import permissions as game_permissions
from games.exceptions import NotNow
from games.models import Game, TableWatching, WatchMode
from games.services import computers
from games.services.agreements import WATCHING_PROPOSED, Consent
from games.services.common import check_playing
from games.watching.models import NamedWatcher, Watcher


def show_name(game: Game, player: Player, *, shown: bool) -> None:
    """Show the name of a watcher to the people at the table, or hide it.

    Raises ClosedTable, NotNow for a player of the game.
    """
    game_permissions.check_may_see(game, player)
    with transaction.atomic():
        if shown:
            if game_permissions.sits(game, player):
                raise NotNow
            NamedWatcher.objects.get_or_create(game=game, player=player)
        else:
            NamedWatcher.objects.filter(game=game, player=player).delete()
        _ring(game)


def _ring(game: Game) -> None:
    public_id = game.public_id
    transaction.on_commit(lambda: broadcast.ring_watching(public_id), robust=True)


def _check_proposal(game: Game) -> None:
    if game.is_sealed:  # others have yet to play its deals
        raise NotNow


_consent: Final = Consent(WATCHING_PROPOSED, TableWatching, WatchMode, _ring, check_playing, _check_proposal)
propose = _consent.propose
answer = _consent.answer


STAYS_SECONDS: Final = 30.0
HOLDS_SECONDS: Final = 80.0


def open_page(game_id: int, socket: str, player: Player | None, address: str = "") -> None:
    """Count a page of a watcher: a player, or a stranger at an IP address, of which only a digest is stored."""
    now = timezone.now()
    who = (
        f"player {player.pk}"
        if player is not None
        else salted_hmac("watcher", f"{game_id} {address or socket}").hexdigest()
    )
    Watcher.objects.filter(until__lt=now - timedelta(hours=1)).delete()
    Watcher.objects.update_or_create(
        socket=socket, defaults={"game_id": game_id, "player": player, "who": who, "until": _until(now)}
    )
    computers.wake(game_id)


def keep_page(socket: str) -> None:
    Watcher.objects.filter(socket=socket).update(until=_until(timezone.now()))


def close_page(socket: str) -> None:
    Watcher.objects.filter(socket=socket).delete()


def watchers_here() -> QuerySet[Watcher]:
    """The rows of all pages that watch any game now."""
    return Watcher.objects.filter(until__gt=timezone.now())


def count_watchers(game: Game) -> int:
    """How many people watch the game now. One query."""
    return watchers_here().filter(game=game).aggregate(watch=Count("who", distinct=True))["watch"]


def known_watchers(game: Game) -> list[Player]:
    """The players who watch the game now, in order of their names."""
    here = watchers_here().filter(game=game, player__isnull=False)
    people = Player.objects.filter(pk__in=here.values("player")).select_related("merged_into")
    return sorted(people, key=lambda player: player.display_name.casefold())


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=HOLDS_SECONDS)
