"""The reason of a play in one code: worked out from the play and the situation, after the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.bots.odds import above
from games.bots.reasons import Reason
from games.bots.worth import extra
from games.engine.cards import BAGAT, BIT, FOOL, KINGS, LANE_OF, TRUMPS, Card
from games.engine.kernel import winning_place

if TYPE_CHECKING:
    from games.bots.playing import Situation


def why_lead(situation: Situation, cards: tuple[Card, ...], chance: float) -> Reason:
    """Why these cards are led."""
    card = cards[0]
    known = situation.known
    if len(cards) == 2:
        return Reason.KING_AND_JACK
    if card == FOOL:
        return Reason.FOOL_IN_TIME
    lane = LANE_OF[card]
    if card == BAGAT:
        return Reason.BRING_BAGAT_HOME
    if lane == TRUMPS:
        return Reason.DRAW_TRUMPS
    if KINGS & BIT[card]:
        return Reason.LEAD_KING
    if not known.unseen & above(card, lane) and chance > 0.5:
        return Reason.LEAD_HIGH
    friends = situation.worth.friends
    if (
        any(known.is_void(friend, lane) or known.located[friend] & above(card, lane) for friend in friends)
        and chance > 0.5
    ):
        return Reason.LEAD_TO_PARTNER
    return Reason.LEAD_LOW


def why_follow(situation: Situation, cards: tuple[Card, ...], chance: float) -> Reason:
    """Why these cards are played to the trick on the table."""
    card = cards[0]
    worth = situation.worth
    if len(cards) == 2:
        return Reason.KING_AND_JACK
    if card == FOOL:
        return Reason.FOOL_SAVES if worth.left > 3 else Reason.FOOL_IN_TIME
    lane = situation.lane
    takes = lane < 0 or winning_place((situation.best, card), lane) == 1
    if card == BAGAT and chance > 0.5:
        return Reason.BRING_BAGAT_HOME
    if chance > 0.5 and extra(card) and (situation.ours or not takes):
        return Reason.PARTNER_WINS_SMEAR
    if chance > 0.5 and situation.ours and not takes:
        return Reason.PARTNER_WINS_LOW
    if takes and chance > 0.4:
        if LANE_OF[card] == TRUMPS and lane != TRUMPS:
            return Reason.WIN_WITH_TRUMP
        if situation.ours:
            return Reason.HELP_PARTNER
        return Reason.WIN_HIGH if extra(card) >= 2 else Reason.WIN_CHEAPLY
    if worth.held & BIT[BAGAT] and LANE_OF[card] == TRUMPS:
        return Reason.PROTECT_BAGAT
    return Reason.LOSE_CHEAPLY
