"""Draws for the director: rounds, pairs of single entrants, lots. The randomness is committed to at the opening."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.utils.translation import gettext, ngettext

from domain.errors import DomainError
from domain.seating.chance import Chance
from domain.seating.field import tables_for
from domain.seating.files import Draw
from domain.seating.seat import PLANNED
from domain.standings import ranking
from domain.tournament import drawing, events
from domain.tournament.finishing import rounds_of
from domain.tournament.payload import Plain
from domain.tournament.registering import house_needed, needs_partner
from domain.tournament.scoring import standing_of
from domain.tournament.state import CONFIRMED, DRAFT, HERE, OUT, Entrant, Phase, Round, State, settings_for
from tournaments.exceptions import AskFirst, Moved, Refused
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.selectors import state_of
from tournaments.services.log import NewEvent, Receipt, act, decide


def open_tournament(tournament: Tournament, *, by: Actor, request_id: uuid.UUID) -> Receipt:
    """Open registration, and commit to the secret that all draws come from."""
    promised = drawing.commitment(bytes(tournament.draw_secret))
    return act(tournament.pk, [("tournament.opened", {"commitment": promised})], by=by, request_id=request_id)


def promise(tournament: Tournament, phase: int, *, by: Actor, request_id: uuid.UUID) -> Receipt:
    """Promise the next draw of a phase. Its commitment can be shown, and the hall may add something of its own."""

    def make(state: State) -> list[NewEvent]:
        filled, state_then = _filled(state, phase)
        doing, _draw = _promised(tournament, state_then, phase)
        return [*filled, doing]

    return decide(tournament, make, by=by, request_id=request_id, same=f"promise|{phase}")


def draw(
    tournament: Tournament,
    phase: int,
    *,
    hall: str = "",
    expected: str = "",
    by: Actor,
    request_id: uuid.UUID,
    at: datetime | None = None,
) -> Receipt:
    """Draw the next round of a phase as promised; if nothing is promised yet, promise it at the same time.

    Refused (``already-drawn``) if the key of that round is not `expected` any more, where it is given.

    The draw is made without the lock. If somebody comes in at the entrance meanwhile, it is made again with them,
    unless it was promised without them. `hall` is what the hall added; in a plan for a whole phase, that of the first
    round is used for all rounds. Raises Refused, Moved.
    """
    hall = hall.strip()

    def make(state: State) -> list[NewEvent]:
        found = _phase(state, phase)
        if expected and expected != next_key(state):
            raise DomainError("already-drawn", "round", round=expected)
        doings: list[NewEvent] = []
        method, waiting = found.plan.method, found.promise
        if waiting is None:
            filled, state_then = _filled(state, phase)
            doing, draw = _promised(tournament, state_then, phase)
            doings += [*filled, doing]
            number, attempt = doing[1]["round"], doing[1]["attempt"]
        else:
            number, attempt = waiting.round, waiting.attempt
            seed = drawing.draw_seed(bytes(tournament.draw_secret), method, phase, waiting.round, waiting.attempt)
            draw = drawing.promised_draw(waiting.file, seed)
        made = drawing.make_draw(draw, found.hall if method in PLANNED and number != 1 else hall)
        round: dict[str, Plain] = {
            "phase": phase,
            "round": number,
            "attempt": attempt,
            "file": dict(made.file),
            "tables": [list(seats) for seats in made.seats],
            "byes": list(made.byes),
            "hall": hall,
        }
        return [*doings, ("round.drawn", round)]

    return decide(tournament, make, by=by, request_id=request_id, same=f"draw|{phase}|{hall}", at=at)


def round_drawn(receipt: Receipt) -> Round:
    """The round that was drawn, in its current state.

    Raises Moved if this is a repeated request and the draw was undone.
    """
    data = next(event.data for event in receipt.events if event.kind == "round.drawn")
    round = receipt.state.round(f"{data['phase']}.{data['round']}")
    if round is None:
        raise Moved
    return round


def may_draw(state: State, phase: Phase) -> bool:
    """Whether the next round of a phase can be drawn: there is no draft, rounds are left, and nothing is over."""
    drafted = bool(phase.rounds) and phase.rounds[-1].status == DRAFT
    over = phase.finished or state.closed or len(phase.rounds) >= rounds_of(state, phase)
    return not (over or drafted)


def next_key(state: State) -> str:
    """The key of the next round of the latest phase; "1.1" before any has begun."""
    return f"{state.phases[-1].number}.{len(state.phases[-1].rounds) + 1}" if state.phases else "1.1"


def open_tables(state: State) -> int:
    """The number of tables of the latest published round that are still playing or not confirmed."""
    last = state.phases[-1].rounds[-1:] if state.phases else ()
    return sum(table.state != CONFIRMED for round in last if round.status == OUT for table in round.tables.values())


def seat_everybody(tournament: Tournament, key: str, *, by: Actor, request_id: uuid.UUID, sure: bool = False) -> Round:
    """Draw the round `key`, which must be the next one, for everybody who is here; publish it and return it.

    Begins the first phase if none has begun. Raises AskFirst unless `sure` if tables of the last round are still
    playing or somebody has no partner. Refused (``already-drawn``) if somebody else has drawn that round meanwhile.

    Makes three requests to the log, each only once even if this one is repeated. Raises Refused, Moved. If there are
    too few people for a table, nothing is changed.
    """
    begin, drawing_it, out = (uuid.uuid5(request_id, step) for step in ("begin", "draw", "publish"))
    tournament.refresh_from_db()
    state = state_of(tournament)
    if not sure and key == next_key(state):
        _ask_if_doubtful(state, key)

    def start(state: State) -> list[NewEvent]:
        return [] if state.phases else [("phase.started", {"name": ""})]

    if not state.phases:
        here = sum(each.status == HERE and not needs_partner(state, each) for each in state.entrants.values())
        if not tables_for(here, settings_for(state.plan))[0]:
            raise Refused("too-few", "entrants")
        state = decide(tournament, start, by=by, request_id=begin, same="start").state
    phase = state.phases[-1]
    round = round_drawn(draw(tournament, phase.number, expected=key, by=by, request_id=drawing_it))
    act(tournament.pk, [("round.published", {"round": round.key})], by=by, request_id=out)
    return round


def without_partner(state: State) -> list[Entrant]:
    """Those who are here for a tournament of pairs and alone, so that the next draw leaves them out.

    Nobody in a knock-out that has begun: it goes on with those of its first round.
    """
    current = state.current
    if current is not None and current.plan.method == "knock-out" and current.rounds:
        return []
    return [each for each in state.entrants.values() if each.status == HERE and needs_partner(state, each)]


def _ask_if_doubtful(state: State, key: str) -> None:
    """Raise AskFirst if the draw `key` would not wait for tables of the round before, or would leave somebody out."""
    doubts = []
    if (tables := open_tables(state)) and not drawing.waits_for_results(state.phases[-1]):
        doubts.append(
            ngettext(
                "%(tables)d table of round %(last)d is still playing or not confirmed.",
                "%(tables)d tables of round %(last)d are still playing or not confirmed.",
                tables,
            )
            % {"tables": tables, "last": state.phases[-1].rounds[-1].number}
        )
    if alone := len(without_partner(state)):
        doubts.append(
            ngettext(
                "%(people)d person here has no partner and is not seated.",
                "%(people)d people here have no partner and are not seated.",
                alone,
            )
            % {"people": alone}
        )
    if doubts:
        question = " ".join([*doubts, gettext("Draw and publish the next round all the same?")])
        raise AskFirst("seat", question, gettext("Draw and publish it"), what=key)


def draw_again(tournament: Tournament, key: str, reason: str, *, by: Actor, request_id: uuid.UUID) -> Round:
    """Undo the draft `key` and draw it again for everybody who is here now. Returns the new draft.

    Makes two requests to the log, each only once even if this one is repeated. Raises Refused, Moved. If the new draw
    is refused, the first draft stays undone, with its reason.
    """
    undoing, drawing_it = (uuid.uuid5(request_id, step) for step in ("undo", "draw"))
    phase, number = map(int, key.split("."))
    undone: NewEvent = ("draw.undone", {"phase": phase, "round": number, "reason": reason, "substitutes": True})
    act(tournament.pk, [undone], by=by, request_id=undoing)
    tournament.refresh_from_db()
    return round_drawn(draw(tournament, phase, by=by, request_id=drawing_it))


def make_pairs(tournament: Tournament, *, by: Actor, request_id: uuid.UUID) -> Receipt:
    """Draw pairs among the single entrants who are here. If their number is odd, the last one drawn stays single."""

    def make(state: State) -> list[NewEvent]:
        single = [each.id for each in state.entrants.values() if each.status == HERE and len(each.members) == 1]
        if len(single) < 2:
            raise DomainError("too-few", "pairs")
        attempt = state.number
        order = Chance(drawing.pairs_seed(bytes(tournament.draw_secret), attempt), "pairs").shuffled(sorted(single))
        pairs: list[Plain] = [[min(a, b), max(a, b)] for a, b in zip(order[::2], order[1::2], strict=False)]
        return [("pairs.made", {"pairs": pairs, "attempt": attempt, "substitutes": True})]

    return decide(tournament, make, by=by, request_id=request_id, same="pairs")


def draw_lots(tournament: Tournament, phase: int, *, by: Actor, request_id: uuid.UUID) -> Receipt:
    """Draw the lots that the standings of a phase still need, each from the tournament's secret."""

    def make(state: State) -> list[NewEvent]:
        needed = standing_of(state, _phase(state, phase)).lots_needed
        if not needed:
            raise DomainError("no-lot-needed", "phase")
        doings: list[NewEvent] = []
        for place, group in enumerate(needed, 1):
            label = f"{phase}/{state.number}/{place}"
            lot = ranking.draw(group, drawing.lot_seed(bytes(tournament.draw_secret), label), label)
            data: dict[str, Plain] = {
                "phase": phase,
                "order": list(lot.order),
                "label": lot.label,
                "seed": lot.seed,
            }
            doings.append(("lot.drawn", data))
        return doings

    return decide(tournament, make, by=by, request_id=request_id, same=f"lots|{phase}")


def _filled(state: State, phase: int) -> tuple[list[NewEvent], State]:
    """The events that add or remove computer players to fill the next round, and the state after them."""
    found = _phase(state, phase)
    needed = house_needed(state, found) if found.plan.online else 0
    if needed == sum(each.house and each.status == HERE for each in state.entrants.values()) or not found.plan.online:
        return [], state
    doing: NewEvent = ("house.filled", {"count": needed})
    return [doing], events.check(state, *doing, at="", by="")


def _promised(tournament: Tournament, state: State, phase: int) -> tuple[NewEvent, Draw]:
    number, attempt, draw = drawing.promise(state, _phase(state, phase), bytes(tournament.draw_secret))
    file = draw.promise()
    here: list[Plain] = [each.id for each in draw.field.present]
    return ("round.promised", {"phase": phase, "round": number, "attempt": attempt, "file": file, "here": here}), draw


def _phase(state: State, number: int) -> Phase:
    found = state.phase(number)
    if found is None:
        raise DomainError("no-such-phase", "phase")
    return found
