"""Online rounds on the director’s pages: deadlines, tables that are late, people without an account."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import naming
from clubs import text as club_text
from clubs.models import Member
from domain.tournament.rounds import FORFEITED, POSTPONED
from domain.tournament.state import CLOSED, CONFIRMED, DRAFT, OUT, Phase, Round, State, Table
from tournaments.director.base import Action, Desk, event_action
from tournaments.exceptions import Refused
from tournaments.online import selectors, services, substitutes

LOCAL: Final = "%Y-%m-%dT%H:%M"


def round_context(desk: Desk, phase: Phase, round: Round) -> Mapping[str, Any]:
    """The additional context of the page of an online round; only `online` None for a round in the hall."""
    online = phase.plan.online
    if online is None:
        return {"online": None}
    draft = round.status == DRAFT
    until = datetime.fromisoformat(round.deadline) if round.deadline else None
    return {
        "online": online,
        "deadline": until,
        "overdue": until is not None and until <= timezone.now(),
        "deadline_field": local(until or services.deadline_for(phase.plan)),
        "running": () if draft else selectors.running(desk.state, round, desk.names, desk.player),
        "no_account": no_account(desk.state, substitutes.missing_at(round)) if round.status in (DRAFT, OUT) else (),
        "at_the_deadline": ""
        if round.status == CLOSED
        else _("If a table is not over then: %(what)s.")
        % {"what": club_text.choice("overdue", phase.plan.rules.overdue)},
    }


def no_account(state: State, members: Iterable[Member]) -> list[dict[str, str]]:
    """People who cannot be seated online: their names, their entries in the club's list, and their entrants."""
    entrants = {person: each.id for each in state.entrants.values() for person in each.members}
    return [
        {"name": naming.full_name(each), "member": each.public_id, "entrant": entrants.get(each.public_id, "")}
        for each in members
    ]


def missing(desk: Desk, phase: Phase | None) -> list[dict[str, str]]:
    """The people without an account who are to be seated in the next round; empty if it is played in the hall."""
    plan = phase.plan if phase is not None else desk.state.plan
    if plan.online is None or desk.state.closed:
        return []
    return no_account(desk.state, substitutes.missing_accounts(desk.state, phase, desk.tournament))


def table_context(desk: Desk, phase: Phase, round: Round, table: Table) -> Mapping[str, Any]:
    """The additional context of the page of a table in an online round; only `online` None for one in the hall."""
    online = phase.plan.online
    if online is None:
        return {"online": None}
    alone = replace(round, tables={table.number: table})
    games = selectors.games_of(alone)
    (shown,) = selectors.running(desk.state, alone, desk.names, desk.player, games)
    waiting = selectors.waiting(desk.state, table, games.get(table.number))
    return {
        "online": online,
        "running": shown,
        "deadline": datetime.fromisoformat(round.deadline) if round.deadline else None,
        "may_postpone": round.status == OUT and not table.lines and not shown.late and bool(table.game),
        "may_forfeit": round.status != DRAFT and not table.lines and not table.forfeit,
        "may_let_go": bool(table.game) and not table.lines and table.state != CONFIRMED,
        "keepers": [(id, desk.name(id), id in waiting) for id in table.seats if not desk.state.entrants[id].house],
    }


def local(moment: datetime) -> str:
    """A moment as the value of a date and time field, in the current time zone."""
    return timezone.localtime(moment).strftime(LOCAL)


def read_moment(desk: Desk, field: str) -> datetime | None:
    """The moment in a date and time field; None if it is empty. Raises Refused."""
    text = desk.text(field)
    if not text:
        return None
    try:
        return timezone.make_aware(datetime.fromisoformat(text[:16]).replace(tzinfo=None))
    except (ValueError, OverflowError):
        raise Refused("no-time", field) from None


# what is done


def publish(desk: Desk, key: str) -> str:
    """Publish a round, online with the deadline of the form."""
    until = read_moment(desk, "deadline")
    if until is not None and until <= timezone.now():
        raise Refused("time-is-past", "deadline")
    services.publish_round(desk.tournament, key, by=desk.director, request_id=desk.request_id, deadline=until)
    return desk.url("round", key)


def move_deadline(desk: Desk, key: str) -> str:
    """Move the deadline of a round."""
    until = read_moment(desk, "deadline")
    if until is None:
        raise Refused("missing", "deadline")
    if until <= timezone.now():
        raise Refused("time-is-past", "deadline")
    desk.act("deadline.set", round=key, deadline=until.isoformat(), reason=desk.text("reason"))
    return desk.url("round", key)


def forfeit(desk: Desk, key: str) -> str:
    """Forfeit a table for those who kept it waiting."""
    desk.act("table.overdue", table=key, how=FORFEITED, who=desk.texts("who"))
    return desk.url("table", key)


ON_A_ROUND: Final[Mapping[str, Action]] = {"deadline": move_deadline}
ON_A_TABLE: Final[Mapping[str, Action]] = {
    # The tournament goes on without this table, which counts once it is finished.
    "postpone": event_action("table.overdue", "table", how=POSTPONED, who=[]),
    "forfeit": forfeit,
    # The game of the table ends without counting.
    "let-go": event_action("table.abandoned", "table", "reason", substitutes=True),
}
