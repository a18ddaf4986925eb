"""The play: leading, following, winning a trick. Questions after a complete trick are in `jack` and `fool`.

`Tricks` has the rules of Troccas; other ways to play (`TrumpsFirst`, `jack.EarlyCall`, `fool.HighFool`) override the
few methods that differ.

The functions that must be fast take a hand as two words, plain non-negative ints: `suits` (56 bits, four lanes of 14)
and `trumps` (22 bits, I … XXI and the Fool on top).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain.engine.actions import PLAYS, Action
from domain.engine.cards import (
    BIT,
    FIRST_TRUMP,
    FOOL,
    FOOL_BIT,
    KINGS,
    LANE_OF,
    LANES,
    SUIT_CARDS,
    TRUMP_CARDS,
    TRUMPS,
    Card,
    CardSet,
)
from domain.engine.errors import IllegalAction, Illegality, Rule
from domain.engine.hand import Hand
from domain.engine.legal import Legal, LegalPlays
from domain.engine.state import NOBODY, Trick

_TRUMPS_LANE = 4
_SUIT_WORD = 0x3FFF
_TRUMPS_WORD = 0x1FFFFF
_FOOL_WORD = 0x200000


def playable_with_excuse(suits: int, trumps: int, lane: int) -> tuple[int, int]:
    """The playable cards if the Fool is an excuse: follow suit, else trump, else anything, and always the Fool.

    `lane` is the suit to follow (0–3), 4 for trumps, -1 when the player is free. Returns the two words of the legal
    cards.
    """
    if lane < 0:
        return suits, trumps
    if lane < _TRUMPS_LANE:
        following = suits & _SUIT_WORD << 14 * lane
        if following:
            return following, trumps & _FOOL_WORD
    if trumps & _TRUMPS_WORD:
        return 0, trumps
    return suits, trumps


def playable_with_high_fool(suits: int, trumps: int, lane: int, withheld: bool) -> tuple[int, int]:
    """The playable cards of a hand if the Fool is the highest trump: follow suit, else trump, else anything.

    A player who has no trump but the Fool may play anything instead. A Fool that was `withheld` is played last.
    `lane` and the result are as in `playable_with_excuse`.
    """
    if withheld and (suits or trumps & _TRUMPS_WORD):
        trumps &= _TRUMPS_WORD
    if 0 <= lane < _TRUMPS_LANE:
        following = suits & _SUIT_WORD << 14 * lane
        if following:
            return following, 0
    if lane >= 0 and trumps & _TRUMPS_WORD:
        return 0, trumps
    return suits, trumps


def winning_place(cards: Sequence[int], lane: int) -> int:
    """The position in `cards` of the card that takes the trick: the highest trump, else the highest of the suit led.

    The Fool never wins here. Cards are numbered as in `cards.py`, where the higher number is the stronger card.
    """
    best = -1
    place = 0
    low = lane * 14
    high = low + 14
    at = 0
    for card in cards:
        if card > best and card != FOOL and (card >= FIRST_TRUMP or low <= card < high):
            best = card
            place = at
        at += 1  # noqa: SIM113  # this form can be compiled and is fast
    return place


_ORDERS: Final = {
    seats: tuple(tuple((leader + step) % seats for step in range(seats)) for leader in range(seats))
    for seats in range(3, 9)
}


class Tricks:
    """`dealer+1` leads to the first trick, then each winner to the next (pagat, "The Play").

    `playable`, `lead` and `winning` define which cards may be played, what must follow a lead, and which card wins.
    """

    def enter(self, hand: Hand) -> bool:
        hand.leader = hand.turn = hand.after(hand.dealer)
        return True

    # what is legal

    def playable(self, hand: Hand) -> CardSet:
        """The single cards the player on turn may play."""
        known = hand._playable
        if known >= 0:
            return known
        held = hand.hands[hand.turn]
        if hand.lane >= 0:
            suits, trumps = playable_with_excuse(held & SUIT_CARDS, held >> FIRST_TRUMP, hand.lane)
            held = suits | trumps << FIRST_TRUMP
        hand._playable = held
        return held

    def pairs(self, hand: Hand) -> CardSet:
        """The kings that the player on turn may play together with their companion (the jack)."""
        rule = hand.ruleset.pair
        lane = hand.lane
        if rule is None or (lane >= 0 and not hand.first_lead):
            return 0
        held = hand.hands[hand.turn]
        kings = held & held << rule.below_king & KINGS
        if not kings:
            return 0
        if lane >= 0:
            return kings & LANES[lane]
        for suit in range(4):
            if hand.led >> suit & 1:
                kings &= ~LANES[suit]
        return kings

    def legal(self, hand: Hand) -> Legal:
        rule = hand.ruleset.pair
        knocks = self._knockable(hand) if hand.option.get("knock", False) else 0
        if rule is None or (hand.lane >= 0 and not hand.first_lead):  # no pairs: the usual case
            return LegalPlays(self.playable(hand), 0, knocks)
        return LegalPlays(self.playable(hand), self.pairs(hand), knocks, rule.below_king)

    def why_illegal(self, hand: Hand, action: Action) -> Illegality | None:
        if not 1 <= len(action.cards) <= 2 or action != Action("play", action.cards, signal=action.signal):
            return Illegality(Rule.NOT_ASKED, asked="play")
        held = hand.hands[hand.turn]
        for card in action.cards:
            if not held & BIT[card]:
                return Illegality(Rule.NOT_IN_HAND, card=card)
        if len(action.cards) == 2:
            broken = self._why_no_pair(hand, *action.cards)
        else:
            broken = self.why_not_card(hand, action.cards[0])
        if broken is not None:
            return broken
        return self.why_no_signal(hand, action) if action.signal else None

    def why_no_signal(self, hand: Hand, action: Action) -> Illegality | None:
        """Why the signal is not allowed with a card that may be played; None if it is allowed."""
        if action.signal == "knock":
            return self._why_no_knock(hand, action)
        return Illegality(Rule.NO_SUCH_SIGNAL)

    def why_not_card(self, hand: Hand, card: Card) -> Illegality | None:
        """Why the player on turn may not play this card of his hand alone; None if he may."""
        if self.playable(hand) & BIT[card]:
            return None
        held = hand.hands[hand.turn]
        if hand.lane >= 0 and held & LANES[hand.lane]:
            return Illegality(Rule.MUST_FOLLOW, card=card, lane=hand.lane)
        return Illegality(Rule.MUST_TRUMP, card=card, lane=hand.lane)

    def _why_no_pair(self, hand: Hand, king: Card, companion: Card) -> Illegality | None:
        rule = hand.ruleset.pair
        if rule is None:
            return Illegality(Rule.ONE_CARD)
        if not KINGS & BIT[king] or companion != king - rule.below_king:
            return Illegality(Rule.NOT_A_PAIR, number=rule.named)
        if self.pairs(hand) & BIT[king]:
            return None
        lane = LANE_OF[king]
        if hand.lane in (lane, NOBODY):
            return Illegality(Rule.PAIR_TOO_LATE, lane=lane, number=rule.named)
        return Illegality(Rule.PAIR_OFF_SUIT, lane=lane, number=rule.named)

    def _knockable(self, hand: Hand) -> CardSet:
        """The cards with which the player on turn may knock.

        Only the holder of the highest trump that is not yet gathered may knock, with the card he leads or plays to a
        trump lead.
        """
        if not self._holds_highest(hand):
            return 0
        if hand.lane < 0:
            return self.playable(hand) & TRUMP_CARDS
        return self.playable(hand) if hand.lane == TRUMPS else 0

    def _holds_highest(self, hand: Hand) -> bool:
        highest = (TRUMP_CARDS & ~hand.out).bit_length() - 1
        return highest >= FIRST_TRUMP and bool(hand.hands[hand.turn] & BIT[highest])

    def _why_no_knock(self, hand: Hand, action: Action) -> Illegality | None:
        if not hand.option.get("knock", False):
            return Illegality(Rule.KNOCK_OFF)
        if len(action.cards) == 1 and self._knockable(hand) & BIT[action.cards[0]]:
            return None
        if len(action.cards) == 1 and hand.lane in (NOBODY, TRUMPS) and not self._holds_highest(hand):
            return Illegality(Rule.KNOCK_NOT_HIGHEST)
        return Illegality(Rule.KNOCK_NO_TRUMP_LEAD)

    # playing

    def act(self, hand: Hand, action: Action) -> None:
        cards = action.cards
        card = cards[0] if cards else FOOL
        bit = BIT[card]
        lane = hand.lane
        seat = hand.turn
        held = hand.hands[seat]
        # The usual case is a single card that follows suit: it needs only this check. All others are checked in full.
        if PLAYS[card] is not action or not held & bit or (LANE_OF[card] != lane and not self.playable(hand) & bit):
            broken = self.why_illegal(hand, action)
            if broken is not None:
                raise IllegalAction(broken)
            if len(cards) == 2:
                hand.pair_at = len(hand.trick)
                held ^= BIT[cards[1]]
            if action.signal:
                hand.happen(action.signal, seat)
        hand._playable = -1
        hand.hands[seat] = held ^ bit
        trick = hand.trick
        if lane < 0:
            self.lead(hand, card)
        trick.append(card)
        if len(trick) < hand.seats:
            seat += 1
            hand.turn = seat if seat < hand.seats else 0
        elif hand.first_lead:
            self._complete(hand)
        else:
            self.gather(hand)

    def lead(self, hand: Hand, card: Card) -> None:
        """Let `card`, the first of the trick, set the suit to follow. After a Fool, the next card sets it."""
        if card == FOOL:
            return
        hand.lane = lane = LANE_OF[card]
        if lane < TRUMPS:
            hand.first_lead = not hand.led >> lane & 1
            hand.led |= 1 << lane

    def _complete(self, hand: Hand) -> None:
        """Ask what may be taken back or called after the first lead of a suit; gather the trick if nothing is asked."""
        for question in hand.ruleset.after_trick:
            if question.open(hand):
                return
        self.gather(hand)

    def winning(self, hand: Hand) -> int:
        """The position of the card that takes the trick so far. The trick must not be empty."""
        return winning_place(hand.trick, hand.lane)

    def winner(self, hand: Hand) -> int:
        """The seat whose card takes the complete trick."""
        return (hand.leader + self.winning(hand)) % hand.seats

    def gather(
        self, hand: Hand, winner: int | None = None, extra: tuple[int, Card] | None = None, gone: int = NOBODY
    ) -> None:
        """Give the trick to its winner, settle the Fool, and let the winner lead.

        `extra` is a second card of one seat (the jack beside the king), `gone` the position of a card taken back.
        """
        cards = tuple(hand.trick)
        leader = hand.leader
        seats = _ORDERS[hand.seats][leader]
        if winner is None:
            winner = seats[self.winning(hand)]
        if extra is not None:
            left = [index for index in range(len(cards)) if index != gone]
            cards = (*(cards[index] for index in left), extra[1])
            seats = (*(seats[index] for index in left), extra[0])
        hand.tricks.append(Trick(leader, hand.lane, cards, seats, winner))
        side = hand.sides[winner]
        won = hand.side_cards[side]
        for card in cards:
            won |= BIT[card]
        hand.side_cards[side] = won
        hand.side_tricks[side] += 1
        if FOOL in cards or hand.owed_by >= 0:
            hand.ruleset.fool.settle(hand, winner)
        hand.trick = []
        hand.lane = -1
        hand.first_lead = False
        hand.pair_at = NOBODY
        hand.leader = hand.turn = winner
        hand.stage = self
        hand._playable = -1
        if not hand.hands[winner]:
            hand.count()


PLAY: Final = Tricks()


class TrumpsFirst(Tricks):
    """As `Tricks`, but a player who leads to the first trick and has a trump must lead a trump or the Fool.

    After a lead of the Fool, trumps must be played. If nobody plays one, the highest card of the next card's suit wins;
    nobody had to follow that suit, it does not count as led, and nothing is called or played together (our reading).
    """

    def playable(self, hand: Hand) -> CardSet:
        held = hand.hands[hand.turn]
        if hand.lane < 0 and not hand.tricks and held & TRUMP_CARDS:
            return held & (TRUMP_CARDS | FOOL_BIT)
        return super().playable(hand)

    def pairs(self, hand: Hand) -> CardSet:
        return super().pairs(hand) & self.playable(hand)

    def why_not_card(self, hand: Hand, card: Card) -> Illegality | None:
        if hand.lane < 0 and not self.playable(hand) & BIT[card]:
            return Illegality(Rule.MUST_LEAD_TRUMP, card=card)
        return super().why_not_card(hand, card)

    def lead(self, hand: Hand, card: Card) -> None:
        if card == FOOL:
            hand.lane = TRUMPS
        else:
            super().lead(hand, card)

    def winning(self, hand: Hand) -> int:
        return winning_place(hand.trick, self._suit_that_wins(hand))

    def _suit_that_wins(self, hand: Hand) -> int:
        trick = hand.trick
        if trick[0] != FOOL or len(trick) == 1 or any(LANE_OF[card] == TRUMPS for card in trick):
            return hand.lane
        return LANE_OF[trick[1]]

    def gather(
        self, hand: Hand, winner: int | None = None, extra: tuple[int, Card] | None = None, gone: int = -1
    ) -> None:
        hand.lane = self._suit_that_wins(hand)
        super().gather(hand, winner, extra, gone)


TRUMPS_FIRST: Final = TrumpsFirst()
