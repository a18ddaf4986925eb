"""Reports about messages, and the actions of moderators: remove a message, restore it, bar somebody from writing for a
time.

A moderator only reads reported messages and those around them. Reports from a game in which they play themselves, and
whose messages they may not read yet, are left to another moderator.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import permissions as account_permissions
from accounts import reports as account_reports
from accounts.models import Player, Report
from accounts.registry import Evidence, Said
from core.http import whole_number
from core.text import one_line
from games.chat import permissions as chat_permissions
from games.chat.exceptions import ChatError, NoSuchMessage
from games.chat.models import REASON_LENGTH, ChatBan, Message
from games.chat.selectors import words_of
from games.chat.services import ring_after_change
from games.exceptions import Malformed, NotNow
from games.models import BoardSet, Game
from games.services import boards
from notices import outbox

SUBJECT: Final = "message"
AROUND: Final = 8
"""How many messages before and after the reported one are shown with it."""
BANS: Final = (timedelta(days=1), timedelta(days=7), timedelta(days=30))
"""How long somebody can be barred from writing."""


def subject_of(message: Message) -> str:
    """The subject of reports about this message."""
    return f"{SUBJECT}:{message.pk}"


def find_message(game: Game, key: int, reader: Player) -> Message:
    """A message that `reader` may read. Raises NoSuchMessage for any other."""
    rows = chat_permissions.readable(game, reader).filter(pk=key).select_related("author__merged_into", "game")
    message = rows.first()
    if message is None:
        raise NoSuchMessage
    return message


# reports


def report(message: Message, by: Player, *, reason: str, text: str) -> Report:
    """Report a message that `by` can read to the moderators. Another report of it by the same person changes the first.

    Raises NotNow for a message of their own or one without words, ``too-fast``.
    """
    if message.author_id == by.pk or message.kind in (Message.Kind.GONE, Message.Kind.MODE):
        raise NotNow
    return _file(message, about=message.author.current, by=by, reason=reason, text=text)


def appeal(message: Message, author: Player, text: str) -> Report:
    """Ask the moderators, as the author of a removed message, to look at it again; until one does, it can be changed.

    Raises NotNow if it is not removed, or a moderator has done so already; ``too-fast``.
    """
    if message.author_id != author.pk or message.removed_at is None:
        raise NotNow
    before = appeal_of(message)
    if before is not None and before.settled_at is not None:
        raise NotNow
    return _file(message, about=author, by=author, reason=Report.Reason.OTHER, text=text)


def appeal_of(message: Message) -> Report | None:
    """The appeal of the message's author, open or settled (`accounts.reports`)."""
    return account_reports.appeal_of(subject_of(message), message.author, message.removed_at)


def _file(message: Message, *, about: Player, by: Player, reason: str, text: str) -> Report:
    if reason not in Report.Reason.values:
        raise Malformed("reason is one of those that are offered")
    path = reverse("games:table", args=[message.game.public_id])
    row = account_permissions.file_report(
        subject_of(message), about=about, by=by, reason=reason, text=text, context=path
    )
    if row is None:
        raise ChatError("too-fast")
    return row


def evidence(key: str, moderator: Player) -> Evidence | None:
    """The reported message with those around it (`accounts.registry`). Removed words are shown as they were written.

    None if it is missing or the moderator may not handle it.
    """
    message = _message(key)
    if message is None or not may_moderate(message, moderator):
        return None
    same = Message.objects.filter(game=message.game_id, channel=message.channel).select_related("author__merged_into")
    before = list(same.filter(pk__lt=message.pk).order_by("-pk")[:AROUND])[::-1]
    after = list(same.filter(pk__gt=message.pk).order_by("pk")[:AROUND])
    return Evidence(
        [_evidence_line(row, row.pk == message.pk) for row in (*before, message, *after)],
        reverse("games:moderate", args=[message.game.public_id, message.pk]),
    )


def _message(key: str) -> Message | None:
    return Message.objects.filter(pk=whole_number(key, 17) or 0).select_related("game", "author__merged_into").first()


