"""What the apps above register with notices: the wording of their events, and the names of games and tables.

Also the kinds of notices, how each may be sent, and which events make an earlier notice pointless.
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
from django.utils.translation import gettext, gettext_lazy

from accounts.models import Player
from core.registry import Registry

Params = Mapping[str, Any]
Key: TypeAlias = str | int
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Words:
    """An event in the reader's language.

    Others may read it on a locked screen, so it never contains a card or a hand.
    """

    subject: str
    """One short line: the subject of a mail, the title of a message."""
    line: str
    """One or two sentences, without markup."""
    url: str
    """The path of the page on which one sees it or can act, from the root: `/g/bcd…/`. Opening it changes nothing."""
    tag: str
    """What it is about: on a device a newer message replaces an older one with the same tag."""
    until: datetime | None = None
    """By when something has to be done; digests are sorted by it."""
    more: Callable[[], Sequence[str]] | None = field(default=None, compare=False)
    """More sentences for mails only, which are not read on a locked screen. Called when the mail is written."""


class Wording(Protocol):
    """The module `notifications` of an app, which puts the app's events into words.

    Workers call both functions outside of any request.
    """

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Every event that it has words for (`app.what-happened`), and its kind.

        No other can be put into the outbox.
        """

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """Whether the event is still worth telling `player`: it is still their turn, the invitation is still open.

        Also False for something unknown (a deleted game) or never worth telling. It should cost a query or two. Rows
        that the parameters name are fetched by a `Lookup`, so that a page of notices costs no more.
        """

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The event in words, or None if there is nothing to say.

        `language` (a code of `settings.LANGUAGES`) and the player's time zone are already active when this is called.
        """


class Lookup(Generic[Row]):
    """Fetches the rows that notices name in one of their parameters: one at a time, or all together for a list.

    `find` takes the values of the parameter and the player whom the notices are for, and returns the rows by these
    values. The number of its queries must not depend on the number of values.
    """

    def __init__(self, name: str, find: Callable[[Collection[Key], Player], Mapping[Key, Row]]) -> None:
        self._name, self._find = name, find

    def __call__(self, params: Params, player: Player) -> Row | None:
        """The row that these parameters name; None if there is none."""
        key = params.get(self._name)
        if not isinstance(key, str | int):
            return None
        reading = _reading.get()
        if reading is None:
            return self._find([key], player).get(key)
        if self not in reading.rows:
            keys = (each.get(self._name) for each in reading.params)
            reading.rows[self] = self._find({each for each in keys if isinstance(each, str | int)}, player)
        return cast("Row | None", reading.rows[self].get(key))


def numbers(keys: Collection[Key]) -> list[int]:
    """The keys that are numbers, for rows that are named by their primary key."""
    return [key for key in keys if isinstance(key, int)]


@dataclass(slots=True)
class _Reading:
    """A list of notices that is being read: their parameters, and the rows that each lookup has fetched for them."""

    params: Sequence[Params]
    rows: dict[Lookup[Any], Mapping[Key, Any]] = field(default_factory=dict)


_reading: Final[ContextVar[_Reading | None]] = ContextVar("_reading", default=None)


@contextmanager
def reading(params: Sequence[Params]) -> Iterator[None]:
    """Within this block each `Lookup` fetches the rows for all these notices of one player together, and only once."""
    token = _reading.set(_Reading(params))
    try:
        yield
    finally:
        _reading.reset(token)


def _players(public_ids: Collection[Key], _player: Player) -> Mapping[Key, Player]:
    return {row.public_id: row for row in Player.objects.select_related("merged_into").filter(public_id__in=public_ids)}


who_did_it: Final = Lookup("by", _players)
"""The person whose public id is in `by`."""


def doer(params: Params, player: Player) -> str:
    """The present name of whoever did it. Earlier versions wrote the name itself, as `who`."""
    person = who_did_it(params, player)
    return person.display_name if person is not None else str(params.get("who") or gettext("Somebody"))


wordings: Final[dict[str, Wording]] = {}
"""The wordings of the events `app.…`, by `app`; apps register them in `AppConfig.ready`."""


def find_wording(event: str) -> Wording | None:
    """The wording of an event; None if there is none."""
    return wordings.get(event.partition(".")[0])


@dataclass(frozen=True, slots=True)
class Subject:
    """A game or table in the reader's language: its name in a sentence, and its page."""

    name: str
    url: str


