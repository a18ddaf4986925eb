"""The phrase book of the talk: which phrases exist and what each tells. Their translations are the site's concern."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("phrases.csv")


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase: `tells` in English, `strength` 0 (weak) to 5 (strong), `place` where it was heard."""

    id: str
    romansh: str
    literal: str
    theme: str
    tells: str
    strength: int
    place: str


def phrase_file() -> Path:
    """The file the phrase book is read from."""
    return _FILE


@cache
def phrase_book() -> dict[str, Phrase]:
    """Every phrase by its id, in the order of the book."""
    with _FILE.open(encoding="utf-8", newline="") as lines:
        return {
            row["id"]: Phrase(
                row["id"],
                row["romansh"],
                row["literal_en"],
                row["theme"],
                row["tells"],
                int(row["strength"]),
                row["place"],
            )
            for row in csv.DictReader(lines)
        }


@cache
def phrase_ids() -> frozenset[str]:
    """The ids that may be said."""
    return frozenset(phrase_book())
