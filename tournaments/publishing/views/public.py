"""The public pages of a tournament: the announcement and its mail, the seating, an entrant's evening, the draws.

Also travellers (the deals of a duplicate round, the results of all tables in one, all deals of one table), and how
phones in the hall reach this site, in words, with its current addresses (docs/hall.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts import availability
from clubs import money
from clubs import text as club_text
from clubs.permissions import Act
from clubs.services import letters
from clubs.text import game_name
from domain.tournament.state import CONFIRMED, DRAFT, Round, State
from games import permissions as game_permissions
from games.models import Game
from games.read_models import OpenSeat
from games.selectors import replay
from tournaments import read_models, text
from tournaments.exceptions import Moved
from tournaments.models import Tournament
from tournaments.online import notifications
from tournaments.online.selectors import Shared, shared_deals_of
from tournaments.online.selectors import my_tables as own_tables
from tournaments.publishing import exports, selectors, travellers
from tournaments.publishing.base import Reading, for_readers
from tournaments.publishing.tabular import phase_name
from tournaments.publishing.travellers import how_it_works
from tournaments.read_models import RankingSeen
from tournaments.registration.by_oneself import own_entry
from tournaments.registration.services import may_pause
from tournaments.selectors import awards, state_of
from tournaments.views import Visit, planner_only

FIRST: Final = 10
"""How many lines of the ranking the home page shows."""
FEW: Final = 2
"""The fewest letters for a search."""


def column_heads(ranking: RankingSeen) -> list[club_text.Named]:
    """The criteria of a ranking as heads of columns."""
    return [club_text.criterion(code) for code in ranking.criteria]


@require_safe
@for_readers
def home(reading: Reading) -> HttpResponseBase:
    """The home page: the announcement; during the tournament the seating and the ranking; afterwards the result."""
    state, tournament = reading.state, reading.tournament
    rounds = read_models.published(state)
    current = rounds[0] if rounds else None
    ranking = selectors.trimmed(read_models.ranking_seen(state, reading.names))
    how_online = how_it_works(state)
    # A running tournament takes entries only online; in the hall, people come to the desk.
    takes_entries = tournament.status == Tournament.Status.PLANNED or (
        bool(how_online) and tournament.status == Tournament.Status.RUNNING
    )
    context: dict[str, Any] = {
        "rounds": list(reversed(rounds)),
        **(round_context(reading, current) if current else {}),
        "ranking": ranking,
        "heads": column_heads(ranking),
        "places": ranking.places[:FIRST],
        "more": len(ranking.places) - FIRST,
        "fee": money.money_text(state.fee) if state.fee else "",
        "plan": plan_words(state),
        "entered": sum(
            len(each.members) for each in read_models.entrants(state) if each.status != "withdrawn" and not each.house
        ),
        "awards": prize_lines(reading) if state.closed else [],
        "mine": own_tables(tournament, state, reading.player),
        "may_pause": may_pause(state),
        "how_online": how_online,
        "offers_entry": takes_entries and tournament.entry != Tournament.Entry.DESK,
        "own_entry": own_entry(tournament, state, reading.player)[1],
    }
    if tournament.most:
        context["left"] = max(0, tournament.most - context["entered"])
    return reading.page("tournaments/publishing/home.html", context | _letter_context(reading))


def _letter_context(visit: Visit) -> dict[str, Any]:
    """The mail to members that the visitor may send now, for the home page; empty if there is none."""
    tournament = visit.tournament
    if not visit.plans_it or tournament.status == Tournament.Status.CANCELLED or tournament.elsewhere_since is not None:
        return {}
    if visit.state.closed:
        event, button = notifications.RANKED, _("Send the result to the members")
    elif tournament.starts > timezone.now() and not visit.state.phases:
        event, button = notifications.ANNOUNCED, _("Send the announcement to the members")
    else:
        return {}
    mail = letters.letter(visit.club, event, _about(tournament))
    return {"letter": mail, "letter_event": event, "letter_button": button}


def _about(tournament: Tournament) -> str:
    """The key of what a letter is about: a tournament that was opened again and corrected has another result."""
    closed = tournament.events.filter(kind="tournament.closed").count()
    return f"{tournament.public_id}|{closed}" if closed > 1 else tournament.public_id


@require_POST
@planner_only
def send_letter(visit: Visit) -> HttpResponseBase:
    """Send the mail once to the members who want it: the announcement before the tournament, the result afterwards."""
    tournament = visit.tournament
    event = _letter_context(visit).get("letter_event")
    if event is None or event != visit.request.POST.get("do"):
        raise Moved
    count = letters.send(
        visit.club,
        visit.member(),
        event,
        _about(tournament),
        lambda member: {"tournament": tournament.public_id},
        act=Act.PLAN_TOURNAMENTS,
        expires_at=tournament.starts if event == notifications.ANNOUNCED else None,
        request_id=visit.request_id,
    )
    return visit.done(visit.url("home"), letters.sent_words(count))


@require_safe
@for_readers
def seating(reading: Reading, key: str) -> HttpResponseBase:
    """The tables of a round with their places and entered results."""
    context = round_context(reading, reading.round(key))
    return reading.page("tournaments/publishing/seating.html", context)


def round_context(reading: Reading, round: Round) -> dict[str, Any]:
    """The context of `_round.html`."""
    state = reading.state
    shown = read_models.round_seen(state, round, reading.names)
    seats, typed = selectors.seats_of(shown, reading.names, state), reading.parameter("who")
    plan = state.phases[round.phase - 1].plan
    return {
        "rounds": list(reversed(read_models.published(state))),
        "round": shown,
        "clock": read_models.clock_seen(round),
        "part": phase_name(state, round.phase),
        "seats": seats,
        "who": typed,
        "hits": selectors.matching(seats, typed) if len(typed) >= FEW else [],
        "asked_for": len(typed) >= FEW,
        "games": {name: game_name(name) for name in {table.ruleset for table in shown.tables}},
        "usual": plan.rules.ruleset,
        "online": plan.online,
        "deadline": datetime.fromisoformat(round.deadline) if round.deadline else None,
        "zone": availability.zone_of(reading.player) if reading.player else None,
        "games_of": {table.number: table.game for table in round.tables.values() if table.game},
        "forfeits": {number: table.forfeit for number, table in round.tables.items() if table.forfeit},
        "late": [number for number, table in round.tables.items() if table.late and table.state != CONFIRMED],
    }


@require_safe
@for_readers
def bracket(reading: Reading, phase: int) -> HttpResponseBase:
    """The bracket of a knock-out: who met whom, who went on, and what is still to come."""
    part = reading.state.phase(phase)
    if part is None or part.plan.method != "knock-out":
        raise Http404
    context = {
        "rounds": selectors.bracket_seen(reading.state, part, reading.names),
        "part": phase_name(reading.state, phase) if len(reading.state.phases) > 1 else "",
        "phase": phase,
    }
    return reading.page("tournaments/publishing/bracket.html", context)


@require_safe
@for_readers
def entrant(reading: Reading, id: str) -> HttpResponseBase:
    state = reading.state
    who = reading.entrant(id)
    rounds = list(reversed(read_models.published(state)))
    ranking = selectors.trimmed(read_models.ranking_seen(state, reading.names))
    evening = selectors.evening_of(state, who, rounds, reading.names, ranking)
    values = selectors.values_of(evening.place)
    kinds = {each.score.kind: club_text.choice("kind", each.score.kind) for each in evening.turns if each.score}
    context = {
        "entrant": who,
        "evening": evening,
        "values": values,
        "kinds": kinds,
        "final": ranking.final,
        "status": text.entrant_state(who.status),
    }
    return reading.page("tournaments/publishing/entrant.html", context)


@require_safe
@for_readers
def draws(reading: Reading) -> HttpResponseBase:
    """Every draw with its file, and how anybody can check them."""
    state = reading.state
    draws = exports.draws_of(reading.tournament, state)
    context = {
        "draws": draws,
        "withheld": any(each.withheld for each in draws),
        "lots": state.lots,
        "secret": bytes(reading.tournament.draw_secret).hex() if state.closed else "",
        "methods": {phase.number: text.method_of(phase.plan) for phase in state.phases},
    }
    return reading.page("tournaments/publishing/draws.html", context)


def plan_words(state: State) -> dict[str, Any]:
    """How it is played, in words: the plan of the current phase, or of the tournament before the first."""
    phase = state.current
    plan = phase.plan if phase else state.plan
    return {
        "game": game_name(plan.rules.ruleset),
        "pairs": plan.kind == "pair",
        "method": text.method_of(plan),
        "rounds": text.rounds_in_words(state),
        "deals": plan.rules.deals,
        "minutes": plan.minutes,
        "order": [club_text.criterion(code).name for code in plan.rules.tie_breaks],
    }


def prize_lines(reading: Reading) -> list[dict[str, Any]]:
    """Who gets which prizes, in order of categories and ranks."""
    state = reading.state
    return [
        {
            "category": "" if each.category == "all" else each.category,
            "entrant": each.id,
            "name": reading.names.entrant(state.entrants[each.id]),
            "amount": money.money_text(each.amount) if each.amount else "",
            "things": each.things,
            "codes": each.codes,
        }
        for each in awards(state).given
    ]


_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@require_safe
def hall_help(request: HttpRequest) -> HttpResponse:
    """How phones reach this site. Says plainly if the codes on paper would lead phones nowhere."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    context = {
        "site_url": settings.SITE_URL,
        "https": settings.HTTPS,
        "only_here": host in _LOOPBACK,
        "listens_here_only": settings.HOST in _LOOPBACK,
        "port": settings.PORT,
    }
    return render(request, "tournaments/publishing/hall_help.html", context)


