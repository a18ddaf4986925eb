"""The pages of tables: a sheet, a dispute, a correction, a substitute; and paper slips typed in, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponseBase
from django.utils import timezone

from clubs.models import Member
from clubs.services import members
from clubs.services.members import MemberSearch, clean_name
from core.exceptions import Refusal
from core.http import search_text, whole_number
from core.sursilvan import in_a_row
from domain.errors import DomainError
from domain.tournament.finishing import drawn_tables, last_tables
from domain.tournament.payload import Plain
from domain.tournament.state import CLOSED, CONFIRMED, DISPUTED, DRAFT, HANDED_IN, OUT, PLAYING, Line, State, Table
from games.text.figures import with_minus
from tournaments import read_models, text
from tournaments.director import log_text, online, selectors
from tournaments.director import services as director_services
from tournaments.director.base import Action, Desk, director_page, event_action, or_404
from tournaments.director.log_text import Teller
from tournaments.exceptions import Moved, Refused
from tournaments.models import TournamentEvent
from tournaments.registration import services
from tournaments.registration.selectors import substitutes_of
from tournaments.services.log import NewEvent

MOST_FOUND: Final = 20


class BadName(Refusal):
    """An invalid name. `field` is the field it was written in."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__("bad-name", why)
        self.field = field


def _context(desk: Desk, key: str) -> Mapping[str, Any]:
    """What the page of a table shows. Raises Http404 for a table that does not exist or is not published.

    The query says more: `deals` asks for an empty sheet to type the deals in again, `changed` is the number of the
    event whose effects are shown, and `find` looks for people of the club's list.
    """
    state = desk.state
    table, round = or_404(state.table(key)), or_404(state.round(key.rpartition(".")[0]))
    if round.status == DRAFT:
        raise Http404
    phase = state.phases[round.phase - 1]
    duplicate = phase.plan.online is not None and phase.plan.online.duplicate
    shown = read_models.table_seen(state, phase, round, table, desk.names)
    last = last_tables(state, phase, round)
    retype = "deals" in desk.request.GET
    teller = Teller(state, desk.names)
    rows = TournamentEvent.objects.filter(tournament=desk.tournament, data__table=key).select_related("player")
    number = whole_number(desk.request.GET.get("changed", ""), 7) or 0
    differences = selectors.differences(desk.tournament, {number} if 0 < number <= state.number else ())
    find = search_text(desk.request)
    return {
        "phase": phase,
        "phase_name": text.phase_name(phase),
        "round": round,
        "table": shown,
        "substitutes": [
            note
            for id in (table.seats if round.status == OUT else ())
            for note in substitutes_of(state, state.entrants[id], desk.names)
        ],
        "mark": director_services.mark_of(table),
        "table_state": text.table_state(table.state),
        "sheet": _sheet(
            read_models.table_seen(state, phase, round, replace(table, lines=()), desk.names) if retype else shown
        ),
        "extra": len(shown.sheet) + 1 if phase.plan.extra_deal and not table.in_turn else 0,
        "summed": any(line.of > 1 for _, line in table.lines),
        "sum_fields": [] if table.in_turn or duplicate else _sum_fields(shown),
        "played": table.played or table.deals,
        "needs_reason": bool(table.lines) or table.state == DISPUTED,
        "counts": table.state == CONFIRMED,
        "handed_in": table.state == HANDED_IN,
        "disputed": _versions(shown, table) if table.state == DISPUTED else None,
        "may_accept": table.state in (HANDED_IN, PLAYING) and bool(table.lines) and round.status == OUT,
        "may_reopen": table.state != PLAYING and round.status == OUT and not phase.plan.online,
        "may_split": phase.plan.rules.wrong_sum != "recount",
        "closed": round.status == CLOSED,
        "stage": text.last_table(last[table.number]) if table.number in last else "",
        "drawn": key in drawn_tables(state, phase),
        "problems": _problems(shown),
        "changes": _changes(shown),
        "log": [(row.at, teller.told(row), teller.by(row)) for row in rows.order_by("-number")[:200]],
        "changed": director_services.differences_for_page(differences.get(number, ()), desk) if number else None,
        "find": find,
        "found": members.members_list(desk.tournament.club, MemberSearch(name=find))[:MOST_FOUND] if find else (),
        **online.table_context(desk, phase, round, table),
    }


