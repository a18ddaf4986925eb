"""Follows, followers, searching for people, and messages: plain data for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from accounts import permissions as account_permissions
from accounts.models import Player
from accounts.names import key_of
from core.exceptions import Refusal
from people import permissions, services
from people.models import Follow, Message, PeoplePreference, Thread

SHORTEST: Final = 2
"""How many letters one has to type to find somebody."""
MOST_FOUND: Final = 20
SHOWN: Final = 50
"""How many messages of a thread are on a page."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person and how the viewer knows them. If `both` follow each other, they may write to each other."""

    player: Player
    follows: bool  # the viewer follows them
    followed: bool  # they follow the viewer

    @property
    def public_id(self) -> str:
        return self.player.public_id

    @property
    def name(self) -> str:
        return self.player.display_name

    @property
    def both(self) -> bool:
        return self.follows and self.followed


def people_here() -> QuerySet[Player]:
    """The members who are here: no guests, no computer players, nobody who is gone."""
    return Player.objects.filter(
        user__is_active=True, computer="", retired_at__isnull=True, merged_into__isnull=True
    ).select_related("merged_into")


def people_followed(viewer: Player) -> QuerySet[Player]:
    """The people whom the viewer follows, by name. Nobody blocked is among them, since a block ends following."""
    mine = Follow.objects.filter(player=viewer)
    return people_here().filter(pk__in=mine.values("followed")).order_by("name_key", "pk")


def followers(viewer: Player) -> QuerySet[Player]:
    """The people who follow the viewer, by name."""
    theirs = Follow.objects.filter(followed=viewer)
    return people_here().filter(pk__in=theirs.values("player")).order_by("name_key", "pk")


def findable_by(viewer: Player) -> QuerySet[Player]:
    """The members whom the viewer may find by a part of their name: those who agreed to it, those whom the viewer
    follows, and those who follow the viewer. For a subquery."""
    agreed = Q(pk__in=PeoplePreference.objects.filter(found_by_name=True).values("player"))
    mine = Q(pk__in=Follow.objects.filter(player=viewer).values("followed"))
    theirs = Q(pk__in=Follow.objects.filter(followed=viewer).values("player"))
    return Player.objects.filter(agreed | mine | theirs)


def people_found(name: str, viewer: Player) -> list[Player]:
    """The members who agreed to be found and whose name contains or resembles `name`; those beginning with it first.

    Nobody for less than two letters, and nobody whom the viewer may not meet. Two queries.
    """
    key = key_of(name)
    if len(key) < SHORTEST:
        return []
    agreed = PeoplePreference.objects.filter(player=OuterRef("pk"), found_by_name=True)
    strangers = account_permissions.strangers_to(viewer)
    people = people_here().filter(Exists(agreed), name_key__contains=key).exclude(pk__in={viewer.pk, *strangers})
    return sorted(people[:200], key=lambda player: (not player.name_key.startswith(key), player.name))[:MOST_FOUND]


def known_to(viewer: Player, players: Iterable[Player]) -> list[Person]:
    """These people as the viewer knows them, in the given order. Two queries."""
    people = list(players)
    keys = [player.pk for player in people]
    mine = set(Follow.objects.filter(player=viewer, followed__in=keys).values_list("followed", flat=True))
    theirs = set(Follow.objects.filter(followed=viewer, player__in=keys).values_list("player", flat=True))
    return [Person(player, player.pk in mine, player.pk in theirs) for player in people]


# messages


@dataclass(frozen=True, slots=True)
class ThreadSeen:
    """A thread in the list: the other person, the last message, and how many messages are unread."""

    public_id: str  # of the other person
    name: str
    last: str
    own: bool  # the last message is the viewer's
    at: datetime
    unread: int


@dataclass(frozen=True, slots=True)
class MessageSeen:
    """One message.

    `gone`: its author has deleted their account, and with it the text. `read`: the recipient has seen it. `removed`:
    why moderators removed the text; empty if they did not.
    """

    id: int
    own: bool
    text: str
    at: datetime
    gone: bool
    read: bool
    removed: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages of two people as one of them sees them.

    `refusal` says why the viewer cannot write now; empty if they can.
    """

    messages: tuple[MessageSeen, ...]
    earlier: bool
    refusal: str
    unread: int


def threads_of(viewer: Player) -> QuerySet[Thread]:
    """The viewer's threads, the one with the latest message first."""
    newest = Message.objects.filter(thread=OuterRef("pk"), removed_at__isnull=True).order_by("-pk")
    unread = Q(messages__read_at__isnull=True) & ~Q(messages__author=viewer)
    rows = Thread.objects.filter(Q(first=viewer) | Q(second=viewer))
    return (
        rows.select_related("first__merged_into", "second__merged_into")
        .annotate(
            last_text=Subquery(newest.values("text")[:1]),
            last_author=Subquery(newest.values("author")[:1]),
            unread=Count("messages", filter=unread),
        )
        .order_by("-written_at", "-pk")
    )


def seen(threads: Iterable[Thread], viewer: Player) -> list[ThreadSeen]:
    """Threads from `threads_of` as their list shows them. No query."""
    lines = []
    for thread in threads:
        other, row = thread.other(viewer), vars(thread)
        own = row["last_author"] == viewer.pk
        lines.append(
            ThreadSeen(
                other.public_id, other.display_name, row["last_text"] or "", own, thread.written_at, row["unread"]
            )
        )
    return lines


def unread_messages(viewer: Player) -> int:
    """How many messages the viewer has not read. One query."""
    theirs = Message.objects.filter(Q(thread__first=viewer) | Q(thread__second=viewer), read_at__isnull=True)
    return theirs.exclude(author=viewer).count()


def conversation(viewer: Player, other: Player, before: int | None = None) -> Conversation:
    """The latest messages of the two people (before the message with key `before`, if given), the oldest first."""
    thread = services.thread_of(viewer, other)
    rows: Sequence[Message] = ()
    earlier, unread = False, 0
    if thread is not None:
        messages = thread.messages.order_by("-pk")
        if before is not None:
            messages = messages.filter(pk__lt=before)
        rows = list(messages[: SHOWN + 1])
        earlier, rows = len(rows) > SHOWN, rows[:SHOWN][::-1]
        unread = sum(row.read_at is None and row.author_id != viewer.pk for row in rows)
    try:
        permissions.check_may_write(viewer, other)
        refusal = ""
    except Refusal as refused:
        refusal = str(refused.message)
    return Conversation(
        tuple(
            MessageSeen(
                row.pk,
                row.author_id == viewer.pk,
                row.text if row.removed_at is None else "",
                row.at,
                not row.text,
                row.read_at is not None,
                row.reason,
            )
            for row in rows
        ),
        earlier,
        refusal,
        unread,
    )
