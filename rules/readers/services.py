"""What readers contribute, and what becomes of it.

Nobody needs an account to contribute. An editor accepts or declines with one press: an accepted word is in the entry at
once, with its village, as a revision like any other. Refusals are `rules.exceptions.RulesError`; they change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import permissions as account_permissions
from accounts.models import Player
from core import limits
from core.text import fold, one_line
from notices import outbox
from rules import documents, services, terms
from rules.documents import BadDocument, Document, Problem
from rules.documents.kinds import LANGUAGES, THEMES
from rules.exceptions import RulesError
from rules.markup.lexicon import OWN_LANGUAGES
from rules.models import Entry, Place, Source, Term
from rules.readers import sounds
from rules.readers.models import (
    MEANING_LENGTH,
    NAME_LENGTH,
    VILLAGE_LENGTH,
    WORD_LENGTH,
    CheckedDefinition,
    Contribution,
    Recording,
    Saying,
    Sound,
)

C = TypeVar("C", bound=Contribution)

SOURCE: Final = "readers"
"""The key of the source that accepted words cite, with the village as the place in it."""
STRANGERS: Final = 12
MEMBERS: Final = 60
_HOUR: Final = 3600.0


def say_so(
    entry: Entry, *, text: str, village: str, sure: str, name: str = "", player: Player | None = None, address: str
) -> Saying:
    """Record what somebody calls a concept. `address` is the visitor's network address, to count strangers by.

    Raises BadDocument, ``not-there``, ``not-allowed`` (suspended), ``too-fast``, ``spam-link``, ``unchanged`` if
    this word was already contributed from this village.
    """
    document = _document_of(entry)
    fields = checked_contribution(document, text=text, village=village, name=name, player=player, address=address)
    with transaction.atomic():
        return _create_saying(entry, player=player, sure=sure, **fields)


def tell_new_word(
    *,
    text: str,
    meaning: str,
    language: str,
    village: str,
    sure: str,
    name: str = "",
    player: Player | None = None,
    other: bool = False,
    address: str,
) -> Saying:
    """Record a word that the glossary lacks, with its meaning in `language`.

    It gets an entry that nobody sees before an editor has accepted it. If the same word is told again in the meantime,
    it belongs to the same entry. `other` states that the word means something other than those spelled the same. Raises
    what `say_so` raises, and BadDocument for a word that exists already, unless `other` is set.
    """
    meaning = one_line(meaning)[:MEANING_LENGTH]
    if not fold(meaning):
        raise BadDocument([Problem("meaning", _("Say in a few words what it means."))])
    if not other and Term.objects.filter(folded=fold(text)).exists():
        raise BadDocument(
            [Problem("text", _("This word is in the glossary already. Do you mean something else by it?"))]
        )
    if services.links_in(meaning):
        raise RulesError("spam-link", _("Leave links out, please: only the word, the village and your name."))
    fields = checked_contribution({}, text=text, village=village, name=name, player=player, address=address)

    def create() -> Saying:
        with transaction.atomic():
            entry = _entry_of_new_word(fields["text"])
            return _create_saying(entry, player=player, sure=sure, meaning=meaning, meaning_language=language, **fields)

    try:
        return create()
    except Entry.DoesNotExist:  # the same word has just been declined, and its entry deleted
        return create()


def _entry_of_new_word(text: str) -> Entry:
    """An unpublished entry with the word in its key, and with a number if another word has that key."""
    stem, number = f"words.{_key_of(text) or 'word'}", 1
    while True:
        try:
            return services.new_entry(Entry.Kind.CONCEPT, f"{stem}-{number}" if number > 1 else stem)
        except RulesError as refusal:
            if refusal.code != "address-taken":
                raise
            number += 1


def _create_saying(entry: Entry, *, text: str, village: str, **fields: Any) -> Saying:
    """Create a saying. Locks the entry.

    Raises ``unchanged`` if this word was already contributed from this village.
    """
    services.lock(entry)  # so that of two sayings sent at the same time, the second sees the first
    same = Saying.objects.filter(entry=entry, village__iexact=village).exclude(state=Saying.State.DECLINED)
    if any(fold(row.text) == fold(text) for row in same):
        raise RulesError("unchanged", _("Somebody has told us this already. Thank you all the same."))
    return Saying.objects.create(entry=entry, text=text, village=village, **fields)


def _document_of(entry: Entry) -> Document:
    """The published document of a concept. Raises ``not-there``."""
    if entry.kind != Entry.Kind.CONCEPT or entry.published is None:
        raise RulesError("not-there")
    return dict(entry.published.document)


def checked_contribution(
    document: Mapping[str, Any], *, text: str, village: str, name: str, player: Player | None, address: str
) -> dict[str, str]:
    """Check, tidy and count a contribution to a concept; return its fields. Raises what `say_so` raises."""
    if player is not None:
        try:
            account_permissions.check_not_suspended(player)
        except account_permissions.Suspended as refusal:
            raise RulesError("not-allowed", str(refusal)) from None
    clean = {
        "text": one_line(text)[:WORD_LENGTH],
        "village": one_line(village)[:VILLAGE_LENGTH],
        "name": one_line(name)[:NAME_LENGTH],
    }
    if any(services.links_in(each) for each in clean.values()):
        raise RulesError("spam-link", _("Leave links out, please: only the word, the village and your name."))
    if not (fold(clean["text"]) and fold(clean["village"])):
        raise BadDocument([Problem("text", _("Say the word, and where it is said."))])
    allowed = MEMBERS if player is not None and player.is_member else STRANGERS
    who = f"{player.pk}" if player is not None and player.is_member else address
    if not limits.take(f"readers:{who}", rate=allowed, per=_HOUR):
        raise RulesError("too-fast")
    place = place_called(clean["village"])
    language = language_of(document, clean["text"], place)
    return {**clean, "place": place.key if place else "", "language": language}


def place_called(village: str) -> Place | None:
    """The published place with this name in any language, ignoring case and accents."""
    folded = fold(village)
    return next(
        (
            place
            for place in Place.objects.select_related("parent").order_by("pk")
            if folded in {fold(place.key), *(fold(str(name)) for name in place.names.values())}
        ),
        None,
    )


_SPOKEN_IN: Final = {"graubuenden": "rm-sursilv", "wallis": "gsw"}
"""The language that players speak with each other in a canton."""


def language_of(document: Mapping[str, Any], text: str, place: Place | None) -> str:
    """The likely language of a word: the one players speak in `place`, if known.

    If the entry has the same word, but only in languages that are not the players' own, or if nothing is known about
    the place, it is the language of the same word in the entry, else that of the entry's first word of the players.
    """
    terms = document.get("terms", [])
    own = [term["lang"] for term in terms if term["lang"] in OWN_LANGUAGES]
    same = [term["lang"] for term in terms if fold(term["text"]) == fold(text)]
    spoken = _spoken_in(place)
    if spoken and (not same or spoken in same or not _OWN.isdisjoint(same)):
        return spoken
    return str(next(iter([*sorted(same, key=lambda code: code not in OWN_LANGUAGES), *own]), OWN_LANGUAGES[0]))


_OWN: Final = frozenset(OWN_LANGUAGES)


def _spoken_in(place: Place | None) -> str:
    seen: set[int] = set()
    while place is not None and place.pk not in seen:
        if place.key in _SPOKEN_IN:
            return _SPOKEN_IN[place.key]
        seen.add(place.pk)
        place = place.parent
    return ""


# --- Decisions --------------------------------------------------------------------------------------------------------


def accept(saying: Saying, *, by: Player, language: str = "", theme: str = "") -> Saying:
    """Add the word to the entry, with its village, and thank whoever told it. `language` corrects the guess.

    A word that the glossary lacked gets its page this way, under `theme` (one of `THEMES`). An unknown village becomes
    a place. Locks the entry, then the saying. Raises ``decided``, ``not-allowed``, ``protected``, ``too-fast``,
    BadDocument.
    """
    services.check_member(by)
    services.count_change(by)
    with transaction.atomic():
        row = _lock_entry(saying)
        pending = lock_contribution(Saying, saying.pk)
        pending.language = language if language in LANGUAGES else pending.language
        services.check_publisher(row, by, {pending.language, pending.meaning_language or pending.language})
        pending.place = _place_of(pending, by)
        before = row.published.document if row.published is not None else {}
        base = before or {"theme": theme if theme in THEMES else "play", "order": _LAST, "terms": []}
        document = documents.check(row.kind, _with_word(base, pending))
        if document != before:
            services.check_references(row, document)
            pending.became = services.write(
                row,
                document,
                author=_author(pending, by),
                published_by=by,
                comment=f"{pending.village}: {pending.text}",
            )
        decide(pending, Saying.State.ACCEPTED, by)
        return pending


_LAST: Final = 10_000
"""The order of a new word among the others: if two are spelled the same, texts refer to the one there first."""


def decline(contribution: C, *, by: Player) -> C:
    """Decline a contribution, or take it off the page if it was accepted. Raises ``decided``, ``not-allowed``."""
    services.check_member(by)
    with transaction.atomic():
        row = _lock_entry(contribution)
        pending = lock_contribution(type(contribution), contribution.pk, also_accepted=True)
        services.check_publisher(row, by, {pending.language})
        decide(pending, Contribution.State.DECLINED, by)
        if isinstance(pending, Recording):
            Sound.objects.filter(recording=pending).delete()  # a voice is not kept without a reason
            terms.note_change()
        forget_unsaid(row)
        return pending


def _lock_entry(contribution: Contribution) -> Entry:
    """Lock and return the entry that a contribution is about.

    Raises ``decided`` if it was deleted because everything told about it was declined.
    """
    row = Entry.objects.select_for_update(no_key=True).filter(pk=contribution.entry_id).first()
    if row is None:
        raise RulesError("decided")
    return row


def forget_unsaid(row: Entry) -> None:
    """Delete an entry that was never published and for which nothing waits; keep its declined sayings without it."""
    sayings = Saying.objects.filter(entry=row)
    is_in_use = row.revisions_made or row.suggestions.exists() or sayings.filter(state=Contribution.State.OPEN).exists()
    if not is_in_use:
        sayings.update(entry=None)
        row.delete()


def lock_contribution(model: type[C], number: int, *, also_accepted: bool = False) -> C:
    """Lock and return the row. Raises ``decided`` unless it is open (or, with `also_accepted`, accepted)."""
    row: C | None = model._default_manager.select_for_update(no_key=True).filter(pk=number).first()
    states = {Contribution.State.OPEN, *([Contribution.State.ACCEPTED] if also_accepted else [])}
    if row is None or row.state not in states:
        raise RulesError("decided")
    return row


_EVENTS: Final = {
    Contribution.State.ACCEPTED: "readers.{}-accepted",
    Contribution.State.DECLINED: "readers.{}-declined",
}


def decide(pending: Contribution, state: Contribution.State, by: Player) -> None:
    """Write the decision, and notify the player who made the contribution, if known."""
    pending.state, pending.decided_by, pending.decided_at = state, by, timezone.now()
    pending.save()
    if pending.player is not None and pending.player_id != by.pk:
        sort = pending._meta.model_name or ""
        outbox.put(_EVENTS[state].format(sort), pending.player, {sort: pending.pk})


def _author(pending: Saying, by: Player) -> Player:
    """The author of the revision: the member who told the word, or the editor if nobody with an account did."""
    player = pending.player
    return player if player is not None and player.is_member else by


def _place_of(pending: Saying, by: Player) -> str:
    found = place_called(pending.village)
    if found is not None:
        return found.key
    key = _key_of(pending.village)
    if not key:
        return ""
    entry = services.new_entry(Entry.Kind.PLACE, key)
    document = documents.check(Entry.Kind.PLACE, {"names": {"": pending.village}, "sort": "village"})
    services.write(services.lock(entry), document, author=by, comment=pending.text)
    return key


def _key_of(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")[:60].strip("-")


def _with_word(document: Document, pending: Saying) -> Document:
    """A copy of the document with the word, and its meaning if it was told."""
    extended = deepcopy(document)
    citations = [f"{SOURCE}: {pending.village}"] if Source.objects.filter(key=SOURCE).exists() else []
    if pending.meaning:
        _add_definition(extended, pending, citations)
    _add_term(extended, pending, citations)
    return extended


def _add_definition(document: Document, pending: Saying, citations: list[str]) -> None:
    """Add the meaning to `document` unless it has a definition in this language."""
    definitions = document.setdefault("definitions", {})
    definitions.setdefault(pending.meaning_language, {"text": pending.meaning, "sources": citations})


def _add_term(document: Document, pending: Saying, citations: list[str]) -> None:
    """Add the word to `document`; if it is there as a mere proposal, it is now attested and becomes admitted."""
    is_certain = pending.sure != Saying.Sure.UNSURE
    for term in document["terms"]:
        if term["lang"] == pending.language and fold(term["text"]) == fold(pending.text):
            if is_certain and term["status"] == "proposed":
                term["status"] = "admitted"
                term["sources"] = list(dict.fromkeys([*term.get("sources", []), *citations]))
            return
    document["terms"].append(
        {
            "lang": pending.language,
            "text": pending.text,
            "status": "admitted" if is_certain else "proposed",
            "place": pending.place,
            "sources": citations,
        }
    )


# --- Recordings -------------------------------------------------------------------------------------------------------


def record(
    entry: Entry, *, text: str, sound: bytes, village: str, name: str = "", player: Player | None = None, address: str
) -> Recording:
    """Store a recording of one of the entry's words. Raises NotASound, and what `say_so` raises."""
    checked = sounds.read(sound)
    document = _document_of(entry)
    fields = checked_contribution(document, text=text, village=village, name=name, player=player, address=address)
    if fields["text"] not in words_to_speak(document):
        raise RulesError("not-there")
    with transaction.atomic():
        recording = Recording.objects.create(
            entry=entry, player=player, kind=checked.kind, seconds=round(checked.seconds, 2), **fields
        )
        Sound.objects.create(recording=recording, data=sound)
        return recording


