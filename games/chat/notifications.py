"""The words of this app's notices, about actions of moderators. They never contain the words of a message."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from games.chat.models import ChatBan, Message
from notices.registry import Key, Kind, Lookup, Params, Words, numbers
from people.notifications import moderated

_MODERATED: Final = ("talk.removed", "talk.upheld", "talk.restored")
kinds: Final = dict.fromkeys((*_MODERATED, "talk.suspended"), Kind.OTHER)
"""The parameters: of the last `ban`, its key; of the others `game`, a public id, and `message`, its key."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """What became of a message is true until that changes, a suspension until it is over."""
    if event in _MODERATED:
        message = _message(params, player)
        return message is not None and (message.removed_at is None) == (event == "talk.restored")
    return event == "talk.suspended" and _ban(params, player) is not None


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    """The event in the player's language, with the reason that was given."""
    if event in _MODERATED:
        message = _message(params, player)
        if message is None:
            return None
        public_id, what = message.game.public_id, event.partition(".")[2]
        address = reverse("games:appeal", args=[public_id, message.pk])
        if what == "restored":
            address = f"{reverse('games:chat', args=[public_id])}#message-{message.pk}"
        return moderated(what, message.reason, address, f"message-{message.pk}")
    ban = _ban(params, player) if event == "talk.suspended" else None
    if ban is None:
        return None
    moment = formats.date_format(timezone.localtime(ban.until), "DATETIME_FORMAT")
    return Words(
        _("You cannot write in chats for a time"),
        _("You cannot write in chats until %(time)s. The reason: %(reason)s") % {"time": moment, "reason": ban.reason},
        reverse("notices:list"),
        "chat-ban",
    )


def _messages(keys: Collection[Key], player: Player) -> Mapping[Key, Message]:
    return Message.objects.filter(author=player).select_related("game").in_bulk(numbers(keys))


def _bans(keys: Collection[Key], player: Player) -> Mapping[Key, ChatBan]:
    return ChatBan.objects.filter(player=player, until__gt=timezone.now()).in_bulk(numbers(keys))


_message: Final = Lookup("message", _messages)
_ban: Final = Lookup("ban", _bans)
