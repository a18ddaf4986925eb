"""The end of the evening at the desk: what is still open, closing, reopening; and the whole log in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.desk import prizing, words
from clubs.desk.kit import Desk, page, show
from clubs.desk.telling import Teller
from clubs.desk.views_standings import key_of_counted
from clubs.evening.scoring import ranking, standing_of
from clubs.evening.state import DRAFT
from clubs.planning import till
from clubs.tournament_models import TournamentEvent
from clubs.tournaments.pages import Visit, at_tournament

PER_PAGE: Final = 60
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "door": ("entrant.", "pairs.", "pair.", "apart."),
    "rounds": ("phase.", "round.", "draw.", "clock."),
    "tables": ("deal.", "table.", "key."),
    "desk": ("tournament.", "penalty.", "lot.", "season.", "hall-key."),
    "money": ("money.", "till.", "prizes.", "prize."),
}


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def closing(visit: Visit) -> HttpResponseBase:
    """What is open, in words; closing; reopening."""
    desk = Desk(visit)
    return page(desk, "clubs/desk/closing.html", lambda: _closing(desk), {"close": _close, "reopen": _reopen})


def _closing(desk: Desk) -> Mapping[str, Any]:
    state = desk.state
    tables, drafts, lots, short = [], [], [], []
    for phase in state.phases:
        standing = standing_of(state, phase)
        tables += [(key_of_counted(state, phase, each.round), each.table) for each in standing.open]
        lots += [(phase.number, [desk.name(id) for id in group]) for group in standing.lots_needed]
        drafts += [round.key for round in phase.rounds if round.status == DRAFT]
        if not phase.finished and len(phase.rounds) < phase.plan.rules.rounds:
            short.append((words.phase_name(phase), len(phase.rounds), phase.plan.rules.rounds))
    account = till.books_of(state)
    return {
        "tab": "rounds",
        "tables": [(f"{key}.{number}", key.partition(".")[2], number) for key, number in dict.fromkeys(tables)],
        "drafts": drafts,
        "lots": lots,
        "short": short,
        "owed": [(desk.name(id), amount) for id, amount in account.owed if amount > 0 and id in state.entrants],
        "difference": account.difference,
        "prizes": [desk.name(due.entrant) for due in prizing.dues_of(state) if not due.done] if state.phases else [],
        "final": ranking(state)[1] if state.phases else False,
        "blocked": bool(tables or drafts or lots),
    }


def _close(desk: Desk) -> str:
    despite = desk.text("despite")
    if despite:
        desk.act("tournament.closed", despite=despite)
    else:
        desk.act("tournament.closed")
    return desk.url("closing")


def _reopen(desk: Desk) -> str:
    desk.act("tournament.reopened", reason=desk.text("reason"))
    return desk.url("closing")


@require_safe
@at_tournament
def log(visit: Visit) -> HttpResponseBase:
    """Everything that happened, in sentences, the latest first; of one part only, or with a word in it."""
    desk = Desk(visit)
    get = visit.request.GET
    part = get.get("part", "")
    rows = TournamentEvent.objects.filter(tournament=desk.tournament).select_related("player").order_by("-number")
    if part in PARTS:
        wanted = Q()
        for beginning in PARTS[part]:
            wanted |= Q(kind__startswith=beginning)
        rows = rows.filter(wanted)
    sheet = Paginator(rows, PER_PAGE).get_page(get.get("page", "1"))
    teller = Teller(desk.state, desk.names)
    context = {
        "tab": "rounds",
        "page": sheet,
        "rows": [(row.number, row.at, teller.told(row), teller.by(row)) for row in sheet],
        "part": part,
        "parts": [
            ("", _("Everything")),
            ("door", _("Door")),
            ("rounds", _("Rounds")),
            ("tables", _("Tables")),
            ("desk", _("Desk")),
            ("money", _("Money and prizes")),
        ],
    }
    return show(desk, "clubs/desk/log.html", context)
