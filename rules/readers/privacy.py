"""Words, recordings and followed pages of a person, a guest or a member, for `accounts`.

Edits and suggestions are in `rules.privacy`.
"""

from __future__ import annotations

from django.db import transaction

from accounts.models import Player
from rules import terms
from rules.models import Entry
from rules.readers import services
from rules.readers.models import Contribution, FollowedPage, Recording, Saying


def merge(guest: Player, member: Player) -> None:
    """Give the member what the guest contributed. Guests cannot follow pages."""
    Saying.objects.filter(player=guest).update(player=member)
    Recording.objects.filter(player=guest).update(player=member)


def release(player: Player) -> bool:
    """Delete what waits or was declined, recordings and names; keep accepted words without a contributor.

    What a guest contributed stays as it is, like that of readers who have never played.
    """
    if not player.is_member:
        Saying.objects.filter(player=player).update(player=None)
        Recording.objects.filter(player=player).update(player=None)
        return False
    FollowedPage.objects.filter(player=player).delete()
    open_or_declined = Saying.objects.filter(player=player).exclude(state=Contribution.State.ACCEPTED)
    unsaid = Entry.objects.filter(published=None, sayings__in=open_or_declined)
    with transaction.atomic():
        rows = list(Entry.objects.filter(pk__in=unsaid.values("pk")).order_by("pk").select_for_update(no_key=True))
        open_or_declined.delete()
        for row in rows:
            services.forget_unsaid(row)
    Saying.objects.filter(player=player).update(player=None, name="")
    if Recording.objects.filter(player=player).delete()[0]:
        terms.note_change()
    return False


def export(player: Player) -> dict[str, object]:
    """All words and recordings of the player, and the pages they follow."""
    return {
        "words_told": [
            {
                "page": str(row.entry or ""),
                "word": row.text,
                "village": row.village,
                "sure": row.sure,
                "name": row.name,
            }
            | {"meaning": row.meaning, "at": row.at, "state": row.state}
            for row in Saying.objects.filter(player=player).select_related("entry").order_by("pk")
        ],
        "recordings": [
            {"page": str(row.entry), "word": row.text, "village": row.village, "name": row.name, "at": row.at}
            | {"state": row.state, "address": row.address}
            for row in Recording.objects.filter(player=player).select_related("entry").order_by("pk")
        ],
        "followed_pages": [
            {"page": str(row.entry), "since": row.since}
            for row in FollowedPage.objects.filter(player=player).select_related("entry")
        ],
    }
