"""Strategies of the play: every legal play is weighed by what it wins now against what the card would do later.

After the choice, its reason is worked out from the play and the situation: one code.

Also the Misere, in which everyone is alone and takes as few points as possible, and the jack: calling it into the
king's trick, answering with the Fool, taking a card back for king and jack.
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
    """The reason for leading `cards`, which win for the own side with `chance`."""
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
    if extra(card) >= 2:
        return Reason.WIN_HIGH if chance > 0.5 else Reason.LOSE_CHEAPLY
    return Reason.LEAD_LOW


def _why_trump(situation: Situation, card: Card) -> Reason:
    """The reason for leading a trump: to draw trumps, others must have some, and the hand suits to win afterwards."""
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
    """The reason for playing `cards` to a trick, which the own side then wins with `chance`."""
    card = cards[0]
    worth = situation.worth
    if len(cards) == 2:
        return Reason.KING_AND_JACK
    if card == FOOL and not situation.known.high_fool:
        return Reason.FOOL_SAVES if worth.left > 3 else Reason.FOOL_IN_TIME
    lane = situation.lane
    takes_trick = lane < 0 or takes(card, situation.best, lane, situation.known.high_fool)
    if card == BAGAT and chance > 0.5:
        return Reason.BRING_BAGAT_HOME
    if chance > 0.5 and extra(card) and not takes_trick:
        return Reason.PARTNER_WINS_SMEAR
    if chance > 0.5 and situation.ours and not takes_trick:
        return Reason.PARTNER_WINS_LOW
    if takes_trick and chance > 0.4:
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
    """The trick before one's own card: its cards (`lying`), the best of them, and the seats still to play."""

    known: Knowledge
    worth: Worth
    lane: Lane
    lying: tuple[Card, ...]
    best: Card
    ours: bool
    to_come: tuple[tuple[int, bool], ...]
    first_lead: bool
    chance: float  # that one's own side takes the trick, if one's own card does not

    @property
    def friend_is_sure(self) -> bool:
        """Whether the partner's card is almost certain to take this trick."""
        return self.ours and self.chance > SURE


@dataclass(frozen=True, slots=True)
class Weighed:
    """One play, the chance that one's own side takes the trick with it, and its value between the sides.

    `gift` is the part of the value that a lead loses to a foe who is known to trump the suit or to hold a court card
    above it, or to all foes if a hand long in trumps does not draw theirs.
    """

    action: Action
    chance: float
    value: float
    gift: float = 0.0


def play(view: View, dice: Dice) -> Advice:
    """The play with the highest value, and the reason for it."""
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
    """The value of `action`: the points of the trick by the chance to take it, minus what its cards are worth later."""
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
        # The jack that is called with the king, one point above a low card, goes to the winner of the trick.
        value += 2 * chance - 1
    gift = 0.0 if situation.lying else _gift(situation, card)
    return Weighed(action, chance, value - gift + _habits(situation, card, chance), gift)


def _habits(situation: Situation, card: Card, chance: float) -> float:
    """Bonuses and penalties for plays that a human partner expects or would never forgive, whatever the chances."""
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
        value -= 3.0 * worth.scale  # overtaking the trump with which the partner is certain to win
    if card == BAGAT and chance < 0.75:
        return value - 4.0
    if trumps & BIT[BAGAT] and card != BAGAT and TRUMP_CARDS & BIT[card] and not situation.lying and worth.trumps <= 3:
        return value - 3.0  # leading the trumps that cover the I
    return value


def _gift(situation: Situation, card: Card) -> float:
    """The value that a lead gives away; see `Weighed.gift`."""
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
_TRUMP: Final = 0.6  # how often even the lowest trump takes a trick, because its holder has to use it


def avoid(view: View) -> Advice:
    """Misere: play the card that probably costs least, what it takes now minus what it would take if it were kept."""
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
    """The chance that `seat` cannot stay below `best`, because it has to trump or holds nothing lower of the suit."""
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
    """The chance that `seat` has some of `cards`, but none lower than `best`."""
    higher = cards & over(best, high_fool=True)
    return _missing(known, seat, cards & ~higher) * (1.0 - _missing(known, seat, higher))


def _danger(known: Knowledge, held: CardSet, card: Card, plain: float) -> float:
    """The points that the card would probably take if it were kept, which grow with the cards below it that are out.

    Its own points are added.
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
    """Call the jack: the winner of a trick with a king gains the jack's points, whoever has it.

    `buob` would give a queen or cavalier, which are worth more than the jack, back to a holder of the jack who played
    it. So if somebody else played one of them, `buob-sche` leaves it in the trick. A winner who knows that the jack
    cannot appear stays quiet.
    """
    lane = view.lane
    jack = BIT[lane * LANE_SIZE + KING - (view.ruleset.call.below_king if view.ruleset.call is not None else 3)]
    mine: CardSet = view.held | (view.scart or 0)
    if mine & jack:
        return Advice(BARE["quiet"], Reason.NOTHING_TO_CALL)
    courts = (lane * LANE_SIZE + QUEEN, lane * LANE_SIZE + CAVALIER)
    others = [card for index, card in enumerate(view.trick) if view.seat_of(index) != view.seat]
    if BARE["buob-sche"] in view.legal and any(card in courts for card in others):
        return Advice(BARE["buob-sche"], Reason.LEAVE_THE_COURT)
    return Advice(BARE["buob"], Reason.CALL_THE_JACK)


def answer_with_fool(view: View, dice: Dice) -> Advice:
    """Answer a call after having played the Fool: give the jack only to a trick of one's own side.

    The Fool then comes back for later.
    """
    if BARE["give"] not in view.legal:
        return Advice(BARE["keep"], Reason.NOTHING_TO_CALL)
    assert view.seat is not None
    winner = view.seat_of(winning_place(view.trick, view.lane))
    if view.sides[winner] == view.sides[view.seat]:
        return Advice(BARE["give"], Reason.JACK_COMES_HOME)
    return Advice(BARE["keep"], Reason.KEEP_THE_JACK)


def take_back(view: View, dice: Dice) -> Advice:
    """Take back the strongest numeral: with king and jack gone it may still win a trick.

    If any card may be taken back, choose the one that is worth most in the hand and least in the trick.
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
