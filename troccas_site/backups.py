"""Backups: the database at one moment and the site's own keys in one file.

Make, check, restore them, and delete old ones. A backup contains the cards of running hands and the keys of sessions,
so only the site's own account can read it, and it is encrypted if a key is given.
"""

from __future__ import annotations

import io
import json
import logging
import os
import shutil
import sqlite3
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from django.conf import settings
from django.db import connection

from core import last_runs, limits
from troccas_site.monitoring import alarm

logger = logging.getLogger(__name__)

KEYS: Final = ("secret_key", "vapid.pem")
"""Files that the site creates for itself and keeps beside its database."""
SQLITE_FILE: Final = "site.sqlite3"
_CONTENTS: Final = "contents.json"
_NAME: Final = "troccas-%Y%m%dT%H%M%SZ.backup"
_MAGIC: Final = b"troccas-backup-encrypted-1\n"
_CHUNK: Final = 1024 * 1024
_SALT, _NONCE, _LENGTH = 16, 12, 4
_EVERY: Final = timedelta(hours=24)
_KEPT: Final = ((timedelta(days=14), "%Y%m%d"), (timedelta(days=92), "%G%V"), (timedelta(days=366), "%Y%m"))
"""How long one backup of each day, of each week and of each month is kept."""


class BackupError(Exception):
    """A backup cannot be made, read or restored; the message says what to do."""


def make(folder: Path, *, key: str = "", now: datetime | None = None) -> Path:
    """Write a backup into the folder, read it back to check it, and return its path. The site keeps running meanwhile.

    All tables are as they were at one moment. Raises BackupError; then no file is left behind.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / (now or datetime.now(UTC)).strftime(_NAME)
    draft = path.with_suffix(".unfinished")
    try:
        with TemporaryDirectory(dir=folder) as scratch, _written(draft, key) as file:
            copy, counts = _copy_database(Path(scratch))
            with tarfile.open(fileobj=file, mode="w|gz") as archive:
                contents = {"database": connection.vendor, "tables": counts}
                _add(archive, _CONTENTS, json.dumps(contents, indent=1, sort_keys=True).encode())
                for name in KEYS:
                    with suppress(FileNotFoundError):
                        _add(archive, name, (settings.DATA_DIR / name).read_bytes())
                archive.add(copy, copy.name)
        check(draft, key=key)
        draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def check(path: Path, *, key: str = "") -> dict[str, int]:
    """Check a backup, and return the number of rows of each table. For SQLite, the rows are counted.

    Raises BackupError.
    """
    with _unpacked(path, key) as folder:
        return _contents(folder)["tables"]


def restore(path: Path, *, key: str = "") -> dict[str, int]:
    """Restore a backup, including the site's keys, as the settings say. Returns the number of rows of each table.

    Raises BackupError if there is a database already or the backup is broken; then nothing is changed.
    """
    with _unpacked(path, key) as folder:
        contents = _contents(folder)
        if contents["database"] != connection.vendor:
            raise BackupError(f"This backup is of {contents['database']}, and this site uses {connection.vendor}.")
        if _has_tables():
            raise BackupError("There is a database already. Move it away, or name another in DATA_DIR or DATABASE_URL.")
        counts: dict[str, int] = contents["tables"]
        _restore_database(folder)
        if (actual := _counts()) != counts:
            raise BackupError(f"Not all of it arrived: {_difference(counts, actual)}.")
        for name in KEYS:
            if (folder / name).exists():
                (folder / name).replace(settings.DATA_DIR / name)
        return counts


def thin_out(folder: Path, now: datetime) -> list[Path]:
    """Delete old backups, and return their paths.

    The newest of each day is kept for two weeks, of each week for three months, of each month for a year. So nobody who
    has deleted their account stays in backups for longer than that.
    """
    kept: set[Path] = set()
    backups = sorted(_backups(folder).items(), reverse=True)
    for age, period in _KEPT:
        seen: set[str] = set()
        for path, made_at in backups:
            if made_at > now - age and made_at.strftime(period) not in seen:
                seen.add(made_at.strftime(period))
                kept.add(path)
    deleted = [path for path, _made_at in backups if path not in kept]
    for path in deleted:
        path.unlink()
    return deleted


def _backups(folder: Path) -> dict[Path, datetime]:
    """When each backup in a folder was made, by its name. Files with other names are left alone."""
    backups = {}
    for path in folder.glob("troccas-*.backup"):
        with suppress(ValueError):
            backups[path] = datetime.strptime(path.name, _NAME).replace(tzinfo=UTC)
    return backups


def nightly(now: datetime) -> None:
    """Make the day's backup if a folder is set; only once, however many workers call this. Called every hour."""
    if settings.BACKUP_DIR is None:
        return
    ages = [now - made_at for made_at in _backups(settings.BACKUP_DIR).values()]
    if any(timedelta(0) <= age < _EVERY for age in ages):  # one from the future was made while the clock was wrong
        return
    if not limits.take("backup", rate=1, per=3600, now=now.timestamp()):
        return
    try:
        path = make(settings.BACKUP_DIR, key=settings.BACKUP_KEY, now=now.astimezone(UTC))
        thin_out(settings.BACKUP_DIR, now)
    except (BackupError, OSError) as error:
        logger.exception("no backup could be made")
        alarm("No backup could be made", str(error) if isinstance(error, BackupError) else type(error).__name__)
        last_runs.note(last_runs.BACKUP, now, problems=1)
    else:
        last_runs.note(last_runs.BACKUP, now)
        logger.info("backup made: %s, %d bytes", path.name, path.stat().st_size)


