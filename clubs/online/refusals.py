"""Why something cannot be done in an online round, beyond what the state of the tournament says."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.refusals import Refusal


class AccountNeeded(Refusal):
    """A seat of a tournament is for people who can come back to it."""

    status = 403
    code = "account-needed"
    message = _(
        "This game belongs to a tournament: only people with an account can take over a seat. Please log in first."
    )


class PlaysInThisRound(Refusal):
    """Who wants to take over a seat sits at another table of the same round."""

    code = "plays-in-this-round"
    message = _("You play at another table of this round. Leave this seat to somebody else.")


class CannotTakeSeat(Refusal):
    """The person who was named cannot take the seat in a running game."""

    code = "cannot-take-seat"
    message = _(
        "This person cannot take the seat: they know these deals, play in this round already, or cannot meet somebody there."
    )


class NobodyInvited(Refusal):
    """Nobody who could come was named."""

    code = "nobody-invited"
    message = _("Choose whom to invite: people with an account who have not entered yet.")


class CannotInvite(Refusal):
    """The tournament is over, or nobody can enter it any more."""

    code = "cannot-invite"
    message = _("Nobody can enter this tournament by themselves (any more), so nobody can be invited.")
