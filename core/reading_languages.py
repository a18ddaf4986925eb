"""Languages for reading only: the rules and words are translated into them, games and clubs are not.

The pages of the encyclopedia are complete in such a language. For any other page, the reader gets it in a language of
the whole site instead: the one that their browser prefers, else the site's own (docs/adr/0024-reading-languages.md).
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils.translation import get_language, get_language_from_request, override
from django.utils.translation.trans_real import get_supported_language_variant, parse_accept_lang_header

READING: Final = frozenset(code for code, _name in settings.READING_LANGUAGES)
"""The codes of the languages that only the encyclopedia is translated into."""
WHOLE: Final = frozenset(code for code, _name in settings.INTERFACE_LANGUAGES)
"""The codes of the languages that everything is translated into."""
PAGES: Final = frozenset(
    {
        "rules:contents", "rules:article", "rules:sheet", "rules:words", "rules:word", "rules:word-list", "rules:phrase-book",
        "rules:elsewhere", "rules:sources", "rules:source", "rules:place", "rules:search", "rules:search-suggest", "rules:kept",
        "readers:say-so", "readers:new-word", "readers:record", "readers:follow", "readers:still-true", "readers:villages", "identifier", "javascript-catalog",
    }
)  # fmt: skip
"""The views of the encyclopedia that readers see, and those that its pages load in the same language."""


def is_read(match: ResolverMatch | None) -> bool:
    """Whether a page exists in every reading language."""
    return match is not None and match.view_name in PAGES


def language_instead(request: HttpRequest) -> str:
    """The language of the whole site that the reader's browser prefers, else the site's own."""
    for code, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        try:
            language = get_supported_language_variant(code)
        except LookupError:
            continue
        if language in WHOLE:
            return language
    return settings.LANGUAGE_CODE


def reads_in(request: HttpRequest) -> str:
    """The language in which this reader reads the encyclopedia: on its own pages the language of the page, elsewhere a
    reading language that they have chosen, else the language of the page."""
    language = get_language() or settings.LANGUAGE_CODE
    if language in READING or is_read(request.resolver_match):
        return language
    chosen = get_language_from_request(request)
    return chosen if chosen in READING else language


def address(request: HttpRequest | None, name: str) -> str:
    """The address of a page of the encyclopedia in the language of `reads_in`."""
    with override(reads_in(request) if request else get_language() or settings.LANGUAGE_CODE):
        return reverse(name)


def view_at(path: str, language: str) -> ResolverMatch | None:
    """The view at a path, else at the path with the language in front, to which Django redirects; else None."""
    for each in (path, f"/{language}{path}"):
        try:
            return resolve(each)
        except Resolver404:
            continue
    return None
