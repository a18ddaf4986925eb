"""The list of people, for staff and for helpers at the door; the page to enter oneself; and the till.

The list works without script, too. The till has fees by person, other income and expenses, counting, and the sums for
the treasurer.
"""

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
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget, trigger_client_event

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
from domain.standings.till import OUT, TillEntry
from domain.tournament import drawing
from domain.tournament.finishing import knocked_out
from domain.tournament.registering import needs_partner
from domain.tournament.state import PAIR, Entrant, State
from games.exceptions import Malformed
from tournaments import permissions
from tournaments import text as tournaments_text
from tournaments.exceptions import Alike, AskFirst, EntryError
from tournaments.models import Tournament, TournamentEvent
from tournaments.online import substitutes
from tournaments.online.substitutes import plays_online
from tournaments.permissions import Actor
from tournaments.publishing.travellers import how_it_works
from tournaments.read_models import Names
from tournaments.registration import by_oneself, entrance, selectors, services
from tournaments.registration.forms import CategoryForm, CountForm, TillForm
from tournaments.registration.views.entries import categorise
from tournaments.selectors import state_of
from tournaments.services import codes, draws
from tournaments.views import Visit, at_tournament, director_only

FOUND: Final = 12
"""How many people of the club's list are shown for what was typed."""
LEAST_LETTERS: Final = 2
_ONESELF: Final = "tournaments/registration/oneself.html"


@dataclass(frozen=True, slots=True)
class Door:
    """A request at the entrance: who acts (`by`), at which address, and whether they are staff."""

    visit: Visit
    by: Actor
    url: str
    staff: bool

    @property
    def live(self) -> bool:
        """Whether the request comes from htmx, which needs only the list."""
        return bool(self.visit.request.htmx)

    def filters(self) -> tuple[str, str]:
        """The search text, and the part of the list to show."""
        request = self.visit.request
        data = request.POST if self.live and request.method == "POST" else request.GET
        return data.get("q", "")[:80], data.get("show", "all")[:60]

    def back(self) -> str:
        """The address of the list with the current filters."""
        query, show = self.filters()
        parameters = {name: value for name, value in (("q", query), ("show", show)) if value and value != "all"}
        return f"{self.url}?{urlencode(parameters)}" if parameters else self.url


@require_safe_or_post
@director_only
def people(visit: Visit) -> HttpResponseBase:
    """Everybody who has entered: expected, here, gone, or not coming."""
    return _page(Door(visit, visit.director, visit.url("people"), staff=True))


@require_safe_or_post
@at_tournament
def by_code(visit: Visit, code: str) -> HttpResponseBase:
    """The entrance, for anybody who has its code. Raises ``wrong-code``, ``too-many-guesses``, ``door-over``.

    Helpers can read the club's list and take fees only until the tournament is closed or cancelled.
    """
    if codes.read_hall(visit.tournament, visit.state, code) != codes.DOOR:
        if not take(f"hall-code:{address_of(visit.request)}", rate=20, per=600, burst=20):
            raise EntryError("too-many-guesses")
        raise EntryError("wrong-code")
    if visit.state.closed or visit.tournament.status == Tournament.Status.CANCELLED:
        raise EntryError("door-over")
    return _page(Door(visit, permissions.helper(visit.player), visit.url("door-code", code), staff=False))


