"""The log of a table, line by line: its events, and a hand as one viewer saw it.

Also what happened at each seat since the last lead, and the state of the Tapp. All of it from the view of one seat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from domain.engine import CODES, Ruleset, cards_in
from domain.engine import Action as Move
from domain.engine.cards import FOOL
from domain.engine.state import Happening, Result, Trick
from domain.engine.view import View
from games import projections
from games.models import Action, Seat
from games.read_models import Happened, Line, TappSeen
from games.selectors import log

_OF_ITS_SEAT = ("more-time", "substitute-asked", "live-ended")
"""Entries that another player may have caused than that of the seat they name."""


def event_lines(events: Iterable[Action], seats: list[Seat]) -> Iterator[Line]:
    """The lines of the events of a table's log, in order. Players who have left are called by name."""
    seat_of = {seat.player_id: seat.number for seat in seats}
    begun: set[int] = set()
    for event in events:
        if event.text in projections.SILENT:
            continue
        if event.text == "ready" and event.data.get("agreed"):
            if event.hand_number not in begun:
                begun.add(event.hand_number)
                yield Line(event.number, "begun-agreed", None, event.hand_number)
            continue
        yield _event_line(event, seat_of)


def _event_line(event: Action, seat_of: dict[int, int]) -> Line:
    player = event.player
    own_seat = None if player is None else seat_of.get(player.pk, seat_of.get(player.current.pk))
    of_its_seat = event.text in _OF_ITS_SEAT or (event.text == "absent" and "by" in event.data)
    seat = event.seat if own_seat is None or of_its_seat else own_seat
    gone = player is not None and own_seat is None and event.seat is not None
    return Line(
        event.number,
        _event_kind(event),
        event.data.get("giver", seat),
        event.hand_number,
        tuple(code for _, code in event.data.get("drawn", ())),
        name=player.display_name if gone and player is not None else "",
        other=event.seat if event.text == "more-time" else None,
        verb=event.data.get("verb", ""),
        until=_event_moment(event.data),
        count=event.data.get("seconds", 0),
    )


def _event_kind(event: Action) -> str:
    """The kind of the line: an entry is worded differently if a person caused it than if time ran out."""
    if event.data.get("left"):
        return "left-sought" if event.text == "substitute-asked" else "left-seat"
    if event.text == "absent" and event.data.get("again"):  # a substitute was sought
        return "search-ended" if "by" in event.data else "nobody-came"
    if event.text == "substitute-asked" and "by" not in event.data:
        return "substitute-sought"
    if event.text == "resumed" and event.seat is None:
        return "resumed-by-itself"
    if event.text == "undo-declined" and event.seat is None:
        return "undo-lapsed"
    if event.text == log.UNDONE and event.data.get("moves"):
        return "undone-alone"
    if event.data.get("withdrawn"):
        return event.text.replace("declined", "withdrawn")
    return "live-stopped" if event.text == "live-ended" and event.player is not None else event.text


def _event_moment(data: dict[str, object]) -> str:
    """The moment (in UTC, ISO 8601) or the day in the data of an event; empty if there is none."""
    if data.get("until"):
        return datetime.fromisoformat(str(data["until"])).astimezone(UTC).isoformat()
    return str(data.get("day", ""))


def code_of(card: int | None) -> str:
    return CODES[card] if card is not None else ""


def codes_of(held: int) -> tuple[str, ...]:
    return tuple(CODES[card] for card in cards_in(held))


_KINDS: Final = {
    "deal": "asked-deal", "arrange": "arranged", "cut": "cut", "allow": "spoke", "veto": "spoke", "liber": "spoke",
    "go": "spoke", "throw-in": "throw-in", "scart": "scart-laid", "play": "played", "buob": "called",
    "buob-sche": "called", "quiet": "called", "give": "answered", "keep": "answered", "take": "took",
    "packets": "packets", "say": "spoke", "pass": "bid", "solo": "bid", "discard": "discarded", "call": "partner-called",
}  # fmt: skip
ACTION_KINDS: Final = frozenset({*_KINDS.values(), "trick-led", "trick-played"})
"""The kinds of lines that say what a player did; other lines say what happened as a result."""
_IMPLIED: Final = frozenset({"knock", "buob"})
"""Happenings that the action itself says already."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The lines of one action of a hand and of its results, and the trick it belongs to (0 before the play)."""

    lines: tuple[Line, ...]
    trick: int
    ends_trick: bool


