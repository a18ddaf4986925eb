"""The words as TermBase eXchange: version 3 (ISO 30042:2019, dialect TBX-Basic in DCA style), and version 2 for older tools.

Both are written from one description of an entry: what differs is the names of the elements, in `Dialect`. TBX-Basic knows
a fixed set of data categories (TBX-Basic module definition 1.0, public dialects at tbxinfo.net); what it has no category for
stands in notes that begin with a fixed word (`MARKS`), so that it can be read back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from xml.sax.saxutils import escape

from rules.documents.checking import source_of
from rules.documents.kinds import LANGUAGES
from rules.exchange.records import Collection, Definition, Published, Record, Word

NAMESPACE: Final = "urn:iso:std:iso:30042:ed-2"
MEDIA_TYPE: Final = "application/x-tbx+xml"
TITLE: Final = "Words of Troccas and Troggu"
STATUSES: Final[Mapping[str, str]] = {
    "preferred": "preferredTerm-admn-sts",
    "admitted": "admittedTerm-admn-sts",
    "deprecated": "deprecatedTerm-admn-sts",
}
"""A proposed word has no administrative status yet."""
GENDERS: Final[Mapping[str, str]] = {"m": "masculine", "f": "feminine", "n": "neuter", "p": "other"}
PARTS: Final = ("noun", "verb", "adjective", "adverb", "other")
MARKS: Final[Mapping[str, str]] = {
    "gloss": "Literally: ",
    "register": "Register: ",
    "ipa": "Pronunciation: ",
    "look_up": "Also looked up as: ",
}
"""How notes begin that hold what TBX-Basic has no data category for."""
PLAIN: Final = "Note: "
"""How a note of a word begins that would otherwise be taken for one of those."""
_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_SOURCE_ID: Final = "S-"
"""Keys are in small letters, so that no concept has the id of a source."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What the elements of an entry are called."""

    concept: str
    language: str
    word: str
    has_back: bool
    """Whether the works are listed at the end, and pointed to."""
    points_inside: bool
    """Whether a word points to its relatives by `ref` inside the file, or to their pages. The published schemas of version 3
    disagree what such a `ref` is called: crossReference (release 1.2) or relatedConcept (the grammar of the same namespace).
    A file that has to hold to all of them has none."""


V3: Final = Dialect("conceptEntry", "langSec", "termSec", has_back=True, points_inside=False)
V2: Final = Dialect("termEntry", "langSet", "tig", has_back=False, points_inside=True)


def write(collection: Collection, address: Callable[[str], str], *, about: str) -> Iterator[str]:
    """A TBX-Basic file of version 3, entry by entry; `address` gives a word's page for its slug, `about` where it comes from."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<tbx style="dca" type="TBX-Basic" xml:lang="en" xmlns="{NAMESPACE}">\n'
    yield "  <tbxHeader>\n    <fileDesc>\n"
    yield f"      <titleStmt><title>{TITLE}</title></titleStmt>\n"
    yield f"      <sourceDesc><p>{escape(about)}</p></sourceDesc>\n"
    yield "    </fileDesc>\n  </tbxHeader>\n  <text>\n    <body>\n"
    yield from _entries(collection, address, V3)
    yield "    </body>\n"
    yield from _back(collection)
    yield "  </text>\n</tbx>\n"


def write_v2(collection: Collection, address: Callable[[str], str], *, about: str) -> Iterator[str]:
    """The same as TBX version 2 (`martif`), which translation tools read."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE martif SYSTEM "TBXBasiccoreStructV02.dtd">\n'
    yield '<martif type="TBX-Basic" xml:lang="en">\n  <martifHeader>\n    <fileDesc>\n'
    yield f"      <titleStmt><title>{TITLE}</title></titleStmt>\n"
    yield f"      <sourceDesc><p>{escape(about)}</p></sourceDesc>\n    </fileDesc>\n"
    yield '    <encodingDesc><p type="XCSURI">TBXBasicXCSV02.xcs</p></encodingDesc>\n'
    yield "  </martifHeader>\n  <text>\n    <body>\n"
    yield from _entries(collection, address, V2)
    yield "    </body>\n  </text>\n</martif>\n"


def identifier(key: str) -> str:
    """A concept's key as an XML id, which must begin with a letter."""
    return key if key[:1].isalpha() else f"_{key}"


def key_of(identifier: str) -> str:
    """The reverse of `identifier`."""
    return identifier.removeprefix("_")


def _entries(collection: Collection, address: Callable[[str], str], dialect: Dialect) -> Iterator[str]:
    pages = {published.key: address(published.slug) for published in collection.concepts}
    for published in collection.concepts:
        entry = _entry(published, collection, pages, dialect)
        indent(entry, level=3)
        yield f"      {tostring(entry, encoding='unicode').strip()}\n"


