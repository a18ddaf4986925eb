"""The search page, and what its field suggests while somebody types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from rules.search import finding
from rules.search.asking import MAX_LETTERS

PAGE: Final = 20
SUGGESTED: Final = 8
FILTERS: Final[dict[str, tuple[str | Promise, tuple[str, ...]]]] = {
    "": (_("All"), ()),
    "articles": (_("Articles"), ("article",)),
    "words": (_("Words"), ("word",)),
    "phrases": (_("Phrases"), ("phrase",)),
    "more": (_("Places and sources"), ("place", "source")),
}
EXAMPLES: Final = ("Schwäärti", "naked fool", "scart", "buob sche", "Bättler", "72")
"""What an empty page offers to try, spelled as people spell: a card, a name, a word, a call, in several languages."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to narrow the answers down."""

    name: str | Promise
    address: str
    is_chosen: bool


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """What answers `q`; `in` narrows it to a kind, `page` counts from 1. Whatever is asked, this page answers."""
    query = request.GET.get("q", "")
    within = request.GET.get("in", "")
    within = within if within in FILTERS else ""
    number = _page(request.GET.get("page", ""))
    answer = finding.look_up(
        query, language=_language(), limit=PAGE, start=(number - 1) * PAGE, kinds=FILTERS[within][1]
    )
    asked = answer.question.text
    context: dict[str, Any] = {
        "query": asked,
        "answer": answer,
        "most": finding.MOST,
        "most_letters": MAX_LETTERS,
        "choices": [Choice(name, _address(asked, key), key == within) for key, (name, _kinds) in FILTERS.items()],
        "within": within,
        "examples": [(text, _address(text, "")) for text in EXAMPLES],
        "first": (number - 1) * PAGE + 1,
        "before": _address(asked, within, number - 1) if number > 1 else "",
        "after": _address(asked, within, number + 1) if answer.total > number * PAGE else "",
    }
    if asked and not answer.total:
        context["nearest"] = [(text, _address(text, "")) for text in finding.nearest(answer.question)]
        context["suggest_word"] = _suggest_word()
    return render(request, "rules/search.html", context)


@require_safe
@cache_control(max_age=60)
def suggest(request: HttpRequest) -> HttpResponse:
    """The best few answers as a list of options, for the field's script."""
    answer = finding.look_up(request.GET.get("q", ""), language=_language(), limit=SUGGESTED)
    return render(request, "rules/_suggested.html", {"answer": answer})


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE


def _page(text: str) -> int:
    """A page's number; the first for anything that is none."""
    last = finding.MOST // PAGE
    return min(max(int(text), 1), last) if text.isascii() and text.isdigit() and len(text) < 4 else 1


def _address(query: str, within: str, page: int = 1) -> str:
    asked = {"q": query, "in": within, "page": page if page > 1 else ""}
    return f"{reverse('rules:search')}?{urlencode({key: value for key, value in asked.items() if value})}"


def _suggest_word() -> str:
    """Where a missing word can be proposed; empty as long as there is no such page."""
    try:
        return reverse("rules:suggest-word")
    except NoReverseMatch:
        return ""
