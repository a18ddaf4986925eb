"""Tables with a clock for tests, and a clock that can be turned."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Player
from domain.pace import Kind, Out, Terms
from games.models import Game
from games.services import play, timing
from games.table import tasks
from tests.games.table_kit import advised, submit

DAY = timedelta(days=1)
DAYS = Terms(Kind.DAYS, 2 * DAY, 3 * DAY)
LIVE = Terms(Kind.LIVE, timedelta(seconds=30), timedelta(minutes=2))
SUBSTITUTE = Terms(Kind.DAYS, 2 * DAY, out=Out.SUBSTITUTE)
RESTING = Terms(Kind.DAYS, 2 * DAY, vacation=3)
MONDAY = datetime(2026, 6, 1, 10, tzinfo=UTC)  # noon in Zurich


class Turned:
    """The clock on the wall, for everything that asks Django for the time."""

    def __init__(self, now: datetime = MONDAY) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def to(self, moment: datetime) -> None:
        """Turn it to a moment."""
        self.now = moment

    def on(self, **how: float) -> None:
        """Turn it on by so much."""
        self.now += timedelta(**how)


@contextmanager
def turned(patch: pytest.MonkeyPatch, now: datetime = MONDAY) -> Iterator[Turned]:
    """Turn the clock for the length of a test."""
    clock = Turned(now)
    patch.setattr(timezone, "now", clock)
    yield clock


def people(count: int = 4) -> list[Player]:
    """Some people with names, whose computer players do not pause, and who do everything themselves."""
    names = ("Anna", "Beat", "Clau", "Duri", "Emma", "Flurin")
    return [Player.objects.create(name=name, bot_speed="at-once", forced_cards="ask") for name in names[:count]]


def table(players: list[Player], pace: Terms = DAYS, **how: Any) -> Game:
    """A table of four-handed Troccas with a clock, begun."""
    game = play.start("troccas", players, pace=pace, **how)
    assert timing.begin(game.pk, expected=game.number, now=timezone.now() + timedelta(minutes=1))
    return fresh(game)


def fresh(game: Game) -> Game:
    """The game as it is stored now."""
    return Game.objects.get(pk=game.pk)


def due(game: Game) -> datetime:
    """The deadline of a game, as this row has it."""
    assert game.deadline_at is not None
    return game.deadline_at


def asked(game: Game) -> Player:
    """Who sits where it is asked."""
    game = fresh(game)
    assert game.to_act is not None
    return game.seats.select_related("player").get(number=game.to_act).player


def act(game: Game) -> Player:
    """Let the person who is asked act; who that was."""
    player = asked(game)
    submit(game, player, advised(game, player))
    return player


def until(game: Game, player: Player) -> Game:
    """Let the others act until `player` is asked."""
    while asked(game) != player:
        act(game)
    return fresh(game)


def work_at(moment: datetime) -> int:
    """Let the worker do what is due at a moment."""
    return tasks.do_due(moment)


def wall(moment: datetime | None) -> str:
    """What a clock in Zurich shows, to the nearest second."""
    assert moment is not None
    return f"{timezone.localtime(moment + timedelta(milliseconds=500)):%a %d %H:%M:%S}"


def request() -> uuid.UUID:
    """A new request id."""
    return uuid.uuid4()


def texts(game: Game) -> list[str]:
    """The events of the log since the first deal, in order."""
    events = game.actions.filter(kind="event").exclude(text__in=("sat", "drawn", "ready"))
    return list(events.values_list("text", flat=True))
