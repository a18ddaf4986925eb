"""The reason of a play in one code: worked out from the play and the situation, after the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.bots.facts import lane_of, over, takes
from games.bots.reasons import Reason
from games.bots.worth import extra
from games.engine.cards import BAGAT, BIT, FOOL, KINGS, TRUMPS, Card

if TYPE_CHECKING:
    from games.bots.playing import Situation


def why_lead(situation: Situation, cards: tuple[Card, ...], chance: float) -> Reason:
    """Why these cards are led."""
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
        return Reason.DRAW_TRUMPS
    if KINGS & BIT[card]:
        return Reason.LEAD_KING
    if not known.unseen & higher and chance > 0.5:
        return Reason.LEAD_HIGH
    friends = situation.worth.friends
    if any(known.is_void(friend, lane) or known.located[friend] & higher for friend in friends) and chance > 0.5:
        return Reason.LEAD_TO_PARTNER
    return Reason.LEAD_LOW


def why_follow(situation: Situation, cards: tuple[Card, ...], chance: float) -> Reason:
    """Why these cards are played to the trick on the table."""
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
    if chance > 0.5 and extra(card) and (situation.ours or not takes_it):
        return Reason.PARTNER_WINS_SMEAR
    if chance > 0.5 and situation.ours and not takes_it:
        return Reason.PARTNER_WINS_LOW
    if takes_it and chance > 0.4:
        if lane_of(card, situation.known.high_fool) == TRUMPS and lane != TRUMPS:
            return Reason.WIN_WITH_TRUMP
        if situation.ours:
            return Reason.HELP_PARTNER
        return Reason.WIN_HIGH if extra(card) >= 2 else Reason.WIN_CHEAPLY
    if worth.held & BIT[BAGAT] and lane_of(card, situation.known.high_fool) == TRUMPS:
        return Reason.PROTECT_BAGAT
    return Reason.LOSE_CHEAPLY
