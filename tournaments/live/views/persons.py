"""A person's own page, by their code or by the account their entry belongs to."""

from __future__ import annotations

import uuid
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts import availability
from clubs import money
from clubs import text as club_text
from clubs.models import Member
from core.exceptions import Refusal
from domain.tournament.state import EXPECTED, Entrant
from tournaments import permissions, text
from tournaments.live import base
from tournaments.live.base import Hall, WrongCode, in_the_hall
from tournaments.live.persons import entrant_of_person, mark_things, person_seen
from tournaments.online import substitutes
from tournaments.read_models import Names, clock_seen
from tournaments.services import codes, log

MOST_VALUES: Final = 3
"""Of the criteria those that mean something at a glance."""


@require_GET
@in_the_hall
def person(hall: Hall, code: str) -> HttpResponseBase:
    """Where somebody sits, with whom, what their rounds brought, where they stand.

    The way to the sheet of their table, and what they pay, only by the code that is theirs alone.
    """
    found = _opened(hall, code, to_act=False)
    return hall.page("tournaments/live/person.html", _context(hall, code, *found))


@require_GET
@in_the_hall
def person_since(hall: Hall, code: str) -> HttpResponseBase:
    """The same without its frame if anything of it has changed since `mark`, else 204."""
    found = _opened(hall, code, to_act=False)
    if hall.request.GET.get("mark") == _mark(hall, *found):
        return base.unchanged(hall)
    return hall.page("tournaments/live/_person.html", _context(hall, code, *found))


@csrf_exempt  # the code in the address is the right to say so; see `tournaments.live.base`
@require_POST
@in_the_hall
def withdraw(hall: Hall, code: str) -> HttpResponseBase:
    """Somebody who is expected does not come. Who is here already tells the director."""
    who, entrant = _opened(hall, code)
    try:
        hall.limit_writing(code)
        if entrant.status == EXPECTED:
            by = permissions.oneself(None, who)
            log.act(hall.tournament.pk, [("entrant.withdrawn", {"id": entrant.id})], by=by, request_id=hall.request_id)
    except Refusal as refusal:
        hall.read_again()
        context = _context(hall, code, *_opened(hall, code)) | {"refusal": str(refusal.message)}
        return hall.page("tournaments/live/person.html", context, status=refusal.status)
    return base.done_answer(hall, hall.url("person", code))


@require_GET
@in_the_hall
def me(hall: Hall) -> HttpResponseBase:
    """The own page of whoever is signed in and stands in the club's list."""
    player = hall.request.visit.player
    if player is None or not player.is_member:
        return HttpResponseRedirect(f"{reverse('account_login')}?next={hall.request.path}")
    entries = Member.objects.filter(player=player, participations__tournament=hall.tournament)
    entry = entries.order_by("pk").first()
    if entry is None:
        return hall.page("tournaments/live/not_me.html", {}, status=404)
    return base.private(HttpResponseRedirect(hall.url("person", codes.person_code(hall.tournament, entry.public_id))))


def _opened(hall: Hall, code: str, *, to_act: bool = True) -> tuple[str, Entrant]:
    """Whose page a code opens; also one by which one only looks, unless it is `to_act`. Raises WrongCode."""
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
        "clock": clock_seen(round) if round else None,
        "fee": money.money_text(seen.fee) if own and seen.fee else "",
        "due": money.money_text(seen.due) if own and seen.due > 0 else "",
        "values": [
            (club_text.criterion(name), club_text.criterion_value(name, value))
            for name, value in (seen.rank.values if seen.rank else ())
            if value is not None
        ][:MOST_VALUES],
        "may_withdraw": own and entrant.status == EXPECTED and not seen.rounds,
        "request_id": uuid.uuid4(),
        "online": substitutes.plays_online(hall.state),
        # Of whoever looks; that of the hall for somebody who is not signed in.
        "zone": availability.zone_of(hall.request.visit.player)
        if hall.request.visit.player is not None
        else ZoneInfo(settings.TIME_ZONE),
        "live": {"socket": f"/ws/e/{hall.tournament.public_id}/", "since": hall.url("person-since", code)},
    }
