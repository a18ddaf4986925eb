"""Reviewing a finished hand.

The cost of each decision, judged by what the player could know; facts that prove it in words; and the expected result
with the cards as they really lay. Everything here is deterministic for the same hand, so it may be stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from domain.bots import advice
from domain.bots.common import Dice, Reason, fool_is_high, lane_of, over, plays_last, takes
from domain.bots.evaluating import PLAYED, PROSPECTS, Prospects, evaluate, prospects
from domain.bots.knowledge import know
from domain.bots.racing import Valued
from domain.bots.worlds import REST, Worlds
from domain.engine.actions import SAY, Action
from domain.engine.cards import BIT, FOOL, NO_LANE, TRUMPS, Card, CardSet, Lane, cards_in, value_of
from domain.engine.hand import Hand
from domain.engine.record import rewound
from domain.engine.state import NOBODY
from domain.engine.tapp import MISERE
from domain.engine.view import UNKNOWN, View

TALK: Final = ("talk", "free", "decide", "demand")
"""The questions about throwing in, after each round of the deal. Phrases said with an answer are not judged."""
JUDGED: Final = (*TALK, "scart", "bid", "discard", "partner", "play", "call", "fool", "take")
"""The questions whose answers are judged: all except how the cards are dealt."""
SEEMS: Final = 1.5
"""An action that seems worse by this many standard errors is tried again in other worlds."""
AGAIN: Final = 4
"""The factor for the number of those worlds: one of many actions seems best by chance, and better than it is."""
OTHERWISE: Final = 12
"""When a hand is played on several times, one card in this many is a random legal one."""


class FactKind(StrEnum):
    """Something that the player who decided could prove. The values are stored."""

    SHOWN_VOID = "shown-void"
    """`seat` had failed to follow `lane`."""
    HIGHER_HELD = "higher-seen"
    """`seat` held the higher `card`: it had been seen there, or could be nowhere else."""
    HIGHEST_LEFT = "highest-left"
    """No card of `lane` higher than `card` was left."""
    COULD_WIN = "could-win"
    """Nobody played afterwards, and `card` would have taken the trick from `seat`."""
    ALREADY_OURS = "already-ours"
    """Nobody played afterwards, and `seat`, a partner, was already winning the trick."""
    GAVE_POINTS = "gave-points"
    """Nobody played afterwards, and `seat`, a foe, won the trick: `card` gave away `number` points more."""
    COULD_BRING = "could-bring"
    """Nobody played afterwards, and `seat`, a partner, won the trick: `card` would have added `number` points more."""
    TRUMPS_OUT = "trumps-out"
    """`number` trumps had not been seen yet when a suit was led instead of a trump."""
    PARTNER_VOID = "partner-void"
    """`seat`, a partner, had failed to follow `lane`, the suit to lead, and could still trump."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about another player `seat` (-1: nobody), a `card`, a suit `lane` (4: the trumps) and a `number`."""

    kind: FactKind
    seat: int = -1
    card: Card = -1
    lane: Lane = NO_LANE
    number: int = 0


