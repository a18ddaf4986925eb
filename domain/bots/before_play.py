"""The worth of actions before the first card: scart, talk, bids, exchange, call of a partner.

The rest of the deal, the talk and the bids is simulated by rules of thumb for everybody; then the policy of the fast
core plays the hand.
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
from domain.bots.fast.search import POINTS_SCALE, play_all
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
"""The number of choices of cards to discard that are tried: the best by rule of thumb."""
NEW_DEAL: Final = {"troccas": 4.0, "troccas-oinkers": 6.0}
"""The worth of throwing in to the dealer's side: its average score above par in 5,000 deals played by the policy."""

Outcome = Callable[[World, Action], "State | int"]
"""From a world and an action to the state at the first lead, or to the score if nothing is played."""


def _try_out(view: View, number: int, luck: Random, actions: Sequence[Action], outcome: Outcome) -> tuple[Valued, ...]:
    """The actions by their results in at most `number` worlds, best first."""
    assert view.seat is not None
    seat = view.seat
    drawn = Worlds(view).some(number, luck)
    r = encoding.rules_for(view.ruleset, dict(view.options), view.dealer, view.face_up)
    w, work, scores = weights(), numbers(SIZE), numbers(8)

    def evaluate_in(action: int, first: int, last: int) -> list[int]:
        worths = [0] * (last - first)
        bases = table(last - first, SIZE)
        played: list[int] = []
        for index, world in enumerate(drawn[first:last]):
            state = outcome(world, actions[action])
            if isinstance(state, int):
                worths[index] = state
            else:
                bases[len(played)][:] = state
                played.append(index)
        results = numbers(last - first)
        play_all(bases, len(played), r, w, results, seat, work, scores)
        for row, index in enumerate(played):
            worths[index] = int(results[row])
        return worths

    return race(actions, len(drawn), evaluate_in, finer=view.ruleset.bidding is not None)


