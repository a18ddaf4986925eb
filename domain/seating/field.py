"""The input and output of a draw: the organiser's settings, the people to be seated, and the seating."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Final

from domain.errors import DomainError, refuse_if

Pairs = tuple[tuple[int, int], ...]
MOST_AT_A_TABLE: Final = 8
MOST_PRICE: Final = 1_000_000
MOST_STEPS: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Shape:
    """One size of table. `partners` are the places that play together; all others at the table are opponents.

    `price` says how unwelcome the size is, 0 for the usual one: people are divided into tables so that the sum of the
    prices is as small as possible. `odd` tables are a burden that goes round. With `dealer_out`, the dealer of five (or
    seven) looks on, so that more deals are needed until everybody has played equally many.
    """

    size: int
    partners: Pairs = ()
    price: int = 0
    odd: bool = False
    dealer_out: bool = False

    def __post_init__(self) -> None:
        refuse_if(not 2 <= self.size <= MOST_AT_A_TABLE, "bad-size", "shapes", size=self.size)
        refuse_if(not 0 <= self.price <= MOST_PRICE, "bad-price", "shapes", price=self.price)
        for a, b in self.partners:
            refuse_if(not 0 <= a < b < self.size, "bad-partners", "shapes", size=self.size)


FOUR: Final = Shape(4, ((0, 2), (1, 3)))
THREE_ALONE: Final = Shape(3, price=100, odd=True)
FIVE_ALONE: Final = Shape(5, price=110, odd=True)
SIX_IN_TEAMS: Final = Shape(6, ((0, 2), (0, 4), (1, 3), (1, 5), (2, 4), (3, 5)), price=120, odd=True)
FIVE_DEALER_OUT: Final = Shape(5, ((0, 2), (0, 3), (1, 3), (1, 4), (2, 4)), price=100, odd=True, dealer_out=True)
"""Five, of whom the dealer sits out: players two places apart are partners in two of five deals, neighbours never."""
TWO_PAIRS: Final = Shape(2)
THREE_PAIRS: Final = Shape(3, price=100, odd=True)
"""Entrants of a tournament for pairs; three pairs play the form for six."""


def alone(usual: int = 5, smallest: int = 3, largest: int = 8) -> tuple[Shape, ...]:
    """Tables where everybody plays alone (Troggu), the usual size first.

    Other sizes cost more the further they are from it. A table of four instead of five is no burden, so none of them is
    odd.
    """
    sizes = sorted(range(smallest, largest + 1), key=lambda size: (abs(size - usual), -size))
    return tuple(Shape(size, price=10 * (size - usual) ** 2) for size in sizes)


@dataclass(frozen=True, slots=True)
class Weights:
    """Penalties, whole numbers from 0 (does not matter). Something repeated k times costs k² times its weight.

    Byes and odd tables are not among them: they always go round in turn, whatever that costs otherwise.
    """

    partner_again: int = 120
    opponent_again: int = 36
    role_changed: int = 12
    """A former partner is now an opponent, or the other way round."""
    same_group: int = 9
    """For every group (club, family) that two people at a table share."""
    apart: int = 400
    """Two people whom the organiser wants apart."""
    season_partner: int = 2
    season_opponent: int = 1
    """For every time in earlier evenings, times the weight of that evening."""
    score_apart: int = 10
    """Swiss: multiplied by the square of the number of score groups between the two.

    A repeated meeting always costs more.
    """
    standing_spread: int = 6
    """Re-seeding: for every place by which the people at a table are further apart than necessary."""
    standing_balance: int = 3
    """Re-seeding: for every place by which the sides of a table differ."""

    def __post_init__(self) -> None:
        for each in fields(self):
            refuse_if(not 0 <= getattr(self, each.name) <= MOST_PRICE, "bad-weight", each.name, most=MOST_PRICE)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a phase is seated. `shapes`: the usual table first, then the others that the ruleset and the organiser allow.

    `bye_price` is the price of sitting out, compared with odd tables: by default, people sit out only if they fit at no
    table; below 100, they sit out rather than play at an odd table. `steps` limits the work of the local search for one
    round; it is the only limit. `strict` re-seeds in blocks of the standing, whatever repeats.
    """

    shapes: tuple[Shape, ...] = (FOUR, THREE_ALONE, FIVE_ALONE)
    bye_price: int = 10_000
    weights: Weights = field(default_factory=Weights)
    steps: int = 60_000
    strict: bool = False

    def __post_init__(self) -> None:
        refuse_if(not self.shapes, "no-shapes", "shapes")
        refuse_if(len({shape.size for shape in self.shapes}) != len(self.shapes), "size-twice", "shapes")
        refuse_if(not 1 <= self.bye_price <= MOST_PRICE, "bad-price", "bye_price", price=self.bye_price)
        refuse_if(not 0 <= self.steps <= MOST_STEPS, "bad-steps", "steps", most=MOST_STEPS)

    def shape(self, size: int) -> Shape:
        """The shape of a table of this size.

        A size not in the settings (a table made by hand) is odd, with everybody alone.
        """
        for shape in self.shapes:
            if shape.size == size:
                return shape
        return Shape(size, odd=True)


