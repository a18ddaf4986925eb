"""What a tournament's events cause online, in the same transaction: games, rows for the worker, and notices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from clubs.models import Member
from domain.errors import DomainError
from domain.tournament.events import Event
from domain.tournament.payload import Plain
from domain.tournament.state import CONFIRMED, DRAFT, Round, State, Table
from games.models import BoardSet, Game
from games.services import seats
from tournaments.exceptions import Refused
from tournaments.models import OnlineRound, OnlineTable, Tournament
from tournaments.online import notifications, services, substitutes
from tournaments.permissions import Actor

LAST_PART: Final = 5
"""Players whose turn it is are reminded when the last of this many equal parts of a round's time begins."""
_LOOK: Final = frozenset(
    {"phase.finished", "phase.changed", "tournament.reopened", "round.closed", "penalty.given", "lot.drawn"}
)
"""Events that may let the site go on with a tournament, apart from changes of a round."""


def online_rounds(state: State) -> dict[str, Round]:
    """The published rounds that are played online, by their keys."""
    return {
        round.key: round
        for phase in state.phases
        if phase.plan.online is not None
        for round in phase.rounds
        if round.status != DRAFT
    }


def follow(tournament: Tournament, before: State, after: State, events: Sequence[Event]) -> None:
    """Update the rows for what these events changed. Expects the lock on the tournament's row."""
    old, new = online_rounds(before), online_rounds(after)
    if not old and not new:
        return
    removed = set(old) - set(new)
    if removed:
        _delete_rounds(tournament, removed)
    changed = [key for key, round in new.items() if old.get(key) is not round]
    for key in changed:
        _write(tournament, new[key], old.get(key), events)
    last = max(new, key=_order, default="")
    if changed or any(event.kind in _LOOK for event in events):
        look = {*changed, last}
        OnlineRound.objects.filter(tournament=tournament, key__in=look).update(due_at=_at(events[-1]))


def rebuild(tournament: Tournament, state: State, events: Sequence[Event]) -> list[str]:
    """Rebuild the rows from the whole log. Returns what was different.

    Keeps whether people were reminded, which is not in the log.
    """
    before = _stored(tournament)
    rounds = online_rounds(state)
    stale = OnlineTable.objects.filter(tournament=tournament)
    reminded = dict(OnlineRound.objects.filter(tournament=tournament).values_list("key", "remind_at"))
    games = {public_id for round in rounds.values() for table in round.tables.values() if (public_id := table.game)}
    stale.exclude(game__public_id__in=games).update(game=None)
    _delete_rounds(tournament, set(reminded) - set(rounds))
    for key, round in rounds.items():
        _write(tournament, round, None, events)
        if key in reminded:
            OnlineRound.objects.filter(tournament=tournament, key=key).update(remind_at=reminded[key])
    if events:
        OnlineRound.objects.filter(tournament=tournament, key__in=rounds).update(due_at=_at(events[-1]))
    return ["online tables"] if _stored(tournament) != before else []


def _write(tournament: Tournament, round: Round, before: Round | None, events: Sequence[Event]) -> None:
    _write_round(tournament, round, events)
    board_set = BoardSet.objects.filter(public_id=round.board_set).first() if round.board_set else None
    kept = {row.key: row for row in OnlineTable.objects.filter(tournament=tournament, key__startswith=f"{round.key}.")}
    tables = {f"{round.key}.{number}": table for number, table in round.tables.items()}
    OnlineTable.objects.filter(pk__in=[row.pk for key, row in kept.items() if key not in tables]).delete()
    for key, table in tables.items():
        same = before is not None and (before.deadline, before.board_set) == (round.deadline, round.board_set)
        if same and before is not None and key in kept and before.tables.get(table.number) is table:
            continue
        row = kept.get(key) or OnlineTable(tournament=tournament, key=key)
        _write_table(row, round, table, board_set, _times(key, table, events))
        row.save()


def _write_round(tournament: Tournament, round: Round, events: Sequence[Event]) -> None:
    deadline = datetime.fromisoformat(round.deadline)
    row = OnlineRound.objects.filter(tournament=tournament, key=round.key).first()
    if row is None:
        row = OnlineRound(tournament=tournament, key=round.key, deadline_at=deadline)
        row.remind_at = None
    published = [
        _at(event) for event in events if event.kind == "round.published" and event.data.get("round") == round.key
    ]
    if published:
        row.published_at = published[-1]
    if row._state.adding or published or row.deadline_at != deadline:
        row.deadline_at = deadline
        row.remind_at = reminder_of(row.published_at, deadline)
    row.save()


def reminder_of(published: datetime, deadline: datetime) -> datetime:
    """The moment at which a fifth of the round's time is left."""
    return deadline - max(timedelta(0), deadline - published) / LAST_PART


