"""The phrase book of the talk, and which words may be said.

Of each phrase the book has what it tells; the site translates it. Whose turn it is to speak is decided by the deal, and
by the hand where players may speak unasked.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from domain.engine.actions import BARE, SAY, Action
from domain.engine.errors import Illegality, Rule
from domain.engine.legal import LegalWords

_FILE = Path(__file__).with_name("phrases.csv")


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase: `tells` is its meaning in English, `strength` 0 (weak) to 5 (strong), `place` where it was heard."""

    id: str
    romansh: str
    literal: str
    theme: str
    tells: str
    strength: int
    place: str


def phrase_file() -> Path:
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
def words_of(asked: str, verbs: tuple[str, ...], talk: str) -> LegalWords:
    """The answers `verbs` to a question, each with the words that the table's talk ("", `phrases` or `free`) allows."""
    return LegalWords(asked, tuple(BARE[verb] for verb in verbs), talk, frozenset(phrase_book() if talk else ()))


def unasked(talk: str) -> LegalWords:
    """What may be said unasked, by the table's talk."""
    return words_of(SAY, (), talk)


def not_sayable(action: Action, legal: LegalWords) -> Illegality | None:
    """Why the words said with an action are not allowed; None if they are."""
    if not legal.talk:
        return Illegality(Rule.SILENT_TABLE)
    if action.words and legal.talk != "free":
        return Illegality(Rule.NO_FREE_TEXT)
    unknown = next((phrase for phrase in action.said if phrase not in legal.phrases), "")
    return Illegality(Rule.UNKNOWN_PHRASE, phrase=unknown) if unknown else None
