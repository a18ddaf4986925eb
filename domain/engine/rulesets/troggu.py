"""Troggu for three to eight: the games of Visp, St Niklaus and Grächen in the Valais.

Source: pagat.com, "Troggu", the game of Visp, and its variations. Where the text leaves something open, `docs/rules.md`
gives our reading (marked R).
"""

from __future__ import annotations

from typing import Final

from domain.engine.cards import FULL_PACK, HONOURS, KINGS, card_of, set_of
from domain.engine.counting import Singly
from domain.engine.dealing import CUTTING, DEALING, PACKETS
from domain.engine.fool import EXCUSE, HIGH_FOOL
from domain.engine.ruleset import HANDS_OPTION, BiddingRule, Option, Ruleset, Table
from domain.engine.tapp import BIDDING, EXCHANGE, PARTNER, TAPP_OF_TAPPIST, Stakes

LEFT_OUT: Final = "S1 S2 S3 S4 B1 B2 B3 B4 C7 C8 C9 C10 O7 O8 O9 O10"


def stakes(stake: int, double_at: int) -> tuple[Option, ...]:
    """The options of a table with a stake of `stake` Rappen, which is doubled at `double_at` points or fewer."""
    return (
        HANDS_OPTION,
        Option("stake", stake, low=1, high=1000),
        Option("double_at", double_at, low=0, high=56),
    )


TROGGU: Final = Ruleset(
    id="troggu",
    version=1,
    pack=FULL_PACK & ~set_of(map(card_of, LEFT_OUT.split())),
    tables={
        3: Table(tapp=8, batches=(6, 6, 6)),
        4: Table(tapp=10, batches=(4, 4, 5)),
        5: Table(tapp=7, batches=(4, 4, 3)),
        6: Table(tapp=8, batches=(4, 5)),
        7: Table(tapp=6, batches=(4, 4)),
        8: Table(tapp=6, batches=(4, 3)),
    },
    seats=6,
    course=(CUTTING, PACKETS, DEALING, BIDDING, EXCHANGE, PARTNER, HIGH_FOOL),
    cut_card_shown=False,
    last_card_open=False,
    bidding=BiddingRule(if_none_takes="misere", forced_from=7, partner_from=7),
    together=KINGS,
    fool=EXCUSE,
    laid_away=TAPP_OF_TAPPIST,
    count=Singly(),
    settlement=Stakes(),
    options=stakes(10, double_at=30),
).at(6)

TROGGU_ST_NIKLAUS: Final = TROGGU.variant(
    "troggu-st-niklaus",
    tables={seats: TROGGU.tables[seats] for seats in range(3, 8)},
    together=HONOURS,
    settlement=Stakes(fewest_win=True),
    options=stakes(5, double_at=31),
)

TROGGU_GRAECHEN: Final = TROGGU.variant(
    "troggu-graechen",
    tables={
        3: Table(tapp=8, batches=(6, 6, 6), tapp_after=1),
        4: Table(tapp=6, batches=(7, 7), tapp_after=1),
        5: Table(tapp=7, batches=(5, 6), tapp_after=1, packets=((5, 6), (6, 5))),
        6: Table(tapp=8, batches=(4, 5), tapp_after=1),
    },
    together=HONOURS,
    bidding=BiddingRule(if_none_takes="next-dealer"),
    options=stakes(5, double_at=20),
)
