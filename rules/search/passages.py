"""The sentences that may answer a question: from the articles, the tables that the engine makes, and the definitions.

They are read from what is published, in the reader's language or the next of its fallbacks, once for each language, and
again after something was published.
"""

from __future__ import annotations

import re
import threading
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final, NamedTuple

from django.db.models import Count, Max
from django.utils.html import strip_tags
from django.utils.translation import override

from core.text import fold, unwrapped
from domain.engine.rulesets import UnknownRuleset, ruleset
from rules.markup.render import engine_table
from rules.models import Entry
from rules.search import index, parsing, similar_questions
from rules.search.similar_questions import Wordings
from rules.search.stems import EMPTY, PLAYERS, Group, alike, joined, plain, seats_asked, stem, stems
from rules.terms import fallbacks

TOURNAMENT: Final = "tournament"
"""The family of texts about tournaments, treated like a game: questions about them name something of theirs."""
PRINCIPAL: Final = ("troccas", "troggu")
"""The rulesets that are meant if a question names none."""
_TABLES: Final = ("values", "ranks", "packets")
_BOX: Final = ("question", "mistake")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÀ-Ý0-9«“\"(])")
_ROW: Final = re.compile(r"<(?:tr|div)\b[^>]*>(.*?)</(?:tr|div)>", re.DOTALL)
_CELL: Final = re.compile(r"<(?:t[hd]|d[td]|li)\b[^>]*>(.*?)</(?:t[hd]|d[td]|li)>", re.DOTALL)
_SHORT: Final = 30
_LEAST: Final = 8
_PAIR: Final = 260
"""Two consecutive sentences form a passage as well if they have fewer letters together."""
LONGEST: Final = 320
_ASKED: Final = 1.15
"""The weight of the answer to a question that its entry lists."""
_ALIKE: Final = 0.75
_OF_EVERYTHING: Final = ("words.troccas", "words.troggu", "words.card", "words.phrase", "words.play")
"""Concepts that are named in questions about other things."""
_ONLY_NAMED: Final = 0.5
"""The factor for a definition that says no more than the name, like "to play Troccas": it rarely answers anything."""
_ANNOUNCES: Final = 0.7
"""The factor for a sentence that only announces a table or a list."""
_PART: Final = 0.7
_SLIP: Final = 0.8
_ANOTHER_NUMBER: Final = 0.85
"""How well another number of players matches the one in the question."""
_LONG_WORD: Final = 5
"""Shorter words are neither taken apart nor treated as misspelled."""
_TWO_SLIPS: Final = 8
_KEPT: Final = 4096
"""The size of the cache of what unknown words may stand for; anybody can type anything."""
_CONCEPT: Final = 0.9
_WORD_OF_A_NAME: Final = 0.6
"""How well the single words of a name match if a question names it."""
_LEFT_OUT: Final = ("words", "sources")
"""Sections that the page fills in itself."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence, and where it is. `weight` says how likely a place of this sort is to answer anything."""

    kind: str
    key: str
    slug: str
    language: str
    anchor: str
    heading: str
    text: str
    weight: float
    family: str = ""
    """The game it is about: troccas, troggu, or none; `TOURNAMENT` for texts about tournaments."""
    seats: tuple[int, ...] = ()
    """The numbers of players it applies to, if it is about a game."""
    is_principal: bool = False
    numbers: frozenset[str] = frozenset()
    words: int = 1
    asked: frozenset[str] = frozenset()
    """If this answers a question that the entry lists: the words of that question. Empty for all other passages."""
    said: str = ""
    """The sentence itself; `text` shows its context as well."""
    place: str = field(init=False)
    """Its section of an article ("troccas#discard"), or its concept. Stored, since every search reads thousands."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", f"{self.key}#{self.anchor}" if self.anchor else self.key)


class _Posting(NamedTuple):
    passage: int
    nearness: float
    """1 in the sentence itself, less in its heading, less in the title and the sentence before."""


@dataclass(slots=True)
class Book:
    """All passages for readers of one language, and where each token occurs."""

    passages: list[Passage] = field(default_factory=list)
    postings: dict[str, list[_Posting]] = field(default_factory=dict)
    concepts: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    """The term base: from the stems of a name to the keys of the concepts it names."""
    games: dict[str, frozenset[str]] = field(default_factory=dict)
    verbs: set[tuple[str, ...]] = field(default_factory=set)
    """Names that are a single verb: a question with "take" need not mean the bid."""
    dialect: dict[tuple[str, ...], str] = field(default_factory=dict)
    """Names that only Valais German has, and the game in which they are used."""
    longest: int = 1
    places: dict[str, list[int]] = field(default_factory=dict)
    """The passages of each section of an article ("troccas#discard") and of each concept."""
    variants: list[Passage] = field(default_factory=list)
    """Templates for the passages of articles on games other than the principal ones."""
    boxes: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    """The questions in the boxes of articles, with their places."""
    wordings: Wordings = field(default_factory=lambda: Wordings([]))
    _meant: dict[str, Mapping[str, float]] = field(default_factory=dict)

    def add(self, passage: Passage, own: Sequence[str], near: Sequence[str], far: Sequence[str]) -> None:
        """Add a passage.

        `own` are the stems of its sentence, `near` of its heading, `far` of the title and the sentence before.
        """
        number = len(self.passages)
        self.passages.append(passage)
        self.places.setdefault(passage.place, []).append(number)
        best: dict[str, float] = {}
        for nearness, words in ((0.3, far), (0.6, near), (1.0, own)):
            for token in self.tokens(words):
                best[token] = nearness
        for token, nearness in best.items():
            self.postings.setdefault(token, []).append(_Posting(number, nearness))

    def tokens(self, stems: Sequence[str]) -> Iterator[str]:
        """Stems, their groups of synonyms, and the concepts they name."""
        for each in stems:
            yield each
            yield from alike().get(each, ())
        for _start, _length, keys in self.named(stems):
            yield from keys

    def named(self, stems: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
        """The concepts that a sequence of stems names: start, length and keys of the longest name at each position."""
        for start in range(len(stems)):
            for length in range(min(self.longest, len(stems) - start), 0, -1):
                keys = self.concepts.get(tuple(stems[start : start + length]))
                if keys:
                    yield start, length, keys
                    break

    def thing_named(self, text: str) -> str:
        """The key of the card or concept that a question names, the rarest if there are several; "" if there is none."""
        words = fold(text).split()
        keys = [
            key
            for start, length, concepts in self.named([stem(word) for word in words])
            for key in concepts[:1]
            if length > 1 or words[start] not in EMPTY
        ]
        keys = [key for key in keys if key.removeprefix("§") not in _OF_EVERYTHING]
        return min(keys, key=lambda key: len(self.postings.get(key, ())), default="").removeprefix("§")

    def meant(self, word: str) -> Mapping[str, float]:
        """What an unknown stem may stand for: the parts it is composed of, or the word it is a misspelling of."""
        tokens = self._meant.get(word)
        if tokens is None:
            if len(self._meant) >= _KEPT:
                self._meant.clear()
            is_known = word in self.postings or word in alike() or len(word) < _LONG_WORD
            tokens = self._meant[word] = {} if is_known else (self._parts(word) or self._slip(word))
        return tokens

    def _parts(self, word: str) -> Mapping[str, float]:
        """The known words at the end and at the beginning of a compound: "trumpf" for "untertrumpf"."""
        end = next((word[at:] for at in range(3, len(word) - 3) if word[at:] in self.postings), "")
        beginning = next((word[:at] for at in range(len(word) - 3, 3, -1) if word[:at] in self.postings), "")
        return {token: _PART for part in (end, beginning) if part for token in (part, *alike().get(part, ()))}

    def _slip(self, word: str) -> Mapping[str, float]:
        from rapidfuzz import process  # noqa: PLC0415  # large, and needed only where a word was mistyped
        from rapidfuzz.distance import OSA  # noqa: PLC0415  # as above

        close = process.extractOne(
            word, list(self.postings), scorer=OSA.distance, score_cutoff=1 if len(word) < _TWO_SLIPS else 2
        )
        if close is None:
            return {}
        return dict.fromkeys((close[0], *alike().get(close[0], ())), _SLIP)

    def question(self, text: str) -> list[Group]:
        """A question in the form in which wordings are compared: its telling words, and its kind.

        The number of players is a word, too, and similar to other numbers: a question about six may be asked about
        five.
        """
        folded = plain(fold(text))
        words = folded.split()
        seats = seats_asked(folded)
        groups = self.groups([stem(word) for word in words], words)
        return [*(_with_seats(group, seats) for group in groups), *similar_questions.kinds(folded)]

    def groups(self, stems: Sequence[str], words: Sequence[str]) -> Iterator[Group]:
        """One group for each word or name in a question: the tokens that match it, and how well.

        `stems` and `words` are parallel. A single word in EMPTY is skipped, a name of several words never. After such a
        name there is a group for each of its words that is not in EMPTY.
        """
        names = {start: (length, keys) for start, length, keys in self.named(stems)}
        start = 0
        while start < len(stems):
            length, keys = names.get(start, (1, []))
            end = start + length
            if length > 1 or words[start] not in EMPTY:
                tokens = self._tokens_for(stems[start:end], keys)
                yield Group(tuple(tokens.items()), length)
            if length > 1:
                for number in range(start, end):
                    if words[number] not in EMPTY:
                        yield Group(((stems[number], _WORD_OF_A_NAME),), 1)
            start = end

    def _tokens_for(self, stems: Sequence[str], keys: Sequence[str]) -> dict[str, float]:
        """The tokens that match one word or name, and how well; `keys` are the concepts it names."""
        is_single = len(stems) == 1
        tokens: dict[str, float] = {}
        for each in stems:
            if is_single:
                tokens[each] = 1.0
                tokens.update(self.meant(each))
            for token in alike().get(each, ()):
                tokens.setdefault(token, _ALIKE if is_single else _ALIKE / 2)
        for key in keys:
            tokens[key] = _CONCEPT if is_single else 1.0
        return tokens


def _with_seats(group: Group, seats: int) -> Group:
    """The group; if it is the number of players, it also matches other numbers of players."""
    is_number = seats and any(PLAYERS.get(token) == seats for token, _worth in group.tokens)
    return Group((*group.tokens, ("~seats", _ANOTHER_NUMBER)), group.length) if is_number else group


_books: dict[str, tuple[tuple[int, int], Book]] = {}
_reading = threading.Lock()


def book(language: str) -> Book:
    """The passages for a reader of `language`; read again if something has been published since."""
    state = _state()
    cached = _books.get(language)
    if cached is None or cached[0] != state:
        with _reading:
            cached = _books.get(language)
            if cached is None or cached[0] != state:
                cached = _books[language] = (state, _read(language))
    return cached[1]


def _state() -> tuple[int, int]:
    state = Entry.objects.aggregate(newest=Max("published_id"), count=Count("published_id"))
    return state["newest"] or 0, state["count"]


def _read(language: str) -> Book:
    corpus = Book()
    codes = fallbacks(language)
    rows = Entry.objects.filter(published__isnull=False, kind__in=("article", "concept")).order_by("pk")
    concepts = []
    articles: dict[str, tuple[int, str, str, Mapping[str, Any]]] = {}
    for kind, key, code, slug, document in rows.values_list("kind", "key", "language", "slug", "published__document"):
        if kind == "concept":
            concepts.append((key, slug, document))
        elif code in codes and (key not in articles or codes.index(code) < articles[key][0]):
            articles[key] = (codes.index(code), code, slug, document)
    for key, _slug, document in concepts:
        _name(corpus, key, document)
    corpus.longest = max(map(len, corpus.concepts), default=1)
    for key, (_rank, code, slug, document) in articles.items():
        _article(corpus, key, code, slug, document)
    for key, slug, document in concepts:
        _define(corpus, key, slug, document, codes)
    corpus.wordings = Wordings(
        [(places, corpus.question(line)) for places, line in (*similar_questions.read(), *corpus.boxes)]
    )
    return corpus


def _name(corpus: Book, key: str, document: Mapping[str, Any]) -> None:
    """Add every name of a concept: a question may be in any language."""
    token = f"§{key}"
    corpus.games[token] = frozenset([TOURNAMENT] if document.get("theme") == TOURNAMENT else document.get("games", ()))
    for term in document.get("terms", ()):
        forms = (term["text"], *term.get("look_up", ()), *term.get("forms", {}).values())
        # The literal meaning of a popular name is a name as well: "the hen".
        for name in (*forms, *(parsing.without_article(fold(gloss)) for gloss in term.get("gloss", {}).values())):
            parts = tuple(stems(name))
            if term.get("pos") == "verb" and len(parts) == 1 and not key.startswith("words.play-"):
                corpus.verbs.add(parts)
            corpus.dialect[parts] = (
                PRINCIPAL[1] if term["lang"] == "gsw" and corpus.dialect.get(parts, PRINCIPAL[1]) else ""
            )
            if parts and not all(part in EMPTY for part in parts) and any(len(part) > 1 for part in parts):
                tokens = corpus.concepts.setdefault(parts, [])
                if token not in tokens:
                    tokens.append(token)


def _article(corpus: Book, key: str, language: str, slug: str, document: Mapping[str, Any]) -> None:
    game = document.get("ruleset", "")
    title = document["title"]
    base = {"games": 1.0, "table": 0.92}.get(document["section"], 0.8) * (0.6 if document.get("draft") else 1.0)
    family = game.partition("-")[0] or (TOURNAMENT if key == "tournaments" else "")
    about = Passage(
        "article", key, slug, language, "", "", "", base, family, _sizes(game), game in PRINCIPAL
    )  # fmt: skip
    if game and not about.is_principal:
        corpus.variants.append(about)
    far = stems(f"{title} {key.replace('-', ' ')}")
    if document.get("summary"):
        for said in _sentences(document["summary"]):
            _add(corpus, about, "", "", said, 0.8, [], far)
    for anchor, heading, paragraphs, kind in _pieces(document["text"], language, game):
        if anchor in _LEFT_OUT:
            continue
        if anchor in ("example", "puzzles"):
            continue  # a worked example is only about one case
        weight = {"glance": 0.97, "mistake": 0.65, "question": 0.82, "table": 0.93}.get(kind, 1.0)
        near = stems(heading)
        if kind in _BOX:
            corpus.boxes.append(((f"{key}#{anchor}",), heading))
        for paragraph, after in zip(paragraphs, _announced(paragraphs), strict=True):
            sentences = _sentences(paragraph) if kind not in ("table", "glance") else [paragraph]
            pairs = [
                (start, start + 2)
                for start, (one, two) in enumerate(pairwise(sentences))
                if len(one) + len(two) < _PAIR
            ]
            for start, end in (*((start, start + 1) for start in range(len(sentences))), *pairs):
                said = " ".join(sentences[start:end])
                place = replace(about, seats=_seats_of_row(said) or about.seats) if kind == "table" else about
                shown = _in_context([*sentences, *after], start, end)
                worth = weight * (_ANNOUNCES if shown.endswith(":") else 1.0)
                _add(corpus, place, anchor, heading, said, worth, near, far, whole=kind in _BOX, shown=shown)


def _announced(paragraphs: Sequence[str]) -> Iterator[Sequence[str]]:
    """For each paragraph, what it announces: the paragraphs after it, if it ends with a colon."""
    for number, paragraph in enumerate(paragraphs, start=1):
        yield paragraphs[number:] if paragraph.endswith(":") else ()


def _in_context(sentences: Sequence[str], start: int, end: int) -> str:
    """The sentences from `start` to `end`, with those after and before them in the paragraph as far as there is room.

    Often the next sentence explains one, and the one before names its subject.
    """
    room = LONGEST - len(" ".join(sentences[start:end]))
    while end < len(sentences) and len(sentences[end]) < room:
        room -= len(sentences[end]) + 1
        end += 1
    while start and len(sentences[start - 1]) < room:
        start -= 1
        room -= len(sentences[start]) + 1
    return " ".join(sentences[start:end])


def _add(
    corpus: Book,
    about: Passage,
    anchor: str,
    heading: str,
    said: str,
    weight: float,
    near: list[str],
    far: list[str],
    *,
    whole: bool = False,
    shown: str = "",
) -> None:
    own = stems(said)
    if not own or len(said) < _LEAST:
        return
    if about.text:  # more is shown than is compared
        passage = replace(about, weight=about.weight * weight, words=len(own))
        corpus.add(passage, own, near, far)
        return
    passage = Passage(
        about.kind, about.key, about.slug, about.language, anchor, heading, shown or said, about.weight * weight,
        about.family, about.seats, about.is_principal, _numbers(own), len(own), said=said,
    )  # fmt: skip
    own = [*own, *joined(fold(said).split())] if about.language == "de" else own
    corpus.add(passage, [*own, *near] if whole else own, near, far)


_WRITTEN_WORDS: Final = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen nineteen twenty half
zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn neunzehn zwanzig halfte
deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-neuf vingt moitié
due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici diciannove venti metà
"""
_WRITTEN: Final = frozenset(stems(_WRITTEN_WORDS))
_ROMAN: Final = frozenset(["xx", "xxi"])


