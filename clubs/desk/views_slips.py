"""Paper slips typed in fast: one line for each table of a round, each saved by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponseBase
from django.views.decorators.http import require_http_methods

from clubs.desk import sheets, words
from clubs.desk.kit import Desk, about, or_404, page
from clubs.evening.refused import EveningRefused
from clubs.evening.state import CONFIRMED, DISPUTED, DRAFT, State
from clubs.tournaments import seen, wording
from clubs.tournaments.door import Doing
from clubs.tournaments.pages import Visit, at_tournament
from clubs.tournaments.refusals import Moved
from clubs.words import listed


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def slips(visit: Visit, key: str) -> HttpResponseBase:
    """The slips of one round."""
    desk = Desk(visit)
    return page(desk, "clubs/desk/slips.html", lambda: _context(desk, key), about({"slip": _slip}, key))


def _context(desk: Desk, key: str) -> Mapping[str, Any]:
    round = or_404(desk.state.round(key))
    if round.status == DRAFT:
        or_404(None)
    phase = desk.state.phases[round.phase - 1]
    shown = seen.round_seen(desk.state, round, desk.names)
    saved = desk.visit.request.GET.get("saved", "")[:6]
    rows = []
    for table in shown.tables:
        found = round.tables[table.number]
        rows.append(
            {
                "table": table,
                "mark": sheets.mark_of(found),
                "state": wording.table_state(found.state),
                "done": found.state == CONFIRMED,
                "empty": not found.lines,
                "disputed": found.state == DISPUTED,
                "fields": [(f"s{place}", listed(seat.name for seat in side)) for place, side in enumerate(table.sides)],
                "saved": str(table.number) == saved,
            }
        )
    open = [number for number, table in sorted(round.tables.items()) if not table.lines and not table.in_turn]
    after = [number for number in open if saved.isdecimal() and number > int(saved)]
    return {
        "round": shown,
        "phase_name": words.phase_name(phase),
        "rows": rows,
        "left": shown.open,
        "next": (after or open or [0])[0],
        "may_split": phase.plan.rules.wrong_sum != "recount",
    }


def _slip(desk: Desk, key: str) -> str:
    """One slip: the sums of all deals, or what stands there already is right."""
    number = desk.whole("what")
    table = f"{key}.{number}"
    found = desk.table(table)
    if desk.flag("as_written"):
        lines = sheets.as_data(found.lines)
    elif found.in_turn:
        raise Moved
    else:
        lines = sheets.read_sum(desk, found)

    def make(state: State) -> list[Doing]:
        now = state.table(table)
        if now is None or desk.text("mark") != sheets.mark_of(now):
            raise Moved
        if now.lines and not desk.flag("as_written"):
            raise EveningRefused("reason-needed", "reason")
        return [("table.settled", {"table": table, "lines": lines, "wrong": desk.flag("wrong")})]

    desk.decide(make)
    return f"{desk.url('slips', key)}?saved={number}#slip-{number}"
