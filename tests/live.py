"""A real server on its own data, for tests that need sockets, a browser, or a sudden death."""

import atexit
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parent.parent
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
    """The environment of a site in production mode on `data`; PostgreSQL and Redis where this run has addresses."""
    kept = ("DATABASE_URL", "HOME", "LANG", "PATH", "REDIS_URL", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {"DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "troccas_site.settings", "PYTHONUNBUFFERED": "1"}
    return environment | extra


@dataclass(slots=True)
class LiveSite:
    """A running `manage.py serve`. The server can be killed and started again on the same data."""

    data: Path
    extra: dict[str, str] = field(default_factory=dict)
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

    folder: Path = field(default_factory=lambda: Path(mkdtemp(prefix="troccas-sites-")))
    prepared: Path | None = None
    started: list[LiveSite] = field(default_factory=list)

    def start(self, **extra: str) -> LiveSite:
        """A new site, running; `extra` are environment variables for it."""
        template = self._prepare()
        data = self.folder / uuid4().hex
        shutil.copytree(template, data, symlinks=True)
        site = LiveSite(data, self._own_database(data.name) | {"REDIS_PREFIX": data.name} | extra)
        if "DATABASE_URL" in os.environ:
            site.manage("prepare")
        self.started.append(site)
        site.start()
        return site

    def close(self, site: LiveSite) -> None:
        """End one site."""
        site.kill()
        if "DATABASE_URL" in os.environ:
            _database(f'DROP DATABASE IF EXISTS "{_database_name(site.data.name)}" WITH (FORCE)')
        shutil.rmtree(site.data, ignore_errors=True)
        self.started.remove(site)

    def close_all(self) -> None:
        """End every site and remove the folder."""
        for site in list(self.started):
            self.close(site)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _prepare(self) -> Path:
        """A data folder with migrated tables and collected files; the files are shared by all copies."""
        if self.prepared is None:
            site = LiveSite(self.folder / "prepared", {"DATABASE_URL": ""})
            site.data.mkdir()
            subprocess.run([sys.executable, str(ROOT / "tools" / "messages.py"), "compile"], check=True)
            site.manage("prepare")
            (site.data / "static").rename(self.folder / "static")
            (site.data / "static").symlink_to(self.folder / "static")
            self.prepared = site.data
        return self.prepared

    def _own_database(self, name: str) -> dict[str, str]:
        """On PostgreSQL: a new empty database for this site."""
        if "DATABASE_URL" not in os.environ:
            return {}
        _database(f'CREATE DATABASE "{_database_name(name)}"')
        parts = urlsplit(os.environ["DATABASE_URL"])
        return {"DATABASE_URL": urlunsplit(parts._replace(path="/" + _database_name(name)))}


def _database_name(name: str) -> str:
    return f"site_{name}"


def _database(statement: str) -> None:
    import psycopg

    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(statement.encode())


def wait_until(page: Any, question: str, arg: Any = None) -> None:
    """Ask the page again and again until it says yes. (Its own waiting takes a promise for a yes.)"""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(question, arg):
        assert time.monotonic() < end, question
        page.wait_for_timeout(100)


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

    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]}"
        for rule in found
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]
