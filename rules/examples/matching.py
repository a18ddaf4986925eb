"""Giving out cards: every place that wants cards gets as many as it wants, of those it can take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from games.engine import Card, CardSet
from games.engine.cards import BIT


@dataclass(slots=True, eq=False)
class Wanting:
    """A place that wants `count` cards out of `takes`; `given` are those it got."""

    count: int
    takes: CardSet
    given: list[Card] = field(default_factory=list)


def give_out(cards: Iterable[Card], places: Sequence[Wanting], chance: Random) -> bool:
    """Fill `places` with exactly `cards`, by chance; False if that cannot be. A bipartite matching by augmenting paths."""
    waiting = list(cards)
    if sum(place.count for place in places) != len(waiting):
        return False
    chance.shuffle(waiting)
    # What few can take is given out first: then hardly anything has to be taken back.
    waiting.sort(key=lambda card: sum(place.count for place in places if place.takes & BIT[card]))
    open_places = [place for place in places if place.count]
    for card in waiting:
        chance.shuffle(open_places)
        if not _place(card, open_places, set()):
            return False
    return True


def _place(card: Card, places: Sequence[Wanting], tried: set[int]) -> bool:
    """Give `card` to a place, moving others on if need be."""
    able = [place for place in places if place.takes & BIT[card] and id(place) not in tried]
    for place in able:
        if len(place.given) < place.count:
            place.given.append(card)
            return True
    for place in able:
        if id(place) in tried:
            continue
        tried.add(id(place))
        for at, other in enumerate(place.given):
            if _place(other, places, tried):
                place.given[at] = card
                return True
    return False
