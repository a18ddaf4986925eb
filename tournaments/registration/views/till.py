"""The till over HTTP: fees by person, what else came in and went out, counting, the treasurer's sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from clubs import text as club_text
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post
from domain.standings.prizes import OUT, Entry
from domain.tournament.payload import Plain
from games.exceptions import Malformed
from tournaments import text
from tournaments.exceptions import EntryError
from tournaments.models import TournamentEvent
from tournaments.read_models import Names
from tournaments.registration import selectors, services
from tournaments.registration.forms import CountForm, TillForm
from tournaments.services.log import act
from tournaments.views import Visit, at_tournament, done, tournament_page

PER_PAGE: Final = 40


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
@at_tournament
def page(visit: Visit) -> HttpResponseBase:
    visit.check_runs()
    if visit.request.method != "POST":
        return _shown(visit)
    try:
        return _do(visit)
    except Refusal as why:
        return _shown(visit, refusal=str(why.message), status=why.status)


def _do(visit: Visit) -> HttpResponseBase:
    data = visit.request.POST
    verb, _colon, rest = data.get("do", "").partition(":")
    if verb == "enter":
        form = TillForm(data)
        if not form.is_valid():
            return _shown(visit, form=form, status=422)
        fields: dict[str, Plain] = {
            "kind": form.cleaned_data["kind"],
            "amount": form.cleaned_data["amount"],
            "note": form.cleaned_data["note"],
        }
        _act(visit, "money.entered", fields)
        said = _("Written down.")
    elif verb == "count":
        count = CountForm(data, opening=visit.asked.state.opening, counted=None)
        if not count.is_valid():
            return _shown(visit, count=count, status=422)
        _act(visit, "till.counted", count.counted())
        said = _("Counted.")
    elif verb in ("fee", "refund"):
        try:
            amount = text.read_money(data.get(f"amount_{rest}", ""))
        except ValueError:
            raise EntryError("not-money") from None
        _act(visit, "money.entered", {"kind": verb, "amount": amount, "who": rest})
        said = _("Written down.")
    elif verb == "cancel":
        _act(visit, "money.cancelled", {"id": rest, "reason": data.get(f"reason_{rest}", "")})
        said = _("Cancelled. The entry stays to be read, with its reason.")
    else:
        raise Malformed(verb)
    messages.success(visit.request, said)
    return done(visit.url("till"))


def _act(visit: Visit, kind: str, fields: dict[str, Plain]) -> None:
    act(visit.asked.tournament.pk, [(kind, fields)], by=visit.asked.director, request_id=visit.sent)


def _shown(
    visit: Visit,
    *,
    form: TillForm | None = None,
    count: CountForm | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    asked = visit.asked
    state = asked.state
    names = selectors.names_of(asked.tournament, state)
    books = services.books_of(state)
    rows = selectors.entrant_rows(state, names)
    lines = _lines(visit, names)
    page = page_of(visit.request, list(reversed(lines)), PER_PAGE)
    context = {
        "books": books,
        "sums": [
            (club_text.choice("till", kind), -amount if kind in OUT else amount)
            for kind, amount in books.sums
            if amount
        ],
        "owing": [row for row in rows if row.owed > 0],
        "gets": [(row, -row.owed) for row in rows if row.owed < 0],
        "page": page,
        "form": form or TillForm(initial={"kind": "expense"}),
        "count": count or CountForm(opening=state.opening, counted=state.counted),
        "counting": count is not None,
        "refusal": refusal,
        "typed": visit.request.POST if refusal else {},
        "prizes_url": visit.url("prizes"),
    }
    return tournament_page(visit, "tournaments/registration/till.html", context, status=status)


def _lines(visit: Visit, names: Names) -> list[Line]:
    state = visit.asked.state
    times = list(
        TournamentEvent.objects.filter(
            tournament=visit.asked.tournament, kind="money.entered", number__lte=state.number
        )
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
    entrant = visit.asked.state.entrants.get(entry.who)
    return names.entrant(entrant) if entrant is not None else entry.who
