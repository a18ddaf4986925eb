"""Puzzles: decisions of real hands in which one action is clearly best, found by looking into far more worlds than any computer
player does at the table.

What a puzzle is about follows from the position and from nothing else, so that a stored one can be checked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from domain.bots import advice
from domain.bots.common import Reason, fool_is_high, lane_of
from domain.bots.evaluating import PLAYED, SOLVED_CARDS, evaluate
from domain.bots.prospects import Prospects, prospects
from domain.bots.racing import Valued
from domain.bots.reviewing import Fact, facts, plain
from domain.bots.worlds import Worlds
from domain.engine.actions import PLAYS, Action
from domain.engine.cards import BAGAT, BIT, FOOL, LANE_OF, TRUMPS, cards_in, set_of, value_of
from domain.engine.legal import LegalPlays
from domain.engine.state import NOBODY
from domain.engine.tapp import MISERE
from domain.engine.view import View

QUESTIONS: Final = ("scart", "bid", "discard", "partner", "decide", "play", "call", "fool", "take")
"""The questions that make a puzzle."""
SURE: Final = 4.0
"""The best action lies above every other by so many standard errors of the difference,"""
SEEMS: Final = 2.0
"""(at a first glance by so many),"""
LEAST: Final = 1.0
"""and by at least so much in the game's own count."""
BEFORE_SHARE: Final = 3
"""Before the play one world in so many is looked into,"""
SOLVED_SHARE: Final = 8
"""and where the last tricks are solved: each takes far longer."""


class Theme(StrEnum):
    """What a puzzle is about. The values are stored and stand in addresses."""

    TALK = "talk"
    """Throwing in, or going on, after what was said."""
    BIDDING = "bidding"
    LAYING_AWAY = "laying-away"
    PARTNER = "partner"
    """Which trump to call."""
    JACK = "jack"
    """King and jack together, calling the jack, answering the call, taking a card back."""
    MISERE = "misere"
    FOOL = "fool"
    """The Fool is played, or a rule of thumb would play it."""
    BAGAT = "bagat"
    """The lowest trump is played, or a rule of thumb would play it."""
    TRUMPS = "trumps"
    """A trump is led, or a rule of thumb would lead one."""
    LEADS = "leads"
    LAST = "last"
    """Nobody plays after the player."""
    TRICKS = "tricks"
    """Somebody still plays after the player."""


_BEFORE: Final = {
    "decide": Theme.TALK,
    "bid": Theme.BIDDING,
    "scart": Theme.LAYING_AWAY,
    "discard": Theme.LAYING_AWAY,
    "partner": Theme.PARTNER,
    "call": Theme.JACK,
    "fool": Theme.JACK,
    "take": Theme.JACK,
}


@dataclass(frozen=True, slots=True)
class Solution:
    """What was found out about a decision: every action that was looked at, the best first, in so many `worlds`.

    `right` are the best and the cards that are the same here. `thumb` is what a player by rules of thumb would do. `instead` is what the best is compared with in `facts`: that, or the
    best that is not right where that is. `reason` is why a player by rules of thumb would do the best; None where one
    would not. `prospects` are those of the best, and of `instead`; before the play there are none.
    """

    options: tuple[Valued, ...]
    worlds: int
    right: tuple[Action, ...]
    thumb: Action
    instead: Action
    theme: Theme
    reason: Reason | None
    facts: tuple[Fact, ...]
    prospects: tuple[Prospects, ...]

    @property
    def best(self) -> Action:
        return self.options[0].action


def as_good(view: View, action: Action) -> tuple[Action, ...]:
    """The single cards that are the same as this one here: of its suit and worth as much, with no card between them that others
    hold or that lies in the trick. The action itself is among them; any other action is alone."""
    if action.verb != "play" or len(action.cards) > 1 or action.signal or not isinstance(view.legal, LegalPlays):
        return (action,)
    (card,) = action.cards
    in_the_way = view.unseen | set_of(view.trick)
    found = []
    for other in cards_in(view.legal.cards):
        low, high = min(card, other), max(card, other)
        between = (1 << high) - (1 << low) & ~BIT[low]
        if LANE_OF[other] == LANE_OF[card] and value_of(other) == value_of(card) and not between & in_the_way:
            found.append(PLAYS[other])
    return tuple(found) if PLAYS[card] in found else (action,)


def is_clear(view: View, options: Sequence[Valued], sure: float = SURE, least: float = LEAST) -> bool:
    """Whether the first of these actions is better than all others that are not as good by the rules, beyond chance and by what
    is worth a thought."""
    first = options[0]
    alike = as_good(view, first.action)
    gaps = [(first.points - other.points, other.error) for other in options[1:] if other.action not in alike]
    return bool(gaps) and all(gap >= least and gap >= sure * error for gap, error in gaps)


def solve(
    view: View, *, first: int, worlds: int, misleading: bool = False, but_not: Collection[Theme] = ()
) -> Solution | None:
    """The solution of a decision, if it makes a puzzle: looked at in a few worlds, and if one action seems best there, twice in
    many that have nothing to do with each other. None where that does not find the same action clearly best each time; with
    `misleading` also where a rule of thumb finds it, and for the themes of `but_not`.

    Raises ValueError if the viewer is not on turn.
    """
    if view.asked not in QUESTIONS or len(view.legal) < 2:
        return None
    few = evaluate(view, worlds=first, seed=b"look")
    if len(few) < 2 or not is_clear(view, few, SEEMS, LEAST / 2):
        return None
    advised = advice.advise(view)
    thumb = plain(advised.action)
    right = as_good(view, plain(few[0].action))
    if misleading and thumb in right:
        return None
    if theme_of(view, plain(few[0].action), thumb) in but_not:
        return None
    many = worlds if view.asked in PLAYED else worlds // BEFORE_SHARE
    solved = worlds // SOLVED_SHARE
    again = []
    for seed in (b"one", b"other"):
        again.append(evaluate(view, worlds=many, solved=solved, seed=seed))
        if not is_clear(view, again[-1]) or plain(again[-1][0].action) not in right:
            return None
    options = tuple(replace(option, action=plain(option.action)) for option in again[0])
    best = options[0].action
    instead = thumb if thumb not in right else next(each.action for each in options if each.action not in right)
    late = view.asked in PLAYED and sum(view.counts) <= SOLVED_CARDS
    return Solution(
        options,
        min(solved if late else many, Worlds(view).count),
        right,
        thumb,
        instead,
        theme_of(view, best, thumb),
        advised.reason if thumb in right else None,
        tuple(facts(view, instead, best)),
        tuple(prospects(view, (best, instead))) if view.asked in PLAYED else (),
    )


def theme_of(view: View, best: Action, thumb: Action) -> Theme:
    """What the decision is about, by the first rule that fits; `thumb` is what a player by rules of thumb does."""
    if view.asked in _BEFORE:
        return _BEFORE[view.asked]
    if view.contract == MISERE:
        return Theme.MISERE
    if {best.signal, thumb.signal} & {"buob"} or len(best.cards) == 2 or len(thumb.cards) == 2:
        return Theme.JACK
    played = {best.cards[0], thumb.cards[0]}
    if FOOL in played:
        return Theme.FOOL
    if BAGAT in played:
        return Theme.BAGAT
    if not view.trick:
        high = fool_is_high(view.ruleset)
        return Theme.TRUMPS if TRUMPS in {lane_of(card, high) for card in played} else Theme.LEADS
    return Theme.LAST if _plays_last(view) else Theme.TRICKS


def _plays_last(view: View) -> bool:
    return len(view.trick) - (view.pair_at != NOBODY) == len(view.counts) - 1
