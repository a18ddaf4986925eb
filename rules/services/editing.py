"""THE door: every change of the encyclopedia comes in here, from pages, imports and programs alike.

Each function takes the write lock on the entry's row first (SQLite: the one write lock), checks, and writes the revision,
its projections and the search in the same transaction. A refusal (`rules.exceptions`) changes nothing. `by` is who acts; a
role is asked of `accounts.permissions`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import permissions as account_permissions
from accounts.models import Player
from rules import documents
from rules.documents import BadDocument, Problem
from rules.documents.kinds import KEY_HINT, SLUG_HINT
from rules.documents.shapes import Text
from rules.exceptions import RulesError
from rules.models import COMMENT_LENGTH, KEY_LENGTH, SLUG_LENGTH, Entry, Redirect, Remark, Revision, Suggestion
from rules.services import writing
from rules.services import writing as spam
from rules.services import writing as steps
from rules.services.writing import SOURCE_LANGUAGE

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
    steps.check_member(by)
    clean, said = documents.check(entry.kind, document), steps.text("comment", _LINE, comment)
    writing.count_change(by)
    with transaction.atomic():
        row = steps.locked(entry)
        steps.check_publisher(row, by, documents.languages_changed(base.document if base else {}, clean))
        merged = steps.onto_published(row, clean, base)
        steps.check_changed(row, merged, follows)
        steps.check_references(row, merged)
        return steps.write(row, merged, author=by, comment=said, minor=minor, follows=follows)


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
    steps.check_member(by)
    clean, said = documents.check(entry.kind, document), steps.text("comment", _LINE, comment)
    before = base.document if base else {}
    if not account_permissions.languages(by):
        spam.check_links(before, {**clean, "comment": said})
    writing.count_change(by)
    with transaction.atomic():
        row = steps.locked(entry)
        steps.check_base(row, base)
        if row.protection != Entry.Protection.OPEN and not steps.may_change(row, by):
            raise RulesError("protected")
        published = row.published.document if row.published else {}
        if clean in (before, published):
            raise RulesError("unchanged")
        if row.suggestions.filter(author=by, document=clean, state=Suggestion.State.OPEN).exists():
            raise RulesError("unchanged", _("You have suggested exactly this already. An editor will look at it."))
        steps.check_references(row, clean)
        return Suggestion.objects.create(
            entry=row,
            base=base,
            document=clean,
            author=by,
            comment=said,
            follows=follows or (steps.source_revision(row) if row.published is None else None),
            language=steps.language_of(row, before, clean),
        )


def accept(
    suggestion: Suggestion,
    *,
    by: Player,
    document: Mapping[str, Any] | None = None,
    base: Revision | None = None,
    answer: str = "",
) -> Revision:
    """Publish a suggestion, in its author's name, merged with what was published since.

    `document` is what the editor made of it, if anything, from the revision `base` (None: the suggestion's).
    Raises ``decided``, and what `publish` raises.
    """
    steps.check_member(by)
    said = steps.text("answer", _LINE, answer)
    own = documents.check(suggestion.entry.kind, document) if document is not None else None
    writing.count_change(by)
    with transaction.atomic():
        row, pending = steps.locked_suggestion(suggestion)
        clean = own if own is not None else documents.check(row.kind, pending.document)
        seen = base if own is not None and base is not None else pending.base
        steps.check_publisher(row, by, documents.languages_changed(seen.document if seen else {}, clean))
        merged = steps.onto_published(row, clean, seen)
        steps.check_changed(row, merged, pending.follows)
        steps.check_references(row, merged)
        revision = steps.write(
            row, merged, author=pending.author, published_by=by, comment=pending.comment, follows=pending.follows
        )
        steps.decide(pending, Suggestion.State.ACCEPTED, by, said, revision)
        return revision


def decline(suggestion: Suggestion, *, by: Player, answer: str) -> None:
    """Decline a suggestion, with a reason for its author. Raises BadDocument (no reason), ``not-allowed``, ``protected``,
    ``decided``."""
    steps.check_member(by)
    said = steps.text("answer", _REASON, answer)
    with transaction.atomic():
        row, pending = steps.locked_suggestion(suggestion)
        before = pending.base.document if pending.base else {}
        steps.check_publisher(row, by, documents.languages_changed(before, pending.document))
        steps.decide(pending, Suggestion.State.DECLINED, by, said)


def withdraw(suggestion: Suggestion, *, by: Player) -> None:
    """Take one's own suggestion back. Raises ``not-allowed``, ``decided``."""
    with transaction.atomic():
        _row, pending = steps.locked_suggestion(suggestion)
        if pending.author_id != by.pk:
            raise RulesError("not-allowed", _("Only its author can take a suggestion back."))
        steps.decide(pending, Suggestion.State.WITHDRAWN, by, "")


def revert(entry: Entry, to: Revision, *, by: Player, comment: str) -> Revision:
    """Publish again what revision `to` said. Raises what `publish` raises, and BadDocument without a comment."""
    steps.check_member(by)
    said = steps.text("comment", _REASON, comment)
    clean = documents.check(entry.kind, to.document)
    writing.count_change(by)
    with transaction.atomic():
        row = steps.locked(entry)
        steps.check_base(row, to)
        steps.check_publisher(
            row, by, documents.languages_changed(row.published.document if row.published else {}, clean)
        )
        steps.check_changed(row, clean, None)
        return steps.write(row, clean, author=by, comment=said, follows=to.follows, reverts_to=to)


# --- Entries ----------------------------------------------------------------------------------------------------------


def new_entry(kind: str, key: str, language: str = "", *, slug: str = "") -> Entry:
    """An entry that is not published yet: `publish` or `suggest` in the same transaction gives it something to say.

    One that nobody has published is given again. A translation gets the address of its article. Raises BadDocument for a
    key, slug or language that cannot be, ``address-taken`` where it is published or its address belongs to another one.
    """
    problems: list[Problem] = []
    if kind not in Entry.Kind.values:
        problems.append(Problem("kind", _("There is no such kind of page.")))
    if language not in (steps.article_languages() if kind == Entry.Kind.ARTICLE else {""}):
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
        steps.check_address(kind, key, address)
        return Entry.objects.create(kind=kind, key=key, language=language, slug=address)


def default_slug(kind: str, key: str) -> str:
    """The address of an entry that nobody has named: `words.scart` is `scart`, `suits.cups` is `suits-cups`."""
    return key.removeprefix("words.").replace(".", "-") if kind == Entry.Kind.CONCEPT else key


def rename(entry: Entry, slug: str, *, by: Player) -> None:
    """Give an entry, an article in all its languages, another address; the old one leads there.

    Raises ``not-allowed`` unless `by` is an administrator, BadDocument, ``address-taken``, ``unchanged``.
    """
    steps.check_administrator(by)
    address = steps.text("slug", _SLUG, slug)
    with transaction.atomic():
        of_all_languages = Entry.objects.filter(kind=entry.kind, key=entry.key)
        rows = list(of_all_languages.select_for_update(no_key=True).order_by("pk"))
        row = next(one for one in rows if one.pk == entry.pk)
        if row.slug == address:
            raise RulesError("unchanged")
        steps.check_address(row.kind, row.key, address)
        Redirect.objects.filter(kind=row.kind, slug=address, key=row.key).delete()
        Redirect.objects.update_or_create(kind=row.kind, slug=row.slug, defaults={"key": row.key, "at": timezone.now()})
        of_all_languages.update(slug=address)
        renamed = list(of_all_languages.select_related("published"))
        steps.project([(one, one.published) for one in renamed if one.published])


def protect(entry: Entry, level: str, *, by: Player) -> None:
    """Set who may change an entry. Raises ``not-allowed`` unless `by` is an administrator, BadDocument for a level that is
    none."""
    steps.check_administrator(by)
    if level not in Entry.Protection.values:
        raise BadDocument([Problem("protection", _("There is no such protection."))])
    with transaction.atomic():
        row = steps.locked(entry)
        row.protection = level
        row.save(update_fields=["protection"])


@dataclass(frozen=True, slots=True)
class Staleness:
    """How far a translation lags behind: what it says (None: nobody knows), what there is, and how many changes lie between."""

    source_revision: Revision | None
    newest: Revision
    changes: int


def staleness(entry: Entry) -> Staleness | None:
    """How many changes of its source article a translation has not followed; None if none, or if it is no translation.

    Minor changes do not count, nor do changes that were taken back.
    """
    if entry.kind != Entry.Kind.ARTICLE or entry.language == SOURCE_LANGUAGE or entry.published is None:
        return None
    source = (
        Entry.objects.filter(kind=entry.kind, key=entry.key, language=SOURCE_LANGUAGE)
        .select_related("published")
        .first()
    )
    if source is None or source.published is None:
        return None
    followed = entry.published.follows
    if followed is not None and followed.document == source.published.document:
        return None
    since = source.revisions.filter(minor=False, number__gt=followed.number if followed else 0)
    changes = since.count()
    return Staleness(followed, source.published, changes) if changes else None


# --- Discussion -------------------------------------------------------------------------------------------------------


def remark(kind: str, key: str, text: str, *, by: Player, question: str = "") -> Remark:
    """Say something about an entry, or in answer to its question box `question`.

    Raises ``not-there``, ``not-allowed`` (guests), BadDocument, ``too-fast``, ``spam-link``.
    """
    steps.check_member(by)
    said = steps.text("text", _REMARK, text)
    asked = steps.text("question", Text(KEY_LENGTH), question)
    if not Entry.objects.filter(kind=kind, key=key).exists():
        raise RulesError("not-there")
    if not account_permissions.languages(by):
        spam.check_links({}, {"text": said})
    writing.count_change(by)
    return Remark.objects.create(kind=kind, key=key, author=by, text=said, question=asked)


def hide_remark(remark: Remark, *, by: Player, why: str) -> None:
    """Take a remark out of sight, with a reason; its text is kept. Raises ``not-allowed`` unless `by` edits, BadDocument,
    ``decided``."""
    if not account_permissions.languages(by):
        raise RulesError("not-allowed", _("Only editors can hide a remark."))
    reason = steps.text("why", _REASON, why)
    hidden = Remark.objects.filter(pk=remark.pk, hidden_at=None).update(
        hidden_by=by, hidden_at=timezone.now(), hidden_why=reason
    )
    if not hidden:
        raise RulesError("decided", _("This remark is hidden already."))