def hand_entries(view: View, numbers: Sequence[int], hand: int) -> list[Entry]:
    """Every action of a hand as the viewer saw it; `numbers[i]` is the number of the i-th action in the game's log."""
    history = list(view.history)
    entries: list[Entry] = []
    plays, won, seats = 0, 0, len(view.counts)
    last_pass = max((index for index, (_, action) in enumerate(history) if action.verb == "pass"), default=-1)
    after, fool_after = defaultdict[int, list[Happening]](list), defaultdict[int, list[Happening]](list)
    for event in view.happenings:
        (fool_after if event.kind.startswith("fool-") else after)[event.after].append(event)
    for index, (seat, action) in enumerate(history):
        number = numbers[index]
        if action.verb == "play":
            plays += 1
        trick = -(-plays // seats)
        leads = action.verb == "play" and plays % seats == 1
        alone = _action_entry(number, hand, seat, action, called_verb(action, view.ruleset), trick, leads=leads)
        lines: list[Line] = []
        if action.verb == "pass" and view.contract == "misere" and index == last_pass:
            lines.append(Line(number, "misere", None, hand))
        implied = _IMPLIED | {"taken-back"} if action.verb == "take" else _IMPLIED
        results = after.get(index + 1, ())
        lines += [_happening_line(number, hand, event, view) for event in results if event.kind not in implied]
        is_last = index + 1 == len(history)
        ends = won < trick <= min(plays // seats, len(view.tricks)) and (
            is_last or history[index + 1][1].verb == "play"
        )
        if ends:
            won = trick
            lines.append(_trick_line(number, hand, view.tricks[trick - 1], trick))
        lines += [_happening_line(number, hand, event, view) for event in fool_after.get(index + 1, ())]
        if is_last and view.result is not None:
            lines.append(_result_line(number, hand, view.result))
        entries.append(Entry((*alone.lines, *lines), trick, ends) if lines else alone)
    return entries


def with_sitters(line: Line, sitters: projections.Sitters) -> Line:
    """A line of the log, completed with who sat there at its time, and whether a computer player did it for them."""
    stand_in = line.kind in ACTION_KINDS and sitters.was_away(line.seat, line.number)
    if line.kind == "substituted":
        line = replace(
            line,
            words=next((change.before.display_name for change in sitters.changes if change.number == line.number), ""),
        )
    return replace(line, then=sitters.at(line.number), stand_in=stand_in) if stand_in or sitters.now else line


def remembered_lines(entries: Sequence[Entry], gathered: int, *, everything: bool) -> Iterator[Line]:
    """The lines that may be shown of a running hand after `gathered` tricks.

    All of them at a table that remembers `everything`; else the cards of the last gathered trick and of the one on the
    table, and only the winners of older tricks.
    """
    for entry in entries:
        if everything or entry.trick == 0 or entry.trick >= gathered:
            yield from entry.lines
        else:
            for line in entry.lines:
                if line.kind == "trick-won":
                    yield Line(line.number, line.kind, line.seat, line.hand, count=line.count)


def called_verb(action: Move, rules: Ruleset) -> str:
    """The verb of an action; with "-cavalier" for a call and its answer in games where the cavalier is called."""
    cavalier = rules.call is not None and rules.call.below_king == 2 and action.verb in ("buob", "give")
    return f"{action.verb}-cavalier" if cavalier else action.verb


@lru_cache(20_000)
def _action_entry(number: int, hand: int, seat: int, action: Move, verb: str, trick: int, *, leads: bool) -> Entry:
    """The entry of an action of which nothing else came."""
    kind = "trick-led" if leads else _KINDS[action.verb]
    if action.verb == "take" and not action.cards:
        kind = "bid"
    line = Line(
        number,
        kind,
        seat,
        hand,
        tuple(CODES[card] for card in action.cards),
        verb=action.signal if action.verb == "play" else verb,
        phrases=action.said,
        words=action.words,
        count=action.number,
        packets=action.packets,
    )
    return Entry((line,), trick, ends_trick=False)


def _happening_line(number: int, hand: int, event: Happening, view: View) -> Line:
    if event.kind == "tapp-shown":
        lay = view.scart if view.contract == "normal" else view.tapp
        return Line(number, "tapp-shown", event.seat, hand, codes_of(lay or 0), view.contract)
    cards = tuple(CODES[card] for card in (event.card, event.back) if card is not None)
    return Line(number, event.kind, event.seat, hand, cards)


@lru_cache(20_000)
def _trick_line(number: int, hand: int, trick: Trick, count: int) -> Line:
    """The line of who won the trick, the `count`-th of its hand."""
    return Line(number, "trick-won", trick.winner, hand, tuple(CODES[card] for card in trick.cards), count=count)


def _result_line(number: int, hand: int, result: Result) -> Line:
    return Line(number, f"hand-{result.status}", None, hand, points=result.points, parties=result.parties)


_BIDS = ("pass", "take", "solo")
_SAID = ("buob", "buob-sche", "buob-cavalier", "quiet", "keep", "throw-in", *_BIDS)


def happened_of(view: View) -> tuple[tuple[Happened, ...], ...]:
    """What was called at each seat, and what followed, since the last lead; before the first one, since the deal began.

    The winner of a gathered trick is included until the next one is led. No card is named that not everybody saw.
    """
    seats, plays, begin = len(view.counts), 0, 0
    for index, (_, action) in enumerate(view.history):
        if action.verb == "play":
            plays += 1
            begin = index if plays % seats == 1 else begin
    by_seat: list[list[Happened]] = [[] for _ in range(seats)]
    hidden = _IMPLIED | {"tapp-shown"}  # the Tapp on the table shows it
    for after, (seat, action) in enumerate(view.history[begin:], begin + 1):
        by_seat[seat] += _of_action(action, called_verb(action, view.ruleset))
        events = [event for event in view.happenings if event.after == after and event.kind not in hidden]
        is_fool_settled = any(event.kind in ("fool-paid", "fool-lost") for event in events)
        for event in events:
            if event.kind != "fool-owed" or not is_fool_settled:
                by_seat[event.seat].append(_of_happening(event))
    if plays and len(view.tricks) * seats == plays and (view.over or view.asked == "play"):
        by_seat[view.tricks[-1].winner].insert(0, Happened("trick-won"))
    return tuple(tuple(happened) for happened in by_seat)


def _of_action(action: Move, verb: str) -> list[Happened]:
    """What others hear or see of an action, apart from the cards on the table. Discarded cards are never named."""
    if action.verb == "play":
        happened = [Happened(action.signal)] if action.signal else []
        if len(action.cards) == 2:
            happened.append(Happened("pair", tuple(CODES[card] for card in action.cards)))
        return [*happened, Happened("fool")] if action.cards[0] == FOOL else happened
    if action.verb == "take" and action.cards:
        return []  # the happening "taken-back" says so
    if verb in _SAID:
        return [Happened(verb)]
    if action.verb in ("scart", "discard"):
        return [Happened("laid-away")]
    if action.verb == "deal":
        return [Happened("asked-deal", number=action.number)]
    if action.verb == "call":
        return [Happened("partner-called", (CODES[action.cards[0]],))]
    return []


def _of_happening(event: Happening) -> Happened:
    if event.kind.startswith("fool-"):
        return Happened(event.kind)  # which low card is paid does not matter
    return Happened(event.kind, tuple(CODES[card] for card in (event.card, event.back) if card is not None))


def owes(view: View) -> int | None:
    """The seat that played the Fool, while a card is still owed for it; else None."""
    owed = [event.seat for event in view.happenings if event.kind == "fool-owed"]
    return owed[-1] if view.fool_owed else None


def tapp_of(view: View) -> TappSeen | None:
    """The Tapp as it lies on the table, or the cards discarded in its place; None if there is none."""
    size = view.ruleset.tapp
    if not size or not view.dealt or view.asked == "discard":
        return None
    laid_away = view.contract == "normal" and any(action.verb == "discard" for _, action in view.history)
    shown = any(event.kind == "tapp-shown" for event in view.happenings)
    lay = view.scart if laid_away else view.tapp
    return TappSeen(size, laid_away, codes_of(lay or 0) if shown else ())
