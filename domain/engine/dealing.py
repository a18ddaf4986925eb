"""The deal: demands of the losing side, arranging, the cut, the packets, the rounds of cards with talk, and discarding."""

from __future__ import annotations

from typing import Final

from domain.engine.actions import BARE, Action
from domain.engine.cards import BIT, HONOURS, Card, CardSet, set_of
from domain.engine.errors import IllegalAction, Illegality, Rule
from domain.engine.hand import Hand
from domain.engine.legal import Legal, LegalArrangement, LegalChoice, LegalCut, LegalWords
from domain.engine.state import Spoken
from domain.engine.talk import not_sayable, words_of

TWO_ROUNDS_FROM: Final = -9
ONE_ROUND_FROM: Final = -18


class Asking:
    """Base of the stages of the deal: `act` checks an action, then applies it."""

    def enter(self, hand: Hand) -> bool:
        raise NotImplementedError  # pragma: no cover - each stage has its own

    def legal(self, hand: Hand) -> Legal:
        raise NotImplementedError  # pragma: no cover - each stage has its own

    def why_illegal(self, hand: Hand, action: Action) -> Illegality | None:
        legal = self.legal(hand)
        if action in legal:
            return None
        return self.broken(hand, action, legal) or Illegality(Rule.NOT_ASKED, asked=legal.asked)

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        """The rule that an illegal action of the right kind breaks; None for the general `NOT_ASKED`."""
        return None

    def act(self, hand: Hand, action: Action) -> None:
        broken = self.why_illegal(hand, action)
        if broken is not None:
            raise IllegalAction(broken)
        self.apply(hand, action)

    def apply(self, hand: Hand, action: Action) -> None:
        raise NotImplementedError  # pragma: no cover - each stage has its own


class Demands(Asking):
    """A losing side may demand fewer rounds: two from -9, one from -18.

    Its players are asked in turn until one does. pagat, "The Deal"; that -9 means the running score is our reading.
    """

    def enter(self, hand: Hand) -> bool:
        if not hand.option.get("demands", False):
            return False
        return self._ask_next(hand, hand.after(hand.dealer))

    def _ask_next(self, hand: Hand, seat: int) -> bool:
        first = hand.after(hand.dealer)
        while True:
            if hand.running[seat] <= TWO_ROUNDS_FROM:
                hand.turn = seat
                return True
            seat = hand.after(seat)
            if seat == first:
                return False

    def legal(self, hand: Hand) -> Legal:
        fewest = 1 if hand.running[hand.turn] <= ONE_ROUND_FROM else 2
        return LegalWords("deal", tuple(Action("deal", number=rounds) for rounds in range(fewest, 4)))

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        return Illegality(Rule.ROUNDS_NOT_OPEN, number=action.number) if action.verb == "deal" else None

    def apply(self, hand: Hand, action: Action) -> None:
        hand.rounds = action.number
        if action.number < 3:
            hand.demander = hand.turn
            hand.advance()
        else:
            next_seat = hand.after(hand.turn)
            if next_seat == hand.after(hand.dealer) or not self._ask_next(hand, next_seat):
                hand.advance()


class Arranging(Asking):
    """Before the one-round deal, which is not shuffled, each losing player may arrange the cards of his tricks.

    Only if the previous hand was played to its end (after a throw-in the pack is shuffled: our reading).
    """

    def enter(self, hand: Hand) -> bool:
        return hand.rounds == 1 and hand.gathered is not None and self._ask_next(hand, hand.after(hand.dealer))

    def _ask_next(self, hand: Hand, seat: int) -> bool:
        losing = hand.sides[hand.demander]
        for _ in range(hand.seats):
            if hand.sides[seat] == losing and seat not in hand.arranged:
                hand.turn = seat
                return True
            seat = hand.after(seat)
        return False

    def legal(self, hand: Hand) -> Legal:
        assert hand.gathered is not None
        return LegalArrangement(hand.gathered.pile(hand.turn))

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        return Illegality(Rule.NOT_YOUR_TRICKS) if action.verb == "arrange" else None

    def apply(self, hand: Hand, action: Action) -> None:
        hand.arranged[hand.turn] = action.cards
        if not self._ask_next(hand, hand.after(hand.turn)):
            hand.advance()


