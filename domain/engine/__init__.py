"""The rules of Troccas and its relatives: pure Python, no input or output, nothing of the site.

See README.md in this folder for how it is used.
"""

from domain.engine.actions import Action, MalformedAction, parse_action
from domain.engine.cards import CODES, Card, CardSet, card_of, cards_in, codes, set_of
from domain.engine.errors import IllegalAction, Illegality, Rule
from domain.engine.hand import Hand
from domain.engine.match import Draw, Match, draw_partners
from domain.engine.record import Record, RecordError, parse_record, replay
from domain.engine.ruleset import OptionError, Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.engine.state import Result, Trick
from domain.engine.view import UNKNOWN, View

__all__ = [
    "CODES", "UNKNOWN", "Action", "Card", "CardSet", "Draw", "Hand", "IllegalAction", "Illegality", "MalformedAction",
    "Match", "OptionError", "Record", "RecordError", "Result", "Rule", "Ruleset", "Trick", "UnknownRuleset", "View",
    "card_of", "cards_in", "codes", "draw_partners", "parse_action", "parse_record", "replay", "ruleset", "set_of",
]  # fmt: skip
