"""The pages of phases: finishing one, starting the next, closing the tournament; and the whole log in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import HouseRulesVersion
from clubs.services import common
from core.http import page_of, whole_number
from domain.errors import DomainError
from domain.tournament.drawing import drawn_by
from domain.tournament.finishing import drawn_tables, not_met, rounds_of, still_in
from domain.tournament.payload import Plain
from domain.tournament.scoring import ranking, standing_of
from domain.tournament.state import DRAFT, HERE, OUT, Phase
from tournaments import text as tournaments_text
from tournaments.director import log_text, selectors
from tournaments.director import services as director_services
from tournaments.director.base import Desk, director_page, or_404
from tournaments.director.forms import PlanForm
from tournaments.director.log_text import Teller
from tournaments.director.views.standings import key_of_counted
from tournaments.exceptions import Refused
from tournaments.models import TournamentEvent
from tournaments.registration import services
from tournaments.registration.forms import HALL, ONLINE, plan_moved
from tournaments.services.log import NewEvent

USUAL: Final = 8
"""The default number of players in a final: two tables."""


def _phases(desk: Desk) -> Mapping[str, Any]:
    by_number = {phase.number: phase for phase in desk.state.phases}
    return {
        "phases": [
            {
                "phase": phase,
                "name": tournaments_text.phase_name(phase),
                "plan": log_text.plan_lines(phase.plan),
                "after": tournaments_text.phase_name(by_number[phase.after]) if phase.after else "",
                "people": len(phase.entrants) if phase.entrants is not None else 0,
                "may_drop": phase.number == len(desk.state.phases) and not phase.attempts,
            }
            for phase in desk.state.phases
        ]
    }


def _finish(desk: Desk) -> str:
    phase = or_404(desk.state.phase(desk.whole("phase")))
    desk.act_all(_finishing(phase), same=f"finish|{phase.number}")
    return desk.url("phases")


def _finishing(phase: Phase) -> list[NewEvent]:
    """The events that finish a phase."""
    return [*_closing_rounds(phase), ("phase.finished", {"phase": phase.number})]


def _closing_rounds(*phases: Phase) -> list[NewEvent]:
    """The events that close rounds whose tables all count: nobody sits there any more, and online people are told."""
    rounds = [each for phase in phases for each in phase.rounds]
    return [("round.closed", {"round": each.key}) for each in rounds if each.status == OUT and not each.open_tables]


def _go_on(desk: Desk) -> str:
    desk.act("phase.finished", phase=desk.whole("phase"), off=True)
    return desk.url("phases")


def _drop(desk: Desk) -> str:
    desk.act("phase.dropped", phase=desk.whole("phase"))
    return desk.url("phases")


phases = director_page("phases", _phases, {"finish": _finish, "go-on": _go_on, "drop": _drop})


# another plan


def _plan(desk: Desk, number: int) -> Mapping[str, Any]:
    """The plan of a phase that has begun. Changing it needs a reason, and past rounds are counted again."""
    phase = or_404(desk.state.phase(number))
    newer = _newer_rules(desk, phase)
    return {
        "form": _form_of(desk, phase, newer),
        "phase": phase,
        "name": tournaments_text.phase_name(phase),
        "newer": None if _takes_newer(desk) else newer,
    }


def _newer_rules(desk: Desk, phase: Phase) -> HouseRulesVersion | None:
    """The house rules of the club, if they are newer than those by which a phase is played, for the same game."""
    rules = phase.plan.rules
    versions = HouseRulesVersion.objects.filter(club=desk.club, version__gt=rules.version).order_by("-version")
    newer = versions.first()
    return newer if newer is not None and common.rules_of(newer).ruleset == rules.ruleset else None


def _takes_newer(desk: Desk) -> bool:
    return desk.request.GET.get("rules") == "latest"


def _form_of(desk: Desk, phase: Phase, newer: HouseRulesVersion | None) -> PlanForm:
    """The form of a phase's plan; by newer house rules if they are asked for, with as many rounds and deals as it has."""
    plan = phase.plan
    if newer is not None and _takes_newer(desk):
        rules = common.rules_of(newer)
        with suppress(DomainError):  # they leave out more rounds than are played here
            rules = replace(rules, rounds=plan.rules.rounds, deals=plan.rules.deals)
        plan = replace(plan, rules=rules)
    return PlanForm(plan, desk.sent)


