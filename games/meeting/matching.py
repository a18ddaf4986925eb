"""Who can be seated together: the arithmetic of standing wishes, without a database.

A candidate takes part in some offers (a game at a pace, at a time), each of which needs a fixed number of people. A
group fits an offer if it has that number of different people, none of whom blocks another, and if there is a language
that all accept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple

MOST_STEPS: Final = 50_000
"""How many partial groups of one offer are tried in one search. This is far more than any list of wishes needs in which
few people block others; only a list built to exceed it makes people wait longer than necessary."""


class Offer(NamedTuple):
    """What can be played together: a game for `size` people at a pace and, if it is live, at a moment."""

    ruleset: str
    size: int
    pace: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A wish: its player, the offers they would accept, and their languages (empty: any)."""

    key: int
    player: int
    offers: frozenset[Offer]
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Group:
    """People who can be seated together: the keys of their wishes, those that have waited longest first."""

    offer: Offer
    keys: tuple[int, ...]
    language: str
    """One that all accept; empty if all accept any."""


Blocks = Mapping[int, Collection[int]]
"""For each player, those whom they block or are blocked by; players without any may be missing."""


def find_group(candidates: Sequence[Candidate], blocks: Blocks) -> Group | None:
    """A complete group for some offer; None if there is none.

    If there are several, the one whose wishes have waited longest: the first in the order of `candidates`.
    """
    best: tuple[tuple[int, ...], Offer] | None = None
    for offer, indexes in _by_offer(candidates).items():
        members = _first([candidates[index] for index in indexes], offer.size, blocks)
        if members is not None:
            chosen = tuple(indexes[member] for member in members)
            if best is None or chosen < best[0]:
                best = chosen, offer
    if best is None:
        return None
    group = [candidates[index] for index in best[0]]
    return Group(best[1], tuple(each.key for each in group), _common_language(group))


def most_with(candidate: Candidate, others: Iterable[Candidate], offer: Offer, blocks: Blocks) -> int:
    """The largest number of people, including `candidate`, who could be seated for this offer: from 1 to its size."""
    joined = [each for each in others if offer in each.offers and each.player != candidate.player]
    for size in range(offer.size, 1, -1):
        if len(joined) + 1 >= size and _first([candidate, *joined], size, blocks, only_first=True) is not None:
            return size
    return 1


def _by_offer(candidates: Sequence[Candidate]) -> dict[Offer, list[int]]:
    """The indexes of the candidates for each offer, without offers that have too few of them."""
    by_offer: dict[Offer, list[int]] = {}
    for index, candidate in enumerate(candidates):
        for offer in sorted(candidate.offers, key=str):
            by_offer.setdefault(offer, []).append(index)
    return {offer: indexes for offer, indexes in by_offer.items() if len(indexes) >= offer.size}


def _common_language(group: Sequence[Candidate]) -> str:
    accepted = [candidate.languages for candidate in group if candidate.languages]
    return min(frozenset.intersection(*accepted)) if accepted else ""


@dataclass(slots=True)
class _Search:
    """A backtracking search for the first complete group in the order of `people`."""

    people: Sequence[Candidate]
    size: int
    blocks: Blocks
    steps: int = MOST_STEPS
    chosen: list[int] = field(default_factory=list)

    def extend(self, start: int, languages: frozenset[str], players: frozenset[int]) -> bool:
        """Complete `chosen` with people from index `start` on. Returns whether that succeeded.

        Empty `languages`: any.
        """
        if len(self.chosen) == self.size:
            return True
        for index in range(start, len(self.people) - (self.size - len(self.chosen)) + 1):
            self.steps -= 1
            if self.steps < 0:
                return False
            one = self.people[index]
            if one.player in players or not players.isdisjoint(self.blocks.get(one.player, ())):
                continue
            common = languages & one.languages if languages and one.languages else languages | one.languages
            if languages and one.languages and not common:
                continue
            self.chosen.append(index)
            if self.extend(index + 1, common, players | {one.player}):
                return True
            self.chosen.pop()
            if self.only_first and not self.chosen:
                return False
        return False

    only_first: bool = False
    """Whether the first of `people` must be in the group."""


def _first(people: Sequence[Candidate], size: int, blocks: Blocks, *, only_first: bool = False) -> list[int] | None:
    search = _Search(people, size, blocks, only_first=only_first)
    return search.chosen if search.extend(0, frozenset(), frozenset()) else None
