"""Writers on SQLite: one after the other, in the order in which they came."""

from __future__ import annotations

import re
import threading

import pytest
from django.db import connection, connections, transaction

from core.models import LastRun
from core.sqlite3 import base
from core.sqlite3.base import DatabaseWrapper, Queue, _queues

on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite")


def is_in_queue() -> bool:
    """Whether this thread's connection has entered the queue of its file."""
    wrapper = connections["default"]
    assert isinstance(wrapper, DatabaseWrapper)
    return wrapper._entered is not None


def waiting(queue: Queue, number: int) -> None:
    """Return when so many wait."""
    while len(queue._waiting) < number:
        threading.Event().wait(0.001)


def test_who_has_waited_longest_enters_next():
    queue, order = Queue(), []

    def one(number: int) -> None:
        assert queue.enter(60)
        order.append(number)
        queue.leave()

    assert queue.enter(0)
    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=one, args=[number]))
        threads[-1].start()
        waiting(queue, number + 1)
    queue.leave()
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]


def test_who_waits_too_long_goes_away_and_keeps_nobody_up():
    queue = Queue()
    assert queue.enter(0)
    assert not queue.enter(0)
    queue.leave()
    assert queue.enter(0)


@on_sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["commit", "rollback", "close"])
def test_a_transaction_leaves_the_queue_however_it_ends(how):
    try:
        with transaction.atomic():
            assert is_in_queue()
            if how == "close":
                connection.close()
            if how != "commit":
                raise LookupError
    except LookupError:
        pass
    assert not is_in_queue()
    with transaction.atomic():
        assert is_in_queue()
    assert not is_in_queue()


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_transaction_inside_of_another_does_not_wait_for_it():
    with transaction.atomic(), transaction.atomic():
        assert is_in_queue()
    assert not is_in_queue()


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_statement_that_writes_outside_transactions_is_not_overtaken_either():
    queue = _queues.setdefault(str(connection.settings_dict["NAME"]), Queue())
    order: list[str] = []

    def write() -> None:
        LastRun.objects.filter(name="nothing").update(problems=1)
        order.append("statement")
        connection.close()

    def begin() -> None:
        with transaction.atomic():
            order.append("transaction")
        connection.close()

    threads = [threading.Thread(target=target) for target in (begin, write, begin)]
    with transaction.atomic():
        for number, thread in enumerate(threads):
            thread.start()
            waiting(queue, number + 1)
        assert list(LastRun.objects.filter(name="nothing")) == []
    for thread in threads:
        thread.join()
    assert order == ["transaction", "statement", "transaction"]
    assert not is_in_queue()


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_keeps_others_waiting_for_long_is_told_of(caplog, monkeypatch):
    with transaction.atomic():
        pass
    assert not caplog.messages
    monkeypatch.setattr(base, "LONG", 0.0)
    with transaction.atomic():
        pass
    assert re.fullmatch(r"a transaction kept all others .* 0\.\d s, 0\.\d of it for the disk", caplog.messages[0])
