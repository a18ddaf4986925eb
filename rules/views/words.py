"""The words: their front page, one page for each concept, the word list, the phrase book, the same word elsewhere."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from rules import selectors
from rules.models import Entry
from rules.wordbook import lists as wordlists
from rules.wordbook import page as wordpage
from rules.wordbook import phrases as phrases_shown
from rules.wordbook import related
from rules.wordbook.naming import GAMES, LANGUAGES, OWN_LANGUAGES, THEMES, theme_name

_TALK: Final = "table-talk"
"""The article that says when one may talk."""
_DRAFTED: Final = ("rm",)
"""Languages whose pages nobody who speaks them has read over yet."""


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE


def _frame(request: HttpRequest) -> dict[str, Any]:
    """What every page of words needs: who reads, its full address, whether its language is a draft."""
    language = _language()
    return {
        "reader": language,
        "canonical": wordpage.canonical(request.path),
        "is_drafted": language.partition("-")[0] in _DRAFTED,
    }


def _address(name: str, *arguments: str) -> str:
    """An address of ours; empty as long as there is no such page."""
    try:
        return reverse(name, args=arguments)
    except NoReverseMatch:
        return ""


def _part(made: wordlists.WordList, group: wordlists.Group) -> str:
    """Where a group of the list begins: on this page, or on another."""
    return f"#{group.id}" if group.page == made.asked.page else f"?{made.asked.on_page(group.page).query}#{group.id}"


@require_safe
def words(request: HttpRequest) -> HttpResponse:
    """Where to begin: per game, by theme, from A to Z, the phrases, the same word elsewhere, and how much there is."""
    language = _language()
    counts = wordlists.counts()
    context = _frame(request) | {
        "counts": counts,
        "games": [
            (key, name, counts.games[key], code) for (key, name), code in zip(GAMES.items(), OWN_LANGUAGES, strict=True)
        ],
        "themes": [(theme, theme_name(theme), number) for theme, number in counts.themes.items()],
        "letters": wordlists.letters(language),
        "language_name": LANGUAGES.get(language, language),
        "to_language": wordlists.asked({"from": language}, language).target,
        "phrases": phrases_shown.samples(language),
        "suggest_word": _address("rules:suggest-word"),
    }
    return render(request, "rules/words/front.html", context)


@require_safe
def word(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One concept. An address it once had leads to its present one."""
    concept = wordpage.find_concept(slug)
    if concept is None:
        present = selectors.moved(Entry.Kind.CONCEPT, slug)
        if not present or present == slug:
            raise Http404
        return redirect("rules:word", present, permanent=True)
    context = _frame(request) | {
        "page": wordpage.page_of(concept, _language()),
        "concept": concept,
        "entry": concept.entry,
        "columns": related.columns(_language()).values(),
    }
    context["elsewhere_lines"] = [context["page"].elsewhere]
    return render(request, "rules/words/word.html", context)


@require_safe
def word_list(request: HttpRequest) -> HttpResponse:
    """The word list in any pair of languages; whatever its address asks for, it is answered."""
    language = _language()
    asked = wordlists.asked(request.GET.dict(), language)
    made = wordlists.word_list(asked, language)
    context = _frame(request) | {
        "canonical": f"{wordpage.canonical(request.path)}?{asked.query}",
        "made": made,
        "asked": made.asked,
        "contents": [(_part(made, group), group.name) for group in made.contents],
        "languages": wordlists.language_choices(),
        "source_name": wordlists.choice_name(asked.source),
        "target_name": wordlists.choice_name(asked.target),
        "swapped": asked.swapped.query,
        "games": GAMES,
        "game_name": GAMES.get(asked.game, ""),
        "theme_title": theme_name(asked.theme) if asked.theme else "",
        "themes": [(theme, theme_name(theme)) for theme in THEMES],
        "before": made.asked.on_page(made.asked.page - 1).query if made.asked.page > 1 else "",
        "after": made.asked.on_page(made.asked.page + 1).query if made.asked.page < made.pages else "",
    }
    return render(request, "rules/words/list.html", context)


@require_safe
def phrase_book(request: HttpRequest) -> HttpResponse:
    """All phrases of the talk, by what they speak of."""
    talk = selectors.find_article(_TALK, _language())
    context = _frame(request) | {
        "chapters": phrases_shown.chapters(_language()),
        "talk_url": _address("rules:article", talk.article.slug) if talk else "",
    }
    return render(request, "rules/words/phrases.html", context)


@require_safe
def elsewhere(request: HttpRequest) -> HttpResponse:
    """The same word in the Surselva, in the Valais and in the tarot of France."""
    context = _frame(request) | {
        "lines": related.lines(_language()),
        "columns": related.columns(_language()).values(),
    }
    return render(request, "rules/words/elsewhere.html", context)
