"""The parts of an analysis, each a few tenths of a second of work, and the work itself: pure, so that another process
can do it.

The results are plain lists, numbers and strings, in the form in which they are stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Final, TypeAlias

from domain.bots import reviewing
from domain.engine import CODES
from domain.engine.cards import Card, codes
from domain.engine.hand import Hand

WORLDS_TO_A_PLAY: Final = 10
"""For an outlook, computer players finish the hand once for this many worlds of the analysis, but at least twice."""
SHOWN: Final = 6
"""The number of options that are stored for a decision, besides the one that was chosen."""

Outcomes: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A decision to judge, or an `outlook`: a moment, before a `trick`, from which computer players play on."""

    step: int
    outlook: bool
    trick: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a part: the columns of a `JudgedAction` (None: it cannot be judged), or the scores of all plays."""

    judged: dict[str, object] | None
    outcomes: Outcomes = ()


def parts_of(whole: Hand, pack: Sequence[Card]) -> tuple[Part, ...]:
    """The parts for a hand: first the outlooks, then the decisions.

    There is an outlook before the first decision with all cards dealt, and one before each trick.
    """
    decided: list[Part] = []
    outlooks: dict[int, Part] = {}
    for step, hand in reviewing.decisions(whole, pack):
        decided.append(Part(step, outlook=False))
        led = hand.asked == "play" and not hand.trick
        if led or not (outlooks or hand.asked in reviewing.TALK):
            trick = len(hand.tricks) + 1 if led else 0
            outlooks[step] = Part(step, outlook=True, trick=trick)
    return (*outlooks.values(), *decided)


def work(whole: Hand, pack: Sequence[Card], part: Part, worlds: int) -> Answer:
    """Do one part. The same hand and part always give the same result."""
    if part.outlook:
        plays = max(2, worlds // WORLDS_TO_A_PLAY)
        return Answer(None, tuple(reviewing.outcome(whole, pack, part.step, number) for number in range(plays)))
    judged = reviewing.judge(whole, pack, part.step, worlds=worlds)
    return Answer(_columns(judged) if judged is not None else None)


def _columns(judged: reviewing.Judged) -> dict[str, object]:
    return {
        "step": judged.step,
        "seat": judged.seat,
        "asked": judged.asked,
        "trick": judged.trick,
        "action": str(judged.action),
        "cost": round(judged.cost, 3),
        "error": round(judged.error, 3),
        "exact": judged.exact,
        "options": list(_options(judged)),
        "reason": judged.reason.value if judged.reason is not None else "",
        "facts": [
            [fact.kind.value, fact.seat, CODES[fact.card] if fact.card >= 0 else "", fact.lane, fact.number]
            for fact in judged.facts
        ],
        "prospects": [list(astuple(each)) for each in judged.prospects],
        "chances": [[" ".join(codes(each.cards)), list(each.shares)] for each in judged.chances],
    }


def _options(judged: reviewing.Judged) -> Iterator[tuple[str, float, float]]:
    for index, option in enumerate(judged.options):
        if index < SHOWN or option.action == judged.action:
            yield str(option.action), round(option.points, 3), round(option.error, 3)
