"""The rows of the search index: written with every publication, in its transaction, or rebuilt as a whole.

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

from django.db import connection, transaction
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
"""Characters that may be markup: a line without any of them is plain text."""
_SHOWN: Final = ("title", "claim", "reading", "truth", "why", "caption", "quote", "paraphrase", "says")
"""The fields of a directive's body that readers see as text, in the order they see them."""
_BOXES: Final = ("question", "mistake")
"""Directives that are sections of their own, each with an address."""


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
    """An article's sections and boxes in order, including those without text.

    Reads broken markup as text; never raises.
    """
    result = [Section("", "")]
    section = result[0]
    prose: list[str] = []

    def end_prose() -> None:
        section.parts.extend(paragraphs("\n".join(prose), language))
        prose.clear()

    for block in blocks(text):
        if block.heading is not None:
            end_prose()
            section = Section(inline(block.heading, language), block.id or section.anchor)
            result.append(section)
        elif block.directive in {"", "note"}:
            prose.extend(["", *block.lines, ""] if block.directive else block.lines)
        else:
            end_prose()
            texts = [inline(each, language) for each in texts_of(block)]
            if block.directive in _BOXES and texts and block.id:
                result.append(Section(texts[0], f"{block.directive}-{block.id}", parts=texts[1:]))
            else:
                section.parts.extend(texts)
    end_prose()
    return result


def shown(text: str) -> str:
    """The markup of an article without what only says how to fill in its directives: kinds, cards, names of records."""
    lines: list[str] = []
    for block in blocks(text):
        lines.extend(block.lines if block.directive in {"", "note"} else texts_of(block))
    return "\n".join(lines)


def inline(text: str, language: str) -> str:
    """A line of markup as plain text: a caption, a definition."""
    if not _MARKUP.search(text):
        return text
    return " ".join(paragraphs(text, language))


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a directive, or else a line of prose."""

    lines: list[str]
    heading: str | None = None
    directive: str = ""
    id: str = ""


def blocks(text: str) -> Iterator[Block]:
    """The blocks of an article in order; a directive that is not closed reaches to the end."""
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
            yield Block([line], heading=heading[2], id=heading[3] or "")
        else:
            yield Block([line])


def texts_of(block: Block) -> list[str]:
    """The texts of a directive that is not prose itself."""
    if block.directive == "glance":
        return block.lines
    try:
        body = tomllib.loads("\n".join(block.lines))
    except (ValueError, RecursionError):  # TOML's errors are ValueErrors
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
    """Take excessively long paragraphs literally, as pages do: matching the markup in them would take seconds."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MAX_PARAGRAPH:
            token.type = "code_block"


def paragraphs(text: str, language: str) -> list[str]:
    """The plain text of every block, without markup."""
    return list(_paragraphs(text, language))


def _paragraphs(text: str, language: str) -> Iterable[str]:
    text = _CITED.sub("", text)
    text = _TERM.sub(lambda match: match[2] or match[1].rpartition(".")[2].replace("-", " "), text)
    text = _CARD.sub(lambda match: _card(match[1], language) or match[0], text)
    for token in _parser().parse(text):
        if token.type in {"fence", "code_block"}:
            yield token.content.strip()
        elif token.type == "inline":
            content = "".join(
                " " if child.type in {"softbreak", "hardbreak"} else child.content
                for child in token.children or ()
                if child.type in {"text", "code_inline", "softbreak", "hardbreak"}
            ).strip()
            if content:
                yield content


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
"""The parts of an entry, and the weight of each among rows that match equally well."""
NAMES: Final = frozenset(
    {
        "title", "preferred", "admitted", "place", "look-up", "heading", "literal", "gloss", "proposed", "work", "deprecated",
    }
)  # fmt: skip
CONTEXT: Final = " | "
"""In `SearchEntry.words`, precedes words that are not in the text itself but help to find it: its page, its heading."""
HEADING_END: Final = "\n"
"""Ends the first line of a row's text. For headings and sections, the first line is the heading, and the second the
text beneath it; for a look-up form, the first line is the name that is meant, and the second the form."""
_BENEATH: Final = 300
_JOINED: Final = 4
"""Names of up to this many words are also found when written as one: "buobsche"."""


def fetch(sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
    """What a query of the index finds, written in the SQL of its database."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall()


def rows_of(entry: Entry) -> list[SearchEntry]:
    """All rows of an entry, not saved; none if it is not published."""
    if entry.published is None:
        return []
    document: Mapping[str, Any] = entry.published.document
    return [row for row in _PARTS[entry.kind](entry, document) if row.folded]


def vocabulary(rows: Iterable[SearchEntry]) -> set[str]:
    """The words of rows, folded and as skeletons, for comparison with mistyped ones."""
    return {word for row in rows for word in row.words.partition(CONTEXT)[0].split()}


def _row(
    entry: Entry, kind: str, part: str, language: str, text: str, anchor: str = "", context: str = ""
) -> SearchEntry:
    """A row; it can also be found by the words of `context`."""
    tidy = unwrapped(text)
    folded = fold(tidy)
    words = _spellings(folded, joined=part in NAMES)
    context_words = [word for word in _spellings(fold(context)) if word not in words]
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
        words=" ".join(words) + (CONTEXT + " ".join(context_words) if context_words else ""),
        text=tidy,
    )


def _look_up(entry: Entry, kind: str, language: str, form: str, meant: str) -> SearchEntry:
    """The row of a form that may be typed for the name `meant` (empty for the title)."""
    row = _row(entry, kind, "look-up", language, form)
    row.text = f"{meant}{HEADING_END}{row.text}"
    return row


def _spellings(folded: str, *, joined: bool = False) -> list[str]:
    """Every word once, folded and as skeleton. With `joined`, also all words of a short name as one."""
    words = folded.split()
    if joined and 1 < len(words) <= _JOINED:
        words.append("".join(words))
    return list(dict.fromkeys(word[:WORD_LENGTH] for each in words for word in (each, skeleton(each))))


def _article(entry: Entry, document: Mapping[str, Any]) -> Iterator[SearchEntry]:
    kind, language, title = SearchEntry.Kind.ARTICLE, entry.language, document["title"]
    yield _row(entry, kind, "title", language, title)
    address = entry.key.replace("-", " ")  # also a name: "Troccas" is the game, its article is "Troccas for four"
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
    """Replace the rows of this entry by those of its published revision, if any."""
    with transaction.atomic(savepoint=False):
        remove(entry)
        _add(rows_of(entry))


def remove(entry: Entry) -> None:
    SearchEntry.objects.filter(entry=entry).delete()


def rebuild() -> int:
    """Rebuild every row from what is published, in one transaction. Returns the number of rows."""
    with transaction.atomic():
        SearchEntry.objects.all().delete()
        SearchWord.objects.all().delete()
        waiting: list[SearchEntry] = []
        count = 0
        published = Entry.objects.filter(published__isnull=False).select_related("published").order_by("pk")
        for entry in published.iterator(500):
            waiting.extend(rows_of(entry))
            if len(waiting) >= _BATCH:
                count += _add(waiting)
                waiting = []
        return count + _add(waiting)


def _add(rows: list[SearchEntry]) -> int:
    SearchEntry.objects.bulk_create(rows, batch_size=_BATCH)
    # Sorted, so that two publications at the same time take their locks in the same order.
    words = [SearchWord(text=word, length=len(word)) for word in sorted(vocabulary(rows))]
    SearchWord.objects.bulk_create(words, batch_size=_BATCH, ignore_conflicts=True)
    return len(rows)
