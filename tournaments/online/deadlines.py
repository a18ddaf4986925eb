"""Deadlines of rounds: when they are, and what happens to tables that are not over by then, as the house rules say.

Publishing a round that is played online: with the deadline its plan asks for.
"""

from __future__ import annotations

import uuid
from datetime import datetime, time, timedelta
from enum import Enum
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from domain.tournament.online import FORFEITED, POSTPONED
from domain.tournament.payload import Plain
from domain.tournament.state import CONFIRMED, OUT, Phase, Plan, State, Table
from games.models import Game
from games.services import seats
from notices.preferences import at_local
from tournaments import permissions as tournaments_permissions
from tournaments.exceptions import Refused
from tournaments.models import Tournament
from tournaments.online import reporting
from tournaments.permissions import Actor
from tournaments.selectors import state_of
from tournaments.services import log
from tournaments.services.log import Receipt

ENDS_AT: Final = time(20)
"""Rounds end in the evening, by the clock of the site."""
LOOK_AGAIN: Final = timedelta(minutes=1)


class Treated(Enum):
    """What became of a table at the deadline."""

    NOTHING = 0
    DONE = 1
    WAITS = 2
    """Nobody keeps it waiting just now: computer players act, or the next deal is about to begin. Look again."""


def deadline_for(plan: Plan, now: datetime | None = None) -> datetime:
    """When a round that is published at `now` ends: in the evening, after as many days as the plan says or a little later."""
    assert plan.online is not None
    zone = ZoneInfo(settings.TIME_ZONE)
    earliest = (now or timezone.now()) + timedelta(days=plan.online.days)
    day = earliest.astimezone(zone).date()
    found = at_local(day, ENDS_AT, zone)
    return found if found >= earliest else at_local(day + timedelta(days=1), ENDS_AT, zone)


def treat(tournament_id: int, key: str, now: datetime) -> tuple[int, bool]:
    """If the deadline of a round has passed, do what the house rules say at each table that is not over.

    How many tables it was done at, and whether one has to be looked at again soon. Takes the lock on the tournament's row,
    then a game's, table by table; does nothing twice.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    round = state_of(tournament).round(key)
    if round is None or not _has_passed(round.deadline, now):
        return 0, False
    waiting = [number for number, table in sorted(round.tables.items()) if table.state != CONFIRMED and not table.late]
    found = [_table(tournament_id, f"{key}.{number}", now) for number in waiting]
    return found.count(Treated.DONE), Treated.WAITS in found


def _has_passed(deadline: str, now: datetime) -> bool:
    return bool(deadline) and datetime.fromisoformat(deadline) <= now


def _table(tournament_id: int, key: str, now: datetime) -> Treated:
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        state = state_of(tournament)
        round, table = state.round(key.rpartition(".")[0]), state.table(key)
        if tournament.status != Tournament.Status.RUNNING or round is None or table is None or round.status != OUT:
            return Treated.NOTHING
        if not _has_passed(round.deadline, now) or table.state == CONFIRMED or table.late:
            return Treated.NOTHING
        game = Game.objects.select_for_update().filter(public_id=table.game).first() if table.game else None
        if game is not None and game.status != Game.Status.PLAYING and not game.is_sealed:
            return Treated.DONE if reporting.report(tournament, state, key, table, game, now) else Treated.NOTHING
        return _by_the_rules(tournament, state, state.phases[round.phase - 1], key, table, game, now)


def _by_the_rules(
    tournament: Tournament, state: State, phase: Phase, key: str, table: Table, game: Game | None, now: datetime
) -> Treated:
    how = phase.plan.rules.overdue
    over = game is not None and game.status != Game.Status.PLAYING
    who = reporting.who_keeps_waiting(state, table, game) if game is not None else []
    if how == "postpone" or game is None:
        _overdue(tournament, key, POSTPONED, [] if over else who, now)
        return Treated.DONE
    if over:
        return Treated.NOTHING  # it counts as soon as its deals are open
    if how == "forfeit":
        if not who:
            return Treated.WAITS
        _overdue(tournament, key, FORFEITED, who, now)  # the game ends with it, see `tournaments.online.projections`
        return Treated.DONE
    seats.call_off(game.pk, now=now)
    game = Game.objects.get(pk=game.pk)
    if not game.is_sealed:
        reporting.report(tournament, state, key, table, game, now)
    return Treated.DONE


def _overdue(tournament: Tournament, key: str, how: str, who: list[str], now: datetime) -> None:
    doing: log.Doing = ("table.overdue", {"table": key, "how": how, "who": list(who)})
    log.act(tournament.pk, [doing], by=tournaments_permissions.SITE_ITSELF, request_id=uuid.uuid4(), at=now)


def publish(
    tournament: Tournament,
    key: str,
    *,
    by: Actor,
    request_id: uuid.UUID,
    deadline: datetime | None = None,
    now: datetime | None = None,
) -> Receipt:
    """Let everybody see a round, in the hall or online: then until `deadline`, or as long as the plan says. The worker lays
    its games. Raises Refused: ``no-account`` names who cannot be seated."""
    moment = now or timezone.now()
    tournament.refresh_from_db()
    state = state_of(tournament)
    round = state.round(key)
    if round is None:
        raise Refused("no-such-round", "round")
    plan = state.phases[round.phase - 1].plan
    data: dict[str, Plain] = {"round": key}
    if plan.online is not None:
        data["deadline"] = (deadline or deadline_for(plan, moment)).isoformat()
    return log.act(
        tournament.pk,
        [("round.published", data)],
        by=by,
        request_id=request_id,
        same=f"publish|{key}|{deadline}",
        at=now,
    )
