"""What all tests share: a neutral language, empty counters, hypothesis profiles, real servers and a real browser."""

import gc
import os
import secrets
import shutil
import subprocess
import sys
from base64 import urlsafe_b64encode
from collections.abc import Generator, Iterator
from dataclasses import is_dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.db.models import Model
from django.template import Context, Variable, VariableDoesNotExist
from django.test.client import ClientMixin
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

from tests import again
from tests.long import LONG, QUICK, slow_tests

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page
    from pytest_django import DjangoDbBlocker

    from tests.live import LiveSite, Sites

ROOT = Path(__file__).resolve().parent.parent


def _cookie_of_a_session(client: Any, request: Any) -> None:
    """Give the client what a browser gets: a session's key opens nothing (`accounts.sessions`)."""
    _set_login_cookies(client, request)
    client.cookies[django_settings.SESSION_COOKIE_NAME] = request.session.cookie


_set_login_cookies = vars(ClientMixin)["_set_login_cookies"]
ClientMixin._set_login_cookies = _cookie_of_a_session  # type: ignore[attr-defined]  # none of the stubs'


def _lookup(variable: Variable, context: Context) -> Any:
    """What Django does, but an attribute that an object does not have is an error: Django shows nothing in its place, and
    a template that still has an old name would pass every test."""
    try:
        return _lenient_lookup(variable, context)
    except VariableDoesNotExist as error:
        name, of = error.params
        if is_dataclass(of) or isinstance(of, Model) or hasattr(of, "_fields"):
            raise AssertionError(f"{variable.var}: {type(of).__name__} has no {name}") from None
        raise


_lenient_lookup = vars(Variable)["_resolve_lookup"]
Variable._resolve_lookup = _lookup  # type: ignore[attr-defined]  # none of the stubs'

ONCE = frozenset(
    f"tests/{name}.py"
    for name in (
        "tournaments/director/test_large",
        "tournaments/publishing/test_draw_files",
        "tournaments/publishing/test_privacy",
        "tournaments/publishing/test_sheets",
        "ratings/test_pages",
        "games/boards/test_seal_sitters",
        "games/test_api_fuzz",
        "games/test_chat_secrets",
        "games/test_from_here",
        "games/test_lessons",
        "games/test_memory",
        "games/test_mine_since",
        "games/test_pace_secrets",
        "games/test_practising",
        "games/test_secrets",
        "games/test_statistics_secrets",
        "games/test_tables",
        "games/test_undo_random",
        "games/test_undo_secrets",
        "games/test_views",
        "rules/test_hostile",
    )
)
"""Minutes of pages, words and cards that are made of the same log whatever keeps it: not run again on PostgreSQL and Redis,
where locks, queries, several processes and everything short is."""

slow_is_fine = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("quick", max_examples=30, deadline=None, suppress_health_check=slow_is_fine)
settings.register_profile("long", max_examples=3000, deadline=None, suppress_health_check=slow_is_fine, print_blob=True)
settings.load_profile("long" if LONG else "quick")
set_hypothesis_home_dir(str(ROOT / "data" / "hypothesis"))


