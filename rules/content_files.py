"""The first content of the encyclopedia: read from `content/*.toml`, `content/terms/`, `content/translations/` and `content/articles/`, and loaded.

Reading is pure: files in, canonical documents out. One broken file or entry is reported and the others go on.

Loading never overwrites what a person wrote. An entry whose published revision came from a file follows that file. As soon
as a person has edited it, it is theirs: what the file says afterwards is reported, not published. What is gone from the
files stays. `flaws` lists everything that can be known to be wrong with the files before anybody reads them.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils.text import slugify

from domain.engine import dealing
from rules import content_translations, documents, markup, projections, services, terms
from rules.documents import BadDocument, Document
from rules.models import SOURCE_LANGUAGE, Article, Catalogue, Concept, Entry, Place, Redirect, Revision, Source
from rules.search import index

CONTENT: Final = Path(__file__).resolve().with_name("content")
CARD_THEMES: Final = {"suits": "suits", "ranks": "courts", "trumps": "trumps", "fool": "trumps"}
BOTH_GAMES: Final = ["troccas", "troggu"]
_GAME_OF: Final = {"rm-sursilv": ["troccas"], "gsw": ["troggu"]}
_NAMES: Final = ("text", "gender", "gloss")
_FORMS: Final = ("bare", "inflected", "object", "plural")
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


@dataclass(frozen=True, slots=True)
class Merged:
    """A concept that is part of the entry `into` now, with the address it had."""

    key: str
    into: str
    slug: str


@dataclass(slots=True)
class Files:
    """Everything the files say, in the order in which it can be published, and what is wrong with them."""

    entries: list[Filed] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)
    merged: list[Merged] = field(default_factory=list)


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
    files.merged = _merged_entries(folder, files)
    files.flaws += _dangling(files)
    return files


def _merged_entries(folder: Path, files: Files) -> list[Merged]:
    """What merged.toml says; a folder may have none."""
    name = "merged.toml"
    there = {entry.key for entry in files.entries if entry.kind == "concept"}
    found = []
    for key, row in (_toml(folder / name, files) if (folder / name).exists() else {}).items():
        if key in there or row.get("into") not in there:
            files.flaws.append(Flaw(name, key, "is an entry still, or is merged into none"))
        else:
            found.append(Merged(key, row["into"], row.get("slug", "") or services.default_slug("concept", key)))
    return found


def default_slug(kind: str, key: str, document: Mapping[str, Any]) -> str:
    """The address that a file gives its entry, or else that of an entry that nobody has named."""
    return document.get("slug") or services.default_slug(kind, key)


def _content_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in {".toml", ".md"}]


def _file(files: Files, kind: str, key: str, row: object, name: str, language: str = "") -> None:
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
    translations = {path.stem: _toml(path, files) for path in sorted((folder / "translations").glob("*.toml"))}
    files.flaws += [
        Flaw(f"translations/{language}.toml", key, "no such concept", fatal=False)
        for language, said in translations.items()
        for key in said.get("concepts", {}).keys() - found.keys()
    ]
    for key, (document, name) in found.items():
        whole = _preferring_the_attested(document)
        if _can_be_translated(whole):
            for language, said in translations.items():
                whole = content_translations.translated(key, whole, language, said)
            whole = _with_parts_of_speech(whole)
        yield key, whole, name


def _can_be_translated(document: Document) -> bool:
    """Whether its texts are where they belong; of what is not, the check says what is wrong."""
    words, definitions = document.get("terms", []), document.get("definitions", {})
    rows = [row for row in words if isinstance(row, Mapping) and "lang" in row] if isinstance(words, list) else []
    english = definitions.get(SOURCE_LANGUAGE, {}) if isinstance(definitions, Mapping) else None
    texts = [document.get(name, {}) for name in ("meaning", "literal", "tells", "note")]
    texts += [row.get(name, {}) for row in rows for name in ("gloss", "note")]
    return len(rows) == len(words) and all(isinstance(each, Mapping) for each in (*texts, english))


def _with_parts_of_speech(document: Document) -> Document:
    """The concept with a part of speech for every word: a noun if it has a gender, else as its English word is, else a noun."""
    terms = document.get("terms", [])
    said = sorted((term for term in terms if term.get("pos")), key=lambda term: term["lang"] != SOURCE_LANGUAGE)
    usual = said[0]["pos"] if said else "noun"
    return {**document, "terms": [{"pos": "noun" if term.get("gender") else usual, **term} for term in terms]}


def _preferring_the_attested(document: Document) -> Document:
    """The concept with the words of the short files that no source attests admitted only, though they come first."""
    terms = document.get("terms")
    if not isinstance(terms, list) or not all(isinstance(term, Mapping) for term in terms):
        return document  # the check says what is wrong
    bare = [term for term in terms if term.get("status") == "preferred" and not term.get("sources")]
    return {**document, "terms": [{**term, "status": "admitted"} if term in bare else term for term in terms]}


def _cards(folder: Path, files: Files) -> Iterator[tuple[str, Document, str]]:
    """Suits, ranks and trumps in the order of the file; that of words is left to the alphabet, so that a new one moves none."""
    cards = _toml(folder / "cards.toml", files)
    rows = [(kind, theme, key, row) for kind, theme in CARD_THEMES.items() for key, row in _rows(cards, kind)]
    for order, (kind, theme, key, row) in enumerate(rows, start=1):
        document = {
            "theme": theme,
            "order": order,
            "games": BOTH_GAMES,
            **{name: row[name] for name in ("title", "own", "meaning") if name in row},
            "terms": _terms(row),
        }
        yield f"{kind}.{key}".rstrip("."), document, "cards.toml"


def _rows(cards: Mapping[str, Any], kind: str) -> list[tuple[str, Mapping[str, Any]]]:
    """The concepts of one kind; the Fool is one by itself and has no key."""
    table: Mapping[str, Any] = cards.get(kind, {})
    return [("", table)] if kind == "fool" and table else [*table.items()]


def _words(folder: Path, files: Files) -> Iterator[tuple[str, Document, str]]:
    for key, row in _toml(folder / "words.toml", files).get("words", {}).items():
        if "of" in row:  # how screens name another concept
            continue
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
            "literal": {
                SOURCE_LANGUAGE: said.literal,
                **{code: row["literal"] for code, row in translated.items() if "literal" in row},
            },
            "tells": {SOURCE_LANGUAGE: said.tells} | {code: row["tells"] for code, row in translated.items()},
            "terms": [
                {
                    "lang": "rm-sursilv",
                    "text": said.romansh,
                    "status": "preferred",
                    "pos": "phrase",
                    "place": place,
                    "sources": ["pagat: The Deal" if said.id == "liber" else "pagat: Tschintschar"],
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
    there = {(entry.kind, entry.key) for entry in files.entries}
    return [
        Flaw(entry.file, f"{entry.key}.{path}", f"no such {kind}: {key}", fatal=False)
        for entry in files.entries
        for kind in ("source", "place", "concept")
        for path, key in documents.references(entry.kind, entry.document, kind).items()
        if (kind, key) not in there
    ]


_BATCH: Final = 300
"""Entries published together; SQLite takes a limited number of parameters in one statement."""
_COMMENT: Final = "from the files of the program"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry that a person edited, although its file now says something else."""

    entry: Entry
    editor: str


