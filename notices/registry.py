"""What the apps above register with notices: who words their events, and what games and tables are called.

Also which kinds of events there are, how each may be sent, and which make an earlier notice pointless.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar, cast

from django.db import models
from django.utils.translation import gettext_lazy

from accounts.models import Player
from core.registry import Registry

Params = Mapping[str, Any]
Key: TypeAlias = str | int
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Words:
    """An event in the reader's language. It may be read on a locked screen by others: never a card, never a hand."""

    subject: str
    """One short line: the subject of a mail, the title of a message."""
    line: str
    """One or two sentences, without markup."""
    url: str
    """The path of the page where one sees it or can act, from the root: `/g/bcd…/`. Opening it changes nothing."""
    tag: str
    """What it is about: on a device a newer message takes the place of an older one with the same tag."""
    until: datetime | None = None
    """By when something has to be done; a daily mail is sorted by it."""
    more: Callable[[], Sequence[str]] | None = field(default=None, compare=False)
    """More sentences for a letter alone, found only when it is written: a letter is not read on a locked screen."""


class Telling(Protocol):
    """What an app says about its events. Both functions are called by workers, outside of any request."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Every event it has words for (`app.what-happened`), and its kind. No other can be put into the outbox."""

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """Whether it is still worth telling `player`: it is still their turn, the invitation still stands.

        False too for what is unknown (a game that is gone) or never worth telling. It should cost a query or two;
        rows that the parameters name are found by a `Lookup`, so that a page of notices costs no more.
        """

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The event in words, or None if there is nothing to say.

        `language` (a code of `settings.LANGUAGES`) and the player's time zone are active already while this is called.
        """


class Lookup(Generic[Row]):
    """The rows that notices name by one of their parameters: fetched one at a time, or all together for a whole list.

    `find` takes what the parameter says in each of the notices, and whom they are for; it gives the rows by that, in a
    number of queries that does not depend on how many they are.
    """

    def __init__(self, name: str, find: Callable[[Collection[Key], Player], Mapping[Key, Row]]) -> None:
        self._name, self._find = name, find

    def __call__(self, params: Params, player: Player) -> Row | None:
        """The row that these parameters name; None where there is none."""
        key = params.get(self._name)
        if not isinstance(key, str | int):
            return None
        reading = _reading.get()
        if reading is None:
            return self._find([key], player).get(key)
        if self not in reading.found:
            named = (each.get(self._name) for each in reading.listed)
            reading.found[self] = self._find({each for each in named if isinstance(each, str | int)}, player)
        return cast("Row | None", reading.found[self].get(key))


def numbers(keys: Collection[Key]) -> list[int]:
    """Those that are numbers, for rows that are named by their key."""
    return [key for key in keys if isinstance(key, int)]


@dataclass(slots=True)
class _Reading:
    """A list of notices that is being read: their parameters, and what was found for all of them."""

    listed: Sequence[Params]
    found: dict[Lookup[Any], Mapping[Key, Any]] = field(default_factory=dict)


_reading: Final[ContextVar[_Reading | None]] = ContextVar("_reading", default=None)


@contextmanager
def reading(listed: Sequence[Params]) -> Iterator[None]:
    """Within it each `Lookup` finds what all these notices of one player name, once. Nothing is kept afterwards."""
    before = _reading.set(_Reading(listed))
    try:
        yield
    finally:
        _reading.reset(before)


def _players(public_ids: Collection[Key], _player: Player) -> Mapping[Key, Player]:
    return {row.public_id: row for row in Player.objects.select_related("merged_into").filter(public_id__in=public_ids)}


who_did_it: Final = Lookup("by", _players)
"""The person whose public id is in `by`."""

speakers: Final[dict[str, Telling]] = {}
"""What words the events `app.…`, by `app`: written from `AppConfig.ready`."""


def find_wording(event: str) -> Telling | None:
    """What words an event, None if nothing does."""
    return speakers.get(event.partition(".")[0])


@dataclass(frozen=True, slots=True)
class Subject:
    """A game or table in the reader's language: its name in a sentence, and its page."""

    name: str
    url: str


