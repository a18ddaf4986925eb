"""The rows of the search: written with every publication, in its own transaction, or all anew.

`rows_of` says which texts of an entry are searched: its names, and every text that a reader may remember a word of;
`sections` gives the text of an article without its markup, section by section.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from django.db import transaction
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from core.text import fold, skeleton, unwrapped
from domain.engine.cards import CODES
from rules.documents.kinds import LANGUAGES
from rules.markup.page import MAX_PARAGRAPH
from rules.models import NAME_LENGTH, WORD_LENGTH, Entry, SearchEntry, SearchWord
from rules.text import names

_OPENING: Final = re.compile(r"[ ]{0,3}:::[ \t]*([a-z]+)(?:[ \t]+([a-z0-9][a-z0-9-]*))?[ \t]*")
_CLOSING: Final = re.compile(r"[ ]{0,3}:::[ \t]*")
_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*(?:\{#([a-z][a-z0-9-]*)\}[ \t]*)?")
_CITED: Final = re.compile(r"[ ]?\[@[^\]\n]{1,300}\]")
_TERM: Final = re.compile(r"\[\[([a-z][a-z0-9._-]*)(?:\|([^\]\n]+))?\]\]", re.ASCII)
_CARD: Final = re.compile(r"\{([A-Z0-9]{1,3})\}", re.ASCII)
_MARKUP: Final = re.compile(r"[*_`\[\]{}\\&<>#|~=\n]|^\s*[-+\d]")
"""Whatever a line holds that is not simply itself."""
_SHOWN: Final = ("title", "claim", "reading", "truth", "why", "caption", "quote", "paraphrase", "says")
"""The fields of a directive's body that readers see as text, in the order they see them."""
_BOXES: Final = ("question", "mistake")
"""Directives that stand by themselves and have an address of their own."""


@dataclass(slots=True)
class Section:
    """A heading and the text under it. `anchor` is its address on the page; empty before the first heading."""

    heading: str
    anchor: str
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.parts)


def sections(text: str, language: str) -> list[Section]:
    """An article's sections and boxes in their order, those without text too. Broken markup is read as text; never raises."""
    found = [Section("", "")]
    section = found[0]
    prose: list[str] = []

    def end_prose() -> None:
        section.parts.extend(paragraphs("\n".join(prose), language))
        prose.clear()

    for block in blocks(text):
        if block.heading:
            end_prose()
            section = Section(inline(block.heading, language), block.id or section.anchor)
            found.append(section)
        elif block.directive in {"", "note"}:
            prose.extend(["", *block.lines, ""] if block.directive else block.lines)
        else:
            end_prose()
            said = [inline(each, language) for each in texts_of(block)]
            if block.directive in _BOXES and said and block.id:
                found.append(Section(said[0], f"{block.directive}-{block.id}", parts=said[1:]))
            else:
                section.parts.extend(said)
    end_prose()
    return found


def inline(text: str, language: str) -> str:
    """A line of markup as plain text: a caption, a definition."""
    if not _MARKUP.search(text):
        return text
    return " ".join(paragraphs(text, language))


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a directive, or else a line of prose."""

    lines: list[str]
    heading: str = ""
    directive: str = ""
    id: str = ""


def blocks(text: str) -> Iterator[Block]:
    lines = iter(text.splitlines())
    for line in lines:
        if opening := _OPENING.fullmatch(line):
            body = []
            for inner in lines:
                if _CLOSING.fullmatch(inner):
                    break
                body.append(inner)
            yield Block(body, directive=opening[1], id=opening[2] or "")
        elif heading := _HEADING.fullmatch(line):
            yield Block([], heading=heading[2] or " ", id=heading[3] or "")
        else:
            yield Block([line])


def texts_of(block: Block) -> list[str]:
    """The texts of a directive that is not prose itself."""
    if block.directive == "glance":
        return block.lines
    try:
        body = tomllib.loads("\n".join(block.lines))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return []
    return list(_texts(body))


def _texts(body: dict[str, Any]) -> Iterator[str]:
    for key in _SHOWN:
        value = body.get(key)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield from _texts(each)
            elif isinstance(each, str) and each:
                yield each


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["html_block", "html_inline", "image"])
    parser.core.ruler.before("inline", "long_paragraphs", _long_paragraphs)
    return parser


def _long_paragraphs(state: StateCore) -> None:
    """Take paragraphs that nobody writes as they are typed, as their page does: their marks would cost seconds to match."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MAX_PARAGRAPH:
            token.type = "code_block"


def paragraphs(text: str, language: str) -> list[str]:
    """The text of every block, without what only places and links it."""
    return list(_paragraphs(text, language))


