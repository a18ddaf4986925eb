"""Asking for the analysis of a finished hand, and making it, part by part, in a process that answers no page.

Every worker may make any of them: who has one is said by its lease. A part is written with the count of those that are done, so
that nothing is done twice or left out.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import BooleanField, F, Q
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
from games.selectors.replay import NotOpen
from games.selectors.table import may_look_back

logger = logging.getLogger(__name__)

PLAYERS: Final = "2"
"""The version of the computer players that judge."""
LEASE: Final = timedelta(minutes=2)
"""How long one part may take, at the very most."""
ATTEMPTS: Final = 3
WAITING_AT_MOST: Final = 200
"""More analyses than the workers can make in some hours are not taken on."""


@dataclass(frozen=True, slots=True)
class Task:
    """A part that a worker has taken: `done` others were done before it."""

    analysis: int
    done: int
    whole: Hand
    pack: Sequence[Card]
    part: Part
    worlds: int


def open_hand(game: Game, number: int) -> GameHand:
    """The row of a hand that may be looked back at: by the same rule as its replay. Raises NotOpen."""
    table = log.steady_table(game)
    row = next((row for row in table.hands if row.number == number), None)
    if row is None or not may_look_back(table, row):
        raise NotOpen
    return row


def ask(game: Game, number: int, now: datetime | None = None) -> Analysis:
    """The analysis of hand `number`: asked for now, unless it was before; one that failed is tried again.

    Raises NotOpen for a hand whose cards are still secret, AnalysisError for one that was not played, or while too many wait.
    """
    row = open_hand(game, number)
    if row.status != GameHand.Status.PLAYED:
        raise AnalysisError("nothing-to-analyse")
    found = Analysis.objects.filter(hand=row).first()
    if found is not None and found.status != Analysis.Status.FAILED:
        return found
    if Analysis.objects.filter(status__in=_TO_DO).count() >= WAITING_AT_MOST:
        raise AnalysisError("analysis-busy")
    if found is None:
        found, _made = Analysis.objects.get_or_create(hand=row, defaults={"players": PLAYERS})
    else:
        again = Analysis.objects.filter(pk=found.pk, status=Analysis.Status.FAILED)
        again.update(status=Analysis.Status.WAITING, attempts=0, lease_until=None, asked_at=now or timezone.now())
        found.refresh_from_db()
    broadcast.worker_wakeup.set()
    return found


_TO_DO: Final = (Analysis.Status.WAITING, Analysis.Status.RUNNING)
_IS_TO_DO: Final = RawSQL("analysis_analysis.status IN ('waiting', 'running')", (), BooleanField())
"""The same in the words of the index of those: SQLite does not see that it fits where the values come apart from the query."""


def take(now: datetime) -> Task | None:
    """The next part of the oldest analysis that no worker has, leased to the caller; None where there is nothing to do."""
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    for analysis in first_rows(Analysis.objects.filter(_IS_TO_DO, free).order_by("asked_at", "pk"), 5):
        failed = F("attempts") + (1 if analysis.lease_until is not None else 0)  # whoever had it never came back
        mine = Analysis.objects.filter(free, pk=analysis.pk, status__in=_TO_DO)
        if mine.update(lease_until=now + LEASE, status=Analysis.Status.RUNNING, attempts=failed):
            analysis.refresh_from_db()
            if analysis.attempts >= ATTEMPTS:
                give_up(analysis.pk, now)
                continue
            return next_of(analysis, now)
    return None


def next_of(analysis: Analysis, now: datetime) -> Task | None:
    """The next part of an analysis that the caller has; None if that was all."""
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
    """The hand as it ended, and how its pack lay before the cut."""
    row = GameHand.objects.select_related("game").get(pk=analysis.hand_id)
    table = log.steady_table(row.game)
    row = next(each for each in table.hands if each.pk == row.pk)
    return log.replay_hand(table, row, log.moves_of(table.game, row.number)), log.pack_of(row) or ()


def write(task: Task, answer: Answer, now: datetime) -> Task | None:
    """Store what was found about a part, and take the next one; None if that was all, or another worker has written it."""
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


def failed(task: Task, now: datetime) -> None:
    """Something went wrong with a part: it is tried again a little later, and after some attempts no more."""
    mine = Analysis.objects.filter(pk=task.analysis, parts_done=task.done, status=Analysis.Status.RUNNING)
    if mine.update(attempts=F("attempts") + 1, lease_until=None):
        analysis = Analysis.objects.get(pk=task.analysis)
        if analysis.attempts >= ATTEMPTS:
            give_up(analysis.pk, now)


def give_up(key: int, now: datetime) -> None:
    """Nothing comes of this one; what was found stays for whoever asks once more."""
    Analysis.objects.filter(pk=key).update(status=Analysis.Status.FAILED, ended_at=now, lease_until=None)
    logger.error("the analysis %s was given up", key)
