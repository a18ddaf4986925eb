"""Reports about messages, and removing one. Moderators read a message that was reported, with what stood around it, and
nothing else."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player, Report
from accounts.registry import Evidence, Said
from accounts.views import REPORTS_A_DAY
from core import limits
from core.http import whole_number
from core.text import lines, one_line
from people.exceptions import PeopleError
from people.models import REASON_LENGTH, Message

SUBJECT: Final = "letter"
AROUND: Final = 8
"""So many messages before and after the reported one are shown with it."""


def subject_of(message: Message) -> str:
    """What a report about this message has as its subject."""
    return f"{SUBJECT}:{message.pk}"


def report(message: Message, by: Player, *, reason: str, words: str) -> Report:
    """Tell the moderators about a message that somebody wrote to `by`; telling the same again changes the first report.

    Expects one that `by` can read and has not written, and a reason that is offered. Raises ``too-often``.
    """
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=by.pk)  # two clicks are one report
        subject, about = subject_of(message), message.author.current
        row = Report.objects.filter(subject=subject, by=by, settled_at__isnull=True).first()
        if row is None:
            if not limits.take(f"report by {by.pk}", rate=REPORTS_A_DAY, per=86_400, burst=5):
                raise PeopleError("too-often")
            row = Report(about=about, by=by, subject=subject)
        row.reason, row.text = reason, lines(words)[:1000]
        row.save()
        return row


def evidence(key: str, moderator: Player) -> Evidence | None:
    """What was reported, with what stood around it (`accounts.registry`); nothing of one's own messages."""
    found = reported_message(whole_number(key, 17) or 0, moderator)
    if found is None:
        return None
    same = Message.objects.filter(thread=found.thread_id).select_related("author__merged_into")
    before = list(same.filter(pk__lt=found.pk).order_by("-pk")[:AROUND])[::-1]
    after = list(same.filter(pk__gt=found.pk).order_by("pk")[:AROUND])
    return Evidence(
        [Said(row.author.display_name, row.text, row.at, row.pk == found.pk) for row in (*before, found, *after)],
        reverse("people:moderate", args=[found.pk]),
    )


def reported_message(key: int, moderator: Player | None) -> Message | None:
    """A message that a moderator may look after: a report of it stands or stood, and it is not of their own thread."""
    if moderator is None or not account_permissions.may(moderator, account_permissions.MODERATOR):
        return None
    rows = Message.objects.select_related("thread", "author__merged_into").filter(pk=key)
    found = rows.exclude(Q(thread__first=moderator) | Q(thread__second=moderator)).first()
    return found if found is not None and Report.objects.filter(subject=subject_of(found)).exists() else None


def remove(message: Message, by: Player, reason: str) -> None:
    """Take the words of a message away; both read the reason in their place. Raises ``reason-needed``."""
    said = one_line(reason)[:REASON_LENGTH]
    if not said:
        raise PeopleError("reason-needed")
    _change(message, removed_at=timezone.now(), removed_by=by, reason=said)


def restore(message: Message, by: Player) -> None:
    """Put a removed message back."""
    _change(message, removed_at=None, removed_by=by, reason="")


def _change(message: Message, **fields: object) -> None:
    Message.objects.filter(pk=message.pk).update(**fields)
