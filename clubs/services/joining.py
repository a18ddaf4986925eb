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
"""The choices for how long an invitation is valid."""
MOST_INVITATIONS: Final = 100
"""The most open invitations of one club."""
ASK_AGAIN: Final = timedelta(days=30)
"""How long somebody whose request was declined has to wait before asking again."""


# by request


@command
def ask(club: Club, player: Player, person: Person, message: str, *, request_id: uuid.UUID) -> JoinRequest:
    """Ask to become a member; the staff who keep the list are told.

    Raises ``club-gone``, ``account-needed``, Suspended, ``name-needed``, ``already-member``, ``by-invitation``,
    ``asked-already``, ``asked-too-often``, ``request-reused``.
    """
    if not player.is_member:
        raise AccountNeeded
    if not (person.first_name or person.last_name):
        raise ClubError("name-needed")
    row = common.begin(club, player, "request.made", request_id, again=_made_before)
    check_may_ask(row, player)
    request = JoinRequest.objects.create(
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
    return request


def check_may_ask(club: Club, player: Player) -> None:
    """Raise the refusal if the player may not ask to join now.

    Raises Suspended, ``already-member``, ``by-invitation``, ``asked-already``, ``asked-too-often``.
    """
    account_permissions.check_not_suspended(player)
    if _belongs(club, player):
        raise ClubError("already-member")
    if club.joining != Club.Joining.REQUEST:
        raise ClubError("by-invitation")
    own = JoinRequest.objects.filter(club=club, player=player)
    if own.filter(state=JoinRequest.State.OPEN).exists():
        raise ClubError("asked-already")
    if own.filter(state=JoinRequest.State.DECLINED, decided_at__gt=timezone.now() - ASK_AGAIN).exists():
        raise ClubError("asked-too-often")


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
    """Take the person who asked into the list: as a new entry, or as an existing one (`entry`, a public id).

    Raises ``club-gone``, ``not-allowed``, ``no-request``, ``no-such-member``, ``entry-taken``, ``list-full``,
    ``request-reused``.
    """
    row = common.begin(club, by, "request.accepted", request_id, Act.KEEP_MEMBERS, again=common.member_of_event)
    request = _open(row, public_id)
    existing = common.member_of(row, entry) if entry else None
    person = Person(request.first_name, request.last_name, request.named)
    member = _take_in(row, request.player, person, existing)
    _settle(request, JoinRequest.State.ACCEPTED, by)
    common.notify_players("club.accepted", row, [request.player], by=by)
    common.log(row, "request.accepted", actor=by, member=member, request_id=request_id)
    return member


@command
def decline(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Decline a request, and tell the person.

    Raises ``club-gone``, ``not-allowed``, ``no-request``, ``request-reused``.
    """
    row = common.begin(club, by, "request.declined", request_id, Act.KEEP_MEMBERS)
    request = _open(row, public_id)
    _settle(request, JoinRequest.State.DECLINED, by)
    common.notify_players("club.declined", row, [request.player], by=by)
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
    """Create a link into the club: for anybody, for one player (who is told), or to take over an entry of the list.

    Inviting the same player again, or for the same entry, returns the link that is still open. Raises ``club-gone``,
    ``not-allowed``, ``no-such-member``, ``has-left``, ``entry-taken``, ``in-the-list``, ``cannot-invite``,
    ``too-many-invitations``, ``request-reused``.
    """
    row = common.begin(club, by, "invitation.made", request_id, Act.KEEP_MEMBERS, again=_invited_before)
    member = common.member_of(row, entry) if entry else None
    if member is not None and member.player_id is not None:
        raise ClubError("entry-taken")
    if member is not None and member.left_on is not None:
        raise ClubError("has-left")
    guest = player.current if player is not None else None
    if guest is not None:
        _check_can_be_invited(row, guest, by)
    invitations = open_invitations(row)
    same = None
    if member is not None or guest is not None:
        same = invitations.filter(member=member, player=guest).first()
    if same is None and invitations.count() >= MOST_INVITATIONS:
        raise ClubError("too-many-invitations")
    if guest is not None:  # an expired one of theirs would be in the way
        stale = MemberInvitation.objects.filter(club=row, player=guest, state=MemberInvitation.State.OPEN)
        if same is not None:
            stale = stale.exclude(pk=same.pk)
        stale.update(state=MemberInvitation.State.REVOKED, ended_at=timezone.now())
    invitation = same or MemberInvitation.objects.create(
        club=row, member=member, player=guest, by=by, expires_at=timezone.now() + min(holds, HOLDS[-1])
    )
    if guest is not None and same is None:
        common.notify_players("club.invited", row, [guest], by=by, url=url_of(invitation))
    data = {"invitation": invitation.pk}
    common.log(row, "invitation.made", actor=by, member=member, data=data, request_id=request_id)
    return invitation


def _invited_before(before: ClubEvent) -> MemberInvitation:
    return common.first_of(MemberInvitation.objects.filter(pk=before.data.get("invitation")), "invitation-over")


@command
def revoke(club: Club, by: Player, invitation: int, *, request_id: uuid.UUID) -> None:
    """Revoke an invitation: its link stops working. Raises ``club-gone``, ``not-allowed``, ``invitation-over``,
    ``request-reused``."""
    row = common.begin(club, by, "invitation.revoked", request_id, Act.KEEP_MEMBERS)
    found = common.first_of(
        MemberInvitation.objects.filter(club=row, pk=invitation, state=MemberInvitation.State.OPEN), "invitation-over"
    )
    _end(found, MemberInvitation.State.REVOKED)
    common.log(row, "invitation.revoked", actor=by, member=found.member, request_id=request_id)


def find_invitation(club: Club, token: str) -> MemberInvitation:
    """The invitation of this link, if it is still valid. Raises ``invitation-over``."""
    if club.closed_at is not None:
        raise ClubError("invitation-over")
    return common.first_of(
        open_invitations(club).select_related("member", "by", "player").filter(token=token), "invitation-over"
    )


@command
def follow(club: Club, player: Player, token: str, person: Person, *, request_id: uuid.UUID) -> Member:
    """Become a member through a link.

    A link for an entry of the list links the player to that entry: its names stay, and the person decides whether they
    may be named in public.

    Raises ``club-gone``, ``account-needed``, ``name-needed``, ``invitation-over``, ``not-for-you``, ``already-member``,
    ``entry-taken``, ``list-full``, ``request-reused``.
    """
    if not player.is_member:
        raise AccountNeeded
    row = common.begin(club, player, "invitation.followed", request_id, again=common.member_of_event)
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
    """Decline an invitation that is for this player alone. Raises ``club-gone``, ``invitation-over``, ``not-for-you``,
    ``request-reused``."""
    row = common.begin(club, player, "invitation.refused", request_id)
    invitation = find_invitation(row, token)
    if invitation.player_id != player.pk:
        raise ClubError("not-for-you")
    _end(invitation, MemberInvitation.State.DECLINED)
    common.log(row, "invitation.refused", actor=player, request_id=request_id)


def open_invitations(club: Club) -> QuerySet[MemberInvitation]:
    """The invitations that are valid now, the newest first."""
    rows = MemberInvitation.objects.filter(club=club, state=MemberInvitation.State.OPEN, expires_at__gt=timezone.now())
    return rows.order_by("-pk")


def open_requests(club: Club) -> QuerySet[JoinRequest]:
    """The requests that have not been answered yet, the oldest first."""
    rows = JoinRequest.objects.filter(club=club, state=JoinRequest.State.OPEN)
    return rows.select_related("player").order_by("pk")


def url_of(invitation: MemberInvitation) -> str:
    return reverse("club:invitation", args=[invitation.club.slug, invitation.token])


def _belongs(club: Club, player: Player) -> bool:
    """Whether the player is a member. Somebody who came to a tournament as a guest is not, and can still become one."""
    here = Member.objects.filter(club=club, player=player, left_on__isnull=True)
    return here.filter(kind=Member.Kind.MEMBER).exists()


def _take_in(club: Club, player: Player, person: Person, entry: Member | None) -> Member:
    """Link the player to `entry`, else to the entry they left or have as a guest, else to a new one."""
    own = Member.objects.filter(club=club, player=player).first()  # if they come back, or were a guest
    if entry is not None and entry.player_id not in (None, player.pk):
        raise ClubError("entry-taken")
    if own is not None and entry is not None and own.pk != entry.pk:
        # They come back with a new entry. The old one stays where it appears, without the account.
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


def _check_can_be_invited(club: Club, guest: Player, by: Player) -> None:
    if not guest.is_member or guest.retired_at is not None or not account_permissions.may_meet(guest, [by]):
        raise ClubError("cannot-invite")
    if _belongs(club, guest):
        raise ClubError("in-the-list")


def _open(club: Club, public_id: str) -> JoinRequest:
    return common.first_of(open_requests(club).filter(public_id=public_id), "no-request")


def _settle(request: JoinRequest, state: JoinRequest.State, by: Player) -> None:
    request.state, request.decided_at, request.decided_by = state, timezone.now(), by
    request.save(update_fields=["state", "decided_at", "decided_by"])


def _end(invitation: MemberInvitation, state: MemberInvitation.State) -> None:
    invitation.state, invitation.ended_at = state, timezone.now()
    invitation.save(update_fields=["state", "used", "ended_at"])
