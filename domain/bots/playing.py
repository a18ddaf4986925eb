"""Leading and following: every legal play is weighed by what it wins now against what the card would do later.

The reason of a play in one code: worked out from the play and the situation, after the choice.

Misere: everyone is alone and takes as few points as possible. The jack: calling it into the king's trick, answering with
the Fool, taking a card back for king and jack.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from domain.bots.card_values import TUNING, Tuning, Worth, chance_to_win, chance_void, extra
from domain.bots.common import Advice, Dice, Reason, lane_of, over, plain_trick, scale, sides_supposed, takes
from domain.bots.knowledge import Knowledge, know
from domain.engine.actions import BARE, Action
from domain.engine.cards import (
    BAGAT,
    BIT,
    CAVALIER,
    FIRST_TRUMP,
    FOOL,
    FOOL_BIT,
    KING,
    KINGS,
    LANE_SIZE,
    LANES,
    NO_LANE,
    QUEEN,
    TRUMP_CARDS,
    TRUMPS,
    Card,
    CardSet,
    Lane,
)
from domain.engine.legal import LegalPlays
from domain.engine.tricks import winning_place
from domain.engine.view import View


def why_lead(situation: Situation, cards: tuple[Card, ...], chance: float) -> Reason:
    card = cards[0]
    known = situation.known
    if len(cards) == 2:
        return Reason.KING_AND_JACK
    if card == FOOL and not known.high_fool:
        return Reason.FOOL_IN_TIME
    lane = lane_of(card, known.high_fool)
    higher = over(card, known.high_fool)
    if card == BAGAT:
        return Reason.BRING_BAGAT_HOME
    if lane == TRUMPS:
        return _why_trump(situation, card)
    if KINGS & BIT[card]:
        return Reason.LEAD_KING
    if not known.unseen & higher and chance > 0.5:
        return Reason.LEAD_HIGH
    friends = situation.worth.friends
    if any(known.is_void(friend, lane) or known.located[friend] & higher for friend in friends) and chance > 0.5:
        return Reason.LEAD_TO_PARTNER
    return Reason.LEAD_LOW


def _why_trump(situation: Situation, card: Card) -> Reason:
    """Of a trump that is led: none falls to it where nobody else has one, nor are there suits to win once they have fallen."""
    known, held = situation.known, situation.worth.held
    trumps = known.trumps_at(known.seat)
    if not known.unseen & trumps:
        return Reason.WIN_WITH_TRUMP
    if held & ~trumps & ~FOOL_BIT:
        return Reason.DRAW_TRUMPS
    if held & BIT[BAGAT]:
        return Reason.PROTECT_BAGAT
    return Reason.LEAD_LOW if held & over(card, known.high_fool) else Reason.DRAW_TRUMPS


def why_follow(situation: Situation, cards: tuple[Card, ...], chance: float) -> Reason:
    card = cards[0]
    worth = situation.worth
    if len(cards) == 2:
        return Reason.KING_AND_JACK
    if card == FOOL and not situation.known.high_fool:
        return Reason.FOOL_SAVES if worth.left > 3 else Reason.FOOL_IN_TIME
    lane = situation.lane
    takes_it = lane < 0 or takes(card, situation.best, lane, situation.known.high_fool)
    if card == BAGAT and chance > 0.5:
        return Reason.BRING_BAGAT_HOME
    if chance > 0.5 and extra(card) and not takes_it:
        return Reason.PARTNER_WINS_SMEAR
    if chance > 0.5 and situation.ours and not takes_it:
        return Reason.PARTNER_WINS_LOW
    if takes_it and chance > 0.4:
        if lane_of(card, situation.known.high_fool) == TRUMPS and lane != TRUMPS:
            return Reason.WIN_WITH_TRUMP
        if situation.ours and not situation.friend_is_sure:
            return Reason.HELP_PARTNER
        return Reason.WIN_HIGH if extra(card) >= 2 else Reason.WIN_CHEAPLY
    if card != BAGAT and worth.held & BIT[BAGAT] and lane_of(card, situation.known.high_fool) == TRUMPS:
        return Reason.PROTECT_BAGAT
    return Reason.LOSE_CHEAPLY


SURE = 0.97


@dataclass(frozen=True, slots=True)
class Situation:
    """The trick as it lies before the own card: who is winning it and who is still to play."""

    known: Knowledge
    worth: Worth
    lane: Lane
    lying: tuple[Card, ...]
    best: Card
    ours: bool
    to_come: tuple[tuple[int, bool], ...]
    first_lead: bool
    chance: float  # of the own side taking it, were the own card worthless

    @property
    def friend_is_sure(self) -> bool:
        """Whether the partner's card takes this trick, whatever comes."""
        return self.ours and self.chance > SURE