FOR_PLAYERS: Final = Settings()
FOR_PAIRS: Final = Settings(shapes=(TWO_PAIRS,))


def tables_for(count: int, settings: Settings) -> tuple[tuple[Shape, ...], int]:
    """The cheapest division of `count` entrants into tables, usual ones first, and the number of entrants who sit out.

    Never fails: entrants who fit at no table sit out. Among equally cheap divisions it prefers fewer entrants who sit
    out, then fewer tables, then the shapes named first.
    """
    # best[n]: price, entrants out, tables, the sum of the indices of the shapes, and the last step (index of the last
    # shape, -1 for a bye).
    best: list[tuple[int, int, int, int, int]] = [(0, 0, 0, 0, -1)]
    for number in range(1, count + 1):
        price, out, tables, late, _ = best[number - 1]
        choices = [(price + settings.bye_price, out + 1, tables, late, -1)]
        for index, shape in enumerate(settings.shapes):
            if shape.size <= number:
                price, out, tables, late, _ = best[number - shape.size]
                choices.append((price + shape.price, out, tables + 1, late + index, index))
        best.append(min(choices))
    counts = [0] * len(settings.shapes)
    left, sitting = count, 0
    while left:
        index = best[left][-1]
        if index < 0:
            sitting += 1
            left -= 1
        else:
            counts[index] += 1
            left -= settings.shapes[index].size
    shapes = tuple(shape for shape, times in zip(settings.shapes, counts, strict=True) for _ in range(times))
    return shapes, sitting


MOST_ENTRANTS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, or a pair that stays together. A substitute plays under the entrant's id.

    `groups` are names of groups whose members should not sit together (a club, a family). `members` are a pair's
    players, for the places at the table. `seed` is the place in a seeded list (1 is the best, 0 is unseeded), for
    knock-outs. `carried` counts byes and odd tables of an earlier phase, so that these go round over the whole
    tournament.
    """

    id: str
    groups: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    seed: int = 0
    carried: int = 0

    def __post_init__(self) -> None:
        refuse_if(not 1 <= len(self.id) <= 100, "bad-id", "id", id=self.id[:100])
        refuse_if(self.seed < 0 or self.carried < 0, "negative", "seed" if self.seed < 0 else "carried", id=self.id)
        object.__setattr__(self, "groups", tuple(sorted(set(self.groups))))


@dataclass(frozen=True, slots=True)
class Past:
    """A round as it was played: the ids at each table in order of places, and the ids that sat out.

    `weight` is for evenings of the season, where recent ones may weigh more. A table of the previous round that is
    still playing is listed like any other: who sat with whom is known, even if its result is not.
    """

    tables: tuple[tuple[str, ...], ...]
    out: tuple[str, ...] = ()
    weight: int = 1

    def __post_init__(self) -> None:
        everybody = [who for table in self.tables for who in table] + list(self.out)
        if len(set(everybody)) != len(everybody):
            twice = min(who for who, times in Counter(everybody).items() if times > 1)
            raise DomainError("twice-in-a-round", "rounds", id=twice)
        refuse_if(self.weight < 0, "negative", "weight", weight=self.weight)


@dataclass(frozen=True, slots=True)
class Field:
    """Everything a draw depends on, except the settings and the seed. The order of the items does not matter.

    * `entrants`: all entrants of the phase, including those not here. Late arrivals are added, early leavers stay in.
    * `absent`: the ids not to be seated this round: not arrived, left, or sitting out by wish. That is not a bye.
    * `rounds`: the rounds of this tournament so far; `season`: those of earlier evenings, if they are to count.
    * `standing`: points so far, including provisional ones; ids that are missing have none.
    * `apart`: pairs of ids that the organiser wants apart.
    * `keeps`: ids with the number of the table at which they always sit, for people who cannot walk far.
    """

    entrants: tuple[Entrant, ...]
    absent: frozenset[str] = frozenset()
    rounds: tuple[Past, ...] = ()
    season: tuple[Past, ...] = ()
    standing: tuple[tuple[str, int], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    keeps: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        ids = [entrant.id for entrant in self.entrants]
        refuse_if(len(ids) > MOST_ENTRANTS, "too-many", "entrants", most=MOST_ENTRANTS, given=len(ids))
        if len(set(ids)) != len(ids):
            raise DomainError("id-twice", "entrants", id=min(who for who, times in Counter(ids).items() if times > 1))
        known = set(ids)
        for name, listed in (
            ("absent", self.absent),
            ("standing", {who for who, _ in self.standing}),
            ("apart", {who for pair in self.apart for who in pair}),
            ("keeps", {who for who, _ in self.keeps}),
        ):
            unknown = set(listed) - known
            refuse_if(unknown, "unknown-id", name, id=min(unknown, default=""))
        for name, pairs in (("standing", self.standing), ("keeps", self.keeps)):
            refuse_if(len({who for who, _ in pairs}) != len(pairs), "id-twice", name)
        refuse_if(any(table < 1 for _, table in self.keeps), "negative", "keeps")
        object.__setattr__(self, "entrants", tuple(sorted(self.entrants, key=lambda entrant: entrant.id)))
        object.__setattr__(self, "standing", tuple(sorted(self.standing)))
        object.__setattr__(self, "keeps", tuple(sorted(self.keeps)))
        object.__setattr__(self, "apart", tuple(sorted({(min(a, b), max(a, b)) for a, b in self.apart if a != b})))

    @property
    def present(self) -> tuple[Entrant, ...]:
        """The entrants to be seated now, by id."""
        return tuple(entrant for entrant in self.entrants if entrant.id not in self.absent)

    @property
    def number(self) -> int:
        """The number of the round to be seated, from 1."""
        return len(self.rounds) + 1

    def points(self) -> dict[str, int]:
        """Everybody's points so far."""
        return {entrant.id: 0 for entrant in self.entrants} | dict(self.standing)