def _sheet(shown: read_models.TableSeen) -> list[dict[str, Any]]:
    """The rows of the form: each deal with its fields, filled in from the sheet."""
    return [
        {
            "number": deal.number,
            "dealer": deal.dealer,
            "looks_on": deal.looks_on,
            "of": deal.line.of if deal.line else 1,
            "extra": bool(deal.line and deal.line.extra),
            "cells": [
                {
                    "field": f"d{deal.number}-{side}",
                    "who": in_a_row(names),
                    "value": deal.line.scores[side] if deal.line else "",
                }
                for side, names in enumerate(deal.sides)
            ],
        }
        for deal in shown.sheet
    ]


def _sum_fields(shown: read_models.TableSeen) -> list[tuple[str, str, int]]:
    """The fields of the form for the sums of all deals: for each side its field, its people and its sum so far."""
    return [
        (f"s{place}", in_a_row(seat.short for seat in side), total)
        for place, (side, total) in enumerate(zip(shown.sides, shown.sums, strict=True))
    ]


def _problems(shown: read_models.TableSeen) -> list[str]:
    return [
        log_text.problem(each.code, {"deal": each.deal, "found": each.found, "expected": each.expected})
        for each in shown.problems
    ]


def _changes(shown: read_models.TableSeen) -> list[dict[str, Any]]:
    """The director's changes of the sheet, the last one first."""
    return [
        {
            "at": each.at,
            "kind": text.change_kind(each.kind),
            "reason": each.reason,
            "before": [(deal, _scores(line)) for deal, line in each.before],
        }
        for each in reversed(shown.changes)
    ]


def _versions(shown: read_models.TableSeen, table: Table) -> dict[str, Any]:
    """Both versions of a disputed sheet side by side."""
    assert table.dispute is not None
    written, other = table.sheet, dict(table.dispute.lines)
    rows = []
    for deal in sorted({*written, *other}):
        one, two = written.get(deal), other.get(deal)
        same = one is not None and two is not None and (one.scores, one.of) == (two.scores, two.of)
        rows.append({"deal": deal, "one": _scores(one), "two": _scores(two), "same": same})
    return {
        "rows": rows,
        "writer": shown.seats[table.handed_in_by].name if table.handed_in_by >= 0 else "",
        "other": shown.seats[table.dispute.place].name,
        "note": table.dispute.note,
    }


def _scores(line: Line | None) -> str:
    return " : ".join(map(with_minus, line.scores)) if line else "–"


# what is done


def _settle(desk: Desk, key: str) -> str | HttpResponseBase:
    """Settle the sheet as typed in. If the table counted already, show the difference first."""
    table = desk.table(key)
    lines = (
        director_services.read_sum(desk, table)
        if desk.text("mode") == "sum"
        else director_services.read_deals(desk, table)
    )
    doing: NewEvent = (
        "table.settled",
        {"table": key, "lines": lines, "reason": desk.text("reason"), "wrong": desk.flag("wrong")},
    )
    if table.state == CONFIRMED and not desk.flag("agreed"):
        _check_mark(desk, table)
        changes = director_services.difference(desk.state, [doing], at=timezone.now(), by=desk.director.name)
        again = {name: desk.text(name) for name in desk.request.POST if name not in _NOT_AGAIN}
        preview = {"preview": director_services.differences_for_page(changes, desk), "again": again, "previewing": True}
        typed = {"typed": desk.request.POST, "refused_do": "settle", "refused_what": desk.text("what")}
        return desk.page("tournaments/director/table.html", {**_context(desk, key), **preview, **typed})
    return _done(desk, key, doing)


_NOT_AGAIN: Final = frozenset({"csrfmiddlewaretoken", "request_id", "do", "what"})


def _choose(desk: Desk, key: str) -> str | HttpResponseBase:
    """Settle a disputed sheet by choosing one of the two versions."""
    table = desk.table(key)
    if table.dispute is None:
        raise Refused("not-handed-in", "table")
    chosen = table.dispute.lines if desk.text("version") == "other" else table.lines
    lines = director_services.lines_as_data(chosen)
    settled: dict[str, Plain] = {
        "table": key,
        "lines": lines,
        "reason": desk.text("reason"),
        "wrong": desk.flag("wrong"),
    }
    return _done(desk, key, ("table.settled", settled))


def _accept(desk: Desk, key: str) -> str | HttpResponseBase:
    """Settle the sheet as it is: the director has seen the slip."""
    lines = director_services.lines_as_data(desk.table(key).lines)
    return _done(desk, key, ("table.settled", {"table": key, "lines": lines, "wrong": True}))


