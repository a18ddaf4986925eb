"""Rules and words offline: all articles and words of one language in one file for a device to keep.

The page `kept` downloads the file when a button is pressed, shows its size, and can remove it. Without a network, the
service worker serves the same page for every page of rules or words, and it shows the requested page from the file.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.http import http_date
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from rules import selectors
from rules.markup import inline
from rules.models import Concept, Revision
from rules.terms import current, reading_language
from rules.wordbook.naming import LANGUAGES, Naming, localised

FORMAT: Final = 1


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The page to download, search, read and remove the file.

    The device stores this page as fetched without cookies.
    """
    language = reading_language()
    context = {"file": reverse("kept-file", args=[language]), "reader": language}
    return render(request, "rules/kept.html", context)


@require_safe
@cache_control(public=True, max_age=300)
def file(request: HttpRequest, language: str) -> HttpResponse:
    """All articles and words as JSON, in the language of the address or its fallbacks."""
    if language not in selectors.SITE_LANGUAGES:
        raise Http404
    state = f"{FORMAT}:{Revision.objects.aggregate(newest=Max('pk'))['newest']}:{current().version}:{language}"
    tag = f'"{sha256(state.encode()).hexdigest()[:20]}"'
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers={"ETag": tag})
    with override(language):
        content = selectors.kept_page(f"kept:{state}", lambda: _whole(language))
    headers = {"ETag": tag, "Date": http_date()}  # the page shows of which day it keeps it; daphne sends no date
    return JsonResponse(content, json_dumps_params={"ensure_ascii": False}, headers=headers)


def _whole(language: str) -> dict[str, Any]:
    """The content of the file. `pages` are in the order of the contents page and of the word list.

    Each has its address, title, language, the texts to search in, and its HTML.
    """
    articles = [row for section in selectors.contents(language) for row in section.articles]
    return {
        "format": FORMAT,
        "language": language,
        "pages": [*(_article(row.slug, language) for row in articles), *(_words(language))],
    }


def _article(slug: str, language: str) -> dict[str, Any]:
    shown = selectors.find_article(slug, language)
    assert shown is not None, slug
    rendered = selectors.html_of(shown)
    return {
        "kind": "article",
        "address": reverse("rules:article", args=[slug]),
        "title": shown.article.title,
        "language": shown.language,
        "names": [heading.title for heading in rendered.outline],
        "text": shown.article.summary,
        "html": rendered.html,
    }


def _words(language: str) -> list[dict[str, Any]]:
    pages = []
    for concept in Concept.objects.order_by("sort", "theme", "order", "key"):
        document = concept.document
        terms = [Naming.of(term) for term in document["terms"]]
        definitions = {code: each["text"] for code, each in document.get("definitions", {}).items()}
        explanation = localised(definitions, language) or localised(document.get("tells", {}), language)
        title = selectors.title("concept", document, language, key=concept.key)
        text = inline(explanation.text, explanation.language) if explanation else ""
        shown = {
            "terms": [(LANGUAGES.get(term.language, term.language), term) for term in terms],
            "said": text,
            "said_language": explanation.language,
            "literal": localised(document.get("literal", {}), language),
        }
        pages.append(
            {
                "kind": "word",
                "address": reverse("rules:word", args=[concept.slug]),
                "title": title,
                "language": next((term.language for term in terms if term.text == title), language),
                "names": [
                    *(term.text for term in terms),
                    *(form for term in document["terms"] for form in term.get("look_up", ())),
                ],
                "text": strip_tags(text),
                "html": render_to_string("rules/_kept_word.html", shown),
            }
        )
    return pages
