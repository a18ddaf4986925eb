"""Keeping records that somebody brought: the only place where they are written and deleted."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Player
from games.imported.reading import Read
from games.imported_models import ImportedGame

KEPT_AT_MOST: Final = 200
"""Records of one player; who wants more deletes some."""
LOOKED_AT_FOR: Final = timedelta(days=1)
"""How long a record stays that is only looked at."""


class TooMany(Exception):
    """The player keeps as many records as one may."""


def bring(owner: Player, brought: Read, *, title: str = "", keep: bool, now: datetime | None = None) -> ImportedGame:
    """The record, at an address of its own: kept, or there for a day to be looked at. Raises TooMany.

    The same record is kept once: bringing it again leads to the same address, and keeps it if that is asked for now.
    """
    moment = now or timezone.now()
    known = _known(owner, brought.digest)
    if known is None and keep and kept(owner).count() >= KEPT_AT_MOST:
        raise TooMany
    until = None if keep else moment + LOOKED_AT_FOR
    if known is None:
        try:
            with transaction.atomic():
                return ImportedGame.objects.create(
                    owner=owner,
                    title=title,
                    ruleset=brought.record.ruleset.id,
                    record=brought.record.to_json(),
                    digest=brought.digest,
                    hands=len(brought.hands),
                    keep_until=until,
                )
        except IntegrityError:  # brought twice at the same moment
            known = ImportedGame.objects.get(owner=owner, digest=brought.digest)
    if known.keep_until is not None:
        known.keep_until = until
    known.title = title or known.title
    known.save(update_fields=["keep_until", "title"])
    return known


def keep(imported: ImportedGame) -> None:
    """Keep what was only to be looked at. Raises TooMany."""
    if imported.keep_until is not None:
        if kept(imported.owner).count() >= KEPT_AT_MOST:
            raise TooMany
        ImportedGame.objects.filter(pk=imported.pk).update(keep_until=None)


def delete(imported: ImportedGame) -> None:
    """Delete a record; its address opens nothing any more. Practice tables that were laid from it stay."""
    imported.delete()


def forget(now: datetime) -> int:
    """Delete what was only to be looked at and has had its time; returns how many."""
    deleted, _by_model = ImportedGame.objects.filter(keep_until__lte=now).delete()
    return deleted


def kept(owner: Player) -> QuerySet[ImportedGame]:
    """What the player keeps, the latest first."""
    return ImportedGame.objects.filter(owner=owner, keep_until__isnull=True).order_by("-created_at", "-pk")


def found(public_id: str, now: datetime | None = None) -> ImportedGame | None:
    """The record at this address, while it is there."""
    imported = ImportedGame.objects.filter(public_id=public_id).select_related("owner").first()
    if imported is None or (imported.keep_until is not None and imported.keep_until <= (now or timezone.now())):
        return None
    return imported


def _known(owner: Player, digest: str) -> ImportedGame | None:
    return ImportedGame.objects.filter(owner=owner, digest=digest).first()
