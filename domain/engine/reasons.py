"""Why the cards that may be played are these, as a word that pages put into the reader's language."""

from __future__ import annotations

from typing import Literal, TypeAlias

from domain.engine.cards import FOOL, FOOL_BIT, KINGS, LANE_OF, LANES, TRUMP_CARDS, TRUMPS, cards_in
from domain.engine.legal import LegalPlays
from domain.engine.state import NOBODY
from domain.engine.view import View

Reason: TypeAlias = Literal[
    "lead", "lead-trump", "free", "follow", "called", "trump", "withhold", "no-trump", "anything"
]


def why_these(view: View, legal: LegalPlays) -> Reason:
    """Why the player on turn, whose view this is, may play the cards of `legal`.

    `lead`: nothing lies there; `free`: only a Fool does; `follow`, `trump`, `anything`: what is left of following suit.
    At some tables also `lead-trump` (the first lead), `called` (the jack must come), `withhold` (the Fool is the only
    trump), `no-trump` (a led Fool calls for trumps, and there is none in hand; a suit may still win).
    """
    if not view.trick:
        return "lead" if legal.cards | FOOL_BIT == view.held | FOOL_BIT else "lead-trump"
    if view.lane == NOBODY:
        return "free"
    if view.caller not in (NOBODY, view.seat) and legal.cards != view.held and legal.cards.bit_count() == 1:
        rule = view.ruleset.call
        if rule is not None and legal.cards & LANES[view.lane] & (KINGS >> rule.below_king):
            return "called"
    real = legal.cards & ~FOOL_BIT
    if view.ruleset.bidding is not None and legal.cards & FOOL_BIT and not view.held & TRUMP_CARDS:
        suit = LANES[view.lane] if view.lane != TRUMPS else 0
        if not view.held & suit and not view.fool_withheld:
            return "withhold"
    lanes = {LANE_OF[card] for card in cards_in(real)}
    if view.lane in lanes and len(lanes) == 1:
        return "follow"
    if lanes == {TRUMPS}:
        return "trump"
    return "no-trump" if view.trick[0] == FOOL and view.lane == TRUMPS and view.ruleset.bidding is None else "anything"
