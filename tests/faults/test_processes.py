"""Web and worker as processes of their own, killed while people play and edit: what was answered is there, once."""

from __future__ import annotations

import http.client
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.cookiejar import Cookie

import pytest
from django.db import connection, models
from django.http import HttpResponse

from accounts.models import Player, User
from games.models import Action, Game
from rules.models import Revision
from tests.games.test_sockets import Browser
from tests.games.test_survival import act, state_of
from tests.live import PATIENCE, ROOT, LiveSite, Sites, free_port, session_of, site_environment
from tests.long import LONG
from tests.rules.editing_kit import fields_of

DEATHS = 8 if LONG else 1
KEY = "overview"
ADDRESS = f"/en/edit/article/{KEY}/en/"


def cookie(name: str, value: str) -> Cookie:
    """A cookie of the site, as a browser keeps it."""
    return Cookie(0, name, value, None, False, "127.0.0.1", False, False, "/", True, False, None, False, None, None, {})


@dataclass
class Process:
    """A command of ours on a site's data."""

    site: LiveSite
    arguments: tuple[str, ...]
    running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self.site.data / "serve.log").open("ab") as log:
            self.running = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), *self.arguments],
                env=site_environment(self.site.data, self.site.extra),
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def end(self, how: signal.Signals) -> int:
        assert self.running is not None
        self.running.send_signal(how)
        return self.running.wait(PATIENCE)


@dataclass
class Parts:
    """A site in two processes that serve and one that works, as `deploy/` has it."""

    site: LiveSite
    webs: tuple[Process, Process]
    worker: Process
    ports: tuple[int, int]

    def up(self, number: int) -> None:
        """Start a process that serves, and wait until it answers."""
        self.webs[number].start()
        self.site.port = self.ports[number]
        end = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < end:
            try:
                Browser(self.site).get("/healthz")
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
            else:
                return
        pytest.fail(self.site.log[-3000:])


@pytest.fixture
def parts(sites: Sites) -> Iterator[Parts]:
    site = sites.make()
    ports = (site.port, free_port())
    webs = [Process(site, ("serve", "--no-worker", "--port", str(port))) for port in ports]
    made = Parts(site, (webs[0], webs[1]), Process(site, ("work",)), ports)
    made.worker.start()
    for number in (1, 0):
        made.up(number)
    yield made
    for process in (*made.webs, made.worker):
        if process.running is not None and process.running.poll() is None:
            process.end(signal.SIGKILL)
    sites.close(site)


def verified(site: LiveSite) -> str:
    return site.manage("verify").splitlines()[-1]


def editor() -> str:
    """The session of an editor."""
    from accounts import permissions

    user = User.objects.create(email="gion@example.org")
    player, _made = Player.objects.get_or_create(user=user)
    permissions.grant(player, permissions.EDITOR)
    return session_of(user)


