"""The pages of standings: the ranking, with why one is before another, for everybody; and pages for the director.

The director also has an entrant's evening, lots, penalties and corrections.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from clubs import text as club_text
from core.http import page_of, search_text, whole_number
from core.text import fold
from domain.errors import DomainError
from domain.standings.criteria import RoundScore
from domain.standings.ranking import Standings, why
from domain.tournament.finishing import rounds_of
from domain.tournament.payload import Plain
from domain.tournament.scoring import shifts, standing_of
from domain.tournament.state import Phase, State
from tournaments import read_models, text
from tournaments.director import log_text, selectors, services
from tournaments.director.base import Desk, director_page, or_404
from tournaments.director.log_text import Teller
from tournaments.publishing.base import Reading
from tournaments.publishing.selectors import is_out, trimmed
from tournaments.services import draws
from tournaments.services.log import NewEvent

PER_PAGE: Final = 60


class Board(Desk, Reading):
    """A request for the ranking. Everybody who may know of the tournament may read it; only the director draws lots."""

    names = Reading.names

    def check_opens(self) -> None:
        if self.sent is None:
            self.check_reads()
        else:
            self.check_runs()


def _standings(desk: Desk, phase: int | None = None) -> Mapping[str, Any]:
    """The ranking of a part of the tournament.

    `phase` 0 means the whole tournament, as does None if there are several.
    """
    state = desk.state
    number = phase
    if number is None:
        number = 1 if len(state.phases) == 1 else 0
    part = or_404(state.phase(number)) if number else None
    ranking = read_models.phase_seen(state, part, desk.names) if part else read_models.ranking_seen(state, desk.names)
    ranking = trimmed(ranking)
    get = desk.request.GET
    find = search_text(desk.request)
    first, second = ([each.entrant for each in ranking.places] + ["", ""])[:2]
    places = [each for each in ranking.places if fold(find) in fold(each.name)]
    sheet = page_of(desk.request, places, PER_PAGE)
    return {
        "number": number,
        "ranking": ranking,
        "page": sheet,
        "find": find,
        "parts": [(0, _("The whole tournament"))] + [(each.number, text.phase_name(each)) for each in state.phases]
        if len(state.phases) > 1
        else [],
        "phase_name": text.phase_name(part) if part else "",
        "brackets": [
            (each.number, text.phase_name(each))
            for each in state.phases
            if each.plan.method == "knock-out" and number in (0, each.number)
        ],
        "names_of_phases": {each.number: text.phase_name(each) for each in state.phases},
        "statuses": {status: log_text.standing_status(status) for status in ("ranked", "after", "out")},
        "open": [_open_table(state, each, number) for each in ranking.open],
        "lots": [
            [(each.id, desk.name(each.id)) for each in desk.names.in_order(state.entrants[id] for id in group)]
            for group in ranking.lots_needed
        ]
        if number
        else [],
        # Entrants who are equal now may not be equal in the end.
        "lots_open": 0 if ranking.open else len(ranking.lots_needed),
        "lots_early": any(
            not each.finished and len(each.rounds) < rounds_of(state, each)
            for each in state.phases
            if number in (0, each.number)
        ),
        "reason": _reason(desk, part, get.get("one", ""), get.get("other", "")) if part else "",
        "everybody": [
            (each.entrant, each.name)
            for each in sorted(ranking.places, key=lambda each: desk.names.entrant_order(state.entrants[each.entrant]))
        ],
        # Nothing is chosen yet: the first two, since nobody is before themselves.
        "one": get.get("one", first),
        "other": get.get("other", second),
        "drawn": [(lot.seed, [desk.name(id) for id in lot.order]) for which, lot in state.lots if number in (0, which)],
    }


def _open_table(state: State, written: str, number: int) -> dict[str, Any]:
    """A table that does not count yet, from "2/7" (round as counted in phase `number`) or "1.2.7" (phase first)."""
    if number:
        part, (counted, table) = str(number), tuple(written.split("/"))
    else:
        part, counted, table = written.split(".")
    phase = state.phases[int(part) - 1]
    key = key_of_counted(state, phase, int(counted))
    return {"key": f"{key}.{table}", "round": key.partition(".")[2], "table": table}


def key_of_counted(state: State, phase: Phase, counted: int) -> str:
    """The key of the round with this number in the standings of a phase.

    If points are carried over from earlier phases, the rounds of those phases come first.
    """
    number, shift = next((each, shift) for each, shift in reversed(shifts(state, phase).items()) if counted > shift)
    return f"{number}.{counted - shift}"


def _reason(desk: Desk, phase: Phase, one: str, other: str) -> str:
    """Why one of two entrants is before the other, as a sentence; empty unless both are named."""
    if not one or not other:
        return ""
    try:
        found = why(standing_of(desk.state, phase), one, other)
    except DomainError as error:
        return club_text.standings_refusal(error, lambda who: desk.name(who) if who in desk.state.entrants else who)
    facts = {"first": desk.name(found.before), "second": desk.name(found.behind)}
    if found.criterion == "shared":
        return _("%(first)s and %(second)s are equal in everything: they share the rank.") % facts
    if found.criterion == "status":
        return _("%(first)s stands before %(second)s, who left early or played too few rounds.") % facts
    criterion = club_text.criterion(found.criterion)
    facts |= {
        "criterion": criterion.name,
        "one": club_text.criterion_value(found.criterion, found.value),
        "other": club_text.criterion_value(found.criterion, found.other),
        "meaning": criterion.meaning,
    }
    return _("%(first)s stands before %(second)s by “%(criterion)s”: %(one)s against %(other)s. %(meaning)s") % facts


def _lots(desk: Desk, phase: int | None = None) -> str:
    number = desk.whole("phase")
    draws.draw_lots(desk.tournament, number, by=desk.director, request_id=desk.request_id)
    return desk.url("standings-of", number)


def _cut(desk: Desk, phase: int | None = None) -> str:
    """Write down the order of entrants who are equal, which was decided by cutting cards in the hall."""
    number, group = desk.whole("phase"), desk.texts("who")

    def make(state: State) -> list[NewEvent]:
        found = state.phase(number)
        needed = standing_of(state, found).lots_needed if found else ()
        if tuple(sorted(group)) not in {tuple(sorted(each)) for each in needed}:
            raise DomainError("no-lot-needed", "who")
        places = {id: desk.whole(f"lot-{id}") for id in group}
        if sorted(places.values()) != list(range(1, len(group) + 1)):
            raise DomainError("bad-order", "who", most=len(group))
        order: list[Plain] = sorted(group, key=lambda who: places[str(who)])
        return [("lot.drawn", {"phase": number, "order": order, "label": f"{number}/{state.number}/hand"})]

    desk.decide(make)
    return desk.url("standings-of", number)


standings = director_page("standings", _standings, {"lots": _lots, "cut": _cut}, kind=Board)


# one entrant


def _evening_of(desk: Desk, phase: int, id: str) -> Mapping[str, Any]:
    """An entrant's evening: the result of every round."""
    part = or_404(desk.state.phase(phase))
    standing = standing_of(desk.state, part)
    row = or_404(next((each for each in standing.rows if each.entrant == id), None))
    rounds = [_round_of(desk, part, each, id) for each in row.sheet.rounds]
    rounds = [each for each in rounds if each["table"] or not is_out(part, each["score"])]
    penalties = [
        (desk.state.penalties[key], desk.state.penalties_cancelled.get(key, ""))
        for key in sorted(desk.state.penalties, key=lambda key: int(key[1:]))
        if desk.state.penalties[key].entrant == id
    ]
    return {
        "phase": part,
        "phase_name": text.phase_name(part),
        "row": row,
        "name": desk.name(id),
        "id": id,
        "rounds": rounds,
        "penalties": penalties,
        "status": log_text.standing_status(row.status),
        "neighbours": _neighbours(desk, part, standing, id),
    }


