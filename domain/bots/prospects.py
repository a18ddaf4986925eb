"""The prospects of an action in fitting worlds: the chances to win the trick and the bagat, and the tricks to come.

They explain in words why one action is better than another if nothing can be proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.bots.evaluating import luck_for
from domain.bots.fast import encoding
from domain.bots.fast.count import points_of
from domain.bots.fast.layout import ASKED, OVER, SIDE, TRICKS, WON_TRICKS, WON_TRUMPS
from domain.bots.fast.play import apply
from domain.bots.fast.policy import choose, weights
from domain.bots.fast.search import play_out
from domain.bots.worlds import Worlds
from domain.engine.actions import Action
from domain.engine.cards import BAGAT, BIT, set_of
from domain.engine.view import View

PROSPECTS: Final = 300
"""The default number of worlds."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """The prospects of a card or call for the side of the player who decides. All numbers are in hundredths.

    `trick`: how often the side takes the current trick. `bagat`: how often the lowest trump ends with it (-1 if it is
    out already). `tricks`: how many tricks it takes, from this one on. `points`: how many card points this trick brings
    it.
    """

    trick: int
    bagat: int
    tricks: int
    points: int


def prospects(view: View, actions: Sequence[Action], number: int = PROSPECTS) -> list[Prospects]:
    """The prospects of each of these actions, in the same worlds, if everybody plays by the policy of the fast core."""
    assert view.seat is not None
    seat = view.seat
    worlds = Worlds(view).some(number, luck_for(view, b"prospects"))
    r, w = encoding.rules_for(view.ruleset, dict(view.options), view.dealer, view.face_up), weights()
    bagat_is_left = bool((view.unseen | view.held | set_of(view.trick)) & BIT[BAGAT])
    of_actions = []
    for action in actions:
        taken = bagat = tricks = points = 0
        for world in worlds:
            s = encoding.state_in(view, world)
            side, number_of_tricks = s[SIDE + seat], s[TRICKS]
            tricks_before, points_before = s[WON_TRICKS + side], points_of(s, r, side)
            apply(s, r, encoding.number_of(action))
            while s[ASKED] != OVER and s[TRICKS] == number_of_tricks:
                apply(s, r, choose(s, r, w))
            taken += s[WON_TRICKS + side] - tricks_before
            points += points_of(s, r, side) - points_before
            play_out(s, r, w)
            bagat += s[WON_TRUMPS + side] & 1
            tricks += s[WON_TRICKS + side] - tricks_before
        sums = (taken, bagat, tricks, points)
        taken, bagat, tricks, points = (round(100 * int(each) / len(worlds)) for each in sums)
        of_actions.append(Prospects(taken, bagat if bagat_is_left else -1, tricks, points))
    return of_actions
