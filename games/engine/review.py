"""Going back over a record: its hands as they ended, and each of them as it stood at any moment."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.cards import Card
from games.engine.hand import Hand
from games.engine.record import Record, RecordedHand, decisions

_DEMANDS = ("deal", "arrange")


def hands_of(record: Record) -> list[Hand]:
    """Every hand of a record after its last action. Raises RecordError at the first illegal action."""
    found: list[Hand] = []
    for decision in decisions(record):
        if not found or decision.hand is not found[-1]:
            found.append(decision.hand)
    return found


def rewound(hand: Hand, pack: Sequence[Card] | None, step: int) -> Hand:
    """The same hand after its first `step` actions; `pack` is how it lay before the cut."""
    back = Hand(hand.ruleset, hand.dealer, pack, options=hand.option, running=hand.running, gathered=hand.gathered)
    for _seat, action in hand.history[:step]:
        back.push(action)
    return back


def needed_for(record: Record, number: int) -> tuple[RecordedHand, ...]:
    """The hands without which hand `number` (from 1) cannot be replayed: itself alone, unless the losing side asked for
    another deal, which hangs on the score and the cards of the hands before."""
    hand = record.hands[number - 1]
    asked = any(line.split(" ")[1:2] and line.split(" ")[1] in _DEMANDS for line in hand.actions)
    return record.hands[:number] if asked else (hand,)
