"""One piece of advice for any question: the action a computer player would take, and the reason to give a learner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from games.bots.bidding import bid, call_partner, packets
from games.bots.calling import answer_with_fool, call, take_back
from games.bots.chance import Dice
from games.bots.dealing import arrange, ask_rounds, cut
from games.bots.exchange import exchange
from games.bots.laying import lay_away
from games.bots.misere import avoid
from games.bots.playing import play
from games.bots.reasons import Advice, Reason
from games.bots.talking import decide, demand, free, talk
from games.engine.tapp import MISERE
from games.engine.view import View

Strategy: TypeAlias = Callable[[View, Dice], Advice]


def _play(view: View, dice: Dice) -> Advice:
    return avoid(view, dice) if view.contract == MISERE else play(view, dice)


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
