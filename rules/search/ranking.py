"""How well a row answers a question. Pure; the same on every database.

In this order: the name itself; the name in another spelling, with another article, or as what a sentence is about; names that begin so; names that hold all words; texts that hold
all words; longer words that hold a word ("Karte" in "Figurenkarten"); mistyped words; some of the words. Within each band the
row's weight decides, then how much of it was asked for, then the reader's own language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rules.search.asking import Question, Word, without_article
from rules.search.indexing import CONTEXT, NAMES

EXACT: Final = 1000
SAME: Final = 900
BEGINS: Final = 800
_WORDS: Final = (600, 700)  # of a text, of a name
_HOLDING: Final = (450, 500)
_TYPO: Final = (300, 400)
_SOME: Final = 200
_PER_EDIT: Final = 25
_SOURCES_BEHIND: Final = 200
"""Who types "Troccas" looks for the game before all the works about it."""
_OWN_LANGUAGE: Final = 3
_IN_A_ROW: Final = 8


class Row(NamedTuple):
    """What ranking needs to know of a `SearchEntry`."""

    id: int
    kind: str
    key: str
    part: str
    language: str
    weight: int
    length: int
    anchor: str
    skeleton: str
    folded: str
    words: str


_COLUMNS: Final = ", ".join("entry.key" if name == "key" else f"row.{name}" for name in Row._fields)
ROWS: Final = (
    f"SELECT {_COLUMNS} FROM rules_searchentry AS row JOIN rules_entry AS entry ON entry.id = row.entry_id "  # noqa: S608
    "WHERE row.id IN ({ids})"
)
"""Reads `Row`s on any database, by a query for their ids."""


@dataclass(slots=True)
class Near:
    """Words of the vocabulary that may be meant, in either spelling, by the skeleton of the word that was typed."""

    typos: dict[str, Mapping[str, int]] = field(default_factory=dict)
    """With the number of letters they differ by."""
    holding: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Longer words with the typed one in them."""


class _Match(NamedTuple):
    """How one word of a question is met: `worth` from 0 to 1 within its band, `edits` for mistyped ones."""

    worth: float
    edits: int = 0
    is_held: bool = False
    is_beside: bool = False


_MISSING: Final = _Match(0.0)


def score(row: Row, question: Question, near: Near, language: str) -> float | None:
    """How well `row` answers; the higher the better; None if it does not."""
    band = _as_a_name(row, question) if row.part in NAMES else 0
    points: float | None
    if band:
        points = band + row.weight + _beside_the_point(row, language, len(question.folded))
    else:
        # A heading is a sentence more often than a name.
        points = _by_words(row, question, near, language, is_name=row.part in NAMES and row.part != "heading")
    return points - _SOURCES_BEHIND if points is not None and row.kind == "source" else points


def _as_a_name(row: Row, question: Question) -> int:
    if row.folded == question.folded:
        return EXACT
    if row.skeleton.replace(" ", "") == question.skeleton.replace(" ", ""):
        return SAME
    if without_article(row.folded) == without_article(question.folded) or row.skeleton == question.core:
        return SAME
    beginning = len(question.skeleton) > 1 and row.skeleton.startswith(question.skeleton)
    if beginning or row.folded.startswith(question.folded):
        return BEGINS
    return 0


def _by_words(row: Row, question: Question, near: Near, language: str, *, is_name: bool) -> float | None:
    own, _bar, beside = row.words.partition(CONTEXT)
    own, beside = f" {own} ", f" {beside} "
    words = question.telling()
    found = [_match(word, own, beside, near) for word in words]
    if not any(match.worth and not match.is_beside for match in found):
        return None
    # The other words of a sentence count only between rows that hold what it is about.
    others = [word for word in question.words if word not in words]
    worth = sum(match.worth for match in found) + sum(_match(word, own, beside, near).worth for word in others)
    mean = worth / len(question.words)
    edits = sum(match.edits for match in found)
    met = sum(len(word.folded) for word, match in zip(words, found, strict=True) if match.worth)
    rest = row.weight + _beside_the_point(row, language, met)
    if not all(match.worth for match in found):
        return _SOME * met / sum(len(word.folded) for word in words) + 20 * mean - 10 * edits + rest / 4
    band = (_TYPO if edits else _HOLDING if any(match.is_held for match in found) else _WORDS)[is_name]
    in_a_row = _IN_A_ROW if len(question.words) > 1 and f" {question.folded} " in f" {row.folded} " else 0
    return band + in_a_row + 10 * mean - edits * _PER_EDIT + rest


def _match(word: Word, own: str, beside: str, near: Near) -> _Match:
    if f" {word.folded} " in own:
        return _Match(1.0)
    if f" {word.skeleton} " in own:
        return _Match(0.9)
    if any(f" {text}" in own for text in word.beginnings):
        return _Match(0.7)
    if f" {word.folded} " in beside or f" {word.skeleton} " in beside:
        return _Match(0.4, is_beside=True)
    if any(f" {text}" in beside for text in word.beginnings):
        return _Match(0.3, is_beside=True)
    if any(f" {longer} " in own for longer in near.holding.get(word.skeleton, ())):
        return _Match(0.5, is_held=True)
    edits = min((edits for meant, edits in near.typos.get(word.skeleton, {}).items() if f" {meant} " in own), default=0)
    return _Match(0.5, edits=edits) if edits else _MISSING


def _beside_the_point(row: Row, language: str, letters: int) -> float:
    """What decides between equals: the reader's language, then how much of the row was asked for. Below 5."""
    return (_OWN_LANGUAGE if row.language == language else 0) + min(1.0, letters / max(1, row.length))
