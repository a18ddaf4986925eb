"""The rules of Troccas and its relatives: pure Python, no input or output, nothing of the site.

See README.md in this folder for how it is used.
"""

from games.engine.actions import Action, MalformedAction, parse_action
from games.engine.cards import CODES, Card, CardSet, card_of, cards_in, codes, set_of
from games.engine.draw import Draw, draw_partners
from games.engine.errors import IllegalAction, Illegality, Rule
from games.engine.hand import Hand, Result, Trick
from games.engine.match import Match
from games.engine.record import Record, RecordError, parse_record, replay
from games.engine.ruleset import OptionError, Ruleset
from games.engine.rulesets import UnknownRuleset, ruleset
from games.engine.view import UNKNOWN, View

__all__ = [
    "CODES", "UNKNOWN", "Action", "Card", "CardSet", "Draw", "Hand", "IllegalAction", "Illegality", "MalformedAction",
    "Match", "OptionError", "Record", "RecordError", "Result", "Rule", "Ruleset", "Trick", "UnknownRuleset", "View",
    "card_of", "cards_in", "codes", "draw_partners", "parse_action", "parse_record", "replay", "ruleset", "set_of",
]  # fmt: skip
