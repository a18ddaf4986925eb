"""Who is to be seated, and what was before."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from domain.errors import DomainError

MOST_ENTRANTS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, or a pair that stays together. A substitute plays under the entrant's id.

    `groups` are names of what is better kept apart (a club, a family). `members` are a pair's players, for the places at
    the table. `seed` is the place in a seeded list (1 is the best, 0 is none), for knock-outs. `carried` counts byes and
    odd tables of an earlier phase, so that these go round over the whole tournament.
    """

    id: str
    groups: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    seed: int = 0
    carried: int = 0

    def __post_init__(self) -> None:
        if not 1 <= len(self.id) <= 100:
            raise DomainError("bad-id", "id", id=self.id[:100])
        if self.seed < 0 or self.carried < 0:
            raise DomainError("negative", "seed" if self.seed < 0 else "carried", id=self.id)
        object.__setattr__(self, "groups", tuple(sorted(set(self.groups))))


@dataclass(frozen=True, slots=True)
class Past:
    """A round as it was played: the ids at each table in order of places, and who sat out.

    `weight` counts for evenings of the season, where a recent one may weigh more. A late table of the round before is
    written here like any other: who sat with whom is known, though its result is not.
    """

    tables: tuple[tuple[str, ...], ...]
    out: tuple[str, ...] = ()
    weight: int = 1

    def __post_init__(self) -> None:
        everybody = [who for table in self.tables for who in table] + list(self.out)
        if len(set(everybody)) != len(everybody):
            twice = min(who for who, times in Counter(everybody).items() if times > 1)
            raise DomainError("twice-in-a-round", "rounds", id=twice)
        if self.weight < 0:
            raise DomainError("negative", "weight", weight=self.weight)


@dataclass(frozen=True, slots=True)
class Field:
    """Everything a draw depends on, but the settings and the seed. The order in which things are given does not matter.

    * `entrants`: all of the phase, also those not here. Late arrivals are added, early leavers stay in.
    * `absent`: the ids not to be seated this round: not arrived, left, sitting out by wish. It costs them no bye.
    * `rounds`: the rounds of this tournament so far; `season`: those of earlier evenings, if they are to count.
    * `standing`: points so far, also provisional ones; who is missing has none.
    * `apart`: pairs of ids the organiser wants apart.
    """

    entrants: tuple[Entrant, ...]
    absent: frozenset[str] = frozenset()
    rounds: tuple[Past, ...] = ()
    season: tuple[Past, ...] = ()
    standing: tuple[tuple[str, int], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        ids = [entrant.id for entrant in self.entrants]
        if len(ids) > MOST_ENTRANTS:
            raise DomainError("too-many", "entrants", most=MOST_ENTRANTS, given=len(ids))
        if len(set(ids)) != len(ids):
            raise DomainError("id-twice", "entrants", id=min(who for who, times in Counter(ids).items() if times > 1))
        known = set(ids)
        for field, named in (
            ("absent", self.absent),
            ("standing", {who for who, _ in self.standing}),
            ("apart", {who for pair in self.apart for who in pair}),
        ):
            if strange := set(named) - known:
                raise DomainError("unknown-id", field, id=min(strange))
        if len({who for who, _ in self.standing}) != len(self.standing):
            raise DomainError("id-twice", "standing")
        object.__setattr__(self, "entrants", tuple(sorted(self.entrants, key=lambda entrant: entrant.id)))
        object.__setattr__(self, "standing", tuple(sorted(self.standing)))
        object.__setattr__(self, "apart", tuple(sorted({(min(a, b), max(a, b)) for a, b in self.apart if a != b})))

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Who is to be seated now, by id."""
        return tuple(entrant for entrant in self.entrants if entrant.id not in self.absent)

    @property
    def number(self) -> int:
        """The number of the round to be seated, from 1."""
        return len(self.rounds) + 1

    def points(self) -> dict[str, int]:
        """Points so far of everybody."""
        return {entrant.id: 0 for entrant in self.entrants} | dict(self.standing)