def _done(desk: Desk, key: str, doing: NewEvent) -> str:
    """Write the event if the sheet is still as the director saw it.

    Returns the address of the page with what changed.
    """

    def make(state: State) -> list[NewEvent]:
        _check_mark(desk, state.table(key))
        return [doing]

    had_counted = desk.table(key).state == CONFIRMED
    receipt = desk.decide(make)
    where = desk.url("table", key)
    return f"{where}?changed={receipt.events[-1].number}" if had_counted or desk.text("reason") else where


def _check_mark(desk: Desk, table: Table | None) -> None:
    if table is None or desk.text("mark") != director_services.mark_of(table):
        raise Moved


def _substitute(desk: Desk, key: str) -> str:
    """Let somebody of the club's list, or a new guest, play for the person at a place."""
    table = desk.table(key)
    place = desk.whole("place")
    if not 0 <= place < len(table.people):
        raise Refused("not-at-the-table", "place")
    owner, new = table.owners[place], desk.text("new")
    old, _since = desk.state.entrants[owner].playing_for(table.people[place])
    if not new:
        first, last = _name(desk, "first_name"), _name(desk, "last_name")
        services.substitute_guest(
            desk.tournament, owner, old, first, last, by=desk.director, request_id=desk.request_id
        )
    elif not Member.objects.filter(club=desk.tournament.club, public_id=new).exists():
        raise Refused("unknown-entrant", "new")
    else:
        desk.decide(lambda state: services.substituting(state, owner, old, new))
    return desk.url("table", key)


def _name(desk: Desk, field: str) -> str:
    try:
        return clean_name(desk.text(field))
    except ValidationError as error:
        raise BadName(field, error.messages[0]) from None


_ACTIONS: Mapping[str, Action] = {
    "settle": _settle,
    "choose": _choose,
    "accept": _accept,
    "reopen": event_action("table.reopened", "table", "reason"),
    "renew": event_action("key.renewed", "table"),
    "note": event_action("table.noted", "table", "note"),
    "substitute": _substitute,
    **online.ON_A_TABLE,
}
table = director_page("table", _context, _ACTIONS)


def _slips_context(desk: Desk, key: str) -> Mapping[str, Any]:
    round = or_404(desk.state.round(key))
    if round.status == DRAFT:
        raise Http404
    phase = desk.state.phases[round.phase - 1]
    shown = read_models.round_seen(desk.state, round, desk.names)
    saved = desk.request.GET.get("saved", "")[:6]
    rows = []
    for table in shown.tables:
        found = round.tables[table.number]
        rows.append(
            {
                "table": table,
                "mark": director_services.mark_of(found),
                "state": text.table_state(found.state),
                "done": found.state == CONFIRMED,
                "empty": not found.lines,
                "disputed": found.state == DISPUTED,
                "fields": [
                    (f"s{place}", in_a_row(seat.name for seat in side)) for place, side in enumerate(table.sides)
                ],
                "saved": str(table.number) == saved,
            }
        )
    open = [number for number, table in sorted(round.tables.items()) if not table.lines and not table.in_turn]
    after = [number for number in open if saved.isdecimal() and number > int(saved)]
    return {
        "round": shown,
        "phase_name": text.phase_name(phase),
        "rows": rows,
        "drawn": [
            (each, each.rpartition(".")[2]) for each in drawn_tables(desk.state, phase) if each.startswith(f"{key}.")
        ],
        "left": shown.open,
        "next": (after or open or [0])[0],
        "may_split": phase.plan.rules.wrong_sum != "recount",
        "keeps_queue": True,
    }


def _slip(desk: Desk, key: str) -> str:
    """Settle a table from its slip: by the sums of all deals, or as the sheet already is."""
    number = desk.whole("what")
    table = f"{key}.{number}"
    found = desk.table(table)
    if desk.flag("as_written"):
        lines = director_services.lines_as_data(found.lines)
    elif found.in_turn:
        raise Moved
    else:
        lines = director_services.read_sum(desk, found, from_slip=True)

    def make(state: State) -> list[NewEvent]:
        now = state.table(table)
        if now is None or desk.text("mark") != director_services.mark_of(now):
            raise Moved
        if now.lines and not desk.flag("as_written"):
            raise DomainError("reason-needed", "reason")
        return [("table.settled", {"table": table, "lines": lines, "wrong": desk.flag("wrong")})]

    desk.decide(make)
    # No fragment: with one, browsers do not put the cursor into the next slip.
    return f"{desk.url('slips', key)}?saved={number}"


slips = director_page("slips", _slips_context, {"slip": _slip})
