"""How the fields of a document are laid out in its form: which come first, which are folded away, what helps to fill them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CITED: Final = frozenset({"sources", "source"})
"""Fields in which a source is chosen and the place in it is typed."""
NAMED: Final = frozenset({"related"})
"""Lists with a field for each entry."""
PLACED: Final = frozenset({"place", "parent"})
"""Fields in which a place is chosen; a source's own place of publication is a text."""
WORDS: Final = frozenset({"related", "broader"})
"""Fields that name another word by its key."""
SHOWN_LANGUAGES: Final = ("", "en", "de", "rm-sursilv")
"""Languages whose fields are always there; the others are folded away as long as they are empty."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Fields of one table: `more` is folded away unless something in it is wrong; `hidden` goes along unseen.

    A name that neither tuple lists stands in its order among the first.
    """

    more: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    """These before all others."""


LAYOUTS: Final[Mapping[str, Layout]] = {
    "article": Layout(more=("section", "order", "ruleset", "draft"), first=("title", "summary", "text")),
    "concept": Layout(
        first=("theme", "games", "terms", "definitions"),
        more=(
            "meaning", "note", "broader", "related", "elsewhere", "own", "title", "order", "sort", "literal", "tells",
            "strength", "place", "talk_theme",
        ),
        hidden=("slug",),
    ),
    "concept.terms": Layout(
        first=("lang", "text", "status", "place", "sources"),
        more=("pos", "gender", "register", "look_up", "ipa", "note", "gloss", "examples", "forms", "audio"),
    ),
    "source": Layout(first=("title", "author", "container", "place", "year", "url", "seen", "kind", "trust")),
    "place": Layout(),
}  # fmt: skip
PHRASE: Final = Layout(
    first=("literal", "tells", "strength", "place", "talk_theme", "terms", "theme", "games"),
    more=("definitions", "meaning", "note", "broader", "related", "elsewhere", "own", "title", "order", "sort"),
    hidden=("slug",),
)
"""The form of a phrase of the talk."""

HELP: Final[Mapping[str, str | Promise]] = {
    "article.summary": _("One or two sentences for lists and search results."),
    "article.text": _("CommonMark. Sections begin with “## Deal {#deal}”, a source is cited as [@pagat: The Deal]."),
    "article.order": _("The place among the pages of its section; small numbers come first."),
    "article.ruleset": _("The game that the examples of the page are played by."),
    "article.draft": _("A draft says so to its readers."),
    "concept.terms": _("In each language the first word is the one we use."),
    "concept.broader": _("The key of a word that says more in general what this is."),
    "concept.related": _("Keys of other words worth looking at."),
    "concept.strength": _("How strong the hand is of who says it, from 0 to 5."),
    "concept.own": _("The language the word belongs to at the table."),
    "concept.terms.status": _("A word that no source attests in this sense is proposed."),
    "concept.terms.place": _("Where it is said; leave it empty if it is said wherever the language is spoken."),
    "concept.terms.register": _("For example jocular, historical, printed on cards."),
    "concept.terms.look_up": _("Plurals, other spellings, misprints: one on each line."),
    "concept.terms.ipa": _("IPA, only where it is certain."),
    "concept.terms.gloss": _("What a popular name says word for word."),
    "source.container": _("The book, journal or site it is in."),
    "source.seen": _("The day it was read, as 2026-10-31."),
    "source.language": _("The language code, for example de."),
    "place.names.": _("The name that holds in all languages not given below."),
}
"""By kind and path without the numbers of rows."""
