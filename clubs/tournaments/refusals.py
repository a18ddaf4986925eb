"""Why the door of a tournament stays shut."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from clubs.evening.refused import EveningRefused
from clubs.tournaments.wording import refusal
from games.refusals import Refusal


class Moved(Refusal):
    """Something happened in the meantime that what was asked depends on."""

    status = 409
    code = "stale"
    message = _("Something has happened in the meantime. This is how it stands now: please decide again.")


class NotAllowedHere(Refusal):
    """The code, or the role, does not include that."""

    status = 403
    code = "not-allowed"
    message = _("This code does not open that. Scan the code of your own table, or ask the tournament director.")


class NotOpen(Refusal):
    """A cancelled tournament."""

    status = 410
    code = "cancelled"
    message = _("This tournament does not take place.")


class Refused(Refusal):
    """What the state of the tournament refuses (`EveningRefused`), with its words."""

    def __init__(self, why: EveningRefused) -> None:
        super().__init__(why.code)
        self.code = why.code
        self.field = why.field
        self.facts: Mapping[str, str | int] = why.facts
        self.message = refusal(why.code, why.field, why.facts)
