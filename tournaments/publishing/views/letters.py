"""The letter about a tournament that its staff send to the club's members: before it begins the announcement, afterwards the result."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from clubs.permissions import Act
from clubs.services import letters
from tournaments.exceptions import Moved
from tournaments.models import Tournament
from tournaments.online import notifications
from tournaments.views import Visit, planner_only


def letter_context(visit: Visit) -> dict[str, Any]:
    """The letter that the visitor may send now, for the page of the tournament; empty where there is none."""
    tournament = visit.tournament
    if not visit.plans_it or tournament.status == Tournament.Status.CANCELLED or tournament.elsewhere_since is not None:
        return {}
    if visit.state.closed:
        event, button = notifications.RANKED, _("Send the result to the members")
    elif tournament.starts > timezone.now() and not visit.state.phases:
        event, button = notifications.ANNOUNCED, _("Send the announcement to the members")
    else:
        return {}
    found = letters.letter(visit.club, event, tournament.public_id)
    return {"letter": found, "letter_event": event, "letter_button": button}


@require_POST
@planner_only
def send(visit: Visit) -> HttpResponseBase:
    """Send it, once, to the members who want letters."""
    tournament = visit.tournament
    event = letter_context(visit).get("letter_event")
    if event is None or event != visit.request.POST.get("do"):
        raise Moved
    count = letters.send(
        visit.club,
        visit.member(),
        event,
        tournament.public_id,
        lambda member: {"tournament": tournament.public_id},
        act=Act.PLAN_TOURNAMENTS,
        expires_at=tournament.starts if event == notifications.ANNOUNCED else None,
        request_id=visit.request_id,
    )
    return visit.done(visit.url("home"), letters.sent_words(count))
