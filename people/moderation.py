"""Reports about messages, and removing messages.

Moderators can read a reported message and those around it, nothing else.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts import reports as account_reports
from accounts.models import Player, Report
from accounts.registry import Evidence, Said
from core.http import whole_number
from core.text import one_line
from notices import outbox
from people.exceptions import PeopleError
from people.models import REASON_LENGTH, Message

SUBJECT: Final = "letter"
AROUND: Final = 8
"""How many messages before and after the reported one are shown with it."""


def subject_of(message: Message) -> str:
    """The subject of a report about this message."""
    return f"{SUBJECT}:{message.pk}"


def report(message: Message, by: Player, *, reason: str, text: str) -> Report:
    """Report a message that somebody wrote to `by`. Reporting it again changes the open report.

    Expects a message that `by` can read and has not written, and one of the offered reasons. Locks the row of `by`.
    Raises ``too-often``.
    """
    row = account_permissions.file_report(
        subject_of(message), about=message.author.current, by=by, reason=reason, text=text
    )
    if row is None:
        raise PeopleError("too-often")
    return row


def evidence(key: str, moderator: Player) -> Evidence | None:
    """The reported message with those around it (`accounts.registry`); None if it is in the moderator's own thread."""
    message = reported_message(whole_number(key, 17) or 0, moderator)
    if message is None:
        return None
    thread = Message.objects.filter(thread=message.thread_id).select_related("author__merged_into")
    before = list(thread.filter(pk__lt=message.pk).order_by("-pk")[:AROUND])[::-1]
    after = list(thread.filter(pk__gt=message.pk).order_by("pk")[:AROUND])
    return Evidence(
        [Said(row.author.display_name, row.text, row.at, row.pk == message.pk) for row in (*before, message, *after)],
        reverse("people:moderate", args=[message.pk]),
    )


def reported_message(key: int, moderator: Player | None) -> Message | None:
    """A message that this moderator may moderate: it has been reported, and it is not in their own thread.

    Else None.
    """
    if moderator is None or not account_permissions.may(moderator, account_permissions.MODERATOR):
        return None
    rows = Message.objects.select_related("thread", "author__merged_into").filter(pk=key)
    message = rows.exclude(Q(thread__first=moderator) | Q(thread__second=moderator)).first()
    if message is None or not Report.objects.filter(subject=subject_of(message)).exists():
        return None
    return message


def appeal(message: Message, author: Player, text: str) -> Report:
    """Ask the moderators, as the author of a removed message, to look at it again; until one does, it can be changed.

    Locks the row of the author. Raises ``answered`` if a moderator has done so already, or it is not removed;
    ``too-often``.
    """
    before = appeal_of(message)
    if message.removed_at is None or (before is not None and before.settled_at is not None):
        raise PeopleError("answered")
    row = account_permissions.file_report(
        subject_of(message), about=author, by=author, reason=Report.Reason.OTHER, text=text
    )
    if row is None:
        raise PeopleError("too-often")
    return row


def appeal_of(message: Message) -> Report | None:
    """The appeal of the message's author, open or settled (`accounts.reports`)."""
    return account_reports.appeal_of(subject_of(message), message.author, message.removed_at)


def remove(message: Message, by: Player, reason: str) -> None:
    """Remove the text of a message: both people read the reason in its place, and the author is told. Again, it changes
    the reason.

    Raises ``reason-needed``.
    """
    line = one_line(reason)[:REASON_LENGTH]
    if not line:
        raise PeopleError("reason-needed")
    with transaction.atomic():
        row = Message.objects.select_for_update().get(pk=message.pk)
        first = row.removed_at is None
        row.removed_at, row.removed_by, row.reason = row.removed_at or timezone.now(), by, line
        row.save(update_fields=["removed_at", "removed_by", "reason"])
        if first:
            _tell("people.removed", message)


def restore(message: Message, by: Player) -> None:
    """Restore a removed message, and tell its author."""
    with transaction.atomic():
        row = Message.objects.select_for_update().get(pk=message.pk)
        if row.removed_at is None:
            return
        row.removed_at, row.removed_by, row.reason = None, by, ""
        row.save(update_fields=["removed_at", "removed_by", "reason"])
        _tell("people.restored", message)


def tell_answer(key: str) -> None:
    """Tell the author that the message stays removed (`accounts.registry`). That it was restored, they know already."""
    rows = Message.objects.select_related("author__merged_into")
    message = rows.filter(pk=whole_number(key, 17) or 0, removed_at__isnull=False).first()
    if message is not None:
        _tell("people.upheld", message)


def _tell(event: str, message: Message) -> None:
    outbox.put(event, message.author.current, {"letter": message.pk})
