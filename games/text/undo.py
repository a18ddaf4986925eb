"""Taking back in words: what one may ask for, what is asked of whom, and what the log tells of it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from games.read_models import Line, Sight, UndoSeen
from games.text.people import Company, in_a_row, is_you, name_of

KINDS: Final = frozenset({"undo-proposed", "undo-agreed", "undo-declined", "undo-withdrawn", "undo-lapsed", "undone"})
"""The lines of the log that are worded here."""
_LAID: Final = ("scart", "discard")


def offer(undo: UndoSeen) -> str:
    """What the viewer may ask for, as a button says it."""
    if undo.verb == "play":
        return _("Take my card back …")
    if undo.verb in _LAID:
        return _("Lay away other cards …")
    return _("Choose again …")


def proposal(sight: Sight) -> str:
    """What is asked to be taken back, and of whom; empty if nothing is."""
    undo = sight.undo
    if undo is None or undo.by is None:
        return ""
    waits = in_a_row([name_of(seat, sight) for seat in undo.waits if seat != sight.viewer])
    fields = {"name": name_of(undo.by, sight), "waits": waits}
    if undo.by == sight.viewer:
        return _own(undo) % fields
    if undo.mine:
        return _to_you(undo) % fields
    return _other(undo) % fields


def _own(undo: UndoSeen) -> str:
    if undo.verb == "play":
        return _("You ask to take your card back. Waiting for %(waits)s.")
    if undo.verb in _LAID:
        return _("You ask to lay away other cards. Waiting for %(waits)s.")
    return _("You ask to choose again. Waiting for %(waits)s.")


def _to_you(undo: UndoSeen) -> str:
    if undo.verb == "play":
        return _("%(name)s asks to take a card back. Do you agree?")
    if undo.verb in _LAID:
        return _("%(name)s asks to lay away other cards. Do you agree?")
    return _("%(name)s asks to choose again. Do you agree?")


def _other(undo: UndoSeen) -> str:
    if undo.verb == "play":
        return _("%(name)s asks to take a card back. Waiting for %(waits)s.")
    if undo.verb in _LAID:
        return _("%(name)s asks to lay away other cards. Waiting for %(waits)s.")
    return _("%(name)s asks to choose again. Waiting for %(waits)s.")


def asked_in_short(verb: str) -> str:
    """What is asked of the reader of a list of games."""
    if verb == "play":
        return _("May a card be taken back?")
    if verb in _LAID:
        return _("May other cards be laid away?")
    return _("May somebody choose again?")


def asked_of_others() -> str:
    """What goes on in a game of a list while the others have to answer."""
    return _("The others are asked whether something may be taken back.")


def line(told: Line, sight: Company) -> str:
    """One thing that happened about it, as a sentence. No card is named: what was seen once is not shown again."""
    fields = {"name": told.name or (name_of(told.seat, sight) if told.seat is not None else "")}
    own, other = _sentences(told.verb)[told.kind]
    return (own if is_you(told.seat, sight) and not told.name else other) % fields


def _sentences(verb: str) -> dict[str, tuple[str, str]]:
    """Each kind of line: to the reader, and about another."""
    return {
        "undo-proposed": _asks(verb),
        "undo-agreed": (_("You agree."), _("%(name)s agrees.")),
        "undo-declined": (
            _("You do not agree: it stays as it is."),
            _("%(name)s does not agree: it stays as it is."),
        ),
        "undo-withdrawn": (
            _("You leave it as it is."),
            _("%(name)s leaves it as it is."),
        ),
        "undo-lapsed": ("", _("Not everybody has answered: it stays as it is.")),
        "undone": _done(verb),
    }


def _asks(verb: str) -> tuple[str, str]:
    if verb == "play":
        return _("You ask to take your card back."), _("%(name)s asks to take a card back.")
    if verb in _LAID:
        return _("You ask to lay away other cards."), _("%(name)s asks to lay away other cards.")
    return _("You ask to choose again."), _("%(name)s asks to choose again.")


def _done(verb: str) -> tuple[str, str]:
    if verb == "play":
        return _("All agree: you take your card back."), _("All agree: %(name)s takes a card back.")
    if verb in _LAID:
        return (
            _("All agree: you take up the cards you laid away."),
            _("All agree: %(name)s takes up the cards that were laid away."),
        )
    return _("All agree: you choose again."), _("All agree: %(name)s chooses again.")
