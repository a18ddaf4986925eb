"""Laying cards away by a rule of thumb, for hands that are dealt in thought: the scart, and what the Tappist puts away."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from domain.bots.fast.layout import EXTRA
from domain.engine.cards import HONOURS, KINGS, LANES, TRUMP_CARDS, CardSet, cards_in

_VOID: Final = (0.0, 2.0, 3.2, 4.0)  # an emptied suit by the trumps that can profit from it: 0–1, 2–3, 4–5, more


def thumb(held: CardSet, count: int) -> CardSet:
    """`count` cards that a player with the hand `held` would sensibly lay away; never an honour while others are left."""
    trumps = (held & TRUMP_CARDS).bit_count()
    void = _VOID[min(3, trumps // 2)]
    spare: dict[int, float] = {}
    for card in cards_in(held & ~HONOURS):
        if card >= 56:
            spare[card] = -3.0 - (card - 56) / 7
            continue
        lane = held & LANES[card // 14]
        king = bool(lane & KINGS)
        spare[card] = EXTRA[card] * (0.1 if king else 0.8) - (card % 14) / 20 - (0.6 if king else 0.0)
    easiest = sorted(spare, key=lambda card: -spare[card])
    suits = [held & LANES[suit] for suit in range(4) if held & LANES[suit] and not held & LANES[suit] & KINGS]
    best, highest = 0, float("-inf")
    for several in range(len(suits) + 1):
        for emptied in combinations(suits, several):
            chosen = sum(emptied)
            size = chosen.bit_count()
            if size > count:
                continue
            gain = void * several
            for card in easiest:
                if size == count:
                    break
                if not chosen >> card & 1:
                    chosen |= 1 << card
                    size += 1
            gain += sum(spare[card] for card in cards_in(chosen))
            if gain > highest and size == count:
                best, highest = chosen, gain
    if not best:  # there is little but honours
        for card in [*easiest, *cards_in(held & HONOURS)][:count]:
            best |= 1 << card
    return best
