"""Why a plan is not saved."""

from __future__ import annotations

from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal
from games.plans.language import Never
from rules.text import names

_REASONS: Final = {
    "not-held": _("you do not hold %(card)s. Choose a card of your hand."),
    "other-lead": _("%(suit)s are led in this trick. Choose those, or “whatever is led”."),
    "others-lead": _("somebody else leads this trick. Choose what they may lead."),
    "you-lead": _("you lead the next trick. Choose “I lead”, or “whatever is led”."),
    "nothing-led": _("when you lead, nothing lies there yet. Choose a card, and leave out who is winning."),
    "no-partner": _("you have no partner in this game. Leave out that your side is winning."),
    "own-card": _("you hold %(card)s yourself, so it cannot have been played by then."),
    "not-last": _("you do not play last in this trick. Leave that out."),
    "must-follow": _("if %(suit)s are led you must follow suit, so %(card)s could not be played."),
    "must-trump": _("if %(suit)s are led you must play a trump, so %(card)s could not be played."),
    "none-of-it": _("you hold nothing that could be played so. Choose another card."),
    "never-reached": _("a line before it always fits, so this one is never looked at. Put it first, or take it out."),
}
"""Why a line could never be played, by the codes of `language.Never`."""


class PlanError(Refusal):
    """A line of the plan can never be played. Nothing of the plan is saved."""

    def __init__(self, never: Never) -> None:
        reason = str(_REASONS[never.why]) % {
            "card": names.card_object(never.card) if never.card else "",
            "suit": names.suit_name(never.suit) if never.suit else "",
        }
        super().__init__(never.why, _("Line %(number)d: %(why)s") % {"number": never.number, "why": reason})
        self.number = never.number
        """The number of the line, counted from 1."""
        self.reason = capfirst(reason)
