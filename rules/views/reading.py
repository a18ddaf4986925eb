"""Articles, the contents, sources and places: each view finds what was asked for and renders it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from rules import reading
from rules.markup import Rendered
from rules.markup.citations import short_title
from rules.models import Article, Entry, Place, Source


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE


def _text_context(shown: reading.Shown, rendered: Rendered) -> dict[str, Any]:
    """What both pages with an article's text show of it."""
    return {
        "reader": shown.reader,
        "shown": shown,
        "article": shown.article,
        "rendered": rendered,
        "staleness": reading.staleness(shown),
        "translations": {each.language: _path(each, each.language) for each in shown.published},
        "canonical": f"{settings.SITE_URL}{_path(shown.article, shown.language)}",
    }


def _path(article: Article, language: str) -> str:
    """The path of an article in a language."""
    with override(language):
        overview = article.key == reading.OVERVIEW
        return reverse("rules:contents") if overview else reverse("rules:article", args=[article.slug])


@require_safe
def contents(request: HttpRequest) -> HttpResponseBase:
    """The overview, and the list of all articles."""
    context: dict[str, Any] = {"reader": _language(), "sections": reading.contents(_language())}
    shown = reading.find(reading.OVERVIEW, _language())
    if shown is not None:
        context |= _text_context(shown, reading.html_of(shown))
    return render(request, "rules/contents.html", context)


@require_safe
def article(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One article, in the reader's language or else in English. An address it once had leads to its present one."""
    shown = reading.find(slug, _language())
    if shown is None:
        return _elsewhere(Entry.Kind.ARTICLE, "rules:article", slug)
    if shown.article.key == reading.OVERVIEW:
        return redirect("rules:contents", permanent=True)
    before, after = reading.neighbours(shown.article, _language())
    context = _text_context(shown, reading.html_of(shown)) | {
        "before": before,
        "after": after,
        "section_title": reading.section_title(shown.article.section),
    }
    return render(request, "rules/article.html", context)


@require_safe
def sheet(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The rule sheet of a game, for paper. An article that describes no game of ours has none."""
    shown = reading.find(slug, _language())
    if shown is None:
        return _elsewhere(Entry.Kind.ARTICLE, "rules:sheet", slug)
    if not shown.article.ruleset:
        raise Http404
    context = {
        "shown": shown,
        "article": shown.article,
        "sheet": reading.sheet_of(shown),
        "canonical": f"{settings.SITE_URL}{_path(shown.article, shown.language)}",
    }
    return render(request, "rules/sheet.html", context)


def _title(source: Source) -> str:
    return short_title(source.document).casefold()


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    """All works that facts are taken from."""
    listed = sorted(Source.objects.select_related("entry"), key=_title)
    return render(request, "rules/sources.html", {"sources": listed})


@require_safe
def source(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One work, and what cites it."""
    found = Source.objects.filter(entry__slug=slug).select_related("entry__published").first()
    if found is None:
        return _elsewhere(Entry.Kind.SOURCE, "rules:source", slug)
    context = {
        "source": found,
        "reader": _language(),
        "entry": found.entry,
        "citing": reading.citing(found.key, _language()),
    }
    return render(request, "rules/source.html", context)


@require_safe
def place(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One place, what lies in it, and the words said there."""
    found = Place.objects.filter(entry__slug=slug).select_related("entry", "parent__entry").first()
    if found is None:
        return _elsewhere(Entry.Kind.PLACE, "rules:place", slug)
    below = reading.places_below(found)
    parts = found.parts.select_related("entry").order_by("key")
    context = {"place": found, "entry": found.entry, "parts": parts, "terms": reading.terms_of(below)}
    return render(request, "rules/place.html", context)


def _elsewhere(kind: str, name: str, slug: str) -> HttpResponseBase:
    """To the present address of what once had this one. Raises Http404."""
    present = reading.moved(kind, slug)
    if not present or present == slug:
        raise Http404
    return redirect(name, present, permanent=True)
