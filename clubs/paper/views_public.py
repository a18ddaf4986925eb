"""The public pages of a tournament: the announcement, where one sits, the ranking, an entrant's evening, the draws."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.http import Http404, HttpResponseBase
from django.views.decorators.http import require_safe

from clubs import words
from clubs.evening.state import CONFIRMED, State
from clubs.online_pages.mine import mine as own_tables
from clubs.online_pages.wording import how_it_works
from clubs.paper import draw_files, public_seen
from clubs.paper.kit import Reading, for_readers, shown
from clubs.paper.tabular import phase_name
from clubs.room.rules_words import game_name
from clubs.tournaments import money, seen, wording
from clubs.tournaments.awarding import awards
from clubs.tournaments.seen import RankingSeen

FIRST: Final = 10
"""How many lines of the ranking the first page shows."""
FEW: Final = 2
"""Letters by which somebody is looked for, at least."""


def column_heads(ranking: RankingSeen) -> list[words.Named]:
    """The criteria of a ranking as heads of columns."""
    return [words.criterion(code) for code in ranking.criteria]


@require_safe
@for_readers
def home(reading: Reading) -> HttpResponseBase:
    """What is announced; while it is played where everybody sits, and the ranking; afterwards what came out."""
    state, tournament = reading.state, reading.tournament
    rounds = seen.published(state)
    current = rounds[0] if rounds else None
    ranking = public_seen.trimmed(seen.ranking_seen(state, reading.names))
    context: dict[str, Any] = {
        "round": seen.round_seen(state, current, reading.names) if current else None,
        "clock": public_seen.clock_shown(current) if current else None,
        "part": phase_name(state, current.phase) if current else "",
        "rounds": list(reversed(rounds)),
        "ranking": ranking,
        "heads": column_heads(ranking),
        "places": ranking.places[:FIRST],
        "more": len(ranking.places) - FIRST,
        "fee": money.shown(state.fee) if state.fee else "",
        "plan": plan_words(state),
        "entered": sum(
            len(each.members) for each in seen.entrants(state) if each.status != "withdrawn" and not each.house
        ),
        "awards": prize_lines(reading) if state.closed else [],
        "tab": "home",
        "mine": own_tables(tournament, state, reading.visit.asked.player),
        "how_online": how_it_works(state.current.plan if state.current else state.plan),
    }
    if tournament.most:
        context["left"] = max(0, tournament.most - context["entered"])
    return shown(reading, "clubs/paper/home.html", context)


@require_safe
@for_readers
def seating(reading: Reading, key: str = "") -> HttpResponseBase:
    """Who sits where in a round (the latest one without `key`), and what each table has written."""
    state = reading.state
    rounds = seen.published(state)
    round = reading.round(key) if key else (rounds[0] if rounds else None)
    context: dict[str, Any] = {"rounds": list(reversed(rounds)), "round": None, "tab": "seating"}
    if round is not None:
        made = seen.round_seen(state, round, reading.names)
        wanted = reading.text("who")
        seats = public_seen.seats_of(made, reading.names, state)
        context |= {
            "round": made,
            "clock": public_seen.clock_shown(round),
            "part": phase_name(state, round.phase),
            "seats": seats,
            "who": wanted,
            "hits": public_seen.matching(seats, wanted) if len(wanted) >= FEW else [],
            "asked_for": len(wanted) >= FEW,
            "games": {name: game_name(name) for name in {table.ruleset for table in made.tables}},
            "usual": state.phases[round.phase - 1].plan.rules.ruleset,
            "online": state.phases[round.phase - 1].plan.online,
            "deadline": datetime.fromisoformat(round.deadline) if round.deadline else None,
            "games_of": {table.number: table.game for table in round.tables.values() if table.game},
            "forfeits": {number: table.forfeit for number, table in round.tables.items() if table.forfeit},
            "late": [number for number, table in round.tables.items() if table.late and table.state != CONFIRMED],
        }
    return shown(reading, "clubs/paper/seating.html", context)


@require_safe
@for_readers
def ranking(reading: Reading, phase: int = 0) -> HttpResponseBase:
    """The ranking over all parts, or of one of them, with every criterion."""
    state = reading.state
    if phase and state.phase(phase) is None:
        raise Http404
    found = (
        seen.phase_seen(state, state.phases[phase - 1], reading.names)
        if phase
        else seen.ranking_seen(state, reading.names)
    )
    found = public_seen.trimmed(found)
    context = {
        "ranking": found,
        "heads": column_heads(found),
        "phase": phase,
        "parts": [(each.number, phase_name(state, each.number)) for each in state.phases],
        "part": phase_name(state, phase) if phase else "",
        "tab": "ranking",
    }
    return shown(reading, "clubs/paper/ranking.html", context)


@require_safe
@for_readers
def entrant(reading: Reading, id: str) -> HttpResponseBase:
    """One entrant's evening."""
    state = reading.state
    who = reading.entrant(id)
    rounds = list(reversed(seen.published(state)))
    found = public_seen.trimmed(seen.ranking_seen(state, reading.names))
    evening = public_seen.evening_of(state, who, rounds, reading.names, found)
    values = public_seen.values_of(evening.place)
    kinds = {each.score.kind: words.choice("kind", each.score.kind) for each in evening.turns if each.score}
    context = {
        "entrant": who,
        "evening": evening,
        "values": values,
        "kinds": kinds,
        "final": found.final,
        "status": wording.entrant_state(who.status),
        "tab": "ranking",
    }
    return shown(reading, "clubs/paper/entrant.html", context)


@require_safe
@for_readers
def draws(reading: Reading) -> HttpResponseBase:
    """Every draw with its file, and how anybody can check them."""
    state = reading.state
    context = {
        "draws": draw_files.draws_of(reading.tournament, state),
        "lots": state.lots,
        "secret": bytes(reading.tournament.draw_secret).hex() if state.closed else "",
        "methods": {phase.number: wording.method(phase.plan.method) for phase in state.phases},
        "tab": "home",
    }
    return shown(reading, "clubs/paper/draws.html", context)


def plan_words(state: State) -> dict[str, Any]:
    """How it is played, in words: the plan of the phase that runs, or of what is to come."""
    phase = state.current
    plan = phase.plan if phase else state.plan
    return {
        "game": game_name(plan.rules.ruleset),
        "pairs": plan.kind == "pair",
        "method": wording.method(plan.method),
        "rounds": plan.rules.rounds,
        "deals": plan.rules.deals,
        "minutes": plan.minutes,
        "order": [words.criterion(code).name for code in plan.rules.tie_breaks],
    }


def prize_lines(reading: Reading) -> list[dict[str, Any]]:
    """Who gets what, in order of categories and ranks."""
    state = reading.state
    return [
        {
            "category": "" if each.category == "all" else each.category,
            "entrant": each.id,
            "name": reading.names.entrant(state.entrants[each.id]),
            "amount": money.shown(each.amount) if each.amount else "",
            "things": each.things,
            "codes": each.codes,
        }
        for each in awards(state).given
    ]
