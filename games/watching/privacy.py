"""Data of a player as a watcher, for `accounts`: the games in which they are named."""

from __future__ import annotations

from accounts.models import Player
from games.models import TableWatching
from games.services.agreements import merge_consent
from games.watching.models import NamedWatcher, Watcher


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's rows, so that they watch the same games, are named in the same games and have agreed to
    the same."""
    Watcher.objects.filter(player=guest).update(player=member)
    known = NamedWatcher.objects.filter(player=member).values("game")
    NamedWatcher.objects.filter(player=guest).exclude(game__in=known).update(player=member)
    NamedWatcher.objects.filter(player=guest).delete()
    merge_consent(TableWatching, guest, member)


def release(player: Player) -> bool:
    Watcher.objects.filter(player=player).delete()
    NamedWatcher.objects.filter(player=player).delete()
    return False


def export(player: Player) -> dict[str, object]:
    rows = NamedWatcher.objects.filter(player=player).order_by("pk")
    return {"named_as_watcher": list(rows.values_list("game__public_id", flat=True))}
