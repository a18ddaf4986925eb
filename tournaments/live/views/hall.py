"""The pages that codes in the hall open.

A person’s own page, which their account opens, too; the entrance on one's own phone (find your name, tap it, and you
are in); and the big screen, a page that turns its slides by itself, in the tournament's language.
"""

from __future__ import annotations

import uuid
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts import availability
from accounts.middleware import address_of
from clubs import money
from clubs import text as club_text
from clubs.models import Member
from clubs.services.members import clean_name
from clubs.text import criterion
from core.exceptions import Refusal
from core.http import search_text
from core.limits import take
from domain.tournament.finishing import rounds_of
from domain.tournament.registering import next_round
from domain.tournament.state import EXPECTED, OUT, Entrant
from tournaments import permissions, text
from tournaments.exceptions import HallError
from tournaments.live import base, services
from tournaments.live.base import Hall, WrongCode, in_the_hall
from tournaments.live.persons import due_of, entrant_of_person, mark_things, person_seen
from tournaments.live.selectors import SLIDES, screen_seen
from tournaments.live.services import Arrived
from tournaments.models import Tournament
from tournaments.online import substitutes
from tournaments.read_models import Names, clock_seen
from tournaments.registration.by_oneself import half_of, withdrawing
from tournaments.registration.services import may_pause
from tournaments.selectors import language_of
from tournaments.services import codes, log

SEARCHES: Final = 400
"""Per address within ten minutes: enough for a whole hall that shares one, too few to spell out a list of members."""
ARRIVALS: Final = 500
"""Taps per address within an hour."""
COMING_IN: Final = 60
"""People who are not on the list, per address within an hour."""


@require_GET
@in_the_hall
def hall_code(hall: Hall, code: str) -> HttpResponseBase:
    """What the code opens; a friendly page if it is wrong or has expired."""
    what = codes.read_hall(hall.tournament, hall.state, code)
    if what == codes.DOOR:
        return base.private(HttpResponseRedirect(hall.url("door-code", code)))
    if what == codes.SCREEN:
        return screen(hall, code)
    if what == codes.ARRIVE:
        return _entrance(hall, code)
    raise WrongCode("hall")


@require_GET
@in_the_hall
def find(hall: Hall, code: str) -> HttpResponseBase:
    """The matches alone, for the page that searches while one types."""
    _check_opens(hall, code)
    return hall.page("tournaments/live/_found.html", _search(hall, code))


@csrf_exempt  # the code in the address is the right to say so; see `tournaments.live.base`
@require_POST
@in_the_hall
def arrive(hall: Hall, code: str) -> HttpResponseBase:
    """Mark somebody on the list as here."""
    _check_opens(hall, code)
    try:
        _limit(hall, "hall-in", ARRIVALS)
        arrived = services.arrive(
            hall.tournament, hall.state, hall.request.POST.get("entrant", ""), request_id=hall.request_id
        )
    except Refusal as refusal:
        hall.read_again()
        return _entrance(hall, code, refusal=str(refusal.message), status=refusal.status)
    return _redirect_to_welcome(hall, code, arrived)


@csrf_exempt
@require_POST
@in_the_hall
def come_in(hall: Hall, code: str) -> HttpResponseBase:
    """Enter somebody who is not on the list."""
    _check_opens(hall, code)
    typed = {field: hall.request.POST.get(field, "")[:200] for field in ("first_name", "last_name")}
    try:
        first, last = (clean_name(text) for text in typed.values())
        _limit(hall, "hall-new", COMING_IN)
        arrived = services.come_in(hall.tournament, hall.state, first, last, request_id=hall.request_id)
    except ValidationError as error:
        return _entrance(hall, code, walk_in=typed, walk_in_refusal=error.messages[0], status=422)
    except Refusal as refusal:
        hall.read_again()
        return _entrance(hall, code, walk_in=typed, walk_in_refusal=str(refusal.message), status=refusal.status)
    return _redirect_to_welcome(hall, code, arrived)


@require_GET
@in_the_hall
def welcome(hall: Hall, code: str, own: str) -> HttpResponseBase:
    """Welcome a person who has arrived, say what to pay, and link to the page that shows where they sit.

    If they were marked as here before, only the link is shown. Anybody can tap any name at the entrance, so no page
    reached from there lets one act for the person.
    """
    who = codes.read_arrival(hall.tournament, own)
    is_own = who is not None
    who = who or codes.read_look(hall.tournament, own)
    entrant = entrant_of_person(hall.state, who) if who else None
    _check_opens(hall, code)
    if who is None or entrant is None:
        raise WrongCode("hall")
    people = entrant.people(*next_round(hall.state))
    names = Names(hall.tournament, "hall", more=people)
    due = due_of(hall.state, entrant)
    return hall.page(
        "tournaments/live/welcome.html",
        {
            "name": " & ".join(names.person(person) for person in people),
            "own": is_own,
            "unseen": entrant.by_phone,
            "due": money.money_text(due) if due > 0 else "",
            "entrance": hall.url("hall-code", code),
            "pages": [
                {
                    "name": names.person(person),
                    "url": hall.url("person", codes.look_code(hall.tournament, person)),
                    "absolute": hall.absolute("person", codes.look_code(hall.tournament, person)),
                }
                for person in people
            ],
        },
    )


