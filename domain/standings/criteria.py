"""The sheet of every entrant (rounds, penalties, opponents), and the criteria that rank them, a small function each.

A criterion returns the value of one entrant within a `group`, the entrants who are still equal when it is applied. Most
criteria ignore the group. None means that the criterion cannot decide; within a group, None ranks after any value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

PLAYED: Final = "played"
PENDING: Final = "pending"
BYE: Final = "bye"
LATE: Final = "late"
ABSENT: Final = "absent"
LEFT: Final = "left"


@dataclass(frozen=True, slots=True)
class Meeting:
    """An opponent of one round, with the points of both as written at the table (no correction)."""

    opponent: str
    own: int
    theirs: int


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What one round brought to one entrant.

    `kind` is played, pending (the table is not confirmed, so nothing counts yet), bye, late, absent or left.
    `difference` is own points minus the opponents'. `deals` and `deals_won` count deals that the entrant played. A
    `dropped` round is among the entrant's worst and does not count.
    """

    round: int
    kind: str
    points: int = 0
    match: int = 0
    difference: int = 0
    deals: int = 0
    deals_won: int = 0
    won: bool = False
    table: int = 0
    meetings: tuple[Meeting, ...] = ()
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """An entrant's evening."""

    entrant: str
    rounds: tuple[RoundScore, ...]
    penalty_points: int = 0
    penalty_match: int = 0

    @property
    def kept(self) -> tuple[RoundScore, ...]:
        return tuple(each for each in self.rounds if not each.dropped)

    @property
    def played(self) -> tuple[RoundScore, ...]:
        """The rounds played at a confirmed table, whether they count or are dropped."""
        return tuple(each for each in self.rounds if each.kind == PLAYED)


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that was drawn, or cards that were cut: the resulting order of these entrants, the luckiest first.

    `label` names the drawing; `seed` is the seed that it came from, in hex, or empty if it was drawn by hand in the
    hall.
    """

    order: tuple[str, ...]
    label: str
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Everybody:
    """All sheets, and the house rules for comparing them.

    `first` is the first criterion; later lots override earlier ones.
    """

    sheets: Mapping[str, Sheet]
    first: str
    head_to_head: str
    lots: tuple[Lot, ...] = ()


def rounded(value: Fraction) -> int:
    """The nearest whole number.

    Halves are rounded away from zero, so that one side gains exactly what the other loses.
    """
    doubled = 2 * abs(value.numerator)
    size = (doubled + value.denominator) // (2 * value.denominator)
    return size if value >= 0 else -size


def mean(values: Sequence[int]) -> int:
    """The average of at least one number, rounded."""
    return rounded(Fraction(sum(values), len(values)))


def equal_shares(amount: int, count: int, unit: int) -> tuple[tuple[int, ...], int]:
    """`amount` divided into `count` shares, each a multiple of `unit`, and the remainder (less than one unit).

    Units that cannot be divided equally go one each to the first shares: 100 among three in units of 5 is 35, 35, 30.
    """
    units, left = divmod(amount, unit)
    each, more = divmod(units, count)
    return tuple((each + (index < more)) * unit for index in range(count)), left


def proportional_shares(amount: int, weights: Sequence[int], unit: int) -> tuple[tuple[int, ...], int]:
    """`amount` divided in proportion to the weights, in multiples of `unit`, and the remainder.

    By the largest remainder; among equal remainders, earlier weights come first.
    """
    units, left = divmod(amount, unit)
    whole = sum(weights)
    shares = [units * weight // whole for weight in weights]
    remainders = [units * weight % whole for weight in weights]
    for index in sorted(range(len(weights)), key=lambda each: (-remainders[each], each))[: units - sum(shares)]:
        shares[index] += 1
    return tuple(share * unit for share in shares), left


Group = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """The function for a value, whether more is better, and whether the value depends on the group of equals."""

    value: Callable[[Everybody, str, Group], int | None]
    more_is_better: bool = True
    of_group: bool = False


def match_points(everybody: Everybody, entrant: str, group: Group) -> int:
    """Match points of the rounds that count, minus penalties."""
    sheet = everybody.sheets[entrant]
    return sum(each.match for each in sheet.kept) - sheet.penalty_match


def card_points(everybody: Everybody, entrant: str, group: Group) -> int:
    """Points of the rounds that count, minus penalties."""
    sheet = everybody.sheets[entrant]
    return sum(each.points for each in sheet.kept) - sheet.penalty_points


def difference(everybody: Everybody, entrant: str, group: Group) -> int:
    """Own points minus the opponents' in the rounds that count. Penalties do not change it."""
    return sum(each.difference for each in everybody.sheets[entrant].kept)


