"""The till over HTTP: fees by person, what else came in and went out, counting, the treasurer's sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponseBase
from django.utils.translation import gettext as _

from clubs import money
from clubs import text as club_text
from core.http import page_of, require_safe_or_post
from domain.standings.prizes import OUT, Entry
from games.exceptions import Malformed
from tournaments.exceptions import EntryError
from tournaments.models import TournamentEvent
from tournaments.read_models import Names
from tournaments.registration import selectors, services
from tournaments.registration.forms import CountForm, TillForm
from tournaments.views import Visit, director_only

PER_PAGE: Final = 40
_TILL: Final = "tournaments/registration/till.html"


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the till in words. `amount` is negative for what went out; `cancelled` says why it counts no more."""

    id: str
    at: object
    kind: str
    who: str
    note: str
    amount: int
    cancelled: str


@require_safe_or_post
@director_only
def page(visit: Visit) -> HttpResponseBase:
    return visit.act_or_page(lambda: _do(visit), _TILL, lambda: _context(visit))


def _do(visit: Visit) -> HttpResponseBase:
    data = visit.request.POST
    verb, _colon, rest = data.get("do", "").partition(":")
    if verb == "enter":
        form = TillForm(data)
        if not form.is_valid():
            return visit.page(_TILL, {**_context(visit), "form": form}, status=422)
        visit.act("money.entered", **form.cleaned_data)
        said = _("Written down.")
    elif verb == "count":
        count = CountForm(data, opening=visit.state.opening, counted=None)
        if not count.is_valid():
            return visit.page(_TILL, {**_context(visit), "count": count, "counting": True}, status=422)
        visit.act("till.counted", **count.counted())
        said = _("Counted.")
    elif verb in ("fee", "refund"):
        try:
            amount = money.read_money(data.get(f"amount_{rest}", ""))
        except ValueError:
            raise EntryError("not-money") from None
        visit.act("money.entered", kind=verb, amount=amount, who=rest)
        said = _("Written down.")
    elif verb == "cancel":
        visit.act("money.cancelled", id=rest, reason=data.get(f"reason_{rest}", ""))
        said = _("Cancelled. The entry stays to be read, with its reason.")
    else:
        raise Malformed(verb)
    return visit.done(visit.url("till"), said)


def _context(visit: Visit) -> Mapping[str, Any]:
    state = visit.state
    names = selectors.names_of(visit.tournament, state)
    books = services.books_of(state)
    rows = selectors.entrant_rows(state, names)
    lines = _lines(visit, names)
    page = page_of(visit.request, list(reversed(lines)), PER_PAGE)
    return {
        "books": books,
        "sums": [
            (club_text.choice("till", kind), -amount if kind in OUT else amount)
            for kind, amount in books.sums
            if amount
        ],
        "owing": [row for row in rows if row.owed > 0],
        "gets": [(row, -row.owed) for row in rows if row.owed < 0],
        "page": page,
        "form": TillForm(initial={"kind": "expense"}),
        "count": CountForm(opening=state.opening, counted=state.counted),
        "typed": visit.sent or {},
    }


def _lines(visit: Visit, names: Names) -> list[Line]:
    state = visit.state
    times = list(
        TournamentEvent.objects.filter(tournament=visit.tournament, kind="money.entered", number__lte=state.number)
        .order_by("number")
        .values_list("at", flat=True)
    )
    return [
        Line(
            id=entry.id,
            at=at,
            kind=club_text.choice("till", entry.kind),
            who=_who(visit, names, entry),
            note=entry.note,
            amount=-entry.amount if entry.kind in OUT else entry.amount,
            cancelled=state.money_cancelled.get(entry.id, ""),
        )
        for entry, at in zip(services.till_entries(state), times, strict=True)
    ]


def _who(visit: Visit, names: Names, entry: Entry) -> str:
    entrant = visit.state.entrants.get(entry.who)
    return names.entrant(entrant) if entrant is not None else entry.who
