"""Why a change of the encyclopedia is not made: one exception per reason, with its HTTP status and a sentence for people.

Nothing has been written when one is raised. `rules.documents.BadDocument` is one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from rules.documents import Document, Merge
    from rules.models import Revision


class Refused(Exception):
    """A change that is not made. `code` names the reason for programs, `message` says it to people."""

    status: ClassVar[int] = 422
    code: ClassVar[str] = "refused"
    message: str | Promise = _("That cannot be changed now.")

    def __init__(self, message: str | Promise = "") -> None:
        super().__init__(message or self.message)
        if message:
            self.message = message


class NotAllowed(Refused):
    """Somebody without the role that this needs."""

    status = 403
    code = "not-allowed"
    message = _("Only editors of this language do that. You can suggest the change instead.")


class SignInFirst(NotAllowed):
    """A guest, or nobody: whoever changes something has a name to answer to."""

    code = "sign-in"
    message = _("Sign in, or make an account, to change or discuss something here.")


class Protected(Refused):
    """The entry is protected, for the time being, from people of this role."""

    status = 403
    code = "protected"
    message = _("This page is protected just now: write in its discussion what should be changed.")


class TooFast(Refused):
    """More changes than one person makes in an hour."""

    status = 429
    code = "too-fast"
    message = _("You have sent many changes in a short time. Wait a little, then send this one again.")


class SpamLink(Refused):
    """A link to where none of the sources lies, or a whole list of links."""

    code = "spam-link"
    message = _(
        "There is a link in it to a place that is none of our sources. Take the link out, or suggest the source first."
    )


class Conflict(Refused):
    """Somebody else changed the same place in the meantime.

    `mine` is what was sent, `theirs` the revision that is published now, `merge` what can be joined and what cannot.
    """

    status = 409
    code = "conflict"
    message = _(
        "Somebody changed the same place in the meantime. Look at both texts and decide again: yours is kept here."
    )

    def __init__(self, merge: Merge, mine: Document, theirs: Revision) -> None:
        super().__init__()
        self.merge = merge
        self.mine = mine
        self.theirs = theirs


class Unchanged(Refused):
    """A change that changes nothing."""

    code = "unchanged"
    message = _("Nothing would be changed by that: this is what is published already.")


class AddressTaken(Refused):
    """Another entry has, or had, this address."""

    code = "address-taken"
    message = _("Another page has this address, or had it once. Choose another one.")


class Decided(Refused):
    """The suggestion was accepted, declined or withdrawn before."""

    status = 409
    code = "decided"
    message = _("This suggestion has been decided in the meantime. Reload the page to see how.")


class NotThere(Refused):
    """There is no such entry."""

    status = 404
    code = "not-there"
    message = _("There is no such page.")
