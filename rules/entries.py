"""Entries as pages about them need them: found by what their address says, with a title, and who may do what to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.urls import NoReverseMatch, reverse

from accounts import roles
from accounts.models import Player
from rules.markup.citations import short_title
from rules.models import Entry, Revision
from rules.reading import OVERVIEW
from rules.terms import SOURCE_LANGUAGE

SITE_LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)
_KEPT: Final = 120


@dataclass(frozen=True, slots=True)
class Named:
    """A page that is there, or could be: `entry` is None as long as nobody has suggested anything for it."""

    kind: str
    key: str
    language: str
    entry: Entry | None
    source: Revision | None = None
    """Of a translation of an article: what its source says now."""

    @property
    def published(self) -> Revision | None:
        """What readers see."""
        return self.entry.published if self.entry else None

    @property
    def document(self) -> dict[str, Any]:
        """What is published, empty if nothing is."""
        return self.published.document if self.published else {}

    @property
    def is_translation(self) -> bool:
        """Whether it is an article that follows another language."""
        return self.kind == Entry.Kind.ARTICLE and self.language != SOURCE_LANGUAGE

    @property
    def args(self) -> list[str]:
        """The arguments of addresses of pages about it."""
        return [self.kind, self.key, *([self.language] if self.language else [])]


def find(kind: str, key: str, language: str) -> Named | None:
    """The page at an address; for an article its translation may be missing. None if there cannot be one."""
    if (kind == Entry.Kind.ARTICLE) != (language in SITE_LANGUAGES):
        return None
    rows = {entry.language: entry for entry in Entry.objects.filter(kind=kind, key=key).select_related("published")}
    source = rows.get(SOURCE_LANGUAGE) if kind == Entry.Kind.ARTICLE and language != SOURCE_LANGUAGE else None
    entry = rows.get(language)
    if entry is None and not rows:
        return None
    return Named(kind, key, language, entry, source.published if source else None)


def title(kind: str, document: Mapping[str, Any], language: str, *, key: str = "") -> str:
    """What a reader of `language` calls what a document is about; its key where it says nothing."""
    if kind == Entry.Kind.CONCEPT:
        found = _word(document, language)
    elif kind == Entry.Kind.PLACE:
        names = document.get("names", {})
        found = names.get(language) or names.get("") or next(iter(names.values()), "")
    elif kind == Entry.Kind.SOURCE:
        found = short_title(document)
    else:
        found = str(document.get("title", ""))
    return str(found)[:_KEPT] or key


def _word(document: Mapping[str, Any], language: str) -> str:
    terms = document.get("terms", [])
    for code in (document.get("own") or "", language, SOURCE_LANGUAGE):
        for term in terms:
            if term.get("lang") == code:
                return str(term.get("text", ""))
    return str(terms[0].get("text", "")) if terms else ""


def address(entry: Entry) -> str:
    """The page that readers see, in the language of the page that asks; empty if nothing is published there."""
    if entry.published_id is None:
        return ""
    if entry.kind == Entry.Kind.ARTICLE and entry.key == OVERVIEW:
        return reverse("rules:contents")
    name = "word" if entry.kind == Entry.Kind.CONCEPT else entry.kind
    try:
        return reverse(f"rules:{name}", args=[entry.slug])
    except NoReverseMatch:
        return ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody may do to a page."""

    is_member: bool
    is_editor: bool
    """Of any language."""
    is_administrator: bool
    may_publish: bool
    """Whatever is changed on it."""
    may_publish_some: bool
    """Changes of some languages; the door looks at what was changed."""
    may_suggest: bool


def standing(player: Player | None, kind: str, language: str, protection: str) -> Standing:
    """What `player` may do to a page of this kind, language and protection; the door decides in the end."""
    edited = roles.languages(player)
    is_administrator = roles.may(player, roles.ADMINISTRATOR)
    is_member = player is not None and player.is_member
    let_in = {
        Entry.Protection.OPEN: True,
        Entry.Protection.EDITORS: bool(edited),
        Entry.Protection.ADMINISTRATORS: is_administrator,
    }[Entry.Protection(protection)]
    if kind == Entry.Kind.ARTICLE:
        publishes = roles.may(player, roles.EDITOR, language)
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
