"""What differs between two documents, line by line and word by word, for showing side by side. Pure.

Lines are those of `rules.documents.merging`. The cost of comparing long texts is bounded: very long lines are compared
as a whole, very long runs of changed lines are paired in their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest
from typing import Any, Final

from rules import documents
from rules.documents import Line

CONTEXT: Final = 2
"""The number of unchanged lines that are shown around a change."""
_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")
_WORDS_AT_MOST: Final = 300
_PAIRED_AT_MOST: Final = 40
_ALIKE: Final = 0.35
"""From this share of common words on, a line counts as changed, not as removed and another one as added."""


class How(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line; `differs`: whether the other side has something else."""

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a comparison. `label` says where it belongs. A gap stands for `skipped` unchanged lines."""

    how: How
    label: str = ""
    before: tuple[Piece, ...] = ()
    after: tuple[Piece, ...] = ()
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rows in the order of the document, and the numbers of added, removed and changed lines."""

    rows: tuple[Row, ...]
    added: int
    removed: int
    changed: int

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed)


def compare(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Compare two canonical documents of a kind, in the reader's language; an empty one stands for a missing page."""
    return compare_lines(documents.lines(kind, before), documents.lines(kind, after))


def compare_texts(before: str, after: str) -> Comparison:
    return compare_lines(*([Line("", line) for line in text.split("\n")] if text else [] for text in (before, after)))


def compare_lines(before: Sequence[Line], after: Sequence[Line]) -> Comparison:
    rows: list[Row] = []
    start, end = _common_ends(before, after)
    rows += map(_same, before[:start])
    middle = (before[start : len(before) - end], after[start : len(after) - end])
    for tag, low, high, other_low, other_high in SequenceMatcher(None, *middle).get_opcodes():
        if tag == "equal":
            rows += map(_same, middle[0][low:high])
        else:
            rows += [_row(*pair) for pair in _paired(middle[0][low:high], middle[1][other_low:other_high])]
    rows += map(_same, before[len(before) - end :])
    count = Counter(row.how for row in rows)
    return Comparison(tuple(_folded(rows)), count[How.ADDED], count[How.REMOVED], count[How.CHANGED])


def _common_ends(before: Sequence[Line], after: Sequence[Line]) -> tuple[int, int]:
    most = min(len(before), len(after))
    start = next((number for number in range(most) if before[number] != after[number]), most)
    rest = most - start
    end = next((number for number in range(rest) if before[-1 - number] != after[-1 - number]), rest)
    return start, end


def _same(line: Line) -> Row:
    text = (Piece(line.text),)
    return Row(How.SAME, line.label, text, text)


def _row(old: Line | None, new: Line | None) -> Row:
    if old is None or new is None:
        line = old or new
        assert line is not None
        whole = (Piece(line.text, differs=True),)
        return Row(How.REMOVED, line.label, before=whole) if old else Row(How.ADDED, line.label, after=whole)
    return Row(How.CHANGED, new.label, *_pieces(old.text, new.text))


def _paired(before: Sequence[Line], after: Sequence[Line]) -> list[tuple[Line | None, Line | None]]:
    """Pair lines side by side, keeping the order of both, so that the pairs have the most words in common."""
    if len(before) > _PAIRED_AT_MOST or len(after) > _PAIRED_AT_MOST:
        return list(zip_longest(before, after))
    old, new = ([Counter(_WORD.findall(line.text.casefold())) for line in lines] for lines in (before, after))
    # Lines of a field that has a single line on both sides belong together, whatever they say.
    singles = {line.label for line in before} & {line.label for line in after}
    for lines in (before, after):
        counted = Counter(line.label for line in lines)
        singles = {label for label in singles if counted[label] == 1}
    # best[i][j]: the most that lines from i and from j on can have in common
    best = [[0.0] * (len(after) + 1) for _row in range(len(before) + 1)]
    alike = [[0.0] * len(after) for _row in before]
    for i in reversed(range(len(before))):
        for j in reversed(range(len(after))):
            if before[i].label == after[j].label:
                alike[i][j] = max(_alike(old[i], new[j]), _ALIKE if before[i].label in singles else 0.0)
            joined = best[i + 1][j + 1] + alike[i][j] if alike[i][j] >= _ALIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], joined)
    pairs: list[tuple[Line | None, Line | None]] = []
    i = j = 0
    while i < len(before) and j < len(after):
        if alike[i][j] >= _ALIKE and best[i][j] == best[i + 1][j + 1] + alike[i][j]:
            pairs.append((before[i], after[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append((before[i], None))
            i += 1
        else:
            pairs.append((None, after[j]))
            j += 1
    return [*pairs, *((line, None) for line in before[i:]), *((None, line) for line in after[j:])]


def _alike(one: Counter[str], other: Counter[str]) -> float:
    """The share of words that two lines have in common, from 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def _pieces(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    one, other = _WORD.findall(old), _WORD.findall(new)
    is_long = len(one) > _WORDS_AT_MOST or len(other) > _WORDS_AT_MOST
    if is_long or _alike(Counter(one), Counter(other)) < _ALIKE:
        return (Piece(old, differs=True),), (Piece(new, differs=True),)
    left: list[Piece] = []
    right: list[Piece] = []
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    for number, (tag, low, high, other_low, other_high) in enumerate(codes):
        # A space between two changed words belongs to them: one mark instead of two.
        is_between = 0 < number < len(codes) - 1 and not "".join(one[low:high]).strip()
        differs = tag != "equal" or is_between
        _add(left, "".join(one[low:high]), differs)
        _add(right, "".join(other[other_low:other_high]), differs)
    return tuple(left), tuple(right)


def _add(pieces: list[Piece], text: str, differs: bool) -> None:
    """Append a piece, joining it to the last one if both differ or both are the same."""
    if text and pieces and pieces[-1].differs == differs:
        text = pieces.pop().text + text
    if text:
        pieces.append(Piece(text, differs))


def _folded(rows: Sequence[Row]) -> list[Row]:
    """The rows, with unchanged ones more than `CONTEXT` away from every change replaced by gaps."""
    near = {
        number + step
        for number, row in enumerate(rows)
        if row.how is not How.SAME
        for step in range(-CONTEXT, CONTEXT + 1)
    }
    kept: list[Row] = []
    skipped = 0
    for number, row in enumerate(rows):
        if number in near:
            if skipped:
                kept.append(Row(How.GAP, skipped=skipped))
                skipped = 0
            kept.append(row)
        else:
            skipped += 1
    if skipped:
        kept.append(Row(How.GAP, skipped=skipped))
    return kept
