"""The only way to write to the log of a tournament: everything that happens goes through here.

First the lock on the tournament's row (in SQLite: the single write lock), then the checks, all in one transaction; open
pages are notified after the commit. A refusal changes nothing. A repeated request does nothing twice and gets its first
receipt.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias, cast

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from clubs.models import Member
from core.exceptions import Refusal
from domain.errors import DomainError
from domain.tournament.events import Event, apply, replay
from domain.tournament.payload import Plain, tidy
from domain.tournament.state import DRAFT, MERGED, WITHDRAWN, State
from tournaments import permissions, signals
from tournaments.exceptions import Moved, Refused, TournamentError
from tournaments.models import Participation, Tournament, TournamentEvent
from tournaments.permissions import Actor
from tournaments.selectors import event_of, keep_after_commit, state_of, states_of

NewEvent: TypeAlias = tuple[str, dict[str, Plain]]
"""A kind of event and its data."""
MOST_AT_ONCE: Final = 2_000
TRIES: Final = 5
"""How often a decision is made again because something else happened meanwhile, before it is made under the lock."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of a request: the events it wrote, and the state after the last of them."""

    events: tuple[Event, ...]
    state: State
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event from a file, with its request, so that the request is recognized here too if it is repeated."""

    event: Event
    request_id: uuid.UUID | None
    digest: str


def act(
    tournament_id: int,
    doings: Sequence[NewEvent] | Callable[[State], Sequence[NewEvent]],
    *,
    by: Actor,
    request_id: uuid.UUID,
    expected: int | None = None,
    same: str = "",
    at: datetime | None = None,
) -> Receipt:
    """Write `doings` to the log, all of them or none, if its last event is still `expected` (None: any).

    `doings` may be a function of the state under the lock; it may raise Refusal. Takes the write lock on the
    tournament's row. Raises Refused (422), Moved (409), ``not-allowed``, ``cancelled``, ``elsewhere``,
    ``request-reused``, and what listeners refuse (`signals`). A request id seen before returns its first receipt if the
    request is the same: `same` identifies the request if `doings` contain something drawn, or are a function. Every
    event gets the same time: `at`, or now.
    """
    assert same or not callable(doings)
    digest = _digest(same or tuple(cast("Sequence[NewEvent]", doings)), by)
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        before = _first_receipt(tournament, request_id, digest)
        if before is not None:
            return before
        if tournament.status == Tournament.Status.CANCELLED:
            raise TournamentError("cancelled")
        if tournament.elsewhere_since is not None and by.what != permissions.SITE:
            raise TournamentError("elsewhere")
        if expected is not None and expected != tournament.number:
            raise Moved
        old = state = state_of(tournament)
        decided = doings(state) if callable(doings) else doings
        assert 1 <= len(decided) <= MOST_AT_ONCE
        now = at or timezone.now()
        events: list[Event] = []
        for kind, fields in (*_season_loaded(tournament, state, decided), *decided):
            data = {field: tidy(value) for field, value in fields.items()}
            permissions.check_may(by, kind, data)
            event = Event(state.number + 1, now.isoformat(), kind, data, by.name)
            state = _next(tournament, state, event)
            events.append(event)
        rows = [_row(tournament, event, now, by.player) for event in events]
        rows[0].request_id, rows[0].digest = request_id, digest
        _write(tournament, old, state, rows, events, by)
        return Receipt(tuple(events), state)


def go_on(tournament_id: int, told: Sequence[LoggedEvent], *, after: int) -> State:
    """Take over the events of another site if the last event here is `after`; the tournament then continues here.

    Takes the write lock on the tournament's row. Raises Moved, and Refused for events that cannot have happened.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        if tournament.number != after:
            raise Moved
        old = state = state_of(tournament)
        for each in told:
            if tidy(dict(each.event.data)) != each.event.data:
                raise Refused("bad-data", "events")
            state = _next(tournament, state, each.event)
        rows = []
        for each in told:
            row = _row(tournament, each.event, datetime.fromisoformat(each.event.at), None)
            row.request_id, row.digest = each.request_id, each.digest
            rows.append(row)
        tournament.elsewhere_since = None
        tournament.save(update_fields=["elsewhere_since"])
        _write(tournament, old, state, rows, [each.event for each in told], permissions.SITE_ITSELF)
        return state


def act_as_site(tournament_id: int, doings: Sequence[NewEvent], now: datetime | None = None) -> Receipt:
    """Write `doings` to the log as the site itself; see `act`."""
    return act(tournament_id, doings, by=permissions.SITE_ITSELF, request_id=uuid.uuid4(), at=now)


