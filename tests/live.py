"""A real server on its own data, for tests that need sockets, a browser, or a sudden death."""

import atexit
import fcntl
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4
from zoneinfo import ZoneInfo

from tests.long import LONG

P = ParamSpec("P")
T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "data" / "tests"
COMMANDS = {"migrated": "migrate", "prepared": "prepare"}  # what makes each template of the one before it
NOT_PREPARED = {"benchmarks", "data", "docs", "node_modules", "tests"}  # what no site's data is made of
TABLES = {"migrations", "models", "models.py", "search", "sqlite3", "apps.py", "settings.py", "requirements.lock"}
"""What empty tables are made of: files and folders of these names."""
START_SECONDS = 120  # on a machine with ten times too much to do
STOP_SECONDS = 60
PATIENCE = 60  # seconds until something that must come is given up
FIRST_PORT, LAST_PORT = 15_000, 32_000  # below those the system hands out to whoever connects

# The two sizes everything is looked at.
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}


def free_port() -> int:
    """A port nobody listens on, and which nobody takes while a server is down: no connection, and no test beside this one.

    A datagram socket of the same number, open until this process ends, tells our other processes that it is taken.
    """
    while True:
        port = random.SystemRandom().randrange(FIRST_PORT, LAST_PORT)
        mark = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            with socket.socket() as probe:
                mark.bind(("127.0.0.1", port))
                probe.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
        else:
            atexit.register(mark.close)
            return port


