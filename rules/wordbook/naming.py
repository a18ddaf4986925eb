"""Words as the pages about words show them: the article apart from the word, and the meaning of all marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.sursilvan import capfirst
from rules.documents import sorting, standing
from rules.documents.kinds import LANGUAGES, STATUSES, THEMES
from rules.documents.standing import ATTESTED
from rules.markup.lexicon import OWN_LANGUAGES
from rules.markup.page import Links
from rules.models import Place, Term
from rules.selectors import place_name
from rules.terms import fallbacks
from rules.text import names

__all__ = [
    "GAMES", "LANGUAGES", "OWN_LANGUAGES", "THEMES", "Naming", "Said", "fallbacks", "localised", "place_links", "theme_name",
]  # fmt: skip


GAMES: Final[Mapping[str, str]] = {"troccas": "Troccas", "troggu": "Troggu"}
"""The games by the names they have in every language."""

_STATUS_MEANS: Final[Mapping[str, str | Promise]] = {
    Term.Status.PREFERRED: _("the word we use"),
    Term.Status.ADMITTED: _("may be used"),
    Term.Status.DEPRECATED: _("better not used"),
    Term.Status.PROPOSED: _("no source says it so yet; somebody who speaks the language must look at it"),
}
_GENDERS: Final[Mapping[str, tuple[str | Promise, str | Promise]]] = {
    "m": (_("m."), _("masculine")),
    "f": (_("f."), _("feminine")),
    "n": (_("n."), _("neuter")),
    "p": (_("pl."), _("plural")),
}


@dataclass(frozen=True, slots=True)
class Said:
    """A text, and the language it is in; both empty if there is none."""

    text: str = ""
    language: str = ""

    def __bool__(self) -> bool:
        return bool(self.text)


@dataclass(frozen=True, slots=True)
class Naming:
    """One word for a concept, from a `Term`."""

    text: str
    language: str
    status: str
    gender: str = ""
    place: str = ""
    """The key of the place where it is said; empty if it is said everywhere, or if the place is unknown."""
    standing: str = ATTESTED
    """A key of `rules.documents.standing.NAMES`."""

    @property
    def article(self) -> str:
        """The article before the word: "il " for "il mund", "the " for "the Fool"; empty if there is none."""
        return sorting.article(self.text, self.language)

    @property
    def head(self) -> str:
        return self.text[len(self.article) :]

    @property
    def filed(self) -> str:
        return sorting.filed(self.text, self.language)

    @property
    def letter(self) -> str:
        """The letter it is filed under, as a capital; `sorting.OTHER` if it begins with none."""
        return sorting.letter(self.filed)

    @property
    def is_draft(self) -> bool:
        """Whether no source attests it in this sense."""
        return self.status == Term.Status.PROPOSED

    @property
    def standing_name(self) -> str | Promise:
        return standing.NAMES[self.standing]

    @property
    def standing_means(self) -> str | Promise:
        return standing.MEANS[self.standing]

    @property
    def is_sure(self) -> bool:
        """Whether it needs no mark of doubt beside it; a proposed word is marked as a draft instead."""
        return self.standing in (ATTESTED, "ours", "proposed")

    @property
    def is_usable(self) -> bool:
        return self.status != Term.Status.DEPRECATED

    @property
    def status_name(self) -> str | Promise:
        return STATUSES[self.status]

    @property
    def status_means(self) -> str | Promise:
        return _STATUS_MEANS[self.status]

    @property
    def gender_short(self) -> str | Promise:
        return _GENDERS[self.gender][0] if self.gender else ""

    @property
    def gender_name(self) -> str | Promise:
        return _GENDERS[self.gender][1] if self.gender else ""

    @property
    def language_name(self) -> str | Promise:
        return LANGUAGES.get(self.language, self.language)

    @classmethod
    def of(cls, term: Mapping[str, Any]) -> Naming:
        """The word of a term in a canonical document."""
        return cls(
            term["text"],
            term["lang"],
            term["status"],
            term.get("gender", ""),
            term.get("place", ""),
            standing.of(term),
        )


def localised(texts: Mapping[str, str], language: str) -> Said:
    """A localised text for a reader: in their language, or in the next fallback, or in any."""
    code = next((code for code in (*fallbacks(language), *texts) if texts.get(code)), "")
    return Said(texts[code], code) if code else Said()


def usable(terms: Iterable[Mapping[str, Any]], *languages: str) -> list[Naming]:
    """The words in these languages that are not deprecated, ordered by language, then as in the document."""
    rows = [Naming.of(term) for term in terms if term["lang"] in languages]
    return sorted((row for row in rows if row.is_usable), key=lambda row: languages.index(row.language))


def theme_name(theme: str) -> str:
    return capfirst(THEMES.get(theme, theme))


STRENGTHS: Final[tuple[str | Promise, ...]] = (
    _("very weak"),
    _("weak"),
    _("modest"),
    _("middling"),
    _("strong"),
    _("very strong"),
)
"""What the strength of a phrase says about the hand, from 0 to 5."""


@dataclass(frozen=True, slots=True)
class Strength:
    """The strength of the hand that a phrase tells: 0 to 5."""

    value: int

    @property
    def name(self) -> str | Promise:
        return STRENGTHS[self.value]

    @property
    def dots(self) -> list[bool]:
        """Five dots, as many of them filled as the value."""
        return [dot < self.value for dot in range(5)]


@dataclass(frozen=True, slots=True)
class PlaceLink:
    """The name of a place and the address of its page; the bare key, without an address, if it is not published."""

    name: str
    address: str


def place_links(keys: Iterable[str], language: str) -> dict[str, PlaceLink]:
    """The published places among these keys, by key. One query."""
    links = Links(language)
    return {
        place.key: PlaceLink(place_name(place, language), links.to("place", place.entry.slug))
        for place in Place.objects.filter(key__in={*keys} - {""}).select_related("entry")
    }


def place_of(places: Mapping[str, PlaceLink], key: str) -> PlaceLink | None:
    return places.get(key, PlaceLink(key, "")) if key else None


class Phrase:
    """A phrase of the talk for a reader: its text, its literal sense, what it tells, and where it was heard."""

    def __init__(
        self,
        document: Mapping[str, Any],
        places: Mapping[str, PlaceLink],
        language: str,
        address: str = "",
        key: str = "",
    ) -> None:
        self.address = address
        self.key = key
        self.name = Naming.of(document["terms"][0])
        self.literal = localised(document.get("literal", {}), language)
        self.literal_ours: bool = document.get("literal_ours", False)
        self.tells = localised(document.get("tells", {}), language)
        strength = document.get("strength")
        self.strength = Strength(strength) if strength is not None else None
        self.place = place_of(places, document.get("place", ""))
        self.about = place_of(places, document.get("about", ""))
        self.theme_id = document.get("talk_theme", "")
        self.theme = {each.id: each.name for each in names.themes(language)}.get(self.theme_id, self.theme_id)
