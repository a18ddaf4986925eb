"""Read and load the encyclopedia's first content from the files in `content/`.

These are `*.toml`, `terms/`, `translations/` and `articles/`. Reading is pure: files in, canonical documents out. A
broken file or entry is reported, and the others are read all the same.

Loading never overwrites what a person wrote. An entry whose published revision came from a file follows that file. Once
a person has edited it, it is theirs: later changes to the file are reported, not published. Entries that disappear from
the files stay. `flaws` lists everything that can be found wrong with the files before anybody reads them.
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

from domain.engine import talk
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
    """Something wrong in a file; `where` is the entry and field. `fatal`: whether the entry was left out."""

    file: str
    where: str
    message: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{self.file}: {self.where}: {self.message}" if self.where else f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True)
class Merged:
    """A concept that is now part of the entry `into`, with its former address."""

    key: str
    into: str
    slug: str


@dataclass(slots=True)
class Files:
    """The entries of all files, in an order in which they can be published, and the flaws of the files."""

    entries: list[Filed] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)
    merged: list[Merged] = field(default_factory=list)


def files_digest(folder: Path = CONTENT) -> str:
    """SHA-256 of all content files, their names, the phrase book, and the program that reads them."""
    digest = hashlib.sha256(talk.phrase_file().read_bytes())
    for path in (Path(__file__), *sorted(Path(documents.__file__).parent.glob("*.py"))):
        digest.update(path.read_bytes())
    for path in _content_files(folder):
        digest.update(f"\0{path.relative_to(folder)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


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
    """The rows of merged.toml; a folder may lack this file."""
    name = "merged.toml"
    concepts = {entry.key for entry in files.entries if entry.kind == "concept"}
    merged = []
    for key, row in (_toml(folder / name, files) if (folder / name).exists() else {}).items():
        if key in concepts or row.get("into") not in concepts:
            files.flaws.append(Flaw(name, key, "is an entry still, or is merged into none"))
        else:
            merged.append(Merged(key, row["into"], row.get("slug", "") or services.default_slug("concept", key)))
    return merged


def default_slug(kind: str, key: str, document: Mapping[str, Any]) -> str:
    """The address that a file gives its entry, or else the default one."""
    return document.get("slug") or services.default_slug(kind, key)


def _content_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.suffix in {".toml", ".md"}]


def _file(files: Files, kind: str, key: str, row: object, name: str, language: str = "") -> None:
    """Check one entry, and add it, or its flaws, to `files`."""
    try:
        document = documents.check(kind, row if isinstance(row, Mapping) else {})
    except BadDocument as bad:
        files.flaws += [
            Flaw(name, f"{key}.{problem.field}".strip("."), str(problem.message)) for problem in bad.problems
        ]
        return
    files.entries.append(Filed(kind, key, language, default_slug(kind, key, document), document, name))


def _toml(path: Path, files: Files) -> dict[str, Any]:
    """The tables of a file. If it is missing or broken, note a flaw and return an empty dictionary."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        files.flaws.append(Flaw(path.name, "", "the file is missing"))
    except ValueError as error:  # the errors of TOML and of UTF-8 are ValueErrors
        files.flaws.append(Flaw(path.name, "", str(error)))
    return {}


# --- Concepts: the short files that game tables fall back to, then the additions of content/terms ---------------------


