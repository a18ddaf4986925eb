"""What a word or a choice before the first card is worth: the deal, the talk and the bids are gone through in thought to their
end, by rules of thumb for everybody, and the hand that follows is played by the policy of the fast core.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import Final

from domain.bots.bidding import bid_of, exchanges, scarts
from domain.bots.fast import encoding
from domain.bots.fast.compiling import State, numbers, table
from domain.bots.fast.layout import CALLED, EXTRA, PARTNER, SIZE, SOLO, TAPPIST
from domain.bots.fast.policy import weights
from domain.bots.fast.search import play_all
from domain.bots.racing import Valued, race
from domain.bots.talking import BAD, GOOD, edge
from domain.bots.worlds import World, Worlds
from domain.engine.actions import Action
from domain.engine.cards import (
    BAGAT,
    BIT,
    FIRST_TRUMP,
    FOOL_BIT,
    HONOURS,
    KINGS,
    LANES,
    LAST_TRUMP,
    TRUMP_CARDS,
    CardSet,
    cards_in,
)
from domain.engine.legal import LegalChoice
from domain.engine.state import NOBODY
from domain.engine.view import View

MOST_CHOICES: Final = 14
"""Of the choices of cards to lay away, so many of the best by rule of thumb are tried."""
NEW_DEAL: Final = {"troccas": 4.0, "troccas-oinkers": 6.0}
"""What the dealer's side scores above par on the average of 5,000 new deals that the policy plays: throwing in brings it that."""

Outcome = Callable[[World, Action], "State | int"]
"""How a world goes on after an action: the state at the first lead, or the score if nothing is played."""


def _tried(view: View, number: int, luck: Random, actions: Sequence[Action], outcome: Outcome) -> tuple[Valued, ...]:
    """The actions by what they bring in so many worlds."""
    assert view.seat is not None
    seat = view.seat
    drawn = Worlds(view).some(number, luck)
    r = encoding.rules_for(view.ruleset, dict(view.options), view.dealer, view.face_up)
    w, work, scores = weights(), numbers(SIZE), numbers(8)

    def look(at: int, first: int, last: int) -> list[int]:
        found = [0] * (last - first)
        bases = table(last - first, SIZE)
        played: list[int] = []
        for place, world in enumerate(drawn[first:last]):
            state = outcome(world, actions[at])
            if isinstance(state, int):
                found[place] = state
            else:
                bases[len(played)][:] = state
                played.append(place)
        worths = numbers(last - first)
        play_all(bases, len(played), r, w, worths, seat, work, scores)
        for at_row, place in enumerate(played):
            found[place] = int(worths[at_row])
        return found

    return race(actions, len(drawn), look, finer=view.ruleset.bidding is not None)


