"""Why something cannot be done at a tournament."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal
from domain.errors import DomainError
from tournaments.text import refusal


class TournamentError(Refusal):
    """Something cannot be done at this tournament."""

    words = {
        "stale": _("Something has happened in the meantime. This is how it stands now: please decide again."),
        "not-allowed": _(
            "This code does not open that. Scan the code of your own table, or ask the tournament director."
        ),
        "cancelled": _("This tournament does not take place."),
        "club-closed": _("The club of this tournament is closed. What was played stays to be read."),
        "no-pdf": _(
            "This machine has no libraries to make PDF (Pango is missing). Open the page without .pdf and print it from the "
            "browser: there one can also choose to save it as PDF."
        ),
        "season-ended": _("One of these seasons was declared final meanwhile. Open it again in the club first."),
    }
    statuses = {
        403: ("not-allowed",),
        409: ("stale", "season-ended"),
        410: ("cancelled", "club-closed"),
        501: ("no-pdf",),
    }


class Moved(TournamentError):
    """Something happened in the meantime that what was asked depends on."""

    code = "stale"


class Refused(TournamentError):
    """What the state of the tournament refuses (`DomainError`), with its words."""

    def __init__(self, code: str, field: str = "", **facts: str | int) -> None:
        super().__init__(code, refusal(code, field, facts))
        self.field = field
        self.facts = facts

    @classmethod
    def of(cls, why: DomainError) -> Refused:
        """What the state said."""
        return cls(why.code, why.field, **why.facts)