class Finder(Protocol):
    def __call__(self, player: Player, topic: str) -> Subject | None:
        """The game or table with this public id, if `player` sits there or waits there; else None."""


finders: Final = Registry[Finder]()


def find_subject(player: Player, topic: str) -> Subject | None:
    """What `topic` is to `player`: the first answer of the rooms, None for an empty or a strange one."""
    if not topic:
        return None
    return next((found for finder in finders if (found := finder(player, topic)) is not None), None)


class Kind(models.TextChoices):
    """What a notice is about. Preferences speak of these, not of single events."""

    TURN = "turn"
    DEADLINE = "deadline"
    QUESTION = "question"
    GAME = "game"
    TABLE = "table"
    TALK = "talk"
    MESSAGE = "message"
    MEETING = "meeting"
    CLUB = "club"
    OTHER = "other"
    TEST = "test"


class Wish(models.TextChoices):
    """When somebody wants to be told of something on one channel."""

    NOW = "now", gettext_lazy("at once")
    HOUR = "hour", gettext_lazy("within the hour, unless a device shows it")
    DIGEST = "digest", gettext_lazy("once a day")
    NEVER = "never", gettext_lazy("not at all")


class TurnMail(models.TextChoices):
    """How much mail one wants about one's own turns. Each step leaves something out; all but the last remind in time."""

    EACH = "each", gettext_lazy("at each turn")
    HOUR = "hour", gettext_lazy("within the hour, unless a device shows it")
    DIGEST = "digest", gettext_lazy("once a day")
    DEADLINE = "deadline", gettext_lazy("only when time runs short")
    NOTHING = "nothing", gettext_lazy("not at all")


class TurnPush(models.TextChoices):
    """How many messages on one's devices one wants about one's own turns."""

    EACH = "each", gettext_lazy("at each turn")
    DEADLINE = "deadline", gettext_lazy("only when time runs short")
    NOTHING = "nothing", gettext_lazy("not at all")


ASKING: Final = frozenset({Kind.TURN, Kind.DEADLINE, Kind.QUESTION})
"""The kinds that ask somebody to act: they hold until that is done or asked no more, also when they were read."""

_ENDS: Final = frozenset({"game.finished", "game.timeout", "game.paused", "game.replaced"})
_LATEST: Final = (
    frozenset({"game.declined", "game.paused", "game.resumed"}), frozenset({"game.vacation", "game.timeout", "game.replaced"}),
)  # fmt: skip
"""Events of which only the latest says how it is now."""
IMPLIED: Final = {"table.started": "game.turn"}
"""Events that need not stand in a letter beside another about the same: whose turn it is knows that the game has begun."""


@cache
def kind_of(event: str) -> Kind:
    """The kind of an event, as whoever speaks for it says: asked once, since it stays the same. Raises LookupError for one that nobody has words for."""
    speaker = find_wording(event)
    if speaker is None or event not in speaker.kinds:
        raise LookupError(f"nobody has words for {event}: see the `notifications` of its app")
    return speaker.kinds[event]


def superseded_by(event: str) -> frozenset[Kind]:
    """The kinds whose earlier notices about the same game or table say nothing any more once `event` has happened.

    A new turn or a reminder takes the place of the one before; the end of a game, of all that asked one to play.
    """
    kind = kind_of(event)
    if kind in (Kind.TURN, Kind.DEADLINE) or event in _ENDS:
        return frozenset({Kind.TURN, Kind.DEADLINE})
    return frozenset({Kind.TABLE}) if kind is Kind.TABLE else frozenset()


def earlier_events(event: str) -> frozenset[str]:
    """The same of single events: of a week of vacation only the last day is told."""
    return frozenset().union(*(events for events in _LATEST if event in events))
