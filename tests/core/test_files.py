"""Secrets that the site makes for itself."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_bytes

from core.files import read_or_create

AT_ONCE = 8


def test_threads_that_ask_at_once_for_what_is_not_there_yet_get_the_same(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secret"
    together = threading.Barrier(AT_ONCE)

    def made() -> bytes:
        together.wait(10)  # all have found nothing
        return token_bytes()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        found = [asked.result() for asked in [threads.submit(read_or_create, path, made) for _ in range(AT_ONCE)]]
    assert set(found) == {path.read_bytes()}
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]
