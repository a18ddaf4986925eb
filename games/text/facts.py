"""What could be proven at a table (`domain.bots.reviewing`), in the reader's words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.bots.reviewing import FactKind
from games.text.common import Company, is_you, name_of
from rules.text import names


@dataclass(frozen=True, slots=True)
class FactSeen:
    """Something that could be proven (`domain.bots.reviewing.FactKind`); `suit` is a letter, T for the trumps."""

    kind: FactKind
    seat: int
    card: str
    suit: str
    number: int


def fact(found: FactSeen, company: Company) -> str:
    """Something that could be proven, in the past, for it is a judgement of what was known."""
    fields = {
        "name": name_of(found.seat, company) if found.seat >= 0 else "",
        "card": names.card_object(found.card) if found.card else "",
        "suit": names.suit_name(found.suit) if found.suit else "",
        "number": found.number,
    }
    own, other = _fact(found)
    return (own if is_you(found.seat, company) else other) % fields


def _fact(found: FactSeen) -> tuple[str, str]:
    """The sentence that speaks to the player it is about, and the one about somebody else."""
    points = found.number
    match found.kind:
        case FactKind.SHOWN_VOID | FactKind.PARTNER_VOID:
            return (
                _("You had not followed suit in %(suit)s before and could still have trumps."),
                _("%(name)s had not followed suit in %(suit)s before and could still have trumps."),
            )
        case FactKind.HIGHER_HELD:
            return (
                _("It was certain that you held %(card)s."),
                _("It was certain that %(name)s held %(card)s."),
            )
        case FactKind.HIGHEST_LEFT:
            told = _("No card of its suit higher than %(card)s was out any more.")
        case FactKind.TRUMPS_OUT:
            told = ngettext(
                "%(number)d trump had not been seen yet.", "%(number)d trumps had not been seen yet.", points
            )
        case FactKind.COULD_WIN:
            told = _("Nobody played after this card: %(card)s would have won the trick for certain.")
        case FactKind.ALREADY_OURS:
            return (
                _("Nobody played after this card, and the trick was yours already."),
                _("Nobody played after this card, and the trick was already that of %(name)s, the partner."),
            )
        case FactKind.GAVE_POINTS:
            told = ngettext(
                "The trick was lost for certain: %(card)s gave away %(number)d point more.",
                "The trick was lost for certain: %(card)s gave away %(number)d points more.",
                points,
            )
        case FactKind.COULD_BRING:
            told = ngettext(
                "The trick was won for certain: %(card)s would have brought %(number)d point more.",
                "The trick was won for certain: %(card)s would have brought %(number)d points more.",
                points,
            )
    return told, told