def edit(browser: Browser, number: int) -> None:
    """Publish another summary of an article by its form. Raises what the network raises; returns when that is answered."""
    page = browser.get(ADDRESS)
    fields = fields_of(HttpResponse(page)) | {
        "summary": f"How it is played, {number}",
        "comment": f"c{number}",
        "do": "publish",
    }
    browser.post(page, ADDRESS, **{name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"})


def published(site: LiveSite) -> list[str]:
    """What was published of the article by people, in its order."""
    rows = Revision.objects.filter(entry__key=KEY, entry__language="en").exclude(author=None).order_by("number")
    return site.call(lambda: [row.document["summary"] for row in rows])


@pytest.mark.slow
def test_edits_of_the_encyclopedia_survive_kills_at_any_moment(parts: Parts):
    browser, answered = Browser(parts.site), []
    browser.jar.set_cookie(cookie("sessionid", parts.site.call(editor)))
    for number in range(2 * DEATHS):
        dies = threading.Timer(random.Random(number).random() / 2, parts.webs[0].end, [signal.SIGKILL])
        dies.start()
        try:
            edit(browser, number)
        except (urllib.error.URLError, ConnectionError, http.client.HTTPException):
            pass
        else:
            answered.append(f"How it is played, {number}")
        dies.join()
        parts.up(0)
    edit(browser, 99)
    found = published(parts.site)
    assert len(set(found)) == len(found)
    assert set(found) >= {*answered, "How it is played, 99"}
    assert verified(parts.site) == "0 differences."


@pytest.mark.slow
def test_a_request_that_comes_twice_at_once_to_two_processes_is_done_once(parts: Parts):
    browser = Browser(parts.site)
    browser.post(browser.get("/en/"), "/g/play/")
    table = browser.path
    page, state = browser.get(table), state_of(browser)
    ask = {"expected": str(state["number"]), "request_id": str(uuid.uuid4())}
    statuses: list[int] = []

    def send(port: int) -> None:
        own = Browser(replace(parts.site, port=port))
        for each in browser.jar:
            own.jar.set_cookie(each)
        try:
            own.post(page, table + "ready/", **ask)
        except urllib.error.HTTPError as refused:
            statuses.append(refused.code)
        else:
            statuses.append(200)

    both = [threading.Thread(target=send, args=(port,)) for port in (*parts.ports, *parts.ports)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert statuses == [200] * 4
    asked = ask["request_id"]
    assert parts.site.call(lambda: Action.objects.filter(request_id=asked).count()) == 1
    assert verified(parts.site) == "0 differences."


@pytest.mark.long
def test_kills_of_web_and_worker_lose_and_double_nothing(parts: Parts):
    browser = Browser(parts.site)
    browser.post(browser.get("/en/"), "/g/play/")
    browser.table = browser.path
    parts.site.call(lambda: Player.objects.filter(computer="").update(bot_speed="at-once"))
    answered = acted = looked = 0
    end = time.monotonic() + 4 * PATIENCE
    while acted < 6 or looked < 6 * DEATHS:
        assert time.monotonic() < end, "the computer players do not go on"
        page = browser.get(browser.table)
        browser.path = browser.table
        state = state_of(browser)
        assert int(str(state["number"])) >= answered
        if state["question"]["mine"]:  # type: ignore[index]  # plain JSON
            act(browser, page)
            acted += 1
            browser.path = browser.table
            answered = int(str(state_of(browser)["number"]))
        else:
            time.sleep(0.1)
        looked += 1
        if looked % 6 == 0 and looked <= 6 * DEATHS:
            parts.worker.end(signal.SIGKILL)
            parts.webs[0].end(signal.SIGKILL)
            parts.worker.start()
            parts.up(0)
    assert verified(parts.site) == "0 differences."


def new_columns() -> None:
    """What a migration of a later version does to tables that those before go on writing into."""
    with connection.schema_editor() as editor:
        for model in (Game, Action, Player):
            column = models.CharField(max_length=8, default="", db_default="")
            column.set_attributes_from_name("of_a_later_version")
            column.model = model
            editor.add_field(model, column)


@pytest.mark.long
def test_both_processes_are_renewed_one_after_the_other_while_people_play(parts: Parts):
    """As `docs/running.md` says to upgrade: `prepare`, then each in turn. Somebody plays on all the while, also with processes
    of the version before on tables that are migrated already."""
    browser = Browser(parts.site)
    browser.post(browser.get("/en/"), "/g/play/")
    browser.table = browser.path
    numbers = [0]
    for number in (0, 1):
        parts.site.manage("prepare")
        if number == 0:
            parts.site.call(new_columns)
            assert Browser(parts.site).get("/healthz") == "ok"
            newcomer = Browser(parts.site)
            newcomer.post(newcomer.get("/en/"), "/g/play/")
            newcomer.table = newcomer.path
            act(newcomer, newcomer.get(newcomer.table))
        assert parts.webs[number].end(signal.SIGTERM) == 0
        parts.site.port = parts.ports[1 - number]
        browser.path = browser.table
        state = state_of(browser)
        if state["question"]["mine"]:  # type: ignore[index]  # plain JSON
            act(browser, browser.get(browser.table))
        browser.path = browser.table
        numbers.append(int(str(state_of(browser)["number"])))
        parts.up(number)
    assert parts.worker.end(signal.SIGTERM) == 0
    assert numbers == sorted(numbers)
    assert verified(parts.site) == "0 differences."
