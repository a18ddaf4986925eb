"""Letters (mails) of a club to its members: the staff sends one, once, to every member who has asked for letters.

Members ask for them in their own preferences (`notices.Kind.CLUB`). The club only sees how many have done so.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import ngettext

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs.models import Club, ClubEvent, Member
from clubs.permissions import Act
from clubs.services import common
from core.commands import Answered, command
from notices import outbox
from notices.registry import Wish

_SENT = "letter.sent"


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that can be sent, or was sent: how many members would get it now; when it was sent, and to how many."""

    readers: int
    sent_at: datetime | None = None
    sent_to: int = 0


def readers(club: Club) -> QuerySet[Member]:
    """The members who have asked for letters of clubs and have a confirmed address."""
    rows = Member.objects.filter(
        club=club,
        kind=Member.Kind.MEMBER,
        left_on__isnull=True,
        player__retired_at__isnull=True,
        player__user__is_active=True,
        player__user__emailaddress__verified=True,
        player__notice_preference__mail_off=False,
    )
    return rows.exclude(player__notice_preference__club_mail=Wish.NEVER).distinct()


def letter(club: Club, event: str, about: str) -> Letter:
    """The state of the letter `event` about something.

    `about` names that; with another `about` it can be sent again.
    """
    before = _before(club, event, about)
    if before is not None:
        return Letter(0, before.at, int(before.data.get("readers", 0)))
    return Letter(readers(club).count())


@command
def send(
    club: Club,
    by: Player,
    event: str,
    about: str,
    params: Callable[[Member], Mapping[str, object]],
    *,
    act: Act,
    expires_at: datetime | None = None,
    request_id: uuid.UUID,
) -> int:
    """Send a letter to every member who wants letters, and return how many those are.

    A letter that was sent before is not sent again: then this is the number it went to. `params` makes the parameters
    of the notice for a member. Takes the lock on the club's row. Raises ``club-gone``, ``not-allowed``, Suspended,
    ``request-reused``.
    """
    row = common.begin(club, by, _SENT, request_id, act, again=lambda before: int(before.data.get("readers", 0)))
    account_permissions.check_not_suspended(by)
    before = _before(row, event, about)
    if before is not None:
        raise Answered(int(before.data.get("readers", 0)))
    people = list(readers(row).select_related("player"))
    for member in people:
        assert member.player is not None
        outbox.put(event, member.player, dict(params(member)), expires_at=expires_at)
    data = {"letter": event, "about": about, "readers": len(people)}
    common.log(row, _SENT, actor=by, data=data, request_id=request_id)
    return len(people)


def sent_words(count: int) -> str:
    """A sentence that says how many members get a letter."""
    words = ngettext("The e-mail goes to %(count)d member.", "The e-mail goes to %(count)d members.", count)
    return words % {"count": count}


def _before(club: Club, event: str, about: str) -> ClubEvent | None:
    return ClubEvent.objects.filter(club=club, what=_SENT, data__letter=event, data__about=about).first()
