"""Following a page: followers are notified of changes to the page and, for a translation, to its English page."""

from __future__ import annotations

from typing import Final

from django.db.models import Q, QuerySet

from accounts.models import Player
from notices import outbox
from notices.models import Outbox
from rules import services
from rules.models import SOURCE_LANGUAGE, Entry, Revision
from rules.readers.models import FollowedPage

CHANGED: Final = "readers.page-changed"


def follow(entry: Entry, *, by: Player) -> None:
    """Notify this member from now on when the page changes; following again changes nothing. Raises ``sign-in``."""
    services.check_member(by)
    FollowedPage.objects.get_or_create(player=by, entry=entry)


def unfollow(entry: Entry, *, by: Player) -> None:
    FollowedPage.objects.filter(player=by, entry=entry).delete()


def is_followed(entry: Entry, player: Player | None) -> bool:
    return player is not None and FollowedPage.objects.filter(player=player, entry=entry).exists()


def tell(revision: Revision) -> None:
    """Notify the followers of the page, except those who made the change or have an unread notice about the page.

    Runs in the transaction that publishes the revision.
    """
    entry = revision.entry
    waiting = Outbox.objects.filter(event=CHANGED, topic=topic_of(entry), read_at=None).values("player")
    for row in _followers(entry).exclude(player__in=waiting).select_related("player"):
        if row.player_id not in (revision.author_id, revision.published_by_id):
            outbox.put(CHANGED, row.player, {"revision": revision.pk}, topic=topic_of(entry))


def topic_of(entry: Entry) -> str:
    return f"page-{entry.pk}"


def _followers(entry: Entry) -> QuerySet[FollowedPage]:
    about = Q(entry=entry)
    if entry.kind == Entry.Kind.ARTICLE and entry.language == SOURCE_LANGUAGE:
        about |= Q(entry__kind=entry.kind, entry__key=entry.key)
    # A member who follows the page in two languages is told once.
    first = FollowedPage.objects.filter(about).order_by("player", "pk")
    chosen: dict[int, int] = {}
    for number, player in first.values_list("pk", "player"):
        chosen.setdefault(player, number)
    return FollowedPage.objects.filter(pk__in=chosen.values())
