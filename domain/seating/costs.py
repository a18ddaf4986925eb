"""The cost of a table: the penalties of everybody at it, as whole numbers, and the reasons for them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

from domain.seating.field import Field, Past, Settings, Shape, Table, Term

Counts: TypeAlias = dict[tuple[int, int], int]
"""Numbers of times, by two indices, the smaller first."""
Row: TypeAlias = "list[int] | defaultdict[int, int]"
DENSE = 300
"""Up to this many people, rows are lists (faster to read); above, dictionaries (fewer entries to write)."""
KEPT_APART = 1_000_000
"""The cost of seating two people together who each keep a table of their own: one of them would have to move."""


class Costs:
    """Penalties between the entrants who are present, by index in `field.present` (which is ordered by id).

    `together[i][j]` and `against[i][j]` are the costs of playing with and against somebody. `hits[i]` counts byes and
    odd tables so far, `byes[i]` the byes among them. `ranks[i]` is the place in the standing and `levels[i]` the group
    of equal points; None if they do not count. `keeps[i]` is the number of the table that somebody keeps.
    """

    def __init__(
        self,
        field: Field,
        settings: Settings,
        ranks: Sequence[int] | None = None,
        levels: Sequence[int] | None = None,
    ) -> None:
        self.settings = settings
        self.ids = tuple(entrant.id for entrant in field.present)
        self.index = {who: i for i, who in enumerate(self.ids)}
        self.ranks = ranks
        self.levels = levels
        count = len(self.ids)
        self.hits = [entrant.carried for entrant in field.present]
        self.byes = [0] * count
        self.partnered, self.opposed = self._meetings(field.rounds, burden=True)
        self.season_partnered, self.season_opposed = self._meetings(field.season, burden=False)
        members: dict[str, list[int]] = {}
        for i, entrant in enumerate(field.present):
            for group in entrant.groups:
                members.setdefault(group, []).append(i)
        self.groups: Counts = Counter(
            (a, b) for ids in members.values() for n, a in enumerate(ids) for b in ids[n + 1 :]
        )
        pairs = ((self.index.get(a), self.index.get(b)) for a, b in field.apart)
        self.apart: Counts = Counter((a, b) for a, b in pairs if a is not None and b is not None)
        self.keeps = {self.index[who]: table for who, table in field.keeps if who in self.index}
        self.kept: Counts = dict.fromkeys(combinations(sorted(self.keeps), 2), 1)
        self.together = _rows(count)
        self.against = _rows(count)
        self._fill()

    def _meetings(self, rounds: Iterable[Past], *, burden: bool) -> tuple[Counts, Counts]:
        """How often each two were partners and opponents. With `burden`, also count byes and odd tables."""
        with_: Counts = {}
        against: Counts = {}
        index = self.index
        shapes: dict[int, Shape] = {}
        for past in rounds:
            if burden:
                for who in past.out:
                    if who in index:
                        self.hits[index[who]] += 1
                        self.byes[index[who]] += 1
            for table in past.tables:
                if len(table) not in shapes:
                    shapes[len(table)] = self.settings.shape(max(2, len(table)))
                shape = shapes[len(table)]
                if burden and shape.odd:
                    for who in table:
                        if who in index:
                            self.hits[index[who]] += 1
                partners = set(shape.partners)
                for a in range(len(table)):
                    i = index.get(table[a])
                    if i is None:
                        continue
                    for b in range(a + 1, len(table)):
                        j = index.get(table[b])
                        if j is not None:
                            counts = with_ if (a, b) in partners else against
                            pair = (i, j) if i < j else (j, i)
                            counts[pair] = counts.get(pair, 0) + past.weight
        return with_, against

    def _fill(self) -> None:
        weights = self.settings.weights
        together, against = self.together, self.against
        for counts, square, each, other in (
            (self.partnered, True, weights.partner_again, weights.role_changed),
            (self.opposed, True, weights.role_changed, weights.opponent_again),
            (self.season_partnered, False, weights.season_partner, 0),
            (self.season_opposed, False, 0, weights.season_opponent),
            (self.groups, False, weights.same_group, weights.same_group),
            (self.apart, False, weights.apart, weights.apart),
            (self.kept, False, KEPT_APART, KEPT_APART),
        ):
            for (i, j), times in counts.items():
                amount = times * times if square else times
                together[i][j] += amount * each
                together[j][i] += amount * each
                against[i][j] += amount * other
                against[j][i] += amount * other

    def of(self, seats: Sequence[int], shape: Shape) -> int:
        """The cost of a table with these people in these places."""
        together, against = self.together, self.against
        if shape.size == 4 and shape.partners == ((0, 2), (1, 3)):
            a, b, c, d = seats
            of_a, of_c = against[a], against[c]
            cost = together[a][c] + together[b][d] + of_a[b] + of_a[d] + of_c[b] + of_c[d]
        else:
            cost = 0
            partners = shape.partners
            for x in range(len(seats)):
                with_x, against_x = together[seats[x]], against[seats[x]]
                for y in range(x + 1, len(seats)):
                    cost += with_x[seats[y]] if (x, y) in partners else against_x[seats[y]]
        if self.levels is not None:
            cost += self.settings.weights.score_apart * sum(
                (self.levels[i] - self.levels[j]) ** 2 for i, j in combinations(seats, 2)
            )
        if self.ranks is not None:
            spread, balance = self._standing(seats, shape)
            cost += spread * self.settings.weights.standing_spread + balance * self.settings.weights.standing_balance
        return cost

    def _standing(self, seats: Sequence[int], shape: Shape) -> tuple[int, int]:
        """How much further apart than necessary people are in the standing, and by how much the two sides differ."""
        assert self.ranks is not None
        ranks = [self.ranks[i] for i in seats]
        spread = max(ranks) - min(ranks) - len(ranks) + 1
        if shape.dealer_out or not shape.partners:
            return spread, 0
        return spread, abs(sum(ranks[0::2]) - sum(ranks[1::2]))

    def terms(self, seats: Sequence[int], shape: Shape) -> tuple[Term, ...]:
        """The reasons for the cost of a table (see `of`): the most expensive first, then by criterion and name."""
        weights = self.settings.weights
        terms: list[Term] = []
        for x in range(len(seats)):
            for y in range(x + 1, len(seats)):
                i, j = sorted((seats[x], seats[y]))
                pair = (i, j)
                who = (self.ids[i], self.ids[j])
                if (x, y) in shape.partners:
                    roles = (
                        ("partner-again", self.partnered.get(pair, 0), weights.partner_again, True),
                        ("role-changed", self.opposed.get(pair, 0), weights.role_changed, True),
                        ("season-partner", self.season_partnered.get(pair, 0), weights.season_partner, False),
                    )
                else:
                    roles = (
                        ("opponent-again", self.opposed.get(pair, 0), weights.opponent_again, True),
                        ("role-changed", self.partnered.get(pair, 0), weights.role_changed, True),
                        ("season-opponent", self.season_opposed.get(pair, 0), weights.season_opponent, False),
                    )
                for criterion, times, weight, square in (
                    *roles,
                    ("same-group", self.groups.get(pair, 0), weights.same_group, False),
                    ("apart", self.apart.get(pair, 0), weights.apart, False),
                    ("keeps-table", self.kept.get(pair, 0), KEPT_APART, False),
                ):
                    if times:
                        terms.append(Term(criterion, who, times, weight * (times * times if square else times)))
        if self.levels is not None:
            for i, j in combinations(sorted(seats), 2):
                if apart := abs(self.levels[i] - self.levels[j]):
                    points = weights.score_apart * apart * apart
                    terms.append(Term("score-apart", (self.ids[i], self.ids[j]), apart, points))
        if self.ranks is not None:
            spread, balance = self._standing(seats, shape)
            everybody = tuple(self.ids[i] for i in seats)
            if spread:
                terms.append(Term("standing-spread", everybody, spread, spread * weights.standing_spread))
            if balance:
                terms.append(Term("standing-balance", everybody, balance, balance * weights.standing_balance))
        if shape.odd:
            terms.extend(Term("odd-table", (self.ids[i],), self.hits[i], 0) for i in seats)
        return tuple(sorted(terms, key=lambda term: (-term.points, term.criterion, term.who)))

    def table(self, number: int, seats: Sequence[int], shape: Shape) -> Table:
        return Table(
            number=number,
            seats=tuple(self.ids[i] for i in seats),
            partners=tuple((self.ids[seats[a]], self.ids[seats[b]]) for a, b in shape.partners),
            odd=shape.odd,
            dealer_out=shape.dealer_out,
            terms=self.terms(seats, shape),
        )

    def out_terms(self, out: Iterable[int]) -> tuple[Term, ...]:
        """A term for each person who sits out, with how often they sat out or sat at an odd table before."""
        return tuple(Term("bye", (self.ids[i],), self.hits[i], 0) for i in sorted(out))


def _rows(count: int) -> list[Row]:
    return [[0] * count if count <= DENSE else defaultdict(int) for _ in range(count)]
