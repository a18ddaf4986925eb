"""A game: a series of hands with the dealer going round, running totals, and the end.

Also the draw for partners with which a game of four may start (pagat, "Players and Cards"), and the cards of a finished
hand as they lie on the table, for the one-round deal that is not shuffled. The tricks lie before the player who won
them, in the order they were won, the latest on top; the scart lies at the bottom of its side's cards; the losing side's
cards go on top of the winners'. The Fool and the card paid for it have changed places. (Our reading; the sources say
only that the losers may order their cards and that nothing is shuffled.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from domain.engine.actions import SAY, Action
from domain.engine.cards import FIRST_TRUMP, FOOL, Card, CardSet, cards_in
from domain.engine.hand import Hand
from domain.engine.ruleset import OptionValue, Ruleset
from domain.engine.state import Result

# Cards that lie together in an order that nobody noted, or a single card whose position is known.
Group: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """The tricks of a played hand by the seat that won them, first won first, and the scart of its dealer."""

    dealer: int
    sides: tuple[int, ...]
    tricks: tuple[tuple[int, Group], ...]
    scart: CardSet

    def pile(self, seat: int) -> tuple[Card, ...]:
        """The cards of the tricks that lie before `seat`, top first (within a trick in the order they were played)."""
        return tuple(card for winner, cards in reversed(self.tricks) if winner == seat for card in cards)

    def groups(self, losing_side: int, first: int, arranged: Mapping[int, tuple[Card, ...]]) -> list[Group]:
        """The next pack, top first, in groups; the secret of the hand decides the order within each group.

        `first` is the seat whose pile comes first (the next dealer's right); an arranged pile is taken card by card.
        """
        seats = [(first + step) % len(self.sides) for step in range(len(self.sides))]
        groups: list[Group] = []
        for losing in (True, False):
            for seat in seats:
                if (self.sides[seat] == losing_side) is not losing:
                    continue
                if arranged.get(seat):
                    groups += [(card,) for card in arranged[seat]]
                else:
                    groups += [cards for winner, cards in reversed(self.tricks) if winner == seat]
            if (self.sides[self.dealer] == losing_side) is losing:
                groups.append(tuple(cards_in(self.scart)))
        return groups


def gathered_from(hand: Hand) -> Gathered | None:
    """What lies on the table after `hand`. None unless it was played to its end and the game has the one-round deal."""
    if hand.result is None or hand.result.status != "played" or 1 not in hand.ruleset.batches:
        return None
    paid = next((happening.card for happening in hand.happenings if happening.kind == "fool-paid"), None)
    tricks = tuple([(trick.winner, trick.cards) for trick in hand.tricks])
    if paid is not None:
        swap = {paid: FOOL, FOOL: paid}
        tricks = tuple([(winner, tuple([swap.get(card, card) for card in cards])) for winner, cards in tricks])
    return Gathered(hand.dealer, hand.sides, tricks, hand.scart)


class Match:
    """A whole game of one ruleset: `deal` starts the next hand, `push` acts in it, `totals` are the scores so far.

    The option `hands` is the number of hands of a game. Hands that were played or passed count; after a thrown-in hand
    the same dealer deals again.
    """

    def __init__(self, ruleset: Ruleset, options: Mapping[str, object] | None = None, *, dealer: int = 0) -> None:
        self.ruleset = ruleset
        self.options: dict[str, OptionValue] = ruleset.settled_options(options or {})
        if not 0 <= dealer < ruleset.seats:
            raise ValueError(f"no seat {dealer} at this table")
        self.dealer = dealer
        self.totals: list[int] = [0] * ruleset.seats
        self.results: list[Result] = []
        self.hand: Hand | None = None
        self.gathered: Gathered | None = None

    @property
    def hands_played(self) -> int:
        """How many of the game's hands are over (thrown-in ones do not count)."""
        return sum(result.status != "thrown-in" for result in self.results)

    @property
    def over(self) -> bool:
        return self.hands_played >= int(self.options.get("hands", self.ruleset.seats))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the best total once the game is over; empty if all totals are equal."""
        best = max(self.totals)
        if not self.over or best == min(self.totals):
            return ()
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)

    def deal(self, pack: Sequence[Card] | None = None) -> Hand:
        """Start the next hand. Raises ValueError if a hand is open, if the game is over, or for a wrong pack."""
        if self.hand is not None and not self.hand.over:
            raise ValueError("the hand before is not finished")
        if self.over:
            raise ValueError("the game is over")
        self.hand = Hand(
            self.ruleset, self.dealer, pack, options=self.options, running=self.totals, gathered=self.gathered
        )
        return self.hand

    def push(self, action: Action) -> None:
        """Apply `action` for the player on turn; if that ends the hand, add up the scores. Raises IllegalAction."""
        hand = self.hand
        if hand is None:
            raise ValueError("no hand has been dealt")
        hand.push(action)
        if hand.result is not None:
            self._settle(hand, hand.result)

    def push_of(self, seat: int, action: Action) -> None:
        """Apply one action of a record, which may be something that `seat` says unasked (see `Hand.push_of`)."""
        if action.verb != SAY:
            self.push(action)
        elif self.hand is None:
            raise ValueError("no hand has been dealt")
        else:
            self.hand.push_of(seat, action)

    def _settle(self, hand: Hand, result: Result) -> None:
        self.results.append(result)
        self.gathered = gathered_from(hand)
        if result.status == "thrown-in":
            return
        for seat, score in enumerate(result.scores):
            self.totals[seat] += score
        self.dealer = (self.dealer + 1) % self.ruleset.seats


@dataclass(frozen=True, slots=True)
class Draw:
    """How partners were drawn: `middle` is the top card, `drawn` lists the cards in order as (person, card).

    `seats[seat]` is the person (0–3, as they came) who sits there. The person with the lowest trump deals first, at
    seat 0, with the second lowest opposite; the highest sits at seat 1 (our reading).
    """

    middle: Card
    drawn: tuple[tuple[int, Card], ...]
    seats: tuple[int, int, int, int]


def draw_partners(pack: Sequence[Card]) -> Draw:
    """Deal `pack` (top first) face up, skipping whoever has a trump, until everyone has one.

    The Fool is not a trump.
    """
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
