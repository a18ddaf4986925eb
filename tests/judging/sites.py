"""The site that is judged: its data, its servers and workers as processes of their own, and their sudden deaths."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tests.live import ROOT, copy_template, free_port, site_environment

START_SECONDS = 90
STOP_SECONDS = 20


@dataclass(slots=True)
class Program:
    """A server (`port`) or a worker (no port) of the site. All its starts write to one log."""

    name: str
    command: list[str]
    environment: dict[str, str]
    log: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    deaths: int = 0

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start it; does not wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), *self.command],
                env=self.environment,
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self) -> None:
        """End it at once, as a power cut would. Safe to call from any thread, and for one that is dead already."""
        process = self.process
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(STOP_SECONDS)
            self.deaths += 1

    def stop(self) -> None:
        """Ask it to end; kill it if it does not."""
        process = self.process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(STOP_SECONDS)

    def answers(self) -> bool:
        """Whether the server answers just now."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as answer:  # noqa: S310  # our own
                return bool(answer.read() == b"ok")
        except (urllib.error.URLError, ConnectionError, TimeoutError, OSError):
            return False


@dataclass(slots=True)
class House:
    """A site on fresh data: `servers` and `workers`, on SQLite, or on PostgreSQL and Redis if their addresses are given."""

    mail_port: int
    servers_wanted: int = 1
    workers_wanted: int = 1
    postgres: str = ""
    redis: str = ""
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="troccas-judging-")))
    servers: list[Program] = field(default_factory=list)
    workers: list[Program] = field(default_factory=list)
    closing: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def environment(self) -> dict[str, str]:
        """What the site's programs, and this one, have to be told."""
        told = {
            "DJANGO_SETTINGS_MODULE": "tests.judging.settings",
            "JUDGING_CLOCK": str(self.folder / "clock"),
            "EMAIL_URL": f"smtp://127.0.0.1:{self.mail_port}",
            "PUSH_TO_LOOPBACK": "1",
            "TRUSTED_PROXIES": "1",
            "WEB_PROCESSES": str(self.servers_wanted),
            "DATABASE_URL": self.own_database,
            "REDIS_URL": self.redis,
            "REDIS_PREFIX": self.folder.name,
        }
        return {name: value for name, value in site_environment(self.folder, told).items() if value}

    @property
    def own_database(self) -> str:
        """The address of the database made for this run; empty on SQLite."""
        if not self.postgres:
            return ""
        return urlunsplit(urlsplit(self.postgres)._replace(path="/" + self._database_name))

    @property
    def _database_name(self) -> str:
        return self.folder.name.replace("-", "_")

    def prepare(self) -> None:
        """Make the tables and collect the files. Raises CalledProcessError."""
        subprocess.run([sys.executable, str(ROOT / "tools" / "messages.py"), "compile"], check=True)
        if self.postgres:
            self._database(f'CREATE DATABASE "{self._database_name}"')
            self.manage("prepare")
        else:
            copy_template("prepared", self.folder)
        for number in range(self.servers_wanted):
            port = free_port()
            # Where there is a worker beside it, one server also works by itself: two workers meet on the same games.
            alone = ["--no-worker"] if self.postgres else []
            self.servers.append(self._program(f"serve-{number}", ["serve", "--port", str(port), *alone], port))
        for number in range(self.workers_wanted):
            self.workers.append(self._program(f"work-{number}", ["work"]))

    def _program(self, name: str, command: list[str], port: int = 0) -> Program:
        first = self.servers[0].port if self.servers else port
        environment = self.environment() | {"PORT": str(first)}
        return Program(name, command, environment, self.folder / f"{name}.log", port)

    @property
    def programs(self) -> list[Program]:
        """Servers and workers."""
        return [*self.servers, *self.workers]

    def start(self) -> None:
        """Start everything and wait until it answers. Raises RuntimeError if it does not."""
        for program in self.programs:
            program.start()
        end = time.monotonic() + START_SECONDS
        while not all(server.answers() for server in self.servers):
            if time.monotonic() > end:
                raise RuntimeError("the server did not start:\n" + self.logs())
            time.sleep(0.1)

    def revive(self) -> int:
        """Start what is dead, whoever killed it; how many that were."""
        with self._lock:
            dead = [program for program in self.programs if not program.alive] if not self.closing else []
            for program in dead:
                program.start()
            return len(dead)

    def kill_one(self, chance: random.Random) -> str:
        """Kill some program; its name."""
        program = chance.choice(self.servers if chance.random() < 0.6 or not self.workers else self.workers)
        program.kill()
        return program.name

    def kill_all(self) -> None:
        """A power cut: everything is dead."""
        for program in self.programs:
            program.kill()

    @property
    def deaths(self) -> int:
        """How often something was killed."""
        return sum(program.deaths for program in self.programs)

    def server(self, chance: random.Random) -> Program:
        """Some server, whether it lives or not."""
        return chance.choice(self.servers)

    def stop(self) -> None:
        """End everything in peace."""
        with self._lock:
            self.closing = True
            for program in self.programs:
                program.stop()

    def manage(self, *arguments: str) -> str:
        """Run a management command; its output. Raises CalledProcessError."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=self.environment(),
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout

    def logs(self) -> str:
        """All that the programs have written."""
        return "".join(
            program.log.read_text(encoding="utf-8", errors="replace")
            for program in self.programs
            if program.log.exists()
        )

    def remove(self) -> None:
        """Remove the data."""
        for program in self.programs:
            program.kill()
        if self.postgres:
            self._database(f'DROP DATABASE IF EXISTS "{self._database_name}" WITH (FORCE)')
        shutil.rmtree(self.folder, ignore_errors=True)

    def _database(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self.postgres, autocommit=True) as connection:
            connection.execute(statement.encode())
