"""Why something cannot be done at a table that waits. As with games, nothing has been written when one is raised."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.refusals import Refusal


class TableGone(Refusal):
    """The table has begun, was closed, or waited long enough."""

    status = 409
    code = "table-gone"
    message = _("This table does not wait any more. Look for another one, or lay one of your own.")


class TableFull(Refusal):
    """All seats are taken, or kept for people who are invited."""

    status = 409
    code = "table-full"
    message = _("The last seat has just been taken. Look for another table, or lay one of your own.")


class ChairTaken(Refusal):
    """Somebody sits there, or it is kept for somebody."""

    status = 409
    code = "chair-taken"
    message = _("This seat is taken by now. Choose another one.")


class NoSuchChair(Refusal):
    """There is no such seat, or seats cannot be chosen here."""

    status = 400
    code = "no-such-chair"
    message = _("There is no such seat to choose at this table. Reload the page and try again.")


class NotHost(Refusal):
    """Only the host may do this."""

    status = 403
    code = "not-host"
    message = _("Only the host of the table can do that.")


class NotHere(Refusal):
    """The person does not sit at the table."""

    code = "not-here"
    message = _("There is nobody to go from that seat. Reload the page to see who sits there now.")


class MembersOnly(Refusal):
    """Guests may not join."""

    status = 403
    code = "members-only"
    message = _("At this table sit people with an account. Sign in, or look for a table that is open to guests.")


class InvitedOnly(Refusal):
    """The table is for those who were invited by name."""

    status = 403
    code = "invited-only"
    message = _("The host of this table invites people by name. Look for another one among the open tables.")


class SentAway(Refusal):
    """The host has sent this person away."""

    status = 403
    code = "sent-away"
    message = _("The host wants to play with others at this table. Look for another one among the open tables.")


class NameNeeded(Refusal):
    """The others want to know who plays with them; `unusable` says what is wrong with the name that was given."""

    code = "name-needed"
    message: str | Promise = _("Write the name by which the others at the table shall know you.")

    def __init__(self, unusable: str = "") -> None:
        super().__init__(unusable)
        if unusable:
            self.message = unusable


class TooManyTables(Refusal):
    """As many tables of one person wait already as may."""

    status = 429
    code = "too-many-tables"
    message = _("Ten tables of yours are waiting already. Close one of them, or wait until one begins.")


class TooManyChairs(Refusal):
    """A person waits at as many tables as they may."""

    status = 429
    code = "too-many-chairs"
    message = _("You are waiting at thirty tables already. Leave one of them first.")


class TooOften(Refusal):
    """Too much in too short a time."""

    status = 429
    code = "too-often"
    message = _("That was a lot in a short time. Wait a few minutes and try again.")


class CannotInvite(Refusal):
    """This person cannot be asked to this table: gone, a computer player, sitting there already, or not to be met."""

    code = "cannot-invite"
    message = _("This person cannot be invited to this table.")


class TooManyInvitations(Refusal):
    """Enough people were asked."""

    status = 429
    code = "too-many-invitations"
    message = _("Twenty people are invited to this table already. Wait for their answers, or hand on the link.")


class NoInvitation(Refusal):
    """There is no open invitation to answer."""

    code = "no-invitation"
    message = _("You have no open invitation to this table.")


class WaitsLongEnough(Refusal):
    """More time was asked for while there is plenty."""

    code = "waits-long-enough"
    message = _("The table still waits for a good while. Come back when its time is nearly over.")
