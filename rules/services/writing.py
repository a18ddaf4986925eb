"""The steps of the door: who may, what is missing, what has changed, and writing it all.

Only `rules.services.editing` calls them, inside its transactions; those that read or write an entry expect its row to be locked.

How much one person may change in an hour: editors much, members some, newcomers little.

Links in what people write: new ones lead to the sources we cite, or the text waits until they are gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts import permissions as account_permissions
from accounts.models import Player
from core import limits
from notices import outbox
from rules import documents, terms
from rules.documents import BadDocument, Document, Problem
from rules.documents.shapes import Text
from rules.exceptions import Conflict, RulesError
from rules.models import Concept, Entry, Place, Redirect, Revision, Source, Suggestion
from rules.services import projections

SOURCE_LANGUAGE: Final = "en"
_OTHER_PAGES: Final[Mapping[str, frozenset[str]]] = {Entry.Kind.CONCEPT: frozenset({"list", "phrases", "elsewhere"})}
"""What stands among the pages of a kind without being one of them (`rules.urls`)."""


def locked(entry: Entry) -> Entry:
    """The entry as it is now. Its revision is read after the lock: joined to it, PostgreSQL may still give the one before."""
    return Entry.objects.select_for_update(no_key=True).get(pk=entry.pk)


def locked_suggestion(suggestion: Suggestion) -> tuple[Entry, Suggestion]:
    """The entry's row, then the suggestion's. Raises ``decided`` if it is open no more."""
    row = Entry.objects.select_for_update(no_key=True).get(pk=suggestion.entry_id)
    pending = Suggestion.objects.select_for_update(no_key=True).get(pk=suggestion.pk)
    if pending.state != Suggestion.State.OPEN:
        raise RulesError("decided")
    return row, pending


def check_member(by: Player) -> None:
    if not by.is_member:
        raise RulesError("sign-in")
    try:
        account_permissions.check_not_suspended(by)
    except account_permissions.Suspended as why:
        raise RulesError("not-allowed", str(why)) from None


def check_administrator(by: Player) -> None:
    if not account_permissions.may(by, account_permissions.ADMINISTRATOR):
        raise RulesError("not-allowed", _("Only administrators do that."))


def check_publisher(row: Entry, by: Player, changed: Iterable[str]) -> None:
    """Whether `by` may publish a change of these languages here. An article is all in one; sources and places have none."""
    if not account_permissions.languages(by):
        raise RulesError("not-allowed")
    if row.protection == Entry.Protection.ADMINISTRATORS and not account_permissions.may(
        by, account_permissions.ADMINISTRATOR
    ):
        raise RulesError("protected")
    if row.kind in (Entry.Kind.SOURCE, Entry.Kind.PLACE):
        return
    wanted = {row.language} if row.kind == Entry.Kind.ARTICLE else set(changed)
    if not all(account_permissions.may(by, account_permissions.EDITOR, language) for language in wanted):
        raise RulesError("not-allowed")


def may_change(row: Entry, by: Player) -> bool:
    """Whether `by` belongs to those whom the protection lets in."""
    if row.protection == Entry.Protection.ADMINISTRATORS:
        return account_permissions.may(by, account_permissions.ADMINISTRATOR)
    return row.protection == Entry.Protection.OPEN or bool(account_permissions.languages(by))


def check_base(row: Entry, base: Revision | None) -> None:
    if base is not None and base.entry_id != row.pk:
        raise ValueError(f"{base} is no revision of {row}")


def onto_published(row: Entry, mine: Document, base: Revision | None) -> Document:
    """What was changed from `base` to `mine`, applied to what is published now. Raises Conflict, BadDocument."""
    check_base(row, base)
    now = row.published
    if now is None or (base is not None and base.pk == now.pk):
        return mine
    merge = documents.merge(row.kind, base.document if base else {}, mine, now.document)
    if merge.document is None:
        raise Conflict(merge, mine, now)
    return documents.check(row.kind, merge.document)


def check_changed(row: Entry, document: Document, follows: Revision | None) -> None:
    """A translation that is found to say a newer revision as it stands is a change, too."""
    now = row.published
    if now is not None and now.document == document and (follows is None or follows.pk == now.follows_id):
        raise RulesError("unchanged")


def check_references(row: Entry, document: Document) -> None:
    """Sources, places and words that the change names anew must be there; what pointed to nothing before may stay."""
    before = row.published.document if row.published else {}
    problems: list[Problem] = []
    for model, message, named, known in (
        (
            Source,
            _("There is no such source. Suggest it first."),
            documents.citations,
            documents.citations(row.kind, before),
        ),
        (Place, _("There is no such place. Suggest it first."), documents.places, documents.places(row.kind, before)),
        (
            Concept,
            _("There is no such word. Suggest it first."),
            documents.concepts,
            documents.concepts(row.kind, before),
        ),
    ):
        wanted = {path: documents.source_of(key) for path, key in named(row.kind, document).items()}
        new = set(wanted.values()) - {documents.source_of(key) for key in known.values()}
        missing = new - set(model.objects.filter(key__in=new).values_list("key", flat=True)) if new else set()
        problems += [Problem(path, message) for path, key in wanted.items() if key in missing]
    if problems:
        raise BadDocument(problems)


def write(
    row: Entry,
    document: Document,
    *,
    author: Player,
    published_by: Player | None = None,
    comment: str = "",
    minor: bool = False,
    follows: Revision | None = None,
    reverts_to: Revision | None = None,
) -> Revision:
    """The next revision and everything that follows from it."""
    if follows is None:
        follows = row.published.follows if row.published is not None else source_revision(row)
    if follows is not None and (follows.entry.kind, follows.entry.key, follows.entry.language) != (
        Entry.Kind.ARTICLE, row.key, SOURCE_LANGUAGE,
    ):  # fmt: skip
        raise ValueError(f"{row} does not translate {follows}")
    row.revisions_made += 1
    revision = Revision.objects.create(
        entry=row,
        number=row.revisions_made,
        parent=row.published,
        document=document,
        author=author,
        published_by=published_by,
        comment=comment,
        minor=minor,
        follows=follows,
        reverts_to=reverts_to,
    )
    row.published = revision
    row.save(update_fields=["published", "revisions_made"])
    project([(row, revision)])
    return revision


def project(published: list[tuple[Entry, Revision]]) -> None:
    projections.project([(entry, revision.document) for entry, revision in published])
    projections.make_findable([entry for entry, _revision in published])
    terms.note_change()


def source_revision(row: Entry) -> Revision | None:
    """Of a translation: what its source article says now."""
    if row.kind != Entry.Kind.ARTICLE or row.language == SOURCE_LANGUAGE:
        return None
    source = (
        Entry.objects.filter(kind=row.kind, key=row.key, language=SOURCE_LANGUAGE).select_related("published").first()
    )
    return source.published if source else None


def decide(
    pending: Suggestion, state: Suggestion.State, by: Player, answer: str, became: Revision | None = None
) -> None:
    pending.state = state
    pending.decided_by, pending.decided_at = by, timezone.now()
    pending.answer, pending.became = answer, became
    pending.save(update_fields=["state", "decided_by", "decided_at", "answer", "became"])
    event = _TOLD.get(state)
    if event is not None and pending.author_id != by.pk:
        outbox.put(event, pending.author, {"suggestion": pending.pk})


_TOLD: Final = {
    Suggestion.State.ACCEPTED: "rules.suggestion-accepted",
    Suggestion.State.DECLINED: "rules.suggestion-declined",
}
"""What its author is told of a decision that was not their own; `rules.notifications` has the words."""


def check_address(kind: str, key: str, slug: str) -> None:
    if slug in _OTHER_PAGES.get(kind, ()):
        raise RulesError("address-taken")
    others = Entry.objects.filter(kind=kind, slug=slug).exclude(key=key)
    if others.exists() or Redirect.objects.filter(kind=kind, slug=slug).exclude(key=key).exists():
        raise RulesError("address-taken")


def language_of(row: Entry, before: Mapping[str, Any], after: Document) -> str:
    """The one language a suggestion concerns, for the queue; empty if there are several."""
    if row.kind == Entry.Kind.ARTICLE:
        return row.language
    changed = documents.languages_changed(before, after) - {""}
    return next(iter(changed)) if len(changed) == 1 else ""


def article_languages() -> set[str]:
    return {code for code, _name in settings.LANGUAGES}


def text(field: str, shape: Text, value: str) -> str:
    """A short text that goes with a change. Raises BadDocument."""
    problems: list[Problem] = []
    read = shape.read(value, field, problems)
    if problems:
        raise BadDocument(problems)
    return read or ""


EDITORS: Final = 300
MEMBERS: Final = 30
NEWCOMERS: Final = 6
KNOWN_AFTER: Final = timedelta(days=3)
KNOWN_WITH: Final = 3  # accepted suggestions
_HOUR: Final = 3600.0


def an_hour(player: Player) -> int:
    """How many changes and remarks `player` may send in an hour."""
    if account_permissions.languages(player):
        return EDITORS
    return NEWCOMERS if is_newcomer(player) else MEMBERS


def is_newcomer(player: Player) -> bool:
    """Whether this member signed up less than three days ago or has fewer than three accepted suggestions."""
    joined = player.user.date_joined if player.user else player.created_at
    if timezone.now() - joined < KNOWN_AFTER:
        return True
    return Suggestion.objects.filter(author=player, state=Suggestion.State.ACCEPTED).count() < KNOWN_WITH


def count_change(player: Player) -> None:
    """Count one change. Raises ``too-fast``. Call it outside of transactions: what is refused later counts all the same."""
    allowed = an_hour(player)
    # Another role is another bucket: whoever is no newcomer any more need not wait.
    if not limits.take(f"rules:{allowed}:{player.pk}", rate=allowed, per=_HOUR, burst=allowed):
        raise RulesError("too-fast")


MOST_NEW_LINKS: Final = 5
_LINK: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]{0,20}:)?//[^\s<>()\[\]\"'`|\\]+|\b(?:www\.|mailto:)[^\s<>()\[\]\"'`|\\]+", re.IGNORECASE
)


def links(text: str) -> set[str]:
    """The addresses in a text, as written: with a scheme, without one (`//…`, `www.…`), and of mail."""
    return {found.rstrip(".,;:!?") for found in _LINK.findall(text)}


def check_links(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Let only links through that were there before or lead to the host of a published source, and few at once.

    Raises ``spam-link``. What a source itself says about its address is not looked at: suggesting it is how a host becomes
    known.
    """
    new = _all_links(after) - _all_links(before)
    if len(new) > MOST_NEW_LINKS:
        raise RulesError(
            "spam-link",
            format_lazy(_("There are too many new links in it: at most {most} at once, please."), most=MOST_NEW_LINKS),
        )
    unknown = {host_of(link) for link in new} - _known_hosts() if new else set()
    if unknown:
        raise RulesError(
            "spam-link",
            format_lazy(
                _(
                    "There is a link in it to a place that is none of our sources: {hosts}. "
                    "Take the link out, or suggest the source first."
                ),
                hosts=", ".join(sorted(unknown))[:200],
            ),
        )


def host_of(link: str) -> str:
    """The host a link leads to, without `www.`; the whole link where there is none to be read."""
    try:
        host = urlsplit(link if "//" in link else f"//{link}").hostname or link
    except ValueError:
        return link
    return host.casefold().removeprefix("www.")


def _all_links(document: Mapping[str, Any]) -> set[str]:
    return {link for text in _texts(document) for link in links(text)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            if name != "url":
                yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def _known_hosts() -> frozenset[str]:
    ours = {urlsplit(settings.SITE_URL).hostname or "", *settings.ALLOWED_HOSTS}
    cited = Source.objects.exclude(document__url=None).values_list("document__url", flat=True)
    return frozenset({host.removeprefix("www.") for host in ours} | {host_of(address) for address in cited})
