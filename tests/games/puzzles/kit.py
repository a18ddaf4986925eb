"""Puzzles for tests, as the file has them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from games.puzzles import stored
from games.puzzles.stored import Puzzle


def lines() -> Iterator[dict[str, Any]]:
    """Every line of every file, decoded."""
    for file in sorted(stored.CONTENT.glob("*.jsonl")):
        yield from map(json.loads, file.read_text().splitlines())


def asking(question: str) -> Puzzle:
    """The first puzzle in which this is asked."""
    return next(puzzle for puzzle in stored.all_puzzles().values() if stored.view_of(puzzle).asked == question)


def laid_out(folder: Any, monkeypatch: pytest.MonkeyPatch, rows: list[dict[str, Any]]) -> None:
    """From now on these are the puzzles of the site."""
    for row in rows:
        with (folder / f"{row['game']}.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
    monkeypatch.setattr(stored, "CONTENT", folder)
    forget()


def forget() -> None:
    """Read the puzzles anew."""
    stored.all_puzzles.cache_clear()
    stored._view_of.cache_clear()
