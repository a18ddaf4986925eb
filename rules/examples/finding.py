"""Finding the examples of an article in its text, without rendering it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rules.examples.kinds import Example
from rules.examples.reading import read
from rules.models import Entry

_EXAMPLE: Final = re.compile(
    r"^:::[ \t]*example[ \t]+([a-z0-9][a-z0-9-]*)[ \t]*\n(.*?)^:::[ \t]*$", re.MULTILINE | re.DOTALL
)


def examples_in(text: str) -> Iterator[tuple[str, str]]:
    """The id and the TOML of every example in an article's text, in order."""
    for found in _EXAMPLE.finditer(text.replace("\r\n", "\n")):
        yield found[1], found[2]


def published_example(article: str, language: str, id: str) -> Example | None:
    """An example of a published article, None if there is none of that id. Raises BadExample if it cannot be read."""
    entry = (
        Entry.objects.filter(kind=Entry.Kind.ARTICLE, key=article, language=language, published__isnull=False)
        .select_related("published")
        .first()
    )
    if entry is None or entry.published is None:
        return None
    document = entry.published.document
    body = next((body for found, body in examples_in(document["text"]) if found == id), None)
    return read(body, ruleset=document.get("ruleset") or None, seats=None) if body is not None else None