@dataclass(frozen=True, slots=True)
class Chances:
    """Cards that were hidden from the player who decided, and that all have the same chances.

    `shares` are percentages: for each seat, that it holds such a card, and last, that nobody does.
    """

    cards: CardSet
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision: after `step` actions `seat` did `action`. `options` has the evaluated actions, best first.

    `cost` is how much less `action` brings than the best, in the game's own count, and `error` its standard error.
    `trick` is 0 before the play. `reason` is that of a computer player, if one who plays by rules of thumb would choose
    the best action. `prospects` are those of the best and of `action`, if the best is better (not in a Misere).
    """

    step: int
    seat: int
    asked: str
    trick: int
    action: Action
    options: tuple[Valued, ...]
    cost: float
    error: float
    exact: bool
    reason: Reason | None
    facts: tuple[Fact, ...]
    prospects: tuple[Prospects, ...]
    chances: tuple[Chances, ...]


def decisions(whole: Hand, pack: Sequence[Card]) -> Iterator[tuple[int, Hand]]:
    """Every judged decision: the number of actions before it, and the hand then (valid until the next one)."""
    hand = rewound(whole, pack, 0)
    for step, (seat, action) in enumerate(whole.history):
        if action.verb != SAY and hand.asked in JUDGED and len(hand.legal) > 1:
            yield step, hand
        hand.push_of(seat, action)


def judge(whole: Hand, pack: Sequence[Card], step: int, *, worlds: int) -> Judged | None:
    """The judgement of the decision after `step` actions; None if the action was not evaluated.

    The actions are tried in `worlds` worlds. If another one seems better, they are tried again in `AGAIN` times as many
    independent worlds, and only that result counts. Raises ValueError if nothing was decided there.
    """
    hand = rewound(whole, pack, step)
    seat, action = whole.history[step]
    if action.verb == SAY or hand.over or hand.asked not in JUDGED:
        raise ValueError(f"nothing is decided after {step} actions")
    view = hand.view(seat)
    options = evaluate(view, worlds=worlds)
    chosen = _option(options, action)
    if chosen is None:
        return None
    if not chosen.exact and options[0].points - chosen.points > SEEMS * chosen.error:
        options = evaluate(view, worlds=AGAIN * worlds, seed=b"again")
        chosen = _option(options, action) or chosen
    # An action that brings as much as the first is not worse, whatever their order.
    best = options[0] if options[0].points > chosen.points else chosen
    worse = best is not chosen
    has_prospects = hand.asked in PLAYED and view.contract != MISERE
    advised = advice.advise(view)
    return Judged(
        step,
        seat,
        hand.asked,
        len(hand.tricks) + 1 if hand.asked in PLAYED else 0,
        chosen.action,
        options,
        best.points - chosen.points,
        chosen.error if worse else 0.0,
        chosen.exact,
        advised.reason if plain(advised.action) == plain(best.action) else None,
        tuple(facts(view, plain(action), best.action)) if worse else (),
        tuple(prospects(view, (best.action, chosen.action), min(PROSPECTS, AGAIN * worlds)))
        if worse and has_prospects
        else (),
        chances(view),
    )


def _option(options: Sequence[Valued], action: Action) -> Valued | None:
    """The evaluation of an action; None if it is not among those that were tried."""
    return next((option for option in options if plain(option.action) == plain(action)), None)


def chances(view: View) -> tuple[Chances, ...]:
    """The exact chances of where hidden cards lie, given what the viewer can prove, grouped by equal chances."""
    worlds = Worlds(view)
    seats = (*range(len(view.counts)), REST)
    by_shares: dict[tuple[int, ...], CardSet] = {}
    for card in cards_in(worlds.known.unseen):
        shares = tuple([round(100 * worlds.chance(card, seat)) for seat in seats])
        by_shares[shares] = by_shares.get(shares, 0) | BIT[card]
    return tuple(Chances(cards, shares) for shares, cards in by_shares.items())


def plain(action: Action) -> Action:
    """The action in the form in which it is evaluated: discards sorted, without a knock, words or phrases."""
    if action.verb in ("scart", "discard"):
        return Action(action.verb, tuple(sorted(action.cards)))
    signal = "" if action.signal == "knock" else action.signal
    return replace(action, signal=signal, said=(), words="")


def facts(view: View, done: Action, better: Action) -> Iterator[Fact]:
    """What the viewer could prove for `better` or against `done`; nothing in a Misere, or if no card is played."""
    if view.asked != "play" or view.seat is None or view.contract == MISERE:
        return
    if not view.trick:
        yield from _about_leads(view, done.cards[0], better.cards[0])
    elif view.lane != NO_LANE and view.best != NOBODY and plays_last(view):
        yield from _about_the_last(view, done.cards[0], better.cards[0])


def _foes(view: View) -> list[int]:
    """The seats that the viewer knows to be opponents."""
    mine = view.sides[view.seat or 0]
    return [seat for seat, side in enumerate(view.sides) if UNKNOWN not in (side, mine) and side != mine]


def _about_leads(view: View, done: Card, better: Card) -> Iterator[Fact]:
    known, high = know(view), fool_is_high(view.ruleset)
    lane = lane_of(done, high)
    if lane not in (NO_LANE, TRUMPS):
        for seat in _foes(view):
            if known.voids[seat] >> lane & 1 and not known.is_void(seat, TRUMPS):
                yield Fact(FactKind.SHOWN_VOID, seat, lane=lane)
            higher = known.located[seat] & over(done, high)
            if higher and value_of(done) > 1:
                yield Fact(FactKind.HIGHER_HELD, seat, card=max(cards_in(higher)))
    other = lane_of(better, high)
    if other == TRUMPS != lane:
        yield Fact(FactKind.TRUMPS_OUT, number=(known.unseen & known.trumps_at(view.seat or 0)).bit_count())
    if other not in (NO_LANE, TRUMPS, lane):
        for seat in view.partners():
            if known.voids[seat] >> other & 1 and not known.is_void(seat, TRUMPS):
                yield Fact(FactKind.PARTNER_VOID, seat, lane=other)
    if other not in (NO_LANE, lane) and not known.unseen & over(better, high):
        yield Fact(FactKind.HIGHEST_LEFT, card=better, lane=other)


def _about_the_last(view: View, done: Card, better: Card) -> Iterator[Fact]:
    """Facts about the last card of a trick, when the winner is certain."""
    high, best = fool_is_high(view.ruleset), view.trick[view.best]
    winner = view.seat_of(view.best)
    wins, would_win = takes(done, best, view.lane, high), takes(better, best, view.lane, high)
    if would_win and not wins and winner in _foes(view):
        yield Fact(FactKind.COULD_WIN, winner, card=better)
    elif wins and not would_win and winner in view.partners():
        yield Fact(FactKind.ALREADY_OURS, winner)
    elif not wins and not would_win and FOOL not in (done, better):
        more = value_of(done) - value_of(better)
        if more > 0 and winner in _foes(view):
            yield Fact(FactKind.GAVE_POINTS, winner, card=done, number=more)
        if more < 0 and winner in view.partners():
            yield Fact(FactKind.COULD_BRING, winner, card=better, number=-more)


def outcome(whole: Hand, pack: Sequence[Card], step: int, number: int) -> tuple[int, ...]:
    """The score of each seat if computer players play on after `step` actions with the cards as they really lie.

    They would always play the same, so with each `number` above 0 they play a few other random cards.
    """
    hand = rewound(whole, pack, step)
    seed = b"on|%d" % number
    while not hand.over:
        view = hand.view(hand.turn)
        dice = Dice(seed, view)
        if view.asked == "play" and number and dice.below(OTHERWISE) == 0:
            hand.push(dice.one_of(list(view.legal)))
        else:
            hand.push(advice.choose(view, seed=seed))
    assert hand.result is not None
    return tuple(hand.result.scores) or (0,) * hand.seats