@dataclass(slots=True)
class Loaded:
    """What a load did. `current`: nothing had changed since the last one, so nothing was read."""

    current: bool = False
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    kept: list[Kept] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Change:
    entry: Entry
    filed: Filed
    digest: str


def load(folder: Path = CONTENT, *, again: bool = False) -> Loaded:
    """Publish what the files have and nobody has edited since; one transaction. `again`: even if no file has changed.

    Broken entries are left out and reported; they are tried again next time.
    """
    digest = files_digest(folder)
    if not again and Catalogue.objects.filter(pk=1, files=digest).exists():
        return Loaded(current=True)
    files = read_files(folder)
    done = Loaded(flaws=files.flaws)
    with transaction.atomic():
        withdrawn = _withdraw(files.merged, done)
        publish_files(files.entries, done)
        _lead_on(files.merged)
        if withdrawn:
            terms.note_change()
        # After the entries, as `rules.services` does: whoever locks in the same order waits for nobody in a circle.
        Catalogue.objects.get_or_create(pk=1)
        Catalogue.objects.filter(pk=1).update(files="" if any(flaw.fatal for flaw in files.flaws) else digest)
    return done


def _withdraw(merged: Sequence[Merged], done: Loaded) -> int:
    """Take back the entries that are part of others now, but those that a person edited; their addresses become free."""
    keys = [one.key for one in merged]
    rows = Entry.objects.select_for_update(no_key=True, of=("self",)).filter(kind=Entry.Kind.CONCEPT, key__in=keys)
    taken = 0
    for entry in rows.exclude(published=None).select_related("published__author").order_by("pk"):
        revision = entry.published
        assert revision is not None
        if not revision.file_digest:
            done.kept.append(Kept(entry, revision.author.display_name if revision.author else ""))
            continue
        Concept.objects.filter(entry=entry).delete()
        index.remove(entry)
        entry.published = None
        entry.slug = slugify(entry.key.replace(".", "-"))
        entry.save(update_fields=["published", "slug"])
        taken += 1
    return taken


