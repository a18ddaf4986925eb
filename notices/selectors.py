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
from notices import mail, registry
from notices.models import GamePreference, Outbox, PushSubscription
from notices.preferences import note_looking, preferences_of, wishes
from notices.registry import Kind, Wish, Words

PAGE: Final = 30


@dataclass(frozen=True, slots=True)
class Line:
    id: int
    kind: Kind
    words: Words
    at: datetime
    unread: bool


def unread(player: Player) -> int:
    """How many unread notices the player has: one query on an index, and what it takes to leave out questions that are answered
    and tables that wait no more, which count as read from now on."""
    kinds = dict(Outbox.objects.filter(player=player, shown=True, read_at__isnull=True).values_list("pk", "kind"))
    passing = [pk for pk, kind in kinds.items() if kind in (Kind.QUESTION, Kind.TABLE, Kind.MEETING)]
    over = _untrue(player, list(Outbox.objects.filter(pk__in=passing))) if passing else []
    return len(kinds) - (mark_read(player, over) if over else 0)


def _untrue(player: Player, rows: Sequence[Outbox]) -> list[int]:
    with registry.reading([row.params for row in rows]):
        return [row.pk for row in rows if not _holds(row, player)]


def _holds(row: Outbox, player: Player) -> bool:
    speaker = registry.find_wording(row.event)
    return speaker is not None and speaker.still_true(row.event, row.params, player)


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


def is_reached(player: Player) -> bool:
    """Whether the player hears of what happens at tables without looking: on a device, or by mail."""
    wished = wishes(Kind.TABLE, preferences_of(player), GamePreference())
    by_mail = wished.mail is not Wish.NEVER and mail.address_of(player) != ""
    return by_mail or (wished.push is Wish.NOW and PushSubscription.objects.filter(player=player).exists())


def look(player: Player, topic: str) -> None:
    """`player` has `topic` (the public id of a game or table) open and in focus, and so sees what happens there."""
    note_looking(player, topic)
    note_visit(player, topic)


def note_visit(player: Player, topic: str) -> None:
    """The player looks at `topic`: what was told of it is read, but for what asks them to act and still holds, and the chat,
    which knows how far it was read. One query where nothing was told."""
    rows = list(Outbox.objects.filter(player=player, topic=topic, shown=True, read_at__isnull=True))
    if rows:
        asking = [row for row in rows if row.kind in (*registry.ASKING, Kind.TALK, Kind.MESSAGE)]
        mark_read(player, [row.pk for row in rows if row not in asking] + _untrue(player, asking))


def _words(row: Outbox, player: Player, language: str) -> Words | None:
    speaker = registry.find_wording(row.event)
    if speaker is None or not _holds(row, player):
        return None
    return speaker.words(row.event, row.params, player, language)
