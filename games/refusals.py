"""Why the door stays shut: one exception per reason, with the HTTP status that says the same. Nothing has been written."""

from __future__ import annotations

from games.engine import Illegality


class Refusal(Exception):
    """Something cannot be done at this table now. `code` names the reason for `wording.refusal_text`."""

    status = 422
    code = "refused"


class Stale(Refusal):
    """The game has moved on since the caller looked: show the present table and let them decide again."""

    status = 409
    code = "stale"


class NotYourSeat(Refusal):
    """The player does not sit there."""

    status = 403
    code = "not-your-seat"


class NotYourTurn(Refusal):
    """Somebody else is asked."""

    code = "not-your-turn"


class GameEnded(Refusal):
    """The game is over."""

    code = "game-ended"


class NotNow(Refusal):
    """The table is not waiting for that: a card between two deals, a seat taken twice."""

    code = "not-now"


class RequestReused(Refusal):
    """The same request id came with another action."""

    code = "request-reused"


class Malformed(Refusal):
    """The text is no action; `reason` is for logs and programs."""

    status = 400
    code = "malformed"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Forbidden(Refusal):
    """A rule of the game forbids it."""

    code = "illegal"

    def __init__(self, illegality: Illegality) -> None:
        super().__init__(str(illegality))
        self.illegality = illegality
