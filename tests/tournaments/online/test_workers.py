"""Several workers at once: nothing is done twice, and nobody waits for each other for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import close_old_connections, connection

from games.models import BoardSet, Game
from tests.tournaments.online.kit import PASSING, League
from tournaments.models import OnlineRound, OnlineTable
from tournaments.online import tasks

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(number: int, what: Callable[[], object]) -> list[BaseException]:
    """Let threads do the same at the same time; what went wrong."""
    wrong: list[BaseException] = []
    ready = threading.Barrier(number)

    def run() -> None:
        close_old_connections()
        try:
            ready.wait(30)
            what()
        except BaseException as error:  # told by the test itself
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _each in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return wrong


def test_two_workers_lay_each_game_once():
    if connection.vendor != "postgresql":
        pytest.skip("a database in memory belongs to one thread")
    found = League.of(8, rules=PASSING, online={"duplicate": True, "days": 1})
    found.round(begun=False)
    now = found.now

    def begin() -> None:
        OnlineRound.objects.update(due_at=now)
        tasks.do_due(now)

    assert at_once(3, begin) == []
    found.look()
    assert Game.objects.count() == 2
    assert BoardSet.objects.count() == 1
    assert {row.game for row in OnlineTable.objects.all()} == set(Game.objects.all())