def _concepts(folder: Path, files: Files) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Every concept, merged from all its files, with the name of the file to blame for flaws."""
    concepts: dict[str, tuple[Document, str]] = {}
    for key, document, name in (*_cards(folder, files), *_words(folder, files), *_phrases(folder, files)):
        concepts[key] = (document, name)
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
                concepts[key] = (_merged(concepts[key][0], row), name) if key in concepts else (row, name)
    translations = {path.stem: _toml(path, files) for path in sorted((folder / "translations").glob("*.toml"))}
    files.flaws += [
        Flaw(f"translations/{language}.toml", key, "no such concept", fatal=False)
        for language, translation in translations.items()
        for key in translation.get("concepts", {}).keys() - concepts.keys()
    ]
    for key, (document, name) in concepts.items():
        whole = _preferring_the_attested(document)
        if _can_be_translated(whole):
            for language, translation in translations.items():
                whole = content_translations.translated(key, whole, language, translation)
            whole = _with_parts_of_speech(whole)
        yield key, whole, name


def _can_be_translated(document: Document) -> bool:
    """Whether its texts have the shapes that translating needs; if not, the check reports what is wrong."""
    words, definitions = document.get("terms", []), document.get("definitions", {})
    rows = [row for row in words if isinstance(row, Mapping) and "lang" in row] if isinstance(words, list) else []
    english = definitions.get(SOURCE_LANGUAGE, {}) if isinstance(definitions, Mapping) else None
    texts = [document.get(name, {}) for name in ("meaning", "literal", "tells", "note")]
    texts += [row.get(name, {}) for row in rows for name in ("gloss", "note")]
    return len(rows) == len(words) and all(isinstance(each, Mapping) for each in (*texts, english))


def _with_parts_of_speech(document: Document) -> Document:
    """The concept with a part of speech for every word.

    A word with a gender is a noun; others are what the English word is, or else another word; by default a noun.
    """
    terms = document.get("terms", [])
    given = sorted((term for term in terms if term.get("pos")), key=lambda term: term["lang"] != SOURCE_LANGUAGE)
    usual = given[0]["pos"] if given else "noun"
    return {**document, "terms": [{"pos": "noun" if term.get("gender") else usual, **term} for term in terms]}


def _preferring_the_attested(document: Document) -> Document:
    """The concept with preferred words that no source attests made admitted ones; their order stays."""
    terms = document.get("terms")
    if not isinstance(terms, list) or not all(isinstance(term, Mapping) for term in terms):
        return document  # the check reports what is wrong
    bare = [term for term in terms if term.get("status") == "preferred" and not term.get("sources")]
    return {**document, "terms": [{**term, "status": "admitted"} if term in bare else term for term in terms]}


def _cards(folder: Path, files: Files) -> Iterator[tuple[str, Document, str]]:
    """Suits, ranks and trumps in the order of the file.

    Words have no order but the alphabet, so a new one moves none.
    """
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
        if "of" in row:  # only another form of another concept's name, for screens
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
    """The names of a concept in cards.toml or words.toml as terms: the first of each language is preferred."""
    return [
        _term(name, language, first=number == 0)
        for language, names in row.items()
        if isinstance(names, list)
        for number, name in enumerate(names)
    ]


def _term(name: Mapping[str, Any], language: str, *, first: bool) -> Document:
    status = "preferred" if first else "admitted"
    if name.get("draft"):
        status = "proposed"
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
    translations = _toml(folder / "phrases.toml", files)
    themes = {row.get(SOURCE_LANGUAGE): key for key, row in translations.get("themes", {}).items()}
    for order, phrase in enumerate(talk.phrase_book().values(), start=1):
        translated = {
            code: rows[phrase.id] for code, rows in translations.items() if code != "themes" and phrase.id in rows
        }
        place = slugify(phrase.place.partition("/")[0])
        document = {
            "sort": "phrase",
            "theme": "talk",
            "order": order,
            "talk_theme": themes.get(phrase.theme, ""),
            "games": ["troccas"],
            "strength": phrase.strength,
            "place": place,
            "literal": {
                SOURCE_LANGUAGE: phrase.literal,
                **{code: row["literal"] for code, row in translated.items() if "literal" in row},
            },
            "tells": {SOURCE_LANGUAGE: phrase.tells} | {code: row["tells"] for code, row in translated.items()},
            "terms": [
                {
                    "lang": "rm-sursilv",
                    "text": phrase.romansh,
                    "status": "preferred",
                    "pos": "phrase",
                    "place": place,
                    "sources": ["pagat: The Deal" if phrase.id == "liber" else "pagat: Tschintschar"],
                }
            ],
        }
        yield f"phrases.{phrase.id}", document, "phrases.toml"


def _merged(short: Document, more: Mapping[str, Any]) -> Document:
    """A concept of the short files, extended by a file of content/terms.

    A term with the language and text of an existing one adds fields to it; other terms are appended.
    """
    terms = [dict(term) for term in short.get("terms", ())]
    given = more.get("terms", [])
    for row in given if isinstance(given, list) else [given]:
        if not isinstance(row, Mapping):
            terms.append(row)  # the check reports what is wrong
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
    """The fields of `row`, added to those of `term`.

    Its sources come after those of `term`; a bare key is replaced by the same source with a place in it.
    """
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
        except ValueError as error:  # the errors of TOML and of UTF-8 are ValueErrors
            files.flaws.append(Flaw(name, "", str(error)))
            continue
        _file(files, "article", path.stem, document, name, path.parent.name)


def _article(text: str) -> Document:
    """Front matter and text of an article's file. Raises ValueError if the front matter cannot be read."""
    lines = text.split("\n")
    if lines[0].strip() != _FENCE or _FENCE not in (line.strip() for line in lines[1:]):
        raise ValueError(f"the file must begin with its front matter between two lines {_FENCE}")
    end = next(number for number, line in enumerate(lines[1:], start=1) if line.strip() == _FENCE)
    return {**tomllib.loads("\n".join(lines[1:end])), "text": "\n".join(lines[end + 1 :])}


