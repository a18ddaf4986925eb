"""What the worker does: messages are kept for two years."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from accounts.models import Report
from people.models import Message, Thread
from people.moderation import SUBJECT

KEPT: Final = timedelta(days=730)


def forget(moment: datetime) -> int:
    """Delete messages that are older than they are kept, but for what lies before the moderators; returns how many.

    A thread goes with its last message.
    """
    open_reports = Report.objects.filter(subject__startswith=f"{SUBJECT}:", settled_at__isnull=True)
    held = [int(subject.partition(":")[2]) for subject in open_reports.values_list("subject", flat=True)]
    held_threads = Message.objects.filter(pk__in=held).values("thread")
    old = Message.objects.filter(at__lt=moment - KEPT).exclude(thread__in=held_threads)
    _all, gone = old.delete()
    Thread.objects.filter(written_at__lt=moment - KEPT, messages__isnull=True).delete()
    return gone.get("people.Message", 0)
