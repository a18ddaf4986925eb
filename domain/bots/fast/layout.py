"""The layout of a state and of the rules (indices of their fields), and the numbers of actions.

A hand or heap is two words: suits (56 bits, four lanes of 14) and trumps (22 bits, I to XXI and the Fool on top).
"""

from __future__ import annotations

from typing import Final

# the state

ASKED: Final = 0
TURN: Final = 1
LANE: Final = 2  # to follow: 0–3 a suit, 4 trumps, -1 nothing yet
LEADER: Final = 3
FIRST: Final = 4  # 1 in the first trick of a suit
LED: Final = 5  # the suits that have been led, a bit each
PAIR_AT: Final = 6  # the position of a king played with its companion, or -1
CALLER: Final = 7  # the seat that called while playing the king, or -1
LYING: Final = 8  # the number of cards in the trick
BEST: Final = 9  # the card that takes the trick so far, -1 for none
BEST_AT: Final = 10  # its position
WITHHELD: Final = 11
OWED_BY: Final = 12
OWED_TO: Final = 13
TRICKS: Final = 14
OUT_SUITS: Final = 15  # the cards of the tricks
OUT_TRUMPS: Final = 16
AWAY_SUITS: Final = 17  # the cards that nobody plays, which count for `AWAY_TO`
AWAY_TRUMPS: Final = 18
AWAY_TO: Final = 19  # a side, or -1
SOLO: Final = 20  # 1 in a Solo, for which stakes are doubled
TAPPIST: Final = 21  # or -1
PARTNER: Final = 22  # the secret partner, or -1
CALLED: Final = 23  # the trump that was called, while it is not out, or -1
TRICK: Final = 24  # eight cards
HELD_SUITS: Final = 32  # by seat
HELD_TRUMPS: Final = 40
SIDE: Final = 48  # by seat
WON_SUITS: Final = 56  # by side
WON_TRUMPS: Final = 64
WON_TRICKS: Final = 72
VOIDS: Final = 80  # by seat: the lanes it has failed to follow, a bit each
SIZE: Final = 88

PLAY: Final = 0
CALL: Final = 1
ANSWER: Final = 2
TAKE: Final = 3
OVER: Final = 4

# the rules

SEATS: Final = 0
HIGH_FOOL: Final = 1
TRUMPS_FIRST: Final = 2
EARLY_CALL: Final = 3
CALLS: Final = 4  # how far below the king the card is that may be called; 0 for no call
EXEMPTING: Final = 5
PAIRS: Final = 6  # how far below the king the card is that may be played with it; 0 for none
TAKES_ANY: Final = 7
NEVER_LOST: Final = 8
CAPTURED_LAST: Final = 9
SWEEPER: Final = 10  # whether a side with all tricks takes the discards
GROUP: Final = 11  # the size of the groups in which cards are counted; 0 for singly
GROUP_LESS: Final = 12
REST_LESS: Final = 13
AWAY_LESS: Final = 14
SETTLES: Final = 15
PAR: Final = 16
DEALER_PAR: Final = 17
DEALER: Final = 18
STAKE: Final = 19
DOUBLE_AT: Final = 20
FEWEST: Final = 21
PACK_SUITS: Final = 22
PACK_TRUMPS: Final = 23
PLAIN: Final = 24  # points of a trick of low cards, in hundredths
SCALE: Final = 25  # the worth of a trick compared with Troccas for four, in hundredths
ALONE: Final = 26  # whether everybody plays alone
SHOWN_SUITS: Final = 27  # by seat: cards that everybody saw it being dealt, and that cannot have been discarded
SHOWN_TRUMPS: Final = 35
RULES: Final = 43

CARD_POINTS: Final = 0
TO_PAR: Final = 1
STAKES: Final = 2

# actions: a card, or

PAIR: Final = 78  # and a suit
KING_CALLS: Final = 82  # and a suit
QUIET: Final = 86
BUOB: Final = 87
BUOB_SCHE: Final = 88
GIVE: Final = 89
KEEP: Final = 90
TAKE_CARD: Final = 91  # and a card
ACTIONS: Final = 169

# cards

FOOL: Final = 77
FIRST_TRUMP: Final = 56
SUIT_MASK: Final = 0x3FFF
TRUMP_MASK: Final = 0x1FFFFF
FOOL_MASK: Final = 0x200000
KING: Final = 13
_EACH: Final = 1 | 1 << 14 | 1 << 28 | 1 << 42
JACKS: Final = _EACH << 10
CAVALIERS: Final = _EACH << 11
QUEENS: Final = _EACH << 12
KINGS: Final = _EACH << 13
NUMERALS: Final = _EACH * 0x3FF
HONOUR_TRUMPS: Final = 1 | 1 << 20 | FOOL_MASK
LOW_TRUMPS: Final = TRUMP_MASK & ~HONOUR_TRUMPS

EXTRA: Final = (*(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4) * 4, 4, *(0,) * 19, 4, 4)
"""The card points of each card above those of a low card."""
LANE_OF: Final = (*(0,) * 14, *(1,) * 14, *(2,) * 14, *(3,) * 14, *(4,) * 21, -1)