def _evidence_line(row: Message, reported: bool) -> Said:
    words = words_of(row)
    if row.kind == Message.Kind.MODE:
        words = _("Agreed for the chat: %(mode)s.") % {"mode": words}
    return Said(row.author.display_name, words, row.at, reported)


def may_moderate(message: Message, player: Player | None) -> bool:
    """Whether the player is a moderator who may handle this message.

    It must have been reported and not be their own, and they must not have taken part in its game while that goes on,
    nor sit at another table with the same sealed deals.
    """
    if (
        player is None
        or not account_permissions.may(player, account_permissions.MODERATOR)
        or message.author.current.pk == player.pk
    ):
        return False
    if not chat_permissions.is_over(message.game) and chat_permissions.took_part(message.game, player):
        return False
    shared = message.game.board_set if message.game.is_sealed else None
    if shared is not None and boards.has_met(player, shared):
        return False
    return Report.objects.filter(subject=subject_of(message)).exists()


def may_have_read(player: Player, shared: BoardSet) -> bool:
    """Whether the player is a moderator and a message from a table with these sealed deals was reported.

    They may know its deals then, so they may not take a seat there any more (`boards.knowing`).
    """
    if not account_permissions.may(player, account_permissions.MODERATOR):
        return False
    keys = Message.objects.filter(game__board_set=shared).values_list("pk", flat=True)
    return Report.objects.filter(subject__in=[f"{SUBJECT}:{key}" for key in keys]).exists()


# actions of moderators


def remove(message: Message, by: Player, reason: str) -> None:
    """Remove a message: everybody reads the reason instead, and the author is told. Again, it changes the reason.

    Expects that `by` may moderate it. Raises ``reason-needed``, NotNow for a message not in somebody's own words.
    """
    text = _reason(reason)
    with transaction.atomic():
        row = Message.objects.select_for_update().get(pk=message.pk)
        if row.kind != Message.Kind.SAID:
            raise NotNow
        first = row.removed_at is None
        row.removed_at, row.removed_by, row.reason = row.removed_at or timezone.now(), by, text
        row.save(update_fields=["removed_at", "removed_by", "reason"])
        if first:
            _tell("talk.removed", message)
        ring_after_change(message)


def restore(message: Message, by: Player) -> None:
    """Restore a removed message, and tell its author. Raises NotNow if it is not removed."""
    with transaction.atomic():
        row = Message.objects.select_for_update().get(pk=message.pk)
        if row.removed_at is None:
            raise NotNow
        row.removed_at, row.removed_by, row.reason = None, by, ""
        row.save(update_fields=["removed_at", "removed_by", "reason"])
        _tell("talk.restored", message)
        ring_after_change(message)


def tell_answer(key: str) -> None:
    """Tell the author that the message stays removed (`accounts.registry`). That it was restored, they know already."""
    message = _message(key)
    if message is not None and message.removed_at is not None:
        _tell("talk.upheld", message)


def _tell(event: str, message: Message) -> None:
    outbox.put(event, message.author.current, {"game": message.game.public_id, "message": message.pk})


def suspend(player: Player, by: Player, length: timedelta, reason: str, now: datetime | None = None) -> ChatBan:
    """Bar somebody from writing in chats for a time, and tell them.

    Raises ``reason-needed``, Malformed for another length.
    """
    text = _reason(reason)
    if length not in BANS:
        raise Malformed("length is one of those that are offered")
    with transaction.atomic():
        ban = ChatBan.objects.create(player=player.current, until=(now or timezone.now()) + length, reason=text, by=by)
        outbox.put("talk.suspended", player.current, {"ban": ban.pk}, expires_at=ban.until)
        return ban


def lift(player: Player, now: datetime | None = None) -> bool:
    """End the present bans of a player, so that they may write again. Returns whether there were any."""
    moment = now or timezone.now()
    return ChatBan.objects.filter(player=player.current, until__gt=moment).update(until=moment) > 0


def _reason(raw: str) -> str:
    reason = one_line(raw)[:REASON_LENGTH]
    if not reason:
        raise ChatError("reason-needed")
    return reason
