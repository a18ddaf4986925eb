"""Why something cannot be done in an online round, beyond what the state of the tournament says."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class OnlineError(Refusal):
    """Something cannot be done in this online round."""

    words = {
        "account-needed": _(
            "This game belongs to a tournament: only people with an account can take over a seat. Please log in first."
        ),
        "plays-in-this-round": _("You play at another table of this round. Leave this seat to somebody else."),
        "cannot-take-seat": _(
            "This person cannot take the seat: they know these deals, play in this round already, or cannot meet somebody there."
        ),
        "nobody-invited": _("Choose whom to invite: people with an account who have not entered yet."),
        "cannot-invite": _("Nobody can enter this tournament by themselves (any more), so nobody can be invited."),
    }
    statuses = {403: ("account-needed",)}