def _page(door: Door) -> HttpResponseBase:
    tournament, data, request_id = door.visit.tournament, door.visit.sent, door.visit.request_id
    if data is None:
        return _shown(door)
    if door.visit.scripted:
        return _json_response(door, data)
    do = data.get("do", "")
    try:
        if do == "open" and door.staff:
            draws.open_tournament(tournament, by=door.by, request_id=request_id)
            return door.visit.done(
                door.url, _("Entries are open.") if door.visit.online else _("The door is open. Mark who arrives.")
            )
        if do == "seat" and door.staff:
            key, sure = data.get("what", ""), bool(data.get("sure"))
            round = draws.seat_everybody(tournament, key, by=door.by, request_id=request_id, sure=sure)
            response = door.visit.done(
                door.visit.url("round", round.key),
                _("Round %(number)s is drawn and published.") % {"number": round.number},
            )
            return HttpResponseClientRedirect(response.url) if door.live else response
        if do in ("categorise", "clear-category") and door.staff:
            message = categorise(door.visit, data)
        elif do == "make-pair":
            one, two = data.get("one", ""), data.get("two", "")
            message = entrance.make_pair(tournament, one, two, by=door.by, request_id=request_id)
        else:
            message = entrance.apply_tap(
                tournament, do, data, by=door.by, request_id=request_id, sure=bool(data.get("sure"))
            )
    except AskFirst as ask:
        question = door.visit.ask_again(ask, door.back(), template="_ask" if door.live else "confirm")
        if not door.live:
            return question
        return trigger_client_event(retarget(reswap(question, "innerHTML"), "#question"), "question", after="swap")
    except Refusal as refusal:
        return _shown(door, refusal=refusal, typed=data)
    except ValidationError as error:
        return _shown(door, refusal=EntryError("bad-name", " ".join(error.messages)), typed=data)
    return _shown(door, message=message) if door.live else door.visit.done(door.back(), message)


def _json_response(door: Door, data: Mapping[str, str]) -> HttpResponse:
    """Apply a tap made without a connection, from the browser's queue.

    A question counts as a refusal; the page asks it.
    """
    visit, do = door.visit, data.get("do", "")
    try:
        message = entrance.apply_tap(visit.tournament, do, data, by=door.by, request_id=visit.request_id)
    except Refusal as refusal:
        return visit.json_refused(refusal)
    except ValidationError as error:
        return visit.json_refused(EntryError("bad-name", " ".join(error.messages)))
    return visit.json_done(message=message)


def _shown(
    door: Door, *, refusal: Refusal | None = None, message: str | Promise = "", typed: Any = None
) -> HttpResponse:
    tournament = door.visit.tournament
    alike = refusal if isinstance(refusal, Alike) else None
    tournament.refresh_from_db()
    state = state_of(tournament)
    names = selectors.names_of(tournament, state)
    taps = selectors.recent_taps(tournament, state)
    everybody = selectors.entrant_rows(state, names, taps, tell_apart=door.staff)
    query, show = door.filters()
    count = selectors.count_people(everybody, state.current)
    pairs = state.plan.kind == PAIR
    context = {
        "door": door,
        "state": state,
        "number": state.number,
        "rows": [row for row in everybody if selectors.fits_search(row, query, show)],
        "all": len(everybody),
        "count": count,
        "tables": _tables(state, count.ready),
        "seats": 0 if door.visit.online else _next_round(state),
        "next_key": draws.next_key(state),
        "part": tournaments_text.phase_name(state.phases[-1]) if len(state.phases) > 1 else "",
        "playing": draws.open_tables(state),
        "may_pause": services.may_pause(state),
        "online": door.visit.online,
        "category_form": CategoryForm(typed if typed is not None and "born_from" in typed else None),
        "query": query,
        "show": show,
        "shows": _shows(pairs, state.fee, selectors.categories_of(everybody) if door.staff else ()),
        "found": _candidates(door, state, query),
        "halves": [row for row in everybody if row.half] if pairs and door.staff else [],
        "halves_here": sum(1 for row in everybody if row.half and row.is_here),
        "pairs": pairs,
        "fee": state.fee,
        "refusal": str(refusal or ""),
        "said": message,
        "alike": [(each, naming.full_name(each)) for each in alike.members] if alike else [],
        "alike_entered": services.entered(state) if alike else (),
        "typed": _walk_in_values(query, typed),
        "walk_in_open": bool(refusal and typed is not None and str(typed.get("do", "")).startswith("walk-in")),
        "undo_seconds": selectors.UNDO_SECONDS,
        "closed": state.closed or tournament.status == Tournament.Status.CANCELLED,
    }
    template = "tournaments/registration/_people.html" if door.live else "tournaments/registration/people.html"
    response = door.visit.page(template, context, status=refusal.status if refusal else 200)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _tables(state: State, ready: int) -> tuple[str, int]:
    """The tables of the next round, in words, and how many would sit out; none of a knock-out that has begun."""
    phase = state.current
    if phase is not None and phase.plan.method == "knock-out" and phase.rounds:
        return "", 0
    try:
        return selectors.would_be(phase.plan if phase else state.plan, ready)
    except DomainError:  # a plan of an older version of the games
        return "", 0


