"""The state of a tournament, from its log. States are cached, so that only new events are read.

Also who gets which prize by the current ranking: the only place where the lists of categories are made.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from django.conf import settings
from django.db import connection, transaction

from domain.standings.prizes import Awards, Contender, award
from domain.tournament.events import Event, replay
from domain.tournament.scoring import ranking
from domain.tournament.state import State
from tournaments.models import Tournament, TournamentEvent

MOST_KEPT: Final = 64

_kept: OrderedDict[str, State] = OrderedDict()
_lock = threading.Lock()


def state_of(tournament: Tournament) -> State:
    """The state after event `tournament.number`, without later events. At most one query."""
    with _lock:
        before = _kept.get(tournament.public_id)
        if before is not None:
            _kept.move_to_end(tournament.public_id)
    if before is None or before.number > tournament.number:
        before = State()
    if before.number == tournament.number:
        return before
    rows = TournamentEvent.objects.filter(
        tournament=tournament, number__gt=before.number, number__lte=tournament.number
    ).order_by("number")
    state = replay(map(event_of, rows), before)
    if committed():
        keep(tournament.public_id, state)
    return state


def states_of(tournaments: Iterable[Tournament]) -> dict[int, State]:
    """The states of several tournaments by their keys. At most one query, for those that are not cached."""
    rows = list(tournaments)
    with _lock:
        states = {each.pk: kept for each in rows if (kept := _kept.get(each.public_id)) and kept.number == each.number}
    missing = {each.pk: each for each in rows if each.pk not in states}
    events = TournamentEvent.objects.filter(tournament__in=missing).order_by("tournament", "number") if missing else ()
    for pk, log in groupby(events, key=lambda event: event.tournament_id):
        last = missing[pk].number
        states[pk] = replay(event_of(event) for event in log if event.number <= last)
        if committed():
            keep(missing[pk].public_id, states[pk])
    return {each.pk: states.get(each.pk) or State() for each in rows}


def event_of(row: TournamentEvent) -> Event:
    return Event(row.number, row.at.isoformat(), row.kind, row.data, row.by)


def committed() -> bool:
    """Whether what is read now is committed. Within a transaction it may still be rolled back."""
    return not connection.in_atomic_block


def keep(public_id: str, state: State) -> None:
    """Cache a state that is committed."""
    with _lock:
        before = _kept.get(public_id)
        if before is None or before.number < state.number:
            _kept[public_id] = state
        _kept.move_to_end(public_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def keep_after_commit(public_id: str, state: State) -> None:
    """Cache a state as soon as it is committed."""
    transaction.on_commit(lambda: keep(public_id, state), robust=True)


def forget(public_id: str) -> None:
    """Drop the cached state of a tournament: from now on this id belongs to another log."""
    with _lock:
        _kept.pop(public_id, None)


EVERYBODY: Final = "all"
"""The category that everybody is in."""


def awards(state: State) -> Awards:
    """All prizes, awarded by the ranking over all phases. Entrants without a rank get none."""
    return award(state.prizes, lists(state), state.prize_rules)


def lists(state: State) -> dict[str, list[Contender]]:
    """The contenders of every category that has prizes or people, by rank.

    EVERYBODY comes first, the others by name.
    """
    names = {name for each in state.entrants.values() for name in each.categories}
    names |= {prize.category for prize in state.prizes}
    contenders: dict[str, list[Contender]] = {name: [] for name in (EVERYBODY, *sorted(names - {EVERYBODY}))}
    for place in ranking(state)[0]:
        if not place.rank:
            continue
        entrant = state.entrants[place.row.entrant]
        contender = Contender(entrant.id, place.rank, place.row.values[0][1] or 0, entrant.members)
        contenders[EVERYBODY].append(contender)
        for category in dict.fromkeys(entrant.categories):
            if category != EVERYBODY:
                contenders[category].append(contender)
    return contenders


def language_of(tournament: Tournament) -> str:
    """The language of its papers, its screen and its feed: its own, else the club's, else the site's."""
    languages = {code for code, _name in settings.INTERFACE_LANGUAGES}
    choices = (tournament.language, tournament.club.language)
    return next((code for code in choices if code in languages), settings.LANGUAGE_CODE)
