"""The words as TermBase eXchange, written and read: TBX-Basic in DCA style, version 3 (ISO 30042:2019) and version 2.

Both versions are written from one description of an entry; only the names of the elements differ (`Dialect`). TBX-Basic
has a fixed set of data categories (TBX-Basic module definition 1.0, public dialects at tbxinfo.net); anything without a
category is written as a note that begins with a fixed word (`MARKS`), so that it can be read back.

Files of other term bases are read, too. Ids of entries are the keys of our concepts. What our concepts cannot hold
(`customerSubset`, pictures, who changed what) is left out; what they hold in another way, such as relations between
concepts, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from xml.sax.saxutils import escape

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.documents.kinds import LANGUAGES, source_of
from rules.documents.standing import ATTESTED
from rules.exchange import files
from rules.exchange.files import BadFile, Flaw, Node
from rules.exchange.records import GAMES, Collection, Definition, Published, Record, Word, name
from rules.models import KEY_LENGTH, Place

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
    "standing": "Standing: ",
    "reliability": "Reliability (1 to 4): ",
    "gloss": "Literally: ",
    "register": "Register: ",
    "plural": "Plural: ",
    "ipa": "Pronunciation: ",
    "derived_ipa": "Pronunciation derived from the spelling: ",
    "look_up": "Also looked up as: ",
}
"""The beginnings of notes for fields that have no data category in TBX-Basic."""
PLAIN: Final = "Note: "
"""The beginning of a note that would otherwise be taken for one of those."""
_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_SOURCE_ID: Final = "S-"
"""Keys are in lower case, so no concept has the id of a source."""


@dataclass(frozen=True, slots=True)
class Dialect:
    concept: str
    language: str
    word: str
    has_back: bool
    """Whether the sources are listed at the end and referred to."""
    points_inside: bool
    """Whether a word refers to related concepts by `ref` inside the file, or by the addresses of their pages.

    The published schemas of version 3 disagree on the type of such a `ref`: crossReference (release 1.2) or
    relatedConcept (the grammar of the same namespace). A file that must be valid for all of them cannot have any.
    """


V3: Final = Dialect("conceptEntry", "langSec", "termSec", has_back=True, points_inside=False)
V2: Final = Dialect("termEntry", "langSet", "tig", has_back=False, points_inside=True)


def write(collection: Collection, address: Callable[[str], str], *, about: str, licence: str) -> Iterator[str]:
    """A TBX-Basic file of version 3, entry by entry.

    `address` returns the address of a word's page for its slug; `about` says where the file comes from, `licence` on
    what terms.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<tbx style="dca" type="TBX-Basic" xml:lang="en" xmlns="{NAMESPACE}">\n'
    yield "  <tbxHeader>\n    <fileDesc>\n"
    yield f"      <titleStmt><title>{TITLE}</title></titleStmt>\n"
    yield f"      <sourceDesc><p>{escape(about)}</p><p>{escape(licence)}</p></sourceDesc>\n"
    yield "    </fileDesc>\n  </tbxHeader>\n  <text>\n    <body>\n"
    yield from _entries(collection, address, V3)
    yield "    </body>\n"
    yield from _back(collection)
    yield "  </text>\n</tbx>\n"


def write_v2(collection: Collection, address: Callable[[str], str], *, about: str, licence: str) -> Iterator[str]:
    """A file like that of `write` in TBX version 2 (`martif`), which translation tools read."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE martif SYSTEM "TBXBasiccoreStructV02.dtd">\n'
    yield '<martif type="TBX-Basic" xml:lang="en">\n  <martifHeader>\n    <fileDesc>\n'
    yield f"      <titleStmt><title>{TITLE}</title></titleStmt>\n"
    yield f"      <sourceDesc><p>{escape(about)}</p><p>{escape(licence)}</p></sourceDesc>\n    </fileDesc>\n"
    yield '    <encodingDesc><p type="XCSURI">TBXBasicXCSV02.xcs</p></encodingDesc>\n'
    yield "  </martifHeader>\n  <text>\n    <body>\n"
    yield from _entries(collection, address, V2)
    yield "    </body>\n  </text>\n</martif>\n"


def identifier(key: str) -> str:
    """A concept's key as an XML id, which must begin with a letter."""
    return key if key[:1].isalpha() else f"_{key}"


def key_of(identifier: str) -> str:
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
        if code not in record.languages:  # a language without words: TBX allows a definition of the entry itself
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
    if word.status in STATUSES and not (word.status == "preferred" and word.standing != ATTESTED):
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
    for each in ("standing", "reliability", "register", "plural", "ipa", "derived_ipa"):
        if getattr(word, each):
            _note(row, f"{MARKS[each]}{getattr(word, each)}")
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
    element = SubElement(parent, name, {"type": kind, **attributes})
    element.text = text
    return element


