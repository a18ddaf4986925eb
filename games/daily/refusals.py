"""Why the deal of the day cannot be begun."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.refusals import Refusal


class DayOver(Refusal):
    """The deal that was asked for is not today's any more."""

    status = 409
    code = "day-over"
    message = _("That day is over: its deal cannot be begun any more. This is the deal of today.")
