"""What every entrant has (rounds, penalties, whom they met), and the criteria that rank them: one small function for each.

A criterion gives the value of one entrant among a `group`: those who are still equal when it is asked. Most do not look
at the group. None says that it cannot tell; None for one of a group comes after any value.
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

    `kind` is played, pending (their table is not confirmed, nothing counts yet), bye, late, absent or left. `difference`
    is own points less the opponents'. `deals` and `deals_won` count deals played by the entrant. `dropped`: it does not
    count, being among the worst.
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
        """The rounds played at a table that is confirmed, counted or dropped."""
        return tuple(each for each in self.rounds if each.kind == PLAYED)


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that was drawn, or cards that were cut: the order it put these entrants in, first the luckiest.

    `label` names the drawing, `seed` is the seed in hex it came from; empty if drawn by hand in the hall.
    """

    order: tuple[str, ...]
    label: str
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Everybody:
    """All sheets, and what the house rules say about comparing them. Later lots stand before earlier ones."""

    sheets: Mapping[str, Sheet]
    first: str
    head_to_head: str
    lots: tuple[Lot, ...] = ()


def rounded(value: Fraction) -> int:
    """The nearest whole number; halves go away from zero, so that what one side gains the other loses."""
    doubled = 2 * abs(value.numerator)
    size = (doubled + value.denominator) // (2 * value.denominator)
    return size if value >= 0 else -size


def mean(values: Sequence[int]) -> int:
    """The average of at least one number, rounded."""
    return rounded(Fraction(sum(values), len(values)))


def equal_shares(amount: int, count: int, unit: int) -> tuple[tuple[int, ...], int]:
    """`amount` divided among `count`, each share a multiple of `unit`, and what is left over (less than one unit).

    Units that do not go round go one each to the first ones: 100 among three in units of 5 is 35, 35, 30.
    """
    units, left = divmod(amount, unit)
    each, more = divmod(units, count)
    return tuple((each + (place < more)) * unit for place in range(count)), left


def proportional_shares(amount: int, weights: Sequence[int], unit: int) -> tuple[tuple[int, ...], int]:
    """`amount` divided by weight in multiples of `unit`, and what is left over.

    Largest remainder first, earlier ones first among equals.
    """
    units, left = divmod(amount, unit)
    whole = sum(weights)
    shares = [units * weight // whole for weight in weights]
    rest = [units * weight % whole for weight in weights]
    for place in sorted(range(len(weights)), key=lambda each: (-rest[each], each))[: units - sum(shares)]:
        shares[place] += 1
    return tuple(share * unit for share in shares), left


Group = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """How a value is found, whether more is better, and whether it depends on who is equal."""

    value: Callable[[Everybody, str, Group], int | None]
    more_is_better: bool = True
    of_group: bool = False


def match_points(all: Everybody, who: str, group: Group) -> int:
    """Match points of the rounds that count, less penalties."""
    sheet = all.sheets[who]
    return sum(each.match for each in sheet.kept) - sheet.penalty_match


def card_points(all: Everybody, who: str, group: Group) -> int:
    """Points of the rounds that count, less penalties."""
    sheet = all.sheets[who]
    return sum(each.points for each in sheet.kept) - sheet.penalty_points


def difference(all: Everybody, who: str, group: Group) -> int:
    """Own points less the opponents' in the rounds that count. Penalties do not touch it."""
    return sum(each.difference for each in all.sheets[who].kept)


def wins(all: Everybody, who: str, group: Group) -> int:
    return sum(each.won for each in all.sheets[who].kept)


def deals_won(all: Everybody, who: str, group: Group) -> int:
    """Deals in which the entrant's side had more than every other, in rounds that count."""
    return sum(each.deals_won for each in all.sheets[who].kept)


def rounds_played(all: Everybody, who: str, group: Group) -> int:
    """Rounds played at a table, counted or dropped."""
    return len(all.sheets[who].played)


def best_round(all: Everybody, who: str, group: Group) -> int | None:
    return max((each.points for each in all.sheets[who].played), default=None)


def without_worst(all: Everybody, who: str, group: Group) -> int:
    """Card points without the worst round played of those that count; with one round it stays."""
    points = [each.points for each in all.sheets[who].kept if each.kind == "played"]
    return card_points(all, who, group) - (min(points) if len(points) > 1 else 0)


def head_to_head(all: Everybody, who: str, group: Group) -> int | None:
    """Meetings won less meetings lost against those who are equal, whoever had more points at the table."""
    meetings = _among(all, who, group)
    return None if meetings is None else sum((own > theirs) - (own < theirs) for own, theirs in _points(meetings))


def head_to_head_difference(all: Everybody, who: str, group: Group) -> int | None:
    """Points less the opponents' in the meetings of those who are equal."""
    meetings = _among(all, who, group)
    return None if meetings is None else sum(own - theirs for own, theirs in _points(meetings))


def opponents_strength(all: Everybody, who: str, group: Group) -> int | None:
    """Average of the opponents' own totals (of the first criterion), in thousandths, one entry for every meeting."""
    total = CRITERIA[all.first].value
    totals = [total(all, meeting.opponent, ()) or 0 for each in all.sheets[who].played for meeting in each.meetings]
    return rounded(Fraction(1000 * sum(totals), len(totals))) if totals else None


def lot(all: Everybody, who: str, group: Group) -> int | None:
    """The place in the latest lot that was drawn among (at least) all who are equal."""
    for each in reversed(all.lots):
        if set(group) <= set(each.order):
            return sum(other in group for other in each.order[: each.order.index(who)]) + 1
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


def _meetings(all: Everybody, who: str, group: Group) -> list[Meeting]:
    others = set(group) - {who}
    return [meeting for each in all.sheets[who].played for meeting in each.meetings if meeting.opponent in others]


def _among(all: Everybody, who: str, group: Group) -> list[Meeting] | None:
    """The meetings within the group. None if nobody there met, or (rule ``all-met``) not all met all, equally often."""
    own = _meetings(all, who, group)
    if all.head_to_head == "all-met":
        if len(own) < len(group) - 1:  # most large groups end here, before every pair is looked at
            return None
        times = {
            sum(meeting.opponent == b for meeting in _meetings(all, a, group)) for a in group for b in group if a != b
        }
        return own if len(times) == 1 and 0 not in times else None
    return own if any(_meetings(all, each, group) for each in group) else None
