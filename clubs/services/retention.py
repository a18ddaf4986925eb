"""How long names are kept: what is deleted automatically, and what is left of an entry whose name is deleted.

Results stay. An entry that appears in results is reduced to initials; any other is deleted.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubs import evenings, naming
from clubs.models import Club, ImportDraft, JoinRequest, Member, MemberInvitation

DRAFTS_KEPT: Final = timedelta(days=1)
ANSWERS_KEPT: Final = timedelta(days=90)
"""How long answered requests and ended invitations are kept for the staff."""


def reduce(member: Member, *, to_initials: bool = True) -> None:
    """Reduce an entry to its initials for good, or to no name at all.

    Account, address, year and groups are deleted too.
    """
    short = naming.initials(member.first_name, member.last_name) if to_initials else ""
    letters = short.split()
    member.first_name = letters[0] if letters else ""
    member.last_name = letters[1] if len(letters) > 1 else ""
    member.player, member.email, member.birth_year, member.groups = None, "", None, []
    member.named, member.consent_at, member.consent_by = False, None, None
    member.role = Member.Role.MEMBER
    member.left_on = member.left_on or timezone.localdate()
    member.reduced_at = timezone.now()
    member.save()


def delete_or_reduce(members: Iterable[Member], *, to_initials: bool = True) -> tuple[int, int]:
    """Delete the entries that appear in no result, and reduce the others. Returns how many of each.

    Call it in a transaction.
    """
    people = list(members)
    named = set(evenings.source().named([member.pk for member in people]))
    for member in people:
        if member.pk in named:
            reduce(member, to_initials=to_initials)
        else:
            member.delete()
    return len(people) - len(named), len(named)


def forget(now: datetime | None = None) -> int:
    """Delete or reduce old entries of all clubs; delete old drafts, requests and invitations.

    Returns how many entries of lists of members were deleted or reduced.
    """
    moment = now or timezone.now()
    ImportDraft.objects.filter(at__lt=moment - DRAFTS_KEPT).delete()
    JoinRequest.objects.filter(decided_at__lt=moment - ANSWERS_KEPT).delete()
    over = moment - ANSWERS_KEPT
    MemberInvitation.objects.filter(ended_at__lt=over).delete()
    MemberInvitation.objects.filter(expires_at__lt=over).delete()
    count = 0
    for club in Club.objects.filter(closed_at__isnull=True).order_by("pk"):
        count += _delete_or_reduce_old(club, moment)
    return count


def _delete_or_reduce_old(club: Club, moment: datetime) -> int:
    """Delete or reduce members who left, and guests who last came, before the club's cut-off date. Locks the club.

    Returns how many.
    """
    cut_off = naming.cut_off(club, timezone.localdate(moment))
    has_left = Q(left_on__lt=cut_off)
    is_old_guest = Q(kind=Member.Kind.GUEST, left_on__isnull=True, joined_on__lt=cut_off)
    entries = Member.objects.filter(club=club, reduced_at__isnull=True)
    if not entries.filter(has_left | is_old_guest).exists():
        return 0  # without taking the lock
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        guests = list(entries.filter(is_old_guest))
        last_seen = evenings.source().last_seen([guest.pk for guest in guests])
        old_guests = [guest for guest in guests if last_seen.get(guest.pk, guest.joined_on) < cut_off]
        deleted, reduced = delete_or_reduce([*entries.filter(has_left), *old_guests])
    return deleted + reduced
