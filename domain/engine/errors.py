"""Why something is not allowed, as data that a page can translate and a log can print.

`Illegality` names the rule and what it speaks of; `str()` of it is the English line of the command line. Pages word it
in the reader's language from the same fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from domain.engine.cards import CODES, Card, Lane

_SUIT_NAMES = ("cups", "coins", "swords", "batons", "trumps")


class Rule(StrEnum):
    """The rule that forbids an action."""

    HAND_OVER = "hand-over"
    PACK_NOT_READY = "pack-not-ready"
    NOT_ASKED = "not-asked"
    NOT_IN_HAND = "not-in-hand"
    MUST_FOLLOW = "must-follow"
    MUST_TRUMP = "must-trump"
    NOT_A_PAIR = "not-a-pair"
    PAIR_TOO_LATE = "pair-too-late"
    PAIR_OFF_SUIT = "pair-off-suit"
    KNOCK_OFF = "knock-off"
    KNOCK_NO_TRUMP_LEAD = "knock-no-trump-lead"
    KNOCK_NOT_HIGHEST = "knock-not-highest"
    NO_SUCH_SIGNAL = "no-such-signal"
    WRONG_NUMBER_OF_CARDS = "wrong-number-of-cards"
    SAME_CARD_TWICE = "same-card-twice"
    HONOUR_LAID_AWAY = "honour-laid-away"
    CUT_OUT_OF_RANGE = "cut-out-of-range"
    ROUNDS_NOT_OPEN = "rounds-not-open"
    NOT_YOUR_TRICKS = "not-your-tricks"
    SILENT_TABLE = "silent-table"
    NO_FREE_TEXT = "no-free-text"
    UNKNOWN_PHRASE = "unknown-phrase"
    NOT_TO_TAKE = "not-to-take"
    OWN_OR_FOOL = "own-or-fool"
    NO_JACK_TO_GIVE = "no-jack-to-give"
    DEALER_HAS_TRUMPS = "dealer-has-trumps"
    NO_VETO_BEFORE = "no-veto-before"
    ONE_CARD = "one-card"
    MUST_LEAD_TRUMP = "must-lead-trump"
    JACK_CALLED = "jack-called"
    NO_CALL_NOW = "no-call-now"
    FOOL_WITHHELD = "fool-withheld"
    TAKEN_BEFORE = "taken-before"
    ONLY_TOGETHER = "only-together"
    NOT_TO_CALL = "not-to-call"
    NOT_THESE_PACKETS = "not-these-packets"


@dataclass(frozen=True, slots=True)
class Illegality:
    """One broken rule: `card` and `lane` say of which card and suit it speaks, `number` how many or how much is asked.

    Of a king and its companion, `number` is 2 where that is the cavalier. `asked` is the question that is open (see `Legal.asked`), for `NOT_ASKED`.
    """

    rule: Rule
    card: Card | None = None
    lane: Lane | None = None
    number: int = 0
    asked: str = ""
    phrase: str = ""

    def __str__(self) -> str:
        card = CODES[self.card] if self.card is not None else ""
        suit = _SUIT_NAMES[self.lane] if self.lane is not None else ""
        return _ENGLISH[self.rule].format(
            card=card,
            suit=suit,
            number=self.number,
            asked=self.asked,
            phrase=self.phrase,
            companion="cavalier" if self.number == 2 else "jack",
        )


class IllegalAction(ValueError):
    """A rule forbids the action; nothing has changed. `illegality` says which rule."""

    def __init__(self, illegality: Illegality) -> None:
        super().__init__(str(illegality))
        self.illegality = illegality


_ENGLISH = {
    Rule.HAND_OVER: "the hand is over",
    Rule.PACK_NOT_READY: "the pack does not lie ready yet",
    Rule.NOT_ASKED: "that is not asked now: {asked}",
    Rule.NOT_IN_HAND: "{card} is not in this hand",
    Rule.MUST_FOLLOW: "must follow {suit}",
    Rule.MUST_TRUMP: "must play a trump",
    Rule.NOT_A_PAIR: "only a king and the {companion} of its suit may be played together, king first",
    Rule.PAIR_TOO_LATE: "{suit} have been led before: king and {companion} go together only to the first lead",
    Rule.PAIR_OFF_SUIT: "king and {companion} go together only to a lead of their own suit",
    Rule.KNOCK_OFF: "knocking is not played at this table",
    Rule.KNOCK_NO_TRUMP_LEAD: "one may knock only when trumps are led",
    Rule.KNOCK_NOT_HIGHEST: "only the holder of the highest trump still out may knock",
    Rule.NO_SUCH_SIGNAL: "nothing may be said with this card",
    Rule.WRONG_NUMBER_OF_CARDS: "exactly {number} cards are asked for",
    Rule.SAME_CARD_TWICE: "{card} is named twice",
    Rule.HONOUR_LAID_AWAY: "{card} counts five and may not be laid away",
    Rule.CUT_OUT_OF_RANGE: "a cut lifts 1 to {number} cards",
    Rule.ROUNDS_NOT_OPEN: "the deal in {number} round(s) may not be asked for",
    Rule.NOT_YOUR_TRICKS: "an arrangement names every card of one's own tricks once, or nothing",
    Rule.SILENT_TABLE: "this table plays in silence",
    Rule.NO_FREE_TEXT: "only phrases of the phrase book are said at this table",
    Rule.UNKNOWN_PHRASE: "{phrase} is not in the phrase book",
    Rule.NOT_TO_TAKE: "{card} cannot be taken back",
    Rule.OWN_OR_FOOL: "{card} cannot be taken back: only another's card can, and never the Fool",
    Rule.NO_JACK_TO_GIVE: "without the jack the Fool stays where it is",
    Rule.DEALER_HAS_TRUMPS: "only a dealer without trumps may throw in now",
    Rule.NO_VETO_BEFORE: "after a free last round the dealer has decided already",
    Rule.ONE_CARD: "one card at a time is played",
    Rule.MUST_LEAD_TRUMP: "the first trick is led with a trump or the Fool",
    Rule.JACK_CALLED: "the jack has been called and must be played",
    Rule.NO_CALL_NOW: "the jack is called with its king, when the suit is led for the first time and before it is played",
    Rule.FOOL_WITHHELD: "the Fool was withheld and stays in hand to the last trick",
    Rule.TAKEN_BEFORE: "somebody has taken the game already: pass or play solo",
    Rule.ONLY_TOGETHER: "{card} may be laid away only together with all {number} of its kind",
    Rule.NOT_TO_CALL: "only a trump from I to XX may be called",
    Rule.NOT_THESE_PACKETS: "the packets are dealt in another way",
}
