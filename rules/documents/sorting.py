"""Where a word is filed in a list: under its letter, ignoring the article before it and accents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypedDict

from core.text import fold

OTHER: Final = "#"
"""The letter for words that begin with none; it comes after all others."""
_ARTICLES: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"(?:the|an?) (?=\S)"),
    "de": re.compile(r"(?:der|die|das|den) (?=\S)"),
    "gsw": re.compile(r"(?:der|die|das|d[’']|ds) ?(?=[A-ZÄÖÜ])"),
    "rm-sursilv": re.compile(r"(?:il|la|igl|ils|las|ina?) (?=\S)|l[’'](?=\S)"),
    "rm-rumgr": re.compile(r"(?:il|la|ils|las|ina?) (?=\S)|l[’'](?=\S)"),
    "fr": re.compile(r"(?:le|la|les|une?) (?=\S)|l[’'](?=\S)", re.IGNORECASE),
    "it": re.compile(r"(?:il|lo|la|i|gli|le|una?) (?=\S)|l[’'](?=\S)", re.IGNORECASE),
}


def article(text: str, language: str) -> str:
    """The article before a word: "il " for "il mund", "the " for "the Fool"; empty if there is none."""
    pattern = _ARTICLES.get(language)
    found = pattern.match(text) if pattern else None
    return found[0] if found else ""


def filed(text: str, language: str) -> str:
    """What a word is sorted by: "mund" for "il mund"."""
    return fold(text[len(article(text, language)) :]) or fold(text)


def letter(filed_as: str) -> str:
    """The letter it is filed under, as a capital, or `OTHER`."""
    first = filed_as[:1].upper()
    return first if first.isalpha() else OTHER


def sort_key(filed_as: str) -> bytes:
    """The result of `filed` as bytes, which every database sorts alike, whatever its collation; `OTHER` comes last."""
    return (b"\xff" if letter(filed_as) == OTHER else b"") + filed_as.encode()


class Columns(TypedDict):
    """The columns by which a database sorts and finds a word."""

    folded: str
    letter: str
    filed: bytes


def columns(text: str, language: str) -> Columns:
    """The columns of `rules.models.Term` that are derived from its text."""
    as_filed = filed(text, language)
    return {"folded": fold(text), "letter": letter(as_filed), "filed": sort_key(as_filed)}