def _entrance(hall: Hall, code: str, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"code": code, "walk_in": {}, **_search(hall, code), **more}
    return hall.page("tournaments/live/entrance.html", context, status=status)


def _search(hall: Hall, code: str) -> dict[str, Any]:
    typed = search_text(hall.request, "q")
    context: dict[str, Any] = {"code": code, "q": typed, "search": None, "too_often": False}
    if not typed or not _is_open(hall):
        return context
    if not take(f"hall-find:{address_of(hall.request)}", rate=SEARCHES, per=600, burst=SEARCHES):
        return context | {"too_often": True}
    return context | {"search": services.search(hall.state, Names(hall.tournament, "hall"), typed)}


def _redirect_to_welcome(hall: Hall, code: str, arrived: Arrived) -> HttpResponseBase:
    hall.read_again()
    code_of = codes.arrival_code if arrived.by_this else codes.look_code
    return base.done_response(hall, hall.url("welcome", code, code_of(hall.tournament, arrived.person)))


def _is_open(hall: Hall) -> bool:
    """Whether people can come in. Before and after, the sheet at the entrance shows no names."""
    state = hall.state
    return state.open and not state.closed and hall.tournament.status != Tournament.Status.CANCELLED


def _check_opens(hall: Hall, code: str) -> None:
    """Raise WrongCode unless this is the code of the entrance."""
    if codes.read_hall(hall.tournament, hall.state, code) != codes.ARRIVE:
        raise WrongCode("hall")


def _limit(hall: Hall, what: str, most: int) -> None:
    if not take(f"{what}:{address_of(hall.request)}", rate=most, per=3600, burst=most):
        raise HallError("too-often")


# the big screen


def screen(hall: Hall, code: str) -> HttpResponseBase:
    """The page for the projector.

    The caller has checked the code. `show` chooses slides; by default all with content turn.
    """
    return _screen_page(hall, code, "tournaments/live/screen.html")


@require_GET
@in_the_hall
def screen_since(hall: Hall, code: str) -> HttpResponseBase:
    """The slides of the screen if anything has happened since `mark`, else 204."""
    if codes.read_hall(hall.tournament, hall.state, code) != codes.SCREEN:
        raise WrongCode("hall")
    if hall.request.GET.get("mark") == str(hall.state.number):
        return base.unchanged(hall)
    return _screen_page(hall, code, "tournaments/live/_screen.html")


def _screen_page(hall: Hall, code: str, template: str) -> HttpResponse:
    with translation.override(language_of(hall.tournament)):
        return hall.page(template, _screen(hall, code))


def _screen(hall: Hall, code: str) -> dict[str, Any]:
    names = Names(hall.tournament, "hall")
    seen = screen_seen(hall.tournament, hall.state, names, _title(hall))
    chosen = [name for name in hall.request.GET.get("show", "").split(",") if name in SLIDES]
    return {
        "screen": seen,
        "code": code,
        "mark": str(hall.state.number),
        "clock": seen.clock,
        "chosen": ",".join(chosen),
        "criteria": [criterion(name) for name in seen.criteria],
        "entrance": hall.absolute("hall-code", codes.hall_code(hall.tournament, hall.state, codes.ARRIVE)),
        # For phones; empty if strangers may not read the page.
        "page": hall.absolute("home") if hall.tournament.is_public else "",
        "live": {"socket": f"/ws/e/{hall.tournament.public_id}/", "since": hall.url("screen-since", code)},
    }


def _title(hall: Hall) -> str:
    """What is going on, in a few words; empty between rounds."""
    state = hall.state
    if state.closed:
        return _("Final ranking")
    playing = [phase.rounds[-1] for phase in state.phases if phase.rounds and phase.rounds[-1].status == OUT]
    if not playing:
        return ""
    first = playing[0]
    phase = state.phases[first.phase - 1]
    text = _("Round %(number)s of %(of)s") % {"number": first.number, "of": rounds_of(state, phase)}
    return f"{phase.name} · {text}" if phase.name and len(playing) == 1 else text


MOST_VALUES: Final = 3
"""How many criteria are shown: the first ones say something at a glance."""