# the database


def _copy_database(scratch: Path) -> tuple[Path, dict[str, int]]:
    """Copy the database to a file, and return its path and the number of rows of each table in it."""
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        path = scratch / SQLITE_FILE
        with _opened(path) as copy:
            assert connection.connection is not None
            connection.connection.backup(copy)
            return path, _counts_of(copy)
    path = scratch / "database.dump"
    with connection.cursor() as cursor:
        cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
            _run(
                "pg_dump",
                "--format=custom",
                f"--snapshot={snapshot}",
                f"--file={path}",
                "--no-owner",
                "--no-privileges",
            )
            return path, _counts()
        finally:
            cursor.execute("ROLLBACK")


def _restore_database(folder: Path) -> None:
    if connection.vendor == "sqlite":
        connection.close()
        path = Path(connection.settings_dict["NAME"])
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)  # left by the look at the empty database
        (folder / SQLITE_FILE).replace(path)
        return
    _run(
        "pg_restore",
        "--exit-on-error",
        "--single-transaction",
        "--no-owner",
        "--no-privileges",
        "--no-comments",  # only the owner of an extension may write its comment
        str(folder / "database.dump"),
    )


def _run(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on the site's database. Raises BackupError with the program's error message."""
    database: dict[str, Any] = settings.DATABASES["default"]
    variables = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    environment = os.environ | {name: str(database[key]) for name, key in variables.items() if database.get(key)}
    name = f"--dbname={connection.settings_dict['NAME']}"
    try:
        command = [program, name, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own command
    except FileNotFoundError:
        raise BackupError(f"{program} is needed (Debian, Ubuntu: apt install postgresql-client).") from None
    if done.returncode:
        raise BackupError(f"{program}: {done.stderr.strip()[-500:]}")


def _has_tables() -> bool:
    with connection.cursor() as cursor:
        return bool(connection.introspection.table_names(cursor))


def _counts() -> dict[str, int]:
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        counts = {}
        for name in names:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(name)}")  # noqa: S608  # our own tables
            counts[name] = cursor.fetchone()[0]
        return counts


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """An SQLite file, for the duration of the block. Raises BackupError for what SQLite cannot do with it."""
    with closing(sqlite3.connect(path)) as database:
        try:
            yield database
        except sqlite3.Error as error:
            raise BackupError(f"SQLite says: {error}.") from error


def _counts_of(database: sqlite3.Connection) -> dict[str, int]:
    """The number of rows of each table of an SQLite file. Raises BackupError if SQLite finds it damaged."""
    problem = database.execute("PRAGMA integrity_check").fetchone()[0]
    if problem != "ok":
        raise BackupError(f"The database in it is damaged: {problem}.")
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    names = [name for (name,) in database.execute(query)]
    return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}  # noqa: S608  # names from the file's own catalogue


# the file


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), 0o600
    archive.addfile(entry, io.BytesIO(data))


@contextmanager
def _unpacked(path: Path, key: str) -> Iterator[Path]:
    """Unpack a backup into a temporary folder beside the site's data, for the duration of the block.

    Raises BackupError; or OSError, which names the file if it cannot be read, and none if there is no room.
    """
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(dir=settings.DATA_DIR) as scratch:
        folder = Path(scratch)
        try:
            with _read(path, key) as file, tarfile.open(fileobj=file, mode="r|gz") as archive:
                for entry in archive:
                    # By hand: Debian's Python 3.11 has no filters against paths that lead out of the folder.
                    content = None
                    if entry.isreg() and entry.name == Path(entry.name).name:
                        content = archive.extractfile(entry)
                    if content is None:
                        raise BackupError(f"{path} is no backup of ours: {entry.name!r}")
                    with (folder / entry.name).open("wb") as target:
                        shutil.copyfileobj(content, target)
        except (tarfile.TarError, EOFError) as error:
            raise BackupError(f"{path} is no whole backup: {error}") from error
        yield folder


def _contents(folder: Path) -> dict[str, Any]:
    contents: dict[str, Any] = json.loads((folder / _CONTENTS).read_text(encoding="utf-8"))
    if contents["database"] == "sqlite":
        with _opened(folder / SQLITE_FILE) as database:
            actual = _counts_of(database)
        if actual != contents["tables"]:
            raise BackupError(f"The backup does not hold what it says: {_difference(contents['tables'], actual)}.")
    return contents


def _difference(expected: dict[str, int], actual: dict[str, int]) -> str:
    names = sorted(name for name in expected.keys() | actual.keys() if expected.get(name) != actual.get(name))
    return ", ".join(f"{name} {actual.get(name)} of {expected.get(name)}" for name in names[:5])


class _Encrypting(io.RawIOBase):
    """A file that encrypts what is written to it in pieces (AES-GCM), each with its number and whether it is the last,
    so that no piece can be left out."""

    def __init__(self, file: IO[bytes], key: str) -> None:
        salt = os.urandom(_SALT)
        self.file, self.cipher, self.number, self.rest = file, _cipher(key, salt), 0, b""
        file.write(_MAGIC + salt)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.rest += bytes(data)
        while len(self.rest) > _CHUNK:
            self._put(self.rest[:_CHUNK], last=False)
            self.rest = self.rest[_CHUNK:]
        return len(data)

    def finish(self) -> None:
        self._put(self.rest, last=True)

    def _put(self, piece: bytes, *, last: bool) -> None:
        nonce = os.urandom(_NONCE)
        sealed = self.cipher.encrypt(nonce, piece, _position(self.number, last=last))
        self.file.write(len(sealed).to_bytes(_LENGTH) + nonce + sealed)
        self.number += 1


@contextmanager
def _written(path: Path, key: str) -> Iterator[IO[bytes]]:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        if key:
            encrypting = _Encrypting(file, key)
            yield encrypting  # type: ignore[misc]  # it has all the methods that tarfile uses
            encrypting.finish()
        else:
            yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _read(path: Path, key: str) -> Iterator[IO[bytes]]:
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            file.seek(0)
            yield file
            return
        if not key:
            raise BackupError("This backup is encrypted: name its key in BACKUP_KEY.")
        with TemporaryDirectory(dir=settings.DATA_DIR) as scratch, (Path(scratch) / "plain").open("w+b") as plain:
            _decrypt(file, plain, _cipher(key, file.read(_SALT)))
            plain.seek(0)
            yield plain


def _decrypt(file: IO[bytes], plain: IO[bytes], cipher: AESGCM) -> None:
    number, last = 0, False
    try:
        while not last:
            size = int.from_bytes(file.read(_LENGTH))
            nonce, sealed = file.read(_NONCE), file.read(size)
            last = not file.peek(1)  # type: ignore[attr-defined]  # a buffered file has it
            plain.write(cipher.decrypt(nonce, sealed, _position(number, last=last)))
            number += 1
    except (InvalidTag, ValueError):
        raise BackupError("The key in BACKUP_KEY is not that of this backup, or the file is not whole.") from None


def _cipher(key: str, salt: bytes) -> AESGCM:
    return AESGCM(Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(key.encode()))


def _position(number: int, *, last: bool) -> bytes:
    """The associated data of a piece."""
    return f"{number} {'last' if last else 'more'}".encode()
