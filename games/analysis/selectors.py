"""The analysis of a hand as plain data. The caller has checked that the reader may see the replay of the hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from domain.bots.common import Reason
from domain.bots.evaluating import Prospects
from domain.bots.reviewing import FactKind
from domain.engine.cards import letter_of
from games import projections
from games.analysis.models import Analysis, JudgedAction, Outlook
from games.charts import CLEAR_ERRORS, LEAST_COST, Mean
from games.models import Game, GameHand
from games.selectors import log
from games.text.advice import FactSeen

TURNING_POINTS: Final = 5


@dataclass(frozen=True, slots=True)
class OptionSeen:
    """One possible action, as in a record, with the average result for its seat, the standard error of its difference to
    the best one, and whether it was chosen."""

    action: str
    points: float
    error: float
    done: bool


@dataclass(frozen=True, slots=True)
class ChancesSeen:
    """Hidden cards with the same chances, in percent: of being held by each seat and, last, by nobody."""

    cards: tuple[str, ...]
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecisionSeen:
    """A decision: the action taken after `step` actions, which the replay shows at step `step` + 1.

    `clear`: it was clearly a mistake. `best` is the better action, or the action itself if none was better.
    `stand_in`: a computer player decided for somebody who was away.
    """

    step: int
    seat: int
    asked: str
    trick: int
    action: str
    best: str
    cost: float
    error: float
    exact: bool
    clear: bool
    options: tuple[OptionSeen, ...]
    reason: Reason | None
    facts: tuple[FactSeen, ...]
    prospects: tuple[Prospects, ...]
    chances: tuple[ChancesSeen, ...]
    stand_in: bool = False

    @property
    def shown_at(self) -> int:
        """The step of the replay that shows the action."""
        return self.step + 1


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The decisions of a seat: how many, how many clear mistakes, and the total cost of these with its error.

    Without those of a computer player for somebody who was away.
    """

    seat: int
    decisions: int
    mistakes: int
    cost: float
    error: float


@dataclass(frozen=True, slots=True)
class OutlookSeen:
    """The expected scores of the seats at a moment, with the cards as they really lay. Trick 0: before any decision."""

    step: int
    trick: int
    means: tuple[Mean, ...]


@dataclass(frozen=True, slots=True)
class AnalysisSeen:
    """A whole analysis, or only its status while it is not done; `share` is the finished part, in percent."""

    status: str
    players: str
    worlds: int
    share: int
    decisions: tuple[DecisionSeen, ...] = ()
    turning_points: tuple[DecisionSeen, ...] = ()
    seats: tuple[SeatSummary, ...] = ()
    outlooks: tuple[OutlookSeen, ...] = ()

    @property
    def waits(self) -> bool:
        return self.status in (Analysis.Status.WAITING, Analysis.Status.RUNNING)

    @property
    def done(self) -> bool:
        return self.status == Analysis.Status.DONE

    @property
    def failed(self) -> bool:
        return self.status == Analysis.Status.FAILED


def status_of(game: Game, number: int) -> AnalysisSeen | None:
    """The status of the analysis of a hand, without its content; None if nobody has requested it. One query."""
    analysis = Analysis.objects.filter(hand__game=game, hand__number=number).first()
    return _seen(analysis) if analysis is not None else None


def analysis_of(row: GameHand, seats: int) -> AnalysisSeen | None:
    """The analysis of a hand with that number of `seats`; None if nobody has requested it. At most six queries."""
    analysis = Analysis.objects.filter(hand=row).first()
    if analysis is None:
        return None
    if analysis.status != Analysis.Status.DONE:
        return _seen(analysis)
    stand_ins = _steps_of_stand_ins(row)
    decisions = tuple(_decision(judged, judged.step in stand_ins) for judged in analysis.judged.all())
    worst = sorted((each for each in decisions if each.clear), key=lambda each: (-each.cost, each.step))
    return _seen(
        analysis,
        decisions=decisions,
        turning_points=tuple(worst[:TURNING_POINTS]),
        seats=tuple(summary_of(seat, [each for each in decisions if each.seat == seat]) for seat in range(seats)),
        outlooks=tuple(_outlook(each) for each in analysis.outlooks.all()),
    )


def decision_of(row: GameHand, step: int) -> DecisionSeen | None:
    """The decision after `step` actions of a hand whose analysis is done. One query."""
    done = JudgedAction.objects.filter(analysis__hand=row, analysis__status=Analysis.Status.DONE)
    judged = done.filter(step=step).first()
    return _decision(judged, step in _steps_of_stand_ins(row)) if judged is not None else None


def _steps_of_stand_ins(row: GameHand) -> frozenset[int]:
    """The steps of a hand at which a computer player decided for somebody who was away."""
    sitters = projections.sitters_of(row.game, row.game.read_seats())
    if not sitters.absences:
        return frozenset()
    moves = enumerate(log.moves_of(row.game, row.number))
    return frozenset(step for step, move in moves if sitters.was_away(move.seat, move.number))


def _seen(
    analysis: Analysis,
    decisions: tuple[DecisionSeen, ...] = (),
    turning_points: tuple[DecisionSeen, ...] = (),
    seats: tuple[SeatSummary, ...] = (),
    outlooks: tuple[OutlookSeen, ...] = (),
) -> AnalysisSeen:
    share = 100 * analysis.parts_done // analysis.parts if analysis.parts else 0
    return AnalysisSeen(
        analysis.status, analysis.players, analysis.worlds, share, decisions, turning_points, seats, outlooks
    )


def _decision(judged: JudgedAction, stand_in: bool) -> DecisionSeen:
    options = tuple(OptionSeen(text, points, error, text == judged.action) for text, points, error in judged.options)
    better = judged.cost > 0
    return DecisionSeen(
        step=judged.step,
        seat=judged.seat,
        asked=judged.asked,
        trick=judged.trick,
        action=judged.action,
        best=options[0].action if better else judged.action,
        cost=judged.cost,
        error=judged.error,
        exact=judged.exact,
        clear=judged.cost >= LEAST_COST and (judged.exact or judged.cost > CLEAR_ERRORS * judged.error),
        options=options,
        reason=Reason(judged.reason) if judged.reason else None,
        facts=tuple(
            FactSeen(FactKind(kind), seat, card, letter_of(lane), number)
            for kind, seat, card, lane, number in judged.facts
        ),
        prospects=tuple(Prospects(*each) for each in judged.prospects),
        chances=tuple(ChancesSeen(tuple(cards.split()), tuple(shares)) for cards, shares in judged.chances),
        stand_in=stand_in,
    )


def summary_of(seat: int, decisions: Sequence[DecisionSeen]) -> SeatSummary:
    own = [each for each in decisions if not each.stand_in]
    mistakes = [each for each in own if each.clear]
    error = sum(each.error**2 for each in mistakes) ** 0.5
    return SeatSummary(seat, len(own), len(mistakes), sum(each.cost for each in mistakes), error)


def _outlook(row: Outlook) -> OutlookSeen:
    sums: Iterable[tuple[int, int]] = zip(row.totals, row.squares, strict=True)
    return OutlookSeen(row.step, row.trick, tuple(Mean(row.plays, total, squares) for total, squares in sums))
