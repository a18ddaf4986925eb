"""Somebody's follows and followers, their preferences about other people, and their messages, for `accounts`."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import Block, Player
from people.models import Follow, Message, PeoplePreference, Thread


def merge(guest: Player, member: Player) -> None:
    """End the follows between the member and everybody whom the guest has blocked or who has blocked the guest.

    Guests themselves neither follow nor write.
    """
    blocks = Block.objects.filter(Q(player=guest) | Q(blocked=guest)).values_list("player", "blocked")
    others = {key for pair in blocks for key in pair} - {guest.pk}
    Follow.objects.filter(Q(player=member, followed__in=others) | Q(player__in=others, followed=member)).delete()


def release(player: Player) -> bool:
    """Delete the player's follows, followers and preferences, and the texts of their messages.

    What others wrote to them is kept for those others, until they are gone too. Returns whether a thread still
    names the player.
    """
    Follow.objects.filter(Q(player=player) | Q(followed=player)).delete()
    PeoplePreference.objects.filter(player=player).delete()
    own = Thread.objects.filter(Q(first=player) | Q(second=player))
    Message.objects.filter(author=player).update(text="")
    other_is_gone = Q(first=player, second__retired_at__isnull=False) | Q(
        second=player, first__retired_at__isnull=False
    )
    no_text_left = ~Q(messages__text__gt="")
    own.filter(other_is_gone | no_text_left).delete()
    return own.exists()


def export(player: Player) -> dict[str, object]:
    """The player's preferences, follows and followers, and the messages they wrote and received."""
    preferences = PeoplePreference.objects.filter(player=player).values("found_by_name", "told_of_followers").first()
    following = Follow.objects.filter(player=player).select_related("followed__merged_into")
    followers = Follow.objects.filter(followed=player).select_related("player__merged_into")
    messages = Message.objects.filter(Q(thread__first=player) | Q(thread__second=player)).select_related(
        "thread__first__merged_into", "thread__second__merged_into"
    )
    return {
        "preferences": preferences,
        "following": [_named(row.followed) | {"since": row.since} for row in following],
        "followers": [_named(row.player) | {"since": row.since} for row in followers],
        "messages": [
            {
                "with": _named(row.thread.other(player)),
                "own": row.author_id == player.pk,
                "read": row.read_at is not None,
                "text": row.text if row.removed_at is None or row.author_id == player.pk else "",
                "at": row.at,
                "removed": row.reason,
            }
            | ({} if row.author_id == player.pk else {"read_at": row.read_at})  # when the other read is theirs to know
            for row in messages.order_by("thread", "pk")
        ],
    }


def _named(player: Player) -> dict[str, object]:
    return {"public_id": player.public_id, "name": player.display_name}
