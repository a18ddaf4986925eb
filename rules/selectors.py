"""What readers and editors see of the encyclopedia.

Articles by language, their neighbours, what cites a source, and the entry at an address with its title and permissions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.cache import caches
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import permissions as account_permissions
from accounts.models import Player
from core.prepared_queries import prepared
from rules.markup import Rendered, Sheet, render, sheet
from rules.markup.page import Links, short_title
from rules.models import SOURCE_LANGUAGE, Article, Entry, Place, Redirect, Revision, Term, args_of
from rules.terms import fallbacks, version

Made = TypeVar("Made")

OVERVIEW: Final = "overview"
"""The article whose text opens the contents page."""
SECTIONS: Final = {"games": _("The games"), "table": _("At the table"), "world": _("History and surroundings")}
PAGES: Final = "pages"
"""The cache of rendered texts."""
_CITING_AT_MOST: Final = 200
_HERE: Final = Path(__file__).resolve().parent
_MAKES_PAGES: Final = ("markup", "examples", "wordbook")


@dataclass(frozen=True, slots=True)
class Shown:
    """A published article as one reader gets it: in their language, or else in a fallback."""

    article: Article
    entry: Entry
    revision: Revision
    reader: str
    published: tuple[Article, ...]
    """The article in every language it is published in, in the site's order."""

    @property
    def language(self) -> str:
        return self.article.language

    @property
    def is_translated(self) -> bool:
        return self.language == self.reader


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the contents, with its articles in order."""

    id: str
    title: str | Promise
    articles: tuple[Article, ...]


@dataclass(frozen=True, slots=True)
class Citing:
    """Something that cites a source: its title, the language of the title, and its address (empty if it has none)."""

    address: str
    title: str
    language: str


def find_article(slug: str, language: str) -> Shown | None:
    """The article at an address, in the first of the `fallbacks` of `language` that it is published in, else in any."""
    by_language = {row.language: row for row in _articles_at(slug) if row.entry.published}
    published = tuple(by_language[code] for code, _name in settings.LANGUAGES if code in by_language)
    if not published:
        return None
    article = next((by_language[code] for code in fallbacks(language) if code in by_language), published[0])
    revision = article.entry.published
    assert revision is not None
    return Shown(article, article.entry, revision, language, published)


@prepared
def _articles_at(slug: str) -> QuerySet[Article]:
    return Article.objects.filter(slug=slug).select_related("entry__published__author")


def moved(kind: str, slug: str) -> str:
    """The present slug of the entry that once had this one; empty if none did."""
    key = Redirect.objects.filter(kind=kind, slug=slug).values_list("key", flat=True).first()
    if key is None:
        return ""
    entries = Entry.objects.filter(kind=kind, key=key, published__isnull=False)
    return entries.values_list("slug", flat=True).first() or ""


def html_of(shown: Shown) -> Rendered:
    """The article's text as HTML, from the cache if nothing has been published since it was made."""
    return _cached("article", shown, render)


def sheet_of(shown: Shown) -> Sheet:
    """The article's rule sheet, from the same cache."""
    return _cached("sheet", shown, sheet)


def _cached(sort: str, shown: Shown, make: Callable[..., Made]) -> Made:
    make_it = partial(make, shown.revision.document, shown.language, key=shown.article.key, reader=shown.reader)
    return kept_until_published(f"{sort}:{shown.revision.pk}:{shown.reader}", make_it)


def kept_until_published(key: str, make: Callable[[], Made]) -> Made:
    """The result of `make`, cached until something in the encyclopedia is published or the program changes."""
    return kept_page(f"{key}:{_newest_revision()}:{version()}:{_program()}", make)


@prepared
def _newest_revision() -> QuerySet[Revision, int]:
    return Revision.objects.order_by("-pk").values_list("pk", flat=True)[:1]


def kept_page(key: str, make: Callable[[], Made]) -> Made:
    """The result of `make`, cached for a day.

    Each process has its own cache, since any process can make these pages.
    """
    pages = caches[PAGES]
    made: Made | None = pages.get(key)
    if made is None:
        made = make()
        pages.set(key, made, 24 * 60 * 60)
    return made


