"""The worker's task of this app: deleting messages after two years."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from accounts.models import Report
from people.models import Message, Thread
from people.moderation import SUBJECT

KEPT: Final = timedelta(days=730)


def forget(moment: datetime) -> int:
    """Delete the messages that are older than `KEPT`, except in threads with an open report; return how many.

    A thread is deleted with its last message.
    """
    open_reports = Report.objects.filter(subject__startswith=f"{SUBJECT}:", settled_at__isnull=True)
    reported = [int(subject.partition(":")[2]) for subject in open_reports.values_list("subject", flat=True)]
    reported_threads = Message.objects.filter(pk__in=reported).values("thread")
    old = Message.objects.filter(at__lt=moment - KEPT).exclude(thread__in=reported_threads)
    _total, deleted = old.delete()
    Thread.objects.filter(written_at__lt=moment - KEPT, messages__isnull=True).delete()
    return deleted.get("people.Message", 0)
