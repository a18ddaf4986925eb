"""What becomes of reports: whether anybody can settle them, and the answers to appeals.

An appeal is a report by the author of a removed text.
"""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from accounts import permissions as account_permissions
from accounts import registry
from accounts.models import Player, Report


def unattended() -> int:
    """How many open reports no moderator may settle: there is none, or only the one whom they are about. Two queries."""
    moderators = account_permissions.moderators()
    if len(moderators) > 1:
        return 0
    waiting = Report.objects.filter(settled_at__isnull=True)
    return (waiting.filter(about__in=moderators) if moderators else waiting).count()


def thanks(about: Player) -> str:
    """What somebody reads who has reported this person: no more than will be done. One query."""
    if account_permissions.moderators() - {about.current.pk}:
        return _("Thank you. The moderators will look at it.")
    return _("Thank you. At the moment nobody here can look at it: whoever runs this site is told.")


def appeal_of(subject: str, author: Player, removed_at: datetime | None) -> Report | None:
    """The author's latest appeal about `subject`, open or settled. One query.

    None if they have made none, or only one that was settled before it was removed again at `removed_at`.
    """
    row = Report.objects.filter(subject=subject, by=author, about=author).order_by("-pk").first()
    if row is None or (removed_at is not None and row.settled_at is not None and row.settled_at < removed_at):
        return None
    return row


def tell_answer(report: Report) -> None:
    """Tell the author who appealed what became of it. Inside the transaction in which the report is settled.

    Other reports are settled without a word to anybody.
    """
    what, _colon, key = report.subject.partition(":")
    if report.by_id == report.about_id and what in registry.answers:
        registry.answers[what](key)
