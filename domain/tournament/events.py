"""The only way from one state to the next: every kind of event, its checks and what it changes.

An event records what happened, not what was requested: a draw contains its tables, so that reading a log draws nothing
again. Events are checked here as well, so that a log contains only what was possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from domain.errors import refuse_if, require
from domain.tournament import directing, registering, rounds, score_sheets
from domain.tournament.payload import Given, Plain
from domain.tournament.state import State


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log.

    `number` counts from 1 without gaps; `at` is an ISO time in UTC; `by` is the actor as the caller names them
    (``player:…``, ``table:…``); `data` is plain JSON.
    """

    number: int
    at: str
    kind: str
    data: Mapping[str, Plain]
    by: str = ""


Handler = Callable[[State, Given, str, str], State]
"""(state, data, at, by) -> the next state. Raises DomainError."""

HANDLERS: Final[dict[str, Handler]] = {
    "tournament.planned": directing.plan,
    "tournament.opened": directing.open_,
    "tournament.closed": directing.close,
    "tournament.reopened": directing.reopen,
    "season.loaded": directing.load_season,
    "penalty.given": directing.penalise,
    "penalty.cancelled": directing.forgive,
    "lot.drawn": directing.draw_lot,
    "money.entered": directing.pay,
    "money.cancelled": directing.cancel_money,
    "till.counted": directing.count_till,
    "prizes.set": directing.set_prizes,
    "prize.handed": directing.hand_prize,
    "hall-key.renewed": directing.renew_hall_key,
    "screen.told": directing.tell_screen,
    "entrant.added": registering.add,
    "entrant.changed": registering.change,
    "entrant.arrived": registering.arrive,
    "entrant.not-arrived": registering.not_arrive,
    "entrant.left": registering.leave,
    "entrant.withdrawn": registering.withdraw,
    "entrant.paused": registering.pause,
    "entrant.substituted": registering.substitute,
    "pairs.made": registering.make_pairs,
    "pair.parted": registering.part,
    "apart.set": registering.keep_apart,
    "house.filled": registering.fill,
    "phase.started": rounds.begin_phase,
    "phase.changed": rounds.change_phase,
    "phase.finished": rounds.finish_phase,
    "phase.dropped": rounds.drop_phase,
    "round.promised": rounds.promise,
    "round.drawn": rounds.draw,
    "draw.undone": rounds.undo,
    "round.arranged": rounds.arrange,
    "round.published": rounds.publish,
    "round.closed": rounds.close,
    "clock.set": rounds.start_clock,
    "deadline.set": rounds.set_deadline,
    "boards.laid": rounds.lay_boards,
    "table.begun": rounds.begin,
    "table.abandoned": rounds.abandon,
    "table.reported": rounds.report,
    "table.overdue": rounds.overdue,
    "deal.entered": score_sheets.enter,
    "deal.erased": score_sheets.erase,
    "table.handed-in": score_sheets.hand_in,
    "table.taken-back": score_sheets.take_back,
    "table.confirmed": score_sheets.confirm,
    "table.disputed": score_sheets.dispute,
    "table.settled": score_sheets.settle,
    "table.reopened": score_sheets.reopen,
    "key.renewed": score_sheets.renew_key,
    "table.noted": score_sheets.remark,
}
"""The handler of each kind of event."""
WHEN_CLOSED: Final = frozenset(
    {"tournament.reopened", "prize.handed", "money.entered", "money.cancelled", "till.counted", "screen.told"}
)
"""The kinds of events that are still allowed once a tournament is closed."""


def apply(state: State, event: Event) -> State:
    """The state after the event. Raises DomainError, also (``out-of-order``) if its number is not the next one."""
    refuse_if(event.number != state.number + 1, "out-of-order", "number", expected=state.number + 1)
    return replace(check(state, event.kind, event.data, event.at, event.by), number=event.number)


def check(state: State, kind: str, data: Mapping[str, Plain], at: str, by: str) -> State:
    """The state after such an event, but still with the old number. Raises DomainError."""
    handler = require(HANDLERS.get(kind), "unknown-kind", "kind", kind=kind)
    refuse_if(state.closed and kind not in WHEN_CLOSED, "is-closed")
    return handler(state, Given(data), at, by)


def replay(events: Iterable[Event], state: State | None = None) -> State:
    """The state after all events, from the beginning or from a state in between."""
    current = state or State()
    for event in events:
        current = apply(current, event)
    return current