def pytest_configure(config: pytest.Config) -> None:
    """Django reads compiled catalogues only, and they are not kept in the repository."""
    if missing := [name for name in ONCE if not (ROOT / name).exists()]:
        raise pytest.UsageError(f"no longer there: {missing}")
    if (place := again.folder()) and not on_services():
        config.pluginmanager.register(again.Recorder(place))
    if not hasattr(config, "workerinput"):
        subprocess.run([sys.executable, str(ROOT / "tools" / "messages.py"), "compile"], check=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing that is collected is freed before the end: to look for what can be freed is lost time, now and later.

    What tests leave behind is looked for less often than Python does by itself, which costs some percent of their time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


def on_services() -> bool:
    """Whether this is the run on PostgreSQL and Redis."""
    return bool(os.environ.get("DATABASE_URL") or os.environ.get("REDIS_URL"))


SERVERS = frozenset({"live_site", "fresh_site", "sites"})
LIKE_ANY_OTHER = pytest.StashKey[bool]()
"""Whether a test needs to run on PostgreSQL and Redis only if it says something to them that no other test says."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """What touches the database or a real server is also run on PostgreSQL and Redis."""
    fixtures = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("browser") or item.path.relative_to(ROOT).as_posix() in ONCE:
        return
    marked = item.get_closest_marker("services") is not None
    database = item.get_closest_marker("django_db")
    if database or fixtures & (SERVERS | {"db", "transactional_db"}):
        committed = "transactional_db" in fixtures or (database is not None and database.kwargs.get("transaction"))
        if item.nodeid.startswith("tests/tournaments/leagues"):
            committed = False  # half a minute, in which nothing happens at the same time
        item.stash[LIKE_ANY_OTHER] = not (marked or committed or fixtures & SERVERS)
        item.add_marker("services")


LONGEST_IN_BROWSER = (
    "table", "looking_back", "editing", "lesson", "replay", "reading", "account", "chat", "hand", "table_settings", "hall", "pace",
    "window", "undo", "lobby", "tournament_door", "phone", "stage", "watching", "plans", "words", "mine",
)  # fmt: skip
LONGEST = (
    "tests/judging",
    "tests/tournaments/leagues",
    "tests/tournaments/evenings",
    "tests/games/test_api_live.py",
    *(f"tests/browser/test_{name}.py" for name in LONGEST_IN_BROWSER),
)
"""What takes longest in the quick run: it comes first, and of the browser tests first, so that no process works on it while the
others have done all."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Browser tests come last: a running Playwright holds the event loop that other tests need.

    So a module of them holds nothing else, as a process of tests takes a module as a whole. Left out are long tests but in the long
    run, slow ones in the quick run, and on PostgreSQL and Redis those that say what others say.
    """
    browser = {item.path for item in items if item.get_closest_marker("browser")}
    if mixed := {str(item.path) for item in items if item.path in browser and not item.get_closest_marker("browser")}:
        raise pytest.UsageError(f"browser tests and others in one module: {sorted(mixed)}")
    items.sort(key=lambda item: (item.path in browser, not item.nodeid.startswith(LONGEST)))
    if (place := again.folder()) and on_services() and not LONG:
        alike = {item.nodeid for item in items if item.stash.get(LIKE_ANY_OTHER, False)}
        left_out = alike - again.chosen(alike, place)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]
    if QUICK:
        slow = slow_tests(items)
        config.hook.pytest_deselected(items=list(slow))
        items[:] = [item for item in items if item not in slow]
    if not LONG:
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="only in the long run (./test --long)"))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Every test starts in English and leaves no language behind."""
    from django.utils import translation

    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest) -> Iterator[None]:
    """Packs, draws, names and tokens that this process makes by chance are the same in every run of a test.

    So what fails once fails always, and what holds today holds tomorrow; `--long` draws anew, but for tests marked as
    `one_course`. Servers of tests draw as they are.
    Each module has dice of its own: what one draws does not hang on how often others draw, as they do less often where the
    process has kept what an earlier test made.
    """
    if LONG and request.node.get_closest_marker("one_course") is None:
        yield
        return
    dice: dict[str, Random] = {}

    def of_who_asks() -> Random:
        module = sys._getframe(2).f_globals["__name__"]
        return dice.setdefault(module, Random(f"{request.node.nodeid} {module}"))

    drawn: dict[str, Any] = {
        "token_bytes": lambda size=32: of_who_asks().randbytes(size),
        "token_hex": lambda size=32: of_who_asks().randbytes(size).hex(),
        "token_urlsafe": lambda size=32: urlsafe_b64encode(of_who_asks().randbytes(size)).rstrip(b"=").decode(),
        "choice": lambda some: of_who_asks().choice(some),
        "randbelow": lambda bound: of_who_asks().randrange(bound),
        "randbits": lambda bits: of_who_asks().getrandbits(bits),
    }
    with patch.multiple(secrets, **drawn), patch("games.plans.moments._CHANCE", Random(request.node.nodeid)):
        yield


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    """Every test counts its rate limits from nothing, on whatever cache it runs, and finds no page rendered and no table kept."""
    from django.conf import settings as site
    from django.core.cache import caches

    from games.selectors import clocks, log

    log.forget()
    clocks.forget_reliabilities()
    prefix = uuid4().hex
    site.CACHES["default"]["KEY_PREFIX"] = prefix
    caches["default"].key_prefix = prefix
    caches["pages"].clear()


@pytest.fixture(autouse=True)
def fresh_names() -> None:
    """Every test calls things as the files do, until it publishes other words."""
    from rules import terms
    from rules import terms as termbase

    terms.replace(terms.Snapshot())
    termbase.forget_last_look()


