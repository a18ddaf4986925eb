"""The entry point for any question: the action that a computer player takes, or advice with a reason for a learner.

Also the strategies before the cards are dealt: how many rounds to demand, whether to arrange, where to cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from domain.bots.bidding import bid, call_partner, exchange, lay_away, packets
from domain.bots.common import Advice, Dice, Reason
from domain.bots.evaluating import PREFERS, evaluate, preferred
from domain.bots.fast.compiling import COMPILED
from domain.bots.playing import answer_with_fool, avoid, call, play, take_back
from domain.bots.talking import decide, demand, free, talk, worded
from domain.engine.actions import BARE, Action
from domain.engine.legal import LegalCut
from domain.engine.tapp import MISERE
from domain.engine.view import View

LEVELS: Final = ("beginner", "club", "strong")
"""From weak to strong. A beginner plays by rules of thumb. The others try each action in possible worlds, which the
strong level chooses by what the others' plays tell."""
FORMER: Final = {"level-1": "beginner"}
"""Former names of levels, which stored games may still have."""
WORLDS: Final = {"club": 30, "strong": 400 if COMPILED else 50}
"""The number of worlds in which a level tries its actions.

Compiled, the strong level can try more and still answer at once.
"""
HEEDS: Final = {("strong", False): 0.1, ("strong", True): 0.0} if COMPILED else {}
"""How far a level heeds rules of thumb, if not `PREFERS`; the flag is True in games settled in Rappen. With many worlds
they are needed less, and they count in points, which says little about Rappen."""


def ask_rounds(view: View, dice: Dice) -> Advice:
    """Demand as few rounds as possible: bigger batches of less mixed cards make wilder hands, which help a loser."""
    fewest = min(view.legal, key=lambda action: action.number)
    return Advice(fewest, Reason.FEWER_ROUNDS if fewest.number < max(view.ruleset.batches) else Reason.ALL_ROUNDS)


def arrange(view: View, dice: Dice) -> Advice:
    """Leave one's own tricks as they are."""
    return Advice(BARE["arrange"], Reason.LEAVE_THE_CARDS)


def cut(view: View, dice: Dice) -> Advice:
    """Cut somewhere in the middle half of the pack, as people do."""
    assert isinstance(view.legal, LegalCut)
    most = view.legal.most
    lowest = 1 + most // 4
    return Advice(Action("cut", number=lowest + dice.below(most // 2 + 1)), Reason.CUT_THE_PACK)


Strategy: TypeAlias = Callable[[View, Dice], Advice]


def _play(view: View, dice: Dice) -> Advice:
    return avoid(view) if view.contract == MISERE else play(view, dice)


STRATEGIES: Final[dict[str, Strategy]] = {
    "deal": ask_rounds,
    "arrange": arrange,
    "cut": cut,
    "talk": talk,
    "free": free,
    "demand": demand,
    "decide": decide,
    "scart": lay_away,
    "packets": packets,
    "bid": bid,
    "discard": exchange,
    "partner": call_partner,
    "play": _play,
    "call": call,
    "fool": answer_with_fool,
    "take": take_back,
}


def advise(view: View, *, seed: bytes = b"") -> Advice:
    """A legal action for the viewer, with a reason. The same view and seed give the same advice.

    Raises ValueError if the viewer is not on turn, the hand is over, or there is no strategy for the question.
    """
    if view.seat is None or view.turn != view.seat or view.over:
        raise ValueError("the viewer is not on turn")
    strategy = STRATEGIES.get(view.asked)
    if strategy is None:
        raise ValueError(f"no strategy for the question {view.asked}")
    return strategy(view, Dice(seed, view))


def choose(view: View, *, level: str = "beginner", seed: bytes = b"") -> Action:
    """The action of a computer player of `level` in `view`: always legal, and the same for the same view and seed.

    Raises ValueError if the viewer is not on turn (or the hand is over), or for an unknown level.
    """
    level = FORMER.get(level, level)
    if level not in LEVELS:
        raise ValueError(f"no computer player of level {level}")
    if level in WORLDS and len(view.legal) > 1:
        valued = evaluate(view, worlds=WORLDS[level], seed=seed, weighed=level == "strong", at_once=True)
        idle = view.asked == "call" and len({option.points for option in valued}) == 1  # no jack can come
        if valued and not idle:
            heeds = HEEDS.get((level, view.ruleset.bidding is not None), PREFERS)
            return worded(view, preferred(view, valued, heeds), Dice(seed, view))
    return advise(view, seed=seed).action