@dataclass(frozen=True, slots=True)
class Weighed:
    """One play, the chance that the own side takes the trick with it, and its value between the sides.

    `gift` is the part of the value that a lead loses to a foe who is known to trump the suit, or to hold a court card above it,
    or to all foes where a hand long in trumps draws none of theirs.
    """

    action: Action
    chance: float
    value: float
    gift: float = 0.0


def play(view: View, dice: Dice) -> Advice:
    """The best play by weight, and why."""
    legal = view.legal
    assert isinstance(legal, LegalPlays)
    situation = read(view)
    if len(legal) == 1:
        return Advice(next(iter(legal)), Reason.ONLY_CARD)
    weighed = [weigh(situation, action) for action in legal]
    best = max(weighed, key=lambda option: option.value)
    why = why_follow if situation.lying else why_lead
    return Advice(best.action, why(situation, best.action.cards, best.chance))


def read(view: View, tuning: Tuning = TUNING) -> Situation:
    """The situation of the player on turn, who must be the viewer."""
    known = know(view)
    me = known.seat
    sides = sides_supposed(view)
    side = sides[me]
    seats = len(view.counts)
    lying = view.trick
    to_come = tuple(((me + step) % seats, sides[(me + step) % seats] == side) for step in range(1, seats - len(lying)))
    best = FOOL
    ours = False
    if view.lane != NO_LANE:
        best = lying[view.best]
        ours = sides[view.seat_of(view.best)] == side
    chance = chance_to_win(known, best, view.lane, ours, to_come) if view.lane != NO_LANE else 0.5
    worth = Worth(known, view.held, sides, tuning, plain_trick(view.ruleset), scale(view.ruleset))
    return Situation(known, worth, view.lane, lying, best, ours, to_come, view.first_lead, chance)


def weigh(situation: Situation, action: Action) -> Weighed:
    """What `action` is worth: the points of the trick by the chance to take it, less what its cards are worth later."""
    known = situation.known
    worth = situation.worth
    card = action.cards[0]
    lane, best, ours = situation.lane, situation.best, situation.ours
    high_fool = known.high_fool
    excuse = card == FOOL and not high_fool
    if not excuse:
        if lane == NO_LANE:
            lane, best, ours = lane_of(card, high_fool), card, True
        elif takes(card, best, lane, high_fool):
            best, ours = card, True
    chance = chance_to_win(known, best, lane, ours, situation.to_come) if lane != NO_LANE else 0.45
    smear = worth.tuning.smear
    friends = sum(friend for _, friend in situation.to_come)
    foes = len(situation.to_come) - friends
    lying = worth.plain + sum(extra(other) for other in situation.lying if high_fool or other != FOOL)
    won = lying + smear * friends + 0.15 * foes
    lost = lying + smear * foes + 0.15 * friends
    value = chance * won - (1 - chance) * lost
    for played in action.cards:
        if not excuse:
            value += extra(played) * (2 * chance - 1)
        value -= worth.keeping(played)
    if len(action.cards) == 2:
        value += 0.5  # a numeral comes back for the jack
    if action.signal:
        value += (
            2 * chance - 1
        )  # the jack called with the king, one point above a low card, goes to who takes the trick
    gift = 0.0 if situation.lying else _gift(situation, card)
    return Weighed(action, chance, value - gift + _habits(situation, card, chance), gift)


