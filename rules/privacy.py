"""What somebody published, suggested and remarked in the encyclopedia, for `accounts`. Guests can do none of it."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import Player
from rules.models import Remark, Revision, Suggestion


def merge(guest: Player, member: Player) -> None:
    """Do nothing: a guest has nothing here."""


def release(player: Player) -> bool:
    """Delete remarks and suggestions that were not accepted. What was published stays, by a former player.

    Returns whether the history still names the player.
    """
    Remark.objects.filter(author=player).delete()
    Suggestion.objects.filter(author=player).exclude(state=Suggestion.State.ACCEPTED).delete()
    revisions = Revision.objects.filter(Q(author=player) | Q(published_by=player))
    suggestions = Suggestion.objects.filter(Q(author=player) | Q(decided_by=player))
    return revisions.exists() or suggestions.exists() or Remark.objects.filter(hidden_by=player).exists()


def export(player: Player) -> dict[str, object]:
    """What the player published, suggested and remarked, each with the entry it belongs to."""
    revisions = Revision.objects.filter(author=player).select_related("entry").order_by("at")
    suggestions = Suggestion.objects.filter(author=player).select_related("entry").order_by("at")
    return {
        "published": [
            {"entry": str(row.entry), "number": row.number, "comment": row.comment, "document": row.document}
            | {"at": row.at}
            for row in revisions
        ],
        "suggested": [
            {"entry": str(row.entry), "state": row.state, "comment": row.comment, "document": row.document}
            | {"answer": row.answer, "at": row.at}
            for row in suggestions
        ],
        "remarks": [
            {"about": f"{row.kind} {row.key}", "text": row.text, "question": row.question, "at": row.at}
            | {"hidden": row.hidden_why}
            for row in Remark.objects.filter(author=player).order_by("at")
        ],
    }
