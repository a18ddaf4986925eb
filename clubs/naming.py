"""What of somebody's name is shown to whom: this file alone decides.

Names are asked for by pages, feeds, files, paper and messages; none of them reads `Member.first_name` by itself but those
where the list is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, Literal

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, Member

Audience = Literal["public", "hall", "staff"]
"""Who reads: everybody; people who are together in the hall, and members who may read the list; who keeps the list."""

PUBLIC: Final = "public"
HALL: Final = "hall"
STAFF: Final = "staff"


def initials(first_name: str, last_name: str) -> str:
    """ "M. C." for Maria Cadruvi, "G." where one of the names is missing; empty for nobody."""
    letters = [next((letter for letter in name if letter.isalpha()), "") for name in (first_name, last_name)]
    return " ".join(f"{letter.upper()}." for letter in letters if letter)


def full_name(member: Member) -> str:
    """First and last name as the list has them; "Former member" for an entry whose names are gone."""
    return f"{member.first_name} {member.last_name}".strip() or _("Former member")


def cut_off(club: Club, today: date | None = None) -> date:
    """The day before which results of this club name nobody any more."""
    day = today or timezone.localdate()
    months = day.year * 12 + day.month - 1 - club.keeps_months
    year, month = divmod(months, 12)
    # The last days of a month have no counterpart everywhere: 31 March less a month is 28 February.
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    raise AssertionError("every month has 28 days")


def shown_name(member: Member, to: Audience, *, on: date | None = None) -> str:
    """The name of `member` as `to` may read it.

    Public readers see the full name only of those who agreed to it, else initials. `on` is the day of the result beside which
    the name stands: once the club keeps names no longer, initials are all that anybody sees. `member.club` is read then.
    """
    if on is not None and on < cut_off(member.club):
        return initials(member.first_name, member.last_name) or _("Former member")
    if to == PUBLIC and not member.named:
        return initials(member.first_name, member.last_name) or _("Former member")
    return full_name(member)


def short_names(members: Iterable[Member], to: Audience) -> dict[int, str]:
    """Short names by the keys of the entries, each of them different: "Maria C.", but "Maria Ca." and "Maria Co.".

    Where even whole names are the same, or only initials may be shown, a number follows, in the order of the entries.
    """
    people: Sequence[Member] = sorted(members, key=lambda member: member.pk)
    found = {member.pk: _short(member, to, 1) for member in people}
    longest = max((len(member.last_name) for member in people), default=0)
    for letters in range(2, longest + 1):
        times = Counter(found.values())
        alike = [member for member in people if times[found[member.pk]] > 1 and len(member.last_name) >= letters]
        if not alike:
            break
        found |= {member.pk: _short(member, to, letters) for member in alike}
    return _numbered(people, found)


def _short(member: Member, to: Audience, letters: int) -> str:
    if to == PUBLIC and not member.named:
        return shown_name(member, to)
    if not member.first_name or not member.last_name:
        return full_name(member)
    start = member.last_name[:letters]
    return f"{member.first_name} {start}{'' if start == member.last_name and letters > 1 else '.'}"


def _numbered(people: Sequence[Member], found: dict[int, str]) -> dict[int, str]:
    times = Counter(found.values())
    seen: Counter[str] = Counter()
    for member in people:
        name = found[member.pk]
        seen[name] += 1
        if times[name] > 1 and seen[name] > 1:
            found[member.pk] = f"{name} ({seen[name]})"
    return found
