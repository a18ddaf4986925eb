"""What players have written and noted, for `accounts`: merging, deletion and export."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import Player
from games.chat.models import ChatBan, ChatPlace, Message, Muted, Note
from games.models import TableChat
from games.services.agreements import merge_consent


def merge(guest: Player, member: Player) -> None:
    """Give the member what the guest wrote; if both have a note at the same place, the texts are joined."""
    Message.objects.filter(author=guest).update(author=member)
    for note in Note.objects.filter(player=guest):
        own = Note.objects.filter(game=note.game_id, player=member, hand=note.hand, trick=note.trick).first()
        if own is None:
            Note.objects.filter(pk=note.pk).update(player=member)
        else:
            own.text = f"{own.text}\n\n{note.text}"
            own.save(update_fields=["text"])
            note.delete()
    known = ChatPlace.objects.filter(player=member).values("game")
    ChatPlace.objects.filter(player=guest).exclude(game__in=known).update(player=member)
    ChatPlace.objects.filter(player=guest).delete()
    muted = Muted.objects.filter(player=member).values("muted")
    Muted.objects.filter(player=guest).exclude(Q(muted__in=muted) | Q(muted=member)).update(player=member)
    Muted.objects.filter(player=guest).delete()
    by = Muted.objects.filter(muted=member).values("player")
    Muted.objects.filter(muted=guest).exclude(Q(player__in=by) | Q(player=member)).update(muted=member)
    Muted.objects.filter(muted=guest).delete()
    ChatBan.objects.filter(player=guest).update(player=member)
    merge_consent(TableChat, guest, member)


def release(player: Player) -> bool:
    """Delete the player's words and notes. The messages stay without words, so that the replies still make sense.

    Returns whether there is a message by the player.
    """
    own = Message.objects.filter(author=player)
    own.filter(kind=Message.Kind.SAID).update(kind=Message.Kind.GONE, text="", reason="")
    Note.objects.filter(player=player).delete()
    ChatPlace.objects.filter(player=player).delete()
    Muted.objects.filter(Q(player=player) | Q(muted=player)).delete()
    ChatBan.objects.filter(player=player).delete()
    return own.exists()


def export(player: Player) -> dict[str, object]:
    """The player's messages and notes, the people they muted, and when they were barred from writing."""
    messages = Message.objects.filter(author=player).exclude(kind=Message.Kind.GONE).select_related("game")
    notes = Note.objects.filter(player=player).select_related("game").order_by("game", "hand", "trick")
    return {
        "messages": [
            {"game": row.game.public_id, "chat": row.channel, "kind": row.kind, "text": row.text, "at": row.at}
            | {"hand": row.hand, "after_action": row.number}
            | ({"removed_at": row.removed_at, "reason": row.reason} if row.removed_at is not None else {})
            for row in messages.order_by("pk")
        ],
        "notes": [
            {"game": row.game.public_id, "hand": row.hand, "trick": row.trick, "after_action": row.number}
            | {"text": row.text, "written_at": row.written_at}
            for row in notes
        ],
        "muted": [
            {"public_id": row.muted.public_id, "name": row.muted.display_name, "since": row.since}
            for row in Muted.objects.filter(player=player).select_related("muted__merged_into").order_by("pk")
        ],
        "chat_suspensions": list(ChatBan.objects.filter(player=player).values("at", "until", "reason")),
    }