def _lead_on(merged: Sequence[Merged]) -> None:
    """Let the addresses of merged entries lead to those they are part of, unless another entry has them."""
    addresses = {one.slug: one for one in merged}
    used = Entry.objects.filter(kind=Entry.Kind.CONCEPT, slug__in=addresses).exclude(published=None)
    for slug in used.values_list("slug", flat=True):
        del addresses[slug]
    for slug, one in addresses.items():
        Redirect.objects.update_or_create(kind=Entry.Kind.CONCEPT, slug=slug, defaults={"key": one.into})


def publish_files(filed: Sequence[Filed], done: Loaded) -> None:
    """Publish these entries where nobody has edited them since; what was done is counted in `done`. One transaction."""
    with transaction.atomic():
        changes = _compare(filed, done)
        # Translations last: they follow the article that has just been published.
        for batch in _batches(change for change in changes if not change.entry.is_translation):
            _publish(batch)
        for batch in _batches(change for change in changes if change.entry.is_translation):
            _publish(batch)
        if changes:
            projections.make_findable([change.entry for change in changes])
            terms.note_change()


def rebuild() -> int:
    """Make all projections, and the search index, anew from the published revisions; returns how many entries there are."""
    with transaction.atomic():
        locked = Entry.objects.select_for_update(no_key=True).exclude(published=None).order_by("pk")
        entries = list(locked.prefetch_related("published"))
        # Places before everything that points to them.
        entries.sort(key=lambda entry: entry.kind != Entry.Kind.PLACE)
        for model in (Article, Concept, Source, Place):
            model.objects.all().delete()
        for batch in _batches(entries):
            projections.project([(entry, entry.published.document) for entry in batch if entry.published])
        index.rebuild()
        terms.note_change()
    return len(entries)


def _compare(filed: Sequence[Filed], done: Loaded) -> list[_Change]:
    """What is to be published, in the order of the files; counts the rest in `done`. Locks all entries."""
    locked = Entry.objects.select_for_update(no_key=True).order_by("pk").prefetch_related("published__author")
    entries = {(entry.kind, entry.key, entry.language): entry for entry in locked}
    newest_file = Revision.objects.filter(entry=OuterRef("pk")).exclude(file_digest="").order_by("-number")
    loaded = dict(
        Entry.objects.annotate(loaded=Subquery(newest_file.values("file_digest")[:1])).values_list("pk", "loaded")
    )
    taken = {(entry.kind, entry.slug, entry.language) for entry in entries.values()}
    changes = []
    for one in filed:
        entry = entries.get((one.kind, one.key, one.language))
        digest = documents.digest(one.document)
        if entry is None:
            if (one.kind, one.slug, one.language) in taken:
                done.flaws.append(Flaw(one.file, one.key, f"the address {one.slug} belongs to another {one.kind}"))
                continue
            taken.add((one.kind, one.slug, one.language))
            done.added += 1
            entry = Entry(kind=one.kind, key=one.key, language=one.language, slug=one.slug)
        elif loaded[entry.pk] == digest:
            done.unchanged += 1
            continue
        elif entry.published is not None and not entry.published.file_digest:
            if entry.published.document == one.document:
                done.unchanged += 1
            else:
                author = entry.published.author
                done.kept.append(Kept(entry, author.display_name if author else ""))
            continue
        else:
            done.updated += 1
            _readdress(entry, one, taken)
        changes.append(_Change(entry, one, digest))
    return changes


