"""Why the door stays shut: one exception per reason, with the HTTP status that says the same and a sentence for the reader.

Nothing has been written when one is raised.
"""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import suspending
from games.engine import Illegality


class Refusal(Exception):
    """Something cannot be done at this table now. `code` names the reason for programs, `message` says it to people."""

    status = 422
    code = "refused"
    message: str | Promise = _("That cannot be done now.")


class Stale(Refusal):
    """The game has moved on since the caller looked: show the present table and let them decide again."""

    status = 409
    code = "stale"
    message = _("The game has moved on in the meantime. This is the table as it stands now: please decide again.")


class NotYourSeat(Refusal):
    """The player does not sit there."""

    status = 403
    code = "not-your-seat"
    message = _("You do not sit at this table; you can only watch here.")


class NotYourTurn(Refusal):
    """Somebody else is asked."""

    code = "not-your-turn"
    message = _("It is not your turn. Wait until the others have acted.")


class GameEnded(Refusal):
    """The game is over."""

    code = "game-ended"
    message = _("This game is over. You can look back at it or begin a new one.")


class NotNow(Refusal):
    """The table is not waiting for that: a card between two deals, a seat taken twice."""

    code = "not-now"
    message = _("The table is not waiting for that just now. Look at what is being asked.")


class RequestReused(Refusal):
    """The same request id came with another action."""

    code = "request-reused"
    message = _("This page sent two different answers under one number. Reload the page and try again.")


class Malformed(Refusal):
    """The text is no action; `reason` is for logs and programs."""

    status = 400
    code = "malformed"
    message = _("This could not be read as an action at the table. Reload the page and try again.")

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CardNamed(Refusal):
    """Free words in the talk name a suit or a card."""

    code = "card-named"
    message = _("In the talk nobody names a suit or a card, but the XXI and the Fool. Say it in another way.")


class NoClock(Refusal):
    """Nobody is hurried at this table."""

    code = "no-clock"
    message = _("This table has no clock: there is no time to give, and nothing to pause.")


class OwnTime(Refusal):
    """Time is given to others."""

    code = "own-time"
    message = _("You cannot give time to yourself. Ask the others: each of them can give you more.")


class TimeRefused(Refusal):
    """So much time cannot be given, or no pause be so long."""

    code = "too-much-time"
    message = _("So long is not possible here. Choose one of the times that are offered.")


class SeatTaken(Refusal):
    """Nobody is looked for at that seat."""

    code = "seat-taken"
    message = _("Nobody is looked for at this seat any more. You can watch the game, or begin one of your own.")


class MayNotMeet(Refusal):
    """Somebody at the table and who wants to sit down there have nothing to do with each other."""

    status = 403
    code = "may-not-meet"
    message = _("You cannot take a seat at this table. Look for another one among the open tables.")


class MetAlready(Refusal):
    """Somebody has met these deals at another table."""

    code = "met-already"
    message = _(
        "You know these deals from another table already. Nobody plays a deal twice: leave this seat to others."
    )


class NotProven(Refusal):
    """The cards do not prove that every trick left is won."""

    code = "not-proven"
    message = _("Your cards do not prove that you win every trick that is left. Play on, and try again later.")


class CannotTakeBack(Refusal):
    """Somebody has acted since, something was shown, or the others have declined it."""

    code = "cannot-take-back"
    message = _(
        "This cannot be taken back any more: somebody has acted since, it showed something, or it was declined. Play on."
    )


class Forbidden(Refusal):
    """A rule of the game forbids it."""

    code = "illegal"

    def __init__(self, illegality: Illegality) -> None:
        super().__init__(str(illegality))
        self.illegality = illegality


class IsSuspended(Refusal):
    """The moderators keep this person from new tables for a while; `why` says until when, and for what reason."""

    status = 403
    code = "suspended"

    def __init__(self, why: suspending.Suspended) -> None:
        super().__init__(str(why))
        self.message = str(why)
