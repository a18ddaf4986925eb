"""Concepts in the languages of reading: what `content/translations/<language>.toml` says put into their documents.

A file has, for each concept, its definition, its meaning in a few words, of a phrase its literal sense and what it tells, and
a name of our own where no source has one for just that; besides, by their English text as a catalogue has them, the glosses of words and
the notes. A definition in such a language cites what the English one cites: it says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.documents import Document
from rules.models import SOURCE_LANGUAGE

_TEXTS: Final = ("meaning", "literal", "tells", "note")


def translated(key: str, document: Document, language: str, said: Mapping[str, Any]) -> Document:
    """The concept with what the file of a language says of it. What the document says in that language itself stays."""
    own: Mapping[str, str] = said.get("concepts", {}).get(key, {})
    notes: Mapping[str, str] = said.get("notes", {})
    made = {**document}
    for field in _TEXTS:
        texts = _with(document.get(field, {}), language, own.get(field, ""))
        if field == "note":
            texts = _with(texts, language, notes.get(texts.get(SOURCE_LANGUAGE, ""), ""))
        if texts:
            made[field] = texts
    definitions = document.get("definitions", {})
    if "definition" in own and language not in definitions:
        cited = definitions.get(SOURCE_LANGUAGE, {}).get("sources", [])
        defined = {"text": own["definition"], **({"sources": cited} if cited else {})}
        made["definitions"] = {**definitions, language: defined}
    terms = [_term(term, language, said.get("gloss", {}), notes) for term in document.get("terms", ())]
    known = [place for place, term in enumerate(terms) if term["lang"] == language]
    if "name" in own and all(terms[place].get("standing") == "near" for place in known):
        # Our own word for it goes before the words for something else that corresponds.
        terms.insert(known[0] if known else len(terms), _named(own, language))
    return {**made, "terms": terms}


def _with(texts: Mapping[str, str], language: str, text: str) -> Mapping[str, str]:
    return {**texts, language: text} if text and language not in texts else texts


def _term(term: Mapping[str, Any], language: str, glosses: Mapping[str, str], notes: Mapping[str, str]) -> Document:
    made = {**term}
    for field, known in (("gloss", glosses), ("note", notes)):
        texts = term.get(field, {})
        if texts:
            made[field] = _with(texts, language, known.get(texts.get(SOURCE_LANGUAGE, ""), ""))
    return made


def _named(own: Mapping[str, str], language: str) -> Document:
    """A word of ours: it is said to be one."""
    grammar = {field: own[field] for field in ("pos", "gender") if field in own}
    return {"lang": language, "text": own["name"], "status": "admitted", "standing": "ours", **grammar}