@cache
def _program() -> str:
    """A digest of the parts of the program that make pages: a new version rebuilds the pages."""
    folders = [*(_HERE / part for part in _MAKES_PAGES), settings.BASE_DIR / "templates" / "rules" / "examples"]
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*.*") if path.suffix in (".py", ".html")):
        digest.update(path.read_bytes())
    for folder in settings.LOCALE_PATHS:
        for path in sorted(Path(folder).rglob("*.mo")):
            digest.update(f"{path.stat().st_mtime_ns}".encode())
    return digest.hexdigest()[:16]


def contents(language: str) -> list[Section]:
    """All articles except the overview, by section, each in the reader's language or else in a fallback."""
    listed = _in_language(language)
    found = ((name, tuple(row for row in listed if row.section == name and row.key != OVERVIEW)) for name in SECTIONS)
    return [Section(name, SECTIONS[name], articles) for name, articles in found if articles]


def neighbours(article: Article, language: str) -> tuple[Article | None, Article | None]:
    """The articles before and after this one in its section; None at either end."""
    section = [each for each in _in_language(language) if each.section == article.section and each.key != OVERVIEW]
    keys = [each.key for each in section]
    if article.key not in keys:
        return None, None
    index = keys.index(article.key)
    before = section[index - 1] if index else None
    after = section[index + 1] if index + 1 < len(section) else None
    return before, after


def _in_language(language: str, *, with_text: bool = False) -> list[Article]:
    languages = fallbacks(language)
    rows: Iterable[Article]
    if with_text:
        rows = _published(*languages).select_related("entry__published")
    else:
        rows = _published_in(*(languages * 3)[:3])
    chosen: dict[str, Article] = {}
    for row in rows:
        if row.key not in chosen or languages.index(row.language) < languages.index(chosen[row.key].language):
            chosen[row.key] = row
    return sorted(chosen.values(), key=lambda row: (row.order, row.title))


@prepared
def _published_in(one: str, another: str, third: str) -> QuerySet[Article]:
    return _published(one, another, third)


def _published(*languages: str) -> QuerySet[Article]:
    return Article.objects.filter(language__in=languages, entry__published__isnull=False)


def citing(key: str, language: str) -> list[Citing]:
    """What cites a source: articles in the reader's language (or a fallback), then words; at most two hundred."""
    links = Links(language)
    articles = [row for row in _in_language(language, with_text=True) if key in _cited_by(row)]
    citations = [Citing(links.to("article", row.slug), row.title, row.language) for row in articles]
    written = Q(written__contains=f'"{key}"') | Q(written__contains=f'"{key}:')
    terms = (
        Term.objects.annotate(written=Cast("document", TextField()))
        .filter(written)
        .select_related("concept")
        .order_by("concept__order", "concept__key", "order")
        .only("text", "language", "concept__slug")
    )
    seen: set[tuple[str, str]] = set()
    for term in terms[: _CITING_AT_MOST * 2]:
        if (term.concept.slug, term.text) not in seen:
            seen.add((term.concept.slug, term.text))
            citations.append(Citing(links.to("word", term.concept.slug), term.text, term.language))
    return citations[:_CITING_AT_MOST]


def _cited_by(article: Article) -> frozenset[str]:
    """The sources an article cites, from its rendered text."""
    entry = article.entry
    assert entry.published is not None
    shown = Shown(article, entry, entry.published, article.language, (article,))
    return frozenset(citation.source for citation in html_of(shown).citations)


def places_below(place: Place) -> list[Place]:
    """The place and all places that lie in it, directly or not."""
    by_parent: dict[int | None, list[Place]] = {}
    for each in Place.objects.order_by("key"):
        by_parent.setdefault(each.parent_id, []).append(each)
    found, waiting = [], [place]
    while waiting:
        here = waiting.pop(0)
        if here not in found:  # even if places lie in each other by mistake
            found.append(here)
            waiting += by_parent.get(here.pk, [])
    return found


def place_name(place: Place, language: str) -> str:
    """The name of a place in the reader's language, else the one for all languages, else any."""
    names: dict[str, Any] = place.names
    return str(
        next((names[code] for code in (language, "", *fallbacks(language)) if names.get(code)), "")
        or next(iter(names.values()), place.key)
    )


def terms_of(places: Iterable[Place]) -> list[Term]:
    terms = Term.objects.filter(place__in=list(places)).select_related("concept", "place")
    return list(terms.order_by("language", "text"))


