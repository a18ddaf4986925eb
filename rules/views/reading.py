"""Pages for reading: articles, the contents, sources, places, the search, and everything about words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Final, TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from core.http import whole_number
from rules import selectors, services
from rules.markup import Rendered
from rules.markup.page import short_title
from rules.models import Article, Entry, Place, Source
from rules.search import lookup
from rules.search.parsing import MAX_LETTERS
from rules.terms import reading_language
from rules.wordbook import lists as wordlists
from rules.wordbook import page as wordpage
from rules.wordbook import related
from rules.wordbook.naming import GAMES, LANGUAGES, OWN_LANGUAGES, THEMES, theme_name

_Found = TypeVar("_Found")


def _text_context(shown: selectors.Shown, rendered: Rendered) -> dict[str, Any]:
    return {
        "reader": shown.reader,
        "shown": shown,
        "article": shown.article,
        "rendered": rendered,
        "staleness": services.staleness(shown.entry),
        "translations": {each.language: _path(each, each.language) for each in shown.published},
        "canonical": f"{settings.SITE_URL}{_path(shown.article, shown.language)}",
    }


def _path(article: Article, language: str) -> str:
    with override(language):
        overview = article.key == selectors.OVERVIEW
        return reverse("rules:contents") if overview else reverse("rules:article", args=[article.slug])


@require_safe
def contents(request: HttpRequest) -> HttpResponseBase:
    context: dict[str, Any] = {"reader": reading_language(), "sections": selectors.contents(reading_language())}
    shown = selectors.find_article(selectors.OVERVIEW, reading_language())
    if shown is not None:
        context |= _text_context(shown, selectors.html_of(shown))
    return render(request, "rules/contents.html", context)


@require_safe
def article(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One article, in the reader's language or else in a fallback. A former address redirects to the present one."""
    shown = selectors.find_article(slug, reading_language())
    if shown is None:
        return _redirect_if_moved(Entry.Kind.ARTICLE, "rules:article", slug)
    if shown.article.key == selectors.OVERVIEW:
        return redirect("rules:contents", permanent=True)
    before, after = selectors.neighbours(shown.article, reading_language())
    context = _text_context(shown, selectors.html_of(shown)) | {
        "before": before,
        "after": after,
        "section_title": selectors.SECTIONS[shown.article.section],
    }
    return render(request, "rules/article.html", context)


