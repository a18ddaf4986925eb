"""Who can be seated together: the arithmetic of standing wishes, without a database.

A candidate takes part in some offers (a game at a pace, at a time), each of which needs so many people. A group fits an
offer if it is complete, all of different people, no two of whom keep apart, and if there is a language that all accept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple

MOST_STEPS: Final = 50_000
"""So many partial groups of one offer are tried in one look. Far more than any list of wishes needs in which few people keep
apart; only somebody who builds such a list on purpose is served later than they could be."""


class Offer(NamedTuple):
    """What can be played together: a game for so many, at a pace, and where it is live, at a moment."""

    ruleset: str
    size: int
    pace: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A wish: whose it is, what they would play, and in which languages (empty: any)."""

    key: int
    player: int
    offers: frozenset[Offer]
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Group:
    """People who can be seated together: the keys of their wishes, those that wait longest first."""

    offer: Offer
    keys: tuple[int, ...]
    language: str
    """One that all accept; empty where all accept any."""


Apart = Mapping[int, Collection[int]]
"""For each player who keeps apart from somebody: from whom. It must hold in both directions."""


def find_group(candidates: Sequence[Candidate], apart: Apart) -> Group | None:
    """A complete group for some offer, None if there is none. Of several, the one whose wishes wait longest, as `candidates` are sorted."""
    best: tuple[tuple[int, ...], Offer] | None = None
    for offer, places in _by_offer(candidates).items():
        found = _first([candidates[place] for place in places], offer.size, apart)
        if found is not None:
            chosen = tuple(places[index] for index in found)
            if best is None or chosen < best[0]:
                best = chosen, offer
    if best is None:
        return None
    group = [candidates[place] for place in best[0]]
    return Group(best[1], tuple(each.key for each in group), _common_language(group))


def most_with(candidate: Candidate, others: Iterable[Candidate], offer: Offer, apart: Apart) -> int:
    """How many people at most, `candidate` among them, could be seated together for this offer: at least one, at most its size."""
    joined = [each for each in others if offer in each.offers and each.player != candidate.player]
    for size in range(offer.size, 1, -1):
        if len(joined) + 1 >= size and _first([candidate, *joined], size, apart, begins=True) is not None:
            return size
    return 1


def _by_offer(candidates: Sequence[Candidate]) -> dict[Offer, list[int]]:
    """The places of those who take part in each offer, where they may be enough."""
    found: dict[Offer, list[int]] = {}
    for place, candidate in enumerate(candidates):
        for offer in sorted(candidate.offers, key=str):
            found.setdefault(offer, []).append(place)
    return {offer: places for offer, places in found.items() if len(places) >= offer.size}


def _common_language(group: Sequence[Candidate]) -> str:
    accepted = [candidate.languages for candidate in group if candidate.languages]
    return min(frozenset.intersection(*accepted)) if accepted else ""


@dataclass(slots=True)
class _Search:
    """The first complete group in the order of `people`, found by trying."""

    people: Sequence[Candidate]
    size: int
    apart: Apart
    steps: int = MOST_STEPS
    chosen: list[int] = field(default_factory=list)

    def extend(self, start: int, languages: frozenset[str], players: frozenset[int]) -> bool:
        """Whether `chosen` can be made complete with people from `start` on; `languages` empty: any."""
        if len(self.chosen) == self.size:
            return True
        for index in range(start, len(self.people) - (self.size - len(self.chosen)) + 1):
            self.steps -= 1
            if self.steps < 0:
                return False
            one = self.people[index]
            if one.player in players or not players.isdisjoint(self.apart.get(one.player, ())):
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
    """Whether the first of `people` must be among them."""


def _first(people: Sequence[Candidate], size: int, apart: Apart, *, begins: bool = False) -> list[int] | None:
    search = _Search(people, size, apart, only_first=begins)
    return search.chosen if search.extend(0, frozenset(), frozenset()) else None
