"""The play: leading, following, winning a trick, and what may follow a trick before it is gathered.

`Tricks` plays by the rules of Troccas; other ways to play (`TrumpsFirst`, `EarlyCall`, `fool.HighFool`) override the few
methods that say what is different.

Calling the jack into the trick of its king, and king and jack played together. Where the cavalier is called in its place,
it is the cavalier that "jack" stands for here (`CallRule.below_king`). pagat, "The Play": the first time a suit is led and
its king lies in the trick without the jack, the trick's winner (our reading; the text once says the king's player) may say
`buob` or `buob-sche`. Every question here is asked so that being asked tells nothing about hidden cards.

The hot rules take a hand as two words, plain non-negative ints: `suits` (56 bits, four lanes of 14) and `trumps` (22 bits,
I … XXI and the Fool on top).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain.engine.actions import BARE, PLAYS, Action
from domain.engine.cards import (
    BIT,
    CAVALIER,
    FIRST_TRUMP,
    FOOL,
    FOOL_BIT,
    KING,
    KINGS,
    LANE_OF,
    LANE_SIZE,
    LANES,
    NUMERALS,
    QUEEN,
    SUIT_CARDS,
    TRUMP_CARDS,
    TRUMPS,
    Card,
    CardSet,
)
from domain.engine.dealing import Asking
from domain.engine.errors import IllegalAction, Illegality, Rule
from domain.engine.hand import Hand
from domain.engine.legal import Legal, LegalPlays, LegalWords
from domain.engine.state import NOBODY, Trick

_TRUMPS_LANE = 4
_SUIT_WORD = 0x3FFF
_TRUMPS_WORD = 0x1FFFFF
_FOOL_WORD = 0x200000


def playable_with_excuse(suits: int, trumps: int, lane: int) -> tuple[int, int]:
    """What may be played from a hand where the Fool excuses: follow suit, else trump, else anything, and always the Fool.

    `lane` is the suit to follow (0–3), 4 for trumps, -1 when the player is free. Returns the two words of what is legal.
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
    """What may be played from a hand where the Fool is the highest trump: follow suit, else trump, else anything.

    Who has no trump but the Fool may play anything in its place; a Fool once `withheld` is the last card to be played.
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
    """The place in `cards` of the card that takes the trick: the highest trump, else the highest of the suit led.

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
        at += 1  # noqa: SIM113  # counting by hand is what compiles, and what is quick
    return place


_ORDERS: Final = {
    seats: tuple(tuple((leader + step) % seats for step in range(seats)) for leader in range(seats))
    for seats in range(3, 9)
}


class Tricks:
    """`dealer+1` leads to the first trick, then each winner to the next (pagat, "The Play").

    `playable`, `lead` and `winning` say what may be played, what a lead asks for and which card takes the trick.
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
        if rule is None or (hand.lane >= 0 and not hand.first_lead):  # no pairs then: most cards are played so
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
        """Why the sign beside a card that may be played is not allowed; None if it is."""
        if action.signal == "knock":
            return self._why_no_knock(hand, action)
        return Illegality(Rule.NO_SUCH_SIGNAL)

    def why_not_card(self, hand: Hand, card: Card) -> Illegality | None:
        """Why a card of the hand of the player on turn may not be played alone; None if it may."""
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

        Knocking goes with a card to a trump lead, by the holder of the highest trump still out when it was led.
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
        # A plain card that follows suit is what happens most: it needs no more than this look. Everything else is asked.
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
        """Nothing is asked for yet: `card` sets what to follow. A Fool leaves it to the next card."""
        if card == FOOL:
            return
        hand.lane = lane = LANE_OF[card]
        if lane < TRUMPS:
            hand.first_lead = not hand.led >> lane & 1
            hand.led |= 1 << lane

    def _complete(self, hand: Hand) -> None:
        """Every card of a first lead lies there: is there something to take back or to call before it is gathered?"""
        for question in hand.ruleset.after_trick:
            if question.open(hand):
                return
        self.gather(hand)

    def winning(self, hand: Hand) -> int:
        """The place of the card that takes the trick as it lies there. At least one card does."""
        return winning_place(hand.trick, hand.lane)

    def winner(self, hand: Hand) -> int:
        """The seat whose card takes the complete trick."""
        return (hand.leader + self.winning(hand)) % hand.seats

    def gather(
        self, hand: Hand, winner: int | None = None, extra: tuple[int, Card] | None = None, gone: int = NOBODY
    ) -> None:
        """Give the trick to its winner, settle the Fool, and let the winner lead.

        `extra` is a second card of one seat (the jack beside the king), `gone` the place of a card taken back.
        """
        cards = tuple(hand.trick)
        leader = hand.leader
        seats = _ORDERS[hand.seats][leader]
        if winner is None:
            winner = seats[self.winning(hand)]
        if extra is not None:
            places = [place for place in range(len(cards)) if place != gone]
            cards = (*(cards[place] for place in places), extra[1])
            seats = (*(seats[place] for place in places), extra[0])
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


def numerals_of_others(hand: Hand, own: int) -> list[int]:
    """The places in the complete trick of the numerals of the suit led, but the place `own`."""
    lying = NUMERALS & LANES[hand.lane]
    return [place for place, card in enumerate(hand.trick) if place != own and lying & BIT[card]]


class TrumpsFirst(Tricks):
    """As `Tricks`, but the first trick is led with a trump (or the Fool) by who has a trump.

    After a Fool that is led, trumps must be played. If none falls, the highest card of the next card's suit wins; nobody
    had to follow that suit, it does not count as led, and nothing is called or played together (our reading).
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


