"""A player's notices on the site: the list, how many are unread, and marking them as read."""

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
    """How many unread notices the player has.

    Questions that have been answered and tables that no longer wait are marked as read and not counted. One query on an
    index, and a few more if there are questions, tables or appointments.
    """
    kinds = dict(Outbox.objects.filter(player=player, shown=True, read_at__isnull=True).values_list("pk", "kind"))
    transient = [pk for pk, kind in kinds.items() if kind in (Kind.QUESTION, Kind.TABLE, Kind.MEETING)]
    over = _untrue(player, list(Outbox.objects.filter(pk__in=transient))) if transient else []
    return len(kinds) - (mark_read(player, over) if over else 0)


def _untrue(player: Player, rows: Sequence[Outbox]) -> list[int]:
    with registry.reading([row.params for row in rows]):
        return [row.pk for row in rows if not _holds(row, player)]


def _holds(row: Outbox, player: Player) -> bool:
    wording = registry.find_wording(row.event)
    return wording is not None and wording.still_true(row.event, row.params, player)


def lines(player: Player, *, before: int | None = None, limit: int = PAGE) -> tuple[Sequence[Line], int | None]:
    """The player's notices in the active language, newest first; and `before` for the next page (None at the end).

    Notices that are no longer true are left out and marked as read.
    """
    rows = Outbox.objects.filter(player=player, shown=True).order_by("-pk")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    page = list(rows[: limit + 1])
    onward = page[limit - 1].pk if len(page) > limit else None
    language = get_language() or ""
    found_lines, untrue = [], []
    with timezone.override(zone_of(player)), registry.reading([row.params for row in page[:limit]]):
        for row in page[:limit]:
            words = _words(row, player, language)
            if words is None:
                untrue.append(row.pk)
            else:
                found_lines.append(Line(row.pk, Kind(row.kind), words, row.created_at, row.read_at is None))
    if untrue:
        Outbox.objects.filter(pk__in=untrue, read_at__isnull=True).update(read_at=timezone.now())
    return found_lines, onward


def mark_read(player: Player, ids: Sequence[int] | None = None) -> int:
    """Mark some of the player's notices as read, or all of them. Returns how many were unread."""
    rows = Outbox.objects.filter(player=player, shown=True, read_at__isnull=True)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    return rows.update(read_at=timezone.now())


def is_reached(player: Player) -> bool:
    """Whether the player is told what happens at tables while they are away: on a device, or by mail."""
    wished = wishes(Kind.TABLE, preferences_of(player), GamePreference())
    by_mail = wished.mail is not Wish.NEVER and mail.address_of(player) != ""
    return by_mail or (wished.push is Wish.NOW and PushSubscription.objects.filter(player=player).exists())


def look(player: Player, topic: str) -> None:
    """Note that `player` has `topic` (the public id of a game or table) open and in focus, so sees what happens."""
    note_looking(player, topic)
    note_visit(player, topic)


def note_visit(player: Player, topic: str) -> None:
    """Mark the notices about `topic`, which the player is looking at, as read.

    Except those that ask the player to act and still hold, and the chat, which knows how far it was read. One query if
    there are no unread notices.
    """
    rows = list(Outbox.objects.filter(player=player, topic=topic, shown=True, read_at__isnull=True))
    if rows:
        asking = [row for row in rows if row.kind in (*registry.ASKING, Kind.TALK, Kind.MESSAGE)]
        mark_read(player, [row.pk for row in rows if row not in asking] + _untrue(player, asking))


def _words(row: Outbox, player: Player, language: str) -> Words | None:
    wording = registry.find_wording(row.event)
    if wording is None or not _holds(row, player):
        return None
    return wording.words(row.event, row.params, player, language)
