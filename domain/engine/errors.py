"""Why something is not allowed, as data that a page can translate and a log can print.

`Illegality` names the rule and the cards or numbers it is about. Its `str()` is the English sentence of the command
line; pages make a sentence in the reader's language from the same fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from domain.engine.cards import CODES, Card, Lane

_SUIT_NAMES = ("cups", "coins", "swords", "batons", "trumps")


class Rule(StrEnum):
    """The rule that forbids an action, with its sentence in English."""

    english: str

    def __new__(cls, code: str, english: str) -> Self:
        rule = str.__new__(cls, code)
        rule._value_ = code
        rule.english = english
        return rule

    HAND_OVER = "hand-over", "the hand is over"
    PACK_NOT_READY = "pack-not-ready", "the pack does not lie ready yet"
    NOT_ASKED = "not-asked", "that is not asked now: {asked}"
    NOT_IN_HAND = "not-in-hand", "{card} is not in this hand"
    MUST_FOLLOW = "must-follow", "must follow {suit}"
    MUST_TRUMP = "must-trump", "must play a trump"
    NOT_A_PAIR = "not-a-pair", "only a king and the {companion} of its suit may be played together, king first"
    PAIR_TOO_LATE = (
        "pair-too-late",
        "{suit} have been led before: king and {companion} go together only to the first lead",
    )
    PAIR_OFF_SUIT = "pair-off-suit", "king and {companion} go together only to a lead of their own suit"
    KNOCK_OFF = "knock-off", "knocking is not played at this table"
    KNOCK_NO_TRUMP_LEAD = "knock-no-trump-lead", "one may knock only when trumps are led"
    KNOCK_NOT_HIGHEST = "knock-not-highest", "only the holder of the highest trump still out may knock"
    NO_SUCH_SIGNAL = "no-such-signal", "nothing may be said with this card"
    WRONG_NUMBER_OF_CARDS = "wrong-number-of-cards", "exactly {number} cards are asked for"
    SAME_CARD_TWICE = "same-card-twice", "{card} is named twice"
    HONOUR_LAID_AWAY = "honour-laid-away", "{card} counts five and may not be laid away"
    CUT_OUT_OF_RANGE = "cut-out-of-range", "a cut lifts 1 to {number} cards"
    ROUNDS_NOT_OPEN = "rounds-not-open", "the deal in {number} round(s) may not be asked for"
    NOT_YOUR_TRICKS = "not-your-tricks", "an arrangement names every card of one's own tricks once, or nothing"
    SILENT_TABLE = "silent-table", "this table plays in silence"
    NO_FREE_TEXT = "no-free-text", "only phrases of the phrase book are said at this table"
    UNKNOWN_PHRASE = "unknown-phrase", "{phrase} is not in the phrase book"
    NO_TALK_NOW = "no-talk-now", "one speaks from the deal to one's own first card, and not where nothing is said"
    SAID_ENOUGH = "said-enough", "one speaks {number} times in a deal at most"
    NOT_TO_TAKE = "not-to-take", "{card} cannot be taken back"
    OWN_OR_FOOL = "own-or-fool", "{card} cannot be taken back: only another's card can, and never the Fool"
    NO_JACK_TO_GIVE = "no-jack-to-give", "without the jack the Fool stays where it is"
    DEALER_HAS_TRUMPS = "dealer-has-trumps", "only a dealer without trumps may throw in now"
    NO_VETO_BEFORE = "no-veto-before", "after a free last round the dealer has decided already"
    ONE_CARD = "one-card", "one card at a time is played"
    MUST_LEAD_TRUMP = "must-lead-trump", "the first trick is led with a trump or the Fool"
    JACK_CALLED = "jack-called", "the jack has been called and must be played"
    NO_CALL_NOW = (
        "no-call-now",
        "the jack is called with its king, when the suit is led for the first time and before it is played",
    )
    FOOL_WITHHELD = "fool-withheld", "the Fool was withheld and stays in hand to the last trick"
    TAKEN_BEFORE = "taken-before", "somebody has taken the game already: pass or play solo"
    ONLY_TOGETHER = "only-together", "{card} may be laid away only together with all {number} of its kind"
    NOT_TO_CALL = "not-to-call", "only a trump from I to XX may be called"
    NOT_THESE_PACKETS = "not-these-packets", "the packets are dealt in another way"


@dataclass(frozen=True, slots=True)
class Illegality:
    """One broken rule: `card` and `lane` are the card and suit it is about, `number` the number that is required.

    In the rules about a king and its companion, `number` is 2 if the companion is the cavalier. For `NOT_ASKED`,
    `asked` is the open question (see `Legal.asked`).
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
        return self.rule.english.format(
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
