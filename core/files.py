"""Secrets that the site makes for itself and keeps beside its data, and who may read that."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


def kept(path: Path, make: Callable[[], bytes]) -> bytes:
    """What `path` holds; what `make` gives if there is none yet, readable by its owner only.

    Threads and processes that ask at once get the same: whoever links the file first wins.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.") as draft:  # for its owner only
            draft.write(make())
            draft.flush()
            with suppress(FileExistsError):
                os.link(draft.name, path)
    return path.read_bytes()


def is_private(folder: Path) -> bool:
    """Whether other accounts of this machine can neither read nor enter the folder; also where there is none."""
    return not folder.exists() or folder.stat().st_mode & 0o077 == 0


def make_private(folder: Path) -> None:
    """Leave the folder, made if need be, and what lies directly in it, to its owner. Raises OSError where it belongs to somebody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (folder, *folder.iterdir()):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o700)
