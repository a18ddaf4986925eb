"""Why something cannot be planned, entered, or done at the door."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from core.exceptions import Refusal


class EntryError(Refusal):
    """Something about a tournament's announcement, entries or money cannot be done."""

    words = {
        "has-begun": _("People have entered, or rounds were played, so this stays. You can cancel the tournament."),
        "cannot-cancel": _("Rounds were drawn already. Close the tournament instead: its results stay."),
        "full": _("All places are taken. Ask the club: at the door somebody may still find a chair."),
        "entry-closed": _("Here people do not enter by themselves (any more). Ask the club, or come to the door."),
        "members-only": _(
            "Only members of the club enter by themselves here. Others ask the club, or come to the door."
        ),
        "entered-already": _("You have entered already."),
        "not-entered": _("You have not entered here."),
        "name-missing": _("Write at least a first name or a last name."),
        "nobody-chosen": _("Nobody is chosen. Tick the people first."),
        "two-needed": _("Choose exactly two."),
        "no-such-person": _("This person is not in the club’s list (any more). Load the page again."),
        "paid-already": _(
            "That was paid in the meantime, perhaps to the other helper. Nothing was written down a second time."
        ),
        "not-money": _("Write an amount in francs, such as 10 or 12.50. The smallest coin is five Rappen."),
        "wrong-code": _(
            "This code does not open the door (any more). Ask the tournament director for the present one and scan that."
        ),
        "door-over": _(
            "The door is shut: this tournament is over, or does not take place. The desk does what is left."
        ),
        "too-many-guesses": _("Too many wrong codes came from here. Wait a few minutes, then scan the code once more."),
        "alike": _("Somebody of that name is in the list already. Is it the same person?"),
    }
    statuses = {
        403: ("members-only", "wrong-code"),
        404: ("no-such-person",),
        409: ("alike", "ask-first", "paid-already"),
        410: ("door-over",),
        429: ("too-many-guesses",),
    }


class Alike(EntryError):
    """Somebody of that name is in the list: `members`. Is it the same person?"""

    code = "alike"

    def __init__(self, members: Sequence[Member]) -> None:
        super().__init__()
        self.members = tuple(members)


class AskFirst(EntryError):
    """Something that is asked about once more: `do`, what was pressed."""

    code = "ask-first"

    def __init__(self, do: str, question: str, button: str) -> None:
        super().__init__(message=question)
        self.do, self.button = do, button
