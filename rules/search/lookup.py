"""Find what answers a question, best first. If nothing does, propose the likeliest spellings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Final, Protocol

from django.db import connection
from django.db.models import Q

from core.text import fold
from rules.models import SearchEntry, SearchWord
from rules.search import answers, parsing, passages, postgres, sqlite
from rules.search.index import HEADING_END, NAMES
from rules.search.presentation import WORD, Found, Hit, present

ENOUGH: Final = 5
"""With this many answers, misspellings and parts of words are not considered."""
MOST: Final = 100
"""The most answers to one question, over all pages."""
_ROWS: Final = 250
_MEANT: Final = 12
_NEAREST: Final = 5
_HELD_LETTERS: Final = 4
_MORE_PLACES: Final = 1.5
_LIKENESS: Final = 0.3
_FAR: Final = 4
_SHORT_NAME: Final = 3
_LONG_NAME: Final = 8
_NAME_WORDS: Final = 6
_NAMES_OF_WORDS: Final = ("preferred", "admitted", "proposed", "look-up", "place", "gloss", "literal")
_ASKS: Final = 3
"""From this many words on, a sentence may answer better than a name.

With fewer, only if one of them is not a telling word, or if no name nearly matches.
"""
_ANSWERS: Final = 0.4
"""How well the best sentence must fit for any to be shown."""
_WHOLE: Final = 0.99
"""The share of two telling words that a sentence must cover: both."""
_NEARLY: Final = 0.5
"""Sentences that fit less than this share of the best are left out."""
_NEARLY_AGAIN: Final = 0.7
_FIELDS: Final = tuple("entry__key" if name == "key" else name for name in parsing.Row._fields)


class _Backend(Protocol):
    """What the search needs from a database, which only proposes rows; they are ranked here."""

    def rows(self, groups: parsing.Groups, *, kinds: tuple[str, ...], limit: int) -> list[parsing.Row]: ...
    def words_known(self, words: Iterable[str]) -> set[str]: ...
    def words_like(self, word: str, *, distance: int, alike: float) -> list[str]: ...
    def words_holding(self, parts: Iterable[str], *, limit: int) -> dict[str, list[str]]: ...


@dataclass(slots=True)
class Answer:
    """One page of results, and the total number of answers (at most MOST)."""

    question: parsing.Question
    found: list[Found] = field(default_factory=list)
    total: int = 0


def find(query: str, *, language: str, limit: int = 20, kinds: Iterable[str] | None = None) -> list[Found]:
    """The best answers, one for each article, word, phrase, source or place, the best first.

    `language` is the reader's: results are shown in it, and it decides between equals. `kinds` are `SearchEntry.Kind`
    values, all by default. Any text is accepted; without letters and figures, nothing is found.
    """
    return look_up(query, language=language, limit=limit, kinds=kinds).found


def look_up(
    query: str, *, language: str, limit: int = 20, start: int = 0, kinds: Iterable[str] | None = None
) -> Answer:
    """The answers from number `start` on, counted from 0, and their total number."""
    question = parsing.read(query)
    valid_kinds = tuple(sorted(set(kinds or ()) & set(SearchEntry.Kind.values)))
    if not question.words:
        return Answer(question)
    near = parsing.Near()
    hits = _with_answers(question, _hits(question, near, valid_kinds, language), valid_kinds, language)
    return Answer(question, present(hits[start : start + limit], question, near, language), len(hits))


def unknown(question: parsing.Question) -> list[str]:
    """The telling words, as typed, that occur nowhere: neither whole, nor as a beginning, nor anything like them."""
    backend = _backend()
    words = question.telling() if question.words else ()
    vocabulary = backend.words_known({spelling for word in words for spelling in word.spellings})
    new = [word for word in words if vocabulary.isdisjoint(word.spellings) and len(word.folded) > 1]
    near = parsing.Near()
    if new:
        _think_of(near, new, backend, is_answered=False)
    typed = {fold(piece): piece for piece in WORD.findall(question.text)}
    return [
        typed.get(word.folded, word.folded)
        for word in new
        if not near.typos.get(word.skeleton)
        and not near.holding.get(word.skeleton)
        and not SearchWord.objects.filter(text__startswith=word.folded).exists()
    ]


def _with_answers(question: parsing.Question, hits: list[Hit], kinds: tuple[str, ...], language: str) -> list[Hit]:
    """The hits, with the sentences that answer the question before them, but after things that it names."""
    if parsing.requested_language(question) and (key := _named_thing(question, hits, language)):
        row = next((hit.row for hit in hits if hit.row.key == key), _row(SearchEntry.Kind.WORD, key, "", language))
        others = [hit for hit in hits if hit.row.key != key]
        return [Hit(row._replace(part="preferred"), parsing.SAME), *others][:MOST]
    sentences = _sentences(question, hits, kinds, language)
    if not sentences:
        return hits
    least = parsing.BEGINS if question.is_for_a_name and hits and hits[0].score < parsing.SAME else parsing.SAME
    names = [hit for hit in hits if hit.score >= least and hit.row.part in NAMES and hit.row.part != "heading"]
    named = {_thing(hit) for hit in names}
    first = [*names, *(hit for hit in sentences if hit.row.kind == "article" or _thing(hit) not in named)]
    listed = {_thing(hit) for hit in first}
    return [*first, *(hit for hit in hits if _thing(hit) not in listed)][:MOST]


def _named_thing(question: parsing.Question, hits: list[Hit], language: str) -> str:
    """The key of the word whose name in a language is asked for; empty if there is none."""
    if hits and hits[0].score >= parsing.SAME and hits[0].row.kind == SearchEntry.Kind.WORD:
        return hits[0].row.key
    return passages.book(language).thing_named(question.text)


def _thing(hit: Hit) -> tuple[str, str]:
    return hit.row.kind, hit.row.key


def _sentences(question: parsing.Question, hits: list[Hit], kinds: tuple[str, ...], language: str) -> list[Hit]:
    """The sentences that answer the question, best first; none if it asks nothing, or none answers it well enough."""
    is_short = len(question.words) == len(question.telling()) < _ASKS
    if is_short and (len(question.words) == 1 or (hits and hits[0].score >= parsing.NEARLY)):
        return []
    answering = [
        each for each in answers.answers_to(question.text, language) if not kinds or each.passage.kind in kinds
    ]
    best = answering[0].points if answering else 0.0
    if best < _ANSWERS or (is_short and answering[0].covered < _WHOLE):
        return []
    return [
        _answer(each, number)
        for number, each in enumerate(answering)
        if each.points >= best * _least_share(answering, number)
    ]


def _least_share(answering: Sequence[answers.Answer], number: int) -> float:
    """The share of the best points that an answer needs: a higher one if its article has answered already."""
    passage = answering[number].passage
    before = any((each.passage.kind, each.passage.key) == (passage.kind, passage.key) for each in answering[:number])
    return _NEARLY_AGAIN if before else _NEARLY


def _row(kind: str, key: str, part: str, language: str, *, anchor: str = "", length: int = 0) -> parsing.Row:
    """A row for something that was not found by its words."""
    return parsing.Row(0, kind, key, part, language, 0, length, anchor, "", "", "")


def _answer(answer: answers.Answer, number: int) -> Hit:
    passage = answer.passage
    row = _row(passage.kind, passage.key, "section", passage.language, anchor=passage.anchor, length=len(passage.text))
    return Hit(row, parsing.SAME - 1 - number / 100, passage)


def nearest(question: parsing.Question) -> list[str]:
    """A few names that look like the longest word of a question without results, the most alike first."""
    words = [word.folded for word in question.telling() if len(word.folded) > 1]
    if not words:
        return []
    longest = max(words, key=len)
    close = _within(longest, _backend().words_like(longest, distance=_FAR, alike=_LIKENESS), _FAR, _LIKENESS)
    best = sorted(close, key=lambda word: (close[word], -parsing.likeness(longest, word), word))[:_MEANT]
    if not best:
        return []
    ids = [row.id for row in _backend().rows([[parsing.Token(word) for word in best]], kinds=(), limit=_ROWS)]
    rows = SearchEntry.objects.filter(pk__in=ids, part__in=NAMES).values_list("text", "words", "length")
    ranked = [
        (min(best.index(word) for word in set(words.split()) & set(best)), length, text.partition(HEADING_END)[0])
        for text, words, length in rows
        if not text.startswith(HEADING_END) and not set(best).isdisjoint(words.split())
    ]
    return list(dict.fromkeys(text for _rank, _length, text in sorted(ranked)))[:_NEAREST]


def _backend() -> _Backend:
    return postgres if connection.vendor == "postgresql" else sqlite


def _hits(question: parsing.Question, near: parsing.Near, kinds: tuple[str, ...], language: str) -> list[Hit]:
    backend = _backend()
    rows: dict[int, parsing.Row] = {}
    names = SearchEntry.objects.filter(skeleton__in={question.skeleton, question.core, *question.named()} - {""})
    if kinds:
        names = names.filter(kind__in=kinds)
    rows.update(
        (each[0], parsing.Row._make(each)) for each in names.order_by("-weight", "pk").values_list(*_FIELDS)[:_ROWS]
    )

    def with_rows_for(groups: parsing.Groups) -> list[Hit]:
        rows.update((row.id, row) for row in backend.rows(groups, kinds=kinds, limit=_ROWS))
        return _grouped(rows.values(), question, near, language)

    telling = question.telling()
    hits = with_rows_for([word.tokens() for word in telling])
    if len(hits) < ENOUGH:
        _think_of(near, telling, backend, is_answered=bool(hits))
        groups = [[*word.tokens(), *(parsing.Token(meant) for meant in _meant(near, word))] for word in telling]
        hits = with_rows_for(groups)
        if len(question.words) > 1 and len(hits) < ENOUGH:
            hits = with_rows_for([[parsing.Token(question.skeleton.replace(" ", ""), is_prefix=True)]])
        if len(telling) > 1 and not hits:
            hits = with_rows_for([[token for group in groups for token in group]])
    return _with_names_near(question, hits, kinds)[:MOST]


def _with_names_near(question: parsing.Question, hits: list[Hit], kinds: tuple[str, ...]) -> list[Hit]:
    """The hits and, if no name is what was typed, names that a slip or two makes of it: "il reg", "nus den"."""
    typed = parsing.without_article(question.skeleton)
    edits = 2 if len(typed) >= _LONG_NAME else 1
    if len(typed) < _SHORT_NAME or len(question.words) > _NAME_WORDS or (hits and hits[0].score >= parsing.BEGINS):
        return hits
    rows = SearchEntry.objects.filter(
        _sharing_a_piece(typed, edits),
        part__in=_NAMES_OF_WORDS,
        length__range=(len(typed) - edits, len(typed) + edits + 4),
    )
    if kinds:
        rows = rows.filter(kind__in=kinds)
    names = {pk: parsing.without_article(name) for pk, name in rows.values_list("pk", "skeleton")}
    close = _names_within(typed, names, edits)
    entries = SearchEntry.objects.filter(pk__in=sorted(close, key=lambda pk: (close[pk], pk))[:_MEANT])
    near_hits = []
    for each in entries.values_list(*_FIELDS):
        row = parsing.Row._make(each)
        near_hits.append(Hit(row, parsing.BEGINS - 10 - 25 * close[row.id] + row.weight / 10))
    best: dict[tuple[str, str], Hit] = {}
    for hit in (*hits, *near_hits):
        thing = (hit.row.kind, hit.row.key)
        if thing not in best or best[thing].score < hit.score:
            best[thing] = hit
    return sorted(
        best.values(), key=lambda hit: (-hit.score, hit.row.length, hit.row.folded, hit.row.kind, hit.row.key)
    )


def _sharing_a_piece(typed: str, edits: int) -> Q:
    """A condition that every name within `edits` slips fulfils: a slip spoils at most two neighbouring pieces of it."""
    count = 2 * edits + 1
    ends = [len(typed) * number // count for number in range(count + 1)]
    return reduce(or_, (Q(skeleton__contains=typed[start:end]) for start, end in pairwise(ends)))


def _names_within(typed: str, names: Mapping[int, str], edits: int) -> dict[int, int]:
    """The ids of the names that differ from `typed` by 1 to `edits` slips, with their distances."""
    from rapidfuzz import process  # noqa: PLC0415  # large, and needed only where a word was mistyped
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # as above

    close = process.extract_iter(typed, names, scorer=OSA.distance, score_cutoff=edits)
    return {pk: int(distance) for _name, distance, pk in close if distance}


def _think_of(near: parsing.Near, words: Sequence[parsing.Word], backend: _Backend, *, is_answered: bool) -> None:
    """Note in `near` what each word may be a misspelling or a part of.

    If there are answers already, a word of the vocabulary counts as spelled right.
    """
    known = backend.words_known({spelling for word in words for spelling in word.spellings})
    unsure = [word for word in words if not is_answered or known.isdisjoint(word.spellings)]
    slips = {
        spelling: parsing.one_edit_from(spelling)
        for word in unsure
        for spelling in word.spellings
        if parsing.edits_in(spelling) == 1 or (parsing.edits_in(spelling) and spelling in known)
    }
    if slips:
        known |= backend.words_known(set().union(*slips.values()))
    parts = {word.skeleton for word in words if len(word.skeleton) >= _HELD_LETTERS}
    held = backend.words_holding(sorted(parts), limit=_MEANT)
    for word in words:
        if word in unsure:
            near.typos[word.skeleton] = _typos(word, known, slips, backend)
        longer = held.get(word.skeleton, ())
        near.holding[word.skeleton] = tuple(text for text in longer if text not in word.spellings)


def _typos(word: parsing.Word, known: set[str], slips: Mapping[str, set[str]], backend: _Backend) -> dict[str, int]:
    """The likeliest words that may be meant, with the number of edits. A word counts in either of its spellings."""
    apart = {meant: 1 for spelling in word.spellings for meant in slips.get(spelling, set()) & known}
    for spelling in word.spellings:
        if not apart and spelling not in slips and parsing.edits_in(spelling) > 1:
            alike = parsing.likeness_of_two_edits(spelling)
            apart = _within(spelling, backend.words_like(spelling, distance=2, alike=alike), 2, alike)
    fewest = min(apart.values(), default=0)
    best = sorted((meant[:1] != word.folded[:1], meant) for meant, distance in apart.items() if distance == fewest)
    return dict.fromkeys([meant for _other, meant in best[:_MEANT]], fewest)


def _within(word: str, others: Iterable[str], distance: int, alike: float) -> dict[str, int]:
    """Those of `others` within `distance` edits and with a likeness of at least `alike`, with their distances."""
    from rapidfuzz import process  # noqa: PLC0415  # large, and needed only where a word was mistyped
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # as above

    close = process.extract_iter(word, others, scorer=OSA.distance, score_cutoff=distance)
    return {other: int(edits) for other, edits, _index in close if edits and parsing.likeness(word, other) >= alike}


def _meant(near: parsing.Near, word: parsing.Word) -> list[str]:
    return [*near.typos.get(word.skeleton, {}), *near.holding.get(word.skeleton, ())]


def _as_its_reader_reads_it(
    best: parsing.Row, scored: Iterable[tuple[float, parsing.Row]], language: str
) -> parsing.Row:
    """The best row, or the same section in the reader's language if it matched, too."""
    if not best.anchor or best.language == language:
        return best
    same = [(points, row.id, row) for points, row in scored if (row.language, row.anchor) == (language, best.anchor)]
    return max(same)[-1] if same else best


def _grouped(rows: Iterable[parsing.Row], question: parsing.Question, near: parsing.Near, language: str) -> list[Hit]:
    """One hit for each thing, with its best row; an article in all its languages is one thing."""
    things: dict[tuple[str, str], list[tuple[float, parsing.Row]]] = {}
    for row in rows:
        points = parsing.score(row, question, near, language)
        if points is not None:
            things.setdefault((row.kind, row.key), []).append((points, row))
    hits = []
    for scored in things.values():
        points, best = max(scored, key=lambda each: (each[0], -each[1].length, each[1].language))
        row = _as_its_reader_reads_it(best, scored, language)
        # Matches in several places count in favour of a thing, but never lift it into a better class.
        hits.append(Hit(row, points + min(4.0, _MORE_PLACES * (len(scored) - 1))))
    return sorted(hits, key=lambda hit: (-hit.score, hit.row.length, hit.row.folded, hit.row.kind, hit.row.key))
