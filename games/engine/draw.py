"""The draw for partners with which a game of four may start (pagat, "Players and Cards")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.cards import FIRST_TRUMP, FOOL, Card


@dataclass(frozen=True, slots=True)
class Draw:
    """How partners were drawn: `middle` the top card, `drawn` the cards each person got in turn (person, card).

    `seats[seat]` is the person (0–3, as they came) who sits there: the lowest trump deals first at seat 0 with the
    second lowest opposite; the highest sits at seat 1 (our reading).
    """

    middle: Card
    drawn: tuple[tuple[int, Card], ...]
    seats: tuple[int, int, int, int]


def draw_partners(pack: Sequence[Card]) -> Draw:
    """Deal `pack` (top first) face up, skipping whoever has a trump, until everyone has one. The Fool is no trump."""
    trumps: dict[int, Card] = {}
    drawn: list[tuple[int, Card]] = []
    person = 0
    for card in pack[1:]:
        drawn.append((person, card))
        if FIRST_TRUMP <= card < FOOL:
            trumps[person] = card
            if len(trumps) == 4:
                break
        while len(trumps) < 4:
            person = (person + 1) % 4
            if person not in trumps:
                break
    lowest, second, third, highest = sorted(trumps, key=trumps.__getitem__)
    return Draw(pack[0], tuple(drawn), (lowest, highest, second, third))
