"""What readers contribute and follow, on pages of the encyclopedia: `{% load readers %}`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone

from accounts import permissions as account_permissions
from rules import selectors as rules_selectors
from rules.documents.kinds import LANGUAGES, THEMES
from rules.models import Concept, Entry, Place, Term
from rules.readers import following, selectors, services
from rules.readers.forms import SayingForm
from rules.terms import reading_language
from rules.views.editing_base import entry_title
from rules.wordbook.naming import Phrase, localised

register = template.Library()

HERE: Final = ZoneInfo("Europe/Zurich")
"""The time zone of the word of the day, the same for everybody."""


@register.inclusion_tag("rules/readers/_say_so.html", takes_context=True)
def say_so(context: template.Context, concept: Concept) -> dict[str, Any]:
    """`{% say_so concept %}`: what readers call it, and the form to add what you call it."""
    player = context["request"].visit.player
    return {
        "concept": concept,
        "said": selectors.said_of(concept.entry_id),
        "may_speak": bool(services.words_to_speak(concept.document)),
        "spoken": selectors.heard_of(concept.key) if account_permissions.languages(player) else (),
        "form": SayingForm(player=player),
        "places": selectors.village_names(reading_language()),
        "is_editor": bool(account_permissions.languages(player)),
        "address": context["request"].path,
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag(takes_context=True)
def long_form(context: template.Context, entry: Entry) -> bool:
    """`{% long_form entry as shown %}`: whether to offer the full form; for words, only editors get it."""
    return entry.kind != Entry.Kind.CONCEPT or bool(account_permissions.languages(context["request"].visit.player))


@register.inclusion_tag("rules/readers/_waiting.html", takes_context=True)
def told_by_readers(context: template.Context) -> dict[str, Any]:
    """`{% told_by_readers %}`: contributions that wait for an editor's decision."""
    language = reading_language()
    rows = [
        (row, entry_title(row.entry, language), () if row.entry.published else selectors.namesakes(row.text, language))
        for row in selectors.waiting()
        if row.entry
    ]
    spoken = [(row, entry_title(row.entry, language)) for row in selectors.recordings_waiting()]
    return {
        "rows": rows,
        "recordings": spoken,
        "languages": list(LANGUAGES.items()),
        "themes": list(THEMES.items()),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("rules/readers/_heard.html")
def heard(key: str, text: str = "") -> dict[str, Any]:
    """`{% heard concept.key each.name.text %}`: a button for each recording of a word, or of all a concept's words."""
    return {"recordings": [each for each in selectors.heard_of(key) if text in ("", each.text)]}


@register.inclusion_tag("rules/readers/_said_in.html")
def said_in(place: Place, shown: Iterable[Term]) -> dict[str, Any]:
    """`{% said_in place terms %}`: what readers say in a place and the places in it, except the words `shown`."""
    shown_words = {(term.concept.entry_id, term.text) for term in shown}
    sayings = selectors.said_in(rules_selectors.places_below(place))
    rows = [row for row in sayings if (row.entry_id, row.text) not in shown_words]
    return {"rows": [(row, rules_selectors.address(row.entry)) for row in rows if row.entry], "place": place}


@register.inclusion_tag("rules/readers/_follow.html", takes_context=True)
def follow_page(context: template.Context, entry: Entry) -> dict[str, Any]:
    """`{% follow_page entry %}`: the button to follow a page, for members, and its feed, for everybody."""
    player = context["request"].visit.player
    return {
        "entry": entry,
        "is_member": player is not None and player.is_member,
        "is_followed": following.is_followed(entry, player),
        "address": context["request"].path,
        "page": ":".join(entry.args),
        "language": reading_language(),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("rules/readers/_outdated.html", takes_context=True)
def outdated_definitions(context: template.Context, concept: Concept) -> dict[str, Any]:
    """`{% outdated_definitions concept %}`: a line for each definition that lags behind the English one."""
    found = selectors.outdated_definitions(concept)
    player = context["request"].visit.player
    edited = account_permissions.languages(player) if found else frozenset()
    return {
        "concept": concept,
        "entry": concept.entry,
        "rows": [
            (code, LANGUAGES.get(code, code), number, bool(edited & {"", code})) for code, number in found.items()
        ],
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("rules/readers/_of_the_day.html")
def word_of_the_day() -> dict[str, Any]:
    """`{% word_of_the_day %}`: a word or phrase that players use, another one each day."""
    language, day = reading_language(), timezone.now().astimezone(HERE).date()
    concept = selectors.of_the_day(day)
    if concept is None:
        return {}
    document = concept.document
    own = next(
        (
            term
            for term in document["terms"]
            if term["lang"] in ("rm-sursilv", "gsw") and term["status"] in ("preferred", "admitted")
        ),
        document["terms"][0],
    )
    phrase = Phrase(document, {}, language) if concept.sort == Concept.Sort.PHRASE else None
    definitions = {code: each["text"] for code, each in document.get("definitions", {}).items()}
    return {
        "concept": concept,
        "word": own["text"],
        "word_language": own["lang"],
        "phrase": phrase,
        "meaning": phrase.tells if phrase and phrase.tells else localised(definitions, language),
    }
