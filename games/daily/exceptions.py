"""Why the deal of the day cannot be begun."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class DailyError(Refusal):
    """The deal of the day cannot be begun."""

    words = {
        "day-over": _("That day is over: its deal cannot be begun any more. This is the deal of today."),
    }
    statuses = {409: ("day-over",)}