SITE_LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)
_TITLE_LENGTH: Final = 120


@dataclass(frozen=True, slots=True)
class Named:
    """A page that exists or could exist: `entry` is None as long as nobody has suggested anything for it."""

    kind: str
    key: str
    language: str
    entry: Entry | None
    source: Revision | None = None
    """For the translation of an article: the published revision of its source."""

    @property
    def published(self) -> Revision | None:
        return self.entry.published if self.entry else None

    @property
    def document(self) -> dict[str, Any]:
        return self.published.document if self.published else {}

    @property
    def is_translation(self) -> bool:
        return self.kind == Entry.Kind.ARTICLE and self.language != SOURCE_LANGUAGE

    @property
    def args(self) -> list[str]:
        return args_of(self.kind, self.key, self.language)


def find_entry(kind: str, key: str, language: str) -> Named | None:
    """The page at an address; an article may lack this translation. None if there can be no such page."""
    if (kind == Entry.Kind.ARTICLE) != (language in SITE_LANGUAGES):
        return None
    rows = {entry.language: entry for entry in Entry.objects.filter(kind=kind, key=key).select_related("published")}
    source = rows.get(SOURCE_LANGUAGE) if kind == Entry.Kind.ARTICLE and language != SOURCE_LANGUAGE else None
    entry = rows.get(language)
    if entry is None and not rows:
        return None
    return Named(kind, key, language, entry, source.published if source else None)


def title(kind: str, document: Mapping[str, Any], language: str, *, key: str = "") -> str:
    """The title of a document for a reader of `language`; `key` if it has none."""
    if kind == Entry.Kind.CONCEPT:
        text = _word(document, language)
    elif kind == Entry.Kind.PLACE:
        names = document.get("names", {})
        text = names.get(language) or names.get("") or next(iter(names.values()), "")
    elif kind == Entry.Kind.SOURCE:
        text = short_title(document)
    else:
        text = str(document.get("title", ""))
    return str(text)[:_TITLE_LENGTH] or key


def _word(document: Mapping[str, Any], language: str) -> str:
    terms = document.get("terms", [])
    for code in (document.get("own") or "", *fallbacks(language)):
        for term in terms:
            if term.get("lang") == code:
                return str(term.get("text", ""))
    return str(terms[0].get("text", "")) if terms else ""


def address(entry: Entry) -> str:
    """The address of the page that readers see, in the active language; empty if the entry is not published."""
    if entry.published_id is None:
        return ""
    if entry.kind == Entry.Kind.ARTICLE and entry.key == OVERVIEW:
        return reverse("rules:contents")
    name = "word" if entry.kind == Entry.Kind.CONCEPT else entry.kind
    return reverse(f"rules:{name}", args=[entry.slug])


@dataclass(frozen=True, slots=True)
class Standing:
    is_member: bool
    is_editor: bool
    """Of any language."""
    is_administrator: bool
    may_publish: bool
    """Any change to the page."""
    may_publish_some: bool
    """Changes in some languages; `rules.services` checks which languages were changed."""
    may_suggest: bool


def standing(player: Player | None, kind: str, language: str, protection: str) -> Standing:
    """What `player` may do to a page of this kind, language and protection; `rules.services` makes the final check."""
    edited = account_permissions.languages(player)
    is_administrator = account_permissions.may(player, account_permissions.ADMINISTRATOR)
    is_member = player is not None and player.is_member
    let_in = {
        Entry.Protection.OPEN: True,
        Entry.Protection.EDITORS: bool(edited),
        Entry.Protection.ADMINISTRATORS: is_administrator,
    }[Entry.Protection(protection)]
    if kind == Entry.Kind.ARTICLE:
        publishes = account_permissions.may(player, account_permissions.EDITOR, language)
    else:
        publishes = "" in edited or (bool(edited) and kind in (Entry.Kind.SOURCE, Entry.Kind.PLACE))
    some = publishes or (kind == Entry.Kind.CONCEPT and bool(edited))
    return Standing(
        is_member=is_member,
        is_editor=bool(edited),
        is_administrator=is_administrator,
        may_publish=publishes and let_in,
        may_publish_some=some and let_in,
        may_suggest=let_in and not publishes,
    )
