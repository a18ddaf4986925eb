"""Leading and following: every legal play is weighed by what it wins now against what the card would do later."""

from __future__ import annotations

from dataclasses import dataclass

from games.bots.chance import Dice
from games.bots.facts import lane_of, over, plain_trick, scale, sides_supposed, takes
from games.bots.knowledge import Knowledge, know
from games.bots.odds import chance_to_win
from games.bots.reasons import Advice, Reason
from games.bots.why import why_follow, why_lead
from games.bots.worth import TUNING, Tuning, Worth, extra
from games.engine.actions import Action
from games.engine.cards import BAGAT, BIT, FIRST_TRUMP, FOOL, NO_LANE, TRUMP_CARDS, TRUMPS, Card, Lane
from games.engine.legal import LegalPlays
from games.engine.view import View

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

    @property
    def foes_to_come(self) -> int:
        """How many foes play after."""
        return sum(not friend for _, friend in self.to_come)


@dataclass(frozen=True, slots=True)
class Weighed:
    """One play, the chance that the own side takes the trick with it, and its value between the sides."""

    action: Action
    chance: float
    value: float


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
    return Weighed(action, chance, value + _habits(situation, card, chance))


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
