"""Travellers over HTTP: the deals of a duplicate round, what all tables made of one, and all deals of one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponseBase
from django.views.decorators.http import require_safe

from domain.tournament.state import DRAFT, Round
from games import permissions as watching_permissions
from games.models import Game
from games.read_models import OpenSeat
from games.selectors import replay
from tournaments.online.selectors import Shared, shared_of
from tournaments.publishing import travellers
from tournaments.publishing.base import Reading, for_readers
from tournaments.publishing.tabular import phase_name
from tournaments.selectors import state_of

STEPS_TO_DEAL = 4
"""The cards are dealt after the cut and the choice of packets at the latest."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands of a deal from the dealer on, and the cards that lay apart."""

    seats: tuple[tuple[str, OpenSeat], ...]
    apart: tuple[str, ...]


@require_safe
@for_readers
def boards(reading: Reading, key: str) -> HttpResponseBase:
    """All deals of a round: which are open, which are sealed, and what was promised."""
    round = _duplicate(reading, key)
    shared = shared_of(round)
    context = _frame(reading, shared)
    return reading.page("tournaments/online/boards.html", context)


@require_safe
@for_readers
def board(reading: Reading, key: str, number: int) -> HttpResponseBase:
    """One deal: what every table made of it. While it is sealed nothing but that it is."""
    round = _duplicate(reading, key)
    shared = shared_of(round)
    deal = shared.deal(number)
    if deal is None:
        raise Http404
    context = _frame(reading, shared) | {"deal": deal}
    if deal.is_open:
        found = travellers.traveller(reading.state, shared, number, reading.names)
        sides = len(found.tables[0].sides) if found.tables else 0
        context |= {
            "traveller": found,
            "lanes": [(travellers.lane_name(lane, sides), value) for lane, value in sorted(found.datum.items())],
            "sides": sides,
            "lane_names": [travellers.lane_name(lane, sides) for lane in range(sides)],
            "sums": sides == 2,
            "dealt": dealt_hands(list(shared.games.values()), number),
            "replays": _open_to(reading, shared),
        }
    return reading.page("tournaments/online/board.html", context)


@require_safe
@for_readers
def table(reading: Reading, key: str, number: int) -> HttpResponseBase:
    """One table of a duplicate round: all its deals with its gains, and their sum."""
    round = _duplicate(reading, key)
    if number not in round.tables:
        raise Http404
    shared = shared_of(round)
    found = travellers.table_sum(reading.state, shared, number, reading.names)
    played = [deal for deal in found.deals if deal.made is not None]
    context = _frame(reading, shared) | {
        "found": found,
        "played": len(played),
        "sealed": sum(not deal.is_open for deal in found.deals),
        "replays": _open_to(reading, shared),
        "lane_names": [travellers.lane_name(lane, len(found.sides)) for lane in range(8)],
    }
    return reading.page("tournaments/online/table.html", context)


def _duplicate(reading: Reading, key: str) -> Round:
    """A round whose tables play the same deals. Raises Http404."""
    round = state_of(reading.tournament).round(key)
    if round is None or round.status == DRAFT:
        raise Http404
    phase = reading.state.phases[round.phase - 1]
    if phase.plan.online is None or not phase.plan.online.duplicate:
        raise Http404
    return round


def _frame(reading: Reading, shared: Shared) -> dict[str, Any]:
    round = shared.round
    return {
        "round": round,
        "part": phase_name(reading.state, round.phase),
        "deals": shared.deals,
        "open": len(shared.open_numbers),
        "tables": sorted(round.tables),
    }


def _open_to(reading: Reading, shared: Shared) -> dict[int, str]:
    """By table, the game whose replays the reader may see: those of all tables once the last deal is open."""
    return {
        number: game.public_id
        for number, game in shared.games.items()
        if not game.is_sealed and watching_permissions.may_see(game, reading.player)
    }


def dealt_hands(games: Sequence[Game], number: int) -> Dealt | None:
    """The hands as they were dealt, from the first table at which the deal can be looked back at."""
    for game in games:
        try:
            for step in range(STEPS_TO_DEAL):
                seen = replay.replay(game, number, step, None)
                if all(seat.cards for seat in seen.seats):
                    size = len(seen.seats)
                    order = [seen.seats[(seen.dealer + place) % size] for place in range(size)]
                    named = tuple((travellers.from_dealer(place), seat) for place, seat in enumerate(order))
                    return Dealt(named, seen.tapp)
        except replay.NotOpen:
            continue
    return None
