"""The worker's tasks for online rounds: finished games, deadlines, reminders, and automatic rounds.

If the plan says so, the site draws and publishes the next round, and ends the phase after the last one. The director
can do this by hand at any time before.
"""

from __future__ import annotations

import logging
import uuid
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from core.exceptions import Refusal
from domain.pace import Kind, Terms
from domain.pace import State as PaceState
from domain.pace.counting import calendar_of
from domain.tournament.drawing import can_sit, entrants_of
from domain.tournament.finishing import drawn_tables
from domain.tournament.scoring import ranking
from domain.tournament.state import CONFIRMED, DRAFT, OUT, Phase, Round, State
from games import projections
from games.models import Game
from notices import outbox
from notices.preferences import at_local
from tournaments import permissions
from tournaments.exceptions import Refused
from tournaments.models import OnlineRound, OnlineTable, Tournament, TournamentEvent
from tournaments.online import services, substitutes
from tournaments.online.notifications import DEADLINE
from tournaments.online.services import deadline_for
from tournaments.selectors import state_of
from tournaments.services import draws, log
from tournaments.services.log import NewEvent

logger = logging.getLogger(__name__)

GRACE: Final = timedelta(days=1)
"""The time in which everybody can see how a round ended, and the director can go on by hand."""
MORNING: Final = time(9)
"""New rounds come at this hour, in the time zone of the site: never at night."""


