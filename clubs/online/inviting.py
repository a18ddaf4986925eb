"""Inviting people to enter a tournament: each is told once, with the way in."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import transaction

from accounts import blocking
from accounts.models import Player
from clubs.online import accounts, entry
from clubs.online.refusals import CannotInvite, NobodyInvited
from clubs.online.tellers import INVITED, TOPIC
from clubs.online_models import TournamentInvitation
from clubs.room import rights
from clubs.room_models import Member
from clubs.tournament_models import Participation, Tournament
from clubs.tournaments.reading import state_of
from notices import outbox


def invite(
    tournament: Tournament, players: Sequence[Player], by: Player, *, request_id: uuid.UUID | None = None
) -> int:
    """Invite these people; how many were told. Who takes part, was invited before, has no account or does not want to meet
    `by` is passed over in silence. Takes the lock on the tournament's row.

    The caller has asked `clubs.room.rights` for RUN_TOURNAMENTS. Raises CannotInvite, NobodyInvited, Suspended.
    """
    del request_id  # nobody is invited twice: a repeated request does nothing
    if not players:
        raise NobodyInvited
    rights.check_not_suspended(by)
    with transaction.atomic():
        row = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if not can_invite(row):
            raise CannotInvite
        known = set(Participation.objects.filter(tournament=row).values_list("member__player", flat=True))
        known |= set(TournamentInvitation.objects.filter(tournament=row).values_list("player", flat=True))
        told = 0
        for player in {each.current.pk: each.current for each in players}.values():
            if player.pk in known or player.pk == by.pk or not accounts.can_play(player):
                continue
            if not blocking.may_meet(player, [by]):
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
    return running and tournament.entry != Tournament.Entry.DESK and entry.is_open(state_of(tournament))
