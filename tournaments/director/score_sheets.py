"""A table's sheet as the desk types it in: from the fields of a form to lines, and what a change would do to the ranking."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.errors import DomainError
from domain.standings.ranking import Change, changes
from domain.tournament.events import check
from domain.tournament.payload import Plain
from domain.tournament.scoring import standing_of
from domain.tournament.state import Line, State, Table
from domain.tournament.tables import sides_of
from tournaments.director.base import Desk
from tournaments.exceptions import Refused
from tournaments.services.log import Doing

Lines = Sequence[tuple[int, Line]]


@dataclass(frozen=True, slots=True)
class Difference:
    """What something changed in the standing of one phase."""

    phase: int
    changes: tuple[Change, ...]


def mark_of(table: Table) -> str:
    """A short mark of what stands on a sheet: whoever sends a change says which sheet they saw."""
    dispute = table.dispute.lines if table.dispute else ()
    text = json.dumps([table.state, _plain(table.lines), _plain(dispute), len(table.changes), table.people])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def as_data(lines: Lines) -> list[Plain]:
    """Lines as `table.settled` wants them."""
    return [
        {"deal": deal, "scores": list(line.scores), "of": line.of, "extra": line.extra} for deal, line in sorted(lines)
    ]


def read_deals(desk: Desk, table: Table) -> list[Plain]:
    """The sheet from the fields ``d3-0``, ``d3-1`` … (deal 3, its sides), ``d3-of`` and ``d3-extra``.

    Deals that are left empty are not played. Raises Refused, naming the field.
    """
    sent = desk.visit.request.POST
    numbers = sorted({int(name[1:].partition("-")[0]) for name in sent if _is_field(name)})
    lines: list[Plain] = []
    for deal in numbers:
        fields = [f"d{deal}-{side}" for side in range(len(sides_of(table, deal)))]
        written = [bool(desk.text(field)) for field in fields]
        if not any(written):
            continue
        if not all(written):
            raise Refused("bad-count", fields[written.index(False)], expected=len(fields))
        scores: list[Plain] = [desk.whole(field) for field in fields]
        line: dict[str, Plain] = {"deal": deal, "scores": scores, "of": desk.whole(f"d{deal}-of", 1)}
        if desk.flag(f"d{deal}-extra"):
            line["extra"] = True
        lines.append(line)
    return lines


def read_sum(desk: Desk, table: Table) -> list[Plain]:
    """All deals as one sum for each side, from the fields ``s0``, ``s1`` … and ``of``. Raises Refused."""
    scores: list[Plain] = [desk.whole(f"s{side}") for side in range(len(table.sides))]
    return [{"deal": 1, "scores": scores, "of": desk.whole("of", table.deals)}]


def difference(state: State, doings: Sequence[Doing], *, at: datetime, by: str) -> tuple[Difference, ...]:
    """What these things would change, in every phase they touch. Raises Refused where they would be refused."""
    after = state
    try:
        for kind, data in doings:
            after = check(after, kind, data, at.isoformat(), by)
    except DomainError as why:
        raise Refused.of(why) from None
    return between(state, after)


def between(before: State, after: State) -> tuple[Difference, ...]:
    """What is different in the standings of two states, by phase."""
    found = []
    for phase in after.phases:
        old = before.phase(phase.number)
        if old is None:
            continue
        changed = changes(standing_of(before, old), standing_of(after, phase))
        if changed:
            found.append(Difference(phase.number, changed))
    return tuple(found)


def differences_told(differences: Sequence[Difference], desk: Desk) -> list[Mapping[str, object]]:
    """Differences with names and the criteria that changed, for a page."""
    rows: list[Mapping[str, object]] = []
    for found in differences:
        lines = []
        for change in found.changes:
            before, after = dict(change.before), dict(change.after)
            lines.append(
                {
                    "name": desk.name(change.entrant),
                    "rank_before": change.rank_before,
                    "rank_after": change.rank_after,
                    "values": [
                        (code, before.get(code), after.get(code))
                        for code in after
                        if before.get(code) != after.get(code)
                    ],
                }
            )
        rows.append({"phase": found.phase, "lines": lines})
    return rows


def _is_field(name: str) -> bool:
    deal, dash, side = name[1:].partition("-")
    return name[:1] == "d" and deal.isdecimal() and len(deal) < 4 and dash == "-" and side.isdecimal()


def _plain(lines: Lines) -> list[object]:
    return [[deal, list(line.scores), line.of, line.extra] for deal, line in lines]
