"""Translating a view and a possible world into a state of the fast core, and actions in both directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from domain.bots.common import plain_trick, scale
from domain.bots.fast.compiling import State, numbers
from domain.bots.fast.layout import (
    ALONE,
    ANSWER,
    ASKED,
    AWAY_LESS,
    AWAY_SUITS,
    AWAY_TO,
    AWAY_TRUMPS,
    BEST,
    BEST_AT,
    BUOB,
    BUOB_SCHE,
    CALL,
    CALLED,
    CALLER,
    CALLS,
    CAPTURED_LAST,
    CARD_POINTS,
    DEALER,
    DEALER_PAR,
    DOUBLE_AT,
    EARLY_CALL,
    EXEMPTING,
    FEWEST,
    FIRST,
    FOOL_MASK,
    GIVE,
    GROUP,
    GROUP_LESS,
    HELD_SUITS,
    HELD_TRUMPS,
    HIGH_FOOL,
    KEEP,
    KING_CALLS,
    LANE,
    LEADER,
    LED,
    LYING,
    NEVER_LOST,
    OUT_SUITS,
    OUT_TRUMPS,
    OWED_BY,
    OWED_TO,
    PACK_SUITS,
    PACK_TRUMPS,
    PAIR,
    PAIR_AT,
    PAIRS,
    PAR,
    PARTNER,
    PLAIN,
    PLAY,
    QUIET,
    REST_LESS,
    RULES,
    SCALE,
    SEATS,
    SETTLES,
    SHOWN_SUITS,
    SHOWN_TRUMPS,
    SIDE,
    SIZE,
    SOLO,
    STAKE,
    STAKES,
    SWEEPER,
    TAKE,
    TAKE_CARD,
    TAKES_ANY,
    TAPPIST,
    TO_PAR,
    TRICK,
    TRICKS,
    TRUMPS_FIRST,
    TURN,
    VOIDS,
    WITHHELD,
    WON_SUITS,
    WON_TRICKS,
    WON_TRUMPS,
)
from domain.bots.fast.play import pay_low
from domain.bots.knowledge import Knowledge, know
from domain.bots.worlds import World
from domain.engine.actions import Action
from domain.engine.cards import (
    BIT,
    FIRST_TRUMP,
    FOOL,
    FOOL_BIT,
    HONOURS,
    LANE_OF,
    SUIT_CARDS,
    Card,
    CardSet,
)
from domain.engine.counting import DifferenceToPar, GroupsOf, ScartOfDealer, Singly
from domain.engine.fool import Excuse, HighFool
from domain.engine.jack import EarlyCall
from domain.engine.ruleset import OptionValue, Ruleset
from domain.engine.state import NOBODY
from domain.engine.tapp import Stakes
from domain.engine.tricks import TrumpsFirst
from domain.engine.view import UNKNOWN, View

_QUESTIONS: Final = {"play": PLAY, "call": CALL, "fool": ANSWER, "take": TAKE}
_NUMBERS: Final = {"quiet": QUIET, "buob": BUOB, "buob-sche": BUOB_SCHE, "give": GIVE, "keep": KEEP}


def rules_for(
    rules: Ruleset, options: Mapping[str, OptionValue], dealer: int, face_up: Sequence[Card | None] = ()
) -> State:
    """The rules for the fast core: a ruleset with a table's options, the dealer, and the cards dealt face up."""
    r = numbers(RULES)
    r[SEATS] = rules.seats
    r[HIGH_FOOL] = isinstance(rules.play, HighFool)
    r[TRUMPS_FIRST] = isinstance(rules.play, TrumpsFirst)
    r[EARLY_CALL] = isinstance(rules.play, EarlyCall)
    if rules.call is not None:
        r[CALLS] = rules.call.below_king
        r[EXEMPTING] = rules.call.exempting
    if rules.pair is not None and rules.after_trick and not r[HIGH_FOOL]:
        r[PAIRS] = rules.pair.below_king
        r[TAKES_ANY] = rules.pair.takes_back == "any"
    if isinstance(rules.fool, Excuse):
        r[NEVER_LOST] = rules.fool.never_lost
        r[CAPTURED_LAST] = rules.fool.captured_last
    r[SWEEPER] = isinstance(rules.laid_away, ScartOfDealer) and rules.laid_away.sweeper_takes_it
    if isinstance(rules.count, GroupsOf):
        r[GROUP], r[GROUP_LESS], r[REST_LESS] = rules.count.size, rules.count.less, rules.count.rest_less
    elif isinstance(rules.count, Singly):
        r[AWAY_LESS] = rules.count.scart_less
    r[SETTLES] = CARD_POINTS
    if isinstance(rules.settlement, DifferenceToPar):
        par = rules.settlement.par
        r[SETTLES], r[PAR] = TO_PAR, par
        r[DEALER_PAR] = par if rules.settlement.dealer_par is None else rules.settlement.dealer_par
    elif isinstance(rules.settlement, Stakes):
        r[SETTLES] = STAKES
        r[STAKE], r[DOUBLE_AT] = int(options["stake"]), int(options["double_at"])
        r[FEWEST] = rules.settlement.fewest_win
    r[DEALER] = dealer
    r[PACK_SUITS], r[PACK_TRUMPS] = words_of(rules.pack)
    for seat, card in enumerate(face_up):
        if card is not None and (seat != dealer or HONOURS & BIT[card]):
            r[SHOWN_SUITS + seat], r[SHOWN_TRUMPS + seat] = words_of(BIT[card])
    r[PLAIN] = round(100 * plain_trick(rules))
    r[SCALE] = round(100 * scale(rules))
    r[ALONE] = rules.bidding is None and len(set(rules.sides)) == rules.seats
    return r


