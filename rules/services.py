"""Every change to the encyclopedia, whether it comes from a page, an import or a program.

Each function first takes the write lock on the entry's row (SQLite: its single write lock), checks, and writes the
revision, its projections and the search index in the same transaction. A refusal (`rules.exceptions`) changes nothing.
`by` is the person acting; `accounts.permissions` knows their roles.
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

_RESERVED_SLUGS: Final[Mapping[str, frozenset[str]]] = {Entry.Kind.CONCEPT: frozenset({"list", "phrases", "elsewhere"})}
"""Slugs that no entry of a kind may have, because other pages have these addresses (`rules.urls`)."""


published: Final = Registry[Callable[[Revision], None]]()
"""Called with each revision that somebody publishes, in the same transaction; followers are notified this way."""


def lock(entry: Entry) -> Entry:
    """Lock the entry's row and return the entry as it is now.

    Its revision is read after the lock: in a join, PostgreSQL might still return the previous one.
    """
    return Entry.objects.select_for_update(no_key=True).get(pk=entry.pk)


def lock_suggestion(suggestion: Suggestion) -> tuple[Entry, Suggestion]:
    """Lock the entry's row, then the suggestion's, and return both.

    Raises ``decided`` unless the suggestion is open.
    """
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
    except account_permissions.Suspended as refusal:
        raise RulesError("not-allowed", str(refusal)) from None


def check_administrator(by: Player) -> None:
    if not account_permissions.may(by, account_permissions.ADMINISTRATOR):
        raise RulesError("not-allowed", _("Only administrators can do that."))


def check_publisher(row: Entry, by: Player, changed: Iterable[str]) -> None:
    """Check that `by` may publish a change in these languages. Raises ``not-allowed``, ``protected``.

    An article is in one language; sources and places are in none.
    """
    if not account_permissions.languages(by):
        raise RulesError("not-allowed")
    if row.protection == Entry.Protection.ADMINISTRATORS and not account_permissions.may(
        by, account_permissions.ADMINISTRATOR
    ):
        raise RulesError("protected")
    if row.kind in (Entry.Kind.SOURCE, Entry.Kind.PLACE):
        return
    languages = {row.language} if row.kind == Entry.Kind.ARTICLE else set(changed)
    if not all(account_permissions.may(by, account_permissions.EDITOR, language) for language in languages):
        raise RulesError("not-allowed")


def may_change(row: Entry, by: Player) -> bool:
    """Whether the entry's protection allows `by` to change it."""
    if row.protection == Entry.Protection.ADMINISTRATORS:
        return account_permissions.may(by, account_permissions.ADMINISTRATOR)
    return row.protection == Entry.Protection.OPEN or bool(account_permissions.languages(by))


def check_base(row: Entry, base: Revision | None) -> None:
    if base is not None and base.entry_id != row.pk:
        raise ValueError(f"{base} is no revision of {row}")


def onto_published(row: Entry, mine: Document, base: Revision | None) -> Document:
    """The changes from `base` to `mine`, applied to what is published now. Raises Conflict, BadDocument."""
    check_base(row, base)
    now = row.published
    if now is None or (base is not None and base.pk == now.pk):
        return mine
    merge = documents.merge(row.kind, base.document if base else {}, mine, now.document)
    if merge.document is None:
        raise Conflict(merge, mine, now)
    return documents.check(row.kind, merge.document)


def check_changed(row: Entry, document: Document, follows: Revision | None) -> None:
    """Raise ``unchanged`` if `document` is what is published already.

    It is a change, too, if the same translation now follows another revision of its source.
    """
    now = row.published
    if now is not None and now.document == document and (follows is None or follows.pk == now.follows_id):
        raise RulesError("unchanged")