def _change(desk: Desk, number: int) -> str:
    phase = or_404(desk.state.phase(number))
    form = _form_of(desk, phase, _newer_rules(desk, phase))
    plan = _plan_of(form)
    # Here and not where logs are read: rounds that were drawn otherwise make no bracket.
    if plan["method"] == "knock-out" != phase.plan.method and any(
        drawn_by(each) != "knock-out" for each in phase.rounds
    ):
        raise Refused("no-bracket", "plan.method")
    with _naming_fields(form):
        desk.act("phase.changed", phase=number, plan=plan, reason=desk.text("reason"))
    return desk.url("phases")


@contextmanager
def _naming_fields(form: PlanForm) -> Iterator[None]:
    """Let a refusal say which field of the plan it is about."""
    try:
        yield
    except Refused as refusal:
        name = refusal.field.rpartition(".")[2]
        field = form.fields.get({"tie_breaks": "tie_0", "odd": "odd_0"}.get(name, name))
        if field is not None:
            refusal.message = f"{field.label}: {refusal.message}"
        raise


def _plan_of(form: PlanForm) -> dict[str, Plain]:
    """The plan of the form as data. Raises Refused."""
    if not form.is_valid():
        raise Refused("bad-fields", "plan")
    return form.data_of()


change_plan = director_page("plan", _plan, {"change": _change})


# the next phase


def _previous_phase(desk: Desk) -> Phase:
    """The phase that the new one follows: the one in the address, else the current one. Raises Http404."""
    number = _number(desk.request.GET.get("after"), 0)
    return or_404(desk.state.phase(number) if number else desk.state.current)


def _plan_form(desk: Desk, previous: Phase) -> PlanForm:
    """The form of the new phase's plan, with one round.

    It begins as that of the previous phase, or as the tournament's if that was changed since.
    """
    where = desk.request.GET.get("where", "")
    plan = desk.state.plan if selectors.planned_since(desk.tournament) else previous.plan
    form = PlanForm(plan_moved(plan, where), desk.sent, begins=True)
    if not form.is_bound:
        form.initial["rounds"] = 1
    return form


def _start(desk: Desk) -> str:
    previous = _previous_phase(desk)
    form = _plan_form(desk, previous)
    who: list[Plain] = [each for each in desk.texts("who") if each in desk.state.entrants]
    begun: dict[str, Plain] = {
        "name": desk.text("name"),
        "plan": _plan_of(form),
        "after": previous.number,
        "carry": desk.flag("carry"),
        "entrants": who,
    }
    doings = [] if previous.finished else _finishing(previous)
    with _naming_fields(form):
        desk.act_all([*doings, ("phase.started", begun)], same=f"start|{begun}")
    return desk.url("rounds")


def _new(desk: Desk) -> Mapping[str, Any]:
    """Start one of several finals from a ranking: with the first ones, or with the entrants that are chosen."""
    previous = _previous_phase(desk)
    form = _plan_form(desk, previous)
    get, sent = desk.request.GET, desk.request.POST
    first = _number(get.get("first"), 1)
    last = _number(get.get("last"), first + USUAL - 1)
    first, last = sorted((first, last))
    standing = standing_of(desk.state, previous)
    taken = {
        id: tournaments_text.phase_name(other)
        for other in desk.state.phases
        if other.after == previous.number and other.entrants
        for id in other.entrants
    }
    chosen = set(sent.getlist("who")) if sent else None
    rows = []
    # Entrants who have gone home leave no gap: the next one moves up. Those who play another final keep their place.
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
                "gone": "" if here else tournaments_text.entrant_state(desk.state.entrants[row.entrant].status),
                "chosen": usual if chosen is None else row.entrant in chosen,
                "cut": end,
                "equal": end and standing.rows[place].rank == row.rank,
            }
        )
    return {
        "form": form,
        "where": ONLINE if form.plan.online else HALL,
        "places": [(HALL, _("in the hall")), (ONLINE, _("online, by correspondence"))],
        "after": previous,
        "after_name": tournaments_text.phase_name(previous),
        "earlier": [(each.number, tournaments_text.phase_name(each)) for each in desk.state.phases],
        "rows": rows,
        "all_taken": bool(rows) and all(row["taken"] for row in rows),
        "first": first,
        "last": last,
        "open": len(standing.open),
        "lots": len(standing.lots_needed),
        "carried": sent.get("carry") == "on" if sent else True,
    }


