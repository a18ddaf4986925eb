"""What sorts of events there are, how each may be told, and which make an earlier notice pointless."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy


class Kind(models.TextChoices):
    """What a notice is about. Preferences speak of these, not of single events."""

    TURN = "turn"
    DEADLINE = "deadline"
    GAME = "game"
    TABLE = "table"
    TALK = "talk"
    OTHER = "other"
    TEST = "test"


class Wish(models.TextChoices):
    """When somebody wants to be told of something on one channel."""

    NOW = "now", gettext_lazy("at once")
    DIGEST = "digest", gettext_lazy("once a day")
    NEVER = "never", gettext_lazy("not at all")


class TurnMail(models.TextChoices):
    """How much mail one wants about one's own turns. Each step leaves something out; all but the last remind in time."""

    EACH = "each", gettext_lazy("at each turn")
    DIGEST = "digest", gettext_lazy("once a day")
    DEADLINE = "deadline", gettext_lazy("only when time runs short")
    NOTHING = "nothing", gettext_lazy("not at all")


class TurnPush(models.TextChoices):
    """How many messages on one's devices one wants about one's own turns."""

    EACH = "each", gettext_lazy("at each turn")
    DEADLINE = "deadline", gettext_lazy("only when time runs short")
    NOTHING = "nothing", gettext_lazy("not at all")


_EXACTLY: Final = {
    "game.turn": Kind.TURN,
    "game.deadline": Kind.DEADLINE,
    "game.remark": Kind.TALK,
    "notices.test": Kind.TEST,
    "tournament.deadline": Kind.DEADLINE,
}
_ROOMS: Final = {"game": Kind.GAME, "table": Kind.TABLE}
_ENDS: Final = frozenset({"game.finished", "game.timeout", "game.paused"})


def kind_of(event: str) -> Kind:
    """The kind of an event, by its name or else by the part before the dot; `OTHER` for what nobody has foreseen."""
    return _EXACTLY.get(event) or _ROOMS.get(event.partition(".")[0], Kind.OTHER)


def superseded_by(event: str) -> frozenset[Kind]:
    """The kinds whose earlier notices about the same game or table say nothing any more once `event` has happened.

    A new turn or a reminder takes the place of the one before; the end of a game, of all that asked one to play.
    """
    kind = kind_of(event)
    if kind in (Kind.TURN, Kind.DEADLINE) or event in _ENDS:
        return frozenset({Kind.TURN, Kind.DEADLINE})
    return frozenset({Kind.TABLE}) if kind is Kind.TABLE else frozenset()