def _write_table(
    row: OnlineTable, round: Round, table: Table, board_set: BoardSet | None, times: Mapping[str, datetime]
) -> None:
    if row.game is None or row.game.public_id != table.game:
        row.game = Game.objects.filter(public_id=table.game).first() if table.game else None
        row.begun_at = None
        row.again_at = None
    row.begun_at = (times.get("begun") or row.begun_at) if table.game else None
    row.board_set = board_set
    row.deadline_at = datetime.fromisoformat(round.deadline)
    counts = table.state == CONFIRMED
    row.reported_at = (times.get("counts") or row.reported_at or times["last"]) if counts else None
    row.late = table.late
    row.late_at = (row.late_at or times.get("late") or times["last"]) if table.late else None


def _times(key: str, table: Table, events: Sequence[Event]) -> dict[str, datetime]:
    """When a table's game was created, when the table began to count, and when it was postponed, in these events."""
    times = {"last": _at(events[-1])}
    for event in events:
        if event.data.get("table") != key:
            continue
        if event.kind == "table.begun" and event.data.get("game") == table.game:
            times["begun"] = _at(event)
        elif event.kind in ("table.reported", "table.settled"):
            times["counts"] = _at(event)
        elif event.kind == "table.overdue":
            times["late" if event.data.get("how") == "postponed" else "counts"] = _at(event)
    return times


def _delete_rounds(tournament: Tournament, keys: Iterable[str]) -> None:
    for key in keys:
        OnlineTable.objects.filter(tournament=tournament, key__startswith=f"{key}.").delete()
    OnlineRound.objects.filter(tournament=tournament, key__in=keys).delete()


def _stored(tournament: Tournament) -> tuple[object, ...]:
    tables = OnlineTable.objects.filter(tournament=tournament).order_by("key")
    rounds = OnlineRound.objects.filter(tournament=tournament).order_by("key")
    return (
        list(rounds.values_list("key", "published_at", "deadline_at")),
        list(
            tables.values_list("key", "game", "board_set", "deadline_at", "begun_at", "reported_at", "late", "late_at")
        ),
    )


def _order(key: str) -> tuple[int, int]:
    phase, _, number = key.partition(".")
    return int(phase), int(number)


def _at(event: Event) -> datetime:
    return datetime.fromisoformat(event.at)


def check(tournament: Tournament, before: State, after: State, kind: str, data: Mapping[str, Plain]) -> None:
    """Refuse plans that no game can be created by, and people without an account (``no-account``)."""
    try:
        if kind == "tournament.planned":
            services.check_plan(after.plan)
        elif kind in ("phase.started", "phase.changed"):
            number = data.get("phase", len(after.phases))
            services.check_plan(after.phases[number - 1 if isinstance(number, int) else -1].plan)
        elif kind in ("round.promised", "round.drawn", "round.published"):
            _check_accounts(tournament, before, after, kind, data)
        elif kind == "entrant.substituted" and substitutes.plays_online(before):
            _refuse_without(substitutes.without_account([str(data.get("new", ""))]), "new")
    except DomainError as error:
        raise Refused.of(error) from None


def happened(tournament: Tournament, before: State, after: State, events: Sequence[Event], by: Actor) -> None:
    """Update the projections and the games, and write notices."""
    follow(tournament, before, after, events)
    for event in events:
        _games_follow(before, after, event, by)
    for event in events:
        if (write := notifications.WRITERS.get(event.kind)) is not None:
            write(tournament, before, after, event, by)


def _check_accounts(tournament: Tournament, before: State, after: State, kind: str, data: Mapping[str, Plain]) -> None:
    """Refuse players without an account, when a round is published and when a later round is drawn."""
    if kind == "round.published":
        round = after.round(str(data.get("round", "")))
        assert round is not None
        if after.phases[round.phase - 1].plan.online:
            _refuse_without(substitutes.missing_at(round), "round")
        return
    number = data.get("phase")
    phase = before.phase(number) if isinstance(number, int) else None
    if phase is not None and phase.plan.online and (phase.rounds or phase.after):
        _refuse_without(substitutes.missing_accounts(before, phase, tournament), "round")


def _refuse_without(members: Sequence[Member], field: str) -> None:
    if members:
        raise DomainError("no-account", field, names=substitutes.named(members), count=len(members))


def _games_follow(before: State, after: State, event: Event, by: Actor) -> None:
    """Update the games after an event: end called-off and forfeited ones, give up seats, seat substitutes."""
    at = datetime.fromisoformat(event.at)
    if event.kind == "table.abandoned" or (event.kind == "table.overdue" and event.data.get("how") == "forfeited"):
        table = before.table(str(event.data.get("table", "")))
        if table is not None and table.game:
            call_off(table.game, at)
    elif event.kind == "entrant.left":
        substitutes.give_up(after, str(event.data.get("id", "")), at)
    elif event.kind == "entrant.substituted":
        data = event.data
        substitutes.seat_substitute(
            before, str(data.get("id", "")), str(data.get("old", "")), str(data.get("new", "")), by.player, at
        )


def call_off(game: str, at: datetime) -> None:
    """End the game with this public id, if it is still being played."""
    row = Game.objects.filter(public_id=game, status=Game.Status.PLAYING).values_list("pk", flat=True).first()
    if row is not None:
        seats.call_off(row, now=at)
