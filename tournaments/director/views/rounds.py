"""The pages of rounds: drawing, seating by hand, publishing, the clock, closing; and why people sit where they do."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

from django.http import Http404, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs import text as club_text
from core.sursilvan import in_a_row
from domain.errors import DomainError
from domain.seating import files
from domain.seating import why as reasons
from domain.seating.field import REPEATS, Seating
from domain.seating.files import Draw
from domain.seating.why import Exchange
from domain.standings.profile import TableSize
from domain.tournament import drawing
from domain.tournament.directing import LONGEST_SCREEN_LINE
from domain.tournament.finishing import drawn_tables, last_tables, rounds_of, still_in
from domain.tournament.payload import Plain
from domain.tournament.state import CONFIRMED, DRAFT, GONE, HERE, OUT, PAIR, PLAYING, Phase, Round, State, dealers_at
from tournaments import read_models, text
from tournaments.director import log_text, online, selectors
from tournaments.director.base import Action, Desk, director_page, event_action, or_404
from tournaments.director.services import BYE, NOWHERE, Seats, absent_entrants, costs_by_table, not_seated
from tournaments.exceptions import AskFirst, Refused
from tournaments.read_models import Names
from tournaments.services import draws
from tournaments.services.log import NewEvent
from tournaments.views import Visit, at_tournament


def _rounds(desk: Desk) -> Mapping[str, Any]:
    """All rounds, and what comes next: the first phase, or the next draw."""
    state = desk.state
    alone = draws.without_partner(state)
    return {
        "phases": [_phase(desk, phase) for phase in reversed(state.phases)],
        "next_key": draws.next_key(state),
        "plan": log_text.plan_lines(state.plan) if not state.phases else (),
        "present": sum(each.status == HERE and not each.house for each in state.entrants.values()) - len(alone),
        "alone": len(alone),
        "alone_names": in_a_row([desk.name(each.id) for each in alone]),
        "no_account": online.missing(desk, state.current),
        "online": (state.current.plan if state.current else state.plan).online,
        "longest_line": LONGEST_SCREEN_LINE,
    }


def _phase(desk: Desk, phase: Phase) -> dict[str, Any]:
    last = phase.rounds[-1] if phase.rounds else None
    waiting = _open(last) if last is not None and last.status == OUT else 0
    drawn = drawn_tables(desk.state, phase)
    return {
        "phase": phase,
        "name": text.phase_name(phase),
        "rounds": [
            {"round": each, "state": _round_state(each), "open": _open(each), "tables": len(each.tables)}
            for each in reversed(phase.rounds)
        ],
        "next": len(phase.rounds) + 1,
        "rounds_in_all": rounds_of(desk.state, phase),
        "may_draw": draws.may_draw(desk.state, phase),
        "left": still_in(desk.state, phase),
        "drafted": last is not None and last.status == DRAFT,
        "waits": drawing.waits_for_results(phase) and bool(waiting or drawn),
        "waiting": waiting,
        "drawn": [(key, *key.split(".")[1:]) for key in drawn],
        "late": len(phase.promise.here) if phase.promise else 0,
        "since": _since_promise(desk, phase),
        "undone": [
            {
                "round": each["round"],
                "reason": each["reason"],
                "at": each["at"],
                "commitment": str(_file(each["file"]).get("commitment", "")),
            }
            for each in phase.undone
        ],
    }


def _since_promise(desk: Desk, phase: Phase) -> Mapping[str, Any]:
    """How many would be seated now, and who has come or gone since the next draw was promised; empty if nobody has."""
    if phase.promise is None:
        return {}
    try:
        now = {each.id for each in drawing.field_of(desk.state, phase, phase.promise.round).present}
    except DomainError:  # a result was taken back, so nothing can be drawn anew
        return {}
    promised = set(phase.promise.here)
    if now == promised:
        return {}
    named = {
        name: [desk.names.entrant(each) for each in desk.names.in_order(desk.state.entrants[id] for id in ids)]
        for name, ids in (("come", now - promised), ("gone", promised - now))
    }
    return {"number": len(now), **named}


def _round_state(round: Round) -> str:
    return _("every table counts") if round.status == OUT and not _open(round) else text.round_state(round.status)


def _file(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _open(round: Round) -> int:
    return sum(table.state != CONFIRMED for table in round.tables.values())


def _begin(desk: Desk) -> str:
    if desk.state.phases:
        raise Refused("rounds-begun")
    desk.act("phase.started", name=desk.text("name"))
    return desk.url("rounds")


def _promise(desk: Desk) -> str:
    draws.promise(desk.tournament, desk.whole("phase"), by=desk.director, request_id=desk.request_id)
    return desk.url("rounds")


def _draw(desk: Desk) -> str:
    phase = desk.whole("phase")
    receipt = draws.draw(desk.tournament, phase, hall=desk.text("hall"), by=desk.director, request_id=desk.request_id)
    return desk.url("round", draws.round_drawn(receipt).key)


def _tell(desk: Desk) -> str:
    desk.act("screen.told", text=desk.text("text"))
    return desk.url("rounds")


def _seat(desk: Desk) -> str | HttpResponseBase:
    key, sure = desk.text("what"), desk.flag("sure")
    try:
        round = draws.seat_everybody(desk.tournament, key, by=desk.director, request_id=desk.request_id, sure=sure)
    except AskFirst as ask:
        return desk.ask_again(ask, desk.url("rounds"))
    return desk.url("round", round.key)


rounds = director_page(
    "rounds", _rounds, {"begin": _begin, "promise": _promise, "draw": _draw, "seat": _seat, "tell": _tell}
)


# one round


def _round(desk: Desk, key: str) -> Mapping[str, Any]:
    """One round: as a draft, being played, or closed."""
    state = desk.state
    round = or_404(state.round(key))
    phase = state.phases[round.phase - 1]
    now = timezone.now()
    shown = read_models.round_seen(state, round, desk.names)
    terms = costs_by_table(state, phase, round)
    last = last_tables(state, phase, round)
    rest = desk.names.in_order(not_seated(state, phase, round))
    byes = list(zip(shown.bye_entrants, shown.byes, strict=True))
    file = round.draw or {}
    return {
        "phase": phase,
        "phase_name": text.phase_name(phase),
        "round": shown,
        "round_state": _round_state(round),
        "begun": round.begun,
        "games": sum(bool(table.game) for table in round.tables.values()),
        "latest": phase.rounds[-1].number == round.number,
        "next_waits": drawing.waits_for_results(phase),
        "next_may_come": draws.may_draw(state, phase),
        "draft": round.status == DRAFT,
        "out": round.status == OUT and not state.closed,
        **_clock_context(round, now),
        "clock_minutes": phase.plan.minutes or 60,
        "last_deal": phase.plan.last_deal,
        "tables": [
            {
                "table": table,
                "stage": text.last_table(last[table.number]) if table.number in last else "",
                "terms": [
                    (term.criterion in REPEATS, log_text.term(term, desk.name))
                    for term in terms.get(table.number, ())
                    if term.points
                ],
            }
            for table in shown.tables
        ],
        "pulses": _pulses(desk, phase, round, shown, now),
        "odd_tables": _odd_tables(phase, round),
        "repeats": sum(term.criterion in REPEATS for found in terms.values() for term in found),
        "remarks": [text.remark(each) for each in shown.remarks],
        "gone": _left_after_draw(desk, phase, round),
        "went_home": _left_while_playing(desk, round),
        "drawn": [(each, each.rpartition(".")[2]) for each in drawn_tables(state, phase) if each.startswith(f"{key}.")],
        "not_seated": [(each.id, desk.names.entrant(each)) for each in rest],
        "people": _people(desk, round),
        "byes": byes,
        "loose": [*byes, *((each.id, desk.names.entrant(each)) for each in rest)],
        "tables_to": _free(round),
        "BYE": BYE,
        "NOWHERE": NOWHERE,
        "commitment": file.get("commitment", ""),
        "seed": file.get("seed", ""),
        "hall": file.get("hall", ""),
        **online.round_context(desk, phase, round),
    }


def _pulses(
    desk: Desk, phase: Phase, round: Round, shown: read_models.RoundSeen, now: datetime
) -> list[dict[str, object]]:
    """How far each table is, once the round is published; nothing online, where the games say it themselves."""
    if round.status == DRAFT or phase.plan.online:
        return []
    tables = {table.number: table for table in shown.tables}
    return [
        {"pulse": each, "table": tables[each.number], "state": text.table_state(each.state)}
        for each in selectors.pulses(desk.tournament, round, phase.plan.minutes, now)
    ]


def _left_after_draw(desk: Desk, phase: Phase, round: Round) -> list[str]:
    """The names of those who have a place in the draft but can no longer sit there."""
    if round.status != DRAFT:
        return []
    return [desk.names.entrant(each) for each in desk.names.in_order(absent_entrants(desk.state, phase, round))]


def _left_while_playing(desk: Desk, round: Round) -> list[tuple[str, str, int]]:
    """Those who went home from a table that still plays: the name, and the key and the number of the table."""
    if round.status != OUT:
        return []
    entrants = desk.state.entrants
    return [
        (desk.names.entrant(entrants[id]), f"{round.key}.{number}", number)
        for number, table in sorted(round.tables.items())
        for id in table.seats
        if table.state == PLAYING and entrants[id].status == GONE
    ]


def _odd_tables(phase: Phase, round: Round) -> list[str]:
    """A line for each size of table other than that of the plan.

    It says how the house rules compensate for the size, and who deals how often if that is uneven.
    """
    tables = {len(table.people): table for table in round.tables.values()}
    usual = phase.settings.shapes[0].size * (2 if phase.plan.kind == PAIR else 1)
    rules = {size.size: size for size in phase.plan.rules.table_sizes}
    lines = []
    for size, table in sorted(tables.items()):
        if size == usual:
            continue
        line = club_text.table_size_line(rules.get(size, TableSize(size)))
        dealing = club_text.uneven_dealing(table.deals, dealers_at(table), look_on=bool(table.in_turn))
        lines.append(f"{line.label}: {line.text}. {dealing}".strip())
    return lines


def _clock_context(round: Round, now: datetime) -> Mapping[str, Any]:
    clock = read_models.clock_seen(round)
    if clock is None:
        return {"time": None}
    if clock.ends is None or not clock.running:
        return {"time": clock, "minutes": clock.minutes_left}
    return {
        "time": clock,
        "minutes": max(0, -(-int((clock.ends - now).total_seconds()) // 60)),
        "now": now,
        "over": now >= clock.ends,
        "no_new_deal": clock.last_deal is not None and now >= clock.last_deal,
    }


def _people(desk: Desk, round: Round) -> list[tuple[str, str, str]]:
    """All entrants who can be given another place: id, name, and where they are; by name."""
    where = {id: str(number) for number in _free(round) for id in round.tables[number].seats}
    where |= dict.fromkeys(round.byes, BYE)
    phase = desk.state.phases[round.phase - 1]
    where |= {each.id: NOWHERE for each in not_seated(desk.state, phase, round)}
    found = desk.names.in_order(desk.state.entrants[id] for id in where)
    return [(each.id, desk.names.entrant(each), where[each.id]) for each in found]


def _free(round: Round) -> list[int]:
    """The numbers of the tables that can be changed by hand: nothing is written there, and no game is set up."""
    return [number for number, table in sorted(round.tables.items()) if not table.touched and not table.game]


def _arrange(desk: Desk, key: str, change: Callable[[Seats], None]) -> str:
    """Apply a change of seats to the current state of the round."""
    reason = desk.text("reason")
    if not reason:
        raise Refused("reason-needed", "reason")

    def make(state: State) -> list[NewEvent]:
        round = state.round(key)
        if round is None:
            raise DomainError("no-such-round", "round")
        seats = Seats.of(round)
        change(seats)
        return [("round.arranged", seats.data(reason))]

    desk.decide(make)
    return desk.url("round", key)


def _exchange(desk: Desk, key: str) -> str:
    one, other = desk.entrant(desk.text("one")).id, desk.entrant(desk.text("other")).id
    return _arrange(desk, key, lambda seats: seats.exchange(one, other))


def _move(desk: Desk, key: str) -> str:
    who, to = desk.entrant(desk.text("who")).id, desk.text("to")
    return _arrange(desk, key, lambda seats: seats.move(who, to))


def _set_up(desk: Desk, key: str) -> str:
    who = desk.texts("who")
    return _arrange(desk, key, lambda seats: seats.set_up(who))


def _take_away(desk: Desk, key: str) -> str:
    number = desk.whole("table")
    return _arrange(desk, key, lambda seats: seats.take_away(number))


def _undo(desk: Desk, key: str) -> str:
    """Undo a draw, and call off the games that its tables have, for the same reason."""
    reason = desk.text("reason")

    def make(state: State) -> list[NewEvent]:
        round = state.round(key)
        if round is None:
            raise DomainError("no-such-round", "round")
        games: list[NewEvent] = [
            ("table.abandoned", {"table": f"{key}.{number}", "reason": reason, "substitutes": True})
            for number, table in sorted(round.tables.items())
            if table.game
        ]
        undone: dict[str, Plain] = {"phase": round.phase, "round": round.number, "reason": reason, "substitutes": True}
        return [*games, ("draw.undone", undone)]

    desk.decide(make)
    return desk.url("rounds")


def _draw_again(desk: Desk, key: str) -> str:
    reason = _("Somebody has left since the draw.")
    round = draws.draw_again(desk.tournament, key, reason, by=desk.director, request_id=desk.request_id)
    return desk.url("round", round.key)


def _publish(desk: Desk, key: str) -> str | HttpResponseBase:
    """Publish a round, after a question if somebody who has a place in it is no longer here."""
    round = desk.round(key)
    left = absent_entrants(desk.state, desk.state.phases[round.phase - 1], round)
    if left and round.status == DRAFT and not desk.text("deadline") and not desk.flag("sure"):
        question = ngettext(
            "%(names)s is not here any more, and somebody would wait at that table. Publish the round all the same?",
            "%(names)s are not here any more, and somebody would wait at their tables. Publish the round all the same?",
            len(left),
        ) % {"names": ", ".join(desk.names.entrant(each) for each in desk.names.in_order(left))}
        return desk.ask_again(AskFirst("publish", question, _("Publish it all the same")), desk.url("round", key))
    return online.publish(desk, key)


def _close(desk: Desk, key: str) -> str:
    desk.act("round.closed", round=key)
    return desk.url("rounds")


def _clock(desk: Desk, key: str) -> str:
    act = desk.text("act")
    minutes = {"minutes": desk.whole("minutes")} if act in ("start", "add") else {}
    desk.act("clock.set", round=key, act=act, **minutes)
    return desk.url("round", key)


_ON_A_ROUND: Mapping[str, Action] = {
    "exchange": _exchange,
    "move": _move,
    "set-up": _set_up,
    "take-away": _take_away,
    "undo": _undo,
    "close": _close,
    "open-again": event_action("round.closed", "round", off=True),
    "clock": _clock,
    **online.ON_A_ROUND,
    "publish": _publish,
    "draw-again": _draw_again,
}
round_page = director_page("round", _round, _ON_A_ROUND)


@require_safe
@at_tournament
def why(visit: Visit, key: str, id: str) -> HttpResponseBase:
    """Why an entrant sits where they do in a round.

    Only the director sees drafts; names are as the reader may see them.
    """
    round = or_404(visit.state.round(key))
    entrant = or_404(visit.state.entrants.get(id))
    if not visit.runs_it and (round.status == DRAFT or not visit.may_read):
        raise Http404
    names = Names(visit.tournament, visit.standing.audience)
    seated = next((number for number, table in round.tables.items() if id in table.seats), 0)
    if not seated and id not in round.byes:
        raise Http404

    def name(who: str) -> str:
        found = visit.state.entrants.get(who)
        return names.entrant(found) if found else "?"

    phase = visit.state.phases[round.phase - 1]
    context = {
        "round": round,
        "phase_name": text.phase_name(phase),
        "several": len(visit.state.phases) > 1,
        "name": names.entrant(entrant),
        "table": seated,
        "method": text.method_of(phase.plan),
        # The director's own words can name people, so others only learn how often the round was changed.
        "reasons": round.by_hand if visit.runs_it else (),
        "times_by_hand": len(round.by_hand),
        **_reasons(round, id, name),
    }
    return visit.page("tournaments/director/why.html", context)


def _reasons(round: Round, id: str, name: Any) -> Mapping[str, Any]:
    file = cast("Mapping[str, Any]", round.draw or {})
    draw, seating = _repeated_draw(json.dumps([file["inputs"], file["seed"], file["hall"]]))
    drawn = seating.table_of(id)
    try:
        reason = reasons.why(seating, draw.field, draw.settings, draw.seed, id, hall=draw.hall)
    except DomainError:  # seated by hand after the draw
        return {"drawn": False}
    here = next((table.seats for table in round.tables.values() if id in table.seats), ())
    return {
        "drawn": True,
        "moved": set(drawn.seats if drawn else ()) != set(here),
        "drawn_table": reason.table or 0,
        "planned": reason.planned,
        "terms": [log_text.term(term, name) for term in reason.terms],
        "exchanges": [(name(each.other), _what_an_exchange_costs(each)) for each in reason.exchanges],
    }


@lru_cache(maxsize=16)
def _repeated_draw(text: str) -> tuple[Draw, Seating]:
    """Repeat a published draw. Cached, because a whole hall asks about the same one."""
    inputs, seed, hall = json.loads(text)
    draw = files.read(inputs, bytes.fromhex(seed), hall)
    return draw, draw.seating()


def _what_an_exchange_costs(exchange: Exchange) -> str:
    """What exchanging places with somebody would have cost, in words."""
    if exchange.burdens:
        return _("somebody who has more often sat out, or sat at a table of unusual size, would have to do so again")
    if exchange.more_repeats > 0:
        repeats = ngettext("%(number)s repeat more", "%(number)s repeats more", exchange.more_repeats)
        return repeats % {"number": exchange.more_repeats}
    if exchange.more > 0:
        return ngettext("worse by %(number)s point", "worse by %(number)s points", exchange.more) % {
            "number": exchange.more
        }
    return _("just as good: the luck of the draw decided")
