"""A document as somebody gives it -> the canonical document, or everything that is wrong with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from rules.documents.kinds import KINDS
from rules.documents.problems import BadDocument, Problem

Document = dict[str, Any]

_NEEDED: Final = _("This is needed.")


def check(kind: str, document: Mapping[str, Any]) -> Document:
    """The canonical form of `document`: fields in their order, texts tidy, nothing empty; checking it again changes nothing.

    `document` may be any JSON or TOML value. Raises BadDocument with all problems at once; KeyError for a kind that is none.
    """
    table = KINDS[kind]
    problems: list[Problem] = []
    read = table.read(document, "", problems) if document else {}
    canonical: Document = dict(read) if isinstance(read, dict) else {}
    if not canonical and not problems:
        problems.append(Problem("", _("There is nothing in it.")))
    if not problems:
        problems.extend(_wrong_together(kind, canonical))
    if problems:
        raise BadDocument(problems)
    return canonical


def _wrong_together(kind: str, document: Document) -> list[Problem]:
    """What fields say to each other."""
    if kind == "place" and not document.get("names"):
        return [Problem("names", _NEEDED)]
    if kind != "concept":
        return []
    problems = []
    if not document.get("terms"):
        problems.append(Problem("terms", _("Write at least one word for it.")))
    if document["sort"] == "phrase" and "en" not in document.get("tells", {}):
        problems.append(Problem("tells.en", _("Say in English what the phrase tells.")))
    return problems


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of a canonical document, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def source_of(citation: str) -> str:
    """The key of the source that a citation names: "pagat" for "pagat: The Deal"."""
    return citation.partition(":")[0]


def citations(kind: str, document: Mapping[str, Any]) -> dict[str, str]:
    """Every citation of a concept's document by the path of its field; articles cite in their text (`rules.markup`)."""
    if kind != "concept":
        return {}
    found: dict[str, str] = {}
    for language, definition in document.get("definitions", {}).items():
        found |= {f"definitions.{language}.sources.{n}": cited for n, cited in enumerate(definition.get("sources", ()))}
    for number, term in enumerate(document.get("terms", ())):
        found |= {f"terms.{number}.sources.{n}": cited for n, cited in enumerate(term.get("sources", ()))}
        for n, example in enumerate(term.get("examples", ())):
            if "source" in example:
                found[f"terms.{number}.examples.{n}.source"] = example["source"]
    return found


def places(kind: str, document: Mapping[str, Any]) -> dict[str, str]:
    """Every place that a document names, by the path of its field."""
    if kind == "place":
        return {"parent": document["parent"]} if "parent" in document else {}
    if kind != "concept":
        return {}
    found = {"place": document["place"]} if "place" in document else {}
    for number, term in enumerate(document.get("terms", ())):
        if "place" in term:
            found[f"terms.{number}.place"] = term["place"]
        for n, example in enumerate(term.get("examples", ())):
            if "place" in example:
                found[f"terms.{number}.examples.{n}.place"] = example["place"]
    return found


def concepts(kind: str, document: Mapping[str, Any]) -> dict[str, str]:
    """Every other concept that a concept's document names, by the path of its field."""
    if kind != "concept":
        return {}
    found = {"broader": document["broader"]} if "broader" in document else {}
    return found | {f"related.{number}": key for number, key in enumerate(document.get("related", ()))}


def languages_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """The languages in which two documents of a concept differ; `""` where a field differs that has no language."""
    changed: set[str] = set()
    for name in {*before, *after}:
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if name == "terms":
            changed |= _terms_changed(old or [], new or [])
        elif isinstance(old or new, dict) and name != "names":
            old, new = old or {}, new or {}
            changed |= {code for code in {*old, *new} if old.get(code) != new.get(code)}
        else:
            changed.add("")
    return frozenset(changed)


def _terms_changed(before: list[Document], after: list[Document]) -> set[str]:
    """The languages whose terms, or whose order of terms, differ; the order of languages among each other says nothing."""
    codes = {term["lang"] for term in (*before, *after)}
    return {
        code
        for code in codes
        if [term for term in before if term["lang"] == code] != [term for term in after if term["lang"] == code]
    }
