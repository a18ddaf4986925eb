"""What can be chosen in forms: sources, places and words, with the words for them in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from rules.markup.citations import short_title
from rules.models import Concept, Place, Source

Options = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Choices:
    """The lists of one form, each asked for once, when first needed. `language` is the reader's."""

    language: str

    @cached_property
    def sources(self) -> Options:
        """All sources by their key, in the order of their keys."""
        return tuple(
            (key, f"{key} – {short_title(document)}"[:60])
            for key, document in Source.objects.order_by("key").values_list("key", "document")
        )

    @cached_property
    def places(self) -> Options:
        """All places by their names, each with the larger one it lies in."""
        rows = {place.key: place for place in Place.objects.select_related("parent")}
        named = [(place.key, self._place(place)) for place in rows.values()]
        return tuple(sorted(named, key=lambda row: row[1].casefold()))

    @cached_property
    def words(self) -> Options:
        """All words by their key."""
        return tuple((concept.key, self._word(concept.document)) for concept in Concept.objects.order_by("key"))

    def _place(self, place: Place) -> str:
        name = self._name(place)
        return f"{name} ({self._name(place.parent)})" if place.parent else name

    def _name(self, place: Place) -> str:
        return str(place.names.get(self.language) or place.names.get("") or next(iter(place.names.values()), place.key))

    def _word(self, document: Mapping[str, Any]) -> str:
        texts: list[str] = []
        for language in (self.language, document.get("own", "")):
            texts += [term["text"] for term in document.get("terms", ()) if term["lang"] == language][:1]
        texts += [term["text"] for term in document.get("terms", ())][:1]
        return " · ".join(dict.fromkeys(texts))[:80]


def options_html(options: Options, value: str) -> SafeString:
    """Options of a list to choose from. A value that is none of them is kept as one more."""
    if value and all(key != value for key, _label in options):
        options = (*options, (value, value))
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((key, SafeString(" selected") if key == value else SafeString(""), label) for key, label in options),
    )


def datalist_html(id: str, options: Options) -> SafeString:
    """Suggestions for fields in which a key is typed."""
    rows = format_html_join("", '<option value="{}">{}</option>', options)
    return format_html('<datalist id="{}">{}</datalist>', id, rows)
