"""Joining a club: asking and being answered, being invited and following the invitation."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs.exceptions import AccountNeeded, ClubError
from clubs.models import Club, ClubEvent, JoinRequest, Member, MemberInvitation
from clubs.permissions import Act
from clubs.services import common
from clubs.services.common import Person
from clubs.services.members import MOST_MEMBERS
from core.commands import command

HOLDS: Final = (timedelta(days=7), timedelta(days=30), timedelta(days=90))
"""How long an invitation can hold."""
MOST_INVITATIONS: Final = 100
"""Open invitations of one club."""
ASK_AGAIN: Final = timedelta(days=30)
"""After a no, one asks again only so much later."""


# by request


@command
def ask(club: Club, player: Player, person: Person, message: str, *, request_id: uuid.UUID) -> JoinRequest:
    """Ask to become a member; who keeps the list is told.

    Raises ``club-gone``, ``account-needed``, Suspended, ``name-needed``, ``already-member``, ``by-invitation``,
    ``asked-already``, ``asked-too-often``, ``request-reused``.
    """
    if not player.is_member:
        raise AccountNeeded
    if not (person.first_name or person.last_name):
        raise ClubError("name-needed")
    row = common.begin(club, player, "request.made", request_id, again=_made_before)
    account_permissions.check_not_suspended(player)
    if _belongs(row, player):
        raise ClubError("already-member")
    if row.joining != Club.Joining.REQUEST:
        raise ClubError("by-invitation")
    own = JoinRequest.objects.filter(club=row, player=player)
    if own.filter(state=JoinRequest.State.OPEN).exists():
        raise ClubError("asked-already")
    if own.filter(state=JoinRequest.State.DECLINED, decided_at__gt=timezone.now() - ASK_AGAIN).exists():
        raise ClubError("asked-too-often")
    made = JoinRequest.objects.create(
        club=row,
        player=player,
        first_name=person.first_name,
        last_name=person.last_name,
        named=person.named,
        message=message,
    )
    keepers = common.who_may(row, Act.KEEP_MEMBERS)
    common.notify_players("club.asked", row, keepers, by=player, url=reverse("club:requests", args=[row.slug]))
    common.log(row, "request.made", actor=player, request_id=request_id)
    return made


def _made_before(before: ClubEvent) -> JoinRequest:
    return common.first_of(
        JoinRequest.objects.filter(club=before.club, player=before.actor).order_by("-pk"), "no-request"
    )


@command
def withdraw(club: Club, player: Player, *, request_id: uuid.UUID) -> None:
    """Take one's own request back. Raises ``club-gone``, ``no-request``, ``request-reused``."""
    row = common.begin(club, player, "request.withdrawn", request_id)
    own = common.first_of(
        JoinRequest.objects.filter(club=row, player=player, state=JoinRequest.State.OPEN), "no-request"
    )
    _settle(own, JoinRequest.State.WITHDRAWN, player)
    common.log(row, "request.withdrawn", actor=player, request_id=request_id)


@command
def accept(club: Club, by: Player, public_id: str, *, entry: str = "", request_id: uuid.UUID) -> Member:
    """Take who asked into the list, as a new entry or into the one (`entry`, a public id) the club made for them.

    Raises ``club-gone``, ``not-allowed``, ``no-request``, ``no-such-member``, ``entry-taken``, ``list-full``,
    ``request-reused``.
    """
    row = common.begin(club, by, "request.accepted", request_id, Act.KEEP_MEMBERS, again=common.member_named)
    asked = _open(row, public_id)
    known = common.member_of(row, entry) if entry else None
    person = Person(asked.first_name, asked.last_name, asked.named)
    member = _take_in(row, asked.player, person, known)
    _settle(asked, JoinRequest.State.ACCEPTED, by)
    common.notify_players("club.accepted", row, [asked.player], by=by)
    common.log(row, "request.accepted", actor=by, member=member, request_id=request_id)
    return member