def _habits(situation: Situation, card: Card, chance: float) -> float:
    """What a human partner would never forgive, whatever the chances seem to say."""
    worth = situation.worth
    trumps = worth.held & TRUMP_CARDS
    value = 0.0
    high_fool = situation.known.high_fool
    excuse = card == FOOL and not high_fool
    if not situation.lying and not excuse:
        if lane_of(card, high_fool) != TRUMPS and extra(card) and situation.known.unseen & over(card, high_fool):
            value -= worth.tuning.lead_under
        if lane_of(card, high_fool) == TRUMPS:
            value += worth.drawing()
    elif not excuse and chance < 0.5:
        value -= worth.tuning.throw * extra(card)
    value += worth.tuning.lead * worth.scale * chance
    if situation.friend_is_sure and card != BAGAT and card > situation.best >= FIRST_TRUMP and not excuse:
        value -= 3.0 * worth.scale  # overtaking the trump with which the partner surely wins
    if card == BAGAT and chance < 0.75:
        return value - 4.0
    if trumps & BIT[BAGAT] and card != BAGAT and TRUMP_CARDS & BIT[card] and not situation.lying and worth.trumps <= 3:
        return value - 3.0  # leading the trumps that cover the I
    return value


def _gift(situation: Situation, card: Card) -> float:
    """What a lead gives away to a foe who is known to trump the suit or to hold a court card above it, or to foes whose trumps
    are not drawn."""
    worth, known = situation.worth, situation.known
    lane = lane_of(card, known.high_fool)
    if lane == TRUMPS:
        return 0.0
    value = worth.tuning.undrawn if worth.is_long else 0.0
    if lane == NO_LANE:
        return value * worth.scale
    higher = over(card, known.high_fool)
    friends_take = any(known.located[friend] & higher for friend in worth.friends)
    for foe in worth.foes:
        if known.is_void(foe, lane) and known.may_hold[foe] & known.trumps_at(foe):
            if foe == situation.to_come[-1][0]:
                value += worth.tuning.ruffed
        elif known.located[foe] & higher and not friends_take:
            value += worth.tuning.gift
    return value * worth.scale


_THROWN: Final = 1.0  # points above a low card that each player still to come may throw into another's trick
_TRUMP: Final = 0.6  # how often the lowest trump takes a trick all the same, because its holder has to use it


def avoid(view: View) -> Advice:
    """The card that probably costs least: what it takes now, less what it would take if it were kept."""
    assert isinstance(view.legal, LegalPlays)
    plays = list(view.legal)
    if len(plays) == 1:
        return Advice(plays[0], Reason.ONLY_CARD)
    known = know(view)
    return Advice(max(plays, key=lambda action: _value(view, known, action)), Reason.AVOID_POINTS)


def _value(view: View, known: Knowledge, action: Action) -> float:
    card = action.cards[0]
    seats = len(view.counts)
    plain = plain_trick(view.ruleset)
    lane, mine = view.lane, True
    if lane == NO_LANE:
        lane = lane_of(card, high_fool=True)
    else:
        mine = takes(card, view.trick[view.best], lane, high_fool=True)
    kept = 1.0 if mine else 0.0
    to_come = [(known.seat + step) % seats for step in range(1, seats - len(view.trick))]
    for seat in to_come:
        kept *= 1.0 - _must_take(known, seat, card, lane)
    trick = plain + extra(card) + sum(map(extra, view.trick)) + _THROWN * len(to_come)
    return _danger(known, view.held, card, plain) - kept * trick


def _must_take(known: Knowledge, seat: int, best: Card, lane: Lane) -> float:
    """The chance that `seat` cannot stay below `best`: it has to trump, or holds nothing lower of the suit."""
    trumps = known.trumps_at(seat)
    if lane == TRUMPS:
        return _only_over(known, seat, best, trumps)
    void = chance_void(known, seat, lane)
    if best >= FIRST_TRUMP:
        return void * _only_over(known, seat, best, trumps)
    some = 1.0 - _missing(known, seat, trumps)
    return void * some + _only_over(known, seat, best, LANES[lane])