def words_of(cards: CardSet) -> tuple[int, int]:
    """The two words of a set of cards."""
    return cards & SUIT_CARDS, cards >> FIRST_TRUMP


def empty_state() -> State:
    """A state in which nothing has happened and nobody holds a card."""
    s = numbers(SIZE)
    s[LANE] = s[PAIR_AT] = s[CALLER] = s[BEST] = s[OWED_BY] = s[OWED_TO] = s[AWAY_TO] = -1
    s[TAPPIST] = s[PARTNER] = s[CALLED] = -1
    return s


def hold(s: State, seat: int, cards: CardSet) -> None:
    """Set the cards of `seat`."""
    s[HELD_SUITS + seat], s[HELD_TRUMPS + seat] = words_of(cards)


def lay_away(s: State, cards: CardSet, side: int) -> None:
    """Set the cards that nobody plays, and the side for which they count (-1: none)."""
    s[AWAY_SUITS], s[AWAY_TRUMPS] = words_of(cards)
    s[AWAY_TO] = side


def at_first_lead(sides: Sequence[int], hands: Sequence[CardSet], leader: int, away: CardSet, away_to: int) -> State:
    """The state in which `leader` leads to the first trick."""
    s = empty_state()
    for seat, side in enumerate(sides):
        s[SIDE + seat] = side
        hold(s, seat, hands[seat])
    s[TURN] = s[LEADER] = leader
    lay_away(s, away, away_to)
    return s


def base_of(view: View, known: Knowledge, sides: Sequence[int], partner: int) -> State:
    """The part of the state that is the same in every world with these sides: all but the hands and the discards."""
    s = empty_state()
    for seat, side in enumerate(sides):
        s[SIDE + seat] = side
        s[VOIDS + seat] = known.voids[seat]
    s[ASKED] = _QUESTIONS[view.asked]
    s[TURN], s[LEADER] = view.turn, view.leader
    s[LANE] = view.lane
    s[FIRST] = view.first_lead
    s[LED] = 0 if known.high_fool else known.led
    s[PAIR_AT], s[CALLER] = view.pair_at, view.caller
    for place, card in enumerate(view.trick):
        s[TRICK + place] = card
    s[LYING] = len(view.trick)
    if view.trick and (view.trick[view.best] != FOOL or (known.high_fool and not _withheld_lies(view, known))):
        s[BEST], s[BEST_AT] = view.trick[view.best], view.best
    s[TRICKS] = len(view.tricks)
    s[SOLO] = view.contract == "solo"
    s[TAPPIST] = NOBODY if view.contract == "misere" else view.tappist
    s[PARTNER] = partner
    if view.called is not None and all(view.called not in trick.cards for trick in view.tricks):
        s[CALLED] = view.called if view.called not in view.trick else -1
    _gathered(s, view, sides)
    return s


