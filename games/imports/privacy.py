"""Imported records, for `accounts`. They belong only to their owner."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from games.imports.models import ImportedGame


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's records, but none twice. Records that are not kept still expire."""
    known = ImportedGame.objects.filter(owner=member).values("digest")
    ImportedGame.objects.filter(owner=guest).exclude(digest__in=known).update(owner=member)
    ImportedGame.objects.filter(owner=guest).delete()


def release(player: Player) -> bool:
    """Delete all of them, so that their addresses no longer work."""
    ImportedGame.objects.filter(owner=player).delete()
    return False


def export(player: Player) -> Mapping[str, object]:
    """Every record with its title and when it was imported."""
    rows = ImportedGame.objects.filter(owner=player).order_by("created_at", "pk")
    return {
        "imported_records": [
            {
                "public_id": row.public_id,
                "title": row.title,
                "brought_at": row.created_at,
                "goes_at": row.keep_until,
                "record": row.record,
            }
            for row in rows
        ]
    }
