"""Documents of every kind to begin with, and hypothesis strategies for changing them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from rules import documents
from rules.documents import Document

SCART: Document = {
    "theme": "discard",
    "games": ["troccas"],
    "related": ["words.tapp"],
    "note": {"en": "Hidden until the count."},
    "terms": [
        {"lang": "en", "text": "discard", "status": "preferred"},
        {"lang": "rm-sursilv", "text": "scart", "status": "preferred", "gender": "m", "sources": ["pagat: The Scart"]},
        {"lang": "de", "text": "Scart", "gender": "m", "sources": ["lt"]},
    ],
    "definitions": {"en": {"text": "Three cards laid away.", "sources": ["pagat: The Scart"]}},
}
ARTICLE: Document = {
    "title": "The deal",
    "section": "table",
    "order": 3,
    "text": "## Deal {#deal}\n\nOne line.\n\nAnother line.\n\nA third line.",
}
SOURCE: Document = {"title": "Troccas", "container": "pagat.com", "url": "https://www.pagat.com/tarot/troccas.html"}
PLACE: Document = {"names": {"": "Breil", "de": "Brigels"}, "sort": "village", "parent": "surselva"}


def scart(**changes: Any) -> Document:
    """The canonical document of a word, with some fields changed."""
    return documents.check("concept", {**deepcopy(SCART), **changes})


def article(**changes: Any) -> Document:
    """The canonical document of an article, with some fields changed."""
    return documents.check("article", {**deepcopy(ARTICLE), **changes})


_WORDS = st.text("abcäöü ", min_size=1, max_size=8).filter(str.strip)
_EXAMPLES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries({"text": _WORDS})
_LANGUAGES = st.sampled_from(["en", "de", "gsw"])
_TERM: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"lang": _LANGUAGES, "text": _WORDS},
    optional={
        "gender": st.sampled_from(["m", "f"]),
        "place": st.sampled_from(["visp", "breil"]),
        "sources": st.lists(st.sampled_from(["pagat", "lt", "jv: 3"]), max_size=2),
        "note": st.dictionaries(_LANGUAGES, _WORDS, max_size=2),
        "examples": st.lists(_EXAMPLES, max_size=2, unique_by=lambda row: row["text"].strip()),
    },
)
_TERMS = st.lists(
    _TERM,
    min_size=1,
    max_size=5,
    unique_by=lambda term: (term["lang"], term["text"].strip(), term.get("place")),
)
CONCEPTS = st.fixed_dictionaries(
    {"theme": st.sampled_from(["play", "talk"]), "terms": _TERMS},
    optional={
        "order": st.integers(0, 5),
        "related": st.lists(st.sampled_from(["fool", "words.tapp", "trumps.1"]), max_size=3),
        "note": st.dictionaries(_LANGUAGES, _WORDS, max_size=2),
        "definitions": st.dictionaries(_LANGUAGES, st.fixed_dictionaries({"text": _WORDS}), max_size=2),
    },
).map(lambda given: documents.check("concept", given))
ARTICLES = st.fixed_dictionaries(
    {
        "title": _WORDS,
        "section": st.sampled_from(["games", "table"]),
        "text": st.lists(st.sampled_from(["a", "b", "c", "## d", ""]), min_size=1, max_size=9)
        .map("\n".join)
        .filter(str.strip),
    },
    optional={"order": st.integers(0, 3), "draft": st.booleans()},
).map(lambda given: documents.check("article", given))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
