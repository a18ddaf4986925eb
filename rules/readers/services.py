"""What readers tell, and what becomes of it.

Nobody needs an account to tell us. An editor accepts or declines with one press: what is accepted stands in the entry at once, with
its village, as a revision like any other. Refusals are `rules.exceptions.RulesError`; they change nothing.
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
"""The key of the source that accepted words cite; the village is the part of it."""
STRANGERS: Final = 12
MEMBERS: Final = 60
_HOUR: Final = 3600.0


def say_so(
    entry: Entry, *, text: str, village: str, sure: str, name: str = "", player: Player | None = None, address: str
) -> Saying:
    """Take up how somebody says it. `address` is the visitor's, which strangers are counted by.

    Raises BadDocument, ``not-there``, ``not-allowed`` (suspended), ``too-fast``, ``spam-link``, ``unchanged`` for what is
    told already.
    """
    document = _document_of(entry)
    told = taken_up(document, text=text, village=village, name=name, player=player, address=address)
    with transaction.atomic():
        return _noted(entry, player=player, sure=sure, **told)


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
    """Take up a word that the glossary lacks, with what it means in `language`. It gets an entry that nobody sees before an
    editor has accepted it; whoever tells the same word in the meantime tells it of the same entry.

    `other` says that it means something else than the words that are written like it. Raises what `say_so` raises,
    BadDocument for a word that is there and is not said to be another one.
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
    told = taken_up({}, text=text, village=village, name=name, player=player, address=address)

    def note() -> Saying:
        with transaction.atomic():
            entry = _entry_of_new_word(told["text"])
            return _noted(entry, player=player, sure=sure, meaning=meaning, meaning_language=language, **told)

    try:
        return note()
    except Entry.DoesNotExist:  # the same word was declined at this moment, and its entry with it
        return note()


def _entry_of_new_word(text: str) -> Entry:
    """An entry that is not published, with the word in its key, and a number where another word has that."""
    stem, number = f"words.{_key_of(text) or 'word'}", 1
    while True:
        try:
            return services.new_entry(Entry.Kind.CONCEPT, f"{stem}-{number}" if number > 1 else stem)
        except RulesError as refused:
            if refused.code != "address-taken":
                raise
            number += 1


def _noted(entry: Entry, **told: Any) -> Saying:
    """The row of a saying, unless the same word was told from the same village. Locks the entry. Raises ``unchanged``."""
    services.locked(entry)  # so that of two that are sent at once the second sees the first
    same = Saying.objects.filter(entry=entry, village__iexact=told["village"]).exclude(state=Saying.State.DECLINED)
    if any(fold(row.text) == fold(told["text"]) for row in same):
        raise RulesError("unchanged", _("Somebody has told us this already. Thank you all the same."))
    return Saying.objects.create(entry=entry, **told)


def _document_of(entry: Entry) -> Document:
    """What a concept's entry says. Raises ``not-there``."""
    if entry.kind != Entry.Kind.CONCEPT or entry.published is None:
        raise RulesError("not-there")
    return dict(entry.published.document)


def taken_up(
    document: Mapping[str, Any], *, text: str, village: str, name: str, player: Player | None, address: str
) -> dict[str, str]:
    """The fields of a contribution to a concept, checked and tidy, and counted. Raises what `say_so` raises."""
    if player is not None:
        try:
            account_permissions.check_not_suspended(player)
        except account_permissions.Suspended as why:
            raise RulesError("not-allowed", str(why)) from None
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
    """The published place with this name in any language, whatever the case and the accents."""
    wanted = fold(village)
    return next(
        (
            place
            for place in Place.objects.select_related("parent").order_by("pk")
            if wanted in {fold(place.key), *(fold(str(name)) for name in place.names.values())}
        ),
        None,
    )


_SPOKEN_IN: Final = {"graubuenden": "rm-sursilv", "wallis": "gsw"}
"""What players speak among each other in a canton."""


