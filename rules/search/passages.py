"""Sentences that answer a question: every sentence of the articles, the tables the engine makes, and the definitions.

`answering` weighs the sentences that hold what a question is about: how much of it they hold, in the same words, in words
that mean the same (the term base, `alike.toml`) or in the heading above them. The principal game counts before its
variants, the game or the number of players that is named before others, a short sentence before a long one, and where a
number is asked for, a sentence with a number. What is read is the reader's language, or the next of its fallbacks.

The sentences are read from what is published, once for each language and state of it.
"""

from __future__ import annotations

import re
import threading
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.db.models import Count, Max
from django.utils.html import strip_tags
from django.utils.translation import override

from core.text import fold
from domain.engine.rulesets import UnknownRuleset, ruleset
from rules.markup.render import engine_table
from rules.models import Entry
from rules.search import index
from rules.terms import fallbacks

PRINCIPAL: Final = ("troccas", "troggu")
"""The rulesets that are meant where a question names none."""
_TABLES: Final = ("values", "ranks", "packets")
_BOX: Final = ("question", "mistake")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÀ-Ý0-9«“\"(])")
_ROW: Final = re.compile(r"<(?:tr|div)\b[^>]*>(.*?)</(?:tr|div)>", re.DOTALL)
_CELL: Final = re.compile(r"<(?:t[hd]|d[td]|li)\b[^>]*>(.*?)</(?:t[hd]|d[td]|li)>", re.DOTALL)
_SHORT: Final = 30
_LEAST: Final = 8
_PAIR: Final = 260
"""Two sentences in a row are one passage as well, if they have fewer letters together."""
_LONGEST: Final = 320
_ASKED: Final = 1.15
"""A question that its entry names is what is asked."""
_LEFT_OUT: Final = ("words", "sources")
"""Sections that the page fills in itself."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence, and where it is. `weight` says how likely such a place is to answer anything."""

    kind: str
    key: str
    slug: str
    language: str
    anchor: str
    heading: str
    text: str
    weight: float
    family: str = ""
    """The game it is about: troccas, troggu, or none."""
    seats: tuple[int, ...] = ()
    """For how many players, where it is about a game."""
    is_principal: bool = False
    numbers: frozenset[str] = frozenset()
    words: int = 1
    asked: frozenset[str] = frozenset()
    """The words of the question that an entry names, of which this is the answer; empty for all else."""


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
    """What words of the term base mean: stems of a name, keys of concepts."""
    games: dict[str, frozenset[str]] = field(default_factory=dict)
    longest: int = 1

    def add(self, passage: Passage, own: Iterable[str], near: Iterable[str], far: Iterable[str]) -> None:
        number = len(self.passages)
        self.passages.append(passage)
        best: dict[str, float] = {}
        for nearness, words in ((0.3, far), (0.6, near), (1.0, own)):
            for token in self.tokens(list(words)):
                best[token] = nearness
        for token, nearness in best.items():
            self.postings.setdefault(token, []).append(_Posting(number, nearness))

    def tokens(self, stems: list[str]) -> Iterator[str]:
        """Stems, what they mean alike, and the concepts they name."""
        for stem in stems:
            yield stem
            yield from alike().get(stem, ())
        for _start, _length, keys in self.named(stems):
            yield from keys

    def named(self, stems: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
        """The concepts that are named in a row of stems, the longest names first at each place."""
        for start in range(len(stems)):
            for length in range(min(self.longest, len(stems) - start), 0, -1):
                keys = self.concepts.get(tuple(stems[start : start + length]))
                if keys:
                    yield start, length, keys
                    break


class Answering(NamedTuple):
    """A passage that answers, how well (0 to about 1.5), and how much of the question it covers (0 to 1)."""

    passage: Passage
    points: float
    covered: float


# --- Words ------------------------------------------------------------------------------------------------------------

_ENDINGS: Final = ("ungen", "ing", "ern", "est", "ed", "es", "en", "er", "em", "s", "e", "n", "t", "a", "i", "o")
_STEM: Final = 4
_INFIX: Final = re.compile(r"^(weg|ab|aus|an|auf|ein|vor|zuruck|zusammen)(?:ge|zu)(?=\w{3})")
"""What stands inside German verbs: "weggelegt", "auszuspielen"."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A folded word without its ending, roughly: "discarded" and "discards", "Karten" and "Karte" are one."""
    word = _INFIX.sub(r"\1", word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word[: -len(ending)]
    return word


_PARTICLES: Final = frozenset(["aus", "ab", "weg", "ein", "an", "auf", "vor", "zu", "zuruck", "zusammen"])
_APART: Final = 9


def _joined(words: Sequence[str]) -> Iterator[str]:
    """German verbs whose parts stand apart, put together: "legt … weg" is found as "weglegen". Others come with them."""
    for at, word in enumerate(words):
        if word in _PARTICLES:
            for verb in words[max(0, at - _APART) : at]:
                yield stem(f"{word}{verb}")


def stems(text: str) -> list[str]:
    return [stem(word) for word in fold(text).split()]


@cache
def alike() -> Mapping[str, tuple[str, ...]]:
    """The groups of words that mean much the same, by the stem of each word."""
    found: dict[str, list[str]] = {}
    groups = tomllib.loads(Path(__file__).with_name("alike.toml").read_text(encoding="utf-8"))
    for name, words in groups.items():
        for each in dict.fromkeys(stems(words)):
            found.setdefault(each, []).append(f"~{name}")
    return {each: tuple(names) for each, names in found.items()}


_EMPTY: Final = frozenset(["a", "all", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do", "does", "each", "every", "everybody", "everyone", "for", "from", "get", "gets", "got", "had", "has", "have", "how", "i", "if", "in", "is", "it", "its", "many", "may", "me", "much", "must", "my", "need", "no", "not", "of", "on", "one", "or", "our", "out", "she", "should", "so", "than", "that", "the", "their", "them", "then", "there", "they", "this", "to", "us", "was", "we", "were", "what", "when", "which", "who", "whose", "why", "will", "with", "would", "you", "your", "s", "t", "give", "big", "high", "large", "play", "played", "plays", "happen", "happens", "mean", "means", "alle", "alles", "allen", "allowed", "permitted", "legal", "forbidden", "als", "am", "an", "auf", "aus", "bedeutet", "bedeuten", "bei", "beim", "bin", "bis", "da", "dabei", "das", "dass", "dem", "den", "denn", "der", "des", "die", "doch", "du", "darf", "durfen", "ein", "eine", "einem", "einen", "einer", "er", "es", "etwas", "fur", "hat", "hatte", "ich", "ihm", "ihn", "ihr", "im", "in", "ist", "ja", "jede", "jeder", "jedem", "kann", "kein", "keine", "konnen", "man", "mein", "mich", "mir", "mit", "muss", "mussen", "nach", "noch", "nicht", "nur", "passiert", "geschieht", "heisst", "gibt", "ob", "oder", "sein", "sich", "sie", "sind", "so", "um", "und", "uns", "vom", "von", "was", "wann", "warum", "welche", "welchen", "welcher", "welches", "wem", "wen", "wenn", "wer", "werden", "wie", "wird", "erlaubt", "verboten", "gebe", "gross", "hoch", "spielt", "spielen", "viel", "viele", "werden", "wo", "wohin", "worum", "zu", "zum", "zur", "ai", "avra", "bia", "biars", "biaras", "c", "che", "chi", "ce", "dans", "en", "tout", "tous", "cinq", "combien", "cun", "co", "contas", "cons", "con", "cura", "da", "dad", "de", "del", "della", "di", "dil", "du", "e", "ed", "ei", "el", "ella", "es", "est", "et", "gl", "ha", "han", "hai", "ho", "igl", "il", "ils", "in", "io", "je", "la", "las", "le", "les", "leu", "lo", "los", "mi", "ni", "non", "nua", "o", "ou", "per", "pertgei", "pli", "pour", "qua", "quand", "quando", "que", "quei", "quel", "quella", "qui", "quin", "quins", "s", "se", "sche", "si", "sun", "sur", "po", "pon", "on", "qu", "peut", "est", "sont", "suenter", "tgei", "tgi", "tgisa", "ti", "tu", "un", "una", "une", "vegn", "vegnan", "ves", "vul", "ein", "ha", "han", "muntan", "dat", "faut", "fautil", "joue", "y"])  # fmt: skip
_NUMBER_ASKED: Final = re.compile(
    r"\b(?:how (?:many|much|long|often|high|big|old)|wie alt|what (?:is|are) the (?:stake|value|total|par)|wie ?(?:viele?|vil|hoch|lange|oft|gross)"
    r"|wieviele?|con(?:tas|ts)|quants|quantas|combien|quant[aieo]|worth|wert)\b"
)
_PLAYERS: Final[Mapping[str, int]] = {
    word: number
    for number, words in {
        3: "3 three dritt drei trois tre treis trais", 4: "4 four viert vier quatre quattro quater",
        5: "5 five funft funf cinq cinque tschun", 6: "6 six sechst sechs sei sis",
        7: "7 seven siebt sieben sept sette siat", 8: "8 eight acht huit otto otg",
    }.items()
    for word in words.split()
}  # fmt: skip
_OF_PLAYERS: Final = re.compile(
    r"\b(?:(?:for|with|among|of|zu|a|en|in|per|mit) (?P<before>\w+)(?! (?:cards?|karten?|cartas?|cartes?|carte|points?|punkte?|hands?|tricks?|rounds?|kings?))"
    r"|(?P<after>\w+) (?:\w+ )?(?:players?|people|persons?|of us|spieler\w*|personen|leuten?|spielende\w*|giugad\w+|joueurs?|personnes?|giocatori|persone))\b"
)


def _seats_asked(folded: str) -> int:
    for found in _OF_PLAYERS.finditer(folded):
        number = _PLAYERS.get(found["before"] or found["after"] or "", 0)
        if number:
            return number
    return 0


# --- Reading what is published ----------------------------------------------------------------------------------------

_books: dict[str, tuple[tuple[int, int], Book]] = {}
_reading = threading.Lock()


def book(language: str) -> Book:
    """The passages for a reader of `language`; read anew when something has been published since."""
    state = _state()
    known = _books.get(language)
    if known is None or known[0] != state:
        with _reading:
            known = _books.get(language)
            if known is None or known[0] != state:
                known = _books[language] = (state, _read(language))
    return known[1]


def _state() -> tuple[int, int]:
    found = Entry.objects.aggregate(newest=Max("published_id"), many=Count("published_id"))
    return found["newest"] or 0, found["many"]


def _read(language: str) -> Book:
    made = Book()
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
        _name(made, key, document)
    made.longest = max(map(len, made.concepts), default=1)
    for key, (_rank, code, slug, document) in articles.items():
        _article(made, key, code, slug, document)
    for key, slug, document in concepts:
        _define(made, key, slug, document, codes)
    return made


def _name(made: Book, key: str, document: Mapping[str, Any]) -> None:
    """Learn every name of a concept: a question may be in any language."""
    token = f"§{key}"
    made.games[token] = frozenset(document.get("games", ()))
    for term in document.get("terms", ()):
        for said in (term["text"], *term.get("look_up", ()), *term.get("forms", {}).values()):
            parts = tuple(stems(said))
            if parts and not all(part in _EMPTY for part in parts) and any(len(part) > 1 for part in parts):
                known = made.concepts.setdefault(parts, [])
                if token not in known:
                    known.append(token)


def _article(made: Book, key: str, language: str, slug: str, document: Mapping[str, Any]) -> None:
    game = document.get("ruleset", "")
    title = document["title"]
    base = {"games": 1.0, "table": 0.92}.get(document["section"], 0.8) * (0.6 if document.get("draft") else 1.0)
    about = Passage(
        "article", key, slug, language, "", "", "", base, game.partition("-")[0], _sizes(game), game in PRINCIPAL
    )
    far = stems(f"{title} {key.replace('-', ' ')}")
    if document.get("summary"):
        for said in _sentences(document["summary"]):
            _add(made, about, "", "", said, 0.8, [], far)
    for anchor, heading, paragraphs, kind in _sections(document["text"], language, game):
        if anchor in _LEFT_OUT:
            continue
        if anchor in ("example", "puzzles"):
            continue  # a worked example tells what happened once
        weight = {"glance": 0.97, "mistake": 0.65, "question": 0.82, "table": 0.93}.get(kind, 1.0)
        near = stems(heading)
        for paragraph in paragraphs:
            pieces = _sentences(paragraph) if kind not in ("table", "glance") else [paragraph]
            pairs = [f"{one} {two}" for one, two in pairwise(pieces) if len(one) + len(two) < _PAIR]
            for sentence in (*pieces, *pairs):
                place = replace(about, seats=_seats_of_row(sentence) or about.seats) if kind == "table" else about
                _add(made, place, anchor, heading, sentence, weight, near, far, whole=kind in _BOX)


def _add(
    made: Book,
    about: Passage,
    anchor: str,
    heading: str,
    said: str,
    weight: float,
    near: list[str],
    far: list[str],
    *,
    whole: bool = False,
) -> None:
    own = stems(said)
    if not own or len(said) < _LEAST:
        return
    if about.text:  # what is shown is more than what is compared
        passage = replace(about, weight=about.weight * weight, words=len(own))
        made.add(passage, own, near, far)
        return
    passage = Passage(
        about.kind, about.key, about.slug, about.language, anchor, heading, said, about.weight * weight,
        about.family, about.seats, about.is_principal, _numbers(own), len(own),
    )  # fmt: skip
    own = [*own, *_joined(fold(said).split())] if about.language == "de" else own
    made.add(passage, [*own, *near] if whole else own, near, far)


_WRITTEN: Final = frozenset(
    stem(word)
    for word in [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "nineteen",
        "twenty",
        "zwei",
        "drei",
        "vier",
        "funf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwolf",
        "dreizehn",
        "vierzehn",
        "funfzehn",
        "neunzehn",
        "zwanzig",
        "half",
        "halfte",
    ]
)


_ROMAN: Final = frozenset(["xx", "xxi"])


def _numbers(words: Iterable[str]) -> frozenset[str]:
    """The numbers among the stems of a sentence, in figures or written."""
    return frozenset(word for word in words if word in _WRITTEN or word[:1].isdigit() or word in _ROMAN)


def _sizes(game: str) -> tuple[int, ...]:
    try:
        return tuple(ruleset(game).sizes) if game else ()
    except UnknownRuleset:
        return ()


def _sections(text: str, language: str, game: str) -> Iterator[tuple[str, str, list[str], str]]:
    """Anchor, heading, paragraphs and kind (prose, glance, table, question, mistake) of each piece of an article."""
    anchor = heading = ""
    prose: list[str] = []
    for block in index.blocks(text):
        if block.heading or block.directive not in ("", "note"):
            yield from _prose(anchor, heading, prose, language)
            prose = []
        if block.heading:
            heading, anchor = index.inline(block.heading, language), block.id or anchor
        elif block.directive in ("", "note"):
            prose.extend(["", *block.lines, ""] if block.directive else block.lines)
        elif block.directive == "glance":
            yield anchor, heading, [index.inline(line, language) for line in block.lines if line.strip()], "glance"
        elif block.directive in _TABLES:
            yield anchor, heading, _table(block.directive, block.lines, game, language), "table"
        elif block.directive in _BOX and block.id:
            said = [index.inline(each, language) for each in index.texts_of(block)]
            if len(said) > 1:
                yield f"{block.directive}-{block.id}", said[0], said[1:2], block.directive
    yield from _prose(anchor, heading, prose, language)


def _prose(anchor: str, heading: str, lines: Sequence[str], language: str) -> Iterator[tuple[str, str, list[str], str]]:
    """Paragraphs as they are, and the tables among them row by row, each cell with what its column is called."""
    plain = [line for line in lines if not line.startswith("|")]
    yield anchor, heading, index.paragraphs("\n".join(plain), language), "prose"
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
    yield anchor, heading, rows, "table"


def _seats_of_row(row: str) -> tuple[int, ...]:
    """How many players the row of a table is about that begins with their number."""
    found = re.match(r"[^:,]+: (\d)(?:,|$)", row)
    return (int(found[1]),) if found and int(found[1]) in _PLAYERS.values() else ()


def _table(name: str, lines: Sequence[str], game: str, language: str) -> list[str]:
    """A table that the engine fills in, row by row, each cell with what its column is called."""
    try:
        wanted = tomllib.loads("\n".join(lines)).get("ruleset", game)
        with override(language):
            html = engine_table(name, wanted, language)
    except (tomllib.TOMLDecodeError, UnknownRuleset):
        return []
    rows = [[strip_tags(cell).strip() for cell in _CELL.findall(row)] for row in _ROW.findall(html)]
    rows = [row for row in rows if row]
    if name == "ranks" or not rows:
        return [": ".join((row[0], " › ".join(row[1:]))) for row in rows if len(row) > 1]
    heads, *rest = rows
    return [", ".join(f"{head}: {cell}" for head, cell in zip(heads, row, strict=False) if cell) for row in rest]


def _sentences(text: str) -> list[str]:
    """The sentences of a paragraph; a very short one stays with the next."""
    made: list[str] = []
    for said in _SENTENCE.split(" ".join(text.split())):
        if made and len(made[-1]) < _SHORT:
            made[-1] = f"{made[-1]} {said}"
        elif said:
            made.append(said)
    return [said[:_LONGEST] for said in made]


def _define(made: Book, key: str, slug: str, document: Mapping[str, Any], codes: Sequence[str]) -> None:
    definitions = document.get("definitions", {})
    code = next((code for code in codes if code in definitions), "")
    terms = document.get("terms", ())
    names = [term["text"] for term in terms if term.get("status") != "deprecated"]
    games = document.get("games", ())
    kind = "phrase" if document.get("sort") == "phrase" else "word"
    of_a_game = document.get("theme") == "games" and document.get("broader", "") in ("words.troccas", "words.troggu")
    base = 0.72 if of_a_game and key != "words.visp-rules" else 0.93
    size = re.fullmatch(r"words\.troccas-(\d)", key)
    seats = (int(size[1]),) if size else ()
    about = Passage(kind, key, slug, code, "", "", "", base, games[0] if len(games) == 1 else "", seats)
    near = [each for name in names for each in stems(name)]
    if not code:
        return
    whole = index.inline(definitions[code]["text"], code)
    shown = replace(about, text=whole[:_LONGEST], numbers=_numbers(stems(whole)))
    for said in dict.fromkeys([whole, *_sentences(whole)]):
        _add(made, shown, "", "", said, 1.0, near, [])
    for question in document.get("asked", ()):
        own = [each for each, word in zip(stems(question), fold(question).split(), strict=True) if word not in _EMPTY]
        asked = replace(shown, weight=_ASKED, words=len(own), asked=frozenset(stems(question)))
        made.add(asked, own or stems(question), near, [])


# --- Answering --------------------------------------------------------------------------------------------------------

_NOTHING: Final = "a"
"""An empty word, in the place of one that says nothing more."""
_ALIKE: Final = 0.75
_CONCEPT: Final = 0.9
_MOST: Final = 12
_EACH: Final = 2
"""At most so many sections of one article."""


_CARDS: Final = frozenset(stem(word) for word in ["card", "karten", "carte", "cartas"])
_EACH_GETS: Final = tuple((stem(word), 1.0) for word in ["each", "everyone", "je", "alle", "jede", "hand", "hands"])
"""How many cards: as many as each player gets."""


def alike_cards(made: Book) -> frozenset[str]:
    return frozenset(key for word in _CARDS for key in made.concepts.get((word,), ()))


class _Group(NamedTuple):
    """One word of a question, or a name of several: what may stand for it, and how well each does."""

    tokens: tuple[tuple[str, float], ...]
    length: int


def answering(question: str, language: str) -> list[Answering]:
    """The passages that answer best, the best first; one for each section, at most two of an article."""
    made = book(language)
    folded = fold(question)
    words = [stem(word) for word in folded.split()]
    asked = _Asked.of(made, folded, words)
    said = folded.split()
    groups = list(_groups(made, words, [_NOTHING if asked.is_said(stem(word)) else word for word in said]))
    groups = groups or list(_groups(made, words, [word if word not in _EMPTY else _NOTHING for word in said]))
    if said[-1] in _PARTICLES:
        verbs = [verb for verb in _joined(said) if verb in made.postings]
        groups += [_Group(tuple((token, 1.0) for verb in verbs for token in made.tokens([verb])), 1)] if verbs else []
    if not groups or not made.passages:
        return []
    if asked.number and {token for group in groups for token, _worth in group.tokens} <= _CARDS | alike_cards(made):
        groups.append(_Group(_EACH_GETS, 1))
    about = {key for _start, _length, keys in made.named(words) for key in keys} | {
        token for group in groups for token, _worth in group.tokens if token.startswith("§")
    }
    scores: dict[int, float] = {}
    covered: dict[int, float] = {}
    total = 0.0
    for group in groups:
        best: dict[int, float] = {}
        for token, worth in group.tokens:
            for number, nearness in made.postings.get(token, ()):
                value = worth * nearness
                if value > best.get(number, 0.0):
                    best[number] = value
        rarity = log(1 + len(made.passages) / (1 + len(best))) * (1 + 0.35 * (group.length - 1))
        total += rarity
        for number, value in best.items():
            scores[number] = scores.get(number, 0.0) + rarity * value
            covered[number] = covered.get(number, 0.0) + rarity
    named = 1.7 if len(groups) == 1 and not asked.number else 1.2
    found = []
    for number, points in scores.items():
        share = points / total
        if share < 0.3:
            continue
        passage = made.passages[number]
        length = 1 / (1 + 0.12 * log(max(passage.words, 8) / 8))
        whole = covered[number] / total
        fit = passage.weight * asked.fit(passage) * (named if f"§{passage.key}" in about else 1.0)
        found.append(Answering(passage, share * length * fit * (0.5 + 0.5 * whole), whole))
    found.sort(key=lambda each: (-each.points, each.passage.key, each.passage.anchor, each.passage.text))
    return list(_apart(found))[:_MOST]


def _groups(made: Book, words: Sequence[str], folded: Sequence[str]) -> Iterator[_Group]:
    named = {start: (length, keys) for start, length, keys in made.named(words)}
    at = 0
    while at < len(words):
        length, keys = named.get(at, (1, []))
        # A name of several words is one thing; a single empty word is none.
        if length == 1 and folded[at] in _EMPTY:
            at += 1
            continue
        tokens: dict[str, float] = {}
        for word in words[at : at + length]:
            if length == 1:
                tokens[word] = 1.0
            for token in alike().get(word, ()):
                tokens.setdefault(token, _ALIKE if length == 1 else _ALIKE / 2)
        for key in keys:
            tokens[key] = _CONCEPT if length == 1 else 1.0
        yield _Group(tuple(tokens.items()), length)
        if length > 1:  # its words by themselves count a little too
            for offset in range(length):
                word = words[at + offset]
                if folded[at + offset] not in _EMPTY:
                    yield _Group(((word, 0.6),), 1)
        at += length


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question says of the game, of the number of players, and whether it wants a number."""

    family: str
    seats: int
    number: bool
    words: frozenset[str]

    @classmethod
    def of(cls, made: Book, folded: str, words: Sequence[str]) -> _Asked:
        named = set(words)
        family = next((game for game in PRINCIPAL if stem(game) in named), "")
        if not family:
            meant = [
                made.games.get(key, frozenset()) for _start, _length, keys in made.named(words) for key in keys[:1]
            ]
            only = {next(iter(games)) for games in meant if len(games) == 1}
            family = only.pop() if len(only) == 1 else ""
        return cls(family, _seats_asked(folded), bool(_NUMBER_ASKED.search(folded)), frozenset(words))

    def is_said(self, word: str) -> bool:
        """Whether a word only says which game is meant, or how many play."""
        return bool(self.family and word == stem(self.family)) or bool(
            self.seats and (_PLAYERS.get(word) == self.seats or "~players" in alike().get(word, ()))
        )

    def fit(self, passage: Passage) -> float:
        """How well the place of a passage suits: the game, the number of players, the number asked for."""
        points = 1.0
        if self.family and passage.family:
            points *= 1.2 if passage.family == self.family else 0.6
        elif passage.family == PRINCIPAL[0]:
            points *= 1.12
        special = _special(passage.key) & self.words
        if special:
            points *= 1.5
        elif self.seats and passage.seats:
            only = 1.45 if len(passage.seats) == 1 else 1.2
            points *= only if self.seats in passage.seats else 0.65
            points *= 0.85 if passage.family == PRINCIPAL[1] and not passage.is_principal else 1.0
            points *= 1.0 if passage.is_principal or self.seats != 4 else 0.85
        elif passage.seats and not passage.is_principal:
            points *= 0.8
        if self.seats and not passage.seats:
            points *= 0.85
        if passage.asked:
            alike_words = len(self.words & passage.asked) / len(self.words | passage.asked)
            points *= 0.72 + 0.8 * alike_words
        if self.number:
            points *= 1.15 if passage.numbers - self.words else 0.8
        return points


@lru_cache(maxsize=512)
def _special(key: str) -> frozenset[str]:
    """What tells a variant from its game: "oinkers", "online", "graechen", "niklaus"."""
    parts = key.removeprefix("words.").split("-")
    if parts[-1] in ("rules", "game"):
        parts = ["", *parts[:-1]]
    elif parts[0] not in PRINCIPAL:
        return frozenset()
    return frozenset(stem(fold(part)) for part in parts[1:] if len(part) > 3)


def _apart(found: Iterable[Answering]) -> Iterator[Answering]:
    """Only the best passage of each section, and of each article a few sections."""
    seen: set[tuple[str, str, str]] = set()
    many: dict[tuple[str, str], int] = {}
    for each in found:
        place = (each.passage.kind, each.passage.key, each.passage.anchor)
        entry = place[:2]
        if place in seen or many.get(entry, 0) >= _EACH:
            continue
        seen.add(place)
        many[entry] = many.get(entry, 0) + 1
        yield each
