"""Inviting people to enter a tournament: each is told once, with the way in."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs.models import Member
from notices import outbox
from tournaments.models import Participation, Tournament, TournamentInvitation
from tournaments.online import entries, substitutes
from tournaments.online.exceptions import OnlineError
from tournaments.online.notifications import INVITED, TOPIC
from tournaments.selectors import state_of


def invite(
    tournament: Tournament, players: Sequence[Player], by: Player, *, request_id: uuid.UUID | None = None
) -> int:
    """Invite these people; how many were told. Who takes part, was invited before, has no account or does not want to meet
    `by` is passed over in silence. Takes the lock on the tournament's row.

    The caller has asked `clubs.permissions` for RUN_TOURNAMENTS. Raises ``cannot-invite``, ``nobody-invited``, Suspended.
    """
    del request_id  # nobody is invited twice: a repeated request does nothing
    if not players:
        raise OnlineError("nobody-invited")
    account_permissions.check_not_suspended(by)
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if not can_invite(row):
            raise OnlineError("cannot-invite")
        known = set(Participation.objects.filter(tournament=row).values_list("member__player", flat=True))
        known |= set(TournamentInvitation.objects.filter(tournament=row).values_list("player", flat=True))
        told = 0
        for player in {each.current.pk: each.current for each in players}.values():
            if player.pk in known or player.pk == by.pk or not substitutes.can_play(player):
                continue
            if not account_permissions.may_meet(player, [by]):
                continue
            TournamentInvitation.objects.create(tournament=row, player=player, by=by)
            params = {"tournament": row.public_id, "by": by.public_id}
            outbox.put(INVITED, player, params, topic=f"{TOPIC}{row.public_id}")
            told += 1
        return told


def invite_members(tournament: Tournament, by: Player) -> int:
    """Invite all members of the club who have an account; how many were told. Raises as `invite`."""
    members = Member.objects.filter(
        club=tournament.club_id, player__isnull=False, left_on__isnull=True, kind=Member.Kind.MEMBER
    ).select_related("player__merged_into")
    return invite(tournament, [each.player for each in members if each.player is not None], by)


def can_invite(tournament: Tournament) -> bool:
    """Whether somebody who is invited could enter by themselves."""
    running = tournament.status in (Tournament.Status.PLANNED, Tournament.Status.RUNNING)
    return running and tournament.entry != Tournament.Entry.DESK and entries.is_open(state_of(tournament))