def _back(collection: Collection) -> Iterator[str]:
    """The list of the sources that the entries cite."""
    cited = {source_of(citation) for published in collection.concepts for citation in _cited(published.record)}
    works = {key: document for key, document in collection.sources.items() if key in cited}
    if not works:
        return
    back = Element("back")
    section = SubElement(back, "refObjectSec", {"type": "bibl"})
    for key, document in works.items():
        work = SubElement(section, "refObject", {"id": _SOURCE_ID + key})
        for field in ("author", "title", "container", "place", "year", "url"):
            if field in document:
                SubElement(work, "item", {"type": field}).text = document[field]
    indent(back, level=2)
    yield f"    {tostring(back, encoding='unicode').strip()}\n"


def _cited(record: Record) -> Iterator[str]:
    for definition in record.definitions.values():
        yield from definition.sources
    for word in record.words:
        yield from word.sources
        yield from (source for _text, source in word.examples if source)


_ROOTS: Final[Mapping[str, tuple[Dialect, frozenset[str]]]] = {
    "tbx": (V3, frozenset({NAMESPACE, "urn:iso:std:iso:30042:ed:3.0", ""})),
    "martif": (V2, frozenset({"", NAMESPACE})),
}
_KEY: Final = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
_STATUSES: Final = {
    **{value: key for key, value in STATUSES.items()},
    "supersededTerm-admn-sts": "deprecated",
}
_GENDERS: Final = {value: key for key, value in GENDERS.items()}
_MOST_FLAWS: Final = 50


def read(data: bytes) -> list[Record]:
    """The concepts of a TBX file. Raises BadFile with what cannot be read, line by line."""
    root = files.read(data)
    dialect, namespaces = _ROOTS.get(root.name, (None, frozenset()))
    if dialect is None or root.namespace not in namespaces:
        raise BadFile([Flaw(root.line, _("This is not TBX: the file must begin with the element tbx, or martif."))])
    if root.attributes.get("style", "dca") != "dca":
        raise BadFile([Flaw(root.line, _('Only TBX in the style DCA is read (style="dca").'))])
    reader = _Reader(dialect)
    entries = list(root.every(dialect.concept))
    records = [record for entry in entries if (record := reader.entry(entry))]
    if not entries:
        reader.flaws.append(Flaw(root.line, _("There is no word in this file.")))
    if reader.flaws:
        raise BadFile(reader.flaws[:_MOST_FLAWS])
    return records


