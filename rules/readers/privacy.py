"""What the encyclopedia keeps about a person, told to `accounts`: what they changed, suggested, said and follow."""

from __future__ import annotations

from typing import Final

from accounts.models import Player
from rules import terms
from rules.models import Remark, Revision, Suggestion
from rules.readers.models import Contribution, FollowedPage, Recording, Saying


class Written:
    """Revisions and accepted suggestions are the history of pages that others read: they stay, without the name."""

    def merge(self, guest: Player, member: Player) -> None:
        """Guests only tell: what they told is the member's now."""
        Saying.objects.filter(player=guest).update(player=member)
        Recording.objects.filter(player=guest).update(player=member)

    def release(self, player: Player) -> bool:
        """The player's remarks lose their words, what waits goes, names and recordings of the voice go. True while a page's history names the player."""
        FollowedPage.objects.filter(player=player).delete()
        Saying.objects.filter(player=player).exclude(state=Contribution.State.ACCEPTED).delete()
        Saying.objects.filter(player=player).update(player=None, name="")
        if Recording.objects.filter(player=player).delete()[0]:
            terms.note_change()
        Suggestion.objects.filter(author=player).exclude(state=Suggestion.State.ACCEPTED).delete()
        Suggestion.objects.filter(author=player).update(comment="")
        Remark.objects.filter(author=player).update(text="")
        return (
            Revision.objects.filter(author=player).exists()
            or Revision.objects.filter(published_by=player).exists()
            or Suggestion.objects.filter(author=player).exists()
            or Remark.objects.filter(author=player).exists()
        )

    def export(self, player: Player) -> dict[str, object]:
        """All the player has changed, suggested, discussed and told, and what they follow."""
        suggestions = Suggestion.objects.filter(author=player).select_related("entry").order_by("pk")
        return {
            "changes": [
                {
                    "page": str(row.entry),
                    "number": row.number,
                    "comment": row.comment,
                    "at": row.at,
                    "text": row.document,
                }
                for row in Revision.objects.filter(author=player).select_related("entry").order_by("pk")
            ],
            "suggestions": [
                {"page": str(row.entry), "state": row.state, "comment": row.comment, "at": row.at, "text": row.document}
                | {"answer": row.answer}
                for row in suggestions
            ],
            "remarks": list(
                Remark.objects.filter(author=player).order_by("pk").values("kind", "key", "question", "text", "at")
            ),
            "words_told": [
                {"page": str(row.entry), "word": row.text, "village": row.village, "sure": row.sure, "name": row.name}
                | {"at": row.at, "state": row.state}
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


WRITTEN: Final = Written()
