"""One piece of advice for any question: the action a computer player would take, and the reason to give a learner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from games.bots.calling import answer_with_fool, call, take_back
from games.bots.chance import Dice
from games.bots.dealing import arrange, ask_rounds, cut
from games.bots.laying import lay_away
from games.bots.playing import play
from games.bots.reasons import Advice, Reason
from games.bots.talking import decide, free, talk
from games.engine.view import View

Strategy: TypeAlias = Callable[[View, Dice], Advice]

STRATEGIES: Final[dict[str, Strategy]] = {
    "deal": ask_rounds,
    "arrange": arrange,
    "cut": cut,
    "talk": talk,
    "free": free,
    "decide": decide,
    "scart": lay_away,
    "play": play,
    "call": call,
    "fool": answer_with_fool,
    "take": take_back,
}

__all__ = ["STRATEGIES", "Advice", "Reason", "advise"]


def advise(view: View, *, seed: bytes = b"") -> Advice:
    """A legal action for the viewer, and why. The same view and seed give the same advice.

    Raises ValueError if the viewer is not on turn, nothing is asked, or the question is of a kind nobody here answers.
    """
    if view.seat is None or view.turn != view.seat or view.over:
        raise ValueError("the viewer is not on turn")
    strategy = STRATEGIES.get(view.asked)
    if strategy is None:
        raise ValueError(f"no strategy for the question {view.asked}")
    return strategy(view, Dice(seed, view))