def _missing(known: Knowledge, seat: int, cards: CardSet) -> float:
    """The chance that `seat` has none of `cards`."""
    if known.located[seat] & cards:
        return 0.0
    places = sum(known.slots) + known.resting
    share = known.slots[seat] / places if places else 0.0
    return (1.0 - share) ** (cards & known.may_hold[seat]).bit_count()


def _only_over(known: Knowledge, seat: int, best: Card, cards: CardSet) -> float:
    """The chance that `seat` has some of `cards`, and none that is lower than `best`."""
    higher = cards & over(best, high_fool=True)
    return _missing(known, seat, cards & ~higher) * (1.0 - _missing(known, seat, higher))


def _danger(known: Knowledge, held: CardSet, card: Card, plain: float) -> float:
    """What the card would probably take if it were kept: the more, the more cards below it are out; and what it would
    carry in itself.
    """
    lane = lane_of(card, high_fool=True)
    cards = LANES[lane] | (FOOL_BIT if lane == TRUMPS else 0)
    out = known.unseen & cards
    higher = out & over(card, high_fool=True)
    share = 1.0 - higher.bit_count() / out.bit_count() if out else 1.0
    if lane == TRUMPS:
        share = _TRUMP + (1.0 - _TRUMP) * share
    elif held & cards & -(held & cards) & ~(1 << card) and not held & (TRUMP_CARDS | FOOL_BIT):
        share *= 0.7  # a lower card of the suit can go first
    return share * (plain + _THROWN) + 0.25 * extra(card)


def call(view: View, dice: Dice) -> Advice:
    """The winner of a trick with a king gains the jack's points by calling it, whoever has it.

    `buob` would hand a queen or cavalier back to a jack-holder who played it, and those are worth more than the jack:
    when one of them was played by somebody else, `buob-sche` leaves it in the trick. A winner who knows that the jack
    cannot appear stays quiet.
    """
    lane = view.lane
    jack = BIT[lane * LANE_SIZE + KING - (view.ruleset.call.below_king if view.ruleset.call is not None else 3)]
    mine: CardSet = view.held | (view.scart or 0)
    if mine & jack:
        return Advice(BARE["quiet"], Reason.NOTHING_TO_CALL)
    courts = (lane * LANE_SIZE + QUEEN, lane * LANE_SIZE + CAVALIER)
    others = [card for place, card in enumerate(view.trick) if view.seat_of(place) != view.seat]
    if BARE["buob-sche"] in view.legal and any(card in courts for card in others):
        return Advice(BARE["buob-sche"], Reason.LEAVE_THE_COURT)
    return Advice(BARE["buob"], Reason.CALL_THE_JACK)


def answer_with_fool(view: View, dice: Dice) -> Advice:
    """With the jack and the Fool in the trick: the jack goes to the own side's trick, the Fool comes back for later.

    Into the other side's trick the jack is not given.
    """
    if BARE["give"] not in view.legal:
        return Advice(BARE["keep"], Reason.NOTHING_TO_CALL)
    assert view.seat is not None
    winner = view.seat_of(winning_place(view.trick, view.lane))
    if view.sides[winner] == view.sides[view.seat]:
        return Advice(BARE["give"], Reason.JACK_COMES_HOME)
    return Advice(BARE["keep"], Reason.KEEP_THE_JACK)


def take_back(view: View, dice: Dice) -> Advice:
    """The strongest numeral comes back to hand: with king and jack gone it may still win a trick.

    Where any card may come back, it is the one that is worth most in the hand and least missed in the trick.
    """
    if view.ruleset.pair is not None and view.ruleset.pair.takes_back == "any":
        situation = read(view)
        assert view.seat is not None
        ours = view.sides[view.seat_of(view.best)] == view.sides[view.seat]

        def gain(action: Action) -> float:
            card = action.cards[0]
            return situation.worth.keeping(card) - (extra(card) if ours else -extra(card))

        return Advice(max(view.legal, key=gain), Reason.TAKE_THE_BEST)
    return Advice(max(view.legal, key=lambda action: action.cards[0]), Reason.TAKE_THE_BEST)
