"""Why something cannot be done with another person."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.exceptions import Refusal


class PeopleError(Refusal):
    words = {
        "account-needed": _("You need an account for that, so that others find you again. Sign in or make one."),
        "cannot-follow": _("You cannot follow this person."),
        "too-many-followed": _("You follow five hundred people already. Stop following somebody first."),
        "not-mutual": _("You can write to each other while both of you follow each other."),
        "gone": _("This person has deleted their account. What was written stays here for you."),
        "empty": _("There is nothing to send yet. Write something first."),
        "reason-needed": _("Say in a few words why: both of them read it."),
        "answered": _("A moderator has looked at this message again already."),
        "too-often": _("That was a lot in a short time. Wait a few minutes and try again."),
    }
    statuses = {
        403: ("account-needed", "cannot-follow", "not-mutual", "gone"),
        429: ("too-many-followed", "too-often"),
    }


def too_long(limit: int, over: int) -> PeopleError:
    """The refusal of a message that is longer than `limit` characters by `over`."""
    most = ngettext("At most %(n)d character is possible here.", "At most %(n)d characters are possible here.", limit)
    less = ngettext("Please take out %(n)d character.", "Please take out %(n)d characters.", over)
    return PeopleError("too-long", " ".join((most % {"n": limit}, less % {"n": over})))
