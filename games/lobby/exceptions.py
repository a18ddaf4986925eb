"""Why something cannot be done at a waiting table."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class LobbyError(Refusal):
    words = {
        "table-gone": _("This table is no longer waiting. Look for another one, or set one up yourself."),
        "table-full": _("The last seat has just been taken. Look for another table, or set one up yourself."),
        "chair-taken": _("This seat has been taken. Choose another one."),
        "no-such-chair": _("There is no such seat at this table. Reload the page and try again."),
        "not-host": _("Only the host of the table can do that."),
        "not-here": _("There is nobody in that seat to be sent away. Reload the page to see who sits there now."),
        "members-only": _(
            "The people at this table have accounts. Sign in, or look for a table that is open to guests."
        ),
        "club-only": _("This table is for the members of a club. Look for another one among the open tables."),
        "invited-only": _("The host of this table invites people by name. Look for another one among the open tables."),
        "sent-away": _("The host wants to play with others at this table. Look for another one among the open tables."),
        "name-needed": _("Write the name by which the others at the table will know you."),
        "too-many-tables": _("Ten tables of yours are waiting already. Close one of them, or wait until one begins."),
        "too-many-chairs": _("You are waiting at thirty tables already. Leave one of them first."),
        "too-often": _("That was a lot in a short time. Wait a few minutes and try again."),
        "cannot-invite": _("This person cannot be invited to this table."),
        "too-many-invitations": _(
            "Twenty people are invited to this table already. Wait for their answers, or hand on the link."
        ),
        "letters-need-account": _("To invite by e-mail you need an account with a confirmed address."),
        "too-many-letters": _(
            "You have invited many people by e-mail today. Hand on the link instead, or go on tomorrow."
        ),
        "letter-over": _(
            "This invitation has been used already. Ask the host for another one, or look for an open table."
        ),
        "no-invitation": _("You have no open invitation to this table."),
        "waits-long-enough": _("The table still waits for a good while. Come back when its time is nearly over."),
    }
    statuses = {
        400: ("no-such-chair",),
        403: ("letters-need-account", "not-host", "members-only", "club-only", "invited-only", "sent-away"),
        409: ("table-gone", "table-full", "chair-taken"),
        429: ("too-many-tables", "too-many-chairs", "too-often", "too-many-invitations", "too-many-letters"),
        410: ("letter-over",),
    }


class CannotInvite(LobbyError):
    """This person cannot be invited: gone, a computer player, at the table already, or may not meet its people."""

    code = "cannot-invite"
