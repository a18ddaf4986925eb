"""Why something cannot be planned, or done at the door. Nothing has been written when one is raised."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.room_models import Member
from games.refusals import Refusal


class HasBegun(Refusal):
    """Something has happened that must not vanish."""

    code = "has-begun"
    message = gettext_lazy("People have entered, or rounds were played, so this stays. You can cancel the tournament.")


class CannotCancel(Refusal):
    """Rounds were played."""

    code = "cannot-cancel"
    message = gettext_lazy("Rounds were drawn already. Close the tournament instead: its results stay.")


class Full(Refusal):
    """As many have entered as may."""

    code = "full"
    message = gettext_lazy("All places are taken. Ask the club: at the door somebody may still find a chair.")


class EntryClosed(Refusal):
    """One cannot enter by oneself."""

    code = "entry-closed"
    message = gettext_lazy("Here people do not enter by themselves (any more). Ask the club, or come to the door.")


class MembersOnly(Refusal):
    """Only members enter by themselves."""

    status = 403
    code = "members-only"
    message = gettext_lazy(
        "Only members of the club enter by themselves here. Others ask the club, or come to the door."
    )


class EnteredAlready(Refusal):
    """The person takes part already."""

    code = "entered-already"
    message = gettext_lazy("You have entered already.")


class NotEntered(Refusal):
    """The person does not take part."""

    code = "not-entered"
    message = gettext_lazy("You have not entered here.")


class NameMissing(Refusal):
    """A walk-in without a name."""

    code = "name-missing"
    message = gettext_lazy("Write at least a first name or a last name.")


class NobodyChosen(Refusal):
    """A list from which nothing was chosen."""

    code = "nobody-chosen"
    message = gettext_lazy("Nobody is chosen. Tick the people first.")


class TwoNeeded(Refusal):
    """A pair is two."""

    code = "two-needed"
    message = gettext_lazy("Choose exactly two.")


class NoSuchPerson(Refusal):
    """An entry that is not in the club's list, or not any more."""

    status = 404
    code = "no-such-person"
    message = gettext_lazy("This person is not in the club’s list (any more). Load the page again.")


class Alike(Refusal):
    """Somebody of that name is in the list: `members`. Is it the same person?"""

    status = 409
    code = "alike"

    def __init__(self, members: Sequence[Member]) -> None:
        super().__init__("alike")
        self.members = tuple(members)
        self.message = _("Somebody of that name is in the list already. Is it the same person?")


class AskFirst(Refusal):
    """Something that is asked about once more: `do`, what was pressed."""

    status = 409
    code = "ask-first"

    def __init__(self, do: str, question: str, button: str) -> None:
        super().__init__("ask-first")
        self.do, self.button = do, button
        self.message = question


class PaidAlready(Refusal):
    """More than is open: somebody else took the money in the meantime."""

    status = 409
    code = "paid-already"
    message = gettext_lazy(
        "That was paid in the meantime, perhaps to the other helper. Nothing was written down a second time."
    )


class NotMoney(Refusal):
    """What was written is no amount."""

    code = "not-money"
    message = gettext_lazy("Write an amount in francs, such as 10 or 12.50. The smallest coin is five Rappen.")


class WrongCode(Refusal):
    """The door's code opens nothing."""

    status = 403
    code = "wrong-code"
    message = gettext_lazy(
        "This code does not open the door (any more). Ask the tournament director for the present one and scan that."
    )


class DoorOver(Refusal):
    """The tournament is closed or cancelled, and helpers have nothing more to do, or to read."""

    status = 410
    code = "door-over"
    message = gettext_lazy(
        "The door is shut: this tournament is over, or does not take place. The desk does what is left."
    )


class TooManyGuesses(Refusal):
    """Codes are tried out."""

    status = 429
    code = "too-many-guesses"
    message = gettext_lazy("Too many wrong codes came from here. Wait a few minutes, then scan the code once more.")