def _next_round(state: State) -> int:
    """The number of the round that can be drawn now; 0 if none can."""
    if not state.phases:
        return 1 if state.open and not state.closed else 0
    phase = state.phases[-1]
    waits = drawing.waits_for_results(phase) and draws.open_tables(state)
    return len(phase.rounds) + 1 if draws.may_draw(state, phase) and not waits else 0


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


def _candidates(door: Door, state: Any, query: str) -> list[tuple[str, str]]:
    """People of the club's list who are not in this tournament yet and match the search; never the whole list."""
    if len(query.strip()) < LEAST_LETTERS or state.closed:
        return []
    rows = services.candidates(door.visit.club, state, query)[:FOUND]
    return [(member.public_id, naming.full_name(member)) for member in rows]


def _walk_in_values(query: str, data: Any) -> dict[str, str]:
    """The values of the walk-in's fields: what was typed there, else the words of the search."""
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
    """The page on which people enter themselves, or say that they do not come."""
    visit.check_reads()
    return visit.act_or_page(lambda: _do(visit), _ONESELF, lambda: _own_page(visit))


def _needs_name(member: Member | None) -> bool:
    return member is None or member.left_on is not None


def _own_page(visit: Visit) -> dict[str, Any]:
    tournament, state, player = visit.tournament, visit.state, visit.player
    member, entrant = by_oneself.own_entry(tournament, state, player)
    first, _blank, last = (player.name if player else "").partition(" ")
    form = PersonForm(visit.sent, initial={"first_name": first, "last_name": last})
    own = state.entrants.get(entrant)
    plays_for, substitute = by_oneself.substitution_of(state, member.public_id) if member is not None else ("", "")
    names = selectors.names_of(tournament, state)
    closed: Refusal | None = None
    if not entrant:
        try:
            by_oneself.may_enter(tournament, state, player, member)
        except Refusal as refusal:
            closed = refusal
    return {
        "form": form if _needs_name(member) else None,
        "known": entrant,
        "entrant": own,
        "own_name": naming.full_name(member) if member is not None else "",
        "plays_for": names.person(plays_for) if plays_for and not entrant else "",
        "substitute": names.person(substitute) if substitute else "",
        "closed": str(closed.message) if closed else "",
        "sign_in": isinstance(closed, AccountNeeded) and (player is None or not player.is_member),
        "next": visit.request.get_full_path(),
        "can_withdraw": bool(entrant) and not state.phases and not substitute,
        "online": plays_online(state),
        "replaced": own is not None and member is not None and own.playing_for(member.public_id)[0] != member.public_id,
        "how_online": how_it_works(state),
        "may_pause": services.may_pause(state),
        "may_return": state.current is None or entrant not in knocked_out(state, state.current),
        "pausing": bool(entrant) and services.is_pausing(state, state.entrants[entrant]),
        "left": max(0, tournament.most - len(services.entered(state))) if tournament.most else None,
        "pairs": state.plan.kind == PAIR,
        "fee": state.fee,
        **(_partners(visit, member, own) if state.plan.kind == PAIR else {}),
    }


