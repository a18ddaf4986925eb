"""The first content of the encyclopedia, as its files have it: `content/*.toml`, `content/terms/`, `content/articles/`.

Pure: files in, canonical documents out. One broken file or entry is reported and the others go on.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from django.utils.text import slugify

from domain.engine import dealing
from rules import documents
from rules.documents import BadDocument, Document

CONTENT: Final = Path(__file__).resolve().parent.parent / "content"
SOURCE_LANGUAGE: Final = "en"
CARD_THEMES: Final = {"suits": "suits", "ranks": "courts", "trumps": "trumps", "fool": "trumps"}
BOTH_GAMES: Final = ["troccas", "troggu"]
_GAME_OF: Final = {"rm-sursilv": ["troccas"], "gsw": ["troggu"]}
_NAMES: Final = ("text", "gender", "gloss")
_FORMS: Final = ("bare", "inflected", "object")
_FENCE: Final = "+++"


@dataclass(frozen=True, slots=True)
class Filed:
    """One entry as the files have it: its canonical document, and the file it came from."""

    kind: str
    key: str
    language: str
    slug: str
    document: Document
    file: str


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong in a file; `where` is the entry and field. `fatal`: the entry was left out."""

    file: str
    where: str
    message: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{self.file}: {self.where}: {self.message}" if self.where else f"{self.file}: {self.message}"


@dataclass(slots=True)
class Files:
    """Everything the files say, in the order in which it can be published, and what is wrong with them."""

    entries: list[Filed] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)


def files_digest(folder: Path = CONTENT) -> str:
    """SHA-256 of all content files, their names, the phrase book, and the program that reads them."""
    found = hashlib.sha256(dealing.phrase_file().read_bytes())
    for path in (Path(__file__), *sorted(Path(documents.__file__).parent.glob("*.py"))):
        found.update(path.read_bytes())
    for path in _content_files(folder):
        found.update(f"\0{path.relative_to(folder)}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def read_files(folder: Path = CONTENT) -> Files:
    """Read and check all content: places, sources, concepts, then articles, the source language first."""
    files = Files()
    for kind in ("place", "source"):
        name = f"{kind}s.toml"
        for key, row in _toml(folder / name, files).items():
            _file(files, kind, key, row, name)
    for key, row, name in _concepts(folder, files):
        _file(files, "concept", key, row, name)
    _read_articles(folder, files)
    files.flaws += _dangling(files)
    return files


def default_slug(kind: str, key: str, document: Mapping[str, Any]) -> str:
    """The address of an entry that nobody has named: `words.scart` is `scart`, `suits.cups` is `suits-cups`."""
    if kind != "concept":
        return key
    given: str = document.get("slug", "")
    return given or key.removeprefix("words.").replace(".", "-")


def _content_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in {".toml", ".md"}]


def _file(files: Files, kind: str, key: str, row: object, name: str, language: str = "") -> None:
    """Check one entry and keep it, or note what is wrong."""
    given = row if isinstance(row, Mapping) else {}
    try:
        document = documents.check(kind, given)
    except BadDocument as bad:
        files.flaws += [
            Flaw(name, f"{key}.{problem.field}".strip("."), str(problem.message)) for problem in bad.problems
        ]
        return
    files.entries.append(Filed(kind, key, language, default_slug(kind, key, document), document, name))


def _toml(path: Path, files: Files) -> dict[str, Any]:
    """The tables of a file; nothing, and a flaw, if it is missing or broken."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        files.flaws.append(Flaw(path.name, "", "the file is missing"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        files.flaws.append(Flaw(path.name, "", str(error)))
    return {}


# --- Concepts: the short files that the table falls back to, then what content/terms adds -----------------------------


def _concepts(folder: Path, files: Files) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Every concept merged from all its files, with the name of the file to blame."""
    found: dict[str, tuple[Document, str]] = {}
    for key, document, name in (*_cards(folder, files), *_words(folder, files), *_phrases(folder, files)):
        found[key] = (document, name)
    added: dict[str, str] = {}
    for path in sorted((folder / "terms").glob("*.toml")):
        name = f"terms/{path.name}"
        for key, row in _toml(path, files).items():
            if not isinstance(row, dict):
                files.flaws.append(Flaw(name, key, "a concept is a table with its key in quotes"))
            elif key in added:
                files.flaws.append(Flaw(name, key, f"stands in {added[key]} too"))
            else:
                added[key] = name
                found[key] = (_merged(found[key][0], row), name) if key in found else (row, name)
    for key, (document, name) in found.items():
        yield key, document, name