def _paragraphs(text: str, language: str) -> Iterable[str]:
    text = _CITED.sub("", text)
    text = _TERM.sub(lambda found: found[2] or found[1].rpartition(".")[2].replace("-", " "), text)
    text = _CARD.sub(lambda found: _card(found[1], language) or found[0], text)
    for token in _parser().parse(text):
        if token.type in {"fence", "code_block"}:
            yield token.content.strip()
        elif token.type == "inline":
            said = "".join(
                " " if child.type in {"softbreak", "hardbreak"} else child.content
                for child in token.children or ()
                if child.type in {"text", "code_inline", "softbreak", "hardbreak"}
            ).strip()
            if said:
                yield said


def _card(code: str, language: str) -> str:
    return names.card_name(code, language, in_sentence=True) if code in CODES else ""


WEIGHTS: Final[Mapping[str, int]] = {
    # Names, found by their spelling
    "title": 60,
    "preferred": 55,
    "admitted": 45,
    "place": 45,
    "look-up": 40,
    "heading": 35,
    "literal": 32,
    "gloss": 32,
    "proposed": 30,
    "work": 25,
    "deprecated": 20,
    # Texts, found by their words
    "definition": 30,
    "meaning": 30,
    "summary": 28,
    "tells": 26,
    "section": 20,
    "example": 15,
    "note": 10,
}
"""The parts of an entry, and how much each counts among rows that answer equally well."""
NAMES: Final = frozenset(
    {
        "title",
        "preferred",
        "admitted",
        "place",
        "look-up",
        "heading",
        "literal",
        "gloss",
        "proposed",
        "work",
        "deprecated",
    }
)
CONTEXT: Final = " | "
"""In `SearchEntry.words`, before words that are not in the text itself but help to find it: its page, its heading."""
HEADING_END: Final = "\n"
"""In the text of headings and sections: before it the heading, after it what stands beneath. In that of a look-up form:
before it the name that is meant, after it the form."""
_BENEATH: Final = 300
_JOINED: Final = 4
"""Names of so many words are also found written as one: "buobsche"."""


def rows_of(entry: Entry) -> list[SearchEntry]:
    """All rows of an entry, not saved; none if it is not published."""
    if entry.published is None:
        return []
    document: Mapping[str, Any] = entry.published.document
    found = _PARTS[entry.kind](entry, document)
    return [row for row in found if row.folded]


def vocabulary(rows: Iterable[SearchEntry]) -> set[str]:
    """The words of rows, folded and as skeletons, with which mistyped ones are compared."""
    return {word for row in rows for word in row.words.partition(CONTEXT)[0].split()}


def _row(
    entry: Entry, kind: str, part: str, language: str, text: str, anchor: str = "", context: str = ""
) -> SearchEntry:
    """A row; `context` are words by which it is found, too."""
    tidy = unwrapped(text)
    folded = fold(tidy)
    words = _spellings(folded, joined=part in NAMES)
    beside = [word for word in _spellings(fold(context)) if word not in words]
    return SearchEntry(
        entry=entry,
        kind=kind,
        part=part,
        language=language,
        weight=WEIGHTS[part],
        length=len(folded),
        anchor=anchor,
        skeleton=skeleton(folded)[:NAME_LENGTH] if part in NAMES else "",
        folded=folded,
        words=" ".join(words) + (CONTEXT + " ".join(beside) if beside else ""),
        text=tidy,
    )


def _look_up(entry: Entry, kind: str, language: str, form: str, meant: str) -> SearchEntry:
    """A form that may be typed for the name that is `meant`; empty where that is the title."""
    row = _row(entry, kind, "look-up", language, form)
    row.text = f"{meant}{HEADING_END}{row.text}"
    return row


def _spellings(folded: str, *, joined: bool = False) -> list[str]:
    """Every word once, as it is folded and as skeleton; of a short name also all its words as one."""
    words = folded.split()
    if joined and 1 < len(words) <= _JOINED:
        words.append("".join(words))
    return list(dict.fromkeys(word[:WORD_LENGTH] for each in words for word in (each, skeleton(each))))


def _article(entry: Entry, document: Mapping[str, Any]) -> Iterator[SearchEntry]:
    kind, language, title = SearchEntry.Kind.ARTICLE, entry.language, document["title"]
    yield _row(entry, kind, "title", language, title)
    address = entry.key.replace("-", " ")  # a name as well: "Troccas" is the game, and its article "Troccas for four"
    if fold(address) != fold(title):
        row = _look_up(entry, kind, language, address, title)
        row.weight = WEIGHTS["title"]
        yield row
    yield _row(entry, kind, "summary", language, document.get("summary", ""), context=title)
    for section in sections(document["text"], language):
        heading = _row(entry, kind, "heading", language, section.heading, section.anchor, title)
        text = _row(entry, kind, "section", language, section.text, section.anchor, f"{section.heading} {title}")
        heading.text = f"{heading.text}{HEADING_END}{_beginning(text.text)}"
        text.text = f"{section.heading}{HEADING_END}{text.text}"
        yield from (heading, text)


