"""Announcing a tournament, changing what was announced, cancelling and deleting it. All through the door of tournaments.

Locks: the club's row first, then the tournament's. A refusal changes nothing; a repeated request does nothing twice.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from clubs.evening.desk import plan_to
from clubs.evening.given import Plain
from clubs.evening.state import Plan, State
from clubs.planning.refusals import CannotCancel, HasBegun
from clubs.room import rights, steps
from clubs.room.rights import Act
from clubs.room_models import Club, HouseRulesVersion
from clubs.tournament_models import Tournament
from clubs.tournaments import actors, bell, door, tellers
from clubs.tournaments.reading import state_of


@dataclass(frozen=True, slots=True)
class Words:
    """What is announced, as its form has it. `most` persons may enter by themselves, 0: as many as wish."""

    name: str
    starts: datetime
    ends: datetime | None = None
    place: str = ""
    text: str = ""
    language: str = ""
    is_public: bool = True
    entry: str = Tournament.Entry.DESK
    most: int = 0


def announce(
    club: Club,
    by: Player,
    words: Words,
    plan: Plan,
    fee: int,
    *,
    rules: HouseRulesVersion | None,
    request_id: uuid.UUID,
) -> Tournament:
    """A new tournament with its plan. Raises ClubGone, NotAllowed, Suspended, Refused, RequestReused."""
    with transaction.atomic():
        row = steps.locked(club.pk)
        before = steps.answered(row, by, request_id, "tournament.announced")
        if before is not None:
            return Tournament.objects.get(public_id=str(before.data.get("tournament", "")))
        rights.check(by, row, Act.PLAN_TOURNAMENTS)
        rights.check_not_suspended(by)
        made = Tournament(club=row, house_rules=rules, created_by=by)
        _write(made, words)
        made.save()
        door.act(made.pk, [_planned(plan, fee)], by=actors.director(by), request_id=request_id)
        steps.log(row, "tournament.announced", actor=by, data={"tournament": made.public_id}, request_id=request_id)
        return made


def change(
    tournament: Tournament,
    by: Player,
    words: Words,
    plan: Plan,
    fee: int,
    *,
    rules: HouseRulesVersion | None,
    request_id: uuid.UUID,
) -> None:
    """Change what was announced. A plan that is another holds from the next phase on; who has entered is told of another
    time or place.

    Raises ClubGone, NotAllowed, Suspended, NotOpen (cancelled), Refused, RequestReused.
    """
    with transaction.atomic():
        row = _locked(tournament, by)
        if steps.answered(row.club, by, request_id, "tournament.changed") is not None:
            return
        rights.check_not_suspended(by)
        state = state_of(row)
        if (state.plan, state.fee) != (plan, fee):
            door.act(row.pk, [_planned(plan, fee)], by=actors.director(by), request_id=request_id)
            row.refresh_from_db()
        moved = (row.starts, row.place) != (words.starts, words.place)
        row.house_rules = rules
        _write(row, words)
        row.sequence += 1
        row.save()
        if moved and row.status != Tournament.Status.CANCELLED and row.starts > timezone.now():
            tellers.tell(tellers.MOVED, row, by=by)
        _told(row, "tournament.changed", by, request_id)


def cancel(tournament: Tournament, by: Player, *, cancelled: bool, request_id: uuid.UUID) -> None:
    """Say that it does not take place, or does after all. Whoever entered stays in its list, and is told.

    Raises ClubGone, NotAllowed, CannotCancel (rounds were drawn), RequestReused.
    """
    with transaction.atomic():
        row = _locked(tournament, by)
        if steps.answered(row.club, by, request_id, "tournament.cancelled") is not None:
            return
        state = state_of(row)
        if state.closed or any(phase.rounds for phase in state.phases):
            raise CannotCancel
        if cancelled:
            row.status = Tournament.Status.CANCELLED
        else:
            row.status = Tournament.Status.RUNNING if state.open else Tournament.Status.PLANNED
        row.sequence += 1
        row.changed_at = timezone.now()
        row.save(update_fields=["status", "sequence", "changed_at"])
        if row.starts > timezone.now():
            tellers.tell(tellers.CANCELLED if cancelled else tellers.HELD, row, by=by)
        _told(row, "tournament.cancelled", by, request_id, cancelled=cancelled)


def can_delete(state: State) -> bool:
    """Whether nothing has happened yet that anybody could miss."""
    return not (state.open or state.entrants or state.money or state.phases)


def delete(tournament: Tournament, by: Player, *, request_id: uuid.UUID) -> None:
    """Delete a tournament in which nothing has happened. Raises ClubGone, NotAllowed, HasBegun, RequestReused."""
    with transaction.atomic():
        row = _locked(tournament, by)
        if not can_delete(state_of(row)):
            raise HasBegun
        steps.log(row.club, "tournament.deleted", actor=by, request_id=request_id)
        row.delete()


def _locked(tournament: Tournament, by: Player) -> Tournament:
    """The tournament, its row and its club's locked, if `by` may plan there."""
    club = steps.locked(tournament.club_id)
    rights.check(by, club, Act.PLAN_TOURNAMENTS)
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    row.club = club
    return row


def _planned(plan: Plan, fee: int) -> door.Doing:
    data: dict[str, Plain] = {"plan": plan_to(plan), "fee": fee}
    return ("tournament.planned", data)


def _told(row: Tournament, what: str, by: Player, request_id: uuid.UUID, **data: object) -> None:
    told: Mapping[str, object] = {"tournament": row.public_id, **data}
    steps.log(row.club, what, actor=by, data=told, request_id=request_id)
    public_id, number = row.public_id, row.number
    transaction.on_commit(lambda: bell.ring(public_id, number), robust=True)


def _write(row: Tournament, words: Words) -> None:
    row.name, row.starts, row.ends = words.name, words.starts, words.ends
    row.place, row.text, row.language = words.place, words.text, words.language
    row.is_public, row.entry, row.most = words.is_public, words.entry, words.most
    row.changed_at = timezone.now()
