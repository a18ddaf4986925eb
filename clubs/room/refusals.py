"""Why something cannot be done in a club. As with games, nothing has been written when one is raised."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import suspending
from games.refusals import Refusal


class ClubGone(Refusal):
    """The club was closed."""

    status = 410
    code = "club-gone"
    message = _("This club was closed. Only results of its evenings are still here.")


class AccountNeeded(Refusal):
    """Guests of the site are not members of clubs."""

    status = 403
    code = "account-needed"
    message = _("For that you need an account, so that the club can find you again. Sign in, or make one.")


class NotAllowed(Refusal):
    """The person has no role in the club that lets them do this."""

    status = 403
    code = "not-allowed"
    message = _("Your role in this club does not include that. Ask its president or secretary.")


class Suspended(Refusal):
    """The moderators keep this person from beginning and writing for a while."""

    status = 403
    code = "suspended"

    def __init__(self, why: suspending.Suspended) -> None:
        super().__init__(str(why))
        self.message = str(why)


class TooManyClubs(Refusal):
    """One person presides over as many clubs as they may."""

    status = 429
    code = "too-many-clubs"
    message = _("You preside over five clubs already. Hand one on, or close it, before you found another.")


class TooOften(Refusal):
    """Too much in too short a time."""

    status = 429
    code = "too-often"
    message = _("That was a lot in a short time. Wait a few minutes and try again.")


class ListFull(Refusal):
    """The list of members has as many entries as it may."""

    status = 429
    code = "list-full"
    message = _("The list is full: a club has at most five thousand entries. Delete those of guests from long ago.")


class LastPresident(Refusal):
    """Without this person nobody could look after the club."""

    code = "last-president"
    message = _("A club always has a president. Make somebody else president first.")


class NoAccountNoRole(Refusal):
    """Roles are for people who can sign in."""

    code = "no-account-no-role"
    message = _("Only somebody with an account can have a role. Invite them to take over their entry first.")


class NoSuchMember(Refusal):
    """The entry is gone, or belongs to another club."""

    status = 404
    code = "no-such-member"
    message = _("This entry is not in the list any more. Reload the page.")


class HasLeft(Refusal):
    """The person does not belong to the club any more."""

    status = 409
    code = "has-left"
    message = _("This person has left the club. Take them back into the list first.")


class NameNeeded(Refusal):
    """An entry has at least a first or a last name."""

    code = "name-needed"
    message = _("Write at least a first name or a last name.")


class OwnAffair(Refusal):
    """Whether somebody with an account is named in public is for them to say."""

    status = 403
    code = "own-affair"
    message = _("This person has an account and decides alone whether they are named in public.")


class AlreadyMember(Refusal):
    """The person is in the list already."""

    status = 409
    code = "already-member"
    message = _("You are a member of this club already.")


class InTheList(Refusal):
    """The player is in the list already, seen from who keeps it."""

    status = 409
    code = "in-the-list"
    message = _("This person is in your list already.")


class ByInvitation(Refusal):
    """The club takes nobody who asks."""

    status = 403
    code = "by-invitation"
    message = _("This club invites people itself. Speak to somebody who belongs to it.")


class AskedAlready(Refusal):
    """An earlier request has not been answered."""

    status = 409
    code = "asked-already"
    message = _("You have asked already, and the club has not answered yet.")


class AskedTooOften(Refusal):
    """The club has said no, and should not be pressed."""

    status = 429
    code = "asked-too-often"
    message = _("The club has declined not long ago. Speak to somebody who belongs to it.")


class NoRequest(Refusal):
    """The request was answered or taken back meanwhile."""

    status = 409
    code = "no-request"
    message = _("This request has been answered or taken back in the meantime. Reload the page.")


class InvitationOver(Refusal):
    """The link was used up, revoked, or is too old."""

    status = 410
    code = "invitation-over"
    message = _("This invitation does not hold any more. Ask the club for a new one.")


class NotForYou(Refusal):
    """The invitation is for somebody else."""

    status = 403
    code = "not-for-you"
    message = _("This invitation is for somebody else. Ask the club for one of your own.")


class EntryTaken(Refusal):
    """The entry belongs to another account."""

    status = 409
    code = "entry-taken"
    message = _("This entry belongs to an account already.")


class TooManyInvitations(Refusal):
    """As many invitations are open as may be."""

    status = 429
    code = "too-many-invitations"
    message = _("A hundred invitations are open already. Revoke those that nobody needs.")


class CannotInvite(Refusal):
    """This person cannot be asked."""

    code = "cannot-invite"
    message = _("This person cannot be invited.")


class RulesMoved(Refusal):
    """Somebody else has written a new version meanwhile."""

    status = 409
    code = "rules-moved"
    message = _(
        "Somebody has changed the house rules while you were writing. What you wrote is still here: "
        "compare it with the present version, then save again."
    )


class NothingChanged(Refusal):
    """The new version would say what the old one says."""

    code = "nothing-changed"
    message = _("These rules are the same as before; no new version was made.")


class NoSuchEntry(Refusal):
    """A date, a piece of news or a season is gone."""

    status = 404
    code = "no-such-entry"
    message = _("This entry is not there any more. Reload the page.")


class SeasonEnded(Refusal):
    """A season that is final is not changed any more."""

    status = 409
    code = "season-ended"
    message = _("This season is over and its list is final. Open it again first.")


class NameTaken(Refusal):
    """Two seasons of a club cannot be called the same."""

    code = "name-taken"
    message = _("Another season of this club is called so. Choose another name.")


class DraftGone(Refusal):
    """What was read of a file is not kept any more."""

    status = 410
    code = "draft-gone"
    message = _("This file is not here any more; it was kept for a day. Send it again.")


class BadFile(Refusal):
    """A file cannot be read; the sentence says why."""

    code = "bad-file"

    def __init__(self, why: str | Promise) -> None:
        super().__init__(str(why))
        self.message = why