class Finder(Protocol):
    def __call__(self, player: Player, topic: str) -> Subject | None:
        """The game or table with this public id, if `player` sits there or waits there; else None."""


subject_finders: Final = Registry[Finder]()


def find_subject(player: Player, topic: str) -> Subject | None:
    """The game or table `topic` as `player` sees it, from the first finder that knows it.

    None for an empty or unknown topic.
    """
    if not topic:
        return None
    return next((subject for finder in subject_finders if (subject := finder(player, topic)) is not None), None)


class Kind(models.TextChoices):
    """What a notice is about. Preferences are for these kinds, not for single events."""

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
    """When somebody wants to be told about something on one channel."""

    NOW = "now", gettext_lazy("at once")
    HOUR = "hour", gettext_lazy("within the hour, unless a device shows it")
    DIGEST = "digest", gettext_lazy("once a day")
    NEVER = "never", gettext_lazy("not at all")


class TurnMail(models.TextChoices):
    """How much mail a player wants about their own turns.

    Each choice leaves out more; all but the last remind in time.
    """

    EACH = "each", gettext_lazy("at each turn")
    HOUR = "hour", gettext_lazy("within the hour, unless a device shows it")
    DIGEST = "digest", gettext_lazy("once a day")
    DEADLINE = "deadline", gettext_lazy("only when time runs short")
    NOTHING = "nothing", gettext_lazy("not at all")


class TurnPush(models.TextChoices):
    """How many messages to their devices a player wants about their own turns."""

    EACH = "each", gettext_lazy("at each turn")
    DEADLINE = "deadline", gettext_lazy("only when time runs short")
    NOTHING = "nothing", gettext_lazy("not at all")


ASKING: Final = frozenset({Kind.TURN, Kind.DEADLINE, Kind.QUESTION})
"""The kinds that ask somebody to act. They hold until that is done or no longer needed, even if they were read."""

_ENDS: Final = frozenset({"game.finished", "game.timeout", "game.paused", "game.replaced"})
_LATEST: Final = (
    frozenset({"game.declined", "game.paused", "game.resumed"}), frozenset({"game.vacation", "game.timeout", "game.replaced"}),
)  # fmt: skip
"""Groups of events in which only the latest says how things are now."""
IMPLIED: Final = {"table.started": "game.turn"}
"""Events that a mail leaves out beside another event about the same topic: if it is your turn, the game has begun."""


@cache
def kind_of(event: str) -> Kind:
    """The kind of an event, from its wording; cached, since it never changes.

    Raises LookupError if no app has words for it.
    """
    wording = find_wording(event)
    if wording is None or event not in wording.kinds:
        raise LookupError(f"nobody has words for {event}: see the `notifications` of its app")
    return wording.kinds[event]


def superseded_by(event: str) -> frozenset[Kind]:
    """The kinds whose earlier notices about the same game or table are pointless once `event` has happened.

    A new turn or reminder replaces the one before; the end of a game replaces all that asked the player to play.
    """
    kind = kind_of(event)
    if kind in (Kind.TURN, Kind.DEADLINE) or event in _ENDS:
        return frozenset({Kind.TURN, Kind.DEADLINE})
    return frozenset({Kind.TABLE}) if kind is Kind.TABLE else frozenset()


def earlier_events(event: str) -> frozenset[str]:
    """The events whose earlier notices about the same game are pointless once `event` has happened: of a week of
    vacation only the last day is told."""
    return frozenset().union(*(events for events in _LATEST if event in events))