class Cutting(Asking):
    """The player to the dealer's left (`dealer-1`) lifts some cards; they go under the rest."""

    def enter(self, hand: Hand) -> bool:
        hand.turn = hand.after(hand.dealer, -1)
        return True

    def legal(self, hand: Hand) -> Legal:
        return LegalCut(hand.ruleset.pack.bit_count() - 1)

    def why_illegal(self, hand: Hand, action: Action) -> Illegality | None:
        broken = super().why_illegal(hand, action)
        return Illegality(Rule.PACK_NOT_READY) if broken is None and hand.pack is None else broken

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        if action.verb == "cut":
            return Illegality(Rule.CUT_OUT_OF_RANGE, number=hand.ruleset.pack.bit_count() - 1)
        return None

    def apply(self, hand: Hand, action: Action) -> None:
        assert hand.pack is not None
        hand.cut = action.number
        hand.pack = hand.pack[action.number :] + hand.pack[: action.number]
        hand.advance()


class Packets(Asking):
    """The dealer says in which packets he will deal, if there is a choice (pagat, "Troggu", the deal in Grächen)."""

    def enter(self, hand: Hand) -> bool:
        hand.turn = hand.dealer
        return bool(hand.ruleset.packets)

    def legal(self, hand: Hand) -> Legal:
        return LegalWords("packets", tuple(Action("packets", packets=sizes) for sizes in hand.ruleset.packets))

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        return Illegality(Rule.NOT_THESE_PACKETS) if action.verb == "packets" else None

    def apply(self, hand: Hand, action: Action) -> None:
        hand.packets = action.packets
        hand.advance()


_THIRD_DECIDES: Final = LegalWords("demand", (BARE["throw-in"], BARE["veto"]))


class Dealing(Asking):
    """The rounds of the deal, each followed by the talk if the table plays it.

    The dealer takes his extra cards in the last round. The last card of each player is dealt face up in some games. A
    Tapp is laid down after as many rounds as the ruleset says. Source: pagat, "The Deal".

    The talk (tschintschar) decides whether the hand goes on or is thrown in. The first speakers consent (`allow`, with
    phrases) or veto; a veto ends the interval at once. If all consent, the next player says `veto` or `liber`, and
    after `liber` the dealer says `go` or `throw-in`. In games where the third decides himself, he says `veto` or
    `throw-in`.
    """

    def enter(self, hand: Hand) -> bool:
        """Deal until somebody is asked. Returns whether somebody is; False when every card has been dealt."""
        sizes = hand.packets or hand.ruleset.batches[hand.rounds]
        talk = hand.ruleset.asks_to_throw_in(hand.option)
        while hand.dealt < len(sizes):
            self._deal_round(hand, sizes)
            if talk:
                hand.turn = hand.after(hand.dealer)
                return True
        return False

    def _deal_round(self, hand: Hand, sizes: tuple[int, ...]) -> None:
        """Deal the next round: `sizes[hand.dealt]` cards to each seat, the Tapp before its round, the dealer's extra
        cards in the last."""
        pack = hand.pack
        assert pack is not None
        rules = hand.ruleset
        usual_size = sizes[hand.dealt]
        last = hand.dealt == len(sizes) - 1
        top = hand.seats * sum(sizes[: hand.dealt])
        if hand.dealt == rules.tapp_after:
            hand.tapp = set_of(pack[top : top + rules.tapp])
        if hand.dealt >= rules.tapp_after:
            top += rules.tapp
        for step in range(1, hand.seats + 1):
            seat = (hand.dealer + step) % hand.seats
            size = usual_size + rules.dealer_extra if last and step == hand.seats else usual_size
            packet = pack[top : top + size]
            top += size
            hand.start[seat] = hand.hands[seat] = hand.hands[seat] | set_of(packet)
            if last and rules.last_card_open:
                hand.face_up[seat] = packet[-1]
        hand.dealt += 1

    def legal(self, hand: Hand) -> Legal:
        position = (hand.turn - hand.dealer - 1) % hand.seats  # 0 is the seat after the dealer, `seats - 1` the dealer
        rule = hand.ruleset.talk
        assert rule is not None
        option = str(hand.option.get("talk", "silent"))
        talk = "" if option == "silent" else option
        if position < rule.speakers:
            return words_of("talk", ("allow", "veto"), talk)
        if position < hand.seats - 1:
            return words_of("free", ("liber", "veto"), talk) if rule.third_frees_dealer else _THIRD_DECIDES
        return words_of("decide", ("go", "throw-in"), "")

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        assert isinstance(legal, LegalWords)
        return not_sayable(action, legal) if action.verb in [word.verb for word in legal.actions] else None

    def apply(self, hand: Hand, action: Action) -> None:
        hand.spoken.append(Spoken(hand.dealt, hand.turn, action))
        hand.talk_vetoed = action.verb == "veto"
        if action.verb == "throw-in":
            hand.close("thrown-in")
        elif action.verb in ("veto", "go"):
            if not self.enter(hand):
                hand.advance()
        elif action.verb == "liber":
            hand.turn = hand.dealer
        else:
            hand.turn = hand.after(hand.turn)


