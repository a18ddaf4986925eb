"""The table on a phone: each view finds the side that the code is for, lets it act, and shows the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from clubs.text import game_name
from core.exceptions import Refusal
from domain.tournament.finishing import knocked_out, rounds_of
from domain.tournament.state import CONFIRMED, DISPUTED, HANDED_IN, PLAYING
from tournaments import text
from tournaments.live import base, services
from tournaments.live.base import Hall, WrongCode, in_the_hall
from tournaments.live.persons import next_seats
from tournaments.live.selectors import SheetSeen, ranks, sheet_seen
from tournaments.live.services import Phone, phone_of
from tournaments.read_models import Names, clock_seen, table_seen

Act = Callable[[Hall, Phone, Mapping[str, str]], None]


@require_GET
@in_the_hall
def table(hall: Hall, code: str) -> HttpResponseBase:
    """The sheet of the table, for the side the code belongs to; `deal` chooses the deal that is written."""
    phone = _phone(hall, code)
    return hall.page("tournaments/live/table.html", context(hall, phone))


@require_GET
@in_the_hall
def table_since(hall: Hall, code: str) -> HttpResponseBase:
    """The content of the sheet's page if it has changed since `mark`, else 204."""
    phone = _phone(hall, code)
    if hall.request.GET.get("mark") == mark(hall, phone):
        return base.unchanged(hall)
    return hall.page("tournaments/live/_table.html", context(hall, phone))


def _phone(hall: Hall, code: str) -> Phone:
    """The phone that a code stands for. Raises WrongCode."""
    phone = phone_of(hall.tournament, hall.state, code)
    if phone is None:
        raise WrongCode("table")
    return phone


def _acting(act: Act) -> Callable[..., HttpResponseBase]:
    @csrf_exempt  # the code in the address is the right to write; see `tournaments.live.base`
    @require_POST
    @in_the_hall
    def view(hall: Hall, code: str) -> HttpResponseBase:
        phone = _phone(hall, code)
        try:
            hall.limit_writing(code)
            act(hall, phone, hall.request.POST.dict())
        except Refusal as refusal:
            return _refused(hall, code, refusal)
        return base.done_response(hall, hall.url("phone", code))

    view.__doc__ = act.__doc__
    return view


write = _acting(services.write)
erase = _acting(services.erase)
hand_in = _acting(services.hand_in)
take_back = _acting(services.take_back)
confirm = _acting(services.confirm)
confirm_by_digits = _acting(services.confirm_by_digits)
dispute = _acting(services.dispute)


def _refused(hall: Hall, code: str, refusal: Refusal) -> HttpResponseBase:
    """The current sheet with the reason for a refusal, and with what was typed, to be corrected."""
    hall.read_again()
    phone = _phone(hall, code)
    if hall.scripted:
        return base.refused_response(refusal, number=hall.state.number)
    more = {
        "refusal": str(refusal.message),
        "refusal_code": refusal.code,
        "refused_do": hall.request.path.rstrip("/").rpartition("/")[2],
        "note": hall.request.POST.get("note", ""),
    }
    return hall.page("tournaments/live/table.html", context(hall, phone) | more, status=refusal.status)


def mark(hall: Hall, phone: Phone) -> str:
    """The fingerprint of what the page shows: the table and its round and, once it counts, the ranks and next seats."""
    after: tuple[object, ...] = ()
    if phone.table.state == CONFIRMED:
        ranking = ranks(hall.tournament.public_id, hall.state)
        own = tuple((ranking.of[id].rank, ranking.of[id].shared) for id in phone.entrants if id in ranking.of)
        after = (own, ranking.final, next_seats(hall.state, phone.people, after=phone.round))
    return base.mark_of(phone.table, phone.round.status, phone.round.clock, hall.state.closed, after)


