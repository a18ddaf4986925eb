"""Requesting the analysis of a finished hand, and making it part by part in a process that serves no pages.

Any worker may make any analysis; a lease says which worker has it. A part is written together with the number of
finished parts, so that none is done twice or left out.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import BooleanField, F
from django.db.models.expressions import RawSQL
from django.utils import timezone

from core.models import first_rows
from domain.engine.cards import Card
from domain.engine.hand import Hand
from games import broadcast
from games.analysis.exceptions import AnalysisError
from games.analysis.models import Analysis, JudgedAction, Outlook
from games.analysis.parts import Answer, Part, parts_of
from games.models import Game, GameHand
from games.selectors import log
from games.selectors.replay import open_deal
from notices import leases

logger = logging.getLogger(__name__)

PLAYERS: Final = "2"
"""The version of the computer players that judge."""
LEASE: Final = timedelta(minutes=2)
"""The longest time that one part may take."""
ATTEMPTS: Final = 3
WAITING_AT_MOST: Final = 200
"""No more analyses are accepted than the workers can make in a few hours."""


@dataclass(frozen=True, slots=True)
class Task:
    """A part that a worker has taken, after `done` other parts."""

    analysis: int
    done: int
    whole: Hand
    pack: Sequence[Card]
    part: Part
    worlds: int


def open_hand(game: Game, number: int) -> GameHand:
    """The row of a hand that may be replayed, by the same rule as its replay. Raises NotOpen."""
    return open_deal(game, number)[1]


def ask(game: Game, number: int, now: datetime | None = None) -> Analysis:
    """The analysis of hand `number`, requested now unless it exists; one that failed is tried again.

    Raises NotOpen for a hand whose cards are still secret, AnalysisError for one that was not played, or while too many
    analyses are waiting.
    """
    row = open_hand(game, number)
    if row.status != GameHand.Status.PLAYED:
        raise AnalysisError("nothing-to-analyse")
    analysis = Analysis.objects.filter(hand=row).first()
    if analysis is not None and analysis.status != Analysis.Status.FAILED:
        return analysis
    if Analysis.objects.filter(status__in=_TO_DO).count() >= WAITING_AT_MOST:
        raise AnalysisError("analysis-busy")
    if analysis is None:
        analysis, _created = Analysis.objects.get_or_create(hand=row, defaults={"players": PLAYERS})
    else:
        failed_row = Analysis.objects.filter(pk=analysis.pk, status=Analysis.Status.FAILED)
        failed_row.update(status=Analysis.Status.WAITING, attempts=0, lease_until=None, asked_at=now or timezone.now())
        analysis.refresh_from_db()
    broadcast.wake_worker()
    return analysis


_TO_DO: Final = (Analysis.Status.WAITING, Analysis.Status.RUNNING)
_IS_TO_DO: Final = RawSQL("analysis_analysis.status IN ('waiting', 'running')", (), BooleanField())
"""The condition of `_TO_DO` as it is written in the index. With bound parameters, SQLite does not see that the index
applies."""


def take(now: datetime) -> Task | None:
    """Lease the oldest analysis that no worker has to the caller.

    Returns its next part; None if there is nothing to do.
    """
    free = leases.free(now, now + LEASE + leases.SET_BACK)
    for analysis in first_rows(Analysis.objects.filter(_IS_TO_DO, free).order_by("asked_at", "pk"), 5):
        # An expired lease is a failed attempt: the worker that had it never came back.
        attempts = F("attempts") + (1 if analysis.lease_until is not None else 0)
        mine = Analysis.objects.filter(free, pk=analysis.pk, status__in=_TO_DO)
        if mine.update(lease_until=now + LEASE, status=Analysis.Status.RUNNING, attempts=attempts):
            analysis.refresh_from_db()
            if analysis.attempts >= ATTEMPTS:
                give_up(analysis.pk, now)
                continue
            return next_of(analysis, now)
    return None


def next_of(analysis: Analysis, now: datetime) -> Task | None:
    """The next part of an analysis that the caller has leased. If none is left, mark it as done and return None."""
    whole, pack = hand_of(analysis)
    parts = parts_of(whole, pack)
    if analysis.parts_done >= len(parts):
        Analysis.objects.filter(pk=analysis.pk).update(
            status=Analysis.Status.DONE, parts=len(parts), ended_at=now, lease_until=None
        )
        return None
    if not analysis.parts:
        Analysis.objects.filter(pk=analysis.pk).update(parts=len(parts))
    return Task(analysis.pk, analysis.parts_done, whole, pack, parts[analysis.parts_done], analysis.worlds)


def hand_of(analysis: Analysis) -> tuple[Hand, tuple[Card, ...]]:
    """The finished hand, and its pack before the cut."""
    row = GameHand.objects.select_related("game").get(pk=analysis.hand_id)
    table = log.steady_table(row.game)
    row = next(each for each in table.hands if each.pk == row.pk)
    return log.replay_hand(table, row, log.moves_of(table.game, row.number)), log.pack_of(row) or ()


def write(task: Task, answer: Answer, now: datetime) -> Task | None:
    """Save the result of a part and return the next one; None if it was the last or another worker has written it."""
    with transaction.atomic():
        mine = Analysis.objects.filter(pk=task.analysis, parts_done=task.done, status=Analysis.Status.RUNNING)
        if not mine.update(parts_done=task.done + 1, attempts=0, lease_until=now + LEASE):
            return None
        if answer.judged is not None:
            JudgedAction.objects.create(analysis_id=task.analysis, **answer.judged)
        if answer.outcomes:
            seats = list(zip(*answer.outcomes, strict=True))
            Outlook.objects.create(
                analysis_id=task.analysis,
                step=task.part.step,
                trick=task.part.trick,
                plays=len(answer.outcomes),
                totals=[sum(scores) for scores in seats],
                squares=[sum(score * score for score in scores) for scores in seats],
            )
        return next_of(Analysis.objects.get(pk=task.analysis), now)


def count_failure(task: Task, now: datetime) -> None:
    """Count a failed attempt at a part. It is tried again a little later, or given up after `ATTEMPTS`."""
    mine = Analysis.objects.filter(pk=task.analysis, parts_done=task.done, status=Analysis.Status.RUNNING)
    if mine.update(attempts=F("attempts") + 1, lease_until=None):
        analysis = Analysis.objects.get(pk=task.analysis)
        if analysis.attempts >= ATTEMPTS:
            give_up(analysis.pk, now)


def give_up(key: int, now: datetime) -> None:
    """Mark an analysis as failed. The finished parts stay, in case it is requested again."""
    Analysis.objects.filter(pk=key).update(status=Analysis.Status.FAILED, ended_at=now, lease_until=None)
    logger.error("the analysis %s was given up", key)
