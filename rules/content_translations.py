"""Concepts in the languages of reading: merge `content/translations/<language>.toml` into their documents.

A file has for each concept its definition, its meaning in a few words, for a phrase its literal sense and what it
tells, and a name of our own if no source has one for exactly that. Glosses of words and notes are translated by their
English text, as in a message catalogue. A translated definition cites what the English one cites, since it says the
same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.documents import Document
from rules.models import SOURCE_LANGUAGE

_TEXTS: Final = ("meaning", "literal", "tells", "note")


def translated(key: str, document: Document, language: str, translation: Mapping[str, Any]) -> Document:
    """The concept with the texts from `translation`, the file of `language`. Texts it has in that language stay."""
    own: Mapping[str, str] = translation.get("concepts", {}).get(key, {})
    notes: Mapping[str, str] = translation.get("notes", {})
    extended = {**document}
    for field in _TEXTS:
        texts = _with(document.get(field, {}), language, own.get(field, ""))
        if field == "note":
            texts = _with(texts, language, notes.get(texts.get(SOURCE_LANGUAGE, ""), ""))
        if texts:
            extended[field] = texts
    definitions = document.get("definitions", {})
    if "definition" in own and language not in definitions:
        cited = definitions.get(SOURCE_LANGUAGE, {}).get("sources", [])
        defined = {"text": own["definition"], **({"sources": cited} if cited else {})}
        extended["definitions"] = {**definitions, language: defined}
    terms = [_term(term, language, translation.get("gloss", {}), notes) for term in document.get("terms", ())]
    existing = [index for index, term in enumerate(terms) if term["lang"] == language]
    if "name" in own and all(terms[index].get("standing") == "near" for index in existing):
        # Our own word for it goes before the words for something similar.
        terms.insert(existing[0] if existing else len(terms), _our_term(own, language))
    return {**extended, "terms": terms}


def _with(texts: Mapping[str, str], language: str, text: str) -> Mapping[str, str]:
    return {**texts, language: text} if text and language not in texts else texts


def _term(term: Mapping[str, Any], language: str, glosses: Mapping[str, str], notes: Mapping[str, str]) -> Document:
    extended = {**term}
    for field, translations in (("gloss", glosses), ("note", notes)):
        texts = term.get(field, {})
        if texts:
            extended[field] = _with(texts, language, translations.get(texts.get(SOURCE_LANGUAGE, ""), ""))
    return extended


def _our_term(own: Mapping[str, str], language: str) -> Document:
    """A word that we coined, marked as such."""
    grammar = {field: own[field] for field in ("pos", "gender") if field in own}
    return {"lang": language, "text": own["name"], "status": "admitted", "standing": "ours", **grammar}
