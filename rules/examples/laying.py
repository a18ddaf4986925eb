"""From what everybody is to hold when the play begins to the pack that deals it, and the answers on the way.

Giving out cards: every place that wants cards gets as many as it wants, of those it can take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from domain.engine import Action, Card, CardSet, Hand, Ruleset, cards_in
from domain.engine.actions import BARE
from domain.engine.cards import BIT, FIRST_TRUMP, LAST_TRUMP
from domain.engine.ruleset import OptionValue
from rules.examples.kinds import Contract

NO_TAPPIST = -1


@dataclass(frozen=True, slots=True)
class Laid:
    """A pack, before the cut, and how the questions before the play are answered so that the cards come as wanted."""

    pack: tuple[Card, ...]
    dealer: int
    options: Mapping[str, OptionValue]
    cut: int
    laid_away: tuple[Card, ...]
    tappist: int
    contract: Contract

    def answer(self, hand: Hand) -> Action:
        """What the player on turn does, in everything before the play."""
        asked = hand.asked
        if asked == "cut":
            return Action("cut", number=self.cut)
        if asked == "packets":
            return Action("packets", packets=hand.ruleset.packets[0])
        if asked == "bid":
            if hand.turn != self.tappist:
                return BARE["pass"]
            return BARE["solo" if self.contract == "solo" else "take"]
        if asked == "partner":
            own = hand.hands[hand.turn] | hand.scart
            called = next(card for card in range(LAST_TRUMP - 1, FIRST_TRUMP - 1, -1) if not own & BIT[card])
            return Action("call", (called,))
        return Action(asked, self.laid_away)


def lay(
    rules: Ruleset,
    held: Sequence[CardSet],
    aside: CardSet,
    leader: int,
    base: int,
    contract: Contract,
    chance: Random,
) -> Laid:
    """The deal in which `held[place]` are the hands when the play begins and `leader` (a place) leads first.

    `aside` are the cards laid away, in a Solo or a Misère those of the Tapp; the seat of place 0 is `base`.
    """
    seats = rules.seats
    first = (leader + base) % seats
    bids = rules.bidding is not None and contract != "misere"
    dealer = chance.randrange(seats) if bids else (first - 1) % seats
    start = [held[(seat - base) % seats] for seat in range(seats)]
    tapp: list[Card] = []
    if rules.tapp:
        tapp = list(cards_in(aside))
        if contract == "normal":
            taken_up = list(cards_in(start[first] | aside))
            chance.shuffle(taken_up)
            tapp = taken_up[: rules.tapp]
            start[first] = sum(BIT[card] for card in taken_up[rules.tapp :])
    elif rules.scart:
        start[dealer] |= aside
    chance.shuffle(tapp)
    dealt = _dealt(rules, dealer, start, tapp, chance)
    cut = len(dealt) // 2
    wished: dict[str, object] = {"hands": 1, "demands": False, "throw_in": False}
    known = {option.name for option in rules.options}
    options = rules.settled_options({name: value for name, value in wished.items() if name in known})
    return Laid(
        (*dealt[-cut:], *dealt[:-cut]),
        dealer,
        options,
        cut,
        tuple(cards_in(aside)),
        first if bids else NO_TAPPIST,
        contract,
    )


def _dealt(rules: Ruleset, dealer: int, start: Sequence[CardSet], tapp: Sequence[Card], chance: Random) -> list[Card]:
    """The cards in the order in which they are dealt (`Dealing` in `domain.engine.dealing`)."""
    waiting = []
    for cards in start:
        own = list(cards_in(cards))
        chance.shuffle(own)
        waiting.append(own)
    rounds = rules.packets[0] if rules.packets else rules.batches[max(rules.batches)]
    dealt: list[Card] = []
    for number, batch in enumerate(rounds):
        if number == rules.tapp_after:
            dealt += tapp
        for step in range(1, rules.seats + 1):
            seat = (dealer + step) % rules.seats
            last = number == len(rounds) - 1 and seat == dealer
            for _ in range(batch + (rules.dealer_extra if last else 0)):
                dealt.append(waiting[seat].pop())
    return dealt


@dataclass(slots=True, eq=False)
class Wanting:
    """A place that wants `count` cards out of `takes`; `given` are those it got."""

    count: int
    takes: CardSet
    given: list[Card] = field(default_factory=list)


def give_out(cards: Iterable[Card], places: Sequence[Wanting], chance: Random) -> bool:
    """Fill `places` with exactly `cards`, by chance; False if that cannot be. A bipartite matching by augmenting paths."""
    waiting = list(cards)
    if sum(place.count for place in places) != len(waiting):
        return False
    chance.shuffle(waiting)
    # What few can take is given out first: then hardly anything has to be taken back.
    waiting.sort(key=lambda card: sum(place.count for place in places if place.takes & BIT[card]))
    open_places = [place for place in places if place.count]
    for card in waiting:
        chance.shuffle(open_places)
        if not _place(card, open_places, set()):
            return False
    return True


def _place(card: Card, places: Sequence[Wanting], tried: set[int]) -> bool:
    """Give `card` to a place, moving others on if need be."""
    able = [place for place in places if place.takes & BIT[card] and id(place) not in tried]
    for place in able:
        if len(place.given) < place.count:
            place.given.append(card)
            return True
    for place in able:
        if id(place) in tried:
            continue
        tried.add(id(place))
        for at, other in enumerate(place.given):
            if _place(other, places, tried):
                place.given[at] = card
                return True
    return False
