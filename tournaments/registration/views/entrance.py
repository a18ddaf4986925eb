"""People over HTTP: one list for staff and for helpers at the door, whole without script; and entering by oneself. The
till: fees by person, what else came in and went out, counting, the treasurer’s sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_htmx.http import reswap, retarget, trigger_client_event

from accounts.middleware import address_of
from clubs import money, naming
from clubs import text as club_text
from clubs.exceptions import AccountNeeded
from clubs.forms.club import PersonForm
from clubs.models import Member
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post
from core.limits import take
from domain.errors import DomainError
from domain.standings.prizes import OUT, Entry
from domain.tournament.state import PAIR, State
from games.exceptions import Malformed
from tournaments import permissions
from tournaments.exceptions import Alike, AskFirst, EntryError
from tournaments.models import Tournament, TournamentEvent
from tournaments.online.substitutes import plays_online
from tournaments.permissions import Actor
from tournaments.publishing.travellers import how_it_works
from tournaments.read_models import Names
from tournaments.registration import entrance, selectors, services
from tournaments.registration.forms import CategoryForm, CountForm, TillForm
from tournaments.registration.views.entries import categorise
from tournaments.selectors import state_of
from tournaments.services import codes, draws
from tournaments.views import Visit, at_tournament, director_only

FOUND: Final = 12
"""People of the club's list who are shown for what was typed."""
LEAST_LETTERS: Final = 2
_ONESELF: Final = "tournaments/registration/oneself.html"


@dataclass(frozen=True, slots=True)
class Door:
    """Who stands at the entrance, and by which address."""

    visit: Visit
    by: Actor
    url: str
    staff: bool

    @property
    def live(self) -> bool:
        """Whether htmx asks, which wants only the list."""
        return bool(self.visit.request.htmx)

    def asked_for(self) -> tuple[str, str]:
        """What is looked for, and which part of the list is shown."""
        request = self.visit.request
        asked = request.POST if self.live and request.method == "POST" else request.GET
        return asked.get("q", "")[:80], asked.get("show", "all")[:60]

    def back(self) -> str:
        """The list as it was asked for."""
        query, show = self.asked_for()
        asked = {name: value for name, value in (("q", query), ("show", show)) if value and value != "all"}
        return f"{self.url}?{urlencode(asked)}" if asked else self.url


@require_safe_or_post
@director_only
def people(visit: Visit) -> HttpResponseBase:
    """Everybody who has entered, is here, left or does not come."""
    return _page(Door(visit, visit.director, visit.url("people"), staff=True))


@require_safe_or_post
@at_tournament
def by_code(visit: Visit, code: str) -> HttpResponseBase:
    """The entrance, for whoever holds its code. Raises ``wrong-code``, ``too-many-guesses``, ``door-over``: who helped one
    evening reads the club's list that evening, and takes no fees after it."""
    if codes.read_hall(visit.tournament, visit.state, code) != codes.DOOR:
        if not take(f"hall-code:{address_of(visit.request)}", rate=20, per=600, burst=20):
            raise EntryError("too-many-guesses")
        raise EntryError("wrong-code")
    if visit.state.closed or visit.tournament.status == Tournament.Status.CANCELLED:
        raise EntryError("door-over")
    return _page(Door(visit, permissions.helper(visit.player), visit.url("door-code", code), staff=False))


def _page(at: Door) -> HttpResponseBase:
    tournament, data, request_id = at.visit.tournament, at.visit.sent, at.visit.request_id
    if data is None:
        return _shown(at)
    if at.visit.scripted:
        return _told(at, data)
    do = data.get("do", "")
    try:
        if do == "open" and at.staff:
            draws.open_tournament(tournament, by=at.by, request_id=request_id)
            return at.visit.done(
                at.url, _("Entries are open.") if at.visit.online else _("The door is open. Mark who arrives.")
            )
        if do == "seat" and at.staff:
            round = draws.seat_everybody(tournament, by=at.by, request_id=request_id)
            return at.visit.done(
                at.visit.url("round", round.key),
                _("Round %(number)s is drawn and published.") % {"number": round.number},
            )
        if do in ("categorise", "clear-category") and at.staff:
            said = categorise(at.visit, data)
        elif do == "make-pair":
            one, two = data.get("one", ""), data.get("two", "")
            said = entrance.make_pair(tournament, one, two, by=at.by, request_id=request_id)
        else:
            said = entrance.apply_tap(
                tournament, do, data, by=at.by, request_id=request_id, sure=bool(data.get("sure"))
            )
    except AskFirst as ask:
        question = at.visit.ask_again(ask, at.back(), template="_ask" if at.live else "confirm")
        if not at.live:
            return question
        return trigger_client_event(retarget(reswap(question, "innerHTML"), "#question"), "question", after="swap")
    except Refusal as refusal:
        return _shown(at, refusal=refusal, typed=data)
    except ValidationError as wrong:
        return _shown(at, refusal=EntryError("bad-name", " ".join(wrong.messages)), typed=data)
    return _shown(at, said=said) if at.live else at.visit.done(at.back(), said)


