"""What the director sees: the tables of a round at a glance, and what corrections changed in the standings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median_low
from typing import Final

from domain.tournament.events import apply
from domain.tournament.state import CONFIRMED, DISPUTED, HANDED_IN, PLAYING, Round, State, Table
from tournaments.director.services import Difference, between
from tournaments.models import Tournament, TournamentEvent
from tournaments.permissions import AT_A_TABLE
from tournaments.selectors import event_of

QUIET_MINUTES: Final = 12
"""A deal takes five to eight minutes. After this long without an entry somebody should go and look."""
_URGENT: Final = {DISPUTED: 0, PLAYING: 1, HANDED_IN: 2, CONFIRMED: 3}


@dataclass(frozen=True, slots=True)
class Pulse:
    """A table: the deals written, how many are `due` by now, and the minutes since its last entry.

    `quiet`: nothing for longer than usual, or more than a deal behind; `waits`: it needs the director.
    """

    number: int
    state: str
    written: int
    due: int
    deals: int
    minutes: int
    quiet: bool
    waits: bool


def pulses(tournament: Tournament, round: Round, minutes: int, now: datetime) -> list[Pulse]:
    """The tables of a published round: those that need somebody first, then by the time since their last entry.

    If a clock runs, it decides how many deals are due (`minutes` for a round); otherwise the median of the tables does.
    """
    last = _last_words(tournament, round)
    begun = last.get(0, now)
    written = [table.played for table in round.tables.values()]
    middle = median_low(written) if written else 0
    found = [
        _pulse(table, round, minutes, now, last.get(table.number, begun), middle) for table in round.tables.values()
    ]
    return sorted(found, key=lambda each: (_URGENT[each.state], not each.quiet, -each.minutes, each.number))


def _pulse(table: Table, round: Round, minutes: int, now: datetime, last: datetime, middle: int) -> Pulse:
    due = middle
    if round.clock.running and minutes:
        gone = minutes - (datetime.fromisoformat(round.clock.ends) - now).total_seconds() / 60
        due = max(0, min(table.deals, int(table.deals * gone / minutes)))
    since = max(0, int((now - last).total_seconds() // 60))
    behind = due - table.played
    quiet = table.state == PLAYING and table.played < table.deals and (since >= QUIET_MINUTES or behind > 1)
    waits = table.state == DISPUTED or quiet or (table.state == HANDED_IN and since >= QUIET_MINUTES)
    return Pulse(table.number, table.state, table.played, due, table.deals, since, quiet, waits)


def _last_words(tournament: Tournament, round: Round) -> Mapping[int, datetime]:
    """The moment of the last entry of each table, by number; under 0 that of the publication of the round."""
    moments: dict[int, datetime] = {}
    rows = TournamentEvent.objects.filter(
        tournament=tournament, kind__in=(*AT_A_TABLE, "table.settled", "table.reopened", "round.published")
    ).order_by("number")
    for kind, data, at in rows.values_list("kind", "data", "at"):
        if kind == "round.published":
            if data.get("round") == round.key:
                moments[0] = at
        elif str(data.get("table", "")).startswith(f"{round.key}."):
            moments[int(data["table"].rpartition(".")[2])] = at
    return moments


CHANGES: Final = ("table.settled", "penalty.given", "penalty.cancelled", "phase.changed", "round.arranged")
"""Kinds of events by which the director changes what has counted already."""


def corrections(tournament: Tournament) -> list[TournamentEvent]:
    """Everything the director did that may have changed a standing, the latest first."""
    rows = TournamentEvent.objects.filter(tournament=tournament, kind__in=CHANGES).select_related("player")
    return list(rows.order_by("-number"))


def differences(tournament: Tournament, numbers: Collection[int]) -> dict[int, tuple[Difference, ...]]:
    """What these events changed in the standings, by their numbers. Reads the log once, up to the last of them."""
    if not numbers:
        return {}
    by_number: dict[int, tuple[Difference, ...]] = {}
    state = State()
    rows = TournamentEvent.objects.filter(tournament=tournament, number__lte=max(numbers)).order_by("number")
    for row in rows.iterator():
        before, state = state, apply(state, event_of(row))
        if row.number in numbers:
            by_number[row.number] = between(before, state)
    return by_number


def planned_since(tournament: Tournament) -> bool:
    """Whether the plan of the tournament was changed after its last phase was started or changed. One query."""
    kinds = ("tournament.planned", "phase.started", "phase.changed")
    rows = TournamentEvent.objects.filter(tournament=tournament, kind__in=kinds).order_by("number")
    plan, since = None, False
    for kind, data in rows.values_list("kind", "data"):
        if kind == "tournament.planned":
            since = since or (plan is not None and data["plan"] != plan)
            plan = data["plan"]
        else:
            since = False
    return since