def _entry(published: Published, collection: Collection, pages: Mapping[str, str], dialect: Dialect) -> Element:
    record, document = published.record, published.document
    entry = Element(dialect.concept, {"id": identifier(record.key)})
    changed = SubElement(entry, "transacGrp")
    _typed(changed, "transac", "transactionType", "modification")
    SubElement(changed, "date").text = published.at.date().isoformat()
    _typed(entry, "descrip", "subjectField", record.theme)
    for game in record.games:
        _typed(entry, "admin", "projectSubset", game)
    for code, definition in record.definitions.items():
        if code not in record.languages:  # no words to stand with: TBX allows a definition of the entry itself
            _definition(entry, definition, collection, dialect, code)
    _typed(entry, "xref", "externalCrossReference", pages[record.key], target=pages[record.key])
    for key in dict.fromkeys([document.get("broader", ""), *document.get("related", ())]):
        if key in pages and key != record.key:
            if dialect.points_inside:
                _typed(entry, "ref", "crossReference", key, target=identifier(key))
            else:
                _typed(entry, "xref", "externalCrossReference", key, target=pages[key])
    for code, note in record.note.items():
        _note(entry, note, code)
    for code in sorted(record.languages, key=[*LANGUAGES].index):
        section = SubElement(entry, dialect.language, {_LANG: code})
        if code in record.definitions:
            _definition(section, record.definitions[code], collection, dialect)
        for word in record.words:
            if word.language == code:
                _word(section, word, collection, dialect)
    return entry


def _word(section: Element, word: Word, collection: Collection, dialect: Dialect) -> None:
    row = SubElement(section, dialect.word)
    SubElement(row, "term").text = word.text
    if word.pos:
        _typed(row, "termNote", "partOfSpeech", word.pos if word.pos in PARTS else "other")
    if word.gender:
        _typed(row, "termNote", "grammaticalGender", GENDERS[word.gender])
    if word.status in STATUSES:
        _typed(row, "termNote", "administrativeStatus", STATUSES[word.status])
    if word.place:
        _typed(row, "termNote", "geographicalUsage", collection.places.get(word.place, word.place))
    if word.pos == "phrase":
        _typed(row, "termNote", "termType", "phrase")
    for text, source in word.examples:
        group = SubElement(row, "descripGrp")
        _typed(group, "descrip", "context", text)
        _sources(group, (source,) if source else (), collection, dialect)
    _sources(row, word.sources, collection, dialect)
    for code, gloss in word.gloss.items():
        _note(row, MARKS["gloss"] + gloss, code)
    for name in ("register", "ipa"):
        if getattr(word, name):
            _note(row, MARKS[name] + getattr(word, name))
    for form in word.look_up:
        _note(row, MARKS["look_up"] + form)
    for code, note in word.note.items():
        _note(row, PLAIN + note if note.startswith((PLAIN, *MARKS.values())) else note, code)


def _definition(
    parent: Element, definition: Definition, collection: Collection, dialect: Dialect, language: str = ""
) -> None:
    group = SubElement(parent, "descripGrp")
    descrip = _typed(group, "descrip", "definition", definition.text)
    if language:
        descrip.set(_LANG, language)
    _sources(group, definition.sources, collection, dialect)


def _sources(parent: Element, citations: Iterable[str], collection: Collection, dialect: Dialect) -> None:
    for citation in citations:
        key = source_of(citation)
        points = dialect.has_back and key in collection.sources
        _typed(parent, "admin", "source", citation, **({"target": _SOURCE_ID + key} if points else {}))


def _note(parent: Element, text: str, language: str = "") -> None:
    SubElement(parent, "note", {_LANG: language} if language else {}).text = text


def _typed(parent: Element, name: str, kind: str, text: str, **attributes: str) -> Element:
    made = SubElement(parent, name, {"type": kind, **attributes})
    made.text = text
    return made


def _back(collection: Collection) -> Iterator[str]:
    """The works that the entries name."""
    cited = {source_of(citation) for published in collection.concepts for citation in _cited(published.record)}
    works = {key: document for key, document in collection.sources.items() if key in cited}
    if not works:
        return
    back = Element("back")
    section = SubElement(back, "refObjectSec", {"type": "bibl"})
    for key, document in works.items():
        work = SubElement(section, "refObject", {"id": _SOURCE_ID + key})
        for name in ("author", "title", "container", "place", "year", "url"):
            if name in document:
                SubElement(work, "item", {"type": name}).text = document[name]
    indent(back, level=2)
    yield f"    {tostring(back, encoding='unicode').strip()}\n"


def _cited(record: Record) -> Iterator[str]:
    for definition in record.definitions.values():
        yield from definition.sources
    for word in record.words:
        yield from word.sources
        yield from (source for _text, source in word.examples if source)