def decide(
    tournament: Tournament,
    make: Callable[[State], Sequence[NewEvent]],
    *,
    by: Actor,
    request_id: uuid.UUID,
    same: str,
    at: datetime | None = None,
) -> Receipt:
    """Write to the log what `make` returns for the current state.

    It is called again if something else happens meanwhile.

    After `TRIES` attempts it is called under the lock, so that nobody is turned away because many act at once. `make`
    may raise DomainError or Refusal. Raises what `act` raises, except Moved.
    """

    def doings_for(state: State) -> Sequence[NewEvent]:
        try:
            return make(state)
        except DomainError as error:
            raise Refused.of(error) from None

    before = repeated(tournament, request_id, same, by)
    if before is not None:
        return before
    for _try in range(TRIES):
        state = state_of(tournament)
        doings = doings_for(state)
        with suppress(Moved):
            return act(tournament.pk, doings, by=by, request_id=request_id, expected=state.number, same=same, at=at)
        tournament.refresh_from_db()
    return act(tournament.pk, doings_for, by=by, request_id=request_id, same=same, at=at)


def _next(tournament: Tournament, state: State, event: Event) -> State:
    """The state after the event. Raises Refused, and what listeners refuse."""
    try:
        after = apply(state, event)
    except DomainError as error:
        raise Refused.of(error) from None
    for listener in signals.listeners:
        listener.check(tournament, state, after, event.kind, event.data)
    return after


def _row(tournament: Tournament, event: Event, at: datetime, player: Player | None) -> TournamentEvent:
    return TournamentEvent(
        tournament=tournament,
        number=event.number,
        kind=event.kind,
        data=dict(event.data),
        by=event.by,
        player=player,
        at=at,
    )


def _write(
    tournament: Tournament,
    old: State,
    state: State,
    rows: Sequence[TournamentEvent],
    events: Sequence[Event],
    by: Actor,
) -> None:
    """Write checked events and what follows from them, and notify open pages.

    Expects the lock on the tournament's row.
    """
    TournamentEvent.objects.bulk_create(rows)
    _project(tournament, old, state)
    for listener in signals.listeners:
        listener.happened(tournament, old, state, events, by)
    keep_after_commit(tournament.public_id, state)
    public_id, number = tournament.public_id, state.number
    transaction.on_commit(lambda: signals.ring(public_id, number), robust=True)


def _season_loaded(tournament: Tournament, state: State, doings: Sequence[NewEvent]) -> list[NewEvent]:
    """The event that loads who met on earlier evenings, if `doings` begin or change a phase that needs it."""
    for kind, data in doings:
        if kind not in ("phase.started", "phase.changed"):
            continue
        plan = data.get("plan")
        avoids = plan.get("avoid_season") is True if isinstance(plan, dict) else state.plan.avoid_season
        if not avoids:
            continue
        evenings = evenings_before(tournament)
        if evenings != [dict(each) for each in state.season]:
            return [("season.loaded", {"evenings": list(evenings)})]
    return []


def repeated(tournament: Tournament, request_id: uuid.UUID, same: str, by: Actor) -> Receipt | None:
    """The receipt of a request that was accepted before, without the lock. Raises ``request-reused``."""
    tournament.refresh_from_db()
    return _first_receipt(tournament, request_id, _digest(same, by))


def _project(tournament: Tournament, old: State | None, state: State) -> None:
    """Write the projections of the log: all of them, or what differs from `old`.

    Expects the lock on the tournament's row.
    """
    tournament.number = state.number
    if state.closed:
        tournament.status = Tournament.Status.CLOSED
    elif state.open:
        tournament.status = Tournament.Status.RUNNING
    else:
        tournament.status = Tournament.Status.PLANNED
    tournament.save(update_fields=["number", "status"])
    if old is not None and old.entrants == state.entrants:
        return
    entrants = _people(state)
    rows = {
        row.member.public_id: row
        for row in Participation.objects.select_related("member").filter(tournament=tournament)
    }
    outdated = [row.pk for person, row in rows.items() if entrants.get(person) != row.entrant]
    if outdated:
        Participation.objects.filter(pk__in=outdated).delete()
    new = {person: entrant for person, entrant in entrants.items() if person not in rows or rows[person].pk in outdated}
    members = Member.objects.filter(public_id__in=new).values_list("public_id", "pk")
    Participation.objects.bulk_create(
        Participation(tournament=tournament, member_id=pk, entrant=new[person]) for person, pk in members
    )


