"""The worlds that are possible for one seat: their number, the chances of cards, and drawing some of them.

A world is one distribution of the hidden cards. It fits if it contradicts nothing that the seat can prove
(`knowledge.know`); all fitting worlds count alike. They are counted without listing them: cards that the same hands may
hold form a class, and hands that may hold the same cards form a place, so it is enough to count how many cards of each
class lie in each place. Once a class is distributed, places that may hold the same of the remaining classes are merged.
Counts, chances and draws are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, factorial
from random import Random
from typing import Final

from domain.bots.knowledge import Knowledge, know
from domain.engine.cards import BAGAT, BIT, FOOL_BIT, HONOURS, Card, CardSet, cards_in
from domain.engine.view import View

REST: Final = -1
"""In place of a seat, the cards that nobody holds: those not dealt yet, the Tapp, or the discards."""


@dataclass(frozen=True, slots=True)
class World:
    """The cards of every seat (including the viewer's), and the unseen cards that nobody holds."""

    hands: tuple[CardSet, ...]
    rest: CardSet


class Worlds:
    """All worlds that fit what the viewer can prove. Raises ValueError for a watcher's view."""

    def __init__(self, view: View, known: Knowledge | None = None) -> None:
        self.view = view
        self.known = know(view) if known is None else known
        places = {seat: count for seat, count in enumerate(view.counts) if seat != self.known.seat}
        room = self.known.unseen.bit_count() - sum(places.values())
        self._parts = [
            _Part(self.known, {**places, REST: room}, sure, may) for sure, may in _rests(view, self.known, room)
        ]
        self._parts = [part for part in self._parts if part.count]

    @cached_property
    def count(self) -> int:
        """The number of fitting worlds; at least 1 if the view is that of a real hand."""
        return sum(part.count for part in self._parts)

    def chance(self, card: Card, seat: int) -> Fraction:
        """The fraction of the worlds in which `card` is held by `seat`, or by nobody (`REST`)."""
        if not self.known.unseen & BIT[card]:
            held = self.view.held if seat == self.known.seat else 0
            return Fraction(int(bool(held & BIT[card])))
        if seat == self.known.seat:
            return Fraction(0)
        return Fraction(sum(part.count_with(card, seat) for part in self._parts), self.count)

    def draw(self, luck: Random) -> World:
        """A random world; all are equally likely."""
        drawn = luck.randrange(self.count)
        for part in self._parts:
            if drawn < part.count:
                return self._world(part.draw(luck))
            drawn -= part.count
        raise AssertionError("more worlds drawn than there are")

    def all(self) -> Iterator[World]:
        """Every fitting world, once each. Check `count` first."""
        for part in self._parts:
            for held in part.all():
                yield self._world(held)

    def some(self, number: int, luck: Random) -> list[World]:
        """All worlds if there are at most `number`, else `number` drawn ones."""
        if self.count <= number:
            return list(self.all())
        return [self.draw(luck) for _ in range(number)]

    def movable(self) -> dict[int, CardSet]:
        """For each seat and `REST`, the hidden cards that may lie there in all parts of the worlds, but need not."""
        movable = dict(self._parts[0].allowed)
        for part in self._parts[1:]:
            for place, cards in part.allowed.items():
                movable[place] &= cards
        return movable

    def _world(self, held: dict[int, CardSet]) -> World:
        hands = [held.get(seat, 0) for seat in range(len(self.view.counts))]
        hands[self.known.seat] = self.view.held
        return World(tuple(hands), held[REST])


def _rests(view: View, known: Knowledge, room: int) -> Iterator[tuple[CardSet, CardSet]]:
    """The cards that certainly lie in `REST`, and those that may, in one or two cases that exclude each other.

    Honours are not discarded, but if some may be discarded together, either all of them were or none.
    """
    unseen = known.unseen
    sure = 0
    laid_away = view.dealt == len(view.ruleset.batches[view.rounds]) and not view.ruleset.bidding
    if view.ruleset.bidding is not None:
        laid_away = view.contract == "normal"
        if view.contract == "misere" and len(view.counts) >= view.ruleset.bidding.forced_from:
            sure = (FOOL_BIT | BIT[BAGAT]) & unseen  # else one of their holders would have to play
    elif not laid_away and view.cut_card is not None:
        sure = BIT[view.cut_card]
    if not laid_away:
        yield sure, unseen
        return
    yield 0, unseen & ~HONOURS
    together = view.ruleset.together
    if together and unseen & together == together and together.bit_count() <= room:
        yield together, unseen & (~HONOURS | together)


_WIDE: Final = 7  # bits for the room of one place
_FULL: Final = (1 << _WIDE) - 1
_FEW: Final = 4
"""Up to this many places counting is fast, and merging them would only cost time."""


def _mixed(cards: list[Card], luck: Random) -> list[Card]:
    """The cards in random order. Several times as fast as `shuffle`, which matters: a decision needs thousands."""
    by_chance = luck.random
    return [card for _, card in sorted([(by_chance(), card) for card in cards])]


@dataclass(frozen=True, slots=True)
class _Step:
    """One class of cards: the bit positions of the places that it fits, and the groups of places to merge after it."""

    shifts: tuple[int, ...]
    cards: list[Card]
    same: list[list[int]]

    def joined(self, caps: int) -> int:
        """The room of the places after merging."""
        return _packed([sum([caps >> shift & _FULL for shift in same]) for same in self.same])


def _packed(rooms: Sequence[int]) -> int:
    """The room of all places packed into one number."""
    return sum([room << _WIDE * at for at, room in enumerate(rooms)])


class _Part:
    """The worlds in which the cards `sure` lie in `REST`, and besides them only cards of `may`."""

    def __init__(self, known: Knowledge, room: dict[int, int], sure: CardSet, may: CardSet) -> None:
        self.located = {seat: sure if seat == REST else known.located[seat] for seat in room}
        allowed = {seat: may if seat == REST else known.may_hold[seat] & ~sure for seat in room}
        fixed = 0
        for cards in self.located.values():
            fixed |= cards
        self.open = known.unseen & ~fixed
        self.room = {seat: size - self.located[seat].bit_count() for seat, size in room.items()}
        self.allowed = {seat: cards & self.open for seat, cards in allowed.items()}
        self._prepare()

    def _prepare(self) -> None:
        """Group the seats into places and the cards into classes, and count the worlds."""
        columns: dict[CardSet, list[int]] = {}
        for seat, size in self.room.items():
            if size:
                columns.setdefault(self.allowed[seat], []).append(seat)
        self.places = list(columns.values())
        sizes = [sum(self.room[seat] for seat in place) for place in self.places]
        self.caps = _packed(sizes)
        classes: dict[tuple[int, ...], list[Card]] = {}
        for card in cards_in(self.open):
            fits = tuple([number for number, column in enumerate(columns) if column >> card & 1])
            classes.setdefault(fits, []).append(card)
        # Classes with few ways to distribute them come first; the last class is counted at once.
        few = len(self.places) <= _FEW
        ordered = sorted(
            classes.items(),
            key=lambda item: (
                (len(item[0]), len(item[1])) if few else (comb(len(item[1]) + len(item[0]) - 1, len(item[1])), 0)
            ),
        )
        self.steps: list[_Step] = []
        joined = [{at} for at in range(len(sizes))]  # the places that have been merged so far
        for number, (fits, cards) in enumerate(ordered):
            shifts = tuple([_WIDE * at for at, places in enumerate(joined) if places <= set(fits)])
            alike: dict[object, list[int]] = {}
            for at, places in enumerate(joined):
                key = at if few else tuple([places <= set(later) for later, _ in ordered[number + 1 :]])
                alike.setdefault(key, []).append(at)
            self.steps.append(_Step(shifts, cards, [[_WIDE * at for at in same] for same in alike.values()]))
            joined = [set[int]().union(*[joined[at] for at in same]) for same in alike.values()]
        self._counts_with: dict[tuple[int, int], int] = {}  # by class of cards and seat
        self._memo: list[list[dict[int, int]]] = [[{} for _ in step.shifts] for step in self.steps]
        self.count = 0
        if min(self.room.values()) >= 0 and self.open.bit_count() == sum(sizes) and () not in classes:
            inside = 1  # the ways to distribute the cards within the places among their seats
            for place, size in zip(self.places, sizes, strict=True):
                inside *= factorial(size)
                for seat in place:
                    inside //= factorial(self.room[seat])
            self.count = inside * self._ways_from_class(0, self.caps)

    def _ways_from_class(self, number: int, caps: int) -> int:
        """The number of ways in which the cards of this class and all later ones fit into places with this room."""
        if number == len(self.steps):
            return 1
        step = self.steps[number]
        if number < len(self.steps) - 1:
            return self._ways_from_place(number, 0, len(step.cards), caps)
        ways = factorial(len(step.cards))
        left = len(step.cards)
        for shift in step.shifts:
            here = caps >> shift & _FULL
            ways //= factorial(here)
            left -= here
        return 0 if left else ways

    def _ways_from_place(self, number: int, at: int, left: int, caps: int) -> int:
        """The number of ways when `left` cards of a class are still to go to its places from index `at` on."""
        shifts = self.steps[number].shifts
        shift = shifts[at]
        if at == len(shifts) - 1:
            return self._ways_after_class(number, caps - (left << shift)) if left <= caps >> shift & _FULL else 0
        memo = self._memo[number][at]
        key = caps << _WIDE | left
        ways = memo.get(key)
        if ways is None:
            ways = 0
            for here in range(min(left, caps >> shift & _FULL) + 1):
                ways += comb(left, here) * self._ways_from_place(number, at + 1, left - here, caps - (here << shift))
            memo[key] = ways
        return ways

    def _ways_after_class(self, number: int, caps: int) -> int:
        """The number of ways when all cards of a class have been distributed."""
        step = self.steps[number]
        ways = 1
        for same in step.same:
            together = 0
            for shift in same:
                here = caps >> shift & _FULL
                together += here
                ways *= comb(together, here)
        return ways * self._ways_from_class(number + 1, step.joined(caps))

    def count_with(self, card: Card, seat: int) -> int:
        """The number of these worlds in which `seat` holds `card`."""
        if self.located[seat] & BIT[card]:
            return self.count
        if not self.room[seat] or not self.allowed[seat] & BIT[card]:
            return 0
        key = next(at for at, step in enumerate(self.steps) if card in step.cards), seat
        count = self._counts_with.get(key)
        if count is None:
            count = self._counts_with[key] = self._fixing(card, seat).count
        return count

    def _fixing(self, card: Card, seat: int) -> _Part:
        """These worlds with `card` at `seat`."""
        other = object.__new__(_Part)
        other.located = {**self.located, seat: self.located[seat] | BIT[card]}
        other.open = self.open & ~BIT[card]
        other.room = {**self.room, seat: self.room[seat] - 1}
        other.allowed = {at: cards & ~BIT[card] for at, cards in self.allowed.items()}
        other._prepare()
        return other

    def draw(self, luck: Random) -> dict[int, CardSet]:
        """The cards of each seat and of `REST` in a random world; all are equally likely."""
        caps = self.caps
        shared: list[tuple[int, list[list[Card]]]] = []
        for number, step in enumerate(self.steps):
            mixed = _mixed(step.cards, luck)
            here: list[list[Card]] = [[] for same in step.same for _ in same]
            for at, shift in enumerate(step.shifts):
                count = self._share(number, at, len(mixed), caps, luck)
                caps -= count << shift
                here[shift // _WIDE] = mixed[:count]
                del mixed[:count]
            shared.append((caps, here))
            caps = step.joined(caps)
        heaps: list[list[Card]] = [[] for step in self.steps[-1:] for _ in step.same]
        for step, (caps, here) in zip(reversed(self.steps), reversed(shared), strict=True):
            for same, heap in zip(step.same, heaps, strict=True):
                mixed = _mixed(heap, luck) if len(same) > 1 else heap
                for shift in same:
                    count = caps >> shift & _FULL
                    here[shift // _WIDE] += mixed[:count]
                    mixed = mixed[count:]
            heaps = here
        held = dict(self.located)
        for place, heap in zip(self.places, heaps, strict=True):
            if len(place) > 1:
                heap = _mixed(heap, luck)
            start = 0
            for seat in place:
                cards_here = 0
                for card in heap[start : start + self.room[seat]]:
                    cards_here |= BIT[card]
                held[seat] |= cards_here
                start += self.room[seat]
        return held

    def _share(self, number: int, at: int, left: int, caps: int, luck: Random) -> int:
        """How many of the `left` cards of a class go to its place at `at`, drawn by the numbers of ways."""
        shifts = self.steps[number].shifts
        room = caps >> shifts[at] & _FULL
        if number == len(self.steps) - 1:
            return room
        if at == len(shifts) - 1:
            return left
        drawn = luck.randrange(self._ways_from_place(number, at, left, caps)) if left else 0
        for here in range(min(left, room) + 1):
            weight = comb(left, here) * self._ways_from_place(number, at + 1, left - here, caps - (here << shifts[at]))
            if drawn < weight:
                return here
            drawn -= weight
        raise AssertionError("more ways drawn than there are")

    def all(self) -> Iterator[dict[int, CardSet]]:
        """The cards of each seat and of `REST` in every world."""
        yield from self._filled(dict(self.located), self.open, [seat for seat, size in self.room.items() if size])

    def _filled(self, held: dict[int, CardSet], open_cards: CardSet, seats: list[int]) -> Iterator[dict[int, CardSet]]:
        if not seats:
            if not open_cards:
                yield held
            return
        seat, *others = seats
        for chosen in combinations(cards_in(open_cards & self.allowed[seat]), self.room[seat]):
            here = sum([BIT[card] for card in chosen])
            yield from self._filled({**held, seat: held[seat] | here}, open_cards & ~here, others)
