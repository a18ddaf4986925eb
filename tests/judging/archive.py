"""Everything that anybody was ever sent, kept to be read against the truth afterwards."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO


@dataclass(frozen=True, slots=True)
class Letter:
    """One thing that was received: `who` is the key of a person, `path` what they had asked for.

    It was `asked` for and came `at` moments of the clock; a message of a socket was not asked for, and both are the same.
    """

    who: int
    what: str  # page, socket
    path: str
    status: int
    kind: str  # content type
    asked: datetime
    at: datetime
    offset: int
    length: int


class Archive:
    """A file of bodies and a list of what they are. May be used by many threads."""

    def __init__(self, path: Path, mode: str = "w+b") -> None:
        self._file: IO[bytes] = path.open(mode)
        self._end = 0
        self._lock = threading.Lock()
        self.letters: list[Letter] = []
        self.size = 0

    @classmethod
    def reopened(cls, path: Path, letters: list[Letter]) -> Archive:
        """An archive that was kept, only to be read."""
        archive = cls(path, "rb")
        archive.letters = letters
        return archive

    def flush(self) -> None:
        """Let the file hold all there is."""
        with self._lock:
            self._file.flush()

    def keep(
        self, who: int, what: str, path: str, status: int, kind: str, asked: datetime, at: datetime, body: bytes
    ) -> None:
        """Keep what was received."""
        packed = zlib.compress(body, 1)
        with self._lock:
            self._file.seek(self._end)
            self._file.write(packed)
            self.letters.append(Letter(who, what, path, status, kind, asked, at, self._end, len(packed)))
            self._end += len(packed)
            self.size += len(body)

    def body(self, letter: Letter) -> str:
        """What it said."""
        with self._lock:
            self._file.seek(letter.offset)
            packed = self._file.read(letter.length)
        return zlib.decompress(packed).decode("utf-8", errors="replace")

    def __iter__(self) -> Iterator[Letter]:
        return iter(self.letters)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
