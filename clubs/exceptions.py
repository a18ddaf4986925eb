"""Why something cannot be done in a club."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


class ClubError(Refusal):
    words = {
        "club-gone": _("This club has been closed. Only the results of its evenings are still here."),
        "account-needed": _("You need an account for that, so that the club can find you again. Sign in or make one."),
        "not-allowed": _("Your role in this club does not include that. Ask its president or secretary."),
        "role-rests": _(
            "Your role in this club rests until you have a second factor: set up a passkey or an app under “Signing in”."
        ),
        "own-factor-first": _(
            "Set up a passkey or an app under “Signing in” first: otherwise your own role would rest with the others."
        ),
        "too-many-clubs": _("You preside over five clubs already. Hand one on, or close it, before you found another."),
        "too-often": _("That was a lot in a short time. Wait a few minutes and try again."),
        "list-full": _(
            "The list is full: a club has at most five thousand entries. Delete those of guests from long ago."
        ),
        "last-president": _("A club always has a president. Make somebody else president first."),
        "no-account-no-role": _(
            "Only somebody with an account can have a role. Invite them to take over their entry first."
        ),
        "same-entry": _("Choose two different entries."),
        "same-evening": _("Both were at the same evening, so they cannot count as one person."),
        "no-such-member": _("This entry is no longer in the list."),
        "has-left": _("This person has left the club. Take them back into the list first."),
        "name-needed": _("Write at least a first name or a last name."),
        "own-affair": _("This person has an account and decides alone whether they are named in public."),
        "already-member": _("You are a member of this club already."),
        "in-the-list": _("This person is in your list already."),
        "by-invitation": _("This club invites people itself. Speak to somebody who belongs to it."),
        "asked-already": _("You have asked already, and the club has not answered yet."),
        "asked-too-often": _("The club declined your request recently. Speak to somebody who belongs to it."),
        "no-request": _("This request has been answered or taken back in the meantime."),
        "invitation-over": _("This invitation is no longer valid. Ask the club for a new one."),
        "not-for-you": _("This invitation is for somebody else. Ask the club for one of your own."),
        "entry-taken": _("This entry belongs to an account already."),
        "too-many-invitations": _("A hundred invitations are open already. Revoke those that nobody needs."),
        "cannot-invite": _("This person cannot be invited."),
        "rules-moved": _(
            "Somebody has changed the house rules while you were writing. What you wrote is still here: "
            "compare it with the present version, then save again."
        ),
        "nothing-changed": _("These rules are the same as before; no new version was made."),
        "no-such-entry": _("This entry is no longer there."),
        "season-ended": _("This season is over and its list is final. Open it again first."),
        "name-taken": _("Another season of this club has this name. Choose another one."),
        "draft-gone": _("This file is no longer here; it was kept for a day. Send it again."),
    }
    statuses = {
        403: ("account-needed", "not-allowed", "role-rests", "own-affair", "by-invitation", "not-for-you"),
        404: ("no-such-member", "no-such-entry"),
        409: (
            "has-left",
            "already-member",
            "in-the-list",
            "asked-already",
            "no-request",
            "entry-taken",
            "rules-moved",
            "season-ended",
        ),
        410: ("club-gone", "invitation-over", "draft-gone"),
        429: ("too-many-clubs", "too-often", "list-full", "asked-too-often", "too-many-invitations"),
    }


class AccountNeeded(ClubError):
    """Guests of the site are not members of clubs."""

    code = "account-needed"


class NotAllowed(ClubError):
    """The person has no role in the club that lets them do this."""

    code = "not-allowed"


class RoleRests(NotAllowed):
    """The person has a role in the club, but lacks the second factor that the club demands for it."""

    code = "role-rests"


class BadFile(ClubError):
    """A file cannot be read; the message says why."""

    code = "bad-file"

    def __init__(self, why: str | Promise) -> None:
        super().__init__(message=why)
