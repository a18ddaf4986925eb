"""A TBX file as records: TBX-Basic in DCA style, version 3 or 2, as we write it and as other term bases do.

Ids of entries are the keys of our concepts. Notes that begin as `tbx.MARKS` has it fill the field they stand for. What our
concepts cannot hold (`customerSubset`, pictures, who changed what) is left out; what they hold in another way, as relations
between concepts, is not read from TBX.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.documents.kinds import LANGUAGES
from rules.exchange import files, tbx
from rules.exchange.files import BadFile, Flaw, Node
from rules.exchange.records import GAMES, Definition, Record, Word, name
from rules.models import KEY_LENGTH, Place

_ROOTS: Final[Mapping[str, tuple[tbx.Dialect, frozenset[str]]]] = {
    "tbx": (tbx.V3, frozenset({tbx.NAMESPACE, "urn:iso:std:iso:30042:ed:3.0", ""})),
    "martif": (tbx.V2, frozenset({"", tbx.NAMESPACE})),
}
_KEY: Final = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
_STATUSES: Final = {
    **{value: key for key, value in tbx.STATUSES.items()},
    "supersededTerm-admn-sts": "deprecated",
}
_GENDERS: Final = {value: key for key, value in tbx.GENDERS.items()}
_MOST_FLAWS: Final = 50


def read(data: bytes) -> list[Record]:
    """The concepts of a TBX file. Raises BadFile with what cannot be read, line by line."""
    root = files.read(data)
    known = _ROOTS.get(root.name)
    if known is None or root.namespace not in known[1]:
        raise BadFile([Flaw(root.line, _("This is not TBX: the file must begin with the element tbx, or martif."))])
    if root.attributes.get("style", "dca") != "dca":
        raise BadFile([Flaw(root.line, _('Only TBX in the style DCA is read (style="dca").'))])
    dialect = known[0]
    reader = _Reader(dialect)
    entries = list(root.every(dialect.concept))
    records = [record for entry in entries if (record := reader.entry(entry))]
    if not entries:
        reader.flaws.append(Flaw(root.line, _("There is no word in this file.")))
    if reader.flaws:
        raise BadFile(reader.flaws[:_MOST_FLAWS])
    return records


class _Reader:
    """Reads entries, and gathers what is wrong with them."""

    def __init__(self, dialect: tbx.Dialect) -> None:
        self.dialect = dialect
        self.flaws: list[Flaw] = []
        self.seen: set[str] = set()
        self.places = _places()

    def wrong(self, node: Node, message: object, **names: str) -> None:
        self.flaws.append(Flaw(node.line, format_lazy(message, **names)))  # type: ignore[arg-type]  # a lazy text

    def entry(self, entry: Node) -> Record | None:
        """One concept, or None if it cannot be read."""
        key = tbx.key_of(entry.attributes.get("id", ""))
        if not _KEY.fullmatch(key) or len(key) > KEY_LENGTH:
            self.wrong(entry, _('Give each entry the key of its concept as id, as in id="words.scart".'))
            return None
        if key in self.seen:
            self.wrong(entry, _("The entry {key} stands here twice. Join the two."), key=key)
            return None
        self.seen.add(key)
        definitions: dict[str, Definition] = {}
        for group, descrip in _described(entry, "definition"):
            code = descrip.attributes.get("xml:lang", "")
            if self.knows(descrip, code):
                definitions[code] = Definition(_text(descrip), _sources(group))
        words: list[Word] = []
        for section in entry.all(self.dialect.language):
            code = section.attributes.get("xml:lang", "")
            if not self.knows(section, code):
                continue
            for group, descrip in _described(section, "definition"):
                definitions[code] = Definition(_text(descrip), _sources(group))
            words += [word for row in section.all(self.dialect.word) if (word := self.word(row, code))]
        games = tuple(text for text in _typed(entry, "admin", "projectSubset") if text in GAMES)
        notes = self.notes(entry)
        theme = next(iter(_typed(entry, "descrip", "subjectField")), "")
        return Record(key, theme, games, definitions, notes, tuple(words), line=entry.line)

    def knows(self, node: Node, code: str) -> bool:
        """Whether this is a language of ours; otherwise it is noted as wrong."""
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
        said = {kind: next(iter(_typed(row, "termNote", kind)), "") for kind in _KINDS}
        for kind, allowed in _PICKLISTS.items():
            if said[kind] and said[kind] not in allowed:
                listed = ", ".join(allowed)
                self.wrong(row, _("{kind} must be one of: {listed}."), kind=kind, listed=listed)
                return None
        place = self.place(row, said["geographicalUsage"])
        marked, notes = self.marked(row)
        gloss = {language: text for name, language, text in marked if name == "gloss" and language}
        return Word(
            code,
            _text(term),
            status=_STATUSES.get(said["administrativeStatus"], ""),
            pos="phrase" if said["termType"] == "phrase" else said["partOfSpeech"],
            gender=_GENDERS.get(said["grammaticalGender"], ""),
            place=place,
            register=next((text for name, _language, text in marked if name == "register"), ""),
            ipa=next((text for name, _language, text in marked if name == "ipa"), ""),
            sources=_sources(row),
            look_up=tuple(text for name, _language, text in marked if name == "look_up"),
            note=notes,
            gloss=gloss,
            examples=tuple(
                (_text(said), next(iter(_sources(group)), "")) for group, said in _described(row, "context")
            ),
            line=row.line,
        )

    def place(self, row: Node, said: str) -> str:
        """The key of the place that a file names by any of its names, or by its key."""
        if not said:
            return ""
        keys = self.places.get(said, set())
        if len(keys) != 1:
            self.wrong(
                row, _("There is no place called {place}, or more than one. Name it by its key."), place=said[:80]
            )
            return ""
        return next(iter(keys))

    def marked(self, row: Node) -> tuple[list[tuple[str, str, str]], dict[str, str]]:
        """The notes of a word: (field, language, text) for those that stand for a field, and the others by language."""
        marked: list[tuple[str, str, str]] = []
        plain: dict[str, str] = {}
        for note in row.all("note"):
            text, language = _text(note), note.attributes.get("xml:lang", "")
            field = next((field for field, mark in tbx.MARKS.items() if text.startswith(mark)), "")
            if field:
                marked.append((field, language, text.removeprefix(tbx.MARKS[field])))
            elif text and self.knows(note, language or "en"):
                said = text.removeprefix(tbx.PLAIN)
                plain[language or "en"] = _joined(plain.get(language or "en", ""), said)
        return marked, plain

    def notes(self, entry: Node) -> dict[str, str]:
        """The notes of a concept by language."""
        found: dict[str, str] = {}
        for note in entry.all("note"):
            language = note.attributes.get("xml:lang", "") or "en"
            if _text(note) and self.knows(note, language):
                found[language] = _joined(found.get(language, ""), _text(note))
        return found


_PICKLISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "administrativeStatus": tuple(_STATUSES),
    "grammaticalGender": tuple(_GENDERS),
    "partOfSpeech": tbx.PARTS,
}
_KINDS: Final = (*_PICKLISTS, "geographicalUsage", "termType")


def _places() -> dict[str, set[str]]:
    """Keys of places by every name they have. The name we write ourselves counts first."""
    named: dict[str, set[str]] = {}
    written: dict[str, set[str]] = {}
    for key, names in Place.objects.values_list("key", "names"):
        written.setdefault(name(names), set()).add(key)
        for text in {key, *names.values()}:
            named.setdefault(text, set()).add(key)
    return named | {text: keys for text, keys in written.items() if len(keys) == 1}


def _typed(node: Node, element: str, kind: str) -> list[str]:
    """The texts of the children of one data category, in groups or not."""
    group = f"{element}Grp"
    rows = [node, *node.all(group)]
    return [_text(child) for row in rows for child in row.all(element) if child.attributes.get("type") == kind]


def _described(node: Node, kind: str) -> list[tuple[Node, Node]]:
    """The descriptions of one category, each with the group it stands in (or itself, which holds no sources)."""
    found = []
    for child in node.all("descrip", "descripGrp"):
        descrip = child if child.name == "descrip" else child.first("descrip")
        if descrip is not None and descrip.attributes.get("type") == kind and _text(descrip):
            found.append((child, descrip))
    return found


def _sources(node: Node) -> tuple[str, ...]:
    """The citations that stand directly in an element."""
    return tuple(
        text for child in node.all("admin") if child.attributes.get("type") == "source" and (text := _text(child))
    )


def _text(node: Node) -> str:
    return node.full_text.strip()


def _joined(before: str, more: str) -> str:
    return f"{before}\n{more}" if before else more