_CALLS: Final = LegalWords("call", (BARE["buob"], BARE["buob-sche"], BARE["quiet"]))
_PLAIN_CALLS: Final = LegalWords("call", (BARE["buob"], BARE["quiet"]))
_GIVE_OR_KEEP: Final = LegalWords("fool", (BARE["give"], BARE["keep"]))
_KEEP: Final = LegalWords("fool", (BARE["keep"],))


def called_card(hand: Hand) -> Card:
    """The card that a call in this trick is for: the jack of the suit led."""
    rule = hand.ruleset.call
    assert rule is not None
    return hand.lane * LANE_SIZE + KING - rule.below_king


class Call(Asking):
    """The winner of the trick calls for the jack, or stays quiet."""

    def open(self, hand: Hand) -> bool:
        """Ask the winner, if the complete trick allows the call."""
        if hand.pair_at != NOBODY or hand.lane * LANE_SIZE + KING not in hand.trick:
            return False
        jack = called_card(hand)
        if jack in hand.trick or hand.out & BIT[jack]:
            return False
        hand.turn = hand.ruleset.play.winner(hand)
        hand.stage = self
        return True

    def legal(self, hand: Hand) -> Legal:
        rule = hand.ruleset.call
        return _CALLS if rule is not None and rule.exempting else _PLAIN_CALLS

    def apply(self, hand: Hand, action: Action) -> None:
        if action.verb == "quiet":
            hand.ruleset.play.gather(hand)
            return
        jack = called_card(hand)
        holder = next((seat for seat, held in enumerate(hand.hands) if held & BIT[jack]), NOBODY)
        if holder != NOBODY:
            place = (holder - hand.leader) % hand.seats
            played = hand.trick[place]
            rank = played % LANE_SIZE
            if played != FOOL and rank != KING:
                if action.verb == "buob-sche" and rank in (QUEEN, CAVALIER):
                    hand.happen("jack-kept", holder, jack)
                    hand.ruleset.play.gather(hand)
                else:
                    swap_in(hand, place, jack)
                return
        if FOOL in hand.trick:
            hand.turn = (hand.leader + hand.trick.index(FOOL)) % hand.seats
            hand.stage = ANSWER
            return
        hand.happen("no-jack", hand.turn, jack)
        hand.ruleset.play.gather(hand)


class FoolAnswer(Asking):
    """No jack has appeared and somebody played the Fool: that player is asked, with the jack or without."""

    def legal(self, hand: Hand) -> Legal:
        return _GIVE_OR_KEEP if hand.hands[hand.turn] & BIT[called_card(hand)] else _KEEP

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        return Illegality(Rule.NO_JACK_TO_GIVE) if action.verb == "give" else None

    def apply(self, hand: Hand, action: Action) -> None:
        jack = called_card(hand)
        if action.verb == "give":
            swap_in(hand, hand.trick.index(FOOL), jack)
        else:
            hand.happen("no-jack", hand.turn, jack)
            hand.ruleset.play.gather(hand)


class TakeBack(Asking):
    """Who played king and jack together takes back a card that another played: as `PairRule.takes_back` says, a numeral
    of the suit or anything but the Fool.

    If there is none, the jack goes back to hand (our reading).
    """

    def _places(self, hand: Hand) -> list[int]:
        """The places of the cards that may be taken back."""
        rule = hand.ruleset.pair
        if rule is not None and rule.takes_back == "any":
            return [place for place, card in enumerate(hand.trick) if place != hand.pair_at and card != FOOL]
        return numerals_of_others(hand, hand.pair_at)

    def open(self, hand: Hand) -> bool:
        """Ask the player of the pair, or give the jack back."""
        if hand.pair_at == NOBODY:
            return False
        seat = (hand.leader + hand.pair_at) % hand.seats
        if self._places(hand):
            hand.turn = seat
            hand.stage = self
            return True
        jack = self._companion(hand)
        hand.hands[seat] |= BIT[jack]
        hand.happen("jack-back", seat, jack)
        return False

    def _companion(self, hand: Hand) -> Card:
        rule = hand.ruleset.pair
        assert rule is not None
        return hand.trick[hand.pair_at] - rule.below_king

    def legal(self, hand: Hand) -> Legal:
        return LegalWords("take", tuple(Action("take", (hand.trick[place],)) for place in self._places(hand)))

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        if action.verb != "take" or not action.cards:
            return None
        rule = hand.ruleset.pair
        any_card = rule is not None and rule.takes_back == "any"
        return Illegality(Rule.OWN_OR_FOOL if any_card else Rule.NOT_TO_TAKE, card=action.cards[0])

    def apply(self, hand: Hand, action: Action) -> None:
        card = action.cards[0]
        jack = self._companion(hand)
        winner = hand.ruleset.play.winner(hand)
        place = hand.trick.index(card)
        hand.hands[hand.turn] |= BIT[card]
        hand.happen("taken-back", hand.turn, jack, card)
        hand.ruleset.play.gather(hand, winner, (hand.turn, jack), place)