def _withheld_lies(view: View, known: Knowledge) -> bool:
    """Whether the Fool in the current trick was withheld."""
    place = view.trick.index(FOOL)
    return bool(known.voids[view.seat_of(place)] >> 4 & 1)


def _gathered(s: State, view: View, sides: Sequence[int]) -> None:
    """Give the gathered tricks to their winners' sides, and pay for the Fool as far as that was done."""
    for trick in view.tricks:
        suits, trumps = words_of(sum(1 << card for card in trick.cards))
        side = sides[trick.winner]
        s[WON_SUITS + side] |= suits
        s[WON_TRUMPS + side] |= trumps
        s[WON_TRICKS + side] += 1
        s[OUT_SUITS] |= suits
        s[OUT_TRUMPS] |= trumps
        if FOOL in trick.cards:
            owner = sides[trick.seats[trick.cards.index(FOOL)]]
            if owner != side:
                s[WON_TRUMPS + side] ^= FOOL_MASK
                s[WON_TRUMPS + owner] |= FOOL_MASK
                s[OWED_BY], s[OWED_TO] = owner, side
        if s[OWED_BY] >= 0:
            pay_low(s)


def in_world(base: State, view: View, hands: Sequence[CardSet], rest: CardSet) -> State:
    """The state of a world: `hands` by seat (including the viewer's), `rest` the unseen cards that nobody holds."""
    s = base.copy()
    rules = view.ruleset
    high_fool = isinstance(rules.play, HighFool)
    for seat, cards in enumerate(hands):
        hold(s, seat, cards)
        if cards & FOOL_BIT and high_fool:
            s[WITHHELD] = view.fool_withheld if seat == view.seat else s[VOIDS + seat] >> 4 & 1
    if FOOL in view.trick and high_fool:
        s[WITHHELD] = s[VOIDS + view.seat_of(view.trick.index(FOOL))] >> 4 & 1
    away = rest if view.scart is None else view.scart
    if rules.bidding is None:
        lay_away(s, away, s[SIDE + view.dealer])
    elif view.contract != "misere":
        lay_away(s, rest if view.contract == "solo" else away, s[SIDE + view.tappist])
    return s


def state_in(view: View, world: World) -> State:
    """The present state of the play in one world."""
    base = base_of(view, know(view), *sides_in(view, world.hands))
    return in_world(base, view, world.hands, world.rest)


def sides_in(view: View, hands: Sequence[CardSet]) -> tuple[tuple[int, ...], int]:
    """The side of every seat in a world, and the called partner (or -1)."""
    if view.contract == "misere" or view.called is None:
        return view.sides, NOBODY
    called = 1 << view.called
    partner = view.partner
    if UNKNOWN in view.sides:
        partner = next((seat for seat, held in enumerate(hands) if held & called and seat != view.tappist), NOBODY)
    return tuple([int(seat not in (partner, view.tappist)) for seat in range(len(hands))]), partner


def number_of(action: Action) -> int:
    """The number of an action of the play; a knock with a card makes no difference."""
    if action.verb == "play":
        card = action.cards[0]
        if len(action.cards) == 2:
            return PAIR + LANE_OF[card]
        return KING_CALLS + LANE_OF[card] if action.signal == "buob" else card
    if action.verb == "take":
        return TAKE_CARD + action.cards[0]
    return _NUMBERS[action.verb]
