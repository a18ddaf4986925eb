"""Counting the cards of a side, turning points into scores, and statistics of each seat in a finished hand.

`tallies` contains only what everybody at the table has seen when the hand ends (scores, the cards of tricks, the
calls), so it may be shown while the game goes on. It does not show where a card was that nobody played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from domain.engine.cards import BAGAT, BIT, FOOL, HONOURS, KING, LANE_SIZE, Card, CardSet, values
from domain.engine.hand import Hand
from domain.engine.state import NOBODY


@dataclass(frozen=True, slots=True)
class GroupsOf:
    """Values in groups of `size` cards, minus `less` points for each full group and `rest_less` for an incomplete one.

    pagat, "Scoring": groups of four less three, the two cards left over less one; both sides together 72.
    """

    size: int
    less: int
    rest_less: int = 0

    def points(self, hand: Hand) -> tuple[int, ...]:
        return tuple(self.worth(cards) for cards in hand.side_cards)

    def total(self, pack: CardSet, scart: int) -> int:
        return self.worth(pack)

    def worth(self, cards: CardSet, laid_away: CardSet = 0) -> int:
        full, rest = divmod(cards.bit_count(), self.size)
        return values(cards) - self.less * full - (self.rest_less if rest else 0)


@dataclass(frozen=True, slots=True)
class Singly:
    """The plain sum of the values; each discarded card counts `scart_less` less."""

    scart_less: int = 0

    def points(self, hand: Hand) -> tuple[int, ...]:
        return tuple(self.worth(cards, hand.scart) for cards in hand.side_cards)

    def worth(self, cards: CardSet, laid_away: CardSet = 0) -> int:
        return values(cards) - self.scart_less * (cards & laid_away).bit_count()

    def total(self, pack: CardSet, scart: int) -> int:
        return values(pack) - self.scart_less * scart


@dataclass(frozen=True, slots=True)
class ScartOfDealer:
    """The scart counts for the dealer's side, unless all tricks go to one side and `sweeper_takes_it`."""

    sweeper_takes_it: bool

    def award(self, hand: Hand) -> None:
        side = hand.sides[hand.dealer]
        if self.sweeper_takes_it and len(hand.tricks) in hand.side_tricks:
            side = hand.side_tricks.index(len(hand.tricks))
        hand.side_cards[side] |= hand.scart


@dataclass(frozen=True, slots=True)
class CardPoints:
    """Each player scores the points of his side."""

    def scores(self, hand: Hand, points: Sequence[int]) -> tuple[int, ...]:
        return tuple(points[side] for side in hand.sides)


@dataclass(frozen=True, slots=True)
class DifferenceToPar:
    """Each player scores the points of his side minus par."""

    par: int
    dealer_par: int | None = None

    def scores(self, hand: Hand, points: Sequence[int]) -> tuple[int, ...]:
        dealer_par = self.par if self.dealer_par is None else self.dealer_par
        dealers_side = hand.sides[hand.dealer]
        return tuple(points[side] - (dealer_par if side == dealers_side else self.par) for side in hand.sides)


Fate: TypeAlias = Literal["", "saved", "lost"]
"""Whether a card ended with the side of its player (`saved`) or not (`lost`); empty if the seat did not play it."""
Role: TypeAlias = Literal["", "tappist", "soloist", "partner", "against", "misere"]
"""The part that a seat had in a game with bidding; empty in other games."""

_CALLS: Final = ("buob", "buob-sche")


@dataclass(frozen=True, slots=True)
class SeatTally:
    """One seat in one hand that was played.

    `points` are the card points of its side, whose number is `party`. `outcome` is 1 if the seat scored more than the
    average of the table, -1 if less. `tricks` counts those that it took itself, `honours` the kings, the bagat and the
    XXI in them. `calls` counts its calls for a jack (or cavalier) or a partner, `calls_met` those for which the card
    came. `jacks_called` counts how often it had to give its jack to another seat's call.
    """

    party: int
    dealer: bool
    role: Role
    score: int
    points: int
    outcome: int
    tricks: int
    honours: int
    calls: int
    calls_met: int
    jacks_called: int
    fool: Fate
    bagat: Fate


def tallies(hand: Hand) -> tuple[SeatTally, ...]:
    """One tally for each seat of `hand`; empty if the hand is not over, was thrown in or passed."""
    result = hand.result
    if result is None or result.status != "played":
        return ()
    seats = range(hand.seats)
    total = sum(result.scores)
    calls = list(_calls_in(hand))
    seat_tallies = []
    for seat in seats:
        party = next(number for number, members in enumerate(result.parties) if seat in members)
        own = [trick for trick in hand.tricks if trick.winner == seat]
        above = result.scores[seat] * hand.seats - total
        seat_tallies.append(
            SeatTally(
                party=party,
                dealer=seat == hand.dealer,
                role=_role(hand, seat),
                score=result.scores[seat],
                points=result.points[party],
                outcome=(above > 0) - (above < 0),
                tricks=len(own),
                honours=sum(bool(HONOURS & BIT[card]) and card != FOOL for trick in own for card in trick.cards),
                calls=sum(caller == seat for caller, _giver, _met in calls),
                calls_met=sum(caller == seat and met for caller, _giver, met in calls),
                jacks_called=sum(giver == seat != caller for caller, giver, _met in calls),
                fool=_fate(hand, seat, FOOL),
                bagat=_fate(hand, seat, BAGAT),
            )
        )
    return tuple(seat_tallies)


def _calls_in(hand: Hand) -> Iterator[tuple[int, int, bool]]:
    """Each call of the hand: the caller, the seat that gave the card (NOBODY if it did not come), whether it came."""
    plays = 0
    for seat, action in hand.history:
        plays += action.verb == "play"
        if action.verb == "call":
            yield seat, NOBODY, hand.partner != NOBODY
        elif action.verb in _CALLS or action.signal == "buob":
            # Everybody plays once to a trick; king and jack together are one play.
            trick = hand.tricks[(plays - 1) // hand.seats]
            rule = hand.ruleset.call
            assert rule is not None
            jack = trick.lane * LANE_SIZE + KING - rule.below_king
            giver = trick.seats[trick.cards.index(jack)] if jack in trick.cards else NOBODY
            yield seat, giver, giver != NOBODY


def _role(hand: Hand, seat: int) -> Role:
    if hand.ruleset.bidding is None:
        return ""
    if hand.tappist == NOBODY:
        return "misere"
    if seat == hand.tappist:
        return "soloist" if hand.contract == "solo" else "tappist"
    return "partner" if seat == hand.partner else "against"


def _fate(hand: Hand, seat: int, card: Card) -> Fate:
    """Whether the card was saved or lost, if `seat` played it."""
    for trick in hand.tricks:
        if card in trick.cards and trick.seats[trick.cards.index(card)] == seat:
            return "saved" if hand.side_cards[hand.sides[seat]] & BIT[card] else "lost"
    return ""