def _numbers(words: Iterable[str]) -> frozenset[str]:
    """The numbers among the stems of a sentence, in figures or in words."""
    return frozenset(word for word in words if word in _WRITTEN or word[:1].isdigit() or word in _ROMAN)


def _sizes(game: str) -> tuple[int, ...]:
    try:
        return tuple(ruleset(game).sizes) if game else ()
    except UnknownRuleset:
        return ()


class Piece(NamedTuple):
    """A piece of an article: prose, a table or a box."""

    anchor: str
    heading: str
    paragraphs: list[str]
    kind: str
    """prose, glance, table, question or mistake"""


def _pieces(text: str, language: str, game: str) -> Iterator[Piece]:
    """The pieces of an article, in order. Directives other than tables and boxes are left out."""
    anchor = heading = ""
    prose: list[str] = []
    for block in index.blocks(text):
        if block.heading is not None or block.directive not in ("", "note"):
            yield from _prose(anchor, heading, prose, language)
            prose = []
        if block.heading is not None:
            heading, anchor = index.inline(block.heading, language), block.id or anchor
        elif block.directive in ("", "note"):
            prose.extend(["", *block.lines, ""] if block.directive else block.lines)
        elif block.directive == "glance":
            lines = [index.inline(line, language) for line in block.lines if line.strip()]
            yield Piece(anchor, heading, lines, "glance")
        elif block.directive in _TABLES:
            yield Piece(anchor, heading, _table(block.directive, block.lines, game, language), "table")
        elif block.directive in _BOX and block.id:
            texts = [index.inline(each, language) for each in index.texts_of(block)]
            if len(texts) > 1:
                # The first text is the question or the mistake, the second answers it; the others give reasons.
                yield Piece(f"{block.directive}-{block.id}", texts[0], texts[1:2], block.directive)
    yield from _prose(anchor, heading, prose, language)