def _partners(visit: Visit, member: Member | None, own: Entrant | None) -> dict[str, Any]:
    """What the page says about pairs: who asks the reader to play with them, and the reader's own partner or link."""
    tournament, state = visit.tournament, visit.state
    names = selectors.names_of(tournament, state)
    token = visit.request.GET.get("partner", "")
    asked_by = by_oneself.asking(tournament, state, token) if token else None
    found: dict[str, Any] = {}
    if asked_by is None or asked_by != own:  # not by their own link
        found = {"token": token, "asked_by": names.entrant(asked_by) if asked_by else ""}
    if own is None or member is None:
        return found
    if needs_partner(state, own):
        if tournament.entry != Tournament.Entry.DESK and substitutes.is_open(state):
            query = urlencode({"partner": by_oneself.token_of(tournament, member.public_id)})
            found["partner_link"] = visit.request.build_absolute_uri(f"{visit.url('enter')}?{query}")
        return found
    return found | {
        "partner": next(
            (names.person(own.playing_for(each)[0]) for each in own.members if each != member.public_id), ""
        ),
        "stays": bool(by_oneself.half_of(state, own, member.public_id)),
        "may_part": by_oneself.may_part(state, own, member.public_id),
    }


_OWN_ACTIONS: Final[Mapping[str, Promise | str]] = {
    "withdraw": _("You are not coming. The club sees it in its list."),
    "leave": _("You have left. Somebody else finishes the games that you have begun; what you have played counts."),
    "return": _("You play again from the next round on."),
    "pause": _("You sit out the next round."),
    "play-on": _("You play the next round."),
    "part": _("You are no longer a pair. Each of you needs a partner now."),
}
"""Actions on one's own entry, with the message afterwards."""


def _do(visit: Visit) -> HttpResponseBase:
    """Carry out the form: enter, or another action on one's own entry. Raises Refusal."""
    player, do, page = visit.member(), visit.request.POST.get("do", ""), visit.url("enter")
    visit.limit("enter-oneself", rate=30, burst=10)
    if do in _OWN_ACTIONS:
        by_oneself.do_oneself(visit.tournament, player, do, request_id=visit.request_id)
        return visit.done(page, _OWN_ACTIONS[do])
    partner = visit.request.POST.get("partner", "")
    if do == "play-with":
        by_oneself.play_with(visit.tournament, player, partner, request_id=visit.request_id)
        return visit.done(page, _("You are a pair now."))
    member, _entrant = by_oneself.own_entry(visit.tournament, visit.state, player)
    person = by_oneself.NOBODY
    if _needs_name(member):
        form = PersonForm(visit.sent)
        if not form.is_valid():
            return visit.page(_ONESELF, _own_page(visit), status=422)
        person = form.person()
    by_oneself.enter_oneself(visit.tournament, player, person, partner=partner, request_id=visit.request_id)
    return visit.done(page, _("You have entered."))


PER_PAGE: Final = 40
_TILL: Final = "tournaments/registration/till.html"


@dataclass(frozen=True, slots=True)
class Line:
    """An entry in the till in words. `amount` is negative for expenses; `cancelled`: why it no longer counts."""

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
        message = gettext("Written down.")
    elif verb == "count":
        count = CountForm(data, opening=visit.state.opening, counted=None)
        if not count.is_valid():
            return visit.page(_TILL, {**_context(visit), "count": count, "counting": True}, status=422)
        visit.act("till.counted", **count.counted())
        message = gettext("Counted.")
    elif verb in ("fee", "refund"):
        try:
            amount = money.read_money(data.get(f"amount_{rest}", ""))
        except ValueError:
            raise EntryError("not-money") from None
        visit.act("money.entered", kind=verb, amount=amount, who=rest)
        message = gettext("Written down.")
    elif verb == "cancel":
        visit.act("money.cancelled", id=rest, reason=data.get(f"reason_{rest}", ""))
        message = gettext("Cancelled. The entry stays to be read, with its reason.")
    else:
        raise Malformed(verb)
    return visit.done(visit.url("till"), message)


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


def _who(visit: Visit, names: Names, entry: TillEntry) -> str:
    entrant = visit.state.entrants.get(entry.who)
    return names.entrant(entrant) if entrant is not None else entry.who