def swap_in(hand: Hand, place: int, jack: Card) -> None:
    """Put the jack into the trick for the card at `place`, which goes back to hand. The winner stays."""
    winner = hand.ruleset.play.winner(hand)
    seat = (hand.leader + place) % hand.seats
    back = hand.trick[place]
    hand.trick[place] = jack
    hand.hands[seat] ^= BIT[jack] | BIT[back]
    hand.happen("jack-given", seat, jack, back)
    hand.ruleset.play.gather(hand, winner)


CALL: Final = Call()
ANSWER: Final = FoolAnswer()
TAKE_BACK: Final = TakeBack()


class EarlyCall(Tricks):
    """As `Tricks`, but who plays a king to the first lead of its suit may call the jack with it (`play CK buob`).

    A holder of the jack who has yet to play must play it, and nothing else is legal.
    """

    def forced(self, hand: Hand) -> CardSet:
        """The jack, if it has been called from the player on turn; else nothing."""
        if hand.caller in (NOBODY, hand.turn):
            return 0
        return hand.hands[hand.turn] & BIT[called_card(hand)]

    def playable(self, hand: Hand) -> CardSet:
        return self.forced(hand) or super().playable(hand)

    def kings_that_call(self, hand: Hand) -> CardSet:
        """The kings with which the player on turn may call the jack."""
        if hand.lane >= 0 and not hand.first_lead:
            return 0
        kings = self.playable(hand) & KINGS
        if not kings:
            return 0
        for suit in range(4):
            if hand.led >> suit & 1 and suit != hand.lane:
                kings &= ~LANES[suit]
        if hand.lane >= 0:
            kings &= LANES[hand.lane]
        rule = hand.ruleset.call
        assert rule is not None
        gone = hand.out
        for card in hand.trick:
            gone |= BIT[card]
        return kings & ~(gone << rule.below_king)

    def legal(self, hand: Hand) -> Legal:
        knocks = self._knockable(hand) if hand.option.get("knock", False) else 0
        return LegalPlays(self.playable(hand), 0, knocks, calls=self.kings_that_call(hand))

    def why_not_card(self, hand: Hand, card: Card) -> Illegality | None:
        if self.forced(hand) & ~BIT[card]:
            return Illegality(Rule.JACK_CALLED, card=called_card(hand))
        return super().why_not_card(hand, card)

    def why_no_signal(self, hand: Hand, action: Action) -> Illegality | None:
        if action.signal != "buob":
            return super().why_no_signal(hand, action)
        if len(action.cards) == 1 and self.kings_that_call(hand) & BIT[action.cards[0]]:
            return None
        return Illegality(Rule.NO_CALL_NOW)

    def act(self, hand: Hand, action: Action) -> None:
        if hand.caller != NOBODY or action.signal:
            broken = self.why_illegal(hand, action)
            if broken is not None:
                raise IllegalAction(broken)
            if action.signal == "buob":
                hand.caller = hand.turn
                hand._playable = -1
        super().act(hand, action)


class AnswerToTheCall:
    """The trick in which the jack was called is complete: it is swapped in now, unless it was played.

    The holder gets back the card played, but a Fool stays. A caller who holds the jack himself puts it in for the lowest
    numeral of the suit that another played; if there is none, nothing happens (our reading).
    """

    def open(self, hand: Hand) -> bool:
        """Swap the jack in and gather the trick; False when there is nothing to swap."""
        caller, hand.caller = hand.caller, NOBODY
        if caller == NOBODY:
            return False
        jack = called_card(hand)
        if jack in hand.trick:
            return False
        holder = next((seat for seat, held in enumerate(hand.hands) if held & BIT[jack]), NOBODY)
        if holder == caller:
            own = (caller - hand.leader) % hand.seats
            numerals = numerals_of_others(hand, own)
            if numerals:
                self._take(hand, caller, jack, min(numerals, key=hand.trick.__getitem__))
                return True
        elif holder != NOBODY:
            place = (holder - hand.leader) % hand.seats
            if hand.trick[place] != FOOL:
                swap_in(hand, place, jack)
                return True
        hand.happen("no-jack", caller, jack)
        return False

    def _take(self, hand: Hand, caller: int, jack: Card, place: int) -> None:
        play = hand.ruleset.play
        back = hand.trick[place]
        hand.hands[caller] ^= BIT[jack] | BIT[back]
        hand.happen("taken-back", caller, jack, back)
        play.gather(hand, play.winner(hand), (caller, jack), place)


EARLY_CALL: Final = EarlyCall()
ANSWER_TO_THE_CALL: Final = AnswerToTheCall()