def site_environment(data: Path, extra: dict[str, str]) -> dict[str, str]:
    """The environment of a site in production mode on `data`; PostgreSQL and Redis where this run has addresses.

    Only passwords are kept more cheaply; `DJANGO_SETTINGS_MODULE` in `extra` asks for the settings as they are.
    """
    kept = ("DATABASE_URL", "HOME", "LANG", "PATH", "REDIS_URL", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {"DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "tests.server_settings", "PYTHONUNBUFFERED": "1"}
    return environment | extra


def _sources(name: str) -> str:
    """A number that changes when anything changes that this template is made of: of names, sizes and times of files."""
    cached = "Redis" if os.environ.get("REDIS_URL") else "the database"  # which then has a table for it
    found = sha256(f"{sys.version}, cached in {cached}".encode())
    for place, folders, names in os.walk(ROOT):
        left_out = NOT_PREPARED if Path(place) == ROOT else {"__pycache__"}
        folders[:] = sorted(each for each in folders if each not in left_out and not each.startswith("."))
        for path in sorted(Path(place, each) for each in names if not each.endswith(".mo")):
            if name == "migrated" and TABLES.isdisjoint(path.relative_to(ROOT).parts):
                continue
            status = path.stat()
            found.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return found.hexdigest()[:20]


def kept(name: str, template: str) -> Path:
    """Where that is kept which is made of the same as a template; what has an older state has another name."""
    return TEMPLATES / f"{name}-{_sources(template)}"


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Only one process at a time makes, copies or removes what has this name."""
    TEMPLATES.mkdir(parents=True, exist_ok=True)
    with (TEMPLATES / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def copy_template(name: str, place: Path) -> None:
    """Fill the folder `place` with a site's data: empty tables ("migrated"), or all that is served ("prepared").

    It is made once for the present state of what it is made of, and kept in data/tests for all processes and later runs.
    """
    made = _template(name)
    there = {file.name for file in place.glob("*")}  # the secret key of a process that has read it already
    shutil.copytree(made, place, ignore=lambda _folder, names: there.intersection(names), dirs_exist_ok=True)


def _template(name: str) -> Path:
    """The folder that is copied. What waits for empty tables does not wait until all that is served is made of them."""
    made = kept(name, name)
    before = _template("migrated") if name == "prepared" else None
    with alone(name):
        if made.exists():
            return made
        for old in TEMPLATES.glob(f"{name}-*"):
            shutil.rmtree(old)
        unfinished = TEMPLATES / f"{name}-unfinished"
        if before is None:
            unfinished.mkdir()
        else:
            shutil.copytree(before, unfinished)
        site = LiveSite(unfinished, {"DATABASE_URL": ""})
        site.manage(COMMANDS[name], "--verbosity", "0")
        if before is None:
            site.manage("createcachetable")
        with closing(sqlite3.connect(unfinished / "site.sqlite3")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # all of it stands in one file
        return unfinished.rename(made)


def database_template(name: str) -> str:
    """The same as a database on PostgreSQL, to be copied at once. The process that makes it removes it when it ends."""
    made = f"{name}_{_sources(name)}"
    before = database_template("migrated") if name == "prepared" else "template1"
    with alone(f"database-{name}"):
        if not _database("SELECT 1 FROM pg_database WHERE datname = %s", made):
            unfinished = f"{made}_unfinished"
            _drop(unfinished)
            _database(f'CREATE DATABASE "{unfinished}" TEMPLATE "{before}"')
            with TemporaryDirectory() as folder:
                copy_template(name, Path(folder))
                LiveSite(Path(folder), {"DATABASE_URL": _address(unfinished)}).manage(
                    COMMANDS[name], "--verbosity", "0"
                )
            _database(f'ALTER DATABASE "{unfinished}" RENAME TO "{made}"')
            atexit.register(_drop, made)
    return made


@dataclass(slots=True)
class LiveSite:
    """A running `manage.py serve`. The server can be killed and started again on the same data."""

    data: Path
    extra: dict[str, str] = field(default_factory=dict)
    unblocked: Callable[[], AbstractContextManager[None]] = nullcontext  # while it is open, tests may use databases
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where the site answers, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """All the server has written so far, over all its starts."""
        return (self.data / "serve.log").read_text(encoding="utf-8", errors="replace")

    def manage(self, *arguments: str) -> str:
        """Run a management command on this site's data; its output. Raises CalledProcessError when it fails."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=site_environment(self.data, self.extra),
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            failed = subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)
            failed.add_note(done.stderr[-4000:])
            raise failed
        return done.stdout

    def call(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Call a function of ours on this site's database; its answer. Sockets of the site do not hear what it does.

        It runs in a thread of its own: there the database is another one than this process's, and no event loop runs, as
        it does where a browser is driven.
        """

        def on_its_database() -> T:
            from django.db import connection

            if url := self.extra.get("DATABASE_URL"):
                name = urlsplit(url).path.removeprefix("/")
            else:
                name = str(self.data / "site.sqlite3")
            connection.settings_dict = connection.settings_dict | {"NAME": name}
            try:
                return function(*arguments, **named)
            finally:
                connection.close()

        with self.unblocked(), ThreadPoolExecutor(1) as thread:
            return thread.submit(on_its_database).result()

    def empty_tables(self) -> list[str]:
        """The tables in which nothing stands. (Only on SQLite.)"""
        with closing(sqlite3.connect(self.data / "site.sqlite3")) as database:
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return [name for name in names if not database.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone()]  # noqa: S608

    def empty(self, tables: list[str]) -> None:
        """Forget all that stands in `tables`. (Only on SQLite.)

        Numbers of rows go on where they were: none is taken for one that the server remembers.
        """
        with closing(sqlite3.connect(self.data / "site.sqlite3", timeout=PATIENCE)) as database:
            database.execute("BEGIN IMMEDIATE")
            for name in tables:
                database.execute(f'DELETE FROM "{name}"')  # noqa: S608
            database.commit()

    def start(self) -> None:
        """Start the server and wait until it answers. Raises RuntimeError, with its log, if it does not."""
        with (self.data / "serve.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(self.port)],
                env=site_environment(self.data, self.extra),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:  # noqa: S310  # our own
                    if answer.read() == b"ok":
                        return
            except urllib.error.HTTPError as refused:
                refused.close()
                time.sleep(0.05)
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        status = self.process.poll()
        self.kill()
        raise RuntimeError(f"the server did not start (exit status {status}):\n{self.log}")

    def stop(self) -> int:
        """Ask the server to stop (SIGTERM); its exit status. Kills it when it does not obey."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        """Kill the server and all it has started at once (SIGKILL), as a power cut would."""
        return self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Start again on the same data and port, after a stop or a kill."""
        if self.process is not None:
            self.stop()
        self.start()

    def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        process, self.process = self.process, None
        if process.poll() is None:
            os.killpg(process.pid, how)
        try:
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.wait(STOP_SECONDS)


@dataclass(slots=True)
class Sites:
    """Makes sites, each on fresh data, from one that was prepared once; removes them all in the end."""

    unblocked: Callable[[], AbstractContextManager[None]] = nullcontext
    secret_key: Path | None = None  # of this process: what it signs holds on the sites, too
    folder: Path = field(default_factory=lambda: Path(mkdtemp(prefix="troccas-sites-")))
    prepared: Path | None = None
    started: list[LiveSite] = field(default_factory=list)
    databases: list[str] = field(
        default_factory=list
    )  # on PostgreSQL; removed in the end, as each removal writes all to disk
    shared: LiveSite | None = None

    def start(self, **extra: str) -> LiveSite:
        """A new site, running; `extra` are environment variables for it."""
        site = self.make(**extra)
        site.start()
        return site

    def make(self, **extra: str) -> LiveSite:
        """The same, not yet started."""
        template = self._prepare()
        data = self.folder / uuid4().hex
        shutil.copytree(template, data, symlinks=True)
        own = self._own_database(data.name) | {"REDIS_PREFIX": data.name}
        site = LiveSite(data, own | extra, self.unblocked)
        self.started.append(site)
        return site

    @contextmanager
    def share(self) -> Iterator[LiveSite]:
        """The one site that lasts as long as this process; nothing has happened on it, and none of that is left after."""
        if os.environ.get("DATABASE_URL"):
            site = self.start()
            yield site
            self.close(site)
            return
        if self.shared is None:
            self.shared = self.make()
            if not (LONG or os.environ.get("PICTURES")):
                self._draw_plainly(self.shared)
            self.shared.start()
        elif self.shared.process is None or self.shared.process.poll() is not None:
            self.shared.restart()
        yield self.shared
        self.shared.empty(LiveSite(self._prepare()).empty_tables())

    def _draw_plainly(self, site: LiveSite) -> None:
        """Make each card of this site blank paper: to draw their lines is half of what a browser does for a page with cards.

        Their places, their names and what a press on them does are the same; `browser/test_deck.py` looks at the deck itself.
        """
        plain = self.folder / "static-plain"
        shutil.copytree(self.folder / "static", plain, ignore=lambda _folder, names: {"deck"}.intersection(names))
        (plain / "deck").mkdir()
        for file in (self.folder / "static" / "deck").glob("*.svg"):
            (plain / "deck" / file.name).write_text(on_blank_paper(file.read_text(encoding="utf-8")), encoding="utf-8")
        (site.data / "static").unlink()
        (site.data / "static").symlink_to(plain)

    def close(self, site: LiveSite) -> None:
        """End one site."""
        site.kill()
        shutil.rmtree(site.data, ignore_errors=True)
        self.started.remove(site)

    def close_all(self) -> None:
        """End every site and remove the folder."""
        for site in list(self.started):
            self.close(site)
        for database in self.databases:
            _drop(database)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _prepare(self) -> Path:
        """A data folder of a site on which nothing has happened yet."""
        if self.prepared is None:
            subprocess.run([sys.executable, str(ROOT / "tools" / "messages.py"), "compile"], check=True)
            data = self.folder / uuid4().hex
            copy_template("prepared", data)
            (data / "static").rename(self.folder / "static")
            (data / "static").symlink_to(self.folder / "static")
            if self.secret_key is not None:
                shutil.copy(self.secret_key, data)
            self.prepared = data
        return self.prepared

    def _own_database(self, name: str) -> dict[str, str]:
        """On PostgreSQL: a new database for this site, on which nothing has happened yet."""
        if not os.environ.get("DATABASE_URL"):
            return {}
        _database(f'CREATE DATABASE "site_{name}" TEMPLATE "{database_template("prepared")}"')
        self.databases.append(f"site_{name}")
        return {"DATABASE_URL": _address(f"site_{name}")}

    def empty_database(self, *, owned: bool = False) -> dict[str, str]:
        """On PostgreSQL: a database without any table, removed in the end. One that is `owned` is laid as docs/running.md
        lays it: an account without other rights owns it, and has not made the extension itself."""
        name = f"empty_{uuid4().hex}"
        _database(f'CREATE DATABASE "{name}"')
        self.databases.append(name)
        if not owned:
            return {"DATABASE_URL": _address(name)}
        _database(f"CREATE ROLE \"{name}\" LOGIN PASSWORD 'of a test'")
        _database(f'ALTER DATABASE "{name}" OWNER TO "{name}"')
        _database("CREATE EXTENSION IF NOT EXISTS pg_trgm", at=_address(name))
        server = urlsplit(_address(name))
        place = f"{server.hostname}:{server.port or 5432}"
        return {"DATABASE_URL": server._replace(netloc=f"{name}:of%20a%20test@{place}").geturl()}


def on_blank_paper(deck: str) -> str:
    """The same pictures, of the same measure and colour, with nothing drawn on them."""
    papers = re.findall(r"(<symbol [^>]*>).*?(<rect [^>]*/>).*?(</symbol>)", deck, re.DOTALL)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(map("".join, papers))}</svg>'


def _address(database: str) -> str:
    """Where another database of the server named in DATABASE_URL is."""
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{database}"))


def _drop(database: str) -> None:
    _database(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')
    _database(f'DROP ROLE IF EXISTS "{database}"')


def _database(statement: str, *values: str, at: str = "") -> list[tuple[object, ...]]:
    """Run a statement on the server named in DATABASE_URL, or in the database `at` an address; what it answers."""
    import psycopg

    with psycopg.connect(at or os.environ["DATABASE_URL"], autocommit=True) as connection:
        done = connection.execute(statement.encode(), values or None)
        return done.fetchall() if done.description else []


def session_of(user: Any) -> str:
    """The session of a browser in which this user is signed in."""
    from django.contrib.auth import login
    from django.http import HttpRequest

    from accounts.sessions import SessionStore

    request = HttpRequest()
    request.session = SessionStore()
    login(request, user, backend="allauth.account.auth_backends.AuthenticationBackend")
    request.session.save()
    return str(request.session.cookie)


def socket_scope(**cookies: str) -> dict[str, Any]:
    """As much as is read of a socket that brings these cookies."""
    return {"headers": [(b"cookie", "; ".join(f"{name}={value}" for name, value in cookies.items()).encode())]}


def wait_until(page: Any, question: str, arg: Any = None) -> None:
    """Ask the page again and again until it says yes. (Its own waiting takes a promise for a yes.)"""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(question, arg):
        assert time.monotonic() < end, question
        page.wait_for_timeout(100)


def held_back(page: Any, routes: list[Any], number: int = 0) -> Any:
    """The request of this number that a test holds back: the browser tells of it a little before it is handed over to us."""
    end = time.monotonic() + PATIENCE
    while len(routes) <= number:
        assert time.monotonic() < end, "nothing was sent"
        page.wait_for_timeout(20)
    return routes[number]


def within_a_day(zone: str) -> None:
    """Where midnight is so near that a test would begin on one day and end on the next, wait until it is past."""
    now = datetime.now(ZoneInfo(zone))
    if (now + timedelta(seconds=2 * PATIENCE)).date() > now.date():
        time.sleep(2 * PATIENCE)


def press(button: Any) -> None:
    """Click what leads to another page, and wait until that page is there: what is read next is not the one before."""
    with button.page.expect_navigation(timeout=PATIENCE * 1000):
        button.click()


def serious(page: Any) -> list[str]:
    """What axe finds on the page that is serious or critical, a line each; an empty list is a pass."""
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then((all) => all.violations)")
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]}"
        for rule in found
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]
