"""What is published just now, as records: the one source of every file we give out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from rules.exchange.records import Record, from_document
from rules.models import Catalogue, Concept, Place, Source

GAMES: Final = ("troccas", "troggu")


@dataclass(frozen=True, slots=True)
class Published:
    """One published concept: its record, its whole document, its address and when it was published."""

    record: Record
    document: dict[str, Any]
    slug: str
    at: datetime

    @property
    def key(self) -> str:
        """The concept's key, which never changes."""
        return self.record.key


@dataclass(frozen=True, slots=True)
class Collection:
    """All published words of one game, or of both, with the works and places they name."""

    concepts: tuple[Published, ...]
    sources: dict[str, dict[str, Any]]
    places: dict[str, str]
    """A place's name in English, or in all languages, by its key."""


def collect(game: str = "") -> Collection:
    """The published words of `game` (of both if empty), in the order of the word lists. Raises ValueError for another game.

    Three queries.
    """
    if game and game not in GAMES:
        raise ValueError(f"no such game: {game}")
    rows = Concept.objects.filter(entry__published__isnull=False)
    if game:
        rows = rows.filter(**{game: True})
    values = rows.order_by("theme", "order", "key").values_list(
        "key", "slug", "document", "entry__published__number", "entry__published__at"
    )
    concepts = tuple(
        Published(from_document(key, document, number), document, slug, at)
        for key, slug, document, number, at in values.iterator()
    )
    names = {key: name(by_language) for key, by_language in Place.objects.values_list("key", "names")}
    return Collection(concepts, dict(Source.objects.order_by("key").values_list("key", "document")), names)


def name(names: dict[str, str]) -> str:
    """A place's name for a file that is in no language: the one that holds everywhere, else the English one."""
    return names.get("") or names.get("en") or next(iter(names.values()), "")


def state() -> int:
    """The number of the published state of the words: another one means that something was published since."""
    return Catalogue.objects.filter(pk=1).values_list("words", flat=True).first() or 0