def _beginning(text: str) -> str:
    return text if len(text) <= _BENEATH else f"{text[:_BENEATH].rpartition(' ')[0]} …"


def _concept(entry: Entry, document: Mapping[str, Any]) -> Iterator[SearchEntry]:
    is_phrase = document.get("sort") == "phrase"
    kind = SearchEntry.Kind.PHRASE if is_phrase else SearchEntry.Kind.WORD
    for term in document.get("terms", ()):
        yield from _term(entry, kind, term)
    if document.get("title"):
        yield _row(entry, kind, "admitted", "fr", document["title"])
    for number in _numbers(entry.key):
        yield _look_up(entry, kind, "", number, "")
    for language, definition in document.get("definitions", {}).items():
        yield _row(entry, kind, "definition", language, inline(definition["text"], language))
    for part in ("meaning", "literal", "tells", "note"):
        yield from _localised(entry, kind, part, document.get(part, {}))


def _term(entry: Entry, kind: str, term: Mapping[str, Any]) -> Iterator[SearchEntry]:
    language = term["lang"]
    yield _row(entry, kind, term.get("status", "admitted"), language, term["text"])
    for form in sorted({*term.get("look_up", ()), *term.get("forms", {}).values()} - {term["text"]}):
        yield _look_up(entry, kind, language, form, term["text"])
    for part in ("gloss", "note"):
        yield from _localised(entry, kind, part, term.get(part, {}))
    for example in term.get("examples", ()):
        yield _row(entry, kind, "example", language, example["text"])
        yield from _localised(entry, kind, "example", example.get("meaning", {}))


def _localised(entry: Entry, kind: str, part: str, texts: Mapping[str, str]) -> Iterator[SearchEntry]:
    for language, text in texts.items():
        yield _row(entry, kind, part, language, inline(text, language))


def _numbers(key: str) -> list[str]:
    """The number of a trump, in figures and as the card prints it."""
    group, _dot, number = key.partition(".")
    return [number, names.trump_numeral(int(number))] if group == "trumps" and number.isdigit() else []


def _source(entry: Entry, document: Mapping[str, Any]) -> Iterator[SearchEntry]:
    kind = SearchEntry.Kind.SOURCE
    language = document.get("language", "") if document.get("language") in LANGUAGES else ""
    context = " ".join(str(document.get(field, "")) for field in ("author", "container", "place", "year"))
    yield _row(entry, kind, "work", language, document["title"], context=f"{context} {entry.key}")
    for name in (entry.key, document.get("author", "")):
        yield _look_up(entry, kind, "", name, "")
    yield from _localised(entry, kind, "note", document.get("note", {}))


def _place(entry: Entry, document: Mapping[str, Any]) -> Iterator[SearchEntry]:
    for language, name in document.get("names", {}).items():
        yield _row(entry, SearchEntry.Kind.PLACE, "place", language, name)


_PARTS: Final[Mapping[str, Callable[[Entry, Mapping[str, Any]], Iterator[SearchEntry]]]] = {
    "article": _article,
    "concept": _concept,
    "source": _source,
    "place": _place,
}


_BATCH: Final = 2000


def update(entry: Entry) -> None:
    """Search what this entry says now, and nothing it said before; nothing of one that is not published."""
    with transaction.atomic(savepoint=False):
        remove(entry)
        _add(rows_of(entry))


def remove(entry: Entry) -> None:
    SearchEntry.objects.filter(entry=entry).delete()


def rebuild() -> int:
    """Make every row anew from what is published; how many there are. All or nothing."""
    with transaction.atomic():
        SearchEntry.objects.all().delete()
        SearchWord.objects.all().delete()
        waiting: list[SearchEntry] = []
        made = 0
        published = Entry.objects.filter(published__isnull=False).select_related("published").order_by("pk")
        for entry in published.iterator(500):
            waiting.extend(rows_of(entry))
            if len(waiting) >= _BATCH:
                made += _add(waiting)
                waiting = []
        return made + _add(waiting)


def _add(rows: list[SearchEntry]) -> int:
    SearchEntry.objects.bulk_create(rows, batch_size=_BATCH)
    # Sorted, so that two publications at once take the same locks in the same order.
    known = [SearchWord(text=word, length=len(word)) for word in sorted(vocabulary(rows))]
    SearchWord.objects.bulk_create(known, batch_size=_BATCH, ignore_conflicts=True)
    return len(rows)
