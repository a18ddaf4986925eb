"""The commands of this app: following, preferences about other people, and messages.

Each is one transaction; a refusal changes nothing.
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Player, Suspension
from core import limits
from core.exceptions import Refusal
from core.text import lines
from notices import outbox
from notices.models import Outbox
from people import permissions
from people.exceptions import PeopleError, too_long
from people.models import MESSAGE_LENGTH, Follow, Message, PeoplePreference, Thread

MOST_FOLLOWED: Final = 500
"""How many people one person may follow."""
FOLLOWS_AN_HOUR: Final = 60
FOLLOWED: Final = "people.followed"
WROTE: Final = "people.wrote"
SUSPENDED: Final = "people.suspended"
TAKEN_DOWN: Final = "people.taken-down"
GRACE: Final = timedelta(minutes=2)
"""How long the notice of a message waits: several messages make one notice, and one that is read in time makes none."""
A_MINUTE: Final = 20
BURST: Final = 10
A_DAY: Final = 300


def follow(player: Player, other: Player) -> None:
    """Make `player` follow `other`, who is told once if they want to be. Locks the row of `player`.

    Repeating this changes nothing, but counts towards the limit of follows an hour. Raises ``account-needed``,
    ``cannot-follow``, ``too-many-followed``, ``too-often``.
    """
    permissions.check_member(player)
    followed = other.current
    if not permissions.can_be_followed(player, followed):
        raise PeopleError("cannot-follow")
    if not limits.take(f"follow by {player.pk}", rate=FOLLOWS_AN_HOUR, per=3600, burst=30):
        raise PeopleError("too-often")
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # counting whom one follows must be exact
        if not permissions.can_be_followed(player, followed):  # they may have been blocked a moment ago
            raise PeopleError("cannot-follow")
        if Follow.objects.filter(player=player, followed=followed).exists():
            return
        if Follow.objects.filter(player=player).count() >= MOST_FOLLOWED:
            raise PeopleError("too-many-followed")
        Follow.objects.create(player=player, followed=followed)
        if preference_of(followed).told_of_followers and not _was_told(followed, FOLLOWED, player.public_id):
            outbox.put(FOLLOWED, followed, {"by": player.public_id}, topic=player.public_id)


def unfollow(player: Player, other: Player) -> bool:
    """Stop following somebody, and return whether `player` did follow them. Nobody is told. Messages are kept."""
    deleted, _by_model = Follow.objects.filter(player=player, followed=other.current).delete()
    return deleted > 0


def end_follows_between(player: Player, other: Player) -> None:
    """End the follows between two people: one of them has blocked the other."""
    Follow.objects.filter(Q(player=player, followed=other) | Q(player=other, followed=player)).delete()


def preference_of(player: Player) -> PeoplePreference:
    """The player's preferences about other people; unsaved defaults if they never chose."""
    return PeoplePreference.objects.filter(player=player).first() or PeoplePreference(player=player)


def keep_preference(player: Player, **values: bool) -> None:
    """Save the player's preferences about other people: `found_by_name`, `told_of_followers`."""
    PeoplePreference.objects.update_or_create(player=player, defaults=values)


def _was_told(player: Player, event: str, topic: str) -> bool:
    return Outbox.objects.filter(player=player, event=event, topic=topic).exists()


# messages


def write(player: Player, other: Player, raw: str, *, request_id: uuid.UUID) -> Message:
    """Write a message to somebody, who gets a notice unless they read it first.

    A repeated request writes nothing twice. Raises the refusals of `permissions.check_may_write`, ``empty``,
    ``too-long``, ``too-often``, ``request-reused``.
    """
    text, reader = lines(raw), other.current
    before = _answered(player, reader, text, request_id)
    if before is not None:
        return before
    permissions.check_may_write(player, reader)
    if not text:
        raise PeopleError("empty")
    if len(text) > MESSAGE_LENGTH:
        raise too_long(MESSAGE_LENGTH, len(text) - MESSAGE_LENGTH)
    if not (
        limits.take(f"message by {player.pk}", rate=A_MINUTE, per=60, burst=BURST)
        and limits.take(f"messages of {player.pk}", rate=A_DAY, per=86_400)
    ):
        raise PeopleError("too-often")
    with transaction.atomic():
        thread = _locked_thread(player, reader)
        before = _answered(player, reader, text, request_id)
        if before is not None:
            return before
        permissions.check_may_write(player, reader)
        message = Message.objects.create(thread=thread, author=player, text=text, request_id=request_id)
        Thread.objects.filter(pk=thread.pk).update(written_at=message.at)
        read(thread, player)  # whoever answers has read the thread
        notices = Outbox.objects.filter(player=reader, event=WROTE, topic=thread.public_id, read_at__isnull=True)
        if not notices.filter(Q(shown=True) | Q(done_at__isnull=True)).exists():
            params = {"thread": thread.public_id, "by": player.public_id}
            outbox.put(WROTE, reader, params, topic=thread.public_id, due_at=timezone.now() + GRACE)
        return message


def read(thread: Thread, player: Player, up_to: int | None = None) -> None:
    """Mark the other person's messages as read, up to the key `up_to`; if none is left, their notices too."""
    unread = Message.objects.filter(thread=thread, read_at__isnull=True).exclude(author=player)
    if up_to is not None:
        unread = unread.filter(pk__lte=up_to)
    unread.update(read_at=timezone.now())
    if not Message.objects.filter(thread=thread, read_at__isnull=True).exclude(author=player).exists():
        notices = Outbox.objects.filter(player=player, event=WROTE, topic=thread.public_id, read_at__isnull=True)
        notices.update(read_at=timezone.now())


def thread_of(player: Player, other: Player) -> Thread | None:
    """The thread of the two people; None if they have never written to each other."""
    first, second = sorted((player, other), key=lambda each: each.pk)
    return Thread.objects.filter(first=first, second=second).first()


def _locked_thread(player: Player, other: Player) -> Thread:
    first, second = sorted((player, other), key=lambda each: each.pk)
    thread, _made = Thread.objects.get_or_create(first=first, second=second)
    return Thread.objects.select_for_update().get(pk=thread.pk)


def _answered(player: Player, other: Player, text: str, request_id: uuid.UUID) -> Message | None:
    """The message of this request if it was accepted before; None for a new request.

    Raises ``request-reused`` if that was a different message.
    """
    before = Message.objects.select_related("thread").filter(author=player, request_id=request_id).first()
    if before is None:
        return None
    if before.text != text or other.pk not in (before.thread.first_id, before.thread.second_id):
        raise Refusal("request-reused")
    return before


def tell_suspended(row: Suspension) -> None:
    """Tell somebody that they are suspended. Inside the transaction in which they are."""
    outbox.put(SUSPENDED, row.player, {"suspension": row.pk}, expires_at=row.until)


def tell_taken_down(player: Player, reason: str) -> None:
    """Tell somebody that their name and their page were taken down. Inside the transaction in which they are."""
    outbox.put(TAKEN_DOWN, player, {"reason": reason})
