"""What is wrong with a record that somebody brought, in the reader's language, with what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _

from domain.engine import IllegalAction, RecordError
from domain.engine.record import PackError
from games.imports.services import MOST_HANDS
from games.selectors import rulesets
from games.selectors.table import why_of
from games.text import table
from rules.text import names

_QUOTED: Final = 80


def trouble(error: RecordError) -> str:
    """One or two sentences: which hand, which action, which rule."""
    if error.code in ("rule", "form", "seat", "ended"):
        return _("Hand %(hand)d, action %(place)d, “%(action)s”: %(why)s") % {
            "hand": error.hand,
            "place": error.place,
            "action": _shortened(error.text),
            "why": _why(error),
        }
    if error.code == "pack" and isinstance(error.why, PackError):
        return _("Hand %(hand)d: %(why)s") % {"hand": error.hand, "why": _pack(error.why)}
    about_hand = _about_hand().get(error.code)
    if about_hand is not None:
        return about_hand % {"hand": error.hand, "seat": _shortened(error.what)}
    told = _about_all().get(error.code)
    if told is None:
        return _("This is no record of a game that we can read.")
    return told() % {"what": _shortened(error.what)}


def _why(error: RecordError) -> str:
    if isinstance(error.why, IllegalAction):
        return table.refusal(why_of(error.why.illegality))
    if error.code == "seat":
        return _("It is the turn of seat %(seat)s. Seats are counted from 0.") % {"seat": error.what}
    if error.code == "ended":
        return _("The hand is over already: nothing can follow here.")
    return _("This is no action in the words of a record, such as “1 play CK”.")


def _pack(error: PackError) -> str:
    card = _shortened(error.card)
    if error.kind == "unknown":
        return _("“%(card)s” in the pack is no card. Cards are written as CK, T21 or F.") % {"card": card}
    named = {"card": names.card_short(error.card), "code": card}
    return {
        "double": _("%(card)s (%(code)s) lies twice in the pack."),
        "missing": _("%(card)s (%(code)s) is missing in the pack."),
        "foreign": _("%(card)s (%(code)s) does not belong to the pack of this game."),
    }[error.kind] % named


def _about_hand() -> dict[str, str]:
    return {
        "hand": _("Hand %(hand)d is not written as in a record: it needs a dealer, a pack and the actions."),
        "dealer": _("Hand %(hand)d names no dealer: that is the number of a seat, counted from 0."),
        "pack": _("Hand %(hand)d has no pack: that is all cards in one line, top first."),
        "actions": _("Hand %(hand)d has no list of actions."),
        "short": _("Hand %(hand)d ends before its last card. Only the last hand of a record may be unfinished."),
        "over": _("Hand %(hand)d comes after the end: the game had all its hands before."),
        "deals": _("Hand %(hand)d is dealt by the wrong player: it is the turn of seat %(seat)s, counted from 0."),
        "long": _("Hand %(hand)d has more actions than any hand can have."),
    }


def _about_all() -> dict[str, Callable[[], str]]:
    return {
        "json": lambda: _(
            "This is not JSON, so it is no record. Copy the whole text, from the first brace to the last, or choose the file."
        ),
        "object": lambda: _("A record is one JSON object, between braces."),
        "format": lambda: _("This is JSON, but no record of a game: its “format” has to be “troccas-record”."),
        "version": lambda: _("The record has a version that this site does not know. It reads version 1."),
        "ruleset": lambda: (
            _("The record is of a game that this site does not know. It knows: %(games)s.")
            % {"games": ", ".join(rulesets.ORDER)}
        ),
        "options": lambda: _("The options of the record are not written as a JSON object."),
        "option": lambda: _("The option “%(what)s” does not exist in this game, or cannot have this value."),
        "players": lambda: _("The record names no players: they are a list of names."),
        "size": lambda: _("This game is not played by %(what)s players."),
        "hands": lambda: _("The record has no list of hands."),
        "empty": lambda: _("There is no hand in this record, so there is nothing to look at."),
        "many": lambda: (
            _("A record may have at most %(number)d hands here. Please divide it.") % {"number": MOST_HANDS}
        ),
        "large": lambda: _("The record is too long or too deeply nested. A whole game is far smaller than 128 kB."),
    }


def _shortened(text: str) -> str:
    """What somebody sent, quoted back in one line: not longer than anybody reads, and nothing that cannot be seen."""
    line = "".join(letter if letter.isprintable() else " " for letter in text[:_QUOTED])
    return line + ("…" if len(text) > _QUOTED else "")
