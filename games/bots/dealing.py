"""Before the cards are dealt: how many rounds to ask for, whether to arrange, where to cut."""

from __future__ import annotations

from games.bots.chance import Dice
from games.bots.reasons import Advice, Reason
from games.engine.actions import BARE, Action
from games.engine.legal import LegalCut
from games.engine.view import View


def ask_rounds(view: View, dice: Dice) -> Advice:
    """A losing side asks for as few rounds as it may: bigger batches of less mixed cards make wilder hands, and wild
    hands are what one who lies behind needs."""
    fewest = min(view.legal, key=lambda action: action.number)
    return Advice(fewest, Reason.FEWER_ROUNDS if fewest.number < max(view.ruleset.batches) else Reason.ALL_ROUNDS)


def arrange(view: View, dice: Dice) -> Advice:
    """The cards of the own tricks are left as they lie."""
    return Advice(BARE["arrange"], Reason.LEAVE_THE_CARDS)


def cut(view: View, dice: Dice) -> Advice:
    """A cut somewhere in the middle half of the pack, as people cut."""
    assert isinstance(view.legal, LegalCut)
    most = view.legal.most
    lowest = 1 + most // 4
    return Advice(Action("cut", number=lowest + dice.below(most // 2 + 1)), Reason.CUT_THE_PACK)
