"""The entrance over HTTP: one list for staff and for helpers with a code, whole without script; and entering by oneself."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django_htmx.http import reswap, retarget, trigger_client_event

from accounts.middleware import address_of
from accounts.models import Player
from clubs import naming
from clubs.exceptions import AccountNeeded, ClubError
from clubs.forms.club import PersonForm
from core.exceptions import Refusal
from core.http import require_safe_or_post
from core.limits import take
from domain.errors import DomainError
from domain.tournament.state import PAIR, State
from tournaments import permissions
from tournaments.exceptions import Alike, AskFirst, EntryError
from tournaments.models import Tournament
from tournaments.online.substitutes import plays_online
from tournaments.permissions import Actor
from tournaments.publishing.travellers import how_it_works
from tournaments.registration import selectors, services, taps
from tournaments.registration.selectors import SHOW
from tournaments.selectors import state_of
from tournaments.services import codes
from tournaments.views import Visit, at_tournament, done, tournament_page

FOUND: Final = 12
"""People of the club's list who are shown for what was typed."""
LEAST_LETTERS: Final = 2


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
        query, show = asked.get("q", "")[:80], asked.get("show", "all")
        return query, show if show in SHOW else "all"

    def back(self) -> str:
        """The list as it was asked for."""
        query, show = self.asked_for()
        asked = {name: value for name, value in (("q", query), ("show", show)) if value and value != "all"}
        return f"{self.url}?{urlencode(asked)}" if asked else self.url


@require_safe_or_post
@at_tournament
def door(visit: Visit) -> HttpResponseBase:
    """The entrance, for who runs the tournament."""
    visit.check_runs()
    return _page(Door(visit, visit.asked.director, visit.url("door"), staff=True))


@require_safe_or_post
@at_tournament
def by_code(visit: Visit, code: str) -> HttpResponseBase:
    """The entrance, for whoever holds its code. Raises ``wrong-code``, ``too-many-guesses``, ``door-over``: who helped one
    evening reads the club's list that evening, and takes no fees after it."""
    asked = visit.asked
    if codes.read_hall(asked.tournament, asked.state, code) != codes.DOOR:
        if not take(f"hall-code:{address_of(visit.request)}", rate=20, per=600, burst=20):
            raise EntryError("too-many-guesses")
        raise EntryError("wrong-code")
    if asked.state.closed or asked.tournament.status == Tournament.Status.CANCELLED:
        raise EntryError("door-over")
    return _page(Door(visit, permissions.helper(asked.player), visit.url("door-code", code), staff=False))


def _page(at: Door) -> HttpResponseBase:
    request = at.visit.request
    if request.method != "POST":
        return _shown(at)
    data = request.POST
    sure = bool(data.get("sure"))
    try:
        if data.get("do") == "make-pair":
            one, two = data.get("one", ""), data.get("two", "")
            said = taps.make_pair(at.visit.asked.tournament, one, two, by=at.by, request_id=at.visit.sent)
        else:
            said = taps.apply_tap(
                at.visit.asked.tournament, data.get("do", ""), data, by=at.by, request_id=at.visit.sent, sure=sure
            )
    except AskFirst as ask:
        return _ask(at, ask)
    except Alike as alike:
        return _shown(at, refusal=str(alike.message), alike=alike, typed=data, status=alike.status)
    except Refusal as refusal:
        return _shown(at, refusal=str(refusal.message), typed=data, status=refusal.status)
    except ValidationError as wrong:
        return _shown(at, refusal=" ".join(wrong.messages), typed=data, status=422)
    if at.live:
        return _shown(at, said=said)
    messages.success(request, said)
    return done(at.back())


def _ask(at: Door, ask: AskFirst) -> HttpResponse:
    """Ask once more. The question keeps its request id, so that yes twice is yes once."""
    context = {
        "title": str(ask.message),
        "lost": [],
        "button": ask.button,
        "back": at.back(),
        "action": at.back(),
        "hidden": {"do": ask.do, "sure": "1"},
        "tab": "door",
    }
    if not at.live:
        return tournament_page(at.visit, "tournaments/registration/confirm.html", context)
    question = tournament_page(at.visit, "tournaments/registration/_ask.html", context)
    return trigger_client_event(retarget(reswap(question, "innerHTML"), "#question"), "question", after="swap")


