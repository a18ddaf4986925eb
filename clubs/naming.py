"""How much of a person's name is shown to whom: this file alone decides.

Pages, feeds, files, paper and messages all get their names here. Only the pages on which the list of members is kept
read `Member.first_name` themselves.
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
"""The readers: everybody; the people in the hall and members who may read the list; the staff who keep the list."""

PUBLIC: Final = "public"
HALL: Final = "hall"
STAFF: Final = "staff"


NO_BREAK: Final = "\u00a0"
"""Initials stay on one line."""


def initials(first_name: str, last_name: str) -> str:
    """ "M.\u00a0C." for Maria Cadruvi, "G." if one of the names is missing, "" if both are."""
    letters = [next((letter for letter in name if letter.isalpha()), "") for name in (first_name, last_name)]
    return NO_BREAK.join(f"{letter.upper()}." for letter in letters if letter)


def full_name(member: Member) -> str:
    """First and last name as in the list; "Former member" for an entry whose names have been deleted."""
    space = NO_BREAK if member.reduced_at else " "
    return f"{member.first_name}{space}{member.last_name}".strip() or _("Former member")


def cut_off(club: Club, today: date | None = None) -> date:
    """The first day whose results still show names: on results before it the club no longer names anybody."""
    day = today or timezone.localdate()
    months = day.year * 12 + day.month - 1 - club.keeps_months
    year, month = divmod(months, 12)
    # Not every month has the last days of another: one month before 31 March is 28 February.
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    raise AssertionError("every month has 28 days")


def shown_name(member: Member, to: Audience, *, on: date | None = None) -> str:
    """The name of `member` as `to` may read it.

    The public sees the full names of members who agreed to it, and initials of the others. `on` is the day of the
    result beside which the name is shown: if it is before the club's `cut_off`, everybody sees initials only.
    `member.club` is read if `on` is given.
    """
    if on is not None and on < cut_off(member.club):
        return initials(member.first_name, member.last_name) or _("Former member")
    if to == PUBLIC and not member.named:
        return initials(member.first_name, member.last_name) or _("Former member")
    return full_name(member)


def short_names(members: Iterable[Member], to: Audience) -> dict[int, str]:
    """Short names by the keys of the entries, all different: "Maria C.", but "Maria Ca." beside "Maria Co.".

    Where the whole names are the same, or only initials may be shown, a number is added, in the order of the entries.
    """
    people: Sequence[Member] = sorted(members, key=lambda member: member.pk)
    names = {member.pk: _short(member, to, 1) for member in people}
    longest = max((len(member.last_name) for member in people), default=0)
    for letters in range(2, longest + 1):
        times = Counter(names.values())
        alike = [member for member in people if times[names[member.pk]] > 1 and len(member.last_name) >= letters]
        if not alike:
            break
        names |= {member.pk: _short(member, to, letters) for member in alike}
    return _numbered(people, names)


def _short(member: Member, to: Audience, letters: int) -> str:
    if to == PUBLIC and not member.named:
        return shown_name(member, to)
    if not member.first_name or not member.last_name:
        return full_name(member)
    start = member.last_name[:letters]
    return f"{member.first_name} {start}{'' if start == member.last_name and letters > 1 else '.'}"


def _numbered(people: Sequence[Member], names: dict[int, str]) -> dict[int, str]:
    times = Counter(names.values())
    seen: Counter[str] = Counter()
    for member in people:
        name = names[member.pk]
        seen[name] += 1
        if times[name] > 1 and seen[name] > 1:
            names[member.pk] = f"{name} ({seen[name]})"
    return names