class _Reader:
    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.flaws: list[Flaw] = []
        self.seen: set[str] = set()
        self.places = _places()

    def wrong(self, node: Node, message: object, **names: str) -> None:
        self.flaws.append(Flaw(node.line, format_lazy(message, **names)))  # type: ignore[arg-type]  # a lazy text

    def entry(self, entry: Node) -> Record | None:
        """One concept, or None if it cannot be read."""
        key = key_of(entry.attributes.get("id", ""))
        if not _KEY.fullmatch(key) or len(key) > KEY_LENGTH:
            self.wrong(entry, _('Give each entry the key of its concept as id, as in id="words.scart".'))
            return None
        if key in self.seen:
            self.wrong(entry, _("The entry {key} appears twice. Join the two."), key=key)
            return None
        self.seen.add(key)
        definitions: dict[str, Definition] = {}
        for group, descrip in _described(entry, "definition"):
            code = descrip.attributes.get("xml:lang", "")
            if self.knows(descrip, code):
                definitions[code] = Definition(_text(descrip), _sources_of(group))
        words: list[Word] = []
        for section in entry.all(self.dialect.language):
            code = section.attributes.get("xml:lang", "")
            if not self.knows(section, code):
                continue
            for group, descrip in _described(section, "definition"):
                definitions[code] = Definition(_text(descrip), _sources_of(group))
            words += [word for row in section.all(self.dialect.word) if (word := self.word(row, code))]
        games = tuple(text for text in _texts_of(entry, "admin", "projectSubset") if text in GAMES)
        notes = self.notes(entry)
        theme = next(iter(_texts_of(entry, "descrip", "subjectField")), "")
        return Record(key, theme, games, definitions, notes, tuple(words), line=entry.line)

    def knows(self, node: Node, code: str) -> bool:
        """Whether this is one of our languages. If not, note a flaw."""
        if code in LANGUAGES:
            return True
        codes = ", ".join(LANGUAGES)
        self.wrong(node, _("Name a language by one of: {codes}. Here it is “{code}”."), codes=codes, code=code[:40])
        return False

    def word(self, row: Node, code: str) -> Word | None:
        """One word, or None if it cannot be read."""
        term = row.first("term")
        if term is None or not _text(term):
            self.wrong(row, _("There is no word here: put it into the element term."))
            return None
        values = {kind: next(iter(_texts_of(row, "termNote", kind)), "") for kind in _KINDS}
        for kind, allowed in _PICKLISTS.items():
            if values[kind] and values[kind] not in allowed:
                listed = ", ".join(allowed)
                self.wrong(row, _("{kind} must be one of: {listed}."), kind=kind, listed=listed)
                return None
        place = self.place(row, values["geographicalUsage"])
        marked, notes = self.marked(row)
        gloss = {language: text for name, language, text in marked if name == "gloss" and language}
        return Word(
            code,
            _text(term),
            status=_STATUSES.get(values["administrativeStatus"], ""),
            pos="phrase" if values["termType"] == "phrase" else values["partOfSpeech"],
            gender=_GENDERS.get(values["grammaticalGender"], ""),
            place=place,
            standing=_marked_as("standing", marked),
            register=_marked_as("register", marked),
            plural=_marked_as("plural", marked),
            ipa=_marked_as("ipa", marked),
            sources=_sources_of(row),
            look_up=tuple(text for name, _language, text in marked if name == "look_up"),
            note=notes,
            gloss=gloss,
            examples=tuple(
                (_text(context), next(iter(_sources_of(group)), "")) for group, context in _described(row, "context")
            ),
            line=row.line,
        )

    def place(self, row: Node, place_name: str) -> str:
        """The key of the place with this name or key; empty, with a flaw, unless there is exactly one."""
        if not place_name:
            return ""
        keys = self.places.get(place_name, set())
        if len(keys) != 1:
            self.wrong(
                row, _("There is no place called {place}, or more than one. Name it by its key."), place=place_name[:80]
            )
            return ""
        return next(iter(keys))

    def marked(self, row: Node) -> tuple[list[tuple[str, str, str]], dict[str, str]]:
        """The notes of a word: (field, language, text) for those that hold a field, and the others by language."""
        marked: list[tuple[str, str, str]] = []
        plain: dict[str, str] = {}
        for note in row.all("note"):
            text, language = _text(note), note.attributes.get("xml:lang", "")
            field = next((field for field, mark in MARKS.items() if text.startswith(mark)), "")
            if field:
                marked.append((field, language, text.removeprefix(MARKS[field])))
            elif text and self.knows(note, language or "en"):
                plain[language or "en"] = _joined(plain.get(language or "en", ""), text.removeprefix(PLAIN))
        return marked, plain

    def notes(self, entry: Node) -> dict[str, str]:
        by_language: dict[str, str] = {}
        for note in entry.all("note"):
            language = note.attributes.get("xml:lang", "") or "en"
            if _text(note) and self.knows(note, language):
                by_language[language] = _joined(by_language.get(language, ""), _text(note))
        return by_language


_PICKLISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "administrativeStatus": tuple(_STATUSES),
    "grammaticalGender": tuple(_GENDERS),
    "partOfSpeech": PARTS,
}
_KINDS: Final = (*_PICKLISTS, "geographicalUsage", "termType")


def _marked_as(field: str, marked: list[tuple[str, str, str]]) -> str:
    """The text of the first note that holds this field; empty if there is none."""
    return next((text for name, _language, text in marked if name == field), "")


def _places() -> dict[str, set[str]]:
    """The keys of places by each of their names. The name that we write to files takes precedence."""
    named: dict[str, set[str]] = {}
    written: dict[str, set[str]] = {}
    for key, names in Place.objects.values_list("key", "names"):
        written.setdefault(name(names), set()).add(key)
        for text in {key, *names.values()}:
            named.setdefault(text, set()).add(key)
    return named | {text: keys for text, keys in written.items() if len(keys) == 1}


def _texts_of(node: Node, element: str, kind: str) -> list[str]:
    """The texts of the children with one data category, in groups or not."""
    group = f"{element}Grp"
    rows = [node, *node.all(group)]
    return [_text(child) for row in rows for child in row.all(element) if child.attributes.get("type") == kind]


def _described(node: Node, kind: str) -> list[tuple[Node, Node]]:
    """The descriptions of one category, each with its group (or with itself, if it is in none and has no sources)."""
    pairs = []
    for child in node.all("descrip", "descripGrp"):
        descrip = child if child.name == "descrip" else child.first("descrip")
        if descrip is not None and descrip.attributes.get("type") == kind and _text(descrip):
            pairs.append((child, descrip))
    return pairs


def _sources_of(node: Node) -> tuple[str, ...]:
    """The citations directly in an element."""
    return tuple(
        text for child in node.all("admin") if child.attributes.get("type") == "source" and (text := _text(child))
    )


def _text(node: Node) -> str:
    return node.full_text.strip()


def _joined(before: str, more: str) -> str:
    return f"{before}\n{more}" if before else more