@pytest.fixture(autouse=True)
def nothing_verified_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker verifies by night runs in a thread of its own, and would go on in the tables of the next test: whoever cleans up
    at an hour of the night, by a turned clock or by that of the machine, begins none."""
    monkeypatch.setattr("troccas_site.verifying._verify_alone", lambda now: None)


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """On SQLite the tables need not be made: they are copied, see below."""
    from django.db import connection

    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: Any) -> None:
    """Lay a copy of the migrated tables where pytest-django looks for those of an earlier run, or say what to copy."""
    from django.db import connection

    from tests.live import copy_template, database_template

    if connection.vendor == "sqlite":
        copied = tmp_path_factory.mktemp("migrated") / "data"
        copy_template("migrated", copied)
        shutil.move(copied / "site.sqlite3", connection.settings_dict["TEST"]["NAME"])
    else:
        connection.settings_dict["TEST"]["TEMPLATE"] = database_template("migrated")
        connection.ops.sql_flush = partial(delete_rows, connection)  # type: ignore[method-assign]


def delete_rows(connection: Any, style: object, tables: list[str], **_how: bool) -> list[str]:
    """What empties `tables` after a test: PostgreSQL takes seconds to truncate a hundred of them, nearly all empty."""
    named = [connection.ops.quote_name(table) for table in tables]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"(SELECT '{name}' FROM {name} LIMIT 1)" for name in named))  # noqa: S608
        return [f"DELETE FROM {name}" for (name,) in cursor.fetchall()]  # noqa: S608


@pytest.fixture(scope="session")
def sites(django_db_blocker: "DjangoDbBlocker") -> "Iterator[Sites]":
    """Makes real servers: `sites.start(NAME="value")`."""
    from django.conf import settings

    from tests.live import Sites

    made = Sites(django_db_blocker.unblock, settings.DATA_DIR / "secret_key")
    yield made
    made.close_all()


@pytest.fixture(scope="module")
def live_site(request: pytest.FixtureRequest, sites: "Sites") -> "Iterator[LiveSite]":
    """A real server with empty tables for the tests of one module.

    Modules of browser tests share one server, which must be started again by who kills it.
    """
    if request.node.get_closest_marker("browser"):
        with sites.share() as site:
            yield site
    else:
        site = sites.start()
        yield site
        sites.close(site)


@pytest.fixture
def fresh_site(sites: "Sites") -> "Iterator[LiveSite]":
    """A real server for one test alone."""
    site = sites.start()
    yield site
    sites.close(site)


WHOLE = ("chromium", "chromium-browser", "google-chrome")
SHELL = ("chromium-headless-shell",)


def chromium(names: tuple[str, ...] = SHELL + WHOLE) -> str | None:
    """The browser of this machine: what CHROMIUM names, the distribution's, or Playwright's own.

    Chromium without its windows (Debian: chromium-headless-shell) does the same in a third of the time.
    """
    named = os.environ.get("CHROMIUM")
    for name in [named] if named else names:
        if found := shutil.which(name):
            return found
    kept = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    return next((str(path) for path in sorted(kept.glob("chromium-*/chrome-linux*/chrome"))), None)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Chromium, without a window. Where there is none, tests are skipped; under CI they fail."""
    from playwright.sync_api import expect, sync_playwright

    from tests.live import PATIENCE

    expect.set_options(timeout=PATIENCE * 1000)
    path = chromium()
    if path is None:
        no_browser()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--use-fake-device-for-media-stream"]


def no_browser() -> NoReturn:
    reason = "no chromium on this machine (Debian: apt install chromium chromium-headless-shell)"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture
def whole_browser(browser: "Browser") -> "Iterator[Browser]":
    """Chromium with its windows. The one without them breaks where a message is shown, and where the service worker changes
    the badge on the app's icon, as it does when it hears that nobody is signed in any more.
    """
    path = chromium(WHOLE)
    if path is None:
        no_browser()
    opened = browser.browser_type.launch(executable_path=path, args=ARGUMENTS)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def no_page_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each test its pages are closed: the server is the same for the next one."""
    opened: Browser | None = request.getfixturevalue("browser") if request.node.get_closest_marker("browser") else None
    yield
    if opened is not None:
        for context in opened.contexts:
            context.close()


@pytest.fixture
def viewport() -> dict[str, int]:
    """The size of the page; a test sets it with `@pytest.mark.parametrize("viewport", [PHONE, DESK])`."""
    from tests.live import DESK

    return DESK


@pytest.fixture
def context(request: pytest.FixtureRequest, viewport: dict[str, int]) -> "Iterator[BrowserContext]":
    """A browser without a past: no cookies, English. It is the `whole_browser` of a test that asks for one."""
    from tests.live import PATIENCE

    name = "whole_browser" if "whole_browser" in request.fixturenames else "browser"
    opened = request.getfixturevalue(name).new_context(viewport=viewport, locale="en-GB", reduced_motion="reduce")
    opened.set_default_timeout(PATIENCE * 1000)
    yield opened
    opened.close()


@pytest.fixture
def page(context: "BrowserContext") -> "Iterator[Page]":
    """An empty page. The test fails if a script breaks or something offends the page's security policy."""
    opened = context.new_page()
    broken: list[str] = []
    opened.on("pageerror", lambda error: broken.append(str(error)))
    opened.on(
        "console", lambda message: broken.append(message.text) if "Content Security Policy" in message.text else None
    )
    yield opened
    assert not broken, broken