def context(hall: Hall, phone: Phone) -> dict[str, Any]:
    names = Names(hall.tournament, "hall", more=phone.table.people)
    seen = table_seen(hall.state, phone.phase, phone.round, phone.table, names)
    sheet = sheet_seen(phone.phase, phone.table, seen, phone.place)
    data: Mapping[str, str] = (hall.request.POST if hall.request.method == "POST" else hall.request.GET).dict()
    values: dict[str, Any] = {
        "phone": phone,
        "rounds": rounds_of(hall.state, phone.phase),
        "code": phone.code,
        "table": seen,
        "sheet": sheet,
        "mark": mark(hall, phone),
        "own": next(side for side in sheet.sides if side.own),
        "clock": clock_seen(phone.round),
        "game": game_name(phone.table.ruleset) if phone.table.ruleset != phone.phase.plan.rules.ruleset else "",
        "confirms": phone.phase.plan.confirm,
        "writes": phone.may_write and phone.table.state == PLAYING,
        "whole": phone.table.played >= phone.table.deals,
        "waits": phone.may_write and phone.table.state == HANDED_IN,
        "disputed": phone.table.state == DISPUTED,
        "counts": phone.table.state == CONFIRMED,
        "state_words": text.table_state(phone.table.state),
        "deal": _deal(sheet, data),
        "otherwise": _otherwise(sheet, phone, data),
        "changes": [(text.change_kind(change.kind), change.reason) for change in phone.table.changes],
        "live": {"socket": f"/ws/e/{hall.tournament.public_id}/", "since": hall.url("phone-since", phone.code)},
    }
    if phone.table.dispute is not None:
        values["versions"] = _versions(phone)
        values["dispute_by"] = seen.seats[phone.table.dispute.place].short
        values["dispute_own"] = phone.table.dispute.place in phone.places
    if values["counts"]:
        ranking = ranks(hall.tournament.public_id, hall.state)
        own_ranks = [(id, ranking.of[id]) for id in phone.entrants if id in ranking.of]
        values["ranks"] = [
            {"name": names.entrant(hall.state.entrants[id]), "rank": rank.rank, "shared": rank.shared}
            for id, rank in own_ranks
            if rank.rank
        ]
        values["ranking_final"] = ranking.final
        values["plays_on"] = phone.round.number < phone.phase.plan.rules.rounds and not (
            set(phone.entrants) <= knocked_out(hall.state, phone.phase)
        )
        values["next"] = [
            {"name": names.person(seat.person), "round": seat.round, "table": seat.table, "phase": seat.phase_name}
            for seat in next_seats(hall.state, phone.people, after=phone.round)
        ]
    return values


def _deal(sheet: SheetSeen, data: Mapping[str, str]) -> dict[str, Any] | None:
    """The deal that the form writes: the chosen one, else the first that is not written, else an extra one."""
    chosen = data.get("deal", "")
    row = next((row for row in sheet.rows if str(row.number) == chosen), None)
    if row is None and sheet.next:
        row = next(row for row in sheet.rows if row.number == sheet.next)
    done = row is None and not sheet.may_extra
    if done and not sheet.rows:
        return None
    if done:
        row = sheet.rows[-1]
    parts = row.parts if row else sheet.rows[-1].parts
    return {
        # Everything is written: the form is only for deals that somebody chooses to change.
        "hidden": done,
        "row": row,
        "number": row.number if row else sheet.rows[-1].number + 1,
        "extra": row.extra if row else True,
        "seen": row.seen if row else "",
        "fields": [
            {
                "name": f"s{index}",
                "label": part.label,
                "mark": part.mark,
                "own": part.own,
                "value": data.get(f"s{index}", _text(part.score if row else None)),
            }
            for index, part in enumerate(parts)
        ],
    }


def _otherwise(sheet: SheetSeen, phone: Phone, data: Mapping[str, str]) -> list[dict[str, Any]]:
    """The form in which a side gives its own version: every written deal, as on the sheet or in its earlier dispute."""
    dispute = phone.table.dispute
    own_lines = dict(dispute.lines) if dispute is not None and dispute.place in phone.places else {}
    return [
        {
            "number": row.number,
            "extra": row.extra,
            "of": own_lines[row.number].of if row.number in own_lines else phone.table.sheet[row.number].of,
            "fields": [
                {
                    "name": f"d{row.number}-{index}",
                    "label": part.label,
                    "mark": part.mark,
                    "value": data.get(
                        f"d{row.number}-{index}",
                        _text(own_lines[row.number].scores[index] if row.number in own_lines else part.score),
                    ),
                }
                for index, part in enumerate(row.parts)
            ],
        }
        for row in sheet.rows
        if row.written
    ]


def _text(score: int | None) -> str:
    return "" if score is None else str(score)


def _versions(phone: Phone) -> list[dict[str, Any]]:
    """Both versions of the sheet, deal by deal, and whether they differ."""
    assert phone.table.dispute is not None
    theirs = dict(phone.table.dispute.lines)
    versions = []
    for number, line in phone.table.lines:
        other = theirs.get(number)
        versions.append(
            {
                "number": number,
                "label": _("Deal %(number)s") % {"number": number},
                "ours": line.scores,
                "theirs": other.scores if other else (),
                "differs": other is None or other.scores != line.scores,
            }
        )
    return versions
