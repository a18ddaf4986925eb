"""A PostgreSQL and a Redis of a test's own, on data of their own: they can be killed, cut and started again."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.live import PATIENCE, free_port


@dataclass
class Redis:
    """A Redis which keeps nothing."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        import redis

        options = {"--port": str(self.port), "--bind": "127.0.0.1", "--save": "", "--dir": str(self.folder)}
        words = [word for option in options.items() for word in option]
        self.process = subprocess.Popen(["redis-server", *words], stdout=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        with redis.Redis(port=self.port) as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    assert time.monotonic() < end, "redis-server does not answer"
                    time.sleep(0.05)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def programs_of_postgresql() -> Path | None:
    """Where `initdb` and `postgres` are: in no PATH on Debian, but in a folder of their version. None where there are none."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return folders[-1].parent if folders else None


@dataclass
class PostgreSQL:
    """A PostgreSQL on an empty folder of its own. Root may not run one: then it runs as `postgres`."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="troccas-postgresql-")))
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the database in which others may be made."""
        return f"postgres://owner@127.0.0.1:{self.port}/postgres"

    @property
    def _user(self) -> str | None:
        return "postgres" if os.geteuid() == 0 else None

    def make(self) -> None:
        """Make the cluster. Raises CalledProcessError."""
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        made = [self._program("initdb"), "-D", str(self.folder / "data"), "-U", "owner", "-A", "trust", "-E", "UTF8"]
        subprocess.run(
            [*made, "--locale=C.UTF-8"], check=True, stdout=subprocess.DEVNULL, user=self._user, cwd=self.folder
        )

    def start(self) -> None:
        """Start it and wait until it answers; after a crash it first goes through its log."""
        import psycopg

        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)  # of one that was killed
        options = ["-D", str(self.folder / "data"), "-p", str(self.port), "-k", str(self.folder), "-h", "127.0.0.1"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._program("postgres"), *options],
                stdout=log,
                stderr=subprocess.STDOUT,
                user=self._user,
                cwd=self.folder,
            )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                assert time.monotonic() < end, (self.folder / "server.log").read_text(errors="replace")[-3000:]
                time.sleep(0.1)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT cuts every connection and writes all down; SIGQUIT is as good as a crash."""
        process, self.process = self.process, None
        if process is not None and process.poll() is None:
            process.send_signal(how)
            process.wait(PATIENCE)

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it and start it again."""
        self.stop(how)
        self.start()

    def cut(self, *, only_in_transaction: bool = True) -> int:
        """End connections that are in the middle of a transaction (or all others); how many those were."""
        import psycopg

        inside = "xact_start IS NOT NULL AND" if only_in_transaction else ""
        cutting = (
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {inside} pid <> pg_backend_pid()"  # noqa: S608
            " AND backend_type = 'client backend'"
        )
        with psycopg.connect(self.url, autocommit=True) as connection:
            return len(connection.execute(cutting.encode()).fetchall())

    def dump(self, database: str, file: Path) -> None:
        """Write down a database, to be looked at later. Raises CalledProcessError."""
        subprocess.run([self._program("pg_dump"), "--dbname", database, "--file", str(file)], check=True)

    def remove(self) -> None:
        """End it and remove its data."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def _program(name: str) -> str:
        folder = programs_of_postgresql()
        assert folder is not None, "PostgreSQL is not installed"
        return str(folder / name)
