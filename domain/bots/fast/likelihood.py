"""How likely the others' words and plays were in a world: the play so far is replayed with the cards of that world.

Worlds are also moved: two cards are exchanged between hands, and the new world is accepted in proportion to its
likelihood (Metropolis and others, 1953). Likelihoods are logarithms in thousandths.
"""

from __future__ import annotations

from math import exp, log, log1p
from typing import Final

from domain.bots.fast.compiling import State, Table, jit, ones, put
from domain.bots.fast.layout import (
    AWAY_SUITS,
    AWAY_TRUMPS,
    CAVALIERS,
    FIRST_TRUMP,
    FOOL_MASK,
    HELD_SUITS,
    HELD_TRUMPS,
    JACKS,
    KING,
    QUEENS,
    SEATS,
    SUIT_MASK,
    TRUMP_MASK,
    TURN,
)
from domain.bots.fast.play import apply
from domain.bots.fast.policy import shortfall

NEAR: Final = 30  # the cost of each play, for a player near to the policy
NEAR_SHORT: Final = 2500  # the additional cost of a play that falls short of the best
NEAR_EACH: Final = 15  # the additional cost for each hundredth of a card point by which it falls short
FAR: Final = 400  # the cost of each play, for any other player
FAR_EACH: Final = 5  # the additional cost for each hundredth of a card point
NEVER: Final = -(1 << 40)

SMOOTH: Final = tuple([round(1000 * log1p(exp(-step / 100))) for step in range(800)])
"""log(1 + exp(-x)) in thousandths, for x in hundredths."""
CHANCES: Final = tuple([round(-1000 * log((step + 0.5) / 1024)) for step in range(1024)])
"""How much less likely the new world of a move may be, for each of 1,024 equally likely numbers."""

MOST_FROM_TALK: Final = 2500
"""The most that a word counts against a hand: it may be meant to mislead."""
SPREAD: Final = 7
"""This many tenths of a point make going on e times as likely."""


@jit
def strength(suits: int, trumps: int) -> int:
    """The strength of a hand in tenths of a point (see `talking.strength`)."""
    count = ones(trumps & TRUMP_MASK)
    value = 7 * count + 12 * ones((trumps & TRUMP_MASK) >> 14) + 35 * (trumps >> 20 & 1)
    if trumps & FOOL_MASK:
        value += 25 + 3 * min(count, 6)
    if trumps & 1:
        value += 7 * min(count, 6) - 30
    for suit in range(4):
        lane = suits & SUIT_MASK << 14 * suit
        king = lane >> 14 * suit + KING & 1
        value += 30 * king + 3 * ones(lane & QUEENS)
        value += (3 if king else -7) * ones(lane & (CAVALIERS | JACKS))
    return value


@jit
def spoken(suits: int, trumps: int, limit: int, went_on: int) -> int:
    """How likely it was to go on with a hand (`went_on` 1) or not (-1), if that needs a strength of `limit` tenths."""
    beyond = (strength(suits, trumps) - limit) * went_on * 100 // SPREAD
    against = SMOOTH[min(799, abs(beyond))]
    if beyond < 0:
        against += -10 * beyond
    return -min(MOST_FROM_TALK, against)