@require_safe
def sheet(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The rule sheet of a game, for printing. An article that is not about one of our games has none."""
    shown = selectors.find_article(slug, reading_language())
    if shown is None:
        return _redirect_if_moved(Entry.Kind.ARTICLE, "rules:sheet", slug)
    if not shown.article.ruleset:
        raise Http404
    context = {
        "shown": shown,
        "article": shown.article,
        "sheet": selectors.sheet_of(shown),
        "canonical": f"{settings.SITE_URL}{_path(shown.article, shown.language)}",
    }
    return render(request, "rules/sheet.html", context)


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    listed = sorted(Source.objects.select_related("entry"), key=lambda row: short_title(row.document).casefold())
    return render(request, "rules/sources.html", {"sources": listed})


@require_safe
def source(request: HttpRequest, slug: str) -> HttpResponseBase:
    found = Source.objects.filter(entry__slug=slug).select_related("entry__published").first()
    if found is None:
        return _redirect_if_moved(Entry.Kind.SOURCE, "rules:source", slug)
    context = {
        "source": found,
        "reader": reading_language(),
        "entry": found.entry,
        "citing": selectors.citing(found.key, reading_language()),
    }
    return render(request, "rules/source.html", context)


@require_safe
def place(request: HttpRequest, slug: str) -> HttpResponseBase:
    found = Place.objects.filter(entry__slug=slug).select_related("entry", "parent__entry").first()
    if found is None:
        return _redirect_if_moved(Entry.Kind.PLACE, "rules:place", slug)
    below = selectors.places_below(found)
    parts = found.parts.select_related("entry").order_by("key")
    context = {"place": found, "entry": found.entry, "parts": parts, "terms": selectors.terms_of(below)}
    return render(request, "rules/place.html", context)


def _redirect_if_moved(kind: str, name: str, slug: str) -> HttpResponseBase:
    """Redirect to the present address of the entry that once had this one. Raises Http404 if there is none."""
    present = selectors.moved(kind, slug)
    if not present or present == slug:
        raise Http404
    return redirect(name, present, permanent=True)


PAGE: Final = 20
SUGGESTED: Final = 8
_SHORT: Final = 60
"""Questions of at most so many letters are likely to be asked again."""
FILTERS: Final[dict[str, tuple[str | Promise, tuple[str, ...]]]] = {
    "": (_("All"), ()),
    "articles": (_("Articles"), ("article",)),
    "words": (_("Words"), ("word",)),
    "phrases": (_("Phrases"), ("phrase",)),
    "more": (_("Places and sources"), ("place", "source")),
}
EXAMPLES: Final = ("Schwäärti", "naked fool", "scart", "buob sche", "Bättler", "72")
"""Queries that an empty page suggests, spelled as people spell: a card, a name, a word, a call, in many languages."""


@dataclass(frozen=True, slots=True)
class Choice:
    name: str | Promise
    address: str
    is_chosen: bool


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """The results for `q`; `in` restricts them to a kind, `page` counts from 1.

    Any query gets a page, never an error.
    """
    query = request.GET.get("q", "")
    within = request.GET.get("in", "")
    within = within if within in FILTERS else ""
    number = _page(request.GET.get("page", ""))

    def found(query: str) -> tuple[lookup.Answer, list[str]]:
        start, kinds = (number - 1) * PAGE, FILTERS[within][1]
        answer = lookup.look_up(query, language=reading_language(), limit=PAGE, start=start, kinds=kinds)
        return answer, lookup.unknown(answer.question)

    answer, unknown = _kept_if_short(query, f"{within}:{number}", found)
    searched = answer.question.text
    context: dict[str, Any] = {
        "query": searched,
        "answer": answer,
        "unknown": unknown,
        "most": lookup.MOST,
        "most_letters": MAX_LETTERS,
        "choices": [Choice(name, _address(searched, key), key == within) for key, (name, _kinds) in FILTERS.items()],
        "within": within,
        "examples": [(text, _address(text, "")) for text in EXAMPLES],
        "first": (number - 1) * PAGE + 1,
        "before": _address(searched, within, number - 1) if number > 1 else "",
        "after": _address(searched, within, number + 1) if answer.total > number * PAGE else "",
    }
    if searched and (not answer.total or unknown):
        word = " ".join(unknown) if unknown and answer.total else searched
        context["suggest_word"] = f"{reverse('readers:new-word')}?{urlencode({'word': word})}"
    if searched and not answer.total:
        context["nearest"] = [(text, _address(text, "")) for text in lookup.nearest(answer.question)]
    return render(request, "rules/search.html", context)


@require_safe
@cache_control(max_age=60)
def suggest(request: HttpRequest) -> HttpResponse:
    """The best few results as a list of options, for the script of the search field."""
    look_up = partial(lookup.look_up, language=reading_language(), limit=SUGGESTED)
    answer = _kept_if_short(request.GET.get("q", ""), "suggested", look_up)
    return render(request, "rules/_suggested.html", {"answer": answer})


def _kept_if_short(query: str, place: str, ask: Callable[[str], _Found]) -> _Found:
    """What `ask` finds; of a short question from the cache, since most readers ask, or begin to type, what others have.

    `place` is the piece of the results that is shown: one process keeps each in each language.
    """
    if len(query) > _SHORT:
        return ask(query)
    digest = sha256(query.encode(errors="replace")).hexdigest()
    return selectors.kept_until_published(f"search:{reading_language()}:{place}:{digest}", partial(ask, query))


def _page(text: str) -> int:
    """The number of a page within the results; 1 for invalid text."""
    last = lookup.MOST // PAGE
    return min(max(whole_number(text, 3) or 1, 1), last)


def _address(query: str, within: str, page: int = 1) -> str:
    parameters = {"q": query, "in": within, "page": page if page > 1 else ""}
    return f"{reverse('rules:search')}?{urlencode({key: value for key, value in parameters.items() if value})}"


_TALK: Final = "table-talk"
"""The article on when players may talk."""
_DRAFTED: Final = ("rm",)
"""Languages whose pages no speaker has proofread yet."""


def _frame(request: HttpRequest) -> dict[str, Any]:
    """What every page about words needs: the reader's language, its full address, whether its language is a draft."""
    language = reading_language()
    return {
        "reader": language,
        "canonical": settings.SITE_URL + request.path,
        "is_drafted": language.partition("-")[0] in _DRAFTED,
    }


def _group_link(listing: wordlists.WordList, group: wordlists.Group) -> str:
    """A relative link to a group of the list, on this page or on another."""
    if group.page == listing.asked.page:
        return f"#{group.id}"
    return f"?{listing.asked.on_page(group.page).query}#{group.id}"


@require_safe
def words(request: HttpRequest) -> HttpResponse:
    """The front page of the words: by game, by theme, from A to Z, the phrases, the same word elsewhere, and counts."""
    language = reading_language()
    counts = wordlists.counts()
    context = _frame(request) | {
        "counts": counts,
        "games": [
            (key, name, counts.games[key], code) for (key, name), code in zip(GAMES.items(), OWN_LANGUAGES, strict=True)
        ],
        "themes": [(theme, theme_name(theme), number) for theme, number in counts.themes.items()],
        "letters": wordlists.letters(language),
        "language_name": LANGUAGES.get(language, language),
        "to_language": wordlists.parse_query({"from": language}, language).target,
        "phrases": wordlists.samples(language),
        "suggest_word": reverse("readers:new-word"),
    }
    return render(request, "rules/words/front.html", context)


@require_safe
def word(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One concept. A former address redirects to the present one."""
    concept = wordpage.find_concept(slug)
    if concept is None:
        return _redirect_if_moved(Entry.Kind.CONCEPT, "rules:word", slug)
    context = _frame(request) | {
        "page": wordpage.page_of(concept, reading_language()),
        "concept": concept,
        "entry": concept.entry,
        "columns": related.columns(reading_language()).values(),
    }
    context["elsewhere_lines"] = [context["page"].elsewhere]
    return render(request, "rules/words/word.html", context)


@require_safe
def word_list(request: HttpRequest) -> HttpResponse:
    """The word list in any pair of languages; invalid parameters fall back to defaults."""
    language = reading_language()
    asked = wordlists.parse_query(request.GET.dict(), language)
    listing = wordlists.word_list(asked, language)
    context = _frame(request) | {
        "canonical": f"{settings.SITE_URL}{request.path}?{asked.query}",
        "made": listing,
        "asked": listing.asked,
        "contents": [(_group_link(listing, group), group.name) for group in listing.contents],
        "languages": wordlists.language_choices(),
        "source_name": wordlists.choice_name(asked.source),
        "target_name": wordlists.choice_name(asked.target),
        "swapped": asked.swapped.query,
        "games": GAMES,
        "game_name": GAMES.get(asked.game, ""),
        "theme_title": theme_name(asked.theme) if asked.theme else "",
        "themes": [(theme, theme_name(theme)) for theme in THEMES],
        "before": listing.asked.on_page(listing.asked.page - 1).query if listing.asked.page > 1 else "",
        "after": listing.asked.on_page(listing.asked.page + 1).query if listing.asked.page < listing.pages else "",
    }
    return render(request, "rules/words/list.html", context)


@require_safe
def phrase_book(request: HttpRequest) -> HttpResponse:
    talk = selectors.find_article(_TALK, reading_language())
    context = _frame(request) | {
        "chapters": wordlists.chapters(reading_language()),
        "talk_url": reverse("rules:article", args=[talk.article.slug]) if talk else "",
    }
    return render(request, "rules/words/phrases.html", context)


@require_safe
def elsewhere(request: HttpRequest) -> HttpResponse:
    """The words for the same thing in the Surselva, in the Valais and in French tarot."""
    context = _frame(request) | {
        "lines": related.lines(reading_language()),
        "columns": related.columns(reading_language()).values(),
    }
    return render(request, "rules/words/elsewhere.html", context)