def _cards(folder: Path, files: Files) -> Iterator[tuple[str, Document, str]]:
    """Suits, ranks and trumps in the order of the file; that of words is left to the alphabet, so that a new one moves none."""
    cards = _toml(folder / "cards.toml", files)
    rows = [(kind, theme, key, row) for kind, theme in CARD_THEMES.items() for key, row in _rows(cards, kind)]
    for order, (kind, theme, key, row) in enumerate(rows, start=1):
        title = row.get("title", "")
        document = {"theme": theme, "order": order, "games": BOTH_GAMES, "title": title, "terms": _terms(row)}
        yield f"{kind}.{key}".rstrip("."), document, "cards.toml"


def _rows(cards: Mapping[str, Any], kind: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The concepts of one kind; the Fool is one by itself and has no key."""
    table: Mapping[str, Any] = cards.get(kind, {})
    return [("", table)] if kind == "fool" and table else [*table.items()]


def _words(folder: Path, files: Files) -> Iterator[tuple[str, Document, str]]:
    for key, row in _toml(folder / "words.toml", files).get("words", {}).items():
        own = row.get("own", "")
        document = {
            "theme": "play",
            "games": BOTH_GAMES if {*_GAME_OF} <= {*row} else _GAME_OF.get(own, BOTH_GAMES),
            "own": own,
            "meaning": row.get("meaning", {}),
            "terms": _terms(row),
        }
        yield f"words.{key}", document, "words.toml"


def _terms(row: Mapping[str, Any]) -> list[Document]:
    """The names of one concept in cards.toml or words.toml as terms: the first of a language is preferred."""
    return [
        _term(name, language, first=number == 0)
        for language, names in row.items()
        if isinstance(names, list)
        for number, name in enumerate(names)
    ]


def _term(name: Mapping[str, Any], language: str, *, first: bool) -> Document:
    status = "proposed" if name.get("draft") else "preferred" if first else "admitted"
    return {
        "lang": language,
        "status": status,
        **{part: name[part] for part in _NAMES if part in name},
        "sources": [name["source"]] if name.get("source") else [],
        "note": {SOURCE_LANGUAGE: name["note"]} if name.get("note") else {},
        "forms": {form: name[form] for form in _FORMS if form in name},
    }


def _phrases(folder: Path, files: Files) -> Iterator[tuple[str, Document, str]]:
    """The phrase book of the engine with the translations of phrases.toml."""
    told = _toml(folder / "phrases.toml", files)
    themes = {row.get(SOURCE_LANGUAGE): key for key, row in told.get("themes", {}).items()}
    for order, said in enumerate(dealing.phrase_book().values(), start=1):
        translated = {code: rows[said.id] for code, rows in told.items() if code != "themes" and said.id in rows}
        place = slugify(said.place.partition("/")[0])
        document = {
            "sort": "phrase",
            "theme": "talk",
            "order": order,
            "talk_theme": themes.get(said.theme, ""),
            "games": ["troccas"],
            "strength": said.strength,
            "place": place,
            "literal": {SOURCE_LANGUAGE: said.literal} | {code: row["literal"] for code, row in translated.items()},
            "tells": {SOURCE_LANGUAGE: said.tells} | {code: row["tells"] for code, row in translated.items()},
            "terms": [
                {
                    "lang": "rm-sursilv",
                    "text": said.romansh,
                    "status": "preferred",
                    "pos": "phrase",
                    "place": place,
                    "sources": ["pagat: Tschintschar"],
                }
            ],
        }
        yield f"phrases.{said.id}", document, "phrases.toml"


def _merged(short: Document, more: Mapping[str, Any]) -> Document:
    """A concept of the short files with what a file of content/terms adds to it.

    A term with the language and text of one that is there gives it further fields; other terms come after it.
    """
    terms = [dict(term) for term in short.get("terms", ())]
    given = more.get("terms", [])
    for row in given if isinstance(given, list) else [given]:
        if not isinstance(row, Mapping):
            terms.append(row)  # the check says what is wrong
            continue
        same = next(
            (term for term in terms if (term["lang"], term["text"]) == (row.get("lang"), row.get("text"))), None
        )
        if same is None:
            terms.append({"status": "admitted", **row})
        else:
            same.update(_with(same, row))
    merged = {name: value for name, value in more.items() if name != "terms"}
    for name in ("meaning", "note", "literal", "tells"):
        if isinstance(merged.get(name), Mapping) and name in short:
            merged[name] = {**short[name], **merged[name]}
    return {**short, **merged, "terms": terms}


def _with(term: Mapping[str, Any], row: Mapping[str, Any]) -> Document:
    """The fields of `row`; its sources come after those that are there, a bare key giving way to one with its place."""
    added = dict(row)
    if isinstance(row.get("sources"), list):
        kept = [
            cited
            for cited in term.get("sources", ())
            if not any(str(new).startswith(f"{cited}:") for new in row["sources"])
        ]
        added["sources"] = [*kept, *row["sources"]]
    for name in ("gloss", "note", "forms"):
        if isinstance(row.get(name), Mapping):
            added[name] = {**term.get(name, {}), **row[name]}
    return added


# --- Articles ---------------------------------------------------------------------------------------------------------


def _read_articles(folder: Path, files: Files) -> None:
    paths = sorted((folder / "articles").glob("*/*.md"), key=lambda path: (path.parent.name != SOURCE_LANGUAGE, path))
    for path in paths:
        name = path.relative_to(folder).as_posix()
        try:
            document = _article(path.read_text(encoding="utf-8"))
        except (ValueError, UnicodeDecodeError) as error:  # TOML's errors are ValueErrors
            files.flaws.append(Flaw(name, "", str(error)))
            continue
        _file(files, "article", path.stem, document, name, path.parent.name)


def _article(text: str) -> Document:
    """Front matter and text of an article's file. Raises ValueError where the front matter cannot be read."""
    lines = text.split("\n")
    if lines[0].strip() != _FENCE or _FENCE not in (line.strip() for line in lines[1:]):
        raise ValueError(f"the file must begin with its front matter between two lines {_FENCE}")
    end = next(number for number, line in enumerate(lines[1:], start=1) if line.strip() == _FENCE)
    return {**tomllib.loads("\n".join(lines[1:end])), "text": "\n".join(lines[end + 1 :])}


# --- What points to nothing -------------------------------------------------------------------------------------------


def _dangling(files: Files) -> list[Flaw]:
    """Citations, places and related words that no file has: the entry is kept, the link leads nowhere."""
    keys = {
        kind: {entry.key for entry in files.entries if entry.kind == kind} for kind in ("source", "place", "concept")
    }
    flaws = []
    for entry in files.entries:
        named: Iterable[tuple[str, str, str]] = (
            *(
                (path, "source", documents.source_of(cited))
                for path, cited in documents.citations(entry.kind, entry.document).items()
            ),
            *((path, "place", key) for path, key in documents.places(entry.kind, entry.document).items()),
            *((path, "concept", key) for path, key in documents.concepts(entry.kind, entry.document).items()),
        )
        flaws += [
            Flaw(entry.file, f"{entry.key}.{path}", f"no such {kind}: {key}", fatal=False)
            for path, kind, key in named
            if key not in keys[kind]
        ]
    return flaws
