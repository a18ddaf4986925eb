"""How the notices of this app are worded: what moderators did with what somebody wrote. Never the words themselves."""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from accounts.models import Player
from games.chat.models import ChatBan, Message
from notices.registry import Params, Words


class Talk:
    """Speaks for `talk.removed` (`game`, a public id, and `message`, its key) and `talk.suspended` (`ban`, its key)."""

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """A removal holds while the message is removed, a suspension until it is over."""
        if event == "talk.removed":
            return self._message(params, player) is not None
        return event == "talk.suspended" and self._ban(params, player) is not None

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The event in the player's language, with the reason that was given."""
        if event == "talk.removed":
            message = self._message(params, player)
            if message is None:
                return None
            return Words(
                _("A message of yours was removed"),
                _("A moderator removed it. The reason: %(reason)s You can ask for another look.")
                % {"reason": _sentence(message.reason)},
                reverse("games:appeal", args=[message.game.public_id, message.pk]),
                f"message-{message.pk}",
            )
        ban = self._ban(params, player) if event == "talk.suspended" else None
        if ban is None:
            return None
        moment = formats.date_format(timezone.localtime(ban.until), "DATETIME_FORMAT")
        return Words(
            _("You cannot write in chats for a time"),
            _("Until %(time)s. The reason: %(reason)s") % {"time": moment, "reason": ban.reason},
            reverse("notices:list"),
            "chat-ban",
        )

    def _message(self, params: Params, player: Player) -> Message | None:
        rows = Message.objects.filter(pk=_key(params, "message"), author=player, removed_at__isnull=False)
        return rows.select_related("game").first()

    def _ban(self, params: Params, player: Player) -> ChatBan | None:
        return ChatBan.objects.filter(pk=_key(params, "ban"), player=player, until__gt=timezone.now()).first()


def _key(params: Params, name: str) -> int:
    """The key of a row among the parameters; one that no row has if it is missing."""
    key = params.get(name)
    return key if isinstance(key, int) else 0


def _sentence(text: str) -> str:
    """With a full stop at the end, so that another sentence can follow."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


TALK: Final = Talk()
