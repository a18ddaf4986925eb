"""Parts of the tournament: finishing one, starting the next from its ranking, changing a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.desk import words
from clubs.desk.kit import Action, Desk, or_404, page
from clubs.desk.plan_form import PlanForm
from clubs.evening.given import Plain
from clubs.evening.refused import EveningRefused
from clubs.evening.scoring import standing_of
from clubs.evening.state import HERE, Phase
from clubs.planning.forms_online import HALL, ONLINE, moved
from clubs.tournaments import wording
from clubs.tournaments.door import Doing
from clubs.tournaments.pages import Visit, at_tournament
from clubs.tournaments.refusals import Refused

USUAL: Final = 8
"""Who plays a final where nobody said otherwise: two tables."""


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def phases(visit: Visit) -> HttpResponseBase:
    """All parts, and what can be done with each."""
    desk = Desk(visit)
    return page(desk, "clubs/desk/phases.html", lambda: _phases(desk), {"finish": _finish, "go-on": _go_on})


def _phases(desk: Desk) -> Mapping[str, Any]:
    by_number = {phase.number: phase for phase in desk.state.phases}
    return {
        "phases": [
            {
                "phase": phase,
                "name": words.phase_name(phase),
                "plan": words.plan_lines(phase.plan),
                "after": words.phase_name(by_number[phase.after]) if phase.after else "",
                "people": len(phase.entrants) if phase.entrants is not None else 0,
            }
            for phase in desk.state.phases
        ]
    }


def _finish(desk: Desk) -> str:
    desk.act("phase.finished", phase=desk.whole("phase"))
    return desk.url("phases")


def _go_on(desk: Desk) -> str:
    desk.act("phase.finished", phase=desk.whole("phase"), off=True)
    return desk.url("phases")


# another plan


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def change_plan(visit: Visit, number: int) -> HttpResponseBase:
    """The plan of a part that has begun: with a reason, and past rounds count anew."""
    desk = Desk(visit)
    phase = or_404(desk.state.phase(number))
    form = PlanForm(phase.plan, visit.request.POST if visit.request.method == "POST" else None)

    def change(desk: Desk) -> str:
        if not form.is_valid():
            raise Refused(EveningRefused("bad-fields", "plan"))
        desk.act("phase.changed", phase=number, plan=form.data_of(), reason=desk.text("reason"))
        return desk.url("phases")

    context = {"form": form, "phase": phase, "name": words.phase_name(phase)}
    return page(desk, "clubs/desk/plan.html", lambda: context, {"change": change})


# the next part


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def new_phase(visit: Visit) -> HttpResponseBase:
    """A final (or several) from a ranking: the first ones, or whoever is chosen."""
    desk = Desk(visit)
    get = visit.request.GET
    after = or_404(
        desk.state.phase(_number(get.get("after"), 0) or (desk.state.current.number if desk.state.current else 0))
    )
    plan = moved(after.plan, get.get("where", ""))
    form = PlanForm(plan, visit.request.POST if visit.request.method == "POST" else None, begins=True)
    if visit.request.method != "POST":
        form.initial["rounds"] = 1

    def start(desk: Desk) -> str:
        if not form.is_valid():
            raise Refused(EveningRefused("bad-fields", "plan"))
        who: list[Plain] = [each for each in desk.texts("who") if each in desk.state.entrants]
        begun: dict[str, Plain] = {
            "name": desk.text("name"),
            "plan": form.data_of(),
            "after": after.number,
            "carry": desk.flag("carry"),
            "entrants": who,
        }
        doings: list[Doing] = [] if after.finished else [("phase.finished", {"phase": after.number})]
        desk.act_all([*doings, ("phase.started", begun)])
        return desk.url("rounds")

    actions: Mapping[str, Action] = {"start": start}
    return page(desk, "clubs/desk/new_phase.html", lambda: _new(desk, after, form), actions)


def _new(desk: Desk, after: Phase, form: PlanForm) -> Mapping[str, Any]:
    get, sent = desk.visit.request.GET, desk.visit.request.POST
    first = _number(get.get("first"), 1)
    last = _number(get.get("last"), first + USUAL - 1)
    standing = standing_of(desk.state, after)
    taken = {
        id: words.phase_name(other)
        for other in desk.state.phases
        if other.after == after.number and other.entrants
        for id in other.entrants
    }
    chosen = set(sent.getlist("who")) if sent else None
    rows = []
    # Who has gone home leaves no gap: the next one in the ranking moves up. Who plays another final keeps their place.
    position = 0
    for place, row in enumerate(standing.rows, 1):
        here = desk.state.entrants[row.entrant].status == HERE
        able = row.rank > 0 and (here or row.entrant in taken)
        position += able
        usual = able and first <= position <= last and row.entrant not in taken
        end = able and position == last and place < len(standing.rows)
        rows.append(
            {
                "id": row.entrant,
                "rank": row.rank,
                "name": desk.name(row.entrant),
                "taken": taken.get(row.entrant, ""),
                "gone": "" if here else wording.entrant_state(desk.state.entrants[row.entrant].status),
                "chosen": usual if chosen is None else row.entrant in chosen,
                "cut": end,
                "equal": end and standing.rows[place].rank == row.rank,
            }
        )
    return {
        "form": form,
        "where": ONLINE if form.plan.online else HALL,
        "places": [(HALL, _("in the hall")), (ONLINE, _("online, by correspondence"))],
        "after": after,
        "after_name": words.phase_name(after),
        "earlier": [(each.number, words.phase_name(each)) for each in desk.state.phases],
        "rows": rows,
        "first": first,
        "last": last,
        "open": len(standing.open),
        "lots": len(standing.lots_needed),
        "carried": sent.get("carry") == "on" if sent else True,
    }


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 5 else default
