"""Published entries, as `tests.rules.entries` makes them, that the search knows at once."""

from __future__ import annotations

from typing import Any

from rules.models import Entry
from rules.search import index
from tests.rules import entries


def word(key: str, *terms: dict[str, Any], **document: Any) -> Entry:
    """A published concept; a term needs `lang` and `text`."""
    return _known(entries.word(key, *terms, **document))


def article(key: str, text: str, language: str = "en", **document: Any) -> Entry:
    """A published article."""
    return _known(entries.article(key, text, language, **document))


def _known(entry: Entry) -> Entry:
    index.update(entry)
    return entry
