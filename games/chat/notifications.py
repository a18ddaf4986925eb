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

kinds: Final = dict.fromkeys(("talk.removed", "talk.suspended"), Kind.OTHER)
"""The parameters: of the first `game`, a public id, and `message`, its key; of the second `ban`, its key."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """A removal is true while the message is removed, a suspension until it is over."""
    if event == "talk.removed":
        return _message(params, player) is not None
    return event == "talk.suspended" and _ban(params, player) is not None


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    """The event in the player's language, with the reason that was given."""
    if event == "talk.removed":
        message = _message(params, player)
        if message is None:
            return None
        return Words(
            _("A message of yours was removed"),
            _("A moderator removed it. The reason: %(reason)s You can ask for another look.")
            % {"reason": _sentence(message.reason)},
            reverse("games:appeal", args=[message.game.public_id, message.pk]),
            f"message-{message.pk}",
        )
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


def _removed(keys: Collection[Key], player: Player) -> Mapping[Key, Message]:
    rows = Message.objects.filter(author=player, removed_at__isnull=False).select_related("game")
    return rows.in_bulk(numbers(keys))


def _bans(keys: Collection[Key], player: Player) -> Mapping[Key, ChatBan]:
    return ChatBan.objects.filter(player=player, until__gt=timezone.now()).in_bulk(numbers(keys))


_message: Final = Lookup("message", _removed)
_ban: Final = Lookup("ban", _bans)


def _sentence(text: str) -> str:
    """The text with a full stop at the end, so that another sentence can follow."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
