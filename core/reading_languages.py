"""Languages in which the site is only read: the rules and the words are in them, games and clubs are not.

A page of the encyclopedia in such a language is whole. Every other page asked for in it is the same page in a language of the
whole site: the one that the reader's browser likes best, else the site's own (docs/adr/0024-reading-languages.md).
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils.translation import get_language, get_language_from_request, override
from django.utils.translation.trans_real import get_supported_language_variant, parse_accept_lang_header

READING: Final = frozenset(code for code, _name in settings.READING_LANGUAGES)
"""Codes of the languages in which only the encyclopedia is there."""
WHOLE: Final = frozenset(code for code, _name in settings.INTERFACE_LANGUAGES)
"""Codes of the languages in which everything is there."""
PAGES: Final = frozenset(
    {
        "rules:contents", "rules:article", "rules:sheet", "rules:words", "rules:word", "rules:word-list", "rules:phrase-book",
        "rules:elsewhere", "rules:sources", "rules:source", "rules:place", "rules:search", "rules:search-suggest", "rules:kept",
        "readers:say-so", "readers:new-word", "readers:record", "readers:follow", "readers:still-true", "readers:villages", "identifier", "javascript-catalog",
    }
)  # fmt: skip
"""The views of the encyclopedia that readers see, and what these load in their language."""


def is_read(match: ResolverMatch | None) -> bool:
    """Whether a page is one that is there in every language of reading."""
    return match is not None and match.view_name in PAGES


def language_instead(request: HttpRequest) -> str:
    """The language of the whole site that this reader likes best: of those the browser asks for, else the site's own."""
    for wanted, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        try:
            found = get_supported_language_variant(wanted)
        except LookupError:
            continue
        if found in WHOLE:
            return found
    return settings.LANGUAGE_CODE


def reads_in(request: HttpRequest) -> str:
    """The language in which to read the encyclopedia: that of the page, else the one of reading that its reader has chosen."""
    language = get_language() or settings.LANGUAGE_CODE
    if language in READING or is_read(request.resolver_match):
        return language
    chosen = get_language_from_request(request)
    return chosen if chosen in READING else language


def address(request: HttpRequest | None, name: str) -> str:
    """The address of a page of the encyclopedia in the language that `reads_in` says."""
    with override(reads_in(request) if request else get_language() or settings.LANGUAGE_CODE):
        return reverse(name)


def view_at(path: str, language: str) -> ResolverMatch | None:
    """The view at a path; where there is none, the one at the same path in the language, to which Django leads."""
    for each in (path, f"/{language}{path}"):
        try:
            return resolve(each)
        except Resolver404:
            continue
    return None
