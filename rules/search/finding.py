"""What answers a question, the best first; and what may have been meant where nothing does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from django.db import connection
from rapidfuzz import process
from rapidfuzz.distance import OSA

from rules.models import SearchEntry
from rules.search import postgres, sqlite
from rules.search.asking import (
    Groups,
    Near,
    Question,
    Row,
    Token,
    Word,
    edits_in,
    likeness,
    likeness_of_two_edits,
    one_edit_from,
    read,
    score,
)
from rules.search.index import HEADING_END, NAMES
from rules.search.presenting import Found, Hit, present

ENOUGH: Final = 5
"""With so many answers nobody is asked what else might have been meant."""
MOST: Final = 100
"""Answers to one question, over all pages."""
_ROWS: Final = 250
_MEANT: Final = 12
_HELD_LETTERS: Final = 4
_MORE_PLACES: Final = 1.5
_LIKENESS: Final = 0.3
_FAR: Final = 4
_FIELDS: Final = tuple("entry__key" if name == "key" else name for name in Row._fields)


class _Backend(Protocol):
    """How a database is asked; it proposes, ranking disposes."""

    def rows(self, groups: Groups, *, kinds: tuple[str, ...], limit: int) -> list[Row]: ...
    def words_known(self, words: Iterable[str]) -> set[str]: ...
    def words_like(self, word: str, *, distance: int, alike: float) -> list[str]: ...
    def words_holding(self, part: str, *, limit: int) -> list[str]: ...


@dataclass(slots=True)
class Answer:
    """One page of what was found, and how many answers there are in all (at most MOST)."""

    question: Question
    found: list[Found] = field(default_factory=list)
    total: int = 0


def find(query: str, *, language: str, limit: int = 20, kinds: Iterable[str] | None = None) -> list[Found]:
    """The best answers, one for each article, word, phrase, source or place, the best first.

    `language` is the reader's: it names what is found and decides between equals. `kinds` are `SearchEntry.Kind` values,
    all by default. Any text may be asked; nothing is found for one without letters and figures.
    """
    return look_up(query, language=language, limit=limit, kinds=kinds).found


def look_up(
    query: str, *, language: str, limit: int = 20, start: int = 0, kinds: Iterable[str] | None = None
) -> Answer:
    """The answers from number `start` on, counted from 0, and how many there are."""
    question = read(query)
    wanted = tuple(sorted(set(kinds or ()) & set(SearchEntry.Kind.values)))
    if not question.words:
        return Answer(question)
    near = Near()
    hits = _hits(question, near, wanted, language)
    return Answer(question, present(hits[start : start + limit], question, near, language), len(hits))


def nearest(question: Question, *, limit: int = 5) -> list[str]:
    """Names that look like the longest word of a question, the most alike first; for where nothing was found."""
    words = [word.folded for word in question.telling() if len(word.folded) > 1]
    if not words:
        return []
    asked = max(words, key=len)
    close = _within(asked, _backend().words_like(asked, distance=_FAR, alike=_LIKENESS), _FAR, _LIKENESS)
    best = sorted(close, key=lambda word: (close[word], -likeness(asked, word), word))[:_MEANT]
    if not best:
        return []
    ids = [row.id for row in _backend().rows([[Token(word) for word in best]], kinds=(), limit=_ROWS)]
    rows = SearchEntry.objects.filter(pk__in=ids, part__in=NAMES).values_list("text", "words", "length")
    ranked = [
        (min(best.index(word) for word in set(words.split()) & set(best)), length, text.partition(HEADING_END)[0])
        for text, words, length in rows
        if not text.startswith(HEADING_END) and not set(best).isdisjoint(words.split())
    ]
    return list(dict.fromkeys(text for _rank, _length, text in sorted(ranked)))[:limit]


def meant_by(typed: str) -> list[str]:
    """The likeliest words of the vocabulary that a single mistyped word may mean; none where it occurs itself."""
    words = read(typed).words
    near = Near()
    _think_of(near, words, _backend(), is_answered=True)
    return [meant for word in words for meant in near.typos.get(word.skeleton, ())]


def _backend() -> _Backend:
    return postgres if connection.vendor == "postgresql" else sqlite


def _hits(question: Question, near: Near, kinds: tuple[str, ...], language: str) -> list[Hit]:
    """Every answer, ranked."""
    backend = _backend()
    rows: dict[int, Row] = {}
    names = SearchEntry.objects.filter(skeleton__in={question.skeleton, question.core})
    if kinds:
        names = names.filter(kind__in=kinds)
    rows.update((each[0], Row._make(each)) for each in names.order_by("-weight", "pk").values_list(*_FIELDS)[:_ROWS])

    def ask(groups: Groups) -> list[Hit]:
        rows.update((row.id, row) for row in backend.rows(groups, kinds=kinds, limit=_ROWS))
        return _grouped(rows.values(), question, near, language)

    telling = question.telling()
    hits = ask([word.tokens() for word in telling])
    if len(hits) < ENOUGH:
        _think_of(near, telling, backend, is_answered=bool(hits))
        groups = [[*word.tokens(), *(Token(meant) for meant in _meant(near, word))] for word in telling]
        hits = ask(groups)
        if len(question.words) > 1 and len(hits) < ENOUGH:
            hits = ask([[Token(question.skeleton.replace(" ", ""), is_prefix=True)]])
        if len(telling) > 1 and not hits:
            hits = ask([[token for group in groups for token in group]])
    return hits[:MOST]


def _think_of(near: Near, words: Sequence[Word], backend: _Backend, *, is_answered: bool) -> None:
    """Note what each word may be a misspelling, or a part, of. Where there are answers, a word that occurs is spelled right."""
    known = backend.words_known({spelling for word in words for spelling in word.spellings})
    unsure = [word for word in words if not is_answered or known.isdisjoint(word.spellings)]
    slips = {
        spelling: one_edit_from(spelling)
        for word in unsure
        for spelling in word.spellings
        if edits_in(spelling) == 1 or (edits_in(spelling) and spelling in known)
    }
    if slips:
        known |= backend.words_known(set().union(*slips.values()))
    for word in words:
        if word in unsure:
            near.typos[word.skeleton] = _typos(word, known, slips, backend)
        held = backend.words_holding(word.skeleton, limit=_MEANT) if len(word.skeleton) >= _HELD_LETTERS else []
        near.holding[word.skeleton] = tuple(longer for longer in held if longer not in word.spellings)


def _typos(word: Word, known: set[str], slips: Mapping[str, set[str]], backend: _Backend) -> dict[str, int]:
    """The likeliest words that may be meant, by how many letters they differ. A word counts in either of its spellings."""
    apart = {meant: 1 for spelling in word.spellings for meant in slips.get(spelling, set()) & known}
    for spelling in word.spellings:
        if not apart and spelling not in slips and edits_in(spelling) > 1:
            alike = likeness_of_two_edits(spelling)
            apart = _within(spelling, backend.words_like(spelling, distance=2, alike=alike), 2, alike)
    fewest = min(apart.values(), default=0)
    best = sorted((meant[:1] != word.folded[:1], meant) for meant, distance in apart.items() if distance == fewest)
    return dict.fromkeys([meant for _other, meant in best[:_MEANT]], fewest)


def _within(word: str, others: Iterable[str], distance: int, alike: float) -> dict[str, int]:
    """Which of `others` are within `distance` edits and as much `alike`, by their distance."""
    close = process.extract_iter(word, others, scorer=OSA.distance, score_cutoff=distance)
    return {other: int(edits) for other, edits, _index in close if edits and likeness(word, other) >= alike}


def _meant(near: Near, word: Word) -> list[str]:
    return [*near.typos.get(word.skeleton, {}), *near.holding.get(word.skeleton, ())]


def _grouped(rows: Iterable[Row], question: Question, near: Near, language: str) -> list[Hit]:
    """One hit for each thing, an article in all its languages being one, with its best row."""
    things: dict[tuple[str, str], list[tuple[float, Row]]] = {}
    for row in rows:
        points = score(row, question, near, language)
        if points is not None:
            things.setdefault((row.kind, row.key), []).append((points, row))
    hits = []
    for found in things.values():
        points, row = max(found, key=lambda each: (each[0], -each[1].length, each[1].language))
        # Who speaks of it in many places, knows more of it: but that never lifts anything into another class.
        hits.append(Hit(row, points + min(4.0, _MORE_PLACES * (len(found) - 1))))
    return sorted(hits, key=lambda hit: (-hit.score, hit.row.length, hit.row.folded, hit.row.kind, hit.row.key))