def language_of(document: Mapping[str, Any], text: str, place: Place | None) -> str:
    """What language a word is likely to be: what players speak there, unless the entry has the same word in another one.

    Where nothing is known of the place, the language of the entry's same word, or of its first own word.
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
    """Put the word into the entry, with its village, and thank whoever told it. `language` corrects the guess.

    A word that the glossary lacked gets its page by that, under `theme` (one of `THEMES`).

    Locks the entry, then the saying. A village that nobody has named yet becomes a place. Raises ``decided``,
    ``not-allowed``, ``protected``, ``too-fast``, BadDocument.
    """
    services.check_member(by)
    services.count_change(by)
    with transaction.atomic():
        row = _locked_entry(saying)
        pending = locked(Saying, saying.pk)
        pending.language = language if language in LANGUAGES else pending.language
        services.check_publisher(row, by, {pending.language, pending.meaning_language or pending.language})
        pending.place = _place_of(pending, by)
        before = row.published.document if row.published is not None else {}
        begun = before or {"theme": theme if theme in THEMES else "play", "order": _LAST, "terms": []}
        document = documents.check(row.kind, _with_word(begun, pending))
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
"""Where a new word stands among the others: of two that are written alike, texts mean the one that was there before."""


def decline(contribution: C, *, by: Player) -> C:
    """Put it aside, or take it off the page again where it was accepted. Raises ``decided``, ``not-allowed``."""
    services.check_member(by)
    with transaction.atomic():
        row = _locked_entry(contribution)
        pending = locked(type(contribution), contribution.pk, also_accepted=True)
        services.check_publisher(row, by, {pending.language})
        decide(pending, Contribution.State.DECLINED, by)
        if isinstance(pending, Recording):
            Sound.objects.filter(recording=pending).delete()  # a voice is not kept without a reason
            terms.note_change()
        forget_unsaid(row)
        return pending


def _locked_entry(contribution: Contribution) -> Entry:
    """The entry it is about, locked. Raises ``decided`` where it went when all that was told of it was declined."""
    row = Entry.objects.select_for_update(no_key=True).filter(pk=contribution.entry_id).first()
    if row is None:
        raise RulesError("decided")
    return row


def forget_unsaid(row: Entry) -> None:
    """Delete an entry that nobody has published and of which nothing waits; what was declined of it stays by itself."""
    told = Saying.objects.filter(entry=row)
    is_said = row.revisions_made or row.suggestions.exists() or told.filter(state=Contribution.State.OPEN).exists()
    if not is_said:
        told.update(entry=None)
        row.delete()


def locked(model: type[C], number: int, *, also_accepted: bool = False) -> C:
    """The row, locked. Raises ``decided`` unless it is open, or as well accepted."""
    found: C | None = model._default_manager.select_for_update(no_key=True).filter(pk=number).first()
    states = {Contribution.State.OPEN, *([Contribution.State.ACCEPTED] if also_accepted else [])}
    if found is None or found.state not in states:
        raise RulesError("decided")
    return found


_EVENTS: Final = {
    Contribution.State.ACCEPTED: "readers.{}-accepted",
    Contribution.State.DECLINED: "readers.{}-declined",
}


def decide(pending: Contribution, state: Contribution.State, by: Player) -> None:
    """Write the decision, and tell whoever is known to have told it."""
    pending.state, pending.decided_by, pending.decided_at = state, by, timezone.now()
    pending.save()
    if pending.player is not None and pending.player_id != by.pk:
        sort = pending._meta.model_name or ""
        outbox.put(_EVENTS[state].format(sort), pending.player, {sort: pending.pk})


def _author(pending: Saying, by: Player) -> Player:
    """Whose revision it is: a member's own; the editor's where nobody with an account has told it."""
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
    services.write(services.locked(entry), document, author=by, comment=pending.text)
    return key


def _key_of(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")[:60].strip("-")


def _with_word(document: Document, pending: Saying) -> Document:
    """The document with the word in it. What stood there as a mere proposal is now said by somebody."""
    made = deepcopy(document)
    known = Source.objects.filter(key=SOURCE).exists()
    cited = [f"{SOURCE}: {pending.village}"] if known else []
    certain = pending.sure != Saying.Sure.UNSURE
    if pending.meaning:
        made.setdefault("definitions", {}).setdefault(
            pending.meaning_language, {"text": pending.meaning, "sources": cited}
        )
    for term in made["terms"]:
        if term["lang"] == pending.language and fold(term["text"]) == fold(pending.text):
            if certain and term["status"] == "proposed":
                term["status"] = "admitted"
                term["sources"] = list(dict.fromkeys([*term.get("sources", []), *cited]))
            return made
    made["terms"].append(
        {
            "lang": pending.language,
            "text": pending.text,
            "status": "admitted" if certain else "proposed",
            "place": pending.place,
            "sources": cited,
        }
    )
    return made


# --- Recordings -------------------------------------------------------------------------------------------------------


def record(
    entry: Entry, *, text: str, sound: bytes, village: str, name: str = "", player: Player | None = None, address: str
) -> Recording:
    """Take up how somebody speaks one of the entry's words. Raises NotASound, and what `say_so` raises."""
    read = sounds.read(sound)
    document = _document_of(entry)
    told = taken_up(document, text=text, village=village, name=name, player=player, address=address)
    if told["text"] not in words_to_speak(document):
        raise RulesError("not-there")
    with transaction.atomic():
        made = Recording.objects.create(
            entry=entry, player=player, kind=read.kind, seconds=round(read.seconds, 2), **told
        )
        Sound.objects.create(recording=made, data=sound)
        return made


def words_to_speak(document: Mapping[str, Any]) -> list[str]:
    """The players' own words of a concept: those that are worth hearing."""
    return list(dict.fromkeys(term["text"] for term in document["terms"] if term["lang"] in OWN_LANGUAGES))


def accept_recording(recording: Recording, *, by: Player) -> Recording:
    """Let everybody hear it, and thank whoever spoke. Raises ``decided``, ``not-allowed``, ``too-fast``."""
    services.check_member(by)
    services.count_change(by)
    with transaction.atomic():
        row = _locked_entry(recording)
        pending = locked(Recording, recording.pk)
        services.check_publisher(row, by, {pending.language})
        decide(pending, Recording.State.ACCEPTED, by)
        terms.note_change()
        return pending


# --- Definitions that translate ---------------------------------------------------------------------------------------


def find_still_true(entry: Entry, language: str, *, by: Player) -> None:
    """Note that the definition in `language` says what the English one says now. Raises ``not-allowed``."""
    services.check_member(by)
    with transaction.atomic():
        row = services.locked(entry)
        services.check_publisher(row, by, {language})
        newest = row.published
        if newest is None:
            raise RulesError("not-there")
        CheckedDefinition.objects.update_or_create(
            entry=row, language=language, defaults={"number": newest.number, "by": by, "at": timezone.now()}
        )