@jit
def _likelihood(near: int, far: int) -> int:
    """How likely the plays of a seat were, if it may be of either kind of player."""
    return max(near, far) + SMOOTH[min(799, abs(near - far) // 10)]


@jit
def _surprises(
    start: State, r: State, w: State, actions: State, played: int, looked: int, most: int, found: State, s: State,
    needed: int,
) -> bool:  # fmt: skip
    """Write how likely the plays of the seats whose bit is set in `looked` were.

    `found[seat]` is for a player near to the policy, `found[8 + seat]` for any other. Gives up and returns False as
    soon as all of them together are less likely than `needed`.
    """
    for seat in range(8):
        if looked >> seat & 1:
            found[seat] = 0
            found[8 + seat] = 0
    put(s, start)
    for at in range(played):
        seat = s[TURN]
        if looked >> seat & 1:
            short = min(most, shortfall(s, r, w, actions[at]))
            found[seat] -= NEAR + NEAR_EACH * short
            if short:
                found[seat] -= NEAR_SHORT
            found[8 + seat] -= FAR + FAR_EACH * short
            if short:
                likely = 0
                for other in range(8):
                    if looked >> other & 1:
                        likely += max(found[other], found[8 + other]) + SMOOTH[0]
                if likely < needed:
                    return False
        apply(s, r, actions[at])
    return True


@jit
def weigh(
    starts: Table, count: int, r: State, w: State, actions: State, played: int, looked: int, most: int, words: Table,
    found: Table, s: State,
) -> None:  # fmt: skip
    """Write to `found[world][16 + seat]` how likely the words and plays of a seat were.

    `starts` are the states at the first lead, `actions` the actions since then. `words[seat]` is whether the seat went
    on in the talk (1, or -1; 0 if it was not asked) and the strength that this needs. A single play counts for `most`
    hundredths of a card point at most, because people do not play by the policy.
    """
    for world in range(count):
        start = starts[world]
        _surprises(start, r, w, actions, played, looked, most, found[world], s, NEVER)
        for seat in range(r[SEATS]):
            if looked >> seat & 1:
                found[world][16 + seat] = _seat(start, seat, words, found[world])


@jit
def _seat(start: State, seat: int, words: Table, found: State) -> int:
    likely = _likelihood(found[seat], found[8 + seat])
    if words[seat][0]:
        likely += spoken(start[HELD_SUITS + seat], start[HELD_TRUMPS + seat], words[seat][1], words[seat][0])
    return likely


@jit
def move(
    starts: Table, count: int, steps: int, r: State, w: State, actions: State, played: int, looked: int, most: int,
    words: Table, found: Table, s: State, kept: State, cards: State, number: int, may_suits: State, may_trumps: State, luck: int,
) -> None:  # fmt: skip
    """Move each world on by `steps` steps.

    In each step, two of the `number` hidden `cards` are exchanged if both may be, and if that is likely.

    `may_suits[seat]` and `may_trumps[seat]` are the cards that may lie at a seat; the index after the last seat is for
    cards that nobody holds. If the worlds were drawn by their likelihood, they are so afterwards. `found` is what
    `weigh` wrote for them.
    """
    seats = r[SEATS]
    for world in range(count):
        start = starts[world]
        for _step in range(steps):
            luck = luck * 1103515245 + 12345 & 0x7FFFFFFF
            one = cards[(luck >> 8) % number]
            luck = luck * 1103515245 + 12345 & 0x7FFFFFFF
            other = cards[(luck >> 8) % number]
            luck = luck * 1103515245 + 12345 & 0x7FFFFFFF
            here = _place_of(start, seats, one)
            there = _place_of(start, seats, other)
            if here == there or not (
                _in(may_suits[here], may_trumps[here], other) and _in(may_suits[there], may_trumps[there], one)
            ):
                continue
            _exchange(start, seats, here, there, one, other)
            again = (1 << here | 1 << there) & looked
            row = found[world]
            put(kept, row)
            needed = -CHANCES[luck >> 10 & 1023]
            for seat in range(seats):
                if again >> seat & 1:
                    needed += kept[16 + seat]
            fits = _surprises(start, r, w, actions, played, again, most, row, s, needed)
            if fits:
                for seat in range(seats):
                    if again >> seat & 1:
                        row[16 + seat] = _seat(start, seat, words, row)
                        needed -= row[16 + seat]
            if not fits or needed > 0:
                _exchange(start, seats, here, there, other, one)
                put(row, kept)


@jit
def _in(suits: int, trumps: int, card: int) -> bool:
    if card < FIRST_TRUMP:
        return bool(suits >> card & 1)
    return bool(trumps >> card - FIRST_TRUMP & 1)


@jit
def _place_of(start: State, seats: int, card: int) -> int:
    """The seat that holds a card; `seats` if nobody does."""
    for seat in range(seats):
        if _in(start[HELD_SUITS + seat], start[HELD_TRUMPS + seat], card):
            return seat
    return seats


@jit
def _exchange(start: State, seats: int, here: int, there: int, one: int, other: int) -> None:
    for place in (here, there):
        suits = AWAY_SUITS if place == seats else HELD_SUITS + place
        trumps = AWAY_TRUMPS if place == seats else HELD_TRUMPS + place
        for card in (one, other):
            if card < FIRST_TRUMP:
                start[suits] ^= 1 << card
            else:
                start[trumps] ^= 1 << card - FIRST_TRUMP