def _readdress(entry: Entry, one: Filed, taken: set[tuple[str, str, str]]) -> None:
    """Follow a file that gives its entry another address, unless an administrator gave it one; the old one leads there."""
    before = entry.published.document if entry.published else {}
    wanted = (one.kind, one.slug, one.language)
    if entry.slug == one.slug or wanted in taken:
        return
    if entry.slug == default_slug(one.kind, one.key, before):
        Redirect.objects.update_or_create(kind=one.kind, slug=entry.slug, defaults={"key": one.key})
        Redirect.objects.filter(kind=one.kind, slug=one.slug, key=one.key).delete()
        taken.add(wanted)
        entry.slug = one.slug


def _publish(changes: Sequence[_Change]) -> None:
    Entry.objects.bulk_create([change.entry for change in changes if change.entry._state.adding])
    followed = _source_articles([change.entry.key for change in changes if change.entry.kind == Entry.Kind.ARTICLE])
    revisions = []
    for change in changes:
        entry = change.entry
        entry.revisions_made += 1
        revisions.append(
            Revision(
                entry=entry,
                number=entry.revisions_made,
                parent=entry.published,
                document=change.filed.document,
                comment=_COMMENT,
                follows=followed.get(entry.key) if entry.is_translation else None,
                file_digest=change.digest,
            )
        )
    Revision.objects.bulk_create(revisions)
    for revision in revisions:
        revision.entry.published = revision
    Entry.objects.bulk_update(
        [change.entry for change in changes], ["published", "revisions_made", "slug"], batch_size=_BATCH
    )
    projections.project([(revision.entry, revision.document) for revision in revisions])


def _source_articles(keys: Sequence[str]) -> dict[str, Revision]:
    """What the file of each source article said last: the files of its translations say the same."""
    found = Revision.objects.filter(
        entry__kind=Entry.Kind.ARTICLE, entry__language=SOURCE_LANGUAGE, entry__key__in=keys
    ).exclude(file_digest="")
    return {revision.entry.key: revision for revision in found.select_related("entry").order_by("number")}


def _batches(rows: Iterable[_T]) -> Iterable[list[_T]]:
    left = iter(rows)
    while batch := list(islice(left, _BATCH)):
        yield batch


def flaws(folder: Path = CONTENT) -> list[Flaw]:
    """All flaws of the files: of their form, of what they point to, and of every article as it is rendered.

    The articles are rendered, their examples played, beside all words of the files; nothing of it stays in the database.
    """
    files = read_files(folder)
    with _published_for_now(files) as done:
        return [*files.flaws, *done.flaws, *_troubles(files)]


def _troubles(files: Files) -> Iterator[Flaw]:
    for filed in files.entries:
        if filed.kind == Entry.Kind.ARTICLE:
            for trouble in markup.troubles(filed.document, filed.language, key=filed.key):
                yield Flaw(filed.file, f"text, line {trouble.line}" if trouble.line else "text", trouble.message)


@contextmanager
def _published_for_now(files: Files) -> Iterator[Loaded]:
    """The files as if they were published, until the end of the block."""
    before = terms.current()
    try:
        with transaction.atomic():
            done = Loaded()
            publish_files(files.entries, done)
            terms.refresh(force=True)
            yield done
            transaction.set_rollback(True)
    finally:
        terms.replace(before)
