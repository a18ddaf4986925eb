"""What pages show of readers' contributions: what waits, what is said where, and definitions that need an update."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from accounts import permissions as account_permissions
from accounts.models import Player
from core.prepared_queries import prepared
from core.text import fold
from rules import terms
from rules.models import SOURCE_LANGUAGE, Concept, Entry, Place, Revision, Term
from rules.readers.models import CheckedDefinition, Contribution, Recording, Saying
from rules.selectors import place_name, title
from rules.wordbook.naming import Said, localised


def waiting() -> list[Saying]:
    """Sayings that no editor has reviewed yet, the oldest first."""
    rows = Saying.objects.filter(state=Contribution.State.OPEN)
    return list(rows.select_related("entry__published", "player__merged_into")[:_AT_ONCE])


_AT_ONCE: Final = 100


class Namesake(NamedTuple):
    """A word of the glossary that is spelled the same as another one."""

    slug: str
    title: str
    meaning: Said


def namesakes(text: str, language: str) -> list[Namesake]:
    """The words that are spelled like `text` in any language, with titles for a reader of `language`."""
    word = fold(text)
    concepts = Concept.objects.filter(terms__folded=word).distinct().order_by("key") if word else ()
    return [
        Namesake(
            concept.slug,
            title("concept", concept.document, language, key=concept.key),
            localised({code: each["text"] for code, each in concept.document.get("definitions", {}).items()}, language)
            or localised(concept.document.get("tells", {}), language),
        )
        for concept in concepts
    ]


def how_many_wait() -> int:
    return sum(model.objects.filter(state=Contribution.State.OPEN).count() for model in (Saying, Recording))


@prepared
def said_of(entry_id: int) -> QuerySet[Saying]:
    """What readers call a concept, by village."""
    rows = Saying.objects.filter(entry_id=entry_id, state=Contribution.State.ACCEPTED)
    return rows.order_by("village", "text", "pk")


def said_in(places: Iterable[Place]) -> list[Saying]:
    """What readers say in these places, by word."""
    rows = Saying.objects.filter(state=Contribution.State.ACCEPTED, place__in=[place.key for place in places])
    return list(rows.select_related("entry__published").order_by("text", "pk"))


def recordings_waiting() -> list[Recording]:
    rows = Recording.objects.filter(state=Contribution.State.OPEN)
    return list(rows.select_related("entry__published", "player__merged_into")[:_AT_ONCE])


@dataclass(frozen=True, slots=True)
class Heard:
    """A recording that may be played."""

    address: str
    text: str
    village: str
    name: str
    number: int
    language: str


@terms.cached_by_snapshot
def _heard() -> dict[str, tuple[Heard, ...]]:
    found: dict[str, list[Heard]] = {}
    rows = Recording.objects.filter(state=Contribution.State.ACCEPTED).order_by("village", "pk")
    for row in rows.select_related("entry"):
        one = Heard(row.address, row.text, row.village, row.name, row.pk, row.language)
        found.setdefault(row.entry.key, []).append(one)
    return {key: tuple(each) for key, each in found.items()}


def heard_of(key: str) -> tuple[Heard, ...]:
    """The recordings of a concept, cached until a word or a recording is published."""
    return _heard().get(key, ())


def sound_of(public_id: UUID, kind: str, player: Player | None) -> Recording | None:
    """A recording with its sound, if `player` may hear it.

    Everybody may once it is accepted; before that, only its sender and editors.
    """
    recording = (
        Recording.objects.select_related("sound").filter(public_id=public_id, kind=kind, sound__isnull=False).first()
    )
    if recording is None or recording.state == Contribution.State.ACCEPTED:
        return recording
    is_own = player is not None and recording.player_id == player.pk
    return recording if is_own or account_permissions.languages(player) else None


@dataclass(frozen=True, slots=True)
class Village:
    """A place with the number of words attested there, and its depth in the tree of places."""

    place: Place
    name: str
    words: int
    depth: int
    at: tuple[float, float] | None = None
    """Latitude and longitude in degrees."""


def villages(language: str) -> list[Village]:
    """All places as a tree: each is followed by the places in it, sorted by name. Three queries."""
    rows = list(Place.objects.select_related("entry__published"))
    attested = Counted(Term.objects.exclude(place=None).values_list("place__key").annotate(Count("pk")).order_by())
    sayings = Saying.objects.filter(state=Contribution.State.ACCEPTED, became=None).exclude(place="")
    without_revision = Counted(sayings.values_list("place").annotate(Count("pk")).order_by())
    inside: dict[int | None, list[Place]] = {}
    for row in sorted(rows, key=lambda each: place_name(each, language).casefold()):
        inside.setdefault(row.parent_id, []).append(row)
    tree: list[Village] = []

    def visit(place: Place, depth: int) -> None:
        words = attested.get(place.key, 0) + without_revision.get(place.key, 0)
        tree.append(Village(place, place_name(place, language), words, depth, _at(place)))
        for part in inside.pop(place.pk, []):  # popped: places that lie in each other are listed once
            visit(part, depth + 1)

    for place in inside.pop(None, []):
        visit(place, 0)
    return tree


def village_names(language: str) -> list[str]:
    """The names of known villages and valleys, as suggestions for a field; one query."""
    return sorted(
        (place_name(each, language) for each in Place.objects.filter(sort__in=("village", "valley"))), key=fold
    )


def _at(place: Place) -> tuple[float, float] | None:
    lat, comma, lon = (place.entry.published.document.get("at", "") if place.entry.published else "").partition(",")
    return (float(lat), float(lon)) if comma else None


Counted = dict[str, int]


# --- Definitions ------------------------------------------------------------------------------------------------------


def outdated_definitions(concept: Concept) -> dict[str, int]:
    """The languages whose definition has not followed the English one, with the number of changes it has missed.

    Minor and reverted changes do not count, nor do those before an editor found the definition to be up to date.
    """
    given: dict[str, Any] = concept.document.get("definitions", {})
    others = [code for code in given if code != SOURCE_LANGUAGE]
    if SOURCE_LANGUAGE not in given or not others:
        return {}
    rows = Revision.objects.filter(entry=concept.entry_id).order_by("number")
    history = list(rows.values_list("number", "minor", "document__definitions"))
    checked = dict(CheckedDefinition.objects.filter(entry=concept.entry_id).values_list("language", "number"))
    found = {code: _changes_since(history, code, checked.get(code, 0)) for code in others}
    return {code: number for code, number in found.items() if number}


def _changes_since(history: list[tuple[int, bool, Any]], code: str, checked: int) -> int:
    """How often the English definition was changed since the one in `code` was changed or last checked."""
    changes = 0
    english = own = base = ""
    for number, minor, definitions in history:
        now, text = _text_of(definitions, SOURCE_LANGUAGE), _text_of(definitions, code)
        if text != own:
            changes, base = 0, now
        elif now != english:
            changes += 0 if minor else 1
            base = now if minor and not changes else base
        if number <= checked:
            changes, base = 0, now
        if now == base:
            changes = 0
        english, own = now, text
    return changes


def _text_of(definitions: Any, code: str) -> str:
    return str(((definitions or {}).get(code) or {}).get("text", ""))


# --- The word of the day ----------------------------------------------------------------------------------------------

_STEP: Final = 7919
"""A prime: every word has its day before any is repeated, and neighbours in the list are not on consecutive days."""


def of_the_day(day: date) -> Concept | None:
    """The word or phrase of a day: the same for everybody, each of them once before any is repeated.

    Only those that players themselves use, that some source attests and that are explained.
    """
    keys = _keys_of_days()
    if not keys:
        return None
    number = (day.toordinal() * _STEP) % len(keys) if len(keys) % _STEP else day.toordinal() % len(keys)
    return next(iter(_concept_with(keys[number])), None)


@prepared
def _concept_with(key: str) -> QuerySet[Concept]:
    return Concept.objects.select_related("entry").filter(key=key).order_by()


@terms.cached_by_snapshot
def _keys_of_days() -> tuple[str, ...]:
    attested = Term.objects.filter(language__in=("rm-sursilv", "gsw"), status__in=("preferred", "admitted"))
    explained = Q(definitions__isnull=False) | Q(sort=Concept.Sort.PHRASE)
    rows = Concept.objects.filter(explained, terms__in=attested).distinct()
    return tuple(rows.order_by("key").values_list("key", flat=True))


def entry_of(number: int) -> Entry | None:
    return Entry.objects.select_related("published").filter(pk=number, published__isnull=False).first()
