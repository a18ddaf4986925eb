"""Why a change to the encyclopedia is refused. `rules.documents.BadDocument` is one of the reasons, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal

if TYPE_CHECKING:
    from rules.documents import Document, Merge
    from rules.models import Revision


class RulesError(Refusal):
    words = {
        "not-allowed": _("Only editors of this language do that. You can suggest the change instead."),
        "sign-in": _("Sign in, or make an account, to change or discuss something here."),
        "protected": _("This page is protected at the moment. Write in its discussion what should be changed."),
        "too-fast": _("You have sent many changes in a short time. Wait a little, then send this one again."),
        "spam-link": _(
            "It contains a link to a site that is not one of our sources. Take the link out, or suggest the source first."
        ),
        "conflict": _(
            "Somebody changed the same place in the meantime. Look at both texts and decide again: yours is kept here."
        ),
        "unchanged": _("Nothing would be changed by that: this is what is published already."),
        "address-taken": _("Another page has this address, or had it once. Choose another one."),
        "decided": _("This suggestion has been decided in the meantime. Reload the page to see how."),
        "not-there": _("There is no such page."),
    }
    statuses = {
        403: ("not-allowed", "protected", "sign-in"),
        404: ("not-there",),
        409: ("conflict", "decided"),
        429: ("too-fast",),
    }


class Conflict(RulesError):
    """Somebody else changed the same place in the meantime.

    `mine` is the submitted document, `theirs` the revision published now, `merge` the attempt to merge both.
    """

    code = "conflict"

    def __init__(self, merge: Merge, mine: Document, theirs: Revision) -> None:
        super().__init__()
        self.merge = merge
        self.mine = mine
        self.theirs = theirs