# --- Broken references ------------------------------------------------------------------------------------------------


def _dangling(files: Files) -> list[Flaw]:
    """A flaw for each source, place or related word that no file has: the entry is kept, the link leads nowhere."""
    existing = {(entry.kind, entry.key) for entry in files.entries}
    return [
        Flaw(entry.file, f"{entry.key}.{path}", f"no such {kind}: {key}", fatal=False)
        for entry in files.entries
        for kind in ("source", "place", "concept")
        for path, key in documents.references(entry.kind, entry.document, kind).items()
        if (kind, key) not in existing
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
    """What a load did. `current`: nothing had changed since the last load, so nothing was read."""

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
    """Publish the entries of the files, except those that somebody has edited since, in one transaction.

    `again`: even if no file has changed. Broken entries are left out and reported; they are tried again next time.
    """
    digest = files_digest(folder)
    if not again and Catalogue.objects.filter(pk=1, files=digest).exists():
        return Loaded(current=True)
    files = read_files(folder)
    done = Loaded(flaws=files.flaws)
    with transaction.atomic():
        withdrawn = _withdraw(files.merged, done)
        publish_files(files.entries, done)
        _redirect_merged(files.merged)
        if withdrawn:
            terms.note_change()
        # After the entries, as in `rules.services`: locking in the same order avoids deadlocks.
        Catalogue.objects.get_or_create(pk=1)
        Catalogue.objects.filter(pk=1).update(files="" if any(flaw.fatal for flaw in files.flaws) else digest)
    return done


def _withdraw(merged: Sequence[Merged], done: Loaded) -> int:
    """Withdraw the entries that are now part of others, except those that a person edited; free their addresses.

    Returns the number of withdrawn entries.
    """
    keys = [one.key for one in merged]
    rows = Entry.objects.select_for_update(no_key=True, of=("self",)).filter(kind=Entry.Kind.CONCEPT, key__in=keys)
    withdrawn = 0
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
        withdrawn += 1
    return withdrawn


def _redirect_merged(merged: Sequence[Merged]) -> None:
    """Redirect the addresses of merged entries to the entries they are part of, unless another entry has them."""
    addresses = {one.slug: one for one in merged}
    used = Entry.objects.filter(kind=Entry.Kind.CONCEPT, slug__in=addresses).exclude(published=None)
    for slug in used.values_list("slug", flat=True):
        del addresses[slug]
    for slug, one in addresses.items():
        Redirect.objects.update_or_create(kind=Entry.Kind.CONCEPT, slug=slug, defaults={"key": one.into})


def publish_files(filed: Sequence[Filed], done: Loaded) -> None:
    """Publish these entries, except those that somebody has edited since, in one transaction. Count them in `done`."""
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
    """Rebuild all projections and the search index from the published revisions. Returns the number of entries."""
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
    """The changes to publish, in the order of the files; count the other entries in `done`. Locks all entries."""
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
    """Give the entry the new address from its file, unless an administrator chose one; the old address redirects."""
    before = entry.published.document if entry.published else {}
    address = (one.kind, one.slug, one.language)
    if entry.slug == one.slug or address in taken:
        return
    if entry.slug == default_slug(one.kind, one.key, before):
        Redirect.objects.update_or_create(kind=one.kind, slug=entry.slug, defaults={"key": one.key})
        Redirect.objects.filter(kind=one.kind, slug=one.slug, key=one.key).delete()
        taken.add(address)
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
    """The last revision of each source article that came from its file: the files of its translations say the same."""
    revisions = Revision.objects.filter(
        entry__kind=Entry.Kind.ARTICLE, entry__language=SOURCE_LANGUAGE, entry__key__in=keys
    ).exclude(file_digest="")
    return {revision.entry.key: revision for revision in revisions.select_related("entry").order_by("number")}


def _batches(rows: Iterable[_T]) -> Iterable[list[_T]]:
    left = iter(rows)
    while batch := list(islice(left, _BATCH)):
        yield batch


def flaws(folder: Path = CONTENT) -> list[Flaw]:
    """All flaws of the files: in their form, in their references, and in every article when rendered.

    The articles are rendered and their examples played with the words of the files; nothing of it stays in the
    database.
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
    """Treat the files as published until the end of the block."""
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
