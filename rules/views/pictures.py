"""The pictures that other sites show beside a link to a page of rules or words: cards, and the start of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.middleware import address_of
from core import limits
from rules import selectors
from rules.documents.standing import IN_ANOTHER_SENSE
from rules.markup import inline
from rules.models import Concept
from rules.pictures import of_page, png
from rules.terms import fallbacks
from rules.wordbook.naming import GAMES, OWN_LANGUAGES, localised, theme_name
from rules.wordbook.page import cards_of

CACHE: Final = "pictures"
_NEW_AN_HOUR: Final = 300
_FAN: Final = ("CK", "OQ", "T21", "F")
"""The cards for a page that is about no card: a king, a queen, the World and the Fool."""
_MOST: Final = 5


@require_safe
@cache_control(public=True, max_age=86400)
def picture(request: HttpRequest, language: str, kind: str, slug: str) -> HttpResponse:
    """The picture of a page as PNG, 1200 by 630, in the language of its address. Each state of a page is drawn once."""
    draw = _KINDS.get(kind)
    if draw is None or language not in selectors.SITE_LANGUAGES:
        raise Http404
    with override(language):
        svg = draw(slug, language)
    key = sha256(svg.encode()).hexdigest()
    made: bytes | None = caches[CACHE].get(key)
    if made is None:
        if not limits.take(f"page-picture:{address_of(request)}", rate=_NEW_AN_HOUR, per=3600, burst=20):
            return HttpResponse(status=429)
        made = png(svg)
        caches[CACHE].set(key, made)
    return HttpResponse(made, content_type="image/png")


def _site() -> str:
    return urlsplit(settings.SITE_URL).netloc


def _word_svg(slug: str, language: str) -> str:
    concept = get_object_or_404(Concept, slug=slug)
    document = concept.document
    terms = [term for term in document["terms"] if term["status"] in ("preferred", "admitted")] or document["terms"]
    in_this_sense = (term for term in terms if term.get("standing") not in IN_ANOTHER_SENSE)
    own = next((term["text"] for term in in_this_sense if term["lang"] in OWN_LANGUAGES), "")
    by_language = {term["lang"]: term["text"] for term in reversed(terms)}
    name = next((by_language[code] for code in fallbacks(language) if code in by_language), own)
    definitions = {code: each["text"] for code, each in document.get("definitions", {}).items()}
    explanation = localised(definitions, language) or localised(document.get("tells", {}), language)
    title = name if concept.sort == Concept.Sort.WORD else own or name
    line_above = " · ".join(dict.fromkeys(filter(None, [own if own != title else "", theme_name(concept.theme)])))
    text = strip_tags(inline(explanation.text, explanation.language)) if explanation else ""
    cards = cards_of(concept.key, document.get("broader", ""))[:_MOST]
    return of_page(title, line_above, text, cards or _FAN, _site())


def _article_svg(slug: str, language: str) -> str:
    shown = selectors.find_article(slug, language)
    if shown is None:
        raise Http404
    article = shown.article
    # Variants are called troccas-3, troggu-graechen and the like.
    games = [name for key, name in GAMES.items() if article.ruleset.startswith(key)]
    line_above = games[0] if games and games[0] != article.title else str(selectors.SECTIONS[article.section])
    return of_page(article.title, line_above, article.summary, _FAN, _site())


def _page_svg(slug: str, language: str) -> str:
    text = _("Rules and words of two Swiss tarot games, with their sources.")
    return of_page(_("Troccas & Troggu"), _("Tarot from the Swiss Alps"), text, _FAN, _site())


_KINDS: Final[Mapping[str, Callable[[str, str], str]]] = {"word": _word_svg, "article": _article_svg, "page": _page_svg}
