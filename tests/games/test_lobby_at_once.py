"""Several people at one table at the same moment, each in a thread with a connection of their own."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection

from core.exceptions import Refusal
from games.lobby.models import OpenTable
from games.lobby.services import tables
from games.models import Game
from tests.games.lobby_kit import lay, member, wish
from tests.live import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each of the calls, begun together, came to: its answer, or the refusal it met."""
    together = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(number: int) -> None:
        try:
            together.wait(timeout=PATIENCE)
            results[number] = calls[number]()
        except Refusal as refusal:
            results[number] = refusal
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=2 * PATIENCE)
    assert all(result is not None for result in results)
    return results


def test_of_two_who_want_the_last_seat_exactly_one_gets_it():
    for _ in range(5):
        table = lay(member("Anna"), computers=2)
        wanting = [member("Beat"), member("Clau"), member("Dora")]
        results = at_once(*(partial(tables.join, table.pk, player, request_id=uuid.uuid4()) for player in wanting))
        seated = [result for result in results if isinstance(result, OpenTable)]
        assert len(seated) == 1
        assert all(result.code == "table-gone" for result in results if result not in seated)
        table.refresh_from_db()
        assert table.game is not None
        assert table.game.seats.count() == table.chairs.count() == 4
    assert Game.objects.count() == 5


def test_two_who_want_the_same_seat_do_not_both_get_it():
    table = lay(member("Anna"))
    wanting = [member("Beat"), member("Clau")]
    results = at_once(*(partial(tables.join, table.pk, player, request_id=uuid.uuid4(), seat=2) for player in wanting))
    assert sorted(type(result) is OpenTable for result in results) == [False, True]
    assert table.chairs.count() == 2


def test_the_same_request_sent_twice_at_once_is_done_once():
    host, friend, once = member("Anna"), member("Beat"), uuid.uuid4()
    table = lay(host)
    at_once(*[lambda: tables.join(table.pk, friend, request_id=once)] * 4)
    assert table.chairs.count() == 2
    assert table.events.filter(text="joined").count() == 1


def test_a_table_begins_once_though_the_last_one_comes_as_the_host_begins():
    host, friend = member("Anna"), member("Beat")
    table = lay(host, computers=2)
    results = at_once(
        lambda: tables.join(table.pk, friend, request_id=uuid.uuid4()),
        lambda: tables.start(table.pk, host, request_id=uuid.uuid4()),
    )
    assert sum(getattr(result, "code", "") == "table-gone" for result in results) == 1
    assert Game.objects.count() == 1
    assert Game.objects.get().seats.count() == 4


def test_ten_tables_are_ten_even_if_they_are_laid_at_once():
    host = member("Anna")
    for _ in range(tables.MOST_TABLES - 1):
        lay(host)
    results = at_once(*[lambda: tables.open_table(host, wish(), request_id=uuid.uuid4())] * 3)
    assert sum(isinstance(result, OpenTable) for result in results) == 1
    assert OpenTable.objects.count() == tables.MOST_TABLES


def test_who_leaves_as_the_table_fills_either_plays_or_is_gone():
    host, friend, last = member("Anna"), member("Beat"), member("Clau")
    table = lay(host, "troccas-3")
    tables.join(table.pk, friend, request_id=uuid.uuid4())
    results = at_once(
        lambda: tables.leave(table.pk, friend, request_id=uuid.uuid4()),
        lambda: tables.join(table.pk, last, request_id=uuid.uuid4()),
    )
    table.refresh_from_db()
    if getattr(results[0], "code", "") == "table-gone":
        assert table.game is not None
        assert table.game.seats.filter(player=friend).exists()
    else:
        assert table.game is None
        assert not table.chairs.filter(player=friend).exists()
