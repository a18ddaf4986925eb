"""The list of members: adding and changing entries, roles, leaving, consent."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.names import clean_line
from clubs import evenings
from clubs.exceptions import ClubError, NotAllowed
from clubs.models import PERSON_NAME_LENGTH, Club, Member
from clubs.permissions import Act, check_may, may
from clubs.services import common, retention
from core.commands import command
from core.text import fold

OLDEST: Final = 1900
MOST_MEMBERS: Final = 5000
MOST_GROUPS: Final = 6
GROUP_LENGTH: Final = 40


@dataclass(frozen=True, slots=True)
class Details:
    """What the staff write down about somebody. `named` None leaves the consent as it is (no, for a new entry)."""

    first_name: str
    last_name: str
    email: str = ""
    birth_year: int | None = None
    groups: tuple[str, ...] = ()
    kind: str = Member.Kind.MEMBER
    named: bool | None = None
    joined_on: date | None = None


@command
def enter(club: Club, by: Player, details: Details, *, request_id: uuid.UUID) -> Member:
    """Add an entry. A director at the entrance may only enter guests.

    Raises ``club-gone``, ``not-allowed``, ``name-needed``, ``list-full``, ``request-reused``.
    """
    row = common.begin(club, by, "member.entered", request_id, again=common.member_of_event)
    standing = check_may(by, row, Act.ENTER_GUESTS)
    if details.kind != Member.Kind.GUEST and not standing.may(Act.KEEP_MEMBERS):
        raise NotAllowed
    member = put(row, by, details)
    common.log(row, "member.entered", actor=by, member=member, request_id=request_id)
    return member


def put(club: Club, by: Player | None, details: Details) -> Member:
    """Add an entry without checking permissions. `by` is None for somebody who only holds the code of the entrance.

    The lock on the club must be held. Raises ``name-needed``, ``list-full``.
    """
    if Member.objects.filter(club=club).count() >= MOST_MEMBERS:
        raise ClubError("list-full")
    member = Member(club=club, joined_on=details.joined_on or timezone.localdate())
    _write(member, by, details)
    return member


@command
def change(club: Club, by: Player, public_id: str, details: Details, *, request_id: uuid.UUID) -> Member:
    """Change an entry. Raises ``club-gone``, ``not-allowed``, ``no-such-member``, ``name-needed``, ``own-affair``,
    ``request-reused``."""
    row = common.begin(club, by, "member.changed", request_id, Act.KEEP_MEMBERS, again=common.member_of_event)
    member = common.member_of(row, public_id)
    rewrite(member, by, details)
    common.log(row, "member.changed", actor=by, member=member, request_id=request_id)
    return member


def rewrite(member: Member, by: Player, details: Details) -> None:
    """Rewrite an entry without checking permissions.

    Raises ``name-needed``, ``own-affair``, ``no-account-no-role`` for a guest with a role.
    """
    if details.kind == Member.Kind.GUEST and member.role != Member.Role.MEMBER:
        raise ClubError("no-account-no-role")
    own = member.player_id is not None and member.player_id != by.pk
    if own and details.named is not None and details.named != member.named:
        raise ClubError("own-affair")
    if details.joined_on is not None:
        member.joined_on = details.joined_on
    _write(member, by, details)


def _write(member: Member, by: Player | None, details: Details) -> None:
    if not (details.first_name or details.last_name):
        raise ClubError("name-needed")
    member.first_name, member.last_name = details.first_name, details.last_name
    member.email, member.birth_year = details.email, details.birth_year
    member.groups, member.kind = list(details.groups[:MOST_GROUPS]), details.kind
    member.reduced_at = None
    if details.named is not None and (details.named != member.named or member.consent_at is None):
        member.named, member.consent_at, member.consent_by = details.named, timezone.now(), by
    member.save()


@command
def consent(club: Club, player: Player, *, named: bool, request_id: uuid.UUID) -> Member:
    """Note the player's own decision on whether this club may name them in public. Raises ``club-gone``,
    ``no-such-member``, ``request-reused``."""
    row = common.begin(club, player, "member.consent", request_id, again=common.member_of_event)
    member = common.first_of(Member.objects.filter(club=row, player=player), "no-such-member")
    member.named, member.consent_at, member.consent_by = named, timezone.now(), player
    member.save(update_fields=["named", "consent_at", "consent_by"])
    common.log(row, "member.consent", actor=player, member=member, data={"named": named}, request_id=request_id)
    return member


@command
def give_role(club: Club, by: Player, public_id: str, role: str, *, request_id: uuid.UUID) -> Member:
    """Give an entry another role, and tell the person.

    There may be several presidents, and there is always at least one. Raises ``club-gone``, ``not-allowed``,
    ``no-such-member``, ``has-left``, ``no-account-no-role``, ``last-president``, ``request-reused``.
    """
    row = common.begin(club, by, "role.given", request_id, Act.GIVE_ROLES, again=common.member_of_event)
    member = common.member_of(row, public_id)
    new_role = Member.Role(role)
    if member.left_on is not None:
        raise ClubError("has-left")
    if new_role != Member.Role.MEMBER and (member.player is None or member.kind == Member.Kind.GUEST):
        raise ClubError("no-account-no-role")
    if new_role != member.role:
        _keep_a_president(row, without=member, role=new_role)
        member.role = new_role
        member.save(update_fields=["role"])
        if member.player is not None:
            common.notify_players("club.role", row, [member.player], by=by)
    common.log(row, "role.given", actor=by, member=member, data={"role": str(new_role)}, request_id=request_id)
    return member


@command
def leave(club: Club, player: Player, *, request_id: uuid.UUID) -> None:
    """Leave the club; the staff who keep the list are told. The entry is kept for as long as the club keeps names.

    Raises ``club-gone``, ``no-such-member``, ``last-president``, ``request-reused``.
    """
    row = common.begin(club, player, "member.left", request_id)
    member = common.first_of(Member.objects.filter(club=row, player=player, left_on__isnull=True), "no-such-member")
    _mark_as_left(row, member)
    common.notify_players("club.left", row, common.who_may(row, Act.KEEP_MEMBERS), by=player)
    common.log(row, "member.left", actor=player, member=member, request_id=request_id)


@command
def end(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> Member:
    """Note that somebody has left. Raises ``club-gone``, ``not-allowed``, ``no-such-member``, ``last-president``,
    ``request-reused``."""
    row = common.begin(club, by, "member.ended", request_id, Act.KEEP_MEMBERS, again=common.member_of_event)
    member = common.member_of(row, public_id)
    _check_rank(row, by, member)
    if member.left_on is None:
        _mark_as_left(row, member)
    common.log(row, "member.ended", actor=by, member=member, request_id=request_id)
    return member


@command
def take_back(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> Member:
    """Take somebody who left back into the club. Raises ``club-gone``, ``not-allowed``, ``no-such-member``,
    ``name-needed``, ``request-reused``."""
    row = common.begin(club, by, "member.returned", request_id, Act.KEEP_MEMBERS, again=common.member_of_event)
    member = common.member_of(row, public_id)
    if member.reduced_at is not None:
        raise ClubError("name-needed")
    member.left_on = None
    member.save(update_fields=["left_on"])
    common.log(row, "member.returned", actor=by, member=member, request_id=request_id)
    return member


@command
def remove(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> bool:
    """Delete an entry with everything in it; one that appears in results keeps its initials.

    Returns whether it was kept. Raises ``club-gone``, ``not-allowed``, ``no-such-member``, ``last-president``,
    ``request-reused``.
    """
    row = common.begin(
        club, by, "member.removed", request_id, Act.KEEP_MEMBERS, again=lambda before: bool(before.data.get("stays"))
    )
    member = common.member_of(row, public_id)
    _check_rank(row, by, member)
    _keep_a_president(row, without=member, role=Member.Role.MEMBER)
    _deleted, reduced = retention.delete_or_reduce([member])
    common.log(row, "member.removed", actor=by, data={"stays": reduced > 0}, request_id=request_id)
    return reduced > 0


def stands_in_results(member: Member) -> bool:
    """Whether the entry appears in results or in a planned tournament, so that it cannot be deleted entirely."""
    return member.pk in evenings.source().named([member.pk])


def _mark_as_left(club: Club, member: Member) -> None:
    _keep_a_president(club, without=member, role=Member.Role.MEMBER)
    member.left_on, member.role = timezone.localdate(), Member.Role.MEMBER
    member.save(update_fields=["left_on", "role"])


def _check_rank(club: Club, by: Player, member: Member) -> None:
    """Check that nobody but a president removes a president. Raises ``not-allowed``."""
    if member.role == Member.Role.PRESIDENT and not may(by, club, Act.GIVE_ROLES):
        raise NotAllowed


def check_not_last_president(club: Club, member: Member) -> None:
    """Raise ``last-president`` if the club would have no president without this member."""
    _keep_a_president(club, without=member, role=Member.Role.MEMBER)


def _keep_a_president(club: Club, *, without: Member, role: str) -> None:
    if without.role != Member.Role.PRESIDENT or role == Member.Role.PRESIDENT:
        return
    others = Member.objects.filter(club=club, role=Member.Role.PRESIDENT, player__isnull=False, left_on__isnull=True)
    if not others.exclude(pk=without.pk).exists():
        raise ClubError("last-president")


# searching the list


@dataclass(frozen=True, slots=True)
class MemberSearch:
    """A search of the list; an empty field matches everything."""

    name: str = ""
    who: str = ""
    """``members``, ``guests``, ``staff``, ``account`` (those with one) or ``left``."""
    group: str = ""


def members_list(club: Club, sought: MemberSearch) -> QuerySet[Member]:
    """The entries that match, in the order of the list. Those who left are only included if `who` is ``left``."""
    rows = Member.objects.filter(club=club).select_related("player")
    rows = rows.filter(left_on__isnull=sought.who != "left")
    if sought.who in ("members", "guests"):
        rows = rows.filter(kind=Member.Kind.MEMBER if sought.who == "members" else Member.Kind.GUEST)
    elif sought.who == "staff":
        rows = rows.exclude(role=Member.Role.MEMBER)
    elif sought.who == "account":
        rows = rows.filter(player__isnull=False)
    for word in fold(sought.name).split():
        rows = rows.filter(sort_key__contains=word)
    if sought.group:
        # The two databases search JSON lists differently. There are few groups, so the keys are found here.
        keys = [pk for pk, groups in rows.values_list("pk", "groups") if sought.group in groups]
        rows = rows.filter(pk__in=keys)
    return rows.order_by("sort_key", "pk")


def groups_of(club: Club) -> list[str]:
    """Every group that somebody in the list belongs to, ordered by name."""
    names: set[str] = set()
    for groups in Member.objects.filter(club=club).exclude(groups=[]).values_list("groups", flat=True):
        names |= set(groups)
    return sorted(names, key=fold)


def alike(club: Club, first_name: str, last_name: str) -> list[Member]:
    """Entries with the same name, regardless of case and accents, for asking "is it this one?"."""
    key = f"{fold(last_name)}, {fold(first_name)}"
    return list(Member.objects.filter(club=club, sort_key=key))


# what may be written about somebody


def clean_name(text: str) -> str:
    """A person's name, on one line. Raises ValidationError, in the reader's language."""
    name = clean_line(text)
    if len(name) > PERSON_NAME_LENGTH:
        raise ValidationError(_("A name has at most %(most)d characters.") % {"most": PERSON_NAME_LENGTH})
    if name and not name[0].isalpha():
        raise ValidationError(_("A name begins with a letter: “%(name)s” does not.") % {"name": name[:20]})
    return name


def clean_groups(text: str) -> list[str]:
    """The groups of a text that separates them with commas. Raises ValidationError."""
    groups = list(dict.fromkeys(clean_line(each) for each in re.split(r"[,;/|]", text) if each.strip()))
    if len(groups) > MOST_GROUPS or any(len(each) > GROUP_LENGTH for each in groups):
        said = _("At most %(many)d groups, each with at most %(long)d characters.")
        raise ValidationError(said % {"many": MOST_GROUPS, "long": GROUP_LENGTH})
    return groups


def clean_year(year: int) -> int:
    """A year of birth. Raises ValidationError."""
    if not OLDEST <= year <= timezone.localdate().year:
        raise ValidationError(_("“%(year)d” is not a year of birth.") % {"year": year})
    return year