def words_to_speak(document: Mapping[str, Any]) -> list[str]:
    """The players' own words for a concept: those worth hearing."""
    return list(dict.fromkeys(term["text"] for term in document["terms"] if term["lang"] in OWN_LANGUAGES))


def accept_recording(recording: Recording, *, by: Player) -> Recording:
    """Publish a recording, and thank whoever spoke. Raises ``decided``, ``not-allowed``, ``too-fast``."""
    services.check_member(by)
    services.count_change(by)
    with transaction.atomic():
        row = _lock_entry(recording)
        pending = lock_contribution(Recording, recording.pk)
        services.check_publisher(row, by, {pending.language})
        decide(pending, Recording.State.ACCEPTED, by)
        terms.note_change()
        return pending


# --- Definitions that translate ---------------------------------------------------------------------------------------


def mark_definition_checked(entry: Entry, language: str, *, by: Player) -> None:
    """Note that the definition in `language` says the same as the English one does now.

    Raises ``not-allowed``, ``protected``, ``not-there``.
    """
    services.check_member(by)
    with transaction.atomic():
        row = services.lock(entry)
        services.check_publisher(row, by, {language})
        newest = row.published
        if newest is None:
            raise RulesError("not-there")
        CheckedDefinition.objects.update_or_create(
            entry=row, language=language, defaults={"number": newest.number, "by": by, "at": timezone.now()}
        )