def check_references(row: Entry, document: Document) -> None:
    """Check that newly referenced sources, places and words exist.

    References broken before may stay. Raises BadDocument.
    """
    before = row.published.document if row.published else {}
    problems: list[Problem] = []
    for kind, model, message in (
        ("source", Source, _("There is no such source. Suggest it first.")),
        ("place", Place, _("There is no such place. Suggest it first.")),
        ("concept", Concept, _("There is no such word. Suggest it first.")),
    ):
        references = documents.references(row.kind, document, kind)
        new = {*references.values()} - {*documents.references(row.kind, before, kind).values()}
        missing = new - set(model.objects.filter(key__in=new).values_list("key", flat=True)) if new else set()
        problems += [Problem(path, message) for path, key in references.items() if key in missing]
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
    """Update the projections, the search index and, unless only articles changed, the version of the names."""
    projections.project([(entry, revision.document) for entry, revision in published])
    projections.make_findable([entry for entry, _revision in published])
    if any(entry.kind != Entry.Kind.ARTICLE for entry, _revision in published):
        terms.note_change()


def source_revision(row: Entry) -> Revision | None:
    """The published revision of a translation's source article; None if there is none or `row` is no translation."""
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
    event = _EVENTS.get(state)
    if event is not None and pending.author_id != by.pk:
        outbox.put(event, pending.author, {"suggestion": pending.pk})


_EVENTS: Final = {
    Suggestion.State.ACCEPTED: "rules.suggestion-accepted",
    Suggestion.State.DECLINED: "rules.suggestion-declined",
}
"""The notice that the author gets when somebody else decides; `rules.notifications` has the wording."""


def check_address(kind: str, key: str, slug: str) -> None:
    if slug in _RESERVED_SLUGS.get(kind, ()):
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
    """A short text that accompanies a change, checked and tidied by `shape`. Raises BadDocument."""
    problems: list[Problem] = []
    text = shape.read(value, field, problems)
    if problems:
        raise BadDocument(problems)
    return text or ""


EDITORS: Final = 300
MEMBERS: Final = 30
NEWCOMERS: Final = 6
KNOWN_AFTER: Final = timedelta(days=3)
KNOWN_WITH: Final = 3  # accepted suggestions
_HOUR: Final = 3600.0


def changes_per_hour(player: Player) -> int:
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
    """Count one change.

    Raises ``too-fast``. Call it outside of transactions, so that changes refused later count, too.
    """
    allowed = changes_per_hour(player)
    # Each allowance has its own bucket: a member who has just stopped being a newcomer need not wait.
    if not limits.take(f"rules:{allowed}:{player.pk}", rate=allowed, per=_HOUR):
        raise RulesError("too-fast")


MOST_NEW_LINKS: Final = 5
_LINK: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]{0,20}:)?//[^\s<>()\[\]\"'`|\\]+|\b(?:www\.|mailto:)[^\s<>()\[\]\"'`|\\]+", re.IGNORECASE
)


def links_in(text: str) -> set[str]:
    """The addresses in a text as written: with a scheme, without one (`//…`, `www.…`), and `mailto:` addresses."""
    return {link.rstrip(".,;:!?") for link in _LINK.findall(text)}