@command
def decline(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Say no; who asked is told. Raises ``club-gone``, ``not-allowed``, ``no-request``, ``request-reused``."""
    row = common.begin(club, by, "request.declined", request_id, Act.KEEP_MEMBERS)
    asked = _open(row, public_id)
    _settle(asked, JoinRequest.State.DECLINED, by)
    common.notify_players("club.declined", row, [asked.player], by=by)
    common.log(row, "request.declined", actor=by, request_id=request_id)


# by invitation


@command
def invite(
    club: Club,
    by: Player,
    *,
    holds: timedelta,
    entry: str = "",
    player: Player | None = None,
    request_id: uuid.UUID,
) -> MemberInvitation:
    """A link into the club: for whoever has it, for one player by name (who is told), or into an entry of the list.

    Asking the same player, or for the same entry, again gives the link that is open. Raises ``club-gone``, ``not-allowed``,
    ``no-such-member``, ``has-left``, ``entry-taken``, ``in-the-list``, ``cannot-invite``, ``too-many-invitations``,
    ``request-reused``.
    """
    row = common.begin(club, by, "invitation.made", request_id, Act.KEEP_MEMBERS, again=_invited_before)
    member = common.member_of(row, entry) if entry else None
    if member is not None and member.player_id is not None:
        raise ClubError("entry-taken")
    if member is not None and member.left_on is not None:
        raise ClubError("has-left")
    guest = player.current if player is not None else None
    if guest is not None:
        _check_can_be_asked(row, guest, by)
    found = open_invitations(row)
    same = found.filter(member=member, player=guest).first() if member is not None or guest is not None else None
    if same is None and found.count() >= MOST_INVITATIONS:
        raise ClubError("too-many-invitations")
    if guest is not None:  # one whose time is over gives way
        stale = MemberInvitation.objects.filter(club=row, player=guest, state=MemberInvitation.State.OPEN)
        if same is not None:
            stale = stale.exclude(pk=same.pk)
        stale.update(state=MemberInvitation.State.REVOKED, ended_at=timezone.now())
    made = same or MemberInvitation.objects.create(
        club=row, member=member, player=guest, by=by, expires_at=timezone.now() + min(holds, HOLDS[-1])
    )
    if guest is not None and same is None:
        common.notify_players("club.invited", row, [guest], by=by, url=url_of(made))
    common.log(row, "invitation.made", actor=by, member=member, data={"invitation": made.pk}, request_id=request_id)
    return made


def _invited_before(before: ClubEvent) -> MemberInvitation:
    return common.first_of(MemberInvitation.objects.filter(pk=before.data.get("invitation")), "invitation-over")


@command
def revoke(club: Club, by: Player, invitation: int, *, request_id: uuid.UUID) -> None:
    """The link opens nothing any more. Raises ``club-gone``, ``not-allowed``, ``invitation-over``, ``request-reused``."""
    row = common.begin(club, by, "invitation.revoked", request_id, Act.KEEP_MEMBERS)
    found = common.first_of(
        MemberInvitation.objects.filter(club=row, pk=invitation, state=MemberInvitation.State.OPEN), "invitation-over"
    )
    _end(found, MemberInvitation.State.REVOKED)
    common.log(row, "invitation.revoked", actor=by, member=found.member, request_id=request_id)


def find_invitation(club: Club, token: str) -> MemberInvitation:
    """The invitation of this link, if it holds. Raises ``club-gone``, ``invitation-over``."""
    if club.closed_at is not None:
        raise ClubError("invitation-over")
    return common.first_of(
        open_invitations(club).select_related("member", "by", "player").filter(token=token), "invitation-over"
    )


@command
def follow(club: Club, player: Player, token: str, person: Person, *, request_id: uuid.UUID) -> Member:
    """Come in by a link. Into an entry of the list, if it leads there: its names stay, and the person says whether they are shown.

    Raises ``club-gone``, ``account-needed``, ``name-needed``, ``invitation-over``, ``not-for-you``, ``already-member``,
    ``entry-taken``, ``list-full``, ``request-reused``.
    """
    if not player.is_member:
        raise AccountNeeded
    row = common.begin(club, player, "invitation.followed", request_id, again=common.member_named)
    invitation = find_invitation(row, token)
    if invitation.player_id is not None and invitation.player_id != player.pk:
        raise ClubError("not-for-you")
    if _belongs(row, player):
        raise ClubError("already-member")
    if invitation.member is None and not (person.first_name or person.last_name):
        raise ClubError("name-needed")
    member = _take_in(row, player, person, invitation.member)
    invitation.used += 1
    if invitation.member_id is not None or invitation.player_id is not None:
        _end(invitation, MemberInvitation.State.USED)
    else:
        invitation.save(update_fields=["used"])
    JoinRequest.objects.filter(club=row, player=player, state=JoinRequest.State.OPEN).update(
        state=JoinRequest.State.ACCEPTED, decided_at=timezone.now(), decided_by=invitation.by
    )
    common.notify_players("club.joined", row, common.who_may(row, Act.KEEP_MEMBERS), by=player)
    common.log(row, "invitation.followed", actor=player, member=member, request_id=request_id)
    return member


@command
def refuse(club: Club, player: Player, token: str, *, request_id: uuid.UUID) -> None:
    """Say no to an invitation by name. Raises ``club-gone``, ``invitation-over``, ``not-for-you``, ``request-reused``."""
    row = common.begin(club, player, "invitation.refused", request_id)
    invitation = find_invitation(row, token)
    if invitation.player_id != player.pk:
        raise ClubError("not-for-you")
    _end(invitation, MemberInvitation.State.DECLINED)
    common.log(row, "invitation.refused", actor=player, request_id=request_id)


def open_invitations(club: Club) -> QuerySet[MemberInvitation]:
    """The links that open something now, the newest first."""
    rows = MemberInvitation.objects.filter(club=club, state=MemberInvitation.State.OPEN, expires_at__gt=timezone.now())
    return rows.order_by("-pk")


def open_requests(club: Club) -> QuerySet[JoinRequest]:
    """The requests that wait for an answer, the oldest first."""
    rows = JoinRequest.objects.filter(club=club, state=JoinRequest.State.OPEN)
    return rows.select_related("player").order_by("pk")


def url_of(invitation: MemberInvitation) -> str:
    return reverse("club:invitation", args=[invitation.club.slug, invitation.token])


def _belongs(club: Club, player: Player) -> bool:
    """Whether they are a member; who came to a tournament as a guest can still become one."""
    here = Member.objects.filter(club=club, player=player, left_on__isnull=True)
    return here.filter(kind=Member.Kind.MEMBER).exists()


def _take_in(club: Club, player: Player, person: Person, entry: Member | None) -> Member:
    """Link the player to an entry, to the one they left or have as a guest, or to a new one."""
    own = Member.objects.filter(club=club, player=player).first()  # somebody who comes back, or was a guest
    if entry is not None and entry.player_id not in (None, player.pk):
        raise ClubError("entry-taken")
    if own is not None and entry is not None and own.pk != entry.pk:
        # Somebody who came back by a fresh entry: the old one stays with what it stands in, and lets the account go.
        own.player = None
        own.save(update_fields=["player"])
        own = None
    member = entry or own
    if member is None:
        if Member.objects.filter(club=club).count() >= MOST_MEMBERS:
            raise ClubError("list-full")
        member = Member(club=club, first_name=person.first_name, last_name=person.last_name)
    elif entry is None and (person.first_name or person.last_name):
        member.first_name, member.last_name, member.reduced_at = person.first_name, person.last_name, None
    if member.kind == Member.Kind.GUEST:
        member.joined_on = timezone.localdate()
    member.player, member.kind, member.left_on = player, Member.Kind.MEMBER, None
    member.named, member.consent_at, member.consent_by = person.named, timezone.now(), player
    member.save()
    return member


def _check_can_be_asked(club: Club, guest: Player, by: Player) -> None:
    if not guest.is_member or guest.retired_at is not None or not account_permissions.may_meet(guest, [by]):
        raise ClubError("cannot-invite")
    if _belongs(club, guest):
        raise ClubError("in-the-list")


def _open(club: Club, public_id: str) -> JoinRequest:
    return common.first_of(open_requests(club).filter(public_id=public_id), "no-request")


def _settle(asked: JoinRequest, state: JoinRequest.State, by: Player) -> None:
    asked.state, asked.decided_at, asked.decided_by = state, timezone.now(), by
    asked.save(update_fields=["state", "decided_at", "decided_by"])


def _end(invitation: MemberInvitation, state: MemberInvitation.State) -> None:
    invitation.state, invitation.ended_at = state, timezone.now()
    invitation.save(update_fields=["state", "used", "ended_at"])
