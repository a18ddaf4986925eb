"""The reasons why something cannot be done at a table."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal
from domain.engine import Illegality


class GameError(Refusal):
    words = {
        "stale": _("The game has moved on in the meantime. This is the table as it stands now: please decide again."),
        "not-your-seat": _("You do not sit at this table; you can only watch here."),
        "not-your-turn": _("It is not your turn. Wait until the others have acted."),
        "game-ended": _("This game is over. You can look back at it or begin a new one."),
        "not-now": _("The table is not waiting for that just now. Look at what is being asked."),
        "malformed": _("This could not be read as an action at the table. Reload the page and try again."),
        "nothing-said": _("Choose at least one phrase, then say it."),
        "card-named": _("In the talk nobody names a suit or a card, but the XXI and the Fool. Say it in another way."),
        "no-clock": _("This table has no clock: there is no time to give, and nothing to pause."),
        "own-time": _("You cannot give time to yourself. Ask the others: each of them can give you more."),
        "too-much-time": _("So long is not possible here. Choose one of the times that are offered."),
        "seat-taken": _("This seat is no longer open. You can watch the game, or begin one of your own."),
        "may-not-meet": _("You cannot take a seat at this table. Look for another one among the open tables."),
        "met-already": _(
            "You know these deals from another table already. Nobody plays a deal twice: leave this seat to others."
        ),
        "not-proven": _("Your cards do not prove that you win every trick that is left. Play on, and try again later."),
        "cannot-take-back": _(
            "This cannot be taken back any more: somebody has acted since, it showed something, or it was declined. Play on."
        ),
        "illegal": _("That cannot be done now. Reload the page and try again."),
    }
    statuses = {400: ("malformed",), 403: ("not-your-seat", "may-not-meet"), 409: ("stale",)}


class Stale(GameError):
    """The game has moved on since the player looked: show the present table and let them decide again."""

    code = "stale"


class NotYourSeat(GameError):
    code = "not-your-seat"


class GameEnded(GameError):
    code = "game-ended"


class NotNow(GameError):
    """The table is not waiting for that, such as a card between two deals."""

    code = "not-now"


class MayNotMeet(GameError):
    """The player may not sit down, because they or somebody at the table has blocked the other."""

    code = "may-not-meet"


class MetAlready(GameError):
    code = "met-already"


class Malformed(GameError):
    """The request cannot be read as an action; `reason`, and the field `where` it lies, are for logs and programs."""

    code = "malformed"

    def __init__(self, reason: str, *, where: str = "action") -> None:
        super().__init__()
        self.reason = reason
        self.where = where


class Forbidden(GameError):
    code = "illegal"

    def __init__(self, illegality: Illegality) -> None:
        super().__init__()
        self.illegality = illegality