def value_scart(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """The scart of Troccas. A dealer who may throw in weighs that against the best of them."""
    legal = view.legal
    assert isinstance(legal, LegalChoice)
    leader = (view.dealer + 1) % len(view.counts)
    actions = [*legal.otherwise, *(Action(legal.verb, chosen) for chosen in scarts(view)[:MOST_CHOICES])]

    def outcome(world: World, action: Action) -> State | int:
        if action.verb != legal.verb:
            return _thrown_in(view)
        away = sum(BIT[card] for card in action.cards)
        return _led(view, _without(world.hands, view.dealer, away), leader, away)

    return _tried(view, number, luck, actions, outcome)


def _without(hands: Sequence[CardSet], seat: int, away: CardSet) -> list[CardSet]:
    return [held & ~away if at == seat else held for at, held in enumerate(hands)]


def _led(view: View, hands: Sequence[CardSet], leader: int, away: CardSet) -> State:
    sides = view.ruleset.sides
    return encoding.at_first_lead(sides, hands, leader, away, sides[view.dealer])


def _thrown_in(view: View) -> int:
    """The worth of throwing in to the viewer."""
    assert view.seat is not None
    score = NEW_DEAL.get(view.ruleset.id, 0.0)
    return round(256 * (score if view.sides[view.seat] == view.sides[view.dealer] else -score))


# the talk


def value_talk(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """A word of the talk about throwing in. What is said with it makes no difference here."""
    actions = list(view.legal)
    dealt_further: dict[World, list[list[CardSet]]] = {}
    packs: dict[World, list[int]] = {}

    def outcome(world: World, action: Action) -> State | int:
        if world not in packs:
            rest = list(cards_in(world.rest))
            luck.shuffle(rest)
            packs[world] = rest
            dealt_further[world] = _rounds(view, world, rest)
        return _talked(view, dealt_further[world], action)

    return _tried(view, number, luck, actions, outcome)


def _rounds(view: View, world: World, rest: list[int]) -> list[list[CardSet]]:
    """The hands after each round of the deal from now on."""
    rules = view.ruleset
    batches = rules.batches[view.rounds]
    hands = [list(world.hands)]
    top = 0
    for number in range(view.dealt, len(batches)):
        further = hands[-1].copy()
        for seat in range(rules.seats):
            size = batches[number]
            if number == len(batches) - 1 and seat == view.dealer:
                size += rules.dealer_extra
            further[seat] |= sum(BIT[card] for card in rest[top : top + size])
            top += size
        hands.append(further)
    return hands


def _talked(view: View, hands: list[list[CardSet]], action: Action) -> State | int:
    """How the talk ends after the viewer's word, if the others speak by rule of thumb."""
    seats = len(view.counts)
    assert view.seat is not None
    rule = view.ruleset.talk
    assert rule is not None
    place = (view.seat - view.dealer - 1) % seats
    word = action.verb
    for number, held in enumerate(hands):
        last = number == len(hands) - 1
        while word not in ("veto", "go", "throw-in"):
            place = place + 1 if word != "liber" else seats - 1
            word = _word(view, held, place, last, frees=rule.third_frees_dealer, speakers=rule.speakers)
        if word == "throw-in":
            return _thrown_in(view)
        place, word = -1, ""
    dealer = view.dealer
    away = thumb(hands[-1][dealer], view.ruleset.scart)
    return _led(view, _without(hands[-1], dealer, away), (dealer + 1) % seats, away)


def _word(view: View, hands: Sequence[CardSet], place: int, last: bool, *, frees: bool, speakers: int) -> str:
    """What the player at a place of the talk says by rule of thumb; the partner's words tell about his hand."""
    seats = len(hands)
    seat = (view.dealer + 1 + place) % seats
    value = edge(hands[seat])
    if place < speakers:
        return "veto" if value >= GOOD + (0.5 if last else 0.0) else "allow"
    partner = (seat + 2) % seats
    told = max(-1.5, min(1.5, 0.5 * edge(hands[partner])))
    if place < seats - 1:
        if frees:
            return "veto" if value + told >= 1.0 else "liber"
        return "veto" if value + told >= 0 else "throw-in"
    return "throw-in" if value + told <= BAD else "go"


# the Tapp


def value_bid(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """A bid: the others bid after it by rule of thumb."""
    return _tried(view, number, luck, list(view.legal), lambda world, action: _bidden(view, world, action))


def _bidden(view: View, world: World, action: Action) -> State | int:
    seats = len(view.counts)
    rules = view.ruleset
    rule = rules.bidding
    assert rule is not None
    assert view.seat is not None
    tappist, seat, verb = view.tappist, view.seat, action.verb
    while True:
        if verb != "pass":
            tappist = seat
        if verb == "solo" or seat == view.dealer:
            break
        seat = (seat + 1) % seats
        verb = bid_of(world.hands[seat], seats, rules.tapp, taken=tappist != NOBODY)
    if verb == "solo":
        return _for_tapp(view, world.hands, tappist, world.rest, solo=True)
    if tappist == NOBODY and seats >= rule.forced_from:
        for card in (FOOL_BIT, BIT[BAGAT]):
            for other, held in enumerate(world.hands):
                if held & card and tappist == NOBODY:
                    tappist = other
    if tappist != NOBODY:
        hands = list(world.hands)
        hands[tappist] |= world.rest
        away = thumb(hands[tappist], rules.tapp)
        return _for_tapp(view, _without(hands, tappist, away), tappist, away)
    if rule.if_none_takes != "misere":
        return 0
    return encoding.at_first_lead(range(seats), world.hands, (view.dealer + 1) % seats, 0, -1)


def _for_tapp(
    view: View, hands: Sequence[CardSet], tappist: int, away: CardSet, *, solo: bool = False, called: int = NOBODY
) -> State:
    """The first lead of a game for the Tapp. Where a partner is called and none is named, it is the highest trump."""
    seats = len(hands)
    rule = view.ruleset.bidding
    assert rule is not None
    partner = NOBODY
    if not solo and seats >= rule.partner_from:
        if called == NOBODY:
            own = hands[tappist] | away
            called = next(card for card in range(LAST_TRUMP - 1, FIRST_TRUMP - 1, -1) if not own & BIT[card])
        partner = next((seat for seat, held in enumerate(hands) if held & BIT[called] and seat != tappist), NOBODY)
    sides = [int(seat not in (tappist, partner)) for seat in range(seats)]
    s = encoding.at_first_lead(sides, hands, tappist, away, 0)
    s[TAPPIST], s[PARTNER], s[CALLED], s[SOLO] = tappist, partner, called, int(solo)
    return s


def value_discard(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """What the Tappist lays away."""
    assert view.seat is not None
    tappist = view.seat

    def outcome(world: World, action: Action) -> State:
        away = sum(BIT[card] for card in action.cards)
        return _for_tapp(view, _without(world.hands, tappist, away), tappist, away)

    actions = [Action("discard", chosen) for chosen in exchanges(view)[:MOST_CHOICES]]
    return _tried(view, number, luck, actions, outcome)


def value_partner(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """Which trump the Tappist calls: one of the highest that he has not, or one of his own to play alone."""
    assert view.seat is not None
    tappist, away = view.seat, view.scart or 0
    own = view.held | away
    ready = sorted(view.legal, key=lambda action: -action.cards[0])
    others = [action for action in ready if not own & BIT[action.cards[0]]][:5]
    alone = [action for action in ready if own & BIT[action.cards[0]]][:1]
    return _tried(
        view, number, luck, [*others, *alone],
        lambda world, action: _for_tapp(view, world.hands, tappist, away, called=action.cards[0]),
    )  # fmt: skip


BEFORE_PLAY: Final = {
    "scart": value_scart,
    "talk": value_talk,
    "free": value_talk,
    "decide": value_talk,
    "demand": value_talk,
    "bid": value_bid,
    "discard": value_discard,
    "partner": value_partner,
}
"""The questions before the play that are valued, by their kind."""


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
