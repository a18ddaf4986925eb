"""Showing where a question was met: the text, or a piece of it, with the words in <mark>."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from rules.search.asking import Question
from rules.search.fold import fold, skeleton
from rules.search.ranking import Near

EXCERPT: Final = 180
_BEFORE: Final = 60
_WORD: Final = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*")


class Marker:
    """Marks the telling words of one question, or what may be meant by them, in any number of texts."""

    def __init__(self, question: Question, near: Near) -> None:
        words = question.telling()
        self._words = {spelling for word in words for spelling in word.spellings}
        self._words.add(question.skeleton.replace(" ", ""))
        for word in words:
            self._words.update(near.typos.get(word.skeleton, ()), near.holding.get(word.skeleton, ()))
        self._beginnings = tuple(text for word in words for text in word.beginnings)
        self._known: dict[str, bool] = {}

    def marked(self, text: str, *, most: int = EXCERPT) -> SafeString:
        """`text` with the words marked; of a long one the piece of about `most` letters that holds most of them."""
        spots = [(found.start(), found.end()) for found in _WORD.finditer(text) if self._is_meant(found[0])]
        start, end = _piece(text, spots, most)
        html, at = [], start
        for first, last in spots:
            if start <= first and last <= end:
                html += [escape(text[at:first]), "<mark>", escape(text[first:last]), "</mark>"]
                at = last
        html.append(escape(text[at:end]))
        # Every piece of the text is escaped above; only the marks are ours.
        return mark_safe(f"{'… ' if start else ''}{''.join(html).strip()}{' …' if end < len(text) else ''}")  # noqa: S308

    def _is_meant(self, piece: str) -> bool:
        known = self._known.get(piece)
        if known is None:
            forms = _forms(piece)
            known = self._known[piece] = not self._words.isdisjoint(forms) or any(
                form.startswith(self._beginnings) for form in forms
            )
        return known


def shortened(text: str, most: int = EXCERPT) -> str:
    """The beginning of a text, up to a whole word, with "…" if something is left out."""
    _start, end = _piece(text, [], most)
    return text if end == len(text) else f"{text[:end].rstrip(' ,;:–')} …"


def _piece(text: str, spots: list[tuple[int, int]], most: int) -> tuple[int, int]:
    if len(text) <= most:
        return 0, len(text)
    firsts = [first for first, _last in spots] or [0]
    best = max(firsts, key=lambda first: (sum(first <= other < first + most - _BEFORE for other in firsts), -first))
    start = 0 if best <= _BEFORE else text.find(" ", best - _BEFORE, best) + 1 or best
    end = start + most
    if end >= len(text):
        return start, len(text)
    space = text.rfind(" ", start + most // 2, end)
    return start, space if space > 0 else end


@lru_cache(maxsize=16384)
def _forms(piece: str) -> tuple[str, str]:
    return fold(piece), skeleton(piece)