def wins(everybody: Everybody, entrant: str, group: Group) -> int:
    return sum(each.won for each in everybody.sheets[entrant].kept)


def deals_won(everybody: Everybody, entrant: str, group: Group) -> int:
    """Deals in which the entrant's side scored more than every other side, in rounds that count."""
    return sum(each.deals_won for each in everybody.sheets[entrant].kept)


def rounds_played(everybody: Everybody, entrant: str, group: Group) -> int:
    """Rounds played at a table, whether they count or are dropped."""
    return len(everybody.sheets[entrant].played)


def best_round(everybody: Everybody, entrant: str, group: Group) -> int | None:
    return max((each.points for each in everybody.sheets[entrant].played), default=None)


def without_worst(everybody: Everybody, entrant: str, group: Group) -> int:
    """Card points without the worst played round of those that count; a single round is not left out."""
    points = [each.points for each in everybody.sheets[entrant].kept if each.kind == "played"]
    return card_points(everybody, entrant, group) - (min(points) if len(points) > 1 else 0)


def head_to_head(everybody: Everybody, entrant: str, group: Group) -> int | None:
    """Meetings won minus meetings lost against the equal entrants. More points at the table win a meeting."""
    meetings = _among(everybody, entrant, group)
    return None if meetings is None else sum((own > theirs) - (own < theirs) for own, theirs in _points(meetings))


def head_to_head_difference(everybody: Everybody, entrant: str, group: Group) -> int | None:
    """Own points minus the opponents' in the meetings between equal entrants."""
    meetings = _among(everybody, entrant, group)
    return None if meetings is None else sum(own - theirs for own, theirs in _points(meetings))


def opponents_strength(everybody: Everybody, entrant: str, group: Group) -> int | None:
    """Average of the opponents' own totals by the first criterion, in thousandths; every meeting counts once."""
    total = CRITERIA[everybody.first].value
    totals = [
        total(everybody, meeting.opponent, ()) or 0
        for each in everybody.sheets[entrant].played
        for meeting in each.meetings
    ]
    return rounded(Fraction(1000 * sum(totals), len(totals))) if totals else None


def lot(everybody: Everybody, entrant: str, group: Group) -> int | None:
    """The entrant's place, within the group, in the latest lot that was drawn among (at least) the whole group."""
    for each in reversed(everybody.lots):
        if set(group) <= set(each.order):
            return sum(other in group for other in each.order[: each.order.index(entrant)]) + 1
    return None


CRITERIA: Final[dict[str, Criterion]] = {
    "match-points": Criterion(match_points),
    "card-points": Criterion(card_points),
    "difference": Criterion(difference),
    "wins": Criterion(wins),
    "deals-won": Criterion(deals_won),
    "rounds-played": Criterion(rounds_played),
    "best-round": Criterion(best_round),
    "without-worst": Criterion(without_worst),
    "head-to-head": Criterion(head_to_head, of_group=True),
    "head-to-head-difference": Criterion(head_to_head_difference, of_group=True),
    "opponents-strength": Criterion(opponents_strength),
    "lot": Criterion(lot, more_is_better=False, of_group=True),
}


def _points(meetings: list[Meeting]) -> list[tuple[int, int]]:
    return [(meeting.own, meeting.theirs) for meeting in meetings]


def _meetings(everybody: Everybody, entrant: str, group: Group) -> list[Meeting]:
    others = set(group) - {entrant}
    return [
        meeting for each in everybody.sheets[entrant].played for meeting in each.meetings if meeting.opponent in others
    ]


def _among(everybody: Everybody, entrant: str, group: Group) -> list[Meeting] | None:
    """The entrant's meetings within the group.

    None if nobody in the group met, or, under the rule ``all-met``, if not everybody met everybody else equally often.
    """
    own = _meetings(everybody, entrant, group)
    if everybody.head_to_head == "all-met":
        if len(own) < len(group) - 1:  # most large groups end here, before every pair is looked at
            return None
        times = {
            sum(meeting.opponent == b for meeting in _meetings(everybody, a, group))
            for a in group
            for b in group
            if a != b
        }
        return own if len(times) == 1 and 0 not in times else None
    return own if any(_meetings(everybody, each, group) for each in group) else None
