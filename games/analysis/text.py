"""An analysis in the reader's language: the cost of each decision, what was better and why, and what could be known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.sursilvan import joined
from domain.engine import card_of, parse_action
from games import charts
from games.analysis.selectors import AnalysisSeen, DecisionSeen, OutlookSeen, SeatSummary, summary_of
from games.charts import Interval, Mean, Words
from games.read_models import Replay
from games.text import figures
from games.text.advice import because, compared, doing, fact
from games.text.common import Company, as_it_was, called, is_you, name_of, own_side, side_names, signed
from games.text.log import log_line
from rules.text import names


@dataclass(frozen=True, slots=True)
class Remark:
    """A decision in words.

    `better` is empty if nothing was better; `advice` gives the reason as a teacher would, `facts` what the player could
    know. `at` is the step of the replay that shows the decision, `before` the one that shows the question.
    """

    at: int
    before: int
    trick: int
    seat: int
    name: str
    you: bool
    told: str
    cost: str
    clear: bool
    better: str
    advice: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The remarks of one trick, or those before the play (trick 0)."""

    trick: int
    remarks: tuple[Remark, ...]

    @property
    def mistakes(self) -> int:
        return sum(each.clear for each in self.remarks)


@dataclass(frozen=True, slots=True)
class SeatLine:
    name: str
    decisions: int
    mistakes: int
    cost: str


@dataclass(frozen=True, slots=True)
class CourseLine:
    """The expected result before a trick, for each party."""

    label: str
    at: int
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Luck:
    """The result divided into deal and play, for one party."""

    side: str
    deal: str
    result: str
    play: str


def remark(decision: DecisionSeen, replay: Replay) -> Remark:
    step = replay.steps[decision.step]
    line = next((line for line in step.lines if line.seat == decision.seat), step.lines[0])
    company = as_it_was(replay, line.then)
    better = decision.clear and decision.best != decision.action
    because_of = because(decision.reason, replay.ruleset) if decision.reason is not None else ""
    return Remark(
        at=decision.shown_at,
        before=decision.step,
        trick=decision.trick,
        seat=decision.seat,
        name=name_of(decision.seat, company),
        you=is_you(decision.seat, company) and not decision.stand_in,
        told=log_line(line, replay),
        cost=cost_of(decision, replay),
        clear=decision.clear,
        better=doing(parse_action(decision.best), replay.ruleset) if better else "",
        advice=because_of if better and not decision.stand_in else "",
        facts=tuple(_why(decision, company)) if better else (),
    )


def _why(decision: DecisionSeen, company: Company) -> Iterator[str]:
    """The facts that were proven, and the consequences of the better choice and of the chosen action."""
    yield from (fact(each, company) for each in decision.facts)
    you = is_you(decision.seat, company)
    yield from compared(decision.prospects, "" if you else name_of(decision.seat, company))


def cost_of(decision: DecisionSeen, replay: Replay) -> str:
    """The cost of a decision: "cost about 2.4 ± 0.6 points", or that nothing was clearly better."""
    if not decision.clear:
        return _("nothing was clearly better")
    amount = _amount(decision.cost, decision.error, replay, exact=decision.exact)
    return _("cost %(amount)s") % {"amount": amount}


def _amount(cost: float, error: float, replay: Replay, *, exact: bool) -> str:
    figure = {"points": figures.decimal(cost), "error": figures.decimal(error)}
    if exact:
        return (_("%(points)s Rappen, exactly") if replay.rappen else _("%(points)s points, exactly")) % figure
    if figure["error"] == figures.decimal(0.0):
        return (_("about %(points)s Rappen") if replay.rappen else _("about %(points)s points")) % figure
    about = _("about %(points)s ± %(error)s Rappen") if replay.rappen else _("about %(points)s ± %(error)s points")
    return about % figure


def turning_points(seen: AnalysisSeen, replay: Replay) -> list[Remark]:
    return [remark(each, replay) for each in seen.turning_points]


def chapters(seen: AnalysisSeen, replay: Replay) -> list[Chapter]:
    """All decisions, trick by trick."""
    by_trick = groupby(seen.decisions, key=lambda each: each.trick)
    return [Chapter(trick, tuple(remark(each, replay) for each in decisions)) for trick, decisions in by_trick]


def seat_lines(seen: AnalysisSeen, replay: Replay) -> list[SeatLine]:
    """A line for each player, in the order of the seats and, at one seat, of their coming."""
    by_player: dict[tuple[int, str, bool], list[DecisionSeen]] = {}
    for decision in sorted(seen.decisions, key=lambda each: each.seat):
        company = as_it_was(replay, replay.steps[decision.step].lines[0].then)
        key = decision.seat, name_of(decision.seat, company), is_you(decision.seat, company)
        by_player.setdefault(key, []).append(decision)
    return [
        _seat_line(_("%(name)s (you)") % {"name": name} if you else name, summary_of(seat, decisions), replay)
        for (seat, name, you), decisions in by_player.items()
    ]


def _seat_line(name: str, summed: SeatSummary, replay: Replay) -> SeatLine:
    cost = _amount(summed.cost, summed.error, replay, exact=False) if summed.mistakes else "–"
    return SeatLine(name, summed.decisions, summed.mistakes, cost)


def _figure(mean: Mean) -> str:
    return _("%(mean)s ± %(error)s") % {"mean": figures.signed(mean.mean), "error": figures.decimal(mean.error)}


