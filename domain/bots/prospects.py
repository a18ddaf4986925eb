"""What comes of an action in the play, in the worlds that fit: who takes the trick on the table and the lowest trump, what the
trick brings, and how many tricks follow. It says in words why one action is better than another, where nothing can be proven.
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
"""What comes of an action is seen in so many worlds, if no fewer are asked for."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """What comes of a card or call for the side of whoever decides, in hundredths of the worlds looked into: how often it takes the
    trick on the table, how often the lowest trump ends with it (-1 where that is out already), how many tricks it takes from this
    one on, and how many card points the trick brings it, both in hundredths too."""

    trick: int
    bagat: int
    tricks: int
    points: int


def prospects(view: View, actions: Sequence[Action], number: int = PROSPECTS) -> list[Prospects]:
    """What comes of each of these actions in the play, in the same so many worlds, if all go on by the policy of the fast core."""
    assert view.seat is not None
    seat = view.seat
    worlds = Worlds(view).some(number, luck_for(view, b"prospects"))
    r, w = encoding.rules_for(view.ruleset, dict(view.options), view.dealer, view.face_up), weights()
    asks_bagat = bool((view.unseen | view.held | set_of(view.trick)) & BIT[BAGAT])
    found = []
    for action in actions:
        taken = home = tricks = brought = 0
        for world in worlds:
            s = encoding.state_in(view, world)
            side, tricks_before = s[SIDE + seat], s[TRICKS]
            before, had = s[WON_TRICKS + side], points_of(s, r, side)
            apply(s, r, encoding.number_of(action))
            while s[ASKED] != OVER and s[TRICKS] == tricks_before:
                apply(s, r, choose(s, r, w))
            taken += s[WON_TRICKS + side] - before
            brought += points_of(s, r, side) - had
            play_out(s, r, w)
            home += s[WON_TRUMPS + side] & 1
            tricks += s[WON_TRICKS + side] - before
        sums = (taken, home, tricks, brought)
        taken, home, tricks, brought = (round(100 * int(each) / len(worlds)) for each in sums)
        found.append(Prospects(taken, home if asks_bagat else -1, tricks, brought))
    return found
