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
from accounts.middleware import PlayerRequest
from clubs import text as club_text
from clubs.models import Member
from core.exceptions import Refusal
from domain.tournament.state import EXPECTED, Entrant
from tournaments import permissions, text
from tournaments.live import base
from tournaments.live.base import Hall, in_the_hall
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
    found = _opened(hall, code) or _looked_at(hall, code)
    if found is None:
        return base.wrong(hall, "person")
    return base.page(hall, "tournaments/live/person.html", _context(hall, code, *found))


@require_GET
@in_the_hall
def person_since(hall: Hall, code: str) -> HttpResponseBase:
    """The same without its frame if anything of it has changed since `mark`, else 204."""
    found = _opened(hall, code) or _looked_at(hall, code)
    if found is None:
        return base.wrong(hall, "person")
    if hall.request.GET.get("mark") == _mark(hall, *found):
        return base.unchanged(hall)
    return base.page(hall, "tournaments/live/_person.html", _context(hall, code, *found))


@csrf_exempt  # the code in the address is the right to say so; see `tournaments.live.base`
@require_POST
@in_the_hall
def withdraw(hall: Hall, code: str) -> HttpResponseBase:
    """Somebody who is expected does not come. Who is here already tells the director."""
    found = _opened(hall, code)
    if found is None:
        return base.wrong(hall, "person")
    who, entrant = found
    refusal: Refusal | None = None
    try:
        hall.limit_writing(code)
        if entrant.status == EXPECTED:
            by = permissions.oneself(None, who)
            log.act(hall.tournament.pk, [("entrant.withdrawn", {"id": entrant.id})], by=by, request_id=hall.sent)
    except Refusal as why:
        refusal = why
    if refusal is None:
        return base.done_answer(hall, hall.url("person", code))
    hall.look_again()
    found = _opened(hall, code)
    if found is None:
        return base.wrong(hall, "person")
    context = _context(hall, code, *found) | {"refusal": str(refusal.message)}
    return base.page(hall, "tournaments/live/person.html", context, status=refusal.status)


@require_GET
def me(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The own page of whoever is signed in and stands in the club's list."""
    return _me(request, public_id)


@in_the_hall
def _me(hall: Hall) -> HttpResponseBase:
    player = hall.request.visit.player  # type: ignore[attr-defined]  # the middleware's
    if player is None or not player.is_member:
        return HttpResponseRedirect(f"{reverse('account_login')}?next={hall.request.path}")
    entries = Member.objects.filter(player=player, participations__tournament=hall.tournament)
    entry = entries.order_by("pk").first()
    if entry is None:
        return base.page(hall, "tournaments/live/not_me.html", {}, status=404)
    return base.private(HttpResponseRedirect(hall.url("person", codes.person_code(hall.tournament, entry.public_id))))


def _opened(hall: Hall, code: str) -> tuple[str, Entrant] | None:
    return _person_of(hall, codes.read_person(hall.tournament, code))


def _looked_at(hall: Hall, code: str) -> tuple[str, Entrant] | None:
    """As `_opened`, by a code that does not let one act."""
    return _person_of(hall, codes.read_look(hall.tournament, code))


def _person_of(hall: Hall, who: str | None) -> tuple[str, Entrant] | None:
    entrant = entrant_of_person(hall.state, who) if who else None
    return (who, entrant) if who and entrant else None


def _zone(hall: Hall) -> ZoneInfo:
    """The time zone of whoever looks; that of the hall for who is not signed in."""
    player = hall.request.visit.player  # type: ignore[attr-defined]  # the middleware's
    return availability.zone_of(player) if player is not None else ZoneInfo(settings.TIME_ZONE)


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
        "fee": text.money_text(seen.fee) if own and seen.fee else "",
        "due": text.money_text(seen.due) if own and seen.due > 0 else "",
        "values": [
            (club_text.criterion(name), club_text.criterion_value(name, value))
            for name, value in (seen.rank.values if seen.rank else ())
            if value is not None
        ][:MOST_VALUES],
        "may_withdraw": own and entrant.status == EXPECTED and not seen.rounds,
        "request_id": uuid.uuid4(),
        "online": substitutes.plays_online(hall.state),
        "zone": _zone(hall),
        "live": {"socket": f"/ws/e/{hall.tournament.public_id}/", "since": hall.url("person-since", code)},
    }