def course(seen: AnalysisSeen, replay: Replay) -> list[CourseLine]:
    """The expected result before each trick, with the cards as they really lay, and the final result."""
    firsts = [party[0] for party in replay.parties]
    lines = [
        CourseLine(_label(each), each.step, tuple(_figure(each.means[seat]) for seat in firsts))
        for each in seen.outlooks
    ]
    scores = replay.sheet.scores
    return [
        *lines,
        CourseLine(_("result"), replay.last_step, tuple(signed(scores[seat]) for seat in firsts)),
    ]


def _label(outlook: OutlookSeen) -> str:
    return str(outlook.trick) if outlook.trick else _("deal")


def drawn(seen: AnalysisSeen, replay: Replay) -> SafeString:
    """A chart of the course of the hand for one side."""
    seat = _own_seat(replay)
    words = Words(
        "course",
        _("What %(side)s could expect to score") % {"side": side_names(replay, own_side(replay))},
        _("A dot before each trick, its line the standard error either way. The table beside it says the same."),
    )
    intervals = [Interval(_label(each), each.means[seat].mean, each.means[seat].error) for each in seen.outlooks]
    result = float(replay.sheet.scores[seat])
    return charts.course(words, [*intervals, Interval(_("result"), result, 0.0)])


def _own_seat(replay: Replay) -> int:
    return replay.viewer if replay.viewer is not None else replay.parties[own_side(replay)][0]


def party_names(replay: Replay) -> list[str]:
    return [side_names(replay, index) for index in range(len(replay.parties))]


def luck(seen: AnalysisSeen, replay: Replay) -> Luck | None:
    """What the deal was worth among computer players, and what the play added; None without an outlook."""
    if not seen.outlooks:
        return None
    seat = _own_seat(replay)
    deal, result = seen.outlooks[0].means[seat], replay.sheet.scores[seat]
    play = _("%(mean)s ± %(error)s") % {
        "mean": figures.signed(result - deal.mean),
        "error": figures.decimal(deal.error),
    }
    return Luck(side_names(replay, own_side(replay)), _figure(deal), signed(result), play)


def summary(seen: AnalysisSeen) -> str:
    """How many decisions were judged, and how many of them were clear mistakes."""
    clear = sum(each.clear for each in seen.decisions)
    judged = ngettext("%(number)d decision was judged.", "%(number)d decisions were judged.", len(seen.decisions))
    found = ngettext("%(number)d was a clear mistake.", "%(number)d were clear mistakes.", clear)
    return joined(" ", [judged % {"number": len(seen.decisions)}, found % {"number": clear}])


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One possible action in words: its average result, how much less than the best that is, and whether it was done."""

    doing: str
    brings: str
    less: str
    done: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A place where hidden cards could be: the probability, and which of them were there."""

    share: str
    there: str


@dataclass(frozen=True, slots=True)
class ChancesLine:
    """Cards with the same chances, and their places in the order of `places`."""

    cards: str
    places: tuple[Place, ...]


def option_lines(decision: DecisionSeen, game: str) -> list[OptionLine]:
    """What could be done, best first."""
    best = decision.options[0]
    return [
        OptionLine(
            doing(parse_action(each.action), game),
            figures.signed(each.points),
            ""
            if each is best
            else figures.against_the_best(best.points - each.points, 0 if decision.exact else each.error),
            each.done,
        )
        for each in decision.options
    ]


def places(decision: DecisionSeen, replay: Replay) -> list[str]:
    """Who could hold a hidden card: the other players, and nobody if that was possible."""
    players = [called(seat, replay) for seat in _others(decision, replay)]
    return [*players, _("nobody")] if _may_be_out_of_play(decision) else players


def _others(decision: DecisionSeen, replay: Replay) -> list[int]:
    return [seat.number for seat in replay.seats if seat.number != decision.seat]


def _may_be_out_of_play(decision: DecisionSeen) -> bool:
    return any(each.shares[-1] for each in decision.chances)


def chances_lines(decision: DecisionSeen, replay: Replay) -> list[ChancesLine]:
    """The hidden cards suit by suit, the highest first; `replay` is at the moment of the decision."""
    others = _others(decision, replay)
    may_be_out = _may_be_out_of_play(decision)
    lines = []
    for each in decision.chances:
        for suit in {code[0] for code in each.cards}:
            cards = sorted((code for code in each.cards if code[0] == suit), key=lambda code: -card_of(code))
            there = [_ranks(cards, replay.seats[seat].cards) for seat in others]
            shares = [each.shares[seat] for seat in others]
            if may_be_out:
                held = {code for seat in replay.seats for code in seat.cards}
                there.append(_ranks(cards, set(cards) - held))
                shares.append(each.shares[-1])
            cells = tuple(
                Place(_("%(percent)s %%") % {"percent": share}, lay) for share, lay in zip(shares, there, strict=True)
            )
            lines.append((_SUITS.index(suit), -card_of(cards[0]), ChancesLine(_named(suit, cards), cells)))
    return [line for _suit, _card, line in sorted(lines, key=lambda one: one[:2])]


_SUITS: Final = "FTCOSB"


def _named(suit: str, cards: Sequence[str]) -> str:
    """ "cups: king, 4", "trumps: XXI, V", "Fool"."""
    if suit == "F":
        return names.card_short("F")
    fields = {"suit": names.suit_name(suit), "cards": _ranks(cards, cards)}
    return _("%(suit)s: %(cards)s") % fields


def _ranks(cards: Sequence[str], among: Collection[str]) -> str:
    """The names of the cards that are in `among`, in a short form without their suit."""
    return joined(", ", [names.card_rank(code) for code in cards if code in among])
