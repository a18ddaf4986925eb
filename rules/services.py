"""Every change of the encyclopedia, from pages, imports and programs alike.

Each function takes the write lock on the entry's row first (SQLite: the one write lock), checks, and writes the revision,
its projections and the search in the same transaction. A refusal (`rules.exceptions`) changes nothing. `by` is who acts; a
role is asked of `accounts.permissions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts import permissions as account_permissions
from accounts.models import Player
from core import limits
from core.registry import Registry
from notices import outbox
from rules import documents, projections, terms
from rules.documents import BadDocument, Document, Problem
from rules.documents.kinds import KEY_HINT, SLUG_HINT
from rules.documents.shapes import Text
from rules.exceptions import Conflict, RulesError
from rules.models import (
    COMMENT_LENGTH,
    KEY_LENGTH,
    SLUG_LENGTH,
    SOURCE_LANGUAGE,
    Concept,
    Entry,
    Place,
    Redirect,
    Remark,
    Revision,
    Source,
    Suggestion,
)

_OTHER_PAGES: Final[Mapping[str, frozenset[str]]] = {Entry.Kind.CONCEPT: frozenset({"list", "phrases", "elsewhere"})}
"""What stands among the pages of a kind without being one of them (`rules.urls`)."""


published: Final = Registry[Callable[[Revision], None]]()
"""Called with each revision that somebody publishes, in its transaction: whoever follows the page is told."""


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
        raise RulesError("not-allowed", _("Only administrators can do that."))


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
    for kind, model, message in (
        ("source", Source, _("There is no such source. Suggest it first.")),
        ("place", Place, _("There is no such place. Suggest it first.")),
        ("concept", Concept, _("There is no such word. Suggest it first.")),
    ):
        wanted = documents.references(row.kind, document, kind)
        new = {*wanted.values()} - {*documents.references(row.kind, before, kind).values()}
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
    for tell in published:
        tell(revision)
    return revision


def project(published: list[tuple[Entry, Revision]]) -> None:
    """Write what follows from these revisions. No name depends on what an article says."""
    projections.project([(entry, revision.document) for entry, revision in published])
    projections.make_findable([entry for entry, _revision in published])
    if any(entry.kind != Entry.Kind.ARTICLE for entry, _revision in published):
        terms.note_change()


def source_revision(row: Entry) -> Revision | None:
    """Of a translation: what its source article says now."""
    if not row.is_translation:
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


def checked_text(field: str, shape: Text, value: str) -> str:
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
    if not limits.take(f"rules:{allowed}:{player.pk}", rate=allowed, per=_HOUR):
        raise RulesError("too-fast")


MOST_NEW_LINKS: Final = 5
_LINK: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]{0,20}:)?//[^\s<>()\[\]\"'`|\\]+|\b(?:www\.|mailto:)[^\s<>()\[\]\"'`|\\]+", re.IGNORECASE
)


def links_in(text: str) -> set[str]:
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
                    "It contains a link to a site that is not one of our sources: {hosts}. Take the link out, or suggest the source first."
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
    return {link for text in _texts(document) for link in links_in(text)}


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


REMARK_LENGTH: Final = 4000
_LINE: Final = Text(COMMENT_LENGTH)
_REASON: Final = Text(COMMENT_LENGTH, required=True)
_REMARK: Final = Text(REMARK_LENGTH, required=True, lines=200)
_KEY: Final = Text(KEY_LENGTH, required=True, pattern=re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*"), hint=KEY_HINT)
_SLUG: Final = Text(SLUG_LENGTH, required=True, pattern=re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*"), hint=SLUG_HINT)


# --- Changes of a document --------------------------------------------------------------------------------------------


def publish(
    entry: Entry,
    document: Mapping[str, Any],
    *,
    by: Player,
    base: Revision | None,
    comment: str = "",
    minor: bool = False,
    follows: Revision | None = None,
) -> Revision:
    """Publish `document` as the next revision of `entry`; `base` is the revision it was made from (None: there was none).

    Where somebody published in the meantime the two changes are merged. `minor` leaves translations valid; `follows` says
    which revision of its source article a translation now says (None: the one it said before). Raises BadDocument,
    ``not-allowed``, ``protected``, ``too-fast``, Conflict, ``unchanged``; ValueError for a base of another entry.
    """
    check_member(by)
    clean, said = documents.check(entry.kind, document), checked_text("comment", _LINE, comment)
    count_change(by)
    with transaction.atomic():
        row = locked(entry)
        check_publisher(row, by, documents.languages_changed(base.document if base else {}, clean))
        merged = onto_published(row, clean, base)
        check_changed(row, merged, follows)
        check_references(row, merged)
        return write(row, merged, author=by, comment=said, minor=minor, follows=follows)


def suggest(
    entry: Entry,
    document: Mapping[str, Any],
    *,
    by: Player,
    base: Revision | None,
    comment: str = "",
    follows: Revision | None = None,
) -> Suggestion:
    """Propose `document`, made from the revision `base`, for an editor to look at.

    Raises BadDocument, ``not-allowed`` (guests), ``protected``, ``too-fast``, ``spam-link``, ``unchanged``; ValueError for
    a base of another entry.
    """
    check_member(by)
    clean, said = documents.check(entry.kind, document), checked_text("comment", _LINE, comment)
    before = base.document if base else {}
    if not account_permissions.languages(by):
        check_links(before, {**clean, "comment": said})
    count_change(by)
    with transaction.atomic():
        row = locked(entry)
        check_base(row, base)
        if row.protection != Entry.Protection.OPEN and not may_change(row, by):
            raise RulesError("protected")
        published = row.published.document if row.published else {}
        if clean in (before, published):
            raise RulesError("unchanged")
        if row.suggestions.filter(author=by, document=clean, state=Suggestion.State.OPEN).exists():
            raise RulesError("unchanged", _("You have suggested exactly this already. An editor will look at it."))
        check_references(row, clean)
        return Suggestion.objects.create(
            entry=row,
            base=base,
            document=clean,
            author=by,
            comment=said,
            follows=follows or (source_revision(row) if row.published is None else None),
            language=language_of(row, before, clean),
        )


def accept(
    suggestion: Suggestion,
    *,
    by: Player,
    document: Mapping[str, Any] | None = None,
    base: Revision | None = None,
    answer: str = "",
    minor: bool = False,
) -> Revision:
    """Publish a suggestion, in its author's name, merged with what was published since; `minor` as for `publish`.

    `document` is what the editor made of it, if anything, from the revision `base` (None: the suggestion's).
    Raises ``decided``, and what `publish` raises.
    """
    check_member(by)
    said = checked_text("answer", _LINE, answer)
    own = documents.check(suggestion.entry.kind, document) if document is not None else None
    count_change(by)
    with transaction.atomic():
        row, pending = locked_suggestion(suggestion)
        clean = own if own is not None else documents.check(row.kind, pending.document)
        seen = base if own is not None and base is not None else pending.base
        check_publisher(row, by, documents.languages_changed(seen.document if seen else {}, clean))
        merged = onto_published(row, clean, seen)
        check_changed(row, merged, pending.follows)
        check_references(row, merged)
        revision = write(
            row, merged, author=pending.author, published_by=by, comment=pending.comment, minor=minor, follows=pending.follows
        )  # fmt: skip
        decide(pending, Suggestion.State.ACCEPTED, by, said, revision)
        return revision


def decline(suggestion: Suggestion, *, by: Player, answer: str) -> None:
    """Decline a suggestion, with a reason for its author. Raises BadDocument (no reason), ``not-allowed``, ``protected``,
    ``decided``."""
    check_member(by)
    said = checked_text("answer", _REASON, answer)
    with transaction.atomic():
        row, pending = locked_suggestion(suggestion)
        before = pending.base.document if pending.base else {}
        check_publisher(row, by, documents.languages_changed(before, pending.document))
        decide(pending, Suggestion.State.DECLINED, by, said)


def withdraw(suggestion: Suggestion, *, by: Player) -> None:
    """Take one's own suggestion back. Raises ``not-allowed``, ``decided``."""
    with transaction.atomic():
        _row, pending = locked_suggestion(suggestion)
        if pending.author_id != by.pk:
            raise RulesError("not-allowed", _("Only its author can take a suggestion back."))
        decide(pending, Suggestion.State.WITHDRAWN, by, "")


def revert(entry: Entry, to: Revision, *, by: Player, comment: str) -> Revision:
    """Publish again what revision `to` said. Raises what `publish` raises, and BadDocument without a comment."""
    check_member(by)
    said = checked_text("comment", _REASON, comment)
    clean = documents.check(entry.kind, to.document)
    count_change(by)
    with transaction.atomic():
        row = locked(entry)
        check_base(row, to)
        check_publisher(row, by, documents.languages_changed(row.published.document if row.published else {}, clean))
        check_changed(row, clean, None)
        return write(row, clean, author=by, comment=said, follows=to.follows, reverts_to=to)


# --- Entries ----------------------------------------------------------------------------------------------------------


def new_entry(kind: str, key: str, language: str = "", *, slug: str = "") -> Entry:
    """An entry that is not published yet: `publish` or `suggest` in the same transaction gives it something to say.

    One that nobody has published is given again. A translation gets the address of its article. Raises BadDocument for a
    key, slug or language that cannot be, ``address-taken`` where it is published or its address belongs to another one.
    """
    problems: list[Problem] = []
    if kind not in Entry.Kind.values:
        problems.append(Problem("kind", _("There is no such kind of page.")))
    if language not in (dict(settings.LANGUAGES) if kind == Entry.Kind.ARTICLE else {""}):
        problems.append(Problem("language", _("There are no articles in this language.")))
    _KEY.read(key, "key", problems)
    if slug:
        _SLUG.read(slug, "slug", problems)
    if problems:
        raise BadDocument(problems)
    with transaction.atomic():
        same = Entry.objects.filter(kind=kind, key=key)
        found = same.filter(language=language).first()
        if found is not None:
            if found.published_id is not None:
                raise RulesError("address-taken")
            return found
        sibling = same.first()
        address = sibling.slug if sibling else slug or default_slug(kind, key)
        check_address(kind, key, address)
        # Whoever begins the same entry at the same moment is given the same row.
        names = {"kind": kind, "key": key, "language": language}
        return Entry.objects.get_or_create(**names, defaults={"slug": address})[0]


def default_slug(kind: str, key: str) -> str:
    """The address of an entry that nobody has named: `words.scart` is `scart`, `suits.cups` is `suits-cups`."""
    return key.removeprefix("words.").replace(".", "-") if kind == Entry.Kind.CONCEPT else key


def rename(entry: Entry, slug: str, *, by: Player) -> None:
    """Give an entry, an article in all its languages, another address; the old one leads there.

    Raises ``not-allowed`` unless `by` is an administrator, BadDocument, ``address-taken``, ``unchanged``.
    """
    check_administrator(by)
    address = checked_text("slug", _SLUG, slug)
    with transaction.atomic():
        of_all_languages = Entry.objects.filter(kind=entry.kind, key=entry.key)
        rows = list(of_all_languages.select_for_update(no_key=True).order_by("pk"))
        row = next(one for one in rows if one.pk == entry.pk)
        if row.slug == address:
            raise RulesError("unchanged")
        check_address(row.kind, row.key, address)
        Redirect.objects.filter(kind=row.kind, slug=address, key=row.key).delete()
        Redirect.objects.update_or_create(kind=row.kind, slug=row.slug, defaults={"key": row.key, "at": timezone.now()})
        of_all_languages.update(slug=address)
        renamed = list(of_all_languages.select_related("published"))
        project([(one, one.published) for one in renamed if one.published])


def protect(entry: Entry, level: str, *, by: Player) -> None:
    """Set who may change an entry. Raises ``not-allowed`` unless `by` is an administrator, BadDocument for a level that is
    none."""
    check_administrator(by)
    if level not in Entry.Protection.values:
        raise BadDocument([Problem("protection", _("There is no such protection."))])
    with transaction.atomic():
        row = locked(entry)
        row.protection = level
        row.save(update_fields=["protection"])


@dataclass(frozen=True, slots=True)
class Staleness:
    """How far a translation lags behind: what there is, and how many changes of it the translation has not followed."""

    newest: Revision
    changes: int


def staleness(entry: Entry) -> Staleness | None:
    """How many changes of its source article a translation has not followed; None if none, or if it is no translation.

    Minor changes do not count, nor do changes that were taken back.
    """
    newest = source_revision(entry) if entry.published is not None else None
    if entry.published is None or newest is None:
        return None
    followed = entry.published.follows
    if followed is not None and followed.document == newest.document:
        return None
    since = Revision.objects.filter(entry=newest.entry_id, minor=False, number__gt=followed.number if followed else 0)
    changes = since.count()
    return Staleness(newest, changes) if changes else None


# --- Discussion -------------------------------------------------------------------------------------------------------


def remark(kind: str, key: str, text: str, *, by: Player, question: str = "") -> Remark:
    """Say something about an entry, or in answer to its question box `question`.

    Raises ``not-there``, ``not-allowed`` (guests), BadDocument, ``too-fast``, ``spam-link``.
    """
    check_member(by)
    said = checked_text("text", _REMARK, text)
    asked = checked_text("question", Text(KEY_LENGTH), question)
    if not Entry.objects.filter(kind=kind, key=key).exists():
        raise RulesError("not-there")
    if not account_permissions.languages(by):
        check_links({}, {"text": said})
    count_change(by)
    return Remark.objects.create(kind=kind, key=key, author=by, text=said, question=asked)


def hide_remark(remark: Remark, *, by: Player, why: str) -> None:
    """Take a remark out of sight, with a reason; its text is kept. Raises ``not-allowed`` unless `by` edits, BadDocument,
    ``decided``."""
    if not account_permissions.languages(by):
        raise RulesError("not-allowed", _("Only editors can hide a remark."))
    reason = checked_text("why", _REASON, why)
    hidden = Remark.objects.filter(pk=remark.pk, hidden_at=None).update(
        hidden_by=by, hidden_at=timezone.now(), hidden_why=reason
    )
    if not hidden:
        raise RulesError("decided", _("This remark is hidden already."))
