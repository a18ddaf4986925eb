"""The rank list with the value of every criterion, the reason for an order, and the changes made by a correction.

Lots are drawn from the seed of the tournament, so that anybody can draw them again, or by hand and written down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from domain.errors import refuse_if
from domain.seating.chance import Chance
from domain.standings.criteria import BYE, CRITERIA, PENDING, PLAYED, Everybody, Group, Lot, Sheet
from domain.standings.results import Evening
from domain.standings.rounds import Open, sheets

RANKED: Final = "ranked"
AFTER: Final = "after"
OUT: Final = "out"

Values = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list.

    `rank` is 0 if the entrant is not ranked. If several share a rank (`shared`), the ranks after it are skipped.
    `status` is ranked, after (behind everybody who stayed) or out (listed without a rank). `values` has every criterion
    of the house rules in order. Criteria of a group (head to head, lot) are computed among the entrants who were equal
    up to there, and are None if they cannot decide.
    """

    rank: int
    entrant: str
    status: str
    shared: bool
    values: Values
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class Standings:
    """The whole list. `complete`: every round has been played.

    `open` are the tables that do not count yet, `lots_needed` the groups that only a lot can put in order.
    """

    rows: tuple[Row, ...]
    complete: bool
    open: tuple[Open, ...]
    lots_needed: tuple[tuple[str, ...], ...]

    @property
    def final(self) -> bool:
        """Whether every round has been played, every table counts, and no lot is missing."""
        return self.complete and not self.open and not self.lots_needed

    def row(self, entrant: str) -> Row:
        """The line of one entrant. Raises DomainError if there is none."""
        rows = [each for each in self.rows if each.entrant == entrant]
        refuse_if(not rows, "unknown-id", "entrant", id=entrant)
        return rows[0]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one entrant is before another: the first criterion that differs, with both values.

    `criterion` is ``status`` if one of them left early or played too few rounds. It is ``shared`` if nothing differs:
    then they share the rank, and `before` comes first only because of its id.
    """

    before: str
    behind: str
    criterion: str
    value: int | None
    other: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction changed for one entrant: rank and values before and after.

    Rank 0: not ranked or not in the list.
    """

    entrant: str
    rank_before: int
    rank_after: int
    before: Values
    after: Values


def rank(evening: Evening) -> Standings:
    """The standings of an evening, from confirmed tables only.

    Each criterion of the house rules decides among the entrants who are equal in all criteria before it. Nobody has a
    rank before the first table counts. Entrants of the house are not in the list. The result does not depend on the
    order in which anything but lots is given.
    """
    rules = evening.rules
    by_entrant, waiting = sheets(evening)
    counts = not waiting or any(each.kind == PLAYED for sheet in by_entrant.values() for each in sheet.rounds)
    begun = bool(evening.rounds) and counts
    everybody = Everybody(by_entrant, rules.tie_breaks[0], rules.head_to_head, evening.lots)
    by_status: dict[str, list[str]] = defaultdict(list)
    for each in evening.entrants:
        if not each.house:
            by_status[_status(each.last, by_entrant[each.id], evening)].append(each.id)
    rows: list[Row] = []
    lots_needed: list[Group] = []
    for status in (RANKED, AFTER, OUT):
        for group, values in _ranked_groups(tuple(by_status[status]), everybody, rules.tie_breaks, 0):
            place = len(rows) + 1 if begun and status != OUT else 0
            if len(group) > 1 and place and "lot" in rules.tie_breaks:
                lots_needed.append(group)
            shared = len(group) > 1 and place > 0
            rows += [Row(place, who, status, shared, values[who], by_entrant[who]) for who in group]
    complete = {each.number for each in evening.rounds} == set(range(1, rules.rounds + 1))
    return Standings(tuple(rows), complete, waiting, tuple(lots_needed))


def why(standings: Standings, one: str, other: str) -> Reason:
    """The criterion that puts one of two entrants before the other. Raises DomainError if one is not in the list."""
    rows = [row for row in standings.rows if row.entrant in (one, other)]
    refuse_if(len(rows) != 2, "unknown-id" if one != other else "twice", "entrant", id=other)
    before, behind = rows
    if before.status != behind.status:
        return Reason(before.entrant, behind.entrant, "status", None, None)
    for (criterion, value), (_, other_value) in zip(before.values, behind.values, strict=True):
        if value != other_value:
            return Reason(before.entrant, behind.entrant, criterion, value, other_value)
    return Reason(before.entrant, behind.entrant, "shared", None, None)


def changes(before: Standings, after: Standings) -> tuple[Change, ...]:
    """A change for everybody whose rank or values a correction changed, in the order of the new list."""
    old = {row.entrant: row for row in before.rows}
    new = {row.entrant: row for row in after.rows}
    changed: list[Change] = []
    for who in [*new, *(each for each in old if each not in new)]:
        a, b = old.get(who), new.get(who)
        change = Change(who, a.rank if a else 0, b.rank if b else 0, a.values if a else (), b.values if b else ())
        if (change.rank_before, change.before) != (change.rank_after, change.after):
            changed.append(change)
    return tuple(changed)


def _status(last: int, sheet: Sheet, evening: Evening) -> str:
    rules = evening.rules
    played = sum(each.kind in (PLAYED, PENDING, BYE) for each in sheet.rounds)
    to_come = rules.rounds - len(evening.rounds)
    if last:
        if rules.leavers != RANKED:
            return rules.leavers
        to_come = max(0, min(to_come, last - len(evening.rounds)))
    return OUT if played + to_come < rules.fewest_rounds else RANKED


def _ranked_groups(
    group: Group, everybody: Everybody, criteria: tuple[str, ...], level: int
) -> list[tuple[Group, dict[str, Values]]]:
    """The group split by `criteria[level:]` into groups of equals, best first, each with the values of its entrants.

    Entrants who are equal in all criteria stay together, in order of their ids.
    """
    if not group:
        return []
    if level == len(criteria):
        return [(tuple(sorted(group)), dict.fromkeys(group, ()))]
    name = criteria[level]
    criterion = CRITERIA[name]
    applies = len(group) > 1 or not criterion.of_group
    by_value: dict[int | None, list[str]] = defaultdict(list)
    for entrant in group:
        by_value[criterion.value(everybody, entrant, group) if applies else None].append(entrant)
    sign = -1 if criterion.more_is_better else 1
    ranked: list[tuple[Group, dict[str, Values]]] = []
    for value in sorted(by_value, key=lambda value: (value is None, sign * (value or 0))):
        for equals, values in _ranked_groups(tuple(by_value[value]), everybody, criteria, level + 1):
            ranked.append((equals, {entrant: ((name, value), *values[entrant]) for entrant in equals}))
    return ranked


def draw(group: Iterable[str], seed: bytes, label: str) -> Lot:
    """A lot among the group, from a seed of 32 bytes and a label that is used once (``evening 12, after round 5``).

    The ids, sorted by code points, are shuffled by `domain.seating.chance` with the label ``lot|LABEL``.
    Raises DomainError for a group of fewer than two or with an id twice, and for a bad seed.
    """
    ids = sorted(group)
    refuse_if(len(ids) < 2, "too-few", "group", low=2)
    refuse_if(len(set(ids)) != len(ids), "twice", "group")
    return Lot(tuple(Chance(seed, f"lot|{label}").shuffled(ids)), label, seed.hex())


def is_true(lot: Lot) -> bool:
    """Whether a lot is the one that its seed gives. False for a lot drawn by hand, which cannot be checked."""
    try:
        return bool(lot.seed) and draw(lot.order, bytes.fromhex(lot.seed), lot.label) == lot
    except ValueError:
        return False