def _shown(
    at: Door,
    *,
    refusal: str = "",
    said: str = "",
    alike: Alike | None = None,
    typed: Any = None,
    status: int = 200,
) -> HttpResponse:
    tournament = at.visit.asked.tournament
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
        "query": query,
        "show": show,
        "shows": _shows(pairs, state.fee),
        "found": _found(at, state, query),
        "halves": [row for row in everybody if row.half] if pairs and at.staff else [],
        "halves_here": sum(1 for row in everybody if row.half and row.is_here),
        "pairs": pairs,
        "fee": state.fee,
        "refusal": refusal,
        "said": said,
        "alike": [(each, naming.full_name(each)) for each in alike.members] if alike else [],
        "alike_entered": services.entered(state) if alike else (),
        "typed": _typed(query, typed),
        "walk_in_open": bool(refusal and typed is not None and str(typed.get("do", "")).startswith("walk-in")),
        "undo_seconds": selectors.UNDO_SECONDS,
        "closed": state.closed or tournament.status == Tournament.Status.CANCELLED,
        "request_id": uuid.uuid4(),
        "tab": "door",
    }
    template = "tournaments/registration/_door.html" if at.live else "tournaments/registration/door.html"
    response = tournament_page(at.visit, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _tables(state: Any, ready: int) -> tuple[str, int]:
    try:
        return selectors.would_be(state.plan, ready)
    except DomainError:  # a plan of an older version of the games
        return "", 0


def _shows(pairs: bool, fee: int) -> list[tuple[str, str]]:
    found = [("all", _("all")), ("expected", _("not here yet")), ("here", _("here"))]
    if pairs:
        found.append(("partner", _("needs a partner")))
    if fee:
        found.append(("owing", _("still to pay")))
    return [*found, ("away", _("gone"))]


def _found(at: Door, state: Any, query: str) -> list[tuple[str, str]]:
    """People of the club's list who are not in this tournament yet: only for what was typed, never the whole list."""
    if len(query.strip()) < LEAST_LETTERS or state.closed:
        return []
    rows = services.candidates(at.visit.asked.tournament.club, state, query)[:FOUND]
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
    asked = visit.asked
    tournament, state, player = asked.tournament, asked.state, asked.player
    if not tournament.is_public and asked.standing.member is None:
        raise Http404
    member, known = services.own_entry(tournament, state, player)
    needs_name = member is None or member.left_on is not None
    data = visit.request.POST if visit.request.method == "POST" else None
    first, _blank, last = (player.name if player else "").partition(" ")
    form = PersonForm(data, initial={"first_name": first, "last_name": last})
    refusal, status = "", 200
    if data is not None:
        try:
            answer = _oneself(visit, form, needs_name=needs_name)
            if answer is not None:
                return answer
            status = 422
        except Refusal as why:
            refusal, status = str(why.message), why.status
    closed: Refusal | None = None
    if not known:
        try:
            services.may_enter(tournament, state, player, member)
        except Refusal as why:
            closed = why
    context: dict[str, Any] = {
        "form": form if needs_name else None,
        "known": known,
        "entrant": state.entrants.get(known) if known else None,
        "own_name": naming.full_name(member) if member is not None else "",
        "closed": str(closed.message) if closed else "",
        "sign_in": isinstance(closed, AccountNeeded) and (player is None or not player.is_member),
        "next": visit.request.path,
        "can_withdraw": bool(known) and not state.phases,
        "online": plays_online(state) and not state.closed,
        "how_online": how_it_works(state.current.plan if state.current else state.plan),
        "pausing": bool(known) and is_pausing(state, known),
        "left": max(0, tournament.most - len(services.entered(state))) if tournament.most else None,
        "pairs": state.plan.kind == PAIR,
        "fee": state.fee,
        "refusal": refusal if not closed or refusal != str(closed.message) else "",
        "tab": "home",
    }
    return tournament_page(visit, "tournaments/registration/oneself.html", context, status=status)


def _oneself(visit: Visit, form: PersonForm, *, needs_name: bool) -> HttpResponseBase | None:
    asked = visit.asked
    if asked.player is None or not asked.player.is_member:
        raise AccountNeeded
    if not take(f"enter-oneself:{asked.player.pk}", rate=30, per=3600, burst=10):
        raise ClubError("too-often")
    if (do := visit.request.POST.get("do", "")) in _LATER:
        told = _later(asked.tournament, asked.player, do, visit.sent)
        messages.success(visit.request, told)
        return done(visit.url("enter"))
    if visit.request.POST.get("do") == "withdraw":
        services.withdraw_oneself(asked.tournament, asked.player, request_id=visit.sent)
        messages.success(visit.request, _("You do not come. The club sees it in its list."))
        return done(visit.url("enter"))
    if needs_name and not form.is_valid():
        return None
    person = form.person() if needs_name else services.NOBODY
    services.enter_oneself(asked.tournament, asked.player, person, request_id=visit.sent)
    messages.success(visit.request, _("You have entered. See you there!"))
    return done(visit.url("enter"))


_LATER: Final = frozenset({"pause", "play-on", "leave", "return"})
"""What somebody does in the middle of a season that is played online."""


def _later(tournament: Tournament, player: Player, do: str, request_id: uuid.UUID) -> str:
    """Do it, and say what was done. Raises Refusal."""
    if do == "leave":
        services.leave_oneself(tournament, player, request_id=request_id)
        return _("You have left. Somebody else finishes your games; what you have played counts.")
    if do == "return":
        services.return_oneself(tournament, player, request_id=request_id)
        return _("You play again from the next round on.")
    services.pause_oneself(tournament, player, off=do == "play-on", request_id=request_id)
    return _("You sit out the next round.") if do == "pause" else _("You play the next round.")


def is_pausing(state: State, entrant: str) -> bool:
    """Whether an entrant sits out the next round."""
    phase = state.current
    key = f"{phase.number}.{len(phase.rounds) + 1}" if phase else "1.1"
    return key in state.entrants[entrant].pauses
