"""Announcing a tournament, changing what was announced, cancelling and deleting it. All through the door of tournaments.

Locks: the club's row first, then the tournament's. A refusal changes nothing; a repeated request does nothing twice.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from clubs import permissions as clubs_permissions
from clubs.models import Club, HouseRulesVersion
from clubs.permissions import Act
from clubs.services import common
from domain.tournament.directing import plan_to
from domain.tournament.payload import Plain
from domain.tournament.state import Plan, State
from tournaments import notifications, signals
from tournaments import permissions as tournaments_permissions
from tournaments.models import Tournament
from tournaments.registration.exceptions import EntryError
from tournaments.selectors import state_of
from tournaments.services import log

FIELDS: Final = ("name", "starts", "ends", "place", "text", "language", "is_public", "entry", "most")
"""What is announced; `announce` and `change` take it from a `Tournament` that is not saved."""


def announce(
    club: Club,
    by: Player,
    given: Tournament,
    plan: Plan,
    fee: int,
    *,
    rules: HouseRulesVersion | None,
    request_id: uuid.UUID,
) -> Tournament:
    """A new tournament with its plan. Raises ``club-gone``, ``not-allowed``, Suspended, Refused, ``request-reused``."""
    with transaction.atomic():
        row = common.locked(club.pk)
        before = common.answered(row, by, request_id, "tournament.announced")
        if before is not None:
            return Tournament.objects.get(public_id=str(before.data.get("tournament", "")))
        clubs_permissions.check_may(by, row, Act.PLAN_TOURNAMENTS)
        account_permissions.check_not_suspended(by)
        made = Tournament(club=row, house_rules=rules, created_by=by)
        _write(made, given)
        made.save()
        log.act(made.pk, [_planned(plan, fee)], by=tournaments_permissions.director(by), request_id=request_id)
        common.log(row, "tournament.announced", actor=by, data={"tournament": made.public_id}, request_id=request_id)
        return made


def change(
    tournament: Tournament,
    by: Player,
    given: Tournament,
    plan: Plan,
    fee: int,
    *,
    rules: HouseRulesVersion | None,
    request_id: uuid.UUID,
) -> None:
    """Change what was announced. A plan that is another holds from the next phase on; who has entered is told of another
    time or place.

    Raises ``club-gone``, ``not-allowed``, Suspended, ``cancelled`` (cancelled), Refused, ``request-reused``.
    """
    with transaction.atomic():
        row = _locked(tournament, by)
        if common.answered(row.club, by, request_id, "tournament.changed") is not None:
            return
        account_permissions.check_not_suspended(by)
        state = state_of(row)
        if (state.plan, state.fee) != (plan, fee):
            log.act(row.pk, [_planned(plan, fee)], by=tournaments_permissions.director(by), request_id=request_id)
            row.refresh_from_db()
        moved = (row.starts, row.place) != (given.starts, given.place)
        row.house_rules = rules
        _write(row, given)
        row.sequence += 1
        row.save()
        if moved and row.status != Tournament.Status.CANCELLED and row.starts > timezone.now():
            notifications.notify_entrants(notifications.MOVED, row, by=by)
        _told(row, "tournament.changed", by, request_id)


def cancel(tournament: Tournament, by: Player, *, cancelled: bool, request_id: uuid.UUID) -> None:
    """Say that it does not take place, or does after all. Whoever entered stays in its list, and is told.

    Raises ``club-gone``, ``not-allowed``, ``cannot-cancel`` (rounds were drawn), ``request-reused``.
    """
    with transaction.atomic():
        row = _locked(tournament, by)
        if common.answered(row.club, by, request_id, "tournament.cancelled") is not None:
            return
        state = state_of(row)
        if state.closed or any(phase.rounds for phase in state.phases):
            raise EntryError("cannot-cancel")
        if cancelled:
            row.status = Tournament.Status.CANCELLED
        else:
            row.status = Tournament.Status.RUNNING if state.open else Tournament.Status.PLANNED
        row.sequence += 1
        row.changed_at = timezone.now()
        row.save(update_fields=["status", "sequence", "changed_at"])
        if row.starts > timezone.now():
            notifications.notify_entrants(notifications.CANCELLED if cancelled else notifications.HELD, row, by=by)
        _told(row, "tournament.cancelled", by, request_id, cancelled=cancelled)


def can_delete(state: State) -> bool:
    """Whether nothing has happened yet that anybody could miss."""
    return not (state.open or state.entrants or state.money or state.phases)


def delete(tournament: Tournament, by: Player, *, request_id: uuid.UUID) -> None:
    """Delete a tournament in which nothing has happened. Raises ``club-gone``, ``not-allowed``, ``has-begun``,
    ``request-reused``."""
    with transaction.atomic():
        row = _locked(tournament, by)
        if not can_delete(state_of(row)):
            raise EntryError("has-begun")
        common.log(row.club, "tournament.deleted", actor=by, request_id=request_id)
        row.delete()


def _locked(tournament: Tournament, by: Player) -> Tournament:
    """The tournament, its row and its club's locked, if `by` may plan there."""
    club = common.locked(tournament.club_id)
    clubs_permissions.check_may(by, club, Act.PLAN_TOURNAMENTS)
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    row.club = club
    return row


def _planned(plan: Plan, fee: int) -> log.Doing:
    data: dict[str, Plain] = {"plan": plan_to(plan), "fee": fee}
    return ("tournament.planned", data)


def _told(row: Tournament, what: str, by: Player, request_id: uuid.UUID, **data: object) -> None:
    told: Mapping[str, object] = {"tournament": row.public_id, **data}
    common.log(row.club, what, actor=by, data=told, request_id=request_id)
    public_id, number = row.public_id, row.number
    transaction.on_commit(lambda: signals.ring(public_id, number), robust=True)


def _write(row: Tournament, given: Tournament) -> None:
    common.take_over(given, row, FIELDS)
    row.changed_at = timezone.now()