class LayingAway(Asking):
    """Discard cards face down: no honours, unless the ruleset allows a whole set of them."""

    verb = "scart"

    def count(self, hand: Hand) -> int:
        """The number of cards to discard."""
        return hand.ruleset.scart

    def otherwise(self, hand: Hand) -> tuple[Action, ...]:
        """The actions that are possible instead of discarding."""
        return ()

    def legal(self, hand: Hand) -> Legal:
        held = hand.hands[hand.turn]
        return LegalChoice(
            self.verb, self.count(hand), held & ~HONOURS, self.otherwise(hand), self._together(hand, held)
        )

    def _together(self, hand: Hand, held: CardSet) -> CardSet:
        whole = hand.ruleset.together
        return whole if held & whole == whole and whole.bit_count() <= self.count(hand) else 0

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        if action.verb != self.verb:
            return None
        held = hand.hands[hand.turn]
        together = self._together(hand, held)
        seen = 0
        for card in action.cards:
            if seen & BIT[card]:
                return Illegality(Rule.SAME_CARD_TWICE, card=card)
            seen |= BIT[card]
            if not held & BIT[card]:
                return Illegality(Rule.NOT_IN_HAND, card=card)
            if HONOURS & ~together & BIT[card]:
                return Illegality(Rule.HONOUR_LAID_AWAY, card=card)
        if seen & together not in (0, together):
            parted: Card = (seen & together).bit_length() - 1
            return Illegality(Rule.ONLY_TOGETHER, card=parted, number=together.bit_count())
        return Illegality(Rule.WRONG_NUMBER_OF_CARDS, number=self.count(hand))

    def apply(self, hand: Hand, action: Action) -> None:
        hand.scart = set_of(action.cards)
        hand.hands[hand.turn] &= ~hand.scart
        hand.advance()


class Scart(LayingAway):
    """The dealer discards as many cards as he took extra, no honours.

    A dealer without any trump may throw in instead if a veto ended the last interval. (The Fool is not a trump: our
    reading. In other games he must have none of `TalkRule.dealer_lacks`.) That is part of the same decision, so that
    the question reveals nothing. Source: pagat, "The Discard".
    """

    def enter(self, hand: Hand) -> bool:
        hand.turn = hand.dealer
        return True

    def otherwise(self, hand: Hand) -> tuple[Action, ...]:
        talk = hand.ruleset.talk
        if talk is None or not hand.talk_vetoed or hand.hands[hand.dealer] & talk.dealer_lacks:
            return ()
        return (BARE["throw-in"],)

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        if action.verb == "throw-in" and hand.ruleset.asks_to_throw_in(hand.option):
            return Illegality(Rule.DEALER_HAS_TRUMPS if hand.talk_vetoed else Rule.NO_VETO_BEFORE)
        return super().broken(hand, action, legal)

    def apply(self, hand: Hand, action: Action) -> None:
        if action.verb == "throw-in":
            hand.close("thrown-in")
        else:
            super().apply(hand, action)


DEMANDS: Final = Demands()
ARRANGING: Final = Arranging()
CUTTING: Final = Cutting()
PACKETS: Final = Packets()
DEALING: Final = Dealing()
SCART: Final = Scart()
