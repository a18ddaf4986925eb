"""A deal with all its hands open, at one of its steps: the same for a stored game and for a record that somebody brought."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games import lines
from games.engine import CODES, cards_in
from games.engine.cards import FOOL, Card, value_of, values
from games.engine.hand import Hand, Trick
from games.engine.review import rewound
from games.engine.view import unshuffled
from games.seen import Chance, HandSheet, OpenSeat, Replay, Sat, SideCount, Step, TrickPoints
from games.showing import code_of, codes_of, open_trick, team_of, trick_of


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sat at a seat."""

    name: str
    computer: bool = False
    page: str = ""


def nobody_changed(_number: int) -> tuple[Sat, ...]:
    """The people of a deal in which no seat changed hands."""
    return ()


@dataclass(frozen=True, slots=True)
class Opened:
    """What a replay is made of: the deal as it ended (`whole`), how its pack lay before the cut, who sat there.

    `numbers[i]` is what the account calls action i: its number in the game's log, or simply i + 1. `totals` are those after
    the deal; `previous` and `following` the numbers of the deals beside it that may be looked at.
    """

    public_id: str
    number: int
    whole: Hand
    pack: tuple[Card, ...]
    numbers: Sequence[int]
    sitters: Sequence[Sitter]
    sheet: HandSheet
    totals: tuple[int, ...]
    viewer: int | None = None
    previous: int | None = None
    following: int | None = None
    chance: tuple[Chance, ...] = ()
    proof: dict[str, Any] | None = None
    sat: Callable[[int], tuple[Sat, ...]] = nobody_changed
    """Who sat, when an entry of the log was written, in the seats that changed hands."""


def replay_of(opened: Opened, step: int | None) -> Replay:
    """The deal after `step` actions (None: its end), all hands open."""
    whole = opened.whole
    rules = whole.ruleset
    last = len(whole.history)
    at = last if step is None else max(0, min(step, last))
    hand = rewound(whole, opened.pack, at)
    told = lines.entries(whole.view(None), opened.numbers, opened.number)
    base = opened.viewer or 0
    gathered_at = [place for place, entry in enumerate(told, 1) if entry.ends_trick]
    view = hand.view(base)
    counted = opened.sheet.points
    then = opened.sat(opened.numbers[max(at, 1) - 1]) if opened.numbers else ()
    there = all(sat.present or sat.seat != opened.viewer for sat in then)
    return Replay(
        public_id=opened.public_id,
        hand=opened.number,
        ruleset=rules.id,
        clockwise=rules.clockwise,
        viewer=opened.viewer if there else None,
        dealer=whole.dealer,
        step=at,
        last_step=last,
        steps=tuple(_step(opened, place, entry) for place, entry in enumerate(told, 1)),
        seats=tuple(_open_seat(opened, hand, number, base, then) for number in range(rules.seats)),
        parties=whole.parties,
        trick=open_trick(view) if hand.trick else None,
        last_trick=trick_of(hand.tricks[-1], len(hand.tricks), base, rules.seats) if hand.tricks else None,
        scart=codes_of(hand.scart),
        cut_card=code_of(hand.pack[-1]) if hand.cut and hand.pack is not None else "",
        tricks=tuple(
            TrickPoints(number, trick.winner, _worth(trick), gathered_at[number - 1])
            for number, trick in enumerate(whole.tricks, 1)
            if number <= len(gathered_at)
        ),
        count=tuple(_count(whole, side) for side in range(len(counted))) if counted else (),
        sheet=opened.sheet,
        totals=opened.totals,
        chance=opened.chance,
        proof=opened.proof,
        pack=tuple(CODES[card] for card in opened.pack),
        gathered=unshuffled(whole),
        previous=opened.previous,
        following=opened.following,
        contract=hand.contract,
        called=code_of(hand.called),
        tapp=codes_of(hand.tapp),
        rappen="stake" in whole.option,
    )


def _count(hand: Hand, side: int) -> SideCount:
    assert hand.result is not None
    held = hand.side_cards[side]
    tricks = sum(_worth(trick) for trick in hand.tricks if hand.sides[trick.winner] == side)
    laid_away = hand.scart or (hand.tapp if hand.contract == "solo" else 0)
    scart = values(held & laid_away)  # the whole scart or nothing of it; in a Solo, the Tapp as it lay
    points = hand.result.points[side]
    return SideCount(tricks, scart, values(held) - tricks - scart, held.bit_count(), values(held) - points, points)


def _worth(trick: Trick) -> int:
    return sum(value_of(card) for card in trick.cards)


def _step(opened: Opened, place: int, entry: lines.Entry) -> Step:
    told = tuple(replace(line, then=opened.sat(line.number)) for line in entry.lines)
    return Step(place, told, entry.trick, opened.numbers[place - 1])


def _open_seat(opened: Opened, hand: Hand, number: int, base: int, then: Sequence[Sat]) -> OpenSeat:
    side = hand.sides[number]
    sat: Sat | Sitter = next((one for one in then if one.seat == number), opened.sitters[number])
    held = sorted(cards_in(hand.hands[number]), key=lambda card: (min(card // 14, 4) if card != FOOL else 5, -card))
    return OpenSeat(
        number=number,
        place=(number - base) % hand.seats,
        side=side,
        name=sat.name,
        computer=opened.sitters[number].computer,
        dealer=number == hand.dealer,
        turn=hand.turn == number,
        cards=tuple(CODES[card] for card in held),
        points=values(hand.side_cards[side]),
        tricks=hand.side_tricks[side],
        team=team_of(number, hand.sides),
        tappist=hand.tappist == number,
        called=hand.partner == number,
        page=sat.page,
    )
