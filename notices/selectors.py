"""A player's notices in the page: the list, how many are unread, marking them read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.translation import get_language

from accounts.availability import zone_of
from accounts.models import Player
from notices import registry
from notices.models import Outbox
from notices.registry import Kind, Words

PAGE: Final = 30


@dataclass(frozen=True, slots=True)
class Line:
    id: int
    kind: Kind
    words: Words
    at: datetime
    unread: bool


def unread(player: Player) -> int:
    """How many unread notices the player has: one query on an index."""
    return Outbox.objects.filter(player=player, shown=True, read_at__isnull=True).count()


def lines(player: Player, *, before: int | None = None, limit: int = PAGE) -> tuple[Sequence[Line], int | None]:
    """Notices in the active language, newest first, and from where to go on (None at the end).

    What is no longer true is left out, and counts as read from now on.
    """
    rows = Outbox.objects.filter(player=player, shown=True).order_by("-pk")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    page = list(rows[: limit + 1])
    onward = page[limit - 1].pk if len(page) > limit else None
    language = get_language() or ""
    found, untrue = [], []
    with timezone.override(zone_of(player)), registry.reading([row.params for row in page[:limit]]):
        for row in page[:limit]:
            words = _words(row, player, language)
            if words is None:
                untrue.append(row.pk)
            else:
                found.append(Line(row.pk, Kind(row.kind), words, row.created_at, row.read_at is None))
    if untrue:
        Outbox.objects.filter(pk__in=untrue, read_at__isnull=True).update(read_at=timezone.now())
    return found, onward


def mark_read(player: Player, ids: Sequence[int] | None = None) -> int:
    """Mark some of the player's notices as read, or all; returns how many were unread."""
    rows = Outbox.objects.filter(player=player, shown=True, read_at__isnull=True)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    return rows.update(read_at=timezone.now())


def _words(row: Outbox, player: Player, language: str) -> Words | None:
    speaker = registry.find_wording(row.event)
    if speaker is None or not speaker.still_true(row.event, row.params, player):
        return None
    return speaker.words(row.event, row.params, player, language)