def _told(at: Door, data: Mapping[str, str]) -> HttpResponse:
    """What was tapped without a connection and comes from the browser's queue. A question is a refusal here: it is asked on the
    page."""
    visit, do = at.visit, data.get("do", "")
    try:
        said = entrance.apply_tap(visit.tournament, do, data, by=at.by, request_id=visit.request_id)
    except Refusal as why:
        return visit.told_why(why)
    except ValidationError as wrong:
        return visit.told_why(EntryError("bad-name", " ".join(wrong.messages)))
    return visit.told(message=said)


def _shown(at: Door, *, refusal: Refusal | None = None, said: str | Promise = "", typed: Any = None) -> HttpResponse:
    tournament = at.visit.tournament
    alike = refusal if isinstance(refusal, Alike) else None
    tournament.refresh_from_db()
    state = state_of(tournament)
    names = selectors.names_of(tournament, state)
    everybody = selectors.entrant_rows(state, names, selectors.recent_taps(tournament, state))
    query, show = at.asked_for()
    count = selectors.count_people(everybody)
    pairs = state.plan.kind == PAIR
    context = {
        "door": at,
        "state": state,
        "number": state.number,
        "rows": [row for row in everybody if selectors.fits_search(row, query, show)],
        "all": len(everybody),
        "count": count,
        "tables": _tables(state, count.ready),
        "seats": 0 if at.visit.online else _next_round(state),
        "online": at.visit.online,
        "category_form": CategoryForm(typed if typed is not None and "born_from" in typed else None),
        "query": query,
        "show": show,
        "shows": _shows(pairs, state.fee, selectors.categories_of(everybody) if at.staff else ()),
        "found": _found(at, state, query),
        "halves": [row for row in everybody if row.half] if pairs and at.staff else [],
        "halves_here": sum(1 for row in everybody if row.half and row.is_here),
        "pairs": pairs,
        "fee": state.fee,
        "refusal": str(refusal or ""),
        "said": said,
        "alike": [(each, naming.full_name(each)) for each in alike.members] if alike else [],
        "alike_entered": services.entered(state) if alike else (),
        "typed": _typed(query, typed),
        "walk_in_open": bool(refusal and typed is not None and str(typed.get("do", "")).startswith("walk-in")),
        "undo_seconds": selectors.UNDO_SECONDS,
        "closed": state.closed or tournament.status == Tournament.Status.CANCELLED,
    }
    template = "tournaments/registration/_people.html" if at.live else "tournaments/registration/people.html"
    response = at.visit.page(template, context, status=refusal.status if refusal else 200)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _tables(state: Any, ready: int) -> tuple[str, int]:
    try:
        return selectors.would_be(state.plan, ready)
    except DomainError:  # a plan of an older version of the games
        return "", 0


def _next_round(state: State) -> int:
    """The number of the round that can be drawn now; 0 for none."""
    if not state.phases:
        return 1 if state.open and not state.closed else 0
    phase = state.phases[-1]
    return len(phase.rounds) + 1 if draws.may_draw(state, phase) else 0


def _shows(pairs: bool, fee: int, categories: Sequence[tuple[str, int]]) -> list[tuple[str, str | Promise]]:
    return [
        ("all", _("all")),
        ("expected", _("expected")),
        ("here", _("here")),
        *([("partner", _("needs a partner"))] if pairs else []),
        *([("owing", _("still to pay"))] if fee else []),
        ("left", _("gone")),
        ("not-coming", _("not coming")),
        *((f"{selectors.CATEGORY}{name}", f"{name} ({number})") for name, number in categories),
    ]


def _found(at: Door, state: Any, query: str) -> list[tuple[str, str]]:
    """People of the club's list who are not in this tournament yet: only for what was typed, never the whole list."""
    if len(query.strip()) < LEAST_LETTERS or state.closed:
        return []
    rows = services.candidates(at.visit.club, state, query)[:FOUND]
    return [(member.public_id, naming.full_name(member)) for member in rows]