def _prose(anchor: str, heading: str, lines: Sequence[str], language: str) -> Iterator[Piece]:
    """Paragraphs as they are, and tables row by row, each cell with the heading of its column."""
    plain = [line for line in lines if not line.startswith("|")]
    yield Piece(anchor, heading, index.paragraphs("\n".join(plain), language), "prose")
    heads: list[str] = []
    rows: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        if not line.startswith("|"):
            continue
        cells = [index.inline(cell.strip(), language) for cell in line.strip().strip("|").split("|")]
        if not before.startswith("|"):
            heads = cells
        elif set(line) > set("|-: "):
            rows.append(
                ", ".join(f"{head}: {cell}" if head else cell for head, cell in zip(heads, cells, strict=False) if cell)
            )
    yield Piece(anchor, heading, rows, "table")


def _seats_of_row(row: str) -> tuple[int, ...]:
    """The number of players that a row of a table is about, if it begins with that number."""
    match = re.match(r"[^:,]+: (\d)(?:,|$)", row)
    return (int(match[1]),) if match and int(match[1]) in PLAYERS.values() else ()


def _table(name: str, lines: Sequence[str], game: str, language: str) -> list[str]:
    """A table that the engine fills in, row by row, each cell with the heading of its column."""
    try:
        ruleset_id = tomllib.loads("\n".join(lines)).get("ruleset", game)
        with override(language):
            html = engine_table(name, ruleset_id, language)
    except (tomllib.TOMLDecodeError, UnknownRuleset):
        return []
    rows = [[strip_tags(cell).strip() for cell in _CELL.findall(row)] for row in _ROW.findall(html)]
    rows = [row for row in rows if row]
    if name == "ranks" or not rows:
        return [": ".join((row[0], " › ".join(row[1:]))) for row in rows if len(row) > 1]
    heads, *rest = rows
    return [", ".join(f"{head}: {cell}" for head, cell in zip(heads, row, strict=False) if cell) for row in rest]