STEPS_TO_DEAL = 4
"""By then the cards are dealt, even after a cut and a choice of packets."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands of a deal from the dealer on, and the cards set apart (the tapp)."""

    seats: tuple[tuple[str, OpenSeat], ...]
    apart: tuple[str, ...]


@require_safe
@for_readers
def boards(reading: Reading, key: str) -> HttpResponseBase:
    """All deals of a round: which are open, which are sealed, and their commitments."""
    round = _duplicate(reading, key)
    shared = shared_deals_of(round)
    context = _frame(reading, shared)
    return reading.page("tournaments/online/boards.html", context)


@require_safe
@for_readers
def board(reading: Reading, key: str, number: int) -> HttpResponseBase:
    """One deal with the results of every table. While it is sealed, the page says only that."""
    round = _duplicate(reading, key)
    shared = shared_deals_of(round)
    deal = shared.deal(number)
    if deal is None:
        raise Http404
    context = _frame(reading, shared) | {"deal": deal}
    if deal.is_open:
        traveller = travellers.traveller(reading.state, shared, number, reading.names)
        sides = len(traveller.tables[0].sides) if traveller.tables else 0
        context |= {
            "traveller": traveller,
            "lanes": [(travellers.lane_name(lane, sides), value) for lane, value in sorted(traveller.datum.items())],
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
    shared = shared_deals_of(round)
    sums = travellers.table_sum(reading.state, shared, number, reading.names)
    played = [deal for deal in sums.deals if deal.made is not None]
    context = _frame(reading, shared) | {
        "found": sums,
        "played": len(played),
        "sealed": sum(not deal.is_open for deal in sums.deals),
        "replays": _open_to(reading, shared),
        "lane_names": [travellers.lane_name(lane, len(sums.sides)) for lane in range(8)],
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
    """The games whose replays the reader may see, by table: those of all tables once the last deal is open."""
    return {
        number: game.public_id
        for number, game in shared.games.items()
        if not game.is_sealed and game_permissions.may_see(game, reading.player)
    }


def dealt_hands(games: Sequence[Game], number: int) -> Dealt | None:
    """The hands as dealt, from the first table whose replay of the deal is open; None if there is none."""
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