REPEATS = frozenset({"partner-again", "opponent-again"})


@dataclass(frozen=True, slots=True)
class Term:
    """One reason for a cost: the ids `who`, how many `times` it was so before (or by how much), and its `points`."""

    criterion: str
    who: tuple[str, ...]
    times: int
    points: int


def _repeats(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(term for term in terms if term.criterion in REPEATS)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the ids in order of places, the partners, and whether its size is unusual (`odd`)."""

    number: int
    seats: tuple[str, ...]
    partners: tuple[tuple[str, str], ...]
    odd: bool
    dealer_out: bool
    terms: tuple[Term, ...]

    @property
    def cost(self) -> int:
        return sum(term.points for term in self.terms)

    @property
    def repeats(self) -> tuple[Term, ...]:
        """Partners and opponents that meet again in that role."""
        return _repeats(self.terms)


@dataclass(frozen=True, slots=True)
class Seating:
    """The seating of a round. `out` are the ids that sit out (a bye), `steps` the work it took.

    `remarks` are fixed words about the draw as a whole:

    * ``rotation-left``: the rotation does not fit the people here, or was not kept so far; the round was drawn instead.
    * ``meetings-left``: the round robin was not kept so far; entrants who have not met yet were paired instead.
    * ``bracket-left``: the bracket was not kept so far; the entrants still in a knock-out make a new one.
    * ``rounds-again``: the plan has no further round; it began again.
    * ``decided``: only the winner of a knock-out is left.
    * ``nobody``: nobody is here.
    """

    method: str
    round: int
    tables: tuple[Table, ...]
    out: tuple[str, ...]
    out_terms: tuple[Term, ...] = ()
    remarks: tuple[str, ...] = ()
    steps: int = 0

    @property
    def terms(self) -> tuple[Term, ...]:
        """All terms, of the tables in order, then of those who sit out."""
        return tuple(term for table in self.tables for term in table.terms) + self.out_terms

    @property
    def cost(self) -> int:
        return sum(term.points for term in self.terms)

    @property
    def costs(self) -> dict[str, int]:
        """The cost by criterion; criteria without a cost are left out."""
        sums: Counter[str] = Counter()
        for term in self.terms:
            sums[term.criterion] += term.points
        return {criterion: points for criterion, points in sorted(sums.items()) if points}

    @property
    def repeats(self) -> tuple[Term, ...]:
        """Partners and opponents that meet again in that role."""
        return _repeats(self.terms)

    def table_of(self, id: str) -> Table | None:
        """The table at which `id` sits; None for those who sit out or are not here."""
        return next((table for table in self.tables if id in table.seats), None)
