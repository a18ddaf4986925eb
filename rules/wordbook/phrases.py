"""The phrase book as a page shows it: all published phrases of the talk, in chapters by what they speak of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules.markup.links import Links
from rules.models import Concept, Place
from rules.selectors import place_name
from rules.text import names
from rules.wordbook.naming import Naming, PlaceLink, Said, Strength, localised

_SAMPLES: Final = 4
OTHER: Final = "other"
"""The chapter of phrases whose theme the book does not know."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One phrase: what is said, what it says word for word, what it tells, and where it was heard."""

    address: str
    name: Naming
    literal: Said
    tells: Said
    strength: Strength | None
    place: PlaceLink | None


@dataclass(frozen=True, slots=True)
class Chapter:
    """The phrases that speak of one thing; its name is empty where the book has none for it."""

    id: str
    name: Said
    is_draft: bool
    phrases: tuple[Shown, ...]


def chapters(language: str) -> list[Chapter]:
    """The whole book for a reader of `language`. Two queries."""
    by_theme: dict[str, list[Concept]] = {}
    themes = {theme.id: theme for theme in names.themes(language)}
    rows = list(Concept.objects.filter(sort=Concept.Sort.PHRASE).order_by("order", "key"))
    for concept in rows:
        theme = concept.document.get("talk_theme", "")
        by_theme.setdefault(theme if theme in themes else OTHER, []).append(concept)
    places = _places(rows, language)
    found = [
        Chapter(theme.id, Said(theme.name, theme.lang), theme.draft, _shown(by_theme[theme.id], language, places))
        for theme in themes.values()
        if theme.id in by_theme
    ]
    if OTHER in by_theme:
        found.append(Chapter(OTHER, Said(), False, _shown(by_theme[OTHER], language, places)))
    return found


def samples(language: str) -> tuple[Shown, ...]:
    """A few phrases to give a taste: the first of each of the first chapters."""
    return tuple(chapter.phrases[0] for chapter in chapters(language)[:_SAMPLES])


def _shown(concepts: Iterable[Concept], language: str, places: dict[str, PlaceLink]) -> tuple[Shown, ...]:
    links = Links(language)
    found = []
    for concept in concepts:
        document = concept.document
        strength, place = document.get("strength"), document.get("place", "")
        found.append(
            Shown(
                links.to("word", concept.slug),
                Naming.of(document["terms"][0]),
                localised(document.get("literal", {}), language),
                localised(document.get("tells", {}), language),
                Strength(strength) if strength is not None else None,
                places.get(place, PlaceLink(place, "")) if place else None,
            )
        )
    return tuple(found)


def _places(concepts: Iterable[Concept], language: str) -> dict[str, PlaceLink]:
    keys = {concept.document.get("place", "") for concept in concepts} - {""}
    links = Links(language)
    return {
        place.key: PlaceLink(place_name(place, language), links.to("place", place.entry.slug))
        for place in Place.objects.filter(key__in=keys).select_related("entry")
    }
