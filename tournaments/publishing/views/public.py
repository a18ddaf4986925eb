"""The public pages of a tournament: the announcement, where one sits, the ranking, an entrant's evening, the draws.

For which seasons a tournament counts: chosen by those who keep the seasons of the club, and of other clubs they belong to.

How phones in the hall reach this site: in words, with the addresses this very site has now (docs/hall.md).
"""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import Player
from clubs import permissions
from clubs import text as club_text
from clubs.exceptions import NotAllowed
from clubs.models import Member, Season
from clubs.permissions import GRANTED, Act
from clubs.services import common
from clubs.text import game_name
from core.http import require_safe_or_post
from domain.tournament.state import CONFIRMED, State
from tournaments import read_models, text
from tournaments.exceptions import TournamentError
from tournaments.models import SeasonEvening, Tournament
from tournaments.online.selectors import my_tables as own_tables
from tournaments.publishing import exports, selectors
from tournaments.publishing.base import Reading, for_readers, for_staff
from tournaments.publishing.tabular import phase_name
from tournaments.publishing.travellers import how_it_works
from tournaments.read_models import RankingSeen
from tournaments.selectors import awards

FIRST: Final = 10
"""How many lines of the ranking the first page shows."""
FEW: Final = 2
"""Letters by which somebody is looked for, at least."""


def column_heads(ranking: RankingSeen) -> list[club_text.Named]:
    """The criteria of a ranking as heads of columns."""
    return [club_text.criterion(code) for code in ranking.criteria]


@require_safe
@for_readers
def home(reading: Reading) -> HttpResponseBase:
    """What is announced; while it is played where everybody sits, and the ranking; afterwards what came out."""
    state, tournament = reading.state, reading.tournament
    rounds = read_models.published(state)
    current = rounds[0] if rounds else None
    ranking = selectors.trimmed(read_models.ranking_seen(state, reading.names))
    context: dict[str, Any] = {
        "round": read_models.round_seen(state, current, reading.names) if current else None,
        "clock": read_models.clock_seen(current) if current else None,
        "part": phase_name(state, current.phase) if current else "",
        "rounds": list(reversed(rounds)),
        "ranking": ranking,
        "heads": column_heads(ranking),
        "places": ranking.places[:FIRST],
        "more": len(ranking.places) - FIRST,
        "fee": text.money_text(state.fee) if state.fee else "",
        "plan": plan_words(state),
        "entered": sum(
            len(each.members) for each in read_models.entrants(state) if each.status != "withdrawn" and not each.house
        ),
        "awards": prize_lines(reading) if state.closed else [],
        "tab": "home",
        "mine": own_tables(tournament, state, reading.player),
        "how_online": how_it_works(state.current.plan if state.current else state.plan),
    }
    if tournament.most:
        context["left"] = max(0, tournament.most - context["entered"])
    return reading.page("tournaments/publishing/home.html", context)


@require_safe
@for_readers
def seating(reading: Reading, key: str = "") -> HttpResponseBase:
    """Who sits where in a round (the latest one without `key`), and what each table has written."""
    state = reading.state
    rounds = read_models.published(state)
    round = reading.round(key) if key else (rounds[0] if rounds else None)
    context: dict[str, Any] = {"rounds": list(reversed(rounds)), "round": None, "tab": "seating"}
    if round is not None:
        made = read_models.round_seen(state, round, reading.names)
        wanted = reading.text("who")
        seats = selectors.seats_of(made, reading.names, state)
        context |= {
            "round": made,
            "clock": read_models.clock_seen(round),
            "part": phase_name(state, round.phase),
            "seats": seats,
            "who": wanted,
            "hits": selectors.matching(seats, wanted) if len(wanted) >= FEW else [],
            "asked_for": len(wanted) >= FEW,
            "games": {name: game_name(name) for name in {table.ruleset for table in made.tables}},
            "usual": state.phases[round.phase - 1].plan.rules.ruleset,
            "online": state.phases[round.phase - 1].plan.online,
            "deadline": datetime.fromisoformat(round.deadline) if round.deadline else None,
            "games_of": {table.number: table.game for table in round.tables.values() if table.game},
            "forfeits": {number: table.forfeit for number, table in round.tables.items() if table.forfeit},
            "late": [number for number, table in round.tables.items() if table.late and table.state != CONFIRMED],
        }
    return reading.page("tournaments/publishing/seating.html", context)


@require_safe
@for_readers
def ranking(reading: Reading, phase: int = 0) -> HttpResponseBase:
    """The ranking over all parts, or of one of them, with every criterion."""
    state = reading.state
    if phase and state.phase(phase) is None:
        raise Http404
    found = (
        read_models.phase_seen(state, state.phases[phase - 1], reading.names)
        if phase
        else read_models.ranking_seen(state, reading.names)
    )
    found = selectors.trimmed(found)
    context = {
        "ranking": found,
        "heads": column_heads(found),
        "phase": phase,
        "parts": [(each.number, phase_name(state, each.number)) for each in state.phases],
        "part": phase_name(state, phase) if phase else "",
        "tab": "ranking",
    }
    return reading.page("tournaments/publishing/ranking.html", context)


