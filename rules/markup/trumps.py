"""The Fool and the trumps one by one: their pictures, the titles on them, and the players' names for them.

The names come from the term base, so that an article and a word's entry cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules.documents import standing
from rules.markup.page import Page
from rules.models import Concept
from rules.terms import cached_by_language, fallbacks
from rules.text import names

SPRITE: Final = "deck/deck.svg"
BACK: Final = "back"
_HIDDEN: Final = SafeString('aria-hidden="true" focusable="false"')
_KEYS: Final = ("fool", *(f"trumps.{number}" for number in range(1, 22)))


def picture(code: str, *, decorative: bool = False, css: str = "") -> SafeString:
    """The picture of a card as an inline SVG that refers to the deck's sprite; `back` is the back of a card.

    It has a name for screen readers in the reader's language; `decorative` hides it from them, if the name is beside
    it. `css` adds classes. Raises UnknownTerm for an unknown card.
    """
    return _picture(code, decorative, css)


@cached_by_language(2000)
def _picture(code: str, decorative: bool, css: str) -> SafeString:
    name = _("Face-down card") if code == BACK else names.card_name(code)
    return format_html(
        '<svg class="card{}" viewBox="0 0 120 216" {}><use href="{}#{}"></use></svg>',
        f" {css}" if css else "",
        _HIDDEN if decorative else format_html('role="img" aria-label="{}"', name),
        static(SPRITE),
        code,
    )


def table(page: Page) -> SafeString:
    """The table of all of them, for the reader of a page; those missing in the term base are left out. One query."""
    concepts = {row.key: row for row in Concept.objects.filter(key__in=_KEYS)}
    rows = format_html_join("", "{}", ((_row(concepts[key], page),) for key in _KEYS if key in concepts))
    heads = (
        pgettext("number of a trump", "No."),
        _("Card"),
        _("On the card"),
        _("In the Surselva"),
        _("In the Valais"),
    )
    return format_html(
        '<div class="table-scroll"><table class="data trumps"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>',
        format_html_join("", '<th scope="col">{}</th>', ((head,) for head in heads)),
        rows,
    )


def _row(concept: Concept, page: Page) -> SafeString:
    number = concept.key.partition(".")[2]
    numeral = names.trump_numeral(int(number)) if number else "–"
    address = page.links.to("word", concept.slug)
    return format_html(
        '<tr><th scope="row">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>',
        format_html('<a href="{}">{}</a>', address, numeral) if address and not page.sheet else numeral,
        picture(f"T{number}" if number else "F", decorative=True),
        _titles(concept.document),
        _names(concept.document, "rm-sursilv", page.language),
        _names(concept.document, "gsw", page.language),
    )


def _titles(document: Mapping[str, Any]) -> SafeString:
    """The French title, and the German one of other editions if it differs."""
    title = document.get("title", "")
    german = next((term["text"] for term in document["terms"] if term["lang"] == "de" and term.get("sources")), "")
    shown = format_html('<span lang="fr">{}</span>', title)
    return shown if german.casefold() in ("", title.casefold()) else format_html(
        '{} – <span lang="de">{}</span>', shown, german
    )  # fmt: skip


def _names(document: Mapping[str, Any], language: str, reader: str) -> SafeString:
    """All attested names in a language, each with its literal meaning; those that look wrong are marked (sic)."""
    terms = [term for term in document["terms"] if term["lang"] == language and term["status"] != "deprecated"]
    return format_html_join(", ", "{}", ((_name(term, reader),) for term in terms if standing.of(term) != "proposed"))


def _name(term: Mapping[str, Any], reader: str) -> SafeString:
    gloss = _localised(term.get("gloss", {}), fallbacks(reader))
    return format_html(
        '<i lang="{}">{}</i>{}{}',
        term["lang"],
        term["text"],
        " (sic)" if standing.of(term) == "doubtful" else "",
        format_html(" ({})", gloss) if gloss else "",
    )


def _localised(texts: Mapping[str, str], languages: Iterable[str]) -> str:
    return next((texts[code] for code in languages if code in texts), "")
