"""The account of a game as lines: what each action was, and what everybody then saw. Worded by `wording.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.engine import CODES, Action, cards_in
from games.engine.hand import Happening
from games.engine.view import View
from games.seen import Line

_KINDS: Final = {
    "deal": "asked-deal", "arrange": "arranged", "cut": "cut", "allow": "spoke", "veto": "spoke", "liber": "spoke",
    "go": "spoke", "throw-in": "throw-in", "scart": "scart-laid", "play": "played", "buob": "called",
    "buob-sche": "called", "quiet": "called", "give": "answered", "keep": "answered", "take": "took",
    "packets": "packets", "pass": "bid", "solo": "bid", "discard": "discarded", "call": "partner-called",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One action of a hand with all that followed from it: which trick it belongs to (0 before the play)."""

    lines: tuple[Line, ...]
    trick: int
    ends_trick: bool


def entries(view: View, numbers: Sequence[int], hand: int) -> list[Entry]:
    """Every action of a hand as its viewer saw it; `numbers[i]` is the number of the i-th action in the game's log."""
    seen = list(view.history)
    found: list[Entry] = []
    plays = 0
    won = 0
    seats = len(view.counts)
    for at, (seat, action) in enumerate(seen):
        number = numbers[at]
        if action.verb == "play":
            plays += 1
        trick = -(-plays // seats)
        lines = [_line(number, hand, seat, action, leads=action.verb == "play" and plays % seats == 1)]
        followed = [event for event in view.happenings if event.after == at + 1]
        if action.verb == "pass" and view.contract == "misere" and at + 1 == _last_bid(seen):
            lines.append(Line(number, "misere", None, hand))
        said = ["knock", "buob", *(["taken-back"] if action.verb == "take" else [])]  # the action itself says so
        lines += [
            _happened(number, hand, event, view)
            for event in followed
            if not event.kind.startswith("fool-") and event.kind not in said
        ]
        complete = plays and plays % seats == 0 and len(view.tricks) >= trick
        ends = bool(complete) and won < trick and (at + 1 == len(seen) or seen[at + 1][1].verb == "play")
        if ends:
            gathered = view.tricks[trick - 1]
            won = trick
            cards = tuple(CODES[card] for card in gathered.cards)
            lines.append(Line(number, "trick-won", gathered.winner, hand, cards, count=trick))
        lines += [_happened(number, hand, event, view) for event in followed if event.kind.startswith("fool-")]
        if at + 1 == len(seen) and view.result is not None:
            lines.append(
                Line(
                    number,
                    f"hand-{view.result.status}",
                    None,
                    hand,
                    points=view.result.points,
                    parties=view.result.parties,
                )
            )
        found.append(Entry(tuple(line for line in lines if line.kind), trick, ends))
    return found


def remembered(told: Sequence[Entry], gathered: int, *, everything: bool) -> Iterator[Line]:
    """The lines a running hand may show after `gathered` tricks: `everything` at a table that remembers all that was played;
    else the cards of the trick gathered last and of the one on the table, and of older ones only who won them."""
    for entry in told:
        if everything or entry.trick == 0 or entry.trick >= gathered:
            yield from entry.lines
        else:
            for line in entry.lines:
                if line.kind == "trick-won":
                    yield Line(line.number, line.kind, line.seat, line.hand, count=line.count)


def _line(number: int, hand: int, seat: int, action: Action, *, leads: bool) -> Line:
    kind = "trick-led" if leads else _KINDS[action.verb]
    if action.verb == "take" and not action.cards:
        kind = "bid"
    return Line(
        number,
        kind,
        seat,
        hand,
        tuple(CODES[card] for card in action.cards),
        verb=action.signal if action.verb == "play" else action.verb,
        phrases=action.said,
        words=action.words,
        count=action.number,
        packets=action.packets,
    )


def _last_bid(seen: Sequence[tuple[int, Action]]) -> int:
    """After how many actions the bidding was over."""
    return max(at for at, (_, action) in enumerate(seen, 1) if action.verb == "pass")


def _happened(number: int, hand: int, event: Happening, view: View) -> Line:
    if event.kind == "tapp-shown":
        lay = view.scart if view.contract == "normal" else view.tapp
        return Line(
            number, "tapp-shown", event.seat, hand, tuple(CODES[card] for card in cards_in(lay or 0)), view.contract
        )
    cards = tuple(CODES[card] for card in (event.card, event.back) if card is not None)
    return Line(number, event.kind, event.seat, hand, cards)
