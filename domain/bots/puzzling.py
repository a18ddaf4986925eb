"""Puzzles: decisions of real hands in which one action is clearly best.

They are found by trying far more worlds than any computer player does at the table. The theme of a puzzle depends only
on the position, so that a stored one can be checked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from domain.bots import advice
from domain.bots.common import Reason, fool_is_high, lane_of, plays_last
from domain.bots.evaluating import PLAYED, SOLVED_CARDS, Prospects, evaluate, prospects
from domain.bots.racing import Valued
from domain.bots.reviewing import Fact, facts, plain
from domain.bots.worlds import Worlds
from domain.engine.actions import PLAYS, Action
from domain.engine.cards import BAGAT, BIT, FOOL, LANE_OF, TRUMPS, cards_in, set_of, value_of
from domain.engine.legal import LegalPlays
from domain.engine.tapp import MISERE
from domain.engine.view import View

QUESTIONS: Final = ("scart", "bid", "discard", "partner", "decide", "play", "call", "fool", "take")
"""The questions that make a puzzle."""
SURE: Final = 4.0
"""The best action must be better than every other by this many standard errors of the difference."""
SEEMS: Final = 2.0
"""The number of standard errors in the first look with few worlds."""
LEAST: Final = 1.0
"""The best action must be better by at least this much in the game's own count."""
BEFORE_SHARE: Final = 3
"""Before the play, only one world in this many is tried."""
SOLVED_SHARE: Final = 8
"""If the last tricks are solved, only one world in this many is tried, because each takes far longer."""


class Theme(StrEnum):
    """The theme of a puzzle. The values are stored and used in URLs."""

    TALK = "talk"
    """Throwing in or going on after the talk."""
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
    """The solution of a decision: every action that was tried in this many `worlds`, best first.

    `right` are the best action and the cards that are equivalent to it. `thumb` is the action of a player by rules of
    thumb. `instead` is the action with which the best is compared in `facts`: `thumb`, or, if that is right, the best
    one that is not. `reason` is why a player by rules of thumb would choose the best; None if one would not.
    `prospects` are those of the best and of `instead`; before the play there are none.
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
    """The plays that are equivalent to this one, including itself.

    These are single cards of the same suit and value, with no card between them that others hold or that lies in the
    trick. All other actions are equivalent only to themselves.
    """
    if action.verb != "play" or len(action.cards) > 1 or action.signal or not isinstance(view.legal, LegalPlays):
        return (action,)
    (card,) = action.cards
    in_the_way = view.unseen | set_of(view.trick)
    equivalent = []
    for other in cards_in(view.legal.cards):
        low, high = min(card, other), max(card, other)
        between = (1 << high) - (1 << low) & ~BIT[low]
        if LANE_OF[other] == LANE_OF[card] and value_of(other) == value_of(card) and not between & in_the_way:
            equivalent.append(PLAYS[other])
    return tuple(equivalent) if PLAYS[card] in equivalent else (action,)


def is_clear(view: View, options: Sequence[Valued], sure: float = SURE, least: float = LEAST) -> bool:
    """Whether the first of these actions is better than all that are not equivalent to it.

    The difference must be at least `least` and at least `sure` standard errors.
    """
    first = options[0]
    alike = as_good(view, first.action)
    gaps = [(first.points - other.points, other.error) for other in options[1:] if other.action not in alike]
    return bool(gaps) and all(gap >= least and gap >= sure * error for gap, error in gaps)


def solve(
    view: View, *, first: int, worlds: int, misleading: bool = False, but_not: Collection[Theme] = ()
) -> Solution | None:
    """The solution of a decision if it makes a puzzle, else None.

    The actions are tried in a few worlds (`first`), and if one seems best there, twice in many (`worlds`),
    independently. The same action must be clearly best each time. With `misleading`, it is no puzzle if a rule of thumb
    finds that action; nor is it if its theme is in `but_not`. Raises ValueError if the viewer is not on turn.
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
    evaluations = []
    for seed in (b"one", b"other"):
        evaluations.append(evaluate(view, worlds=many, solved=solved, seed=seed))
        if not is_clear(view, evaluations[-1]) or plain(evaluations[-1][0].action) not in right:
            return None
    options = tuple(replace(option, action=plain(option.action)) for option in evaluations[0])
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
    """The theme of a decision, by the first rule that fits; `thumb` is the action of a player by rules of thumb."""
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
    return Theme.LAST if plays_last(view) else Theme.TRICKS