def check_links(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Check that new links are few and that each leads to the host of a published source. Raises ``spam-link``.

    The address of a source itself is not checked: suggesting a source is how a host becomes known.
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
    """The host a link leads to, without `www.`; the whole link if no host can be read from it."""
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
_REASON: Final = Text(COMMENT_LENGTH, required=True, missing=_("Give a reason."))
_REMARK: Final = Text(REMARK_LENGTH, required=True, lines=200)
_KEY: Final = Text(KEY_LENGTH, required=True, pattern=re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*"), hint=KEY_HINT)
_SLUG: Final = Text(SLUG_LENGTH, required=True, pattern=re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*"), hint=SLUG_HINT)


# --- Changes to a document --------------------------------------------------------------------------------------------


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

    If somebody else published in the meantime, the two changes are merged. `minor` leaves translations valid; `follows`
    is the revision of its source article that a translation now corresponds to (None: the same as before). Raises
    BadDocument, ``not-allowed``, ``protected``, ``too-fast``, Conflict, ``unchanged``; ValueError for a base of another
    entry.
    """
    check_member(by)
    clean = documents.check(entry.kind, document)
    comment = checked_text("comment", _LINE, comment)
    count_change(by)
    with transaction.atomic():
        row = lock(entry)
        check_publisher(row, by, documents.languages_changed(base.document if base else {}, clean))
        merged = onto_published(row, clean, base)
        check_changed(row, merged, follows)
        check_references(row, merged)
        return write(row, merged, author=by, comment=comment, minor=minor, follows=follows)


def suggest(
    entry: Entry,
    document: Mapping[str, Any],
    *,
    by: Player,
    base: Revision | None,
    comment: str = "",
    follows: Revision | None = None,
) -> Suggestion:
    """Propose `document`, made from the revision `base`, for an editor to review.

    Raises BadDocument, ``not-allowed`` (guests), ``protected``, ``too-fast``, ``spam-link``, ``unchanged``; ValueError for
    a base of another entry.
    """
    check_member(by)
    clean = documents.check(entry.kind, document)
    comment = checked_text("comment", _LINE, comment)
    before = base.document if base else {}
    if not account_permissions.languages(by):
        check_links(before, {**clean, "comment": comment})
    count_change(by)
    with transaction.atomic():
        row = lock(entry)
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
            comment=comment,
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
    """Publish a suggestion in its author's name, merged with what was published since; `minor` as for `publish`.

    `document` is the editor's version of it, if any, made from the revision `base` (None: the suggestion's base).
    Raises ``decided``, and what `publish` raises.
    """
    check_member(by)
    answer = checked_text("answer", _LINE, answer)
    edited = documents.check(suggestion.entry.kind, document) if document is not None else None
    count_change(by)
    with transaction.atomic():
        row, pending = lock_suggestion(suggestion)
        clean = edited if edited is not None else documents.check(row.kind, pending.document)
        made_from = base if edited is not None and base is not None else pending.base
        check_publisher(row, by, documents.languages_changed(made_from.document if made_from else {}, clean))
        merged = onto_published(row, clean, made_from)
        check_changed(row, merged, pending.follows)
        check_references(row, merged)
        revision = write(
            row, merged, author=pending.author, published_by=by, comment=pending.comment, minor=minor, follows=pending.follows
        )  # fmt: skip
        decide(pending, Suggestion.State.ACCEPTED, by, answer, revision)
        return revision


def decline(suggestion: Suggestion, *, by: Player, answer: str) -> None:
    """Decline a suggestion, with a reason for its author.

    Raises BadDocument (no reason), ``not-allowed``, ``protected``, ``decided``.
    """
    check_member(by)
    answer = checked_text("answer", _REASON, answer)
    with transaction.atomic():
        row, pending = lock_suggestion(suggestion)
        before = pending.base.document if pending.base else {}
        check_publisher(row, by, documents.languages_changed(before, pending.document))
        decide(pending, Suggestion.State.DECLINED, by, answer)


def withdraw(suggestion: Suggestion, *, by: Player) -> None:
    """Withdraw a suggestion of one's own. Raises ``not-allowed``, ``decided``."""
    with transaction.atomic():
        _row, pending = lock_suggestion(suggestion)
        if pending.author_id != by.pk:
            raise RulesError("not-allowed", _("Only its author can take a suggestion back."))
        decide(pending, Suggestion.State.WITHDRAWN, by, "")


def revert(entry: Entry, to: Revision, *, by: Player, comment: str) -> Revision:
    """Publish the document of revision `to` again. Raises what `publish` raises, and BadDocument without a comment."""
    check_member(by)
    comment = checked_text("comment", _REASON, comment)
    clean = documents.check(entry.kind, to.document)
    count_change(by)
    with transaction.atomic():
        row = lock(entry)
        check_base(row, to)
        check_publisher(row, by, documents.languages_changed(row.published.document if row.published else {}, clean))
        check_changed(row, clean, None)
        return write(row, clean, author=by, comment=comment, follows=to.follows, reverts_to=to)


# --- Entries ----------------------------------------------------------------------------------------------------------


def new_entry(kind: str, key: str, language: str = "", *, slug: str = "") -> Entry:
    """Create an unpublished entry; call `publish` or `suggest` in the same transaction to give it content.

    If the entry exists but is not published, it is returned. A translation gets the address of its article. Raises
    BadDocument for an invalid kind, key, slug or language, ``address-taken`` if the entry is published or its address
    belongs to another one.
    """
    problems: list[Problem] = []
    if kind not in Entry.Kind.values:
        problems.append(Problem("kind", _("There is no such kind of page.")))
    languages = dict(settings.LANGUAGES) if kind == Entry.Kind.ARTICLE else {""}
    if language not in languages:
        problems.append(Problem("language", _("There are no articles in this language.")))
    _KEY.read(key, "key", problems)
    if slug:
        _SLUG.read(slug, "slug", problems)
    if problems:
        raise BadDocument(problems)
    with transaction.atomic():
        same = Entry.objects.filter(kind=kind, key=key)
        existing = same.filter(language=language).first()
        if existing is not None:
            if existing.published_id is not None:
                raise RulesError("address-taken")
            return existing
        sibling = same.first()
        address = sibling.slug if sibling else slug or default_slug(kind, key)
        check_address(kind, key, address)
        # Two people who begin the same entry at the same moment get the same row.
        names = {"kind": kind, "key": key, "language": language}
        return Entry.objects.get_or_create(**names, defaults={"slug": address})[0]


def default_slug(kind: str, key: str) -> str:
    """The address of an entry unless another is chosen: `scart` for `words.scart`, `suits-cups` for `suits.cups`."""
    return key.removeprefix("words.").replace(".", "-") if kind == Entry.Kind.CONCEPT else key


def rename(entry: Entry, slug: str, *, by: Player) -> None:
    """Give an entry (an article: in all its languages) another address; the old one redirects to it.

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
    """Set who may change an entry.

    Raises ``not-allowed`` unless `by` is an administrator, BadDocument for an unknown level.
    """
    check_administrator(by)
    if level not in Entry.Protection.values:
        raise BadDocument([Problem("protection", _("There is no such protection."))])
    with transaction.atomic():
        row = lock(entry)
        row.protection = level
        row.save(update_fields=["protection"])


@dataclass(frozen=True, slots=True)
class Staleness:
    """How far a translation lags behind: the newest revision of its source, and the number of changes missed."""

    newest: Revision
    changes: int


def staleness(entry: Entry) -> Staleness | None:
    """How far a translation lags behind its source article; None if it does not, or if it is no translation.

    Minor changes do not count, nor do changes that were reverted.
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
    """Post a remark on an entry, or an answer to its question box `question`.

    Raises ``not-there``, ``not-allowed`` (guests), BadDocument, ``too-fast``, ``spam-link``.
    """
    check_member(by)
    text = checked_text("text", _REMARK, text)
    question = checked_text("question", Text(KEY_LENGTH), question)
    if not Entry.objects.filter(kind=kind, key=key).exists():
        raise RulesError("not-there")
    if not account_permissions.languages(by):
        check_links({}, {"text": text})
    count_change(by)
    return Remark.objects.create(kind=kind, key=key, author=by, text=text, question=question)


def hide_remark(remark: Remark, *, by: Player, why: str) -> None:
    """Hide a remark, with a reason; its text is kept.

    Raises ``not-allowed`` unless `by` is an editor, BadDocument, ``decided`` if it is hidden already.
    """
    if not account_permissions.languages(by):
        raise RulesError("not-allowed", _("Only editors can hide a remark."))
    reason = checked_text("why", _REASON, why)
    hidden = Remark.objects.filter(pk=remark.pk, hidden_at=None).update(
        hidden_by=by, hidden_at=timezone.now(), hidden_why=reason
    )
    if not hidden:
        raise RulesError("decided", _("This remark is hidden already."))
