"""Find a whole deal, and the play so far, in which a given position occurs.

Cards that the example does not name are distributed at random, by a seed that depends only on the example, so that its
position is always the same. In earlier tricks, players follow suit as far as the cards allow; the engine then replays
everything, and only what it accepts is a position. The search is bounded: after `ATTEMPTS` it gives up.

A trick in which everybody follows suit is legal whatever else they hold. A player who does not follow cannot have that
suit, and perhaps trumps, from then on; so the earlier tricks are constructed backwards from the position, whose hands
are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from django.utils.translation import gettext as _

from domain.engine import CODES, Action, Card, CardSet, Hand, IllegalAction, Ruleset, cards_in, set_of
from domain.engine.actions import BARE
from domain.engine.cards import (
    BIT,
    FIRST_TRUMP,
    FOOL,
    FOOL_BIT,
    FULL_PACK,
    HONOURS,
    LANE_OF,
    LANES,
    LAST_TRUMP,
    SUIT_CARDS,
    TRUMPS,
)
from domain.engine.ruleset import OptionValue
from domain.engine.tricks import TrumpsFirst
from rules.examples.reading import BadExample, Contract, Put, hand_size
from rules.text import names

NO_TAPPIST = -1


@dataclass(frozen=True, slots=True)
class ComposedDeal:
    """A pack before the cut, and the decisions before the play that make the cards come as required."""

    pack: tuple[Card, ...]
    dealer: int
    options: Mapping[str, OptionValue]
    cut: int
    laid_away: tuple[Card, ...]
    tappist: int
    contract: Contract

    def answer(self, hand: Hand) -> Action:
        """The action of the player on turn, for all decisions before the play."""
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


def deal_for(
    rules: Ruleset,
    held: Sequence[CardSet],
    aside: CardSet,
    leader: int,
    base: int,
    contract: Contract,
    chance: Random,
    *,
    dealer: int | None = None,
) -> ComposedDeal:
    """The deal in which `held[place]` are the hands when the play begins and `leader` (a place) leads first.

    `aside` are the discarded cards, or those of the Tapp in a Solo or a Misere; the seat of place 0 is `base`. The
    dealer is chosen at random, or follows from the leader, unless `dealer` (a seat) is given.
    """
    seats = rules.seats
    first = (leader + base) % seats
    bids = rules.bidding is not None and contract != "misere"
    if dealer is None:
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
    option_names = {option.name for option in rules.options}
    options = rules.settled_options({name: value for name, value in wished.items() if name in option_names})
    return ComposedDeal(
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
            for _card in range(batch + (rules.dealer_extra if last else 0)):
                dealt.append(waiting[seat].pop())
    return dealt


@dataclass(slots=True, eq=False)
class Wanting:
    """A place that needs `count` cards out of `takes`; `given` are those it got."""

    count: int
    takes: CardSet
    given: list[Card] = field(default_factory=list)


def aside_wanting(count: int, *, laid_by_a_player: bool) -> Wanting:
    """The place for `count` more cards aside: no honours among them if a player lays them there."""
    return Wanting(count, FULL_PACK & ~HONOURS if laid_by_a_player else FULL_PACK)


def distribute(cards: Iterable[Card], places: Sequence[Wanting], chance: Random) -> bool:
    """Fill `places` with exactly `cards`, at random. Returns whether that is possible.

    This is a bipartite matching by augmenting paths.
    """
    waiting = list(cards)
    if sum(place.count for place in places) != len(waiting):
        return False
    chance.shuffle(waiting)
    # Cards that few places can take come first, so that few have to be moved later.
    waiting.sort(key=lambda card: sum(place.count for place in places if place.takes & BIT[card]))
    open_places = [place for place in places if place.count]
    for card in waiting:
        chance.shuffle(open_places)
        if not _place(card, open_places, set()):
            return False
    return True


def _place(card: Card, places: Sequence[Wanting], tried: set[int]) -> bool:
    """Give `card` to a place, moving other cards if necessary. Returns whether that is possible."""
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


@dataclass(slots=True)
class PastTrick:
    """One earlier trick: `slots[place]` is for the card of that place; `winner` takes it, `leader` led it."""

    lane: int
    leader: int
    winner: int
    slots: list[Wanting]

    def settle(self) -> None:
        """Exchange cards of the same suit so that the winner wins."""
        decisive = [slot for slot in self.slots if LANE_OF[slot.given[0]] == TRUMPS]
        if self.lane != TRUMPS and not decisive:
            decisive = [slot for slot in self.slots if LANE_OF[slot.given[0]] == self.lane]
        best = max(decisive, key=lambda slot: slot.given[0])
        own = self.slots[self.winner]
        if own.given[0] in (slot.given[0] for slot in decisive):
            own.given, best.given = best.given, own.given


class Past:
    """Random patterns for the tricks before a position, the latest first, and the cards that they exclude afterwards.

    `known[place]` are the cards that a place is known to hold at the position, `bans[place]` those it cannot hold then.
    """

    def __init__(self, requirements: Requirements, bans: Sequence[CardSet], chance: Random) -> None:
        self.length = requirements.before
        self.known = requirements.known
        self.bans = list(bans)
        self.high_fool = requirements.rules.bidding is not None
        self.chance = chance
        self.tricks: list[PastTrick] = []  # the latest first
        self.winner = 0  # who must win the next one that is added

    @property
    def left(self) -> int:
        """The number of tricks still to be added."""
        return self.length - len(self.tricks)

    @property
    def slots(self) -> list[Wanting]:
        return [slot for trick in self.tricks for slot in trick.slots]

    def add_followed_trick(self, lane: int) -> None:
        """Add a trick to which everybody follows."""
        seats = len(self.known)
        self._add(lane, [Wanting(1, LANES[lane]) for _ in range(seats)], self.chance.randrange(seats))

    def add_fool_trick(self, lane: int) -> None:
        """Add a trick to which somebody plays the Fool: its winner where the Fool is high, else somebody else."""
        seats = len(self.known)
        slots = [Wanting(1, LANES[lane]) for _ in range(seats)]
        others = [place for place in range(seats) if place != self.winner]
        player = self.winner if self.high_fool else self.chance.choice(others)
        slots[player] = Wanting(1, FOOL_BIT)
        leader = self.chance.choice([place for place in range(seats) if place != player])
        self._add(lane, slots, leader)

    def add_unfollowed_trick(self, lane: int, *, thrown: Card | None = None, thrower: int | None = None) -> bool:
        """Add a trick in which somebody does not follow. Returns whether that is possible.

        `thrower`, if given, throws off the card `thrown` (None: any).
        """
        seats = len(self.known)
        slots = [Wanting(1, LANES[lane]) for _ in range(seats)]
        banned = [0] * seats
        can_trump = [place for place in range(seats) if lane != TRUMPS and not self.known[place] & LANES[lane]]
        can_throw = [place for place in range(seats) if self._can_throw(place, lane)]
        if thrower is not None and thrower not in can_throw and not self._withholds(thrower, lane):
            return False
        free = [place for place in range(seats) if place != thrower]
        trumping = [place for place in free if place in can_trump and self.chance.random() < 0.3]
        if trumping and self.winner not in trumping:
            trumping = [self.winner] if self.winner in can_trump and self.winner != thrower else []
        throwing = [place for place in free if place in can_throw and place not in trumping and place != self.winner]
        throwing = [place for place in throwing if self.chance.random() < 0.4]
        if self.winner == thrower:
            return False
        if thrower is not None:
            throwing.append(thrower)
        if not trumping and not throwing:
            return False
        following = [place for place in range(seats) if place not in trumping and place not in throwing]
        if not following:
            return False
        for place in trumping:
            slots[place].takes = LANES[TRUMPS]
            banned[place] = LANES[lane]
        for place in throwing:
            slots[place].takes = SUIT_CARDS & ~LANES[lane]
            banned[place] = LANES[lane] | LANES[TRUMPS]
            if self.high_fool and place != thrower:
                banned[place] |= FOOL_BIT
        if thrower is not None and thrown is not None:
            slots[thrower].takes = BIT[thrown]
        self._add(lane, slots, self.chance.choice(following), banned)
        return True

    def _can_throw(self, place: int, lane: int) -> bool:
        held = LANES[lane] | LANES[TRUMPS] | (FOOL_BIT if self.high_fool else 0)
        return not self.known[place] & held

    def _withholds(self, place: int, lane: int) -> bool:
        """Whether the Fool may be the only trump of a place, which withholds it by throwing off another card."""
        return self.high_fool and not self.known[place] & (LANES[lane] | LANES[TRUMPS])

    def _add(self, lane: int, slots: list[Wanting], leader: int, banned: Sequence[CardSet] = ()) -> None:
        for place, ban in enumerate(banned):
            self.bans[place] |= ban
            for trick in self.tricks:
                trick.slots[place].takes &= ~ban
        self.tricks.append(PastTrick(lane, leader, self.winner, slots))
        self.winner = leader


ALL_LANES: Final = (0, 1, 2, 3, TRUMPS)
ATTEMPTS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """The requirements for a position. Places count from the leader of the trick.

    `known[place]` are cards that a place holds when the trick begins. `whole` is the place whose hand is known
    completely (None: nobody's). The suits `led` have been led before, those of `fresh` have not. `gone` was thrown off
    earlier; `aside` is among the discarded cards.
    """

    rules: Ruleset
    before: int  # tricks played before
    puts: tuple[Put, ...]
    known: tuple[CardSet, ...]
    whole: int | None = None
    led: frozenset[int] = frozenset()
    fresh: frozenset[int] = frozenset()
    gone: Card | None = None
    aside: CardSet = 0
    contract: Contract = ""
    withheld: bool = False

    @property
    def lanes(self) -> list[int]:
        """The suits that may have been led before."""
        return [lane for lane in ALL_LANES if lane not in self.fresh]

    @property
    def other_cards(self) -> CardSet:
        """The cards that may be anywhere."""
        cards = self.rules.pack & ~self.aside
        for known in self.known:
            cards &= ~known
        return cards


@dataclass(frozen=True, slots=True)
class Composed:
    """A position at the beginning of its trick: the deal, everything done so far (seat, text), and the engine's hand."""

    deal: ComposedDeal
    actions: tuple[tuple[int, str], ...]
    hand: Hand
    base: int  # the seat of place 0


def compose(requirements: Requirements, seed: str, attempts: int = ATTEMPTS) -> Composed | None:
    """A position that meets the requirements, the same for the same seed; None if none was found.

    Raises BadExample if a player is said to hold a card that they would have had to play.
    """
    chance = Random(seed)
    bans = _bans(requirements)
    _check_known(requirements, bans)
    for attempt in range(attempts):
        composed = _attempt(requirements, bans, chance, attempt)
        if composed is not None:
            return composed
    return None


def lane_asked(rules: Ruleset, puts: tuple[Put, ...]) -> int:
    """The suit to follow after the first cards of a trick (4: trumps), -1 if there is none yet."""
    for put in puts:
        if put[0] != FOOL:
            return LANE_OF[put[0]]
        if rules.bidding is not None or isinstance(rules.play, TrumpsFirst):
            return TRUMPS
    return -1


def _bans(requirements: Requirements) -> list[CardSet]:
    """The cards that each place cannot hold, because it would have had to play them instead."""
    rules, puts = requirements.rules, requirements.puts
    bans = [0] * rules.seats
    high_fool = rules.bidding is not None
    for place, put in enumerate(puts):
        card = put[0]
        lane = lane_asked(rules, puts[:place])
        if lane < 0:
            if place == 0 and isinstance(rules.play, TrumpsFirst) and not requirements.before and card < FIRST_TRUMP:
                bans[place] = LANES[TRUMPS]
        elif card == FOOL:
            bans[place] = LANES[lane] if high_fool and lane != TRUMPS else 0
        elif LANE_OF[card] != lane:
            bans[place] = LANES[lane]
            if LANE_OF[card] != TRUMPS:
                bans[place] |= LANES[TRUMPS] | (FOOL_BIT if high_fool else 0)
    return bans


def _check_known(requirements: Requirements, bans: Sequence[CardSet]) -> None:
    for place, ban in enumerate(bans):
        against = requirements.known[place] & ban
        if against:
            raise BadExample(
                _("player %(number)d would hold %(held)s and could not play %(played)s.")
                % {
                    "number": place + 1,
                    "held": names.card_object(CODES[next(cards_in(against))]),
                    "played": names.card_object(CODES[requirements.puts[place][0]]),
                },
                "trick",
            )


def _attempt(requirements: Requirements, bans: Sequence[CardSet], chance: Random, attempt: int) -> Composed | None:
    """One try to meet the requirements; None if it fails."""
    rules = requirements.rules
    past = Past(requirements, bans, chance)
    if not _add_tricks(requirements, past, attempt):
        return None
    hands = [_hand(requirements, past, place) for place in range(rules.seats)]
    laid_away = rules.scart or rules.tapp
    laid_by_a_player = not rules.tapp or requirements.contract == "normal"
    aside = aside_wanting(laid_away - requirements.aside.bit_count(), laid_by_a_player=laid_by_a_player)
    if not distribute(cards_in(requirements.other_cards), [*hands, aside, *past.slots], chance):
        return None
    for trick in past.tricks:
        trick.settle()
    tricks = list(reversed(past.tricks))
    held = [requirements.known[place] | set_of(hands[place].given) for place in range(rules.seats)]
    for trick in tricks:
        for place, slot in enumerate(trick.slots):
            held[place] |= BIT[slot.given[0]]
    leader = tricks[0].leader if tricks else 0
    base = -requirements.whole % rules.seats if requirements.whole is not None else 0
    deal = deal_for(rules, held, requirements.aside | set_of(aside.given), leader, base, requirements.contract, chance)
    return _played(requirements, deal, tricks, base)


def _hand(requirements: Requirements, past: Past, place: int) -> Wanting:
    size = hand_size(requirements.rules) - requirements.before
    open_cards = 0 if place == requirements.whole else size - requirements.known[place].bit_count()
    return Wanting(max(open_cards, 0), FULL_PACK & ~past.bans[place])


def _add_tricks(requirements: Requirements, past: Past, attempt: int) -> bool:
    """Add patterns for all tricks before the position. Returns whether this attempt succeeded."""
    if not (_add_withheld_fool(requirements, past) and _add_gone_card(requirements, past)):
        return False
    _add_fool(requirements, past)
    # The rest of each suit must be in the hands; if these are small, not everybody can have followed suit.
    for _step in range(min(past.left, attempt * 6 // ATTEMPTS)):
        past.add_unfollowed_trick(past.chance.choice(requirements.lanes))
    lanes = _lanes_to_follow(requirements, past)
    if lanes is None:
        return False
    for lane in lanes:
        past.add_followed_trick(lane)
    return True


def _add_withheld_fool(requirements: Requirements, past: Past) -> bool:
    """Add the trick in which the Fool was withheld, if it was, and those after it. Returns whether that is possible."""
    if not requirements.withheld:
        return True
    lanes, player = requirements.lanes, requirements.whole
    assert player is not None
    while past.left and past.winner == player:  # throwing off does not win: the player won a later trick
        past.add_followed_trick(past.chance.choice(lanes))
    return past.left > 0 and past.add_unfollowed_trick(past.chance.choice(lanes), thrower=player)


def _add_gone_card(requirements: Requirements, past: Past) -> bool:
    """Add the trick in which the card `gone` was thrown off, if there is one. Returns whether that is possible."""
    gone = requirements.gone
    if gone is None:
        return True
    lanes = [lane for lane in requirements.lanes if lane != LANE_OF[gone]]
    thrower = past.chance.randrange(requirements.rules.seats)
    return past.left > 0 and past.add_unfollowed_trick(past.chance.choice(lanes), thrown=gone, thrower=thrower)


def _add_fool(requirements: Requirements, past: Past) -> None:
    """Add a trick with the Fool, if it may be anywhere: sometimes, but always if the hands have no room for it."""
    size = hand_size(requirements.rules) - requirements.before
    room = sum(size - known.bit_count() for known in requirements.known)
    if requirements.other_cards & FOOL_BIT and past.left and (not room or past.chance.random() < 0.2):
        past.add_fool_trick(TRUMPS if past.high_fool else past.chance.choice(requirements.lanes))


def _lanes_to_follow(requirements: Requirements, past: Past) -> list[int] | None:
    """The suits of the tricks left, in which everybody follows, the latest first; None if there are too few cards."""
    seats, left, chance = requirements.rules.seats, past.left, past.chance
    lanes = sorted(requirements.led)
    trumps_first = isinstance(requirements.rules.play, TrumpsFirst) and left > 0
    if trumps_first:
        lanes.append(TRUMPS)
    if len(lanes) > left:
        return None
    counts = _card_counts(requirements, past)
    for lane in lanes:
        counts[lane] -= seats
    while len(lanes) < left:
        long_lanes = [lane for lane, count in counts.items() if count >= seats]
        if not long_lanes:
            return None
        lane = chance.choices(long_lanes, [counts[lane] for lane in long_lanes])[0]
        counts[lane] -= seats
        lanes.append(lane)
    chance.shuffle(lanes)
    if trumps_first:
        lanes.append(lanes.pop(lanes.index(TRUMPS)))  # the last pattern is the first trick
    return lanes


def _card_counts(requirements: Requirements, past: Past) -> dict[int, int]:
    """The number of cards that each suit has for further tricks."""
    counts = {lane: (requirements.other_cards & LANES[lane]).bit_count() for lane in requirements.lanes}
    for slot in past.slots:
        for lane in counts:
            if slot.takes and not slot.takes & ~LANES[lane]:
                counts[lane] -= 1
    return counts


def _played(requirements: Requirements, deal: ComposedDeal, tricks: list[PastTrick], base: int) -> Composed | None:
    """The deal played by the engine up to the beginning of the trick; None if the engine refuses something."""
    rules = requirements.rules
    hand = Hand(rules, deal.dealer, deal.pack, options=deal.options)
    actions: list[tuple[int, str]] = []
    try:
        for action in _actions(hand, deal, tricks, base):
            actions.append((hand.turn, str(action)))
            hand.push(action)
    except IllegalAction:
        return None
    fits = hand.asked == "play" and not hand.trick and hand.turn == base and len(hand.tricks) == requirements.before
    if not fits or (requirements.withheld and not hand.fool_withheld):
        return None
    return Composed(deal, tuple(actions), hand, base)


def _actions(hand: Hand, deal: ComposedDeal, tricks: list[PastTrick], base: int) -> Iterator[Action]:
    """The next actions, until all tricks are gathered; `hand` must be advanced by each."""
    while not (hand.asked == "play" and len(hand.tricks) == len(tricks)):
        if hand.over:
            return
        if hand.asked == "play":
            place = (hand.turn - base) % hand.seats
            yield Action("play", (tricks[len(hand.tricks)].slots[place].given[0],))
        elif hand.asked == "call":
            yield Action("quiet")
        else:
            yield deal.answer(hand)