@require_GET
@in_the_hall
def person(hall: Hall, code: str) -> HttpResponseBase:
    """A person's own page: where they sit, with whom, the results of their rounds, and their rank.

    The link to the sheet of their table, and what they pay, are shown only with their own code.
    """
    person_and_entrant = _opened(hall, code, to_act=False)
    return hall.page("tournaments/live/person.html", _context(hall, code, *person_and_entrant))


@require_GET
@in_the_hall
def person_since(hall: Hall, code: str) -> HttpResponseBase:
    """The content of a person's page if it has changed since `mark`, else 204."""
    person_and_entrant = _opened(hall, code, to_act=False)
    if hall.request.GET.get("mark") == _mark(hall, *person_and_entrant):
        return base.unchanged(hall)
    return hall.page("tournaments/live/_person.html", _context(hall, code, *person_and_entrant))


@csrf_exempt  # the code in the address is the right to say so; see `tournaments.live.base`
@require_POST
@in_the_hall
def withdraw(hall: Hall, code: str) -> HttpResponseBase:
    """Note that an expected person does not come. Somebody who has arrived already tells the director instead."""
    who, entrant = _opened(hall, code)
    try:
        hall.limit_writing(code)
        if entrant.status == EXPECTED:
            by = permissions.oneself(None, who)
            doings = withdrawing(hall.state, entrant, who)
            log.act(hall.tournament.pk, doings, by=by, request_id=hall.request_id)
    except Refusal as refusal:
        hall.read_again()
        context = _context(hall, code, *_opened(hall, code)) | {"refusal": str(refusal.message)}
        return hall.page("tournaments/live/person.html", context, status=refusal.status)
    return base.done_response(hall, hall.url("person", code))


@require_GET
@in_the_hall
def me(hall: Hall) -> HttpResponseBase:
    """The own page of a visitor who is signed in and in the club's list."""
    player = hall.request.visit.player
    if player is None or not player.is_member:
        return HttpResponseRedirect(f"{reverse('account_login')}?next={hall.request.path}")
    entries = Member.objects.filter(player=player, participations__tournament=hall.tournament)
    entry = entries.order_by("pk").first()
    if entry is None:
        return hall.page("tournaments/live/not_me.html", {}, status=404)
    return base.private(HttpResponseRedirect(hall.url("person", codes.person_code(hall.tournament, entry.public_id))))


def _opened(hall: Hall, code: str, *, to_act: bool = True) -> tuple[str, Entrant]:
    """The person whose page a code opens, and their entrant.

    Codes that only show are refused `to_act`. Raises WrongCode.
    """
    who = codes.read_person(hall.tournament, code) or (None if to_act else codes.read_look(hall.tournament, code))
    entrant = entrant_of_person(hall.state, who) if who else None
    if who is None or entrant is None:
        raise WrongCode("person")
    return who, entrant


def _mark(hall: Hall, who: str, entrant: Entrant) -> str:
    return base.mark_of(*mark_things(hall.tournament, hall.state, who, entrant))


def _context(hall: Hall, code: str, who: str, entrant: Entrant) -> dict[str, Any]:
    names = Names(hall.tournament, "hall", more=[who, *entrant.members])
    seen = person_seen(hall.tournament, hall.state, who, entrant, names)
    round = hall.state.round(seen.now.round_key) if seen.now else None
    own = codes.read_person(hall.tournament, code) is not None
    return {
        "own": own,
        "seen": seen,
        "code": code,
        "mark": _mark(hall, who, entrant),
        "status_words": text.entrant_state(entrant.status),
        "may_pause": may_pause(hall.state),
        "clock": clock_seen(round) if round else None,
        "knock_out": round is not None and hall.state.phases[round.phase - 1].plan.method == "knock-out",
        "fee": money.money_text(seen.fee) if own and seen.fee else "",
        "due": money.money_text(seen.due) if own and seen.due > 0 else "",
        "values": [
            (club_text.criterion(name), club_text.criterion_value(name, value))
            for name, value in (seen.rank.values if seen.rank else ())
            if value is not None
        ][:MOST_VALUES],
        "may_withdraw": own
        and entrant.status == EXPECTED
        and not seen.rounds
        and who == entrant.playing_for(who)[0]
        and who in entrant.members,
        "stays": bool(half_of(hall.state, entrant, who)),
        "request_id": uuid.uuid4(),
        "online": substitutes.plays_online(hall.state),
        # The visitor's; that of the site for somebody who is not signed in.
        "zone": availability.zone_of(hall.request.visit.player)
        if hall.request.visit.player is not None
        else ZoneInfo(settings.TIME_ZONE),
        "live": {"socket": f"/ws/e/{hall.tournament.public_id}/", "since": hall.url("person-since", code)},
    }
