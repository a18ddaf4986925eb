"""The Tapp: the bidding for it, the exchange, calling a partner, and which side its cards count for.

Source: pagat, "Troggu", "The Bidding" to "Special rules for 7 or 8 players".

Also the settlement in Rappen: stakes between the Tappist's side and the others, and the stakes of a Misere.

Source: pagat, "Troggu", "Scoring", "Misere" and "Variations". What tied players of a Misere pay is our reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.engine.actions import BARE, Action
from domain.engine.cards import BAGAT, BIT, FIRST_TRUMP, FOOL, LAST_TRUMP
from domain.engine.dealing import Asking, LayingAway
from domain.engine.errors import Illegality, Rule
from domain.engine.hand import Hand
from domain.engine.legal import Legal, LegalWords
from domain.engine.ruleset import BiddingRule
from domain.engine.state import NOBODY

NORMAL: Final = "normal"
SOLO: Final = "solo"
MISERE: Final = "misere"

_OPEN: Final = LegalWords("bid", (BARE["pass"], BARE["take"], BARE["solo"]))
_TAKEN: Final = LegalWords("bid", (BARE["pass"], BARE["solo"]))
_CALLS: Final = LegalWords("partner", tuple(Action("call", (card,)) for card in range(FIRST_TRUMP, LAST_TRUMP)))


def _rule(hand: Hand) -> BiddingRule:
    rule = hand.ruleset.bidding
    assert rule is not None
    return rule


class Bidding(Asking):
    """Once round from `dealer+1`: pass, take the game (if nobody has yet), or play solo, which ends the bidding."""

    def enter(self, hand: Hand) -> bool:
        hand.turn = hand.after(hand.dealer)
        hand.scartist = NOBODY
        return True

    def legal(self, hand: Hand) -> Legal:
        return _OPEN if hand.tappist == NOBODY else _TAKEN

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        return Illegality(Rule.TAKEN_BEFORE) if action == BARE["take"] else None

    def apply(self, hand: Hand, action: Action) -> None:
        seat = hand.turn
        hand.bids.append((seat, action.verb))
        if action.verb != "pass":
            hand.tappist = seat
        if action.verb == "solo":
            self._settle(hand, SOLO)
        elif seat != hand.dealer:
            hand.turn = hand.after(seat)
        elif hand.tappist != NOBODY:
            self._settle(hand, NORMAL)
        else:
            self._all_passed(hand)

    def _all_passed(self, hand: Hand) -> None:
        rule = _rule(hand)
        if hand.seats >= rule.forced_from:
            for card in (FOOL, BAGAT):
                for seat, held in enumerate(hand.hands):
                    if held & BIT[card]:
                        hand.tappist = seat
                        hand.happen("must-play", seat, card)
                        self._settle(hand, NORMAL)
                        return
        if rule.if_none_takes == "misere":
            self._settle(hand, MISERE)
        else:
            hand.close("passed")

    def _settle(self, hand: Hand, contract: str) -> None:
        hand.contract = contract
        if contract != MISERE:
            hand.take_sides(tuple([int(seat != hand.tappist) for seat in range(hand.seats)]))
        hand.advance()


class Exchange(LayingAway):
    """In a normal game the Tappist takes up the Tapp and discards as many cards; they count for his side."""

    verb = "discard"

    def count(self, hand: Hand) -> int:
        return hand.ruleset.tapp

    def enter(self, hand: Hand) -> bool:
        if hand.contract != NORMAL:
            return False
        hand.turn = hand.scartist = hand.tappist
        hand.hands[hand.tappist] |= hand.tapp
        return True


class CallingAPartner(Asking):
    """With enough players the Tappist calls a trump: its holder is his partner, and must not reveal it.

    If the Tappist has it himself or it lies in the Tapp, he plays alone, and nobody else is told.
    """

    def enter(self, hand: Hand) -> bool:
        hand.turn = hand.tappist
        return hand.contract == NORMAL and hand.seats >= _rule(hand).partner_from

    def legal(self, hand: Hand) -> Legal:
        return _CALLS

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        return Illegality(Rule.NOT_TO_CALL) if action.verb == "call" else None

    def apply(self, hand: Hand, action: Action) -> None:
        hand.called = called = action.cards[0]
        for seat, held in enumerate(hand.hands):
            if held & BIT[called] and seat != hand.tappist:
                hand.partner = seat
                hand.take_sides(tuple([int(other not in (seat, hand.tappist)) for other in range(hand.seats)]))
        hand.advance()


class TappOfTappist:
    """The Tappist's discards, or in a Solo the Tapp, count for his side. In a Misere the Tapp counts for nobody."""

    def award(self, hand: Hand) -> None:
        if hand.tappist != NOBODY:
            hand.side_cards[hand.sides[hand.tappist]] |= hand.tapp if hand.contract == SOLO else hand.scart
        hand.happen("tapp-shown", hand.dealer if hand.tappist == NOBODY else hand.tappist)


BIDDING: Final = Bidding()
EXCHANGE: Final = Exchange()
PARTNER: Final = CallingAPartner()
TAPP_OF_TAPPIST: Final = TappOfTappist()


HALF: Final = 57  # of the 114 points: the side with more wins; with exactly half nobody does


@dataclass(frozen=True, slots=True)
class Stakes:
    """Each opponent pays the Tappist's side, or receives from it, one stake (the option `stake`).

    The stake is doubled if the losers have no more points than the option `double_at`, trebled if they have no trick,
    and doubled once more in a Solo. A called partner receives or pays two stakes, the Tappist the rest. In a Misere the
    player with the most points pays each other player a stake, or, if `fewest_win`, the player with the fewest receives
    one from each; tied players each settle with everyone who is not tied.
    """

    fewest_win: bool = False

    def scores(self, hand: Hand, points: Sequence[int]) -> tuple[int, ...]:
        stake = int(hand.option["stake"])
        if hand.contract == MISERE:
            return self._misere(points, stake)
        if points[0] == HALF:
            return (0,) * hand.seats
        losers = int(points[0] > HALF)
        if not hand.side_tricks[losers]:
            stake *= 3
        elif points[losers] <= int(hand.option["double_at"]):
            stake *= 2
        if hand.contract == SOLO:
            stake *= 2
        each = stake if losers == 0 else -stake  # the score of an opponent of the Tappist
        scores = [each if side else 0 for side in hand.sides]
        if hand.partner != NOBODY:
            scores[hand.partner] = -2 * each
        scores[hand.tappist] = -sum(scores)
        return tuple(scores)

    def _misere(self, points: Sequence[int], stake: int) -> tuple[int, ...]:
        best = min(points) if self.fewest_win else max(points)
        tied = sum(taken == best for taken in points)
        if self.fewest_win:
            stake = -stake
        return tuple([stake * (tied if taken != best else tied - len(points)) for taken in points])
