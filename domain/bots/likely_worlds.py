"""The likely ones of the fitting worlds: those in which the others would probably have spoken and played as they did.

What a seat can prove leaves worlds in which somebody threw away a trick for nothing. In each world the play so far is
replayed: the more a play falls short of the best one by the policy of the fast core, the less the world counts. How
much that says depends on the player: some play nearly always like the policy, others (people, and computer players that
look ahead) often differently. Each seat may be of either kind, and its own plays show which. A player who went on in
the talk probably has a good hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from domain.bots.fast import encoding
from domain.bots.fast.compiling import COMPILED, State, Table, numbers, table
from domain.bots.fast.layout import (
    AWAY_SUITS,
    AWAY_TRUMPS,
    CALLED,
    HELD_SUITS,
    HELD_TRUMPS,
    PARTNER,
    SIZE,
    SOLO,
    TAPPIST,
)
from domain.bots.fast.likelihood import move, weigh
from domain.bots.fast.policy import weights
from domain.bots.talking import AVERAGE, BAD, GOES_ON, GOOD_AT_LAST
from domain.bots.worlds import REST, World, Worlds
from domain.engine.actions import SAY
from domain.engine.cards import BIT, FIRST_TRUMP, CardSet, cards_in
from domain.engine.tapp import MISERE
from domain.engine.view import View

MOST: Final = 150
"""The most that a single play counts against a world, in hundredths of a card point."""
STEPS: Final = 96 if COMPILED else 0
"""The number of steps by which each chosen world is moved on before the first sample."""
APART: Final = 32
"""The number of steps between further samples."""
SAMPLES: Final = 4
"""The number of samples from each chosen world."""
_AGAIN: Final = 4  # the most times that a world may be repeated if there are few


def _played(view: View) -> tuple[list[CardSet], CardSet]:
    """For each seat the cards that it was dealt and has played, and all of these together.

    A card was dealt to the seat that played it first, even if another seat took it back later. A called jack was dealt
    to the seat that gave it.
    """
    owner: dict[int, int] = {}
    for trick in view.tricks:
        owner.update(zip(trick.cards, trick.seats, strict=True))
    for index, card in enumerate(view.trick):
        owner[card] = view.seat_of(index)
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
    """The states at the first lead in these worlds."""
    dealt, gone = _played(view)
    starts = table(len(worlds), SIZE)
    bases: dict[tuple[tuple[int, ...], int], State] = {}
    for at, world in enumerate(worlds):
        key = encoding.sides_in(view, world.hands)
        base = bases.get(key)
        if base is None:
            sides, partner = key
            base = bases[key] = encoding.at_first_lead(sides, [0] * len(dealt), leader, 0, -1)
            base[SOLO], base[PARTNER], base[TAPPIST] = view.contract == "solo", partner, view.tappist
            base[CALLED] = -1 if view.called is None else view.called
        start = starts[at]
        start[:] = base
        for seat, held in enumerate(world.hands):
            encoding.hold(start, seat, held & ~gone | dealt[seat])
        start[AWAY_SUITS], start[AWAY_TRUMPS] = encoding.words_of(world.rest if view.scart is None else view.scart)
    return starts


@dataclass(frozen=True, slots=True)
class Past:
    """The words and plays so far, in the form that the core needs."""

    r: State
    actions: State
    played: int
    looked: int
    words: Table
    leader: int


def _past(view: View) -> Past | None:
    """The words and plays of the others.

    None if there are no plays, or in a Misere, where the policy follows rules of thumb and so nothing can be concluded.
    """
    assert view.seat is not None
    answers = [(seat, action) for seat, action in view.history if action.verb != SAY]
    lead = next((at for at, (_, action) in enumerate(answers) if action.verb == "play"), len(answers))
    plays = answers[lead:]
    if not plays or view.contract == MISERE:
        return None
    actions = numbers(len(plays))
    for at, (_, action) in enumerate(plays):
        actions[at] = encoding.number_of(action)
    seats = len(view.counts)
    words = table(seats, 2)
    dealt = sum(view.ruleset.batches[view.rounds])
    for word in view.spoken:
        if word.round == view.rounds and word.action.verb in _NEEDED:
            first = (word.seat - view.dealer - 1) % seats < 2
            needed = GOES_ON if word.action.verb == "veto" and not first else _NEEDED[word.action.verb]
            words[word.seat][0] = 1 if word.action.verb in ("veto", "go") else -1
            words[word.seat][1] = round(10 * (needed + AVERAGE * dealt))
    looked = (1 << seats) - 1 & ~(1 << view.seat)
    r = encoding.rules_for(view.ruleset, dict(view.options), view.dealer, view.face_up)
    return Past(r, actions, len(plays), looked, words, plays[0][0])


_NEEDED: Final = {"veto": GOOD_AT_LAST, "allow": GOOD_AT_LAST, "liber": GOES_ON, "go": BAD}
"""How much better than average a hand must be for going on, by the word in the last interval; the third needs less."""


def likely(
    view: View, worlds: Sequence[World], number: int, luck: Random, fitting: Worlds | None = None
) -> list[World]:
    """`number` of the worlds, drawn by how likely the others' words and plays were in them; fewer if there are few.

    `fitting` are all worlds from which they come. With it, and if the core is compiled, each drawn world is moved on by
    likely steps, because after a long play few of the worlds that were drawn uniformly are likely.
    """
    past = _past(view)
    if not worlds or past is None:
        return list(worlds[:number])
    starts, rows = _likelihoods(view, worlds, past)
    logs = _logs(rows, len(view.counts))
    most = max(logs)
    steps = STEPS if fitting is not None and len(worlds) < fitting.count else 0
    if most == min(logs) and not steps:
        return list(worlds[:number])
    count = -(-number // SAMPLES) if steps else number
    drawn = _systematic_sample([exp(each - most) for each in logs], min(count, _AGAIN * len(worlds)), luck)
    if not steps or fitting is None:
        return [worlds[at] for at in drawn]
    return _moved_worlds(view, past, [worlds[at] for at in drawn], drawn, starts, rows, steps, fitting, luck)[:number]


def _moved_worlds(
    view: View, past: Past, worlds: Sequence[World], drawn: Sequence[int], starts: Table, found: Table, steps: int,
    fitting: Worlds, luck: Random,
) -> list[World]:  # fmt: skip
    """`SAMPLES` worlds from each drawn one: the first after `steps` steps, the others `APART` steps apart."""
    seats = len(view.counts)
    may = fitting.movable()
    if view.called is not None:  # its holder is the partner, and the sides must not change
        may = {place: cards & ~BIT[view.called] for place, cards in may.items()}
    hidden = 0
    for cards in may.values():
        hidden |= cards
    listed = list(cards_in(hidden))
    if len(listed) < 2:
        return list(worlds)
    cards_of, may_suits, may_trumps = numbers(len(listed)), numbers(seats + 1), numbers(seats + 1)
    for at, card in enumerate(listed):
        cards_of[at] = card
    for place, cards in may.items():
        at = seats if place == REST else place
        may_suits[at], may_trumps[at] = encoding.words_of(cards)
    chosen, rows = table(len(drawn), SIZE), table(len(drawn), 32)
    for at, world in enumerate(drawn):
        chosen[at][:] = starts[world]
        rows[at][:] = found[world]
    _, gone = _played(view)
    moved: list[World] = []
    w, work, kept = weights(), numbers(SIZE), numbers(32)
    for sample in range(SAMPLES):
        move(
            chosen, len(drawn), APART if sample else steps, past.r, w, past.actions, past.played, past.looked, MOST,
            past.words, rows, work, kept, cards_of, len(listed), may_suits, may_trumps, luck.getrandbits(30),
        )  # fmt: skip
        moved += [_world(view, state, worlds[at], gone) for at, state in enumerate(chosen)]
    return moved


def _world(view: View, state: State, before: World, gone: CardSet) -> World:
    """The present world, from a state at the first lead; cards played or taken back since then are as in `before`."""
    hands = [
        (int(state[HELD_SUITS + seat]) | int(state[HELD_TRUMPS + seat]) << FIRST_TRUMP) & ~gone | held & gone
        for seat, held in enumerate(before.hands)
    ]
    assert view.seat is not None
    hands[view.seat] = view.held
    rest = before.rest if view.scart is not None else int(state[AWAY_SUITS]) | int(state[AWAY_TRUMPS]) << FIRST_TRUMP
    return World(tuple(hands), rest)


def _likelihoods(view: View, worlds: Sequence[World], past: Past) -> tuple[Table, Table]:
    starts, rows = starts_in(view, worlds, past.leader), table(len(worlds), 32)
    weigh(
        starts, len(worlds), past.r, weights(), past.actions, past.played, past.looked, MOST, past.words, rows, numbers(SIZE)
    )  # fmt: skip
    return starts, rows


def _logs(rows: Table, seats: int) -> list[float]:
    return [sum(map(int, row[16 : 16 + seats])) / 1000 for row in rows]


def log_likelihoods(view: View, worlds: Sequence[World]) -> list[float]:
    """How likely the words and plays of the others were in each world, as logarithms up to a constant."""
    past = _past(view)
    if past is None:
        return [0.0] * len(worlds)
    return _logs(_likelihoods(view, worlds, past)[1], len(view.counts))


def _systematic_sample(likelihoods: Sequence[float], number: int, luck: Random) -> list[int]:
    """`number` indices at even steps along their likelihoods, in random order; likely ones may occur more than once."""
    step = sum(likelihoods) / number
    at = luck.random() * step
    drawn = []
    for index, likelihood in enumerate(likelihoods):
        while at < likelihood:
            drawn.append(index)
            at += step
        at -= likelihood
    drawn = drawn[:number] or [0]
    luck.shuffle(drawn)
    return drawn
