"""Why a phone in the hall is told no, beyond what the tournament itself refuses."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class HallError(Refusal):
    """Something cannot be done on this phone now."""

    words = {
        "too-often": _("That was a little too often. Wait a minute, then go on."),
        "code-ended": _(
            "The code of this page does not hold any more: the round was drawn anew, or the director replaced it. Write what "
            "stands here on the slip, or into the sheet of the new code."
        ),
        "not-numbers": _("Points are whole numbers: digits only, and a minus before them where it is needed."),
        "stale": _(
            "The other phone has written in the meantime. This is the sheet as it stands now: compare it with what you "
            "typed, and send yours again if it is right."
        ),
        "wrong-digits": _(
            "These are not the digits of another side at this table. They stand on that side’s own slip."
        ),
        "own-digits": _("These are your own digits. The other side types the ones on its slip."),
        "too-many-guesses": _(
            "Wrong digits were typed too often at this table. The other side can confirm on its own phone, or the "
            "tournament director does it."
        ),
        "no-difference": _("Your version says the same as the sheet. Change what is wrong, or confirm it."),
        "name-needed": _("First and last name, please."),
        "two-of-that-name": _("The club knows several people of that name. Please tell the desk who you are."),
        "door-shut": _("The door is not open. Please go to the desk."),
    }
    statuses = {409: ("stale",), 410: ("code-ended",), 429: ("too-often", "too-many-guesses")}