def _typed(query: str, data: Any) -> dict[str, str]:
    """What stands in the fields of a walk-in: what was typed there, else the words that were looked for."""
    if data is not None and "first_name" in data:
        return {
            "first_name": data.get("first_name", ""),
            "last_name": data.get("last_name", ""),
            "named": data.get("named", ""),
        }
    first, _blank, last = query.strip().partition(" ")
    return {"first_name": first, "last_name": last, "named": ""}


@require_safe_or_post
@at_tournament
def oneself(visit: Visit) -> HttpResponseBase:
    """Enter, or say that one does not come, for oneself."""
    visit.check_reads()
    return visit.act_or_page(lambda: _do(visit), _ONESELF, lambda: _own_page(visit))


def _needs_name(member: Member | None) -> bool:
    return member is None or member.left_on is not None


def _own_page(visit: Visit) -> dict[str, Any]:
    tournament, state, player = visit.tournament, visit.state, visit.player
    member, known = services.own_entry(tournament, state, player)
    first, _blank, last = (player.name if player else "").partition(" ")
    form = PersonForm(visit.sent, initial={"first_name": first, "last_name": last})
    closed: Refusal | None = None
    if not known:
        try:
            services.may_enter(tournament, state, player, member)
        except Refusal as why:
            closed = why
    return {
        "form": form if _needs_name(member) else None,
        "known": known,
        "entrant": state.entrants.get(known) if known else None,
        "own_name": naming.full_name(member) if member is not None else "",
        "closed": str(closed.message) if closed else "",
        "sign_in": isinstance(closed, AccountNeeded) and (player is None or not player.is_member),
        "next": visit.request.path,
        "can_withdraw": bool(known) and not state.phases,
        "online": plays_online(state) and not state.closed,
        "how_online": how_it_works(state.current.plan if state.current else state.plan),
        "pausing": bool(known) and services.is_pausing(state, state.entrants[known]),
        "left": max(0, tournament.most - len(services.entered(state))) if tournament.most else None,
        "pairs": state.plan.kind == PAIR,
        "fee": state.fee,
    }


_DONE: Final[Mapping[str, Promise | str]] = {
    "withdraw": _("You are not coming. The club sees it in its list."),
    "leave": _("You have left. Somebody else finishes your games; what you have played counts."),
    "return": _("You play again from the next round on."),
    "pause": _("You sit out the next round."),
    "play-on": _("You play the next round."),
}
"""What somebody says of their own entry, and what they are told then."""


def _do(visit: Visit) -> HttpResponseBase:
    """Enter, or what else the form asks for. Raises Refusal."""
    player, do, page = visit.member(), visit.request.POST.get("do", ""), visit.url("enter")
    visit.limit("enter-oneself", rate=30, burst=10)
    if do in _DONE:
        services.do_oneself(visit.tournament, player, do, request_id=visit.request_id)
        return visit.done(page, _DONE[do])
    member, _known = services.own_entry(visit.tournament, visit.state, player)
    person = services.NOBODY
    if _needs_name(member):
        form = PersonForm(visit.sent)
        if not form.is_valid():
            return visit.page(_ONESELF, _own_page(visit), status=422)
        person = form.person()
    services.enter_oneself(visit.tournament, player, person, request_id=visit.request_id)
    return visit.done(page, _("You have entered. See you there!"))


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
    return visit.act_or_page(lambda: _do_at_the_till(visit), _TILL, lambda: _context(visit))


def _do_at_the_till(visit: Visit) -> HttpResponseBase:
    data = visit.request.POST
    verb, _colon, rest = data.get("do", "").partition(":")
    if verb == "enter":
        form = TillForm(data)
        if not form.is_valid():
            return visit.page(_TILL, {**_context(visit), "form": form}, status=422)
        visit.act("money.entered", **form.cleaned_data)
        said = gettext("Written down.")
    elif verb == "count":
        count = CountForm(data, opening=visit.state.opening, counted=None)
        if not count.is_valid():
            return visit.page(_TILL, {**_context(visit), "count": count, "counting": True}, status=422)
        visit.act("till.counted", **count.counted())
        said = gettext("Counted.")
    elif verb in ("fee", "refund"):
        try:
            amount = money.read_money(data.get(f"amount_{rest}", ""))
        except ValueError:
            raise EntryError("not-money") from None
        visit.act("money.entered", kind=verb, amount=amount, who=rest)
        said = gettext("Written down.")
    elif verb == "cancel":
        visit.act("money.cancelled", id=rest, reason=data.get(f"reason_{rest}", ""))
        said = gettext("Cancelled. The entry stays to be read, with its reason.")
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
