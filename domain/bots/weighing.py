"""Of many worlds that fit, those in which the others would probably have played as they did.

What a seat can prove leaves worlds in which somebody has thrown away a trick for nothing. In each world the play so far is gone
through again: the further a play falls short of what the policy of the fast core holds best with those cards, the less the
world counts. How much it says depends on who plays: some play nearly always as the policy does, others (people, and computer
players that look ahead) often otherwise. Each seat may be of either kind, and its own plays tell of which.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log1p
from random import Random
from typing import Final

from domain.bots.fast import setting
from domain.bots.fast.compiling import State, Table, numbers, table
from domain.bots.fast.layout import CALLED, PARTNER, SIZE, SOLO, TAPPIST
from domain.bots.fast.likelihood import surprises
from domain.bots.fast.policy import weights
from domain.bots.worlds import World
from domain.engine.actions import SAY
from domain.engine.cards import BIT, CardSet
from domain.engine.tapp import MISERE
from domain.engine.view import View

MOST: Final = 150
"""A single play speaks against a world by no more than this, in hundredths of a card point."""
KINDS: Final = ((0.1, 40.0), (0.4, 200.0))
"""Players near to the policy, and others: what each play costs in advance, and how far short makes one less likely by e.

Measured with `benchmarks/reading_plays.py`: how much more the true cards weigh than others that fit."""
_AGAIN: Final = 4  # so often one world may come again where there are few


def _played(view: View) -> tuple[list[CardSet], CardSet]:
    """By seat the cards that it played and had been dealt, and all of these: who played a card first had it, whoever took it
    back; a jack that was called came from who put it down."""
    owner: dict[int, int] = {}
    for trick in view.tricks:
        owner.update(zip(trick.cards, trick.seats, strict=True))
    for place, card in enumerate(view.trick):
        owner[card] = view.seat_of(place)
    first: dict[int, int] = {}
    for seat, action in view.history:
        if action.verb == "play":
            for card in action.cards:
                first.setdefault(card, seat)
    owner.update(first)
    dealt = [0] * len(view.counts)
    for card, seat in owner.items():
        dealt[seat] |= BIT[card]
    return dealt, sum(dealt)


def starts_in(view: View, worlds: Sequence[World], leader: int) -> Table:
    """The states at the first lead, as they were in these worlds; without what lay away, which nobody's play depends on."""
    dealt, gone = _played(view)
    starts = table(len(worlds), SIZE)
    bases: dict[tuple[tuple[int, ...], int], State] = {}
    for at, world in enumerate(worlds):
        key = setting.sides_in(view, world.hands)
        base = bases.get(key)
        if base is None:
            sides, partner = key
            base = bases[key] = setting.at_first_lead(sides, [0] * len(dealt), leader, 0, -1)
            base[SOLO], base[PARTNER], base[TAPPIST] = view.contract == "solo", partner, view.tappist
            base[CALLED] = -1 if view.called is None else view.called
        start = starts[at]
        start[:] = base
        for seat, held in enumerate(world.hands):
            setting.hold(start, seat, held & ~gone | dealt[seat])
    return starts


def likely(view: View, worlds: Sequence[World], number: int, luck: Random) -> list[World]:
    """So many of the worlds, drawn by how likely the others' plays were in them; fewer, if there are few to draw from."""
    if not worlds:
        return []
    logs = log_likelihoods(view, worlds)
    most = max(logs)
    if most == min(logs):
        return list(worlds[:number])
    return _drawn(worlds, [exp(each - most) for each in logs], min(number, _AGAIN * len(worlds)), luck)


def log_likelihoods(view: View, worlds: Sequence[World]) -> list[float]:
    """How likely the plays of the others were in each of the worlds, as logarithms up to a constant.

    Nothing is said for a world by a Misere, where the policy goes by rule of thumb.
    """
    assert view.seat is not None
    asked = [(seat, action) for seat, action in view.history if action.verb != SAY]
    lead = next((at for at, (_, action) in enumerate(asked) if action.verb == "play"), len(asked))
    done = asked[lead:]
    if not done or view.contract == MISERE:
        return [0.0] * len(worlds)
    r = setting.rules_for(view.ruleset, dict(view.options), view.dealer)
    actions = numbers(len(done))
    for at, (_, action) in enumerate(done):
        actions[at] = setting.number_of(action)
    found = table(len(worlds), len(view.counts))
    starts = starts_in(view, worlds, done[0][0])
    surprises(starts, len(worlds), r, weights(), actions, len(done), view.seat, MOST, found, numbers(SIZE))
    plays = [0] * len(view.counts)
    for seat, action in done:
        plays[seat] += action.verb == "play" and seat != view.seat
    return [_log_likelihood(short, plays) for short in found]


def _log_likelihood(short: Sequence[int], plays: Sequence[int]) -> float:
    """How likely the plays of all were, as a logarithm, up to a constant; each seat is of one kind or the other."""
    total = 0.0
    for number, by in zip(plays, short, strict=True):
        if number:
            near, far = [-number * each - int(by) / soft for each, soft in KINDS]
            total += max(near, far) + log1p(exp(-abs(near - far)))
    return total


def _drawn(worlds: Sequence[World], weighed: Sequence[float], number: int, luck: Random) -> list[World]:
    """So many worlds at even steps along their weights, in a mixed order; the heaviest may come more than once."""
    step = sum(weighed) / number
    at = luck.random() * step
    drawn = []
    for world, weight in zip(worlds, weighed, strict=True):
        while at < weight:
            drawn.append(world)
            at += step
        at -= weight
    drawn = drawn[:number] or [worlds[0]]
    luck.shuffle(drawn)
    return drawn