def value_scart(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """The choices for the scart of Troccas, and throwing in if the dealer may."""
    legal = view.legal
    assert isinstance(legal, LegalChoice)
    leader = (view.dealer + 1) % len(view.counts)
    actions = [*legal.otherwise, *(Action(legal.verb, chosen) for chosen in scarts(view)[:MOST_CHOICES])]

    def outcome(world: World, action: Action) -> State | int:
        if action.verb != legal.verb:
            return _worth_of_throwing_in(view)
        away = sum(BIT[card] for card in action.cards)
        return _first_lead(view, _without(world.hands, view.dealer, away), leader, away)

    return _try_out(view, number, luck, actions, outcome)


def _without(hands: Sequence[CardSet], seat: int, away: CardSet) -> list[CardSet]:
    return [held & ~away if at == seat else held for at, held in enumerate(hands)]


def _first_lead(view: View, hands: Sequence[CardSet], leader: int, away: CardSet) -> State:
    sides = view.ruleset.sides
    return encoding.at_first_lead(sides, hands, leader, away, sides[view.dealer])


def _worth_of_throwing_in(view: View) -> int:
    assert view.seat is not None
    score = NEW_DEAL.get(view.ruleset.id, 0.0)
    return round(POINTS_SCALE * (score if view.sides[view.seat] == view.sides[view.dealer] else -score))


# the talk


def value_talk(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """The words of the talk about throwing in. Phrases said with them make no difference here."""
    actions = list(view.legal)
    hands_by_round: dict[World, list[list[CardSet]]] = {}
    packs: dict[World, list[int]] = {}

    def outcome(world: World, action: Action) -> State | int:
        if world not in packs:
            rest = list(cards_in(world.rest))
            luck.shuffle(rest)
            packs[world] = rest
            hands_by_round[world] = _rounds(view, world, rest)
        return _after_talk(view, hands_by_round[world], action)

    return _try_out(view, number, luck, actions, outcome)


def _rounds(view: View, world: World, rest: list[int]) -> list[list[CardSet]]:
    """The hands now, and after each further round of the deal."""
    rules = view.ruleset
    batches = rules.batches[view.rounds]
    hands = [list(world.hands)]
    top = 0
    for number in range(view.dealt, len(batches)):
        after_round = hands[-1].copy()
        for seat in range(rules.seats):
            size = batches[number]
            if number == len(batches) - 1 and seat == view.dealer:
                size += rules.dealer_extra
            after_round[seat] |= sum(BIT[card] for card in rest[top : top + size])
            top += size
        hands.append(after_round)
    return hands


def _after_talk(view: View, hands: list[list[CardSet]], action: Action) -> State | int:
    """The outcome of the talk after the viewer's word, if the others speak by rule of thumb."""
    seats = len(view.counts)
    assert view.seat is not None
    rule = view.ruleset.talk
    assert rule is not None
    position = (view.seat - view.dealer - 1) % seats
    word = action.verb
    for number, held in enumerate(hands):
        last = number == len(hands) - 1
        while word not in ("veto", "go", "throw-in"):
            position = position + 1 if word != "liber" else seats - 1
            word = _word(view, held, position, last, frees=rule.third_frees_dealer, speakers=rule.speakers)
        if word == "throw-in":
            return _worth_of_throwing_in(view)
        position, word = -1, ""
    dealer = view.dealer
    away = thumb(hands[-1][dealer], view.ruleset.scart)
    return _first_lead(view, _without(hands[-1], dealer, away), (dealer + 1) % seats, away)


def _word(view: View, hands: Sequence[CardSet], position: int, last: bool, *, frees: bool, speakers: int) -> str:
    """The word of the player at a position of the talk by rule of thumb, assuming that the partner has hinted."""
    seats = len(hands)
    seat = (view.dealer + 1 + position) % seats
    value = edge(hands[seat])
    if position < speakers:
        return "veto" if value >= GOOD + (0.5 if last else 0.0) else "allow"
    partner = (seat + 2) % seats
    hint = max(-1.5, min(1.5, 0.5 * edge(hands[partner])))
    if position < seats - 1:
        if frees:
            return "veto" if value + hint >= 1.0 else "liber"
        return "veto" if value + hint >= 0 else "throw-in"
    return "throw-in" if value + hint <= BAD else "go"


# the Tapp


def value_bid(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """The bids, if the others bid after them by rule of thumb."""
    return _try_out(view, number, luck, list(view.legal), lambda world, action: _after_bids(view, world, action))


def _after_bids(view: View, world: World, action: Action) -> State | int:
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
    """The state at the first lead of a game for the Tapp.

    If a partner has to be called and `called` is not given, the Tappist calls the highest trump that he does not have.
    """
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
    """The choices of cards that the Tappist discards."""
    assert view.seat is not None
    tappist = view.seat

    def outcome(world: World, action: Action) -> State:
        away = sum(BIT[card] for card in action.cards)
        return _for_tapp(view, _without(world.hands, tappist, away), tappist, away)

    actions = [Action("discard", chosen) for chosen in exchanges(view)[:MOST_CHOICES]]
    return _try_out(view, number, luck, actions, outcome)


def value_partner(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    """The trumps that the Tappist may call: the highest five that he does not have, or one of his own to play alone."""
    assert view.seat is not None
    tappist, away = view.seat, view.scart or 0
    own = view.held | away
    highest_first = sorted(view.legal, key=lambda action: -action.cards[0])
    others = [action for action in highest_first if not own & BIT[action.cards[0]]][:5]
    alone = [action for action in highest_first if own & BIT[action.cards[0]]][:1]
    return _try_out(
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
"""The functions for the questions before the play that can be evaluated."""


_VOID: Final = (0.0, 2.0, 3.2, 4.0)  # worth of an emptied suit with 0–1, 2–3, 4–5 or more trumps to ruff with


def thumb(held: CardSet, count: int) -> CardSet:
    """A sensible discard of `count` cards from a hand, by rule of thumb; no honours unless nothing else is left."""
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
    if not best:  # almost only honours
        for card in [*easiest, *cards_in(held & HONOURS)][:count]:
            best |= 1 << card
    return best
