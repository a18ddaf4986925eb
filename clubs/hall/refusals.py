"""Why a phone in the hall is told no, beyond what the tournament itself refuses."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.refusals import Refusal


class TooOften(Refusal):
    """Too much in too short a time. Nothing is wrong with what was asked: it can be sent again a little later."""

    status = 429
    code = "too-often"
    message = _("That was a little too often. Wait a minute, then go on.")


class CodeEnded(Refusal):
    """What an old page, or entries that waited on a phone, are told: their code opens nothing any more."""

    status = 410
    code = "code-ended"
    message = _(
        "The code of this page does not hold any more: the round was drawn anew, or the director replaced it. Write what "
        "stands here on the slip, or into the sheet of the new code."
    )


class NotNumbers(Refusal):
    """Something stands in a field of points that is no whole number."""

    code = "not-numbers"
    message = _("Points are whole numbers: digits only, and a minus before them where it is needed.")


class SheetMoved(Refusal):
    """What was to be written over, handed in or confirmed is not what the page showed."""

    status = 409
    code = "stale"
    message = _(
        "The other phone has written in the meantime. This is the sheet as it stands now: compare it with what you "
        "typed, and send yours again if it is right."
    )


class WrongDigits(Refusal):
    """The digits typed on the writers' phone are of no other side."""

    code = "wrong-digits"
    message = _("These are not the digits of another side at this table. They stand on that side’s own slip.")


class OwnDigits(Refusal):
    """The digits of the side that wrote."""

    code = "own-digits"
    message = _("These are your own digits. The other side types the ones on its slip.")


class TooManyGuesses(Refusal):
    """Digits were tried too often."""

    status = 429
    code = "too-many-guesses"
    message = _(
        "Wrong digits were typed too often at this table. The other side can confirm on its own phone, or the "
        "tournament director does it."
    )


class NoNote(Refusal):
    """Another version without a difference."""

    code = "no-difference"
    message = _("Your version says the same as the sheet. Change what is wrong, or confirm it.")


class NameNeeded(Refusal):
    """A walk-in without a name."""

    code = "name-needed"
    message = _("First and last name, please.")


class TwoOfThatName(Refusal):
    """The club's list has several of that name."""

    code = "two-of-that-name"
    message = _("The club knows several people of that name. Please tell the desk who you are.")


class DoorShut(Refusal):
    """The tournament is not open yet, or over."""

    code = "door-shut"
    message = _("The door is not open. Please go to the desk.")
