"""The database lets everybody wait who writes: what was sent is done once, and pages are read."""

from __future__ import annotations

import sqlite3
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from django.db import connection

from games.models import Action
from tests.games.test_sockets import Browser
from tests.games.test_survival import state_of
from tests.live import PATIENCE, LiveSite


@contextmanager
def writers_wait(site: LiveSite) -> Iterator[None]:
    """Somebody else holds the lock that every action needs."""
    with closing(sqlite3.connect(site.data / "site.sqlite3", timeout=PATIENCE, isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        yield
        lock.execute("ROLLBACK")


def begun(site: LiveSite) -> Browser:
    """Somebody at a new table with computer players."""
    browser = Browser(site)
    browser.post(browser.get("/en/"), "/g/play/")
    browser.table = browser.path
    return browser


@pytest.mark.skipif(connection.vendor != "sqlite", reason="holds the only lock there is on SQLite")
@pytest.mark.slow
def test_what_waits_for_a_slow_database_is_done_once_and_meanwhile_pages_are_read(fresh_site: LiveSite):
    browser = begun(fresh_site)
    page, number = browser.get(browser.table), str(state_of(browser)["number"])
    ask = {"expected": number, "request_id": str(uuid.uuid4())}
    answered: list[int] = []

    def send() -> None:
        own = Browser(fresh_site)
        for each in browser.jar:
            own.jar.set_cookie(each)
        own.post(page, browser.table + "ready/", **ask)
        answered.append(1)

    impatient = [threading.Thread(target=send) for _time in range(2)]
    with writers_wait(fresh_site):
        for thread in impatient:
            thread.start()
        for _look in range(3):
            assert Browser(fresh_site).get("/healthz") == "ok"
            assert Browser(fresh_site).get("/en/words/")
        assert answered == []
    for thread in impatient:
        thread.join(PATIENCE)
    assert answered == [1, 1]
    asked = ask["request_id"]
    assert fresh_site.call(lambda: Action.objects.filter(request_id=asked).count()) == 1
    assert fresh_site.manage("verify").splitlines()[-1] == "0 differences."
