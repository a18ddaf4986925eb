"""Secrets that the site makes for itself and keeps beside its data, and who may read the data."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def read_or_create(path: Path, make: Callable[[], bytes]) -> bytes:
    """The contents of the file `path`.

    If it does not exist, it is created with what `make` returns, readable by its owner only. Threads and processes that
    ask at the same time get the same contents: the first to link the file wins.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.") as draft:  # readable by its owner only
            draft.write(make())
            draft.flush()
            with suppress(FileExistsError):
                os.link(draft.name, path)
    return path.read_bytes()


def is_private(folder: Path) -> bool:
    """Whether other accounts of this machine can neither read nor enter the folder. True if it does not exist."""
    return not folder.exists() or folder.stat().st_mode & 0o077 == 0


def make_private(folder: Path) -> None:
    """Make the folder, and what is directly in it, accessible to its owner only; create the folder if needed.

    Raises OSError if it belongs to somebody else.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (folder, *folder.iterdir()):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o700)
