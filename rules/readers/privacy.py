"""What readers told and follow, told to `accounts`. What they wrote and suggested is in `rules.privacy`."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from accounts.models import Player
from rules import terms
from rules.models import Entry
from rules.readers import services
from rules.readers.models import Contribution, FollowedPage, Recording, Saying


class Told:
    """Words, recordings and followed pages of a person, a guest or a member."""

    def merge(self, guest: Player, member: Player) -> None:
        """Guests only tell: what they told is the member's now."""
        Saying.objects.filter(player=guest).update(player=member)
        Recording.objects.filter(player=guest).update(player=member)

    def release(self, player: Player) -> bool:
        """What waits goes, names and recordings of the voice go; a word that was accepted stays, by nobody."""
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

    def export(self, player: Player) -> dict[str, object]:
        """All the player has told and spoken, and what they follow."""
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


TOLD: Final = Told()
