"""The files of the words that everybody may download: made on request, cached until words are published."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from django.conf import settings
from django.urls import reverse
from django.utils.translation import override

from rules.exchange import csv_table, tbx
from rules.exchange.records import Collection, collect, state
from rules.licence import chosen, statement
from rules.selectors import kept_page

_LANGUAGE: Final = "en"
"""Addresses in files lead to English pages, from which readers find those in their language."""


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file: its media type, the ending of its name, and the function that makes it."""

    media_type: str
    ending: str
    make: Callable[[Collection], str]


def address(name: str, *arguments: str) -> str:
    """The absolute address of a page of the encyclopedia in English."""
    with override(_LANGUAGE):
        return settings.SITE_URL + reverse(name, args=arguments)


def _word(slug: str) -> str:
    return address("rules:word", slug)


def _about() -> str:
    return f"The published words of {settings.SITE_URL}/"


def _licence() -> str:
    with override(_LANGUAGE):
        return statement()


def _linked_data(collection: Collection, form: Literal["turtle", "json_ld"]) -> str:
    from rules.exchange import skos  # noqa: PLC0415  # its library is large, and rarely needed

    graph = skos.graph(
        collection,
        site=settings.SITE_URL,
        word=_word,
        source=lambda key: address("rules:source", key),
        licence=chosen(),
        statement=_licence(),
    )
    return skos.turtle(graph) if form == "turtle" else skos.json_ld(graph)


FORMATS: Final[dict[str, Format]] = {
    "tbx": Format(
        tbx.MEDIA_TYPE, ".tbx", lambda words: "".join(tbx.write(words, _word, about=_about(), licence=_licence()))
    ),
    "tbx-v2": Format(
        tbx.MEDIA_TYPE,
        "-v2.tbx",
        lambda words: "".join(tbx.write_v2(words, _word, about=_about(), licence=_licence())),
    ),
    "ttl": Format("text/turtle; charset=utf-8", ".ttl", lambda words: _linked_data(words, "turtle")),
    "jsonld": Format("application/ld+json", ".jsonld", lambda words: _linked_data(words, "json_ld")),
    "csv": Format(
        csv_table.MEDIA_TYPE, ".csv", lambda words: "".join(csv_table.write(words, _word, licence=_licence()))
    ),
}


def tag(name: str, game: str) -> str:
    """A strong ETag: it changes when words are published, or when the program makes its files differently."""
    return f'"{name}-{game or "all"}-{state()}-{_program(_licence())}"'


def file(name: str, game: str) -> bytes:
    """The file of this format with the words of `game` (of both if empty).

    Raises KeyError for an unknown format, ValueError for an unknown game.
    """
    make = FORMATS[name].make
    return kept_page(f"words:{tag(name, game)}", lambda: make(collect(game)).encode())


def file_name(name: str, game: str) -> str:
    return f"words{f'-{game}' if game else ''}{FORMATS[name].ending}"


@cache
def _program(licence: str) -> str:
    """A digest of the code that makes the files, of the site's address, and of the licence statement."""
    digest = hashlib.sha256(f"{settings.SITE_URL} {licence}".encode())
    for path in sorted(Path(__file__).resolve().parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