def _sentences(text: str) -> list[str]:
    """The sentences of a paragraph; a very short one is joined to the next."""
    sentences: list[str] = []
    for sentence in _SENTENCE.split(unwrapped(text)):
        if sentences and len(sentences[-1]) < _SHORT:
            sentences[-1] = f"{sentences[-1]} {sentence}"
        elif sentence:
            sentences.append(sentence)
    return [sentence[:LONGEST] for sentence in sentences]


def _define(corpus: Book, key: str, slug: str, document: Mapping[str, Any], codes: Sequence[str]) -> None:
    texts = {code: each["text"] for code, each in document.get("definitions", {}).items()} or document.get("tells", {})
    code = next((code for code in codes if code in texts), "")
    terms = document.get("terms", ())
    names = [term["text"] for term in terms if term.get("status") != "deprecated"]
    games = document.get("games", ())
    kind = "phrase" if document.get("sort") == "phrase" else "word"
    of_a_game = document.get("theme") == "games" and document.get("broader", "") in ("words.troccas", "words.troggu")
    base = 0.72 if of_a_game and key != "words.visp-rules" else 0.93
    size = re.fullmatch(r"words\.troccas-(\d)", key)
    seats = (int(size[1]),) if size else ()
    family = games[0] if len(games) == 1 else ""
    if document.get("theme") == TOURNAMENT:
        family = TOURNAMENT
    about = Passage(kind, key, slug, code, "", "", "", base, family, seats)
    near = [each for name in names for each in stems(name)]
    if not code:
        return
    whole = index.inline(texts[code], code)
    if {each for each, word in zip(stems(whole), fold(whole).split(), strict=True) if word not in EMPTY} <= {*near}:
        about = replace(about, weight=about.weight * _ONLY_NAMED)
    shown = replace(about, text=whole[:LONGEST], numbers=_numbers(stems(whole)))
    for said in dict.fromkeys([whole, *_sentences(whole)]):
        _add(corpus, shown, "", "", said, 1.0, near, [])
    for question in document.get("asked", ()):
        own = [each for each, word in zip(stems(question), fold(question).split(), strict=True) if word not in EMPTY]
        asked = replace(shown, weight=_ASKED, words=len(own), asked=frozenset(stems(question)))
        corpus.add(asked, own or stems(question), near, [])