evening_of = director_page("entrant", _evening_of)


def _round_of(desk: Desk, phase: Phase, score: RoundScore, id: str) -> dict[str, Any]:
    """A round of an entrant: their table, with whom and against whom they played, and the score."""
    key = key_of_counted(desk.state, phase, score.round)
    round = desk.state.round(key)
    table = next((each for each in round.tables.values() if id in each.seats), None) if round else None
    partners: list[str] = []
    opponents: list[str] = []
    if table is not None:
        # Where players look on in turn nobody has one partner for the whole round: all others are opponents.
        sides = () if table.in_turn else table.sides
        own_side = next((side for side in sides if any(table.owners[place] == id for place in side)), ())
        for place, (owner, person) in enumerate(zip(table.owners, desk.state.named(table), strict=True)):
            if owner != id:
                (partners if place in own_side else opponents).append(desk.names.short(person))
    return {
        "round": score.round,
        "key": key,
        "table": table.number if table else 0,
        "table_key": f"{key}.{table.number}" if table else "",
        "kind": club_text.choice("kind", score.kind),
        "score": score,
        "with": partners,
        "against": opponents,
    }


def _neighbours(desk: Desk, phase: Phase, standing: Standings, id: str) -> list[str]:
    """Why the previous entrant in the ranking is before this one, and this one before the next."""
    order = [row.entrant for row in standing.rows]
    index = order.index(id)
    pairs = [(order[index - 1], id)] if index else []
    pairs += [(id, order[index + 1])] if index + 1 < len(order) else []
    return [_reason(desk, phase, one, other) for one, other in pairs]