@require_safe
@for_readers
def entrant(reading: Reading, id: str) -> HttpResponseBase:
    state = reading.state
    who = reading.entrant(id)
    rounds = list(reversed(read_models.published(state)))
    found = selectors.trimmed(read_models.ranking_seen(state, reading.names))
    evening = selectors.evening_of(state, who, rounds, reading.names, found)
    values = selectors.values_of(evening.place)
    kinds = {each.score.kind: club_text.choice("kind", each.score.kind) for each in evening.turns if each.score}
    context = {
        "entrant": who,
        "evening": evening,
        "values": values,
        "kinds": kinds,
        "final": found.final,
        "status": text.entrant_state(who.status),
        "tab": "ranking",
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
        "methods": {phase.number: text.method(phase.plan.method) for phase in state.phases},
        "tab": "home",
    }
    return reading.page("tournaments/publishing/draws.html", context)


def plan_words(state: State) -> dict[str, Any]:
    """How it is played, in words: the plan of the phase that runs, or of what is to come."""
    phase = state.current
    plan = phase.plan if phase else state.plan
    return {
        "game": game_name(plan.rules.ruleset),
        "pairs": plan.kind == "pair",
        "method": text.method(plan.method),
        "rounds": plan.rules.rounds,
        "deals": plan.rules.deals,
        "minutes": plan.minutes,
        "order": [club_text.criterion(code).name for code in plan.rules.tie_breaks],
    }


def prize_lines(reading: Reading) -> list[dict[str, Any]]:
    """Who gets what, in order of categories and ranks."""
    state = reading.state
    return [
        {
            "category": "" if each.category == "all" else each.category,
            "entrant": each.id,
            "name": reading.names.entrant(state.entrants[each.id]),
            "amount": text.money_text(each.amount) if each.amount else "",
            "things": each.things,
            "codes": each.codes,
        }
        for each in awards(state).given
    ]


@require_safe_or_post
@for_staff
def page(reading: Reading) -> HttpResponseBase:
    """The seasons that may be chosen, those chosen ticked; ended ones, and other clubs', are shown and stay."""
    player = reading.player
    assert player is not None  # asked by for_staff
    if not reading.standing.may(Act.SEASONS):
        raise NotAllowed
    if reading.sent is not None:
        choose(reading.tournament, player, reading.request.POST.getlist("season"), reading.request_id)
        return reading.done(reading.url("seasons"))
    linked = set(reading.tournament.seasons.values_list("season", flat=True))
    rows = [
        (
            season,
            season.pk in linked,
            bool(season.ended_at) or not permissions.may(player, season.club, Act.SEASONS),
        )
        for season in choosable(player, reading.tournament)
    ]
    return reading.page("tournaments/publishing/seasons.html", {"rows": rows, "tab": "paper"})


def choosable(player: Player, tournament: Tournament) -> QuerySet[Season]:
    """Seasons of clubs whose seasons the player keeps, and those the tournament counts for already."""
    roles = [role for role, acts in GRANTED.items() if Act.SEASONS in acts]
    clubs = Member.objects.filter(
        player=player, role__in=roles, kind=Member.Kind.MEMBER, left_on__isnull=True, club__closed_at__isnull=True
    ).values("club")
    found = Season.objects.filter(Q(club__in=clubs) | Q(evenings__tournament=tournament))
    return found.select_related("club").distinct().order_by("-created_at", "-pk")


def choose(tournament: Tournament, player: Player, wanted: list[str], request_id: uuid.UUID) -> None:
    """Let the tournament count for these seasons (public ids) and no others of those the player may choose among.

    Takes the lock of the tournament's club. Raises ``not-allowed``, ``season-ended``, ``request-reused``. Logged in the
    club.
    """
    with transaction.atomic():
        club = common.locked(tournament.club_id)
        permissions.check_may(player, club, Act.SEASONS)
        if common.answered(club, player, request_id, "season.evenings") is not None:
            return
        seasons = {each.public_id: each for each in choosable(player, tournament)}
        if not set(wanted) <= set(seasons):
            raise NotAllowed
        linked = {row.season.public_id: row for row in tournament.seasons.select_related("season")}
        new, gone = set(wanted) - set(linked), set(linked) - set(wanted)
        mine = {id for id in new | gone if permissions.may(player, seasons[id].club, Act.SEASONS)}
        if any(seasons[id].ended_at for id in new) or any(seasons[id].ended_at for id in gone & mine):
            raise TournamentError("season-ended")
        SeasonEvening.objects.bulk_create(
            SeasonEvening(season=seasons[id], tournament=tournament) for id in sorted(new & mine)
        )
        SeasonEvening.objects.filter(pk__in=[linked[id].pk for id in gone & mine]).delete()
        data = {"tournament": tournament.public_id, "seasons": sorted(wanted)}
        common.log(club, "season.evenings", actor=player, data=data, request_id=request_id)


_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@require_safe
def hall_help(request: HttpRequest) -> HttpResponse:
    """The page. It says plainly when the codes on paper would lead phones nowhere."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    context = {
        "site_url": settings.SITE_URL,
        "https": settings.HTTPS,
        "only_here": host in _LOOPBACK,
        "listens_here_only": settings.HOST in _LOOPBACK,
        "port": settings.PORT,
    }
    return render(request, "tournaments/publishing/hall_help.html", context)
