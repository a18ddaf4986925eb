"""The rank list, with the value of every criterion; why one stands before another; what a correction changed.

Lots: drawn from the seed of the tournament so that anybody can draw them again, or by hand and written down.
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
    """A line of the list. `rank` is shared with `shared` set, and the next rank leaves as many free; 0 if not ranked.

    `status` is ranked, after (behind all who stayed) or out (listed without a rank). `values` has every criterion of the
    house rules in order: those of a group (head to head, lot) among who was equal when they were asked, None where
    they say nothing.
    """

    rank: int
    entrant: str
    status: str
    shared: bool
    values: Values
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class Standings:
    """The whole list. `final` once every round was played, every table counts, and no lot is missing.

    `open` are the tables that do not count yet, `lots_needed` the groups that only a lot can still order.
    """

    rows: tuple[Row, ...]
    final: bool
    open: tuple[Open, ...]
    lots_needed: tuple[tuple[str, ...], ...]

    def row(self, entrant: str) -> Row:
        """The line of one entrant. Raises DomainError if there is none."""
        found = [each for each in self.rows if each.entrant == entrant]
        refuse_if(not found, "unknown-id", "entrant", id=entrant)
        return found[0]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one stands before another: the first criterion that differs, with both values.

    `criterion` is ``status`` if one left early or played too little, and ``shared`` if nothing differs: then they share
    the rank, and `before` comes first only by id.
    """

    before: str
    behind: str
    criterion: str
    value: int | None
    other: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction did to one entrant: rank and values before and after. Rank 0: not ranked, or not in the list."""

    entrant: str
    rank_before: int
    rank_after: int
    before: Values
    after: Values


def rank(evening: Evening) -> Standings:
    """The standing of an evening, from confirmed tables only.

    Equal in one criterion, the next one of the house rules decides, each time among those still equal. Before the first
    table counts nobody has a rank. Whoever is of the house is not in the list. The result does not depend on the order in which anything but lots is given.
    """
    rules = evening.rules
    found, waiting = sheets(evening)
    counts = not waiting or any(each.kind == PLAYED for sheet in found.values() for each in sheet.rounds)
    begun = bool(evening.rounds) and counts
    everybody = Everybody(found, rules.tie_breaks[0], rules.head_to_head, evening.lots)
    by_status: dict[str, list[str]] = defaultdict(list)
    for each in evening.entrants:
        if not each.house:
            by_status[_status(each.last, found[each.id], evening)].append(each.id)
    rows: list[Row] = []
    missing: list[Group] = []
    for status in (RANKED, AFTER, OUT):
        for group, values in _order(tuple(by_status[status]), everybody, rules.tie_breaks, 0):
            place = len(rows) + 1 if begun and status != OUT else 0
            if len(group) > 1 and place and "lot" in rules.tie_breaks:
                missing.append(group)
            rows += [Row(place, who, status, len(group) > 1 and place > 0, values[who], found[who]) for who in group]
    complete = {each.number for each in evening.rounds} == set(range(1, rules.rounds + 1))
    final = complete and not waiting and not missing
    return Standings(tuple(rows), final, waiting, tuple(missing))


def why(standings: Standings, one: str, other: str) -> Reason:
    """The criterion that puts one of two before the other. Raises DomainError if one is not in the list."""
    rows = [row for row in standings.rows if row.entrant in (one, other)]
    refuse_if(len(rows) != 2, "unknown-id" if one != other else "twice", "entrant", id=other)
    before, behind = rows
    if before.status != behind.status:
        return Reason(before.entrant, behind.entrant, "status", None, None)
    for (criterion, value), (_, second) in zip(before.values, behind.values, strict=True):
        if value != second:
            return Reason(before.entrant, behind.entrant, criterion, value, second)
    return Reason(before.entrant, behind.entrant, "shared", None, None)


def changes(before: Standings, after: Standings) -> tuple[Change, ...]:
    """Everybody for whom a correction changed the rank or a value, in the order of the new list."""
    old = {row.entrant: row for row in before.rows}
    new = {row.entrant: row for row in after.rows}
    found: list[Change] = []
    for who in [*new, *(each for each in old if each not in new)]:
        a, b = old.get(who), new.get(who)
        change = Change(who, a.rank if a else 0, b.rank if b else 0, a.values if a else (), b.values if b else ())
        if (change.rank_before, change.before) != (change.rank_after, change.after):
            found.append(change)
    return tuple(found)


def _status(last: int, sheet: Sheet, evening: Evening) -> str:
    rules = evening.rules
    played = sum(each.kind in (PLAYED, PENDING, BYE) for each in sheet.rounds)
    to_come = rules.rounds - len(evening.rounds)
    if last:
        if rules.leavers != RANKED:
            return rules.leavers
        to_come = max(0, min(to_come, last - len(evening.rounds)))
    return OUT if played + to_come < rules.fewest_rounds else RANKED


def _order(group: Group, all: Everybody, names: tuple[str, ...], at: int) -> list[tuple[Group, dict[str, Values]]]:
    """The group in order: those who stay equal together, by id, and the values of each."""
    if not group:
        return []
    if at == len(names):
        return [(tuple(sorted(group)), dict.fromkeys(group, ()))]
    criterion = CRITERIA[names[at]]
    asked = len(group) > 1 or not criterion.of_group
    values = {who: criterion.value(all, who, group) if asked else None for who in group}
    equal: dict[int | None, list[str]] = defaultdict(list)
    for who in group:
        equal[values[who]].append(who)
    sign = -1 if criterion.more_is_better else 1
    ordered: list[tuple[Group, dict[str, Values]]] = []
    for value in sorted(equal, key=lambda value: (value is None, sign * (value or 0))):
        for smaller, rest in _order(tuple(equal[value]), all, names, at + 1):
            ordered.append((smaller, {who: ((names[at], value), *rest[who]) for who in smaller}))
    return ordered


def draw(group: Iterable[str], seed: bytes, label: str) -> Lot:
    """A lot among the group, from a seed of 32 bytes and a label used once (``evening 12, after round 5``).

    The ids in order of their code points are shuffled as `domain.seating.chance` says, with the label ``lot|LABEL``.
    Raises DomainError for a group of fewer than two or with an id twice, and for a bad seed.
    """
    ids = sorted(group)
    refuse_if(len(ids) < 2, "too-few", "group", low=2)
    refuse_if(len(set(ids)) != len(ids), "twice", "group")
    return Lot(tuple(Chance(seed, f"lot|{label}").shuffled(ids)), label, seed.hex())


def is_true(lot: Lot) -> bool:
    """Whether a lot is what its seed gives. Of one drawn by hand nothing can be said: False."""
    try:
        return bool(lot.seed) and draw(lot.order, bytes.fromhex(lot.seed), lot.label) == lot
    except ValueError:
        return False