# penalties


def _penalties(desk: Desk) -> Mapping[str, Any]:
    """All penalties given so far, and the form for a new one."""
    state = desk.state
    return {
        "rows": [
            {
                "id": id,
                "penalty": penalty,
                "name": desk.name(penalty.entrant),
                "phase": text.phase_name(state.phases[state.penalty_phase[id] - 1]),
                "cancelled": state.penalties_cancelled.get(id, ""),
            }
            for id, penalty in reversed(list(state.penalties.items()))
        ],
        "kinds": [
            (phase.number, text.phase_name(phase), phase.plan.rules.penalties) for phase in reversed(state.phases)
        ],
        "everybody": [(each.id, desk.name(each.id)) for each in desk.names.in_order(read_models.entrants(state))],
    }


def _give(desk: Desk) -> str:
    number, _colon, code = desk.text("kind").partition(":")
    data: dict[str, Any] = {
        "phase": whole_number(number, 2) or 0,
        "entrant": desk.text("entrant"),
        "reason": desk.text("reason"),
        "round": desk.whole("round", 0),
    }
    if code:
        data["code"] = code
    else:
        data |= {"points": desk.whole("points", 0), "match": desk.whole("match", 0)}
    desk.act("penalty.given", **data)
    return desk.url("penalties")


def _cancel(desk: Desk) -> str:
    desk.act("penalty.cancelled", id=desk.text("what"), reason=desk.text("reason"))
    return desk.url("penalties")


penalties = director_page("penalties", _penalties, {"give": _give, "cancel": _cancel})


# corrections


def _corrections(desk: Desk) -> Mapping[str, Any]:
    """Everything the director corrected, with the effect on the ranking."""
    teller = Teller(desk.state, desk.names)
    sheet = page_of(desk.request, selectors.corrections(desk.tournament), 20)
    differences = selectors.differences(desk.tournament, {row.number for row in sheet})
    rows = [
        {
            "number": row.number,
            "at": row.at,
            "text": teller.told(row),
            "by": teller.by(row),
            "differences": services.differences_for_page(differences.get(row.number, ()), desk),
        }
        for row in sheet
    ]
    return {"rows": rows, "page": sheet}


corrections = director_page("corrections", _corrections)
