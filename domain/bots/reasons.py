"""Why a computer player does what it does: short stable codes, worded for learners by the site."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from domain.engine.actions import Action


class Reason(StrEnum):
    """The main point of one choice. The values are stable: translations and records of lessons hang on them."""

    # the deal and the talk
    FEWER_ROUNDS = "fewer-rounds"
    ALL_ROUNDS = "all-rounds"
    LEAVE_THE_CARDS = "leave-the-cards"
    CUT_THE_PACK = "cut-the-pack"
    STRONG_HAND = "strong-hand"
    PARTNER_IS_STRONG = "partner-is-strong"
    WEAK_HAND = "weak-hand"
    # the scart
    MAKE_A_VOID = "make-a-void"
    SAVE_POINTS = "save-points"
    LAY_LOW = "lay-low"
    # the Tapp
    ANY_PACKETS = "any-packets"
    CALL_THE_STRONGEST = "call-the-strongest"
    # the play
    ONLY_CARD = "only-card"
    LEAD_KING = "lead-king"
    LEAD_HIGH = "lead-high"
    LEAD_LOW = "lead-low"
    LEAD_TO_PARTNER = "lead-to-partner"
    DRAW_TRUMPS = "draw-trumps"
    KING_AND_JACK = "king-and-jack"
    BRING_BAGAT_HOME = "bring-bagat-home"
    PROTECT_BAGAT = "protect-bagat"
    PARTNER_WINS_SMEAR = "partner-wins-smear"
    PARTNER_WINS_LOW = "partner-wins-low"
    WIN_CHEAPLY = "win-cheaply"
    WIN_HIGH = "win-high"
    WIN_WITH_TRUMP = "win-with-trump"
    HELP_PARTNER = "help-partner"
    LOSE_CHEAPLY = "lose-cheaply"
    AVOID_POINTS = "avoid-points"
    FOOL_SAVES = "fool-saves"
    FOOL_IN_TIME = "fool-in-time"
    # the jack
    CALL_THE_JACK = "call-the-jack"
    LEAVE_THE_COURT = "leave-the-court"
    NOTHING_TO_CALL = "nothing-to-call"
    JACK_COMES_HOME = "jack-comes-home"
    KEEP_THE_JACK = "keep-the-jack"
    TAKE_THE_BEST = "take-the-best"


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, and the main reason for it."""

    action: Action
    reason: Reason
