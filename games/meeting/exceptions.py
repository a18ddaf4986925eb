"""Why a wish, an appointment or an alert cannot be made or changed."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class MeetingError(Refusal):
    words = {
        "account-needed": _("For this you need an account: otherwise nobody could tell you when you are expected."),
        "name-needed": _("Choose a name first: the others want to know who they are playing with."),
        "too-many-wishes": _("You have five wishes already. Withdraw one of them first."),
        "too-many-alerts": _("You have five alerts already. Remove one of them first."),
        "too-many-appointments": _("Five appointments of yours are still to come. Wait for one of them, or cancel it."),
        "too-often": _("That was a lot in a short time. Wait a few minutes and try again."),
        "wish-over": _("This wish is no longer open. Make a new one if you still want to play."),
        "no-such-alert": _("There is no such alert of yours."),
        "appointment-over": _("This appointment is over or cancelled. Look for another one, or propose one yourself."),
        "not-proposer": _(
            "Only the person who proposed the appointment can cancel it. You can say that you are not coming."
        ),
        "may-not-meet": _("You cannot take part in this appointment. Look for another one, or propose one yourself."),
        "proposer-comes": _(
            "You proposed this appointment: cancel it if you cannot come, so that the others know why."
        ),
    }
    statuses = {
        403: ("account-needed", "not-proposer", "may-not-meet"),
        404: ("no-such-alert",),
        409: ("wish-over", "appointment-over"),
        429: ("too-many-wishes", "too-many-alerts", "too-many-appointments", "too-often"),
    }