def _number(text: str | None, default: int) -> int:
    number = whole_number(text or "", 4)
    return default if number is None else number


new_phase = director_page("new_phase", _new, {"start": _start})


PER_PAGE: Final = 60
PARTS: Final[Mapping[str, tuple[Promise | str, tuple[str, ...]]]] = {
    "": (_("Everything"), ("",)),
    "door": (_("Door"), ("entrant.", "pairs.", "pair.", "apart.")),
    "rounds": (_("Rounds"), ("phase.", "round.", "draw.", "clock.")),
    "tables": (_("Tables"), ("deal.", "table.", "key.")),
    "desk": (_("Desk"), ("tournament.", "penalty.", "lot.", "season.", "hall-key.")),
    "money": (_("Money and prizes"), ("money.", "till.", "prizes.", "prize.")),
}
"""Parts of the log: their names, and the prefixes of their kinds of events."""


def _closing(desk: Desk) -> Mapping[str, Any]:
    """What is still open before closing the tournament; and the forms to close and reopen it."""
    state = desk.state
    tables, drafts, lots, short, drawn, undecided, unmet = [], [], [], [], [], [], []
    for phase in state.phases:
        standing = standing_of(state, phase)
        tables += [(key_of_counted(state, phase, each.round), each.table) for each in standing.open]
        lots += [(phase.number, [desk.name(id) for id in group]) for group in standing.lots_needed]
        drawn += [(key, *key.split(".")[1:]) for key in drawn_tables(state, phase)]
        drafts += [round.key for round in phase.rounds if round.status == DRAFT]
        name = tournaments_text.phase_name(phase)
        if not phase.finished and len(phase.rounds) < (rounds := rounds_of(state, phase)):
            short.append((name, len(phase.rounds), rounds))
        elif (left := still_in(state, phase)) > 1:
            undecided.append((name, left))
        elif not_met(state, phase):
            unmet.append(name)
    account = services.books_of(state)
    return {
        "tables": [(f"{key}.{number}", key.partition(".")[2], number) for key, number in dict.fromkeys(tables)],
        "drafts": [(key, key.partition(".")[2]) for key in drafts],
        "lots": lots,
        "drawn": drawn,
        "short": short,
        "undecided": undecided,
        "unmet": unmet,
        "owed": [(desk.name(id), amount) for id, amount in account.owed if amount > 0 and id in state.entrants],
        "difference": account.difference,
        "prizes": [desk.name(due.entrant) for due in director_services.dues_of(state) if not due.done]
        if state.phases
        else [],
        "final": ranking(state)[1] if state.phases else False,
        "blocked": bool(tables or drafts or lots or drawn),
    }


def _close(desk: Desk) -> str:
    despite = desk.text("despite")
    # Here and not where logs are read: older ones were closed without a reason.
    drawn = [key for phase in desk.state.phases for key in drawn_tables(desk.state, phase)]
    if drawn and not despite:
        _, number, table = drawn[0].split(".")
        raise Refused("drawn", "table", round=number, table=table)
    closed: NewEvent = ("tournament.closed", {"despite": despite} if despite else {})
    desk.act_all([*_closing_rounds(*desk.state.phases), closed], same=f"close|{despite}")
    return desk.url("closing")


def _reopen(desk: Desk) -> str:
    desk.act("tournament.reopened", reason=desk.text("reason"))
    return desk.url("closing")


closing = director_page("closing", _closing, {"close": _close, "reopen": _reopen})


def _log(desk: Desk) -> Mapping[str, Any]:
    """Everything that happened, in sentences, the latest first; all, or one part of the log."""
    part = desk.request.GET.get("part", "")
    rows = TournamentEvent.objects.filter(tournament=desk.tournament).select_related("player").order_by("-number")
    if part in PARTS:
        condition = Q()
        for prefix in PARTS[part][1]:
            condition |= Q(kind__startswith=prefix)
        rows = rows.filter(condition)
    sheet = page_of(desk.request, rows, PER_PAGE)
    teller = Teller(desk.state, desk.names)
    return {
        "page": sheet,
        "rows": [(row.number, row.at, teller.told(row), teller.by(row)) for row in sheet],
        "part": part,
        "parts": [(code, title) for code, (title, _prefixes) in PARTS.items()],
    }


log = director_page("log", _log)
