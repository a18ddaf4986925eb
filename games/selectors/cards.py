"""Cards and tricks of the engine as the plain data that pages get.

The account of a game as lines: what each action was, and what everybody then saw. Worded by `wording.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from domain.engine import CODES, Action, Trick, cards_in
from domain.engine.kernel import winning_place
from domain.engine.state import NOBODY, Happening
from domain.engine.view import View
from games.read_models import Line, TrickCard, TrickSeen

SUITS = "COSBT"


def open_trick(view: View) -> TrickSeen:
    """The trick on the table, as far as it is complete; the jack beside its king."""
    placed = [(view.seat_of(place), card) for place, card in enumerate(view.trick)]
    if view.pair_at != NOBODY and view.ruleset.pair is not None:
        seat, king = placed[view.pair_at]
        placed.insert(view.pair_at + 1, (seat, king - view.ruleset.pair.below_king))
    best = view.trick[view.best] if view.lane != NOBODY and view.best != NOBODY else None
    return _laid(placed, len(view.tricks) + 1, view.lane, best, None, view.seat or 0, len(view.counts))


def trick_of(trick: Trick, number: int, viewer: int, seats: int) -> TrickSeen:
    """A gathered trick. The winning card may have been taken back by another: then none is marked."""
    placed = list(zip(trick.seats, trick.cards, strict=True))
    own = [card for seat, card in placed if seat == trick.winner]
    best = own[winning_place(own, trick.lane)] if own and trick.lane != NOBODY else None
    return _laid(placed, number, trick.lane, best, trick.winner, viewer, seats)


def _laid(
    placed: Sequence[tuple[int, int]],
    number: int,
    lane: int,
    best: int | None,
    winner: int | None,
    viewer: int,
    seats: int,
) -> TrickSeen:
    cards = tuple(
        TrickCard(seat, (seat - viewer) % seats, CODES[card], led=at == 0, winning=card == best)
        for at, (seat, card) in enumerate(placed)
    )
    return TrickSeen(number, suit_of(lane), cards, winner)


def team_of(seat: int, sides: Sequence[int]) -> str:
    """A or B for a seat of one of two sides; empty where everybody is alone, or the side is not known."""
    side = sides[seat]
    return "AB"[side] if max(sides) == 1 and side >= 0 else "A" if side == max(sides) == 0 else ""


def code_of(card: int | None) -> str:
    """A card's code, empty for none."""
    return CODES[card] if card is not None else ""


def codes_of(held: int) -> tuple[str, ...]:
    """The codes of a set of cards."""
    return tuple(CODES[card] for card in cards_in(held))


def suit_of(lane: int) -> str:
    """The letter of a suit, T for the trumps, empty while nothing is led."""
    return SUITS[lane] if lane >= 0 else ""


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
