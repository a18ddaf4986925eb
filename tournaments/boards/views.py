"""Travellers over HTTP: the deals of a duplicate round, what all tables made of one, and all deals of one table.

Inviting people to enter an online tournament: by name, or all members of the club.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs import naming
from clubs.exceptions import ClubError
from core.exceptions import Refusal
from core.http import require_safe_or_post
from core.limits import take
from domain.tournament.state import DRAFT, Round
from games import permissions as watching_permissions
from games.models import Game
from games.read_models import OpenSeat
from games.selectors import replay
from tournaments.boards import traveller
from tournaments.boards import traveller as wording
from tournaments.online import invitations
from tournaments.online.selectors import Shared, shared_of
from tournaments.publishing.base import Reading, for_readers, public_page
from tournaments.publishing.tabular import phase_name
from tournaments.registration import services
from tournaments.views import Visit, at_tournament, done, tournament_page

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
    return public_page(reading, "tournaments/online/boards.html", context)


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
        found = traveller.traveller(reading.state, shared, number, reading.names)
        sides = len(found.tables[0].sides) if found.tables else 0
        context |= {
            "traveller": found,
            "lanes": [(wording.lane(lane, sides), value) for lane, value in sorted(found.datum.items())],
            "sides": sides,
            "lane_names": [wording.lane(lane, sides) for lane in range(sides)],
            "sums": sides == 2,
            "dealt": dealt_hands(list(shared.games.values()), number),
            "replays": _open_to(reading, shared),
        }
    return public_page(reading, "tournaments/online/board.html", context)


@require_safe
@for_readers
def table(reading: Reading, key: str, number: int) -> HttpResponseBase:
    """One table of a duplicate round: all its deals with its gains, and their sum."""
    round = _duplicate(reading, key)
    if number not in round.tables:
        raise Http404
    shared = shared_of(round)
    found = traveller.table_sum(reading.state, shared, number, reading.names)
    played = [deal for deal in found.deals if deal.made is not None]
    context = _frame(reading, shared) | {
        "found": found,
        "played": len(played),
        "sealed": sum(not deal.is_open for deal in found.deals),
        "replays": _open_to(reading, shared),
        "lane_names": [wording.lane(lane, len(found.sides)) for lane in range(8)],
    }
    return public_page(reading, "tournaments/online/table.html", context)


def _duplicate(reading: Reading, key: str) -> Round:
    """A round whose tables play the same deals. Raises Http404."""
    round = reading.visit.asked.state.round(key)
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
        "tab": "seating",
    }


def _open_to(reading: Reading, shared: Shared) -> dict[int, str]:
    """By table, the game whose replays the reader may see: those of all tables once the last deal is open."""
    return {
        number: game.public_id
        for number, game in shared.games.items()
        if not game.is_sealed and watching_permissions.may_see(game, reading.visit.asked.player)
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
                    named = tuple((wording.from_dealer(place), seat) for place, seat in enumerate(order))
                    return Dealt(named, seen.tapp)
        except replay.NotOpen:
            continue
    return None


MOST: Final = 100
"""So many names at once; who is looked for by letters is found among all."""


@require_safe_or_post
@at_tournament
def invite(visit: Visit) -> HttpResponseBase:
    """Choose whom to invite. Each is told once, with the way in; who has entered or was invited is passed over."""
    visit.check_runs()
    asked = visit.asked
    refusal, status = "", 200
    if visit.request.method == "POST":
        try:
            told = _invited(visit)
        except Refusal as why:
            refusal, status = str(why.message), why.status
        else:
            said = ngettext("%(count)s person was invited.", "%(count)s people were invited.", told) % {"count": told}
            messages.success(
                visit.request, said if told else _("Everybody you chose was invited before, or has entered.")
            )
            return done(visit.url("invite"))
    find = visit.request.GET.get("find", "").strip()[:80]
    rows = services.candidates(asked.tournament.club, asked.state, find).filter(player__isnull=False)
    context = {
        "find": find,
        "people": [(each.public_id, naming.full_name(each)) for each in rows[:MOST]],
        "chosen": visit.request.POST.getlist("who"),
        "may": invitations.can_invite(asked.tournament),
        "refusal": refusal,
        "tab": "entries",
    }
    return tournament_page(visit, "tournaments/online/invite.html", context, status=status)


def _invited(visit: Visit) -> int:
    asked = visit.asked
    assert asked.player is not None
    if not take(f"invite:{asked.player.pk}", rate=30, per=3600, burst=10):
        raise ClubError("too-often")
    if visit.data.get("do") == "all":
        return invitations.invite_members(asked.tournament, asked.player)
    chosen = visit.request.POST.getlist("who")[:MOST]
    rows = services.candidates(asked.tournament.club, asked.state).filter(public_id__in=chosen, player__isnull=False)
    players = [each.player for each in rows.select_related("player__merged_into") if each.player is not None]
    return invitations.invite(asked.tournament, players, asked.player, request_id=visit.sent)