def _people(state: State) -> dict[str, str]:
    """The entrant of everybody who takes part or has played, including substitutes."""
    entrants: dict[str, str] = {}
    present = [each for each in state.entrants.values() if each.status not in (MERGED, WITHDRAWN)]
    for entrant in present:
        for each in entrant.substitutions:
            entrants.setdefault(each.new, entrant.id)
    return entrants | {person: entrant.id for entrant in present for person in entrant.members}


def _first_receipt(tournament: Tournament, request_id: uuid.UUID, digest: str) -> Receipt | None:
    """The receipt of a request that was accepted before.

    Raises ``request-reused`` for another request with the same id.
    """
    first = TournamentEvent.objects.filter(tournament=tournament, request_id=request_id).first()
    if first is None:
        return None
    if first.digest != digest:
        raise Refusal("request-reused")
    last = (
        TournamentEvent.objects.filter(tournament=tournament, number__gt=first.number, request_id__isnull=False)
        .order_by("number")
        .values_list("number", flat=True)
        .first()
    )
    rows = TournamentEvent.objects.filter(tournament=tournament, number__gte=first.number, by=first.by, at=first.at)
    if last is not None:
        rows = rows.filter(number__lt=last)
    return Receipt(tuple(event_of(row) for row in rows.order_by("number")), state_of(tournament), repeated=True)


def _digest(doings: Sequence[NewEvent] | str, by: Actor) -> str:
    text = json.dumps(
        [by.name, doings if isinstance(doings, str) else list(doings)], sort_keys=True, separators=(",", ":")
    )
    return hashlib.sha256(text.encode()).hexdigest()


MOST_EVENINGS: Final = 20
HEAVIEST: Final = 4
"""The weight of the previous evening; each earlier one weighs one less, but at least 1."""
WITHOUT_SEASON: Final = timedelta(days=365)
"""How far back a tournament that counts for no season looks at the club's own tournaments."""


def evenings_before(tournament: Tournament) -> list[dict[str, Plain]]:
    """The tables of earlier evenings with their weights, the latest evening first, in the form of ``season.loaded``.

    These are the evenings of the seasons that the tournament counts for or, if it counts for none, the club's own of
    the past year. For a tournament opened from a file, they come from that file. Persons are given by the public ids of
    their entries.
    """
    if tournament.earlier is not None:
        return list(tournament.earlier)
    earlier = _before(tournament)
    states = states_of(earlier)
    evenings: list[dict[str, Plain]] = []
    for each in earlier:
        tables = tables_of(states[each.pk])
        if tables:
            evenings.append({"tables": tables, "weight": max(1, HEAVIEST - len(evenings))})
    return evenings


def tables_of(state: State) -> list[Plain]:
    """The people at each table, in order of their places."""
    return [
        list(table.people)
        for phase in state.phases
        for round in phase.rounds
        if round.status != DRAFT
        for _, table in sorted(round.tables.items())
    ]


def _before(tournament: Tournament) -> Sequence[Tournament]:
    seasons = tournament.seasons.values("season")
    rows = Tournament.objects.exclude(pk=tournament.pk).exclude(status=Tournament.Status.CANCELLED)
    rows = rows.filter(starts__lt=tournament.starts, number__gt=0)
    if tournament.seasons.exists():
        rows = rows.filter(seasons__season__in=seasons).distinct()
    else:
        rows = rows.filter(club=tournament.club_id, starts__gte=tournament.starts - WITHOUT_SEASON)
    return list(rows.order_by("-starts", "-pk")[:MOST_EVENINGS])


def rebuild(tournament_id: int) -> list[str]:
    """Rebuild status, number and participations from the log. Returns the names of what was different.

    Takes the lock on the tournament's row. Raises DomainError if the log contains something that cannot have happened.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        before = (tournament.number, tournament.status, _participants(tournament))
        rows = TournamentEvent.objects.filter(tournament=tournament).order_by("number")
        events = [event_of(row) for row in rows]
        state = replay(events)  # from the log alone, not from what this process remembers
        if tournament.status != Tournament.Status.CANCELLED or state.number != tournament.number:
            cancelled = tournament.status == Tournament.Status.CANCELLED
            _project(tournament, None, state)
            if cancelled:
                tournament.status = Tournament.Status.CANCELLED
                tournament.save(update_fields=["status"])
        after = (tournament.number, tournament.status, _participants(tournament))
        names = ("number", "status", "who takes part")
        changed = [name for name, old, new in zip(names, before, after, strict=True) if old != new]
        return changed + [name for each in signals.listeners for name in each.rebuild(tournament, state, events)]


def _participants(tournament: Tournament) -> frozenset[tuple[int, str]]:
    return frozenset(Participation.objects.filter(tournament=tournament).values_list("member_id", "entrant"))