def go_on(tournament_id: int, key: str, now: datetime) -> tuple[int, datetime | None]:
    """If the round `key` is the last one and is over, go on with the next round or the end of the phase.

    Returns how many things were done, and when to look again (None: after the next event). Takes the lock on the
    tournament's row.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        state = state_of(tournament)
        round = state.round(key)
        if round is None or tournament.status != Tournament.Status.RUNNING or state.closed:
            return 0, None
        phase = state.phases[round.phase - 1]
        last = phase.rounds[-1].number == round.number and round.status != DRAFT and state.current is phase
        if not last or phase.plan.online is None or not phase.plan.online.auto:
            return 0, None
        if phase.finished:
            return _close_if_final(tournament, now), None
        when = next_at(tournament, round)
        if when > now:
            return 0, when
        try:
            with transaction.atomic():
                return _next_round(tournament, phase, round, now), None
        except Refusal as refusal:
            # Somebody has to decide something first: try again tomorrow.
            logger.info("tournament %s does not go on by itself: %s", tournament.public_id, refusal.code)
            return 0, next_morning(now)


def next_at(tournament: Tournament, round: Round) -> datetime:
    """When the next round comes: a morning, at least a day after every table counts or is late, or the deadline."""
    over = datetime.fromisoformat(round.deadline)
    if not round.open_tables:
        rows = OnlineTable.objects.filter(tournament=tournament, key__startswith=f"{round.key}.")
        decided = [row.reported_at or row.late_at for row in rows]
        over = min(over, max((moment for moment in decided if moment is not None), default=over))
    return next_morning(over + GRACE)


def next_morning(moment: datetime) -> datetime:
    """The first morning hour from `moment` on."""
    zone = ZoneInfo(settings.TIME_ZONE)
    day = moment.astimezone(zone).date()
    morning = at_local(day, MORNING, zone)
    return morning if morning >= moment else at_local(day + timedelta(days=1), MORNING, zone)


def _next_round(tournament: Tournament, phase: Phase, round: Round, now: datetime) -> int:
    """Close the round, then draw and publish the next one, or end the phase. Raises Refusal."""
    if round.status == OUT and not round.open_tables:
        log.act_as_site(tournament.pk, [("round.closed", {"round": round.key})], now)
    if len(phase.rounds) >= phase.plan.rules.rounds:
        for key in drawn_tables(_fresh(tournament), phase):
            raise Refused("drawn", "table", round=round.number, table=key.rpartition(".")[2])
        return _finish(tournament, phase, now)
    state = _fresh(tournament)
    pauses = _without_account(state, state.phases[phase.number - 1])
    if pauses:
        log.act_as_site(tournament.pk, pauses, now)
    try:
        receipt = draws.draw(tournament, phase.number, by=permissions.SITE_ITSELF, request_id=uuid.uuid4(), at=now)
    except Refused as refusal:
        if refusal.code == "decided":
            return _finish(tournament, phase, now)
        raise
    drawn = receipt.state.phases[phase.number - 1]
    deadline = deadline_for(drawn.plan, now).isoformat()
    log.act_as_site(tournament.pk, [("round.published", {"round": drawn.rounds[-1].key, "deadline": deadline})], now)
    return 1


def _finish(tournament: Tournament, phase: Phase, now: datetime) -> int:
    log.act_as_site(tournament.pk, [("phase.finished", {"phase": phase.number})], now)
    return 1 + _close_if_final(tournament, now)


def _close_if_final(tournament: Tournament, now: datetime) -> int:
    """Close the tournament if its ranking is final and the site itself has finished the phase.

    A director who finishes a phase by hand may want to go on with another one.
    """
    state = _fresh(tournament)
    finished = TournamentEvent.objects.filter(tournament=tournament, kind="phase.finished").order_by("number").last()
    by_itself = finished is not None and finished.by == permissions.SITE_ITSELF.name
    if not by_itself or not ranking(state)[1]:
        return 0
    try:
        with transaction.atomic():
            log.act_as_site(tournament.pk, [("tournament.closed", {})], now)
    except Refused:
        return 0
    return 1


def _without_account(state: State, phase: Phase) -> list[NewEvent]:
    """The events that let entrants whose account is gone sit out, so that the league does not have to wait for them."""
    number = len(phase.rounds) + 1
    sitting = [each for each in entrants_of(state, phase) if not each.house and can_sit(each, phase, number)]
    people = {person for each in sitting for person in each.people(phase.number, number)}
    players = substitutes.players_of(people)
    return [
        ("entrant.paused", {"id": each.id})
        for each in sitting
        if not set(each.people(phase.number, number)) <= set(players)
    ]


def _fresh(tournament: Tournament) -> State:
    tournament.refresh_from_db()
    return state_of(tournament)


AT_ONCE: Final = 20
LEASE: Final = timedelta(minutes=1)
"""After this time another worker takes over from one that died."""


def do_due(now: datetime | None = None) -> int:
    """Do everything that is due. Returns how many things were done. Two indexed queries if nothing is due."""
    moment = now or timezone.now()
    done = services.report_due(moment)
    for pk in list(
        OnlineRound.objects.filter(due_at__lte=moment).order_by("due_at").values_list("pk", flat=True)[:AT_ONCE]
    ):
        try:
            done += look(pk, moment)
        except Exception:  # a broken tournament must not hold up the others; it is tried again after the lease
            logger.exception("could not look after online round %s", pk)
    return done


def look(round_id: int, now: datetime) -> int:
    """Do what is due in one round, and note when to look again. Does nothing if another worker is doing it."""
    lease = now + LEASE
    if not OnlineRound.objects.filter(pk=round_id, due_at__lte=now).update(due_at=lease):
        return 0
    row = OnlineRound.objects.select_related("tournament").get(pk=round_id)
    tournament, key = row.tournament, row.key
    if tournament.status != Tournament.Status.RUNNING or state_of(tournament).round(key) is None:
        OnlineRound.objects.filter(pk=round_id, due_at=lease).update(due_at=None)
        return 0
    done = services.begin_round(tournament, key, now)
    done += remind(round_id, now)
    treated, waits = services.treat_deadline(tournament.pk, key, now)
    went_on, when = go_on(tournament.pk, key, now)
    # Events that were written meanwhile, also by this look, have changed `due_at`: then that stays.
    OnlineRound.objects.filter(pk=round_id, due_at=lease).update(due_at=_next(round_id, now, when, waits=waits))
    return done + treated + went_on


def _next(round_id: int, now: datetime, when: datetime | None, *, waits: bool) -> datetime | None:
    """When something may next be due in this round without a new event; None if never."""
    row = OnlineRound.objects.select_related("tournament").filter(pk=round_id).first()
    round = state_of(row.tournament).round(row.key) if row is not None else None
    if row is None or round is None:
        return None
    moments = [when, row.remind_at]
    if round.open_tables and row.deadline_at > now:
        moments.append(row.deadline_at)
    if waits:
        moments.append(now + services.LOOK_AGAIN)
    return min((moment for moment in moments if moment is not None), default=None)


_BY_DAY: Final = Terms(Kind.DAYS, timedelta(days=1))
_MOMENT: Final = timedelta(milliseconds=1)


def remind(round_id: int, now: datetime) -> int:
    """Once a fifth of the round's time is left, remind the players whose turn it is.

    Does it once. Returns their number.
    """
    with transaction.atomic():
        row = OnlineRound.objects.select_related("tournament").get(pk=round_id)
        taken = OnlineRound.objects.filter(pk=round_id, remind_at__lte=now).update(remind_at=None)
        if not taken or row.deadline_at <= now:
            return 0
        state, count = state_of(row.tournament), 0
        tables = OnlineTable.objects.filter(
            tournament=row.tournament, key__startswith=f"{row.key}.", game__status=Game.Status.PLAYING
        )
        for each in tables.select_related("game").order_by("key"):
            table = state.table(each.key)
            player = _player_to_act(each.game) if each.game is not None else None
            if table is None or table.state == CONFIRMED or player is None:
                continue
            assert each.game is not None
            params = {
                "game": each.game.public_id,
                "tournament": row.tournament.public_id,
                "table": each.key,
                "until": row.deadline_at.isoformat(),
            }
            outbox.put(DEADLINE, player, params, due_at=awake(player, now), expires_at=row.deadline_at)
            count += 1
        return count


def awake(player: Player, now: datetime) -> datetime:
    """The first moment from `now` on at which the player is awake, by the hours they have given."""
    return calendar_of(_BY_DAY, projections.rhythm_of(player)).deadline(now, _MOMENT)


def _player_to_act(game: Game) -> Player | None:
    """The person whose turn it is in a game; None if a computer player acts for them, or if it is nobody's turn."""
    if game.to_act is None or projections.state_of(game, game.to_act) is not PaceState.HERE:
        return None
    return game.seats.select_related("player__merged_into").get(number=game.to_act).player.current
