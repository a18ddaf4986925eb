"""Reports about messages, and what moderators do: remove a message, put it back, keep somebody from writing for a time.

A moderator reads only what is in question: a message that was reported, with what stood around it. Of a game in which they
sit themselves they see nothing that is still kept from them there; another moderator looks after it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import permissions as account_permissions
from accounts.models import Player, Report
from accounts.registry import Evidence, Said
from accounts.views import REPORTS_A_DAY
from core import limits
from core.http import whole_number
from core.text import lines, one_line
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
"""So many messages before and after the reported one are shown with it."""
BANS: Final = (timedelta(days=1), timedelta(days=7), timedelta(days=30))
"""How long somebody can be kept from writing."""


def subject_of(message: Message) -> str:
    """What a report about this message has as its subject."""
    return f"{SUBJECT}:{message.pk}"


def find_message(game: Game, key: int, reader: Player) -> Message:
    """A message as its reader may see it. Raises NoSuchMessage for one they cannot read."""
    found = chat_permissions.readable(game, reader).filter(pk=key).select_related("author__merged_into", "game").first()
    if found is None:
        raise NoSuchMessage
    return found


# reports


def report(message: Message, by: Player, *, reason: str, words: str) -> Report:
    """Tell the moderators about a message that `by` can read; telling the same again changes the first report.

    Raises NotNow for one's own message, ``too-fast``.
    """
    if message.author_id == by.pk or message.kind in (Message.Kind.GONE, Message.Kind.MODE):
        raise NotNow
    return _file(message, about=message.author.current, by=by, reason=reason, words=words)


def appeal(message: Message, author: Player, words: str) -> Report:
    """The author of a removed message asks the moderators to look at it again. Raises NotNow, ``too-fast``."""
    if message.author_id != author.pk or message.removed_at is None:
        raise NotNow
    return _file(message, about=author, by=author, reason=Report.Reason.OTHER, words=words)


def _file(message: Message, *, about: Player, by: Player, reason: str, words: str) -> Report:
    if reason not in Report.Reason.values:
        raise Malformed("reason is one of those that are offered")
    written = lines(words)[:1000]
    subject = subject_of(message)
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=by.pk)  # two clicks are one report
        row = Report.objects.filter(subject=subject, by=by, about=about, settled_at__isnull=True).first()
        if row is None:
            if not limits.take(f"report by {by.pk}", rate=REPORTS_A_DAY, per=86_400, burst=5):
                raise ChatError("too-fast")
            path = reverse("games:table", args=[message.game.public_id])
            row = Report(about=about, by=by, subject=subject, context=path)
        row.reason, row.text = reason, written
        row.save()
        return row


def evidence(key: str, moderator: Player) -> Evidence | None:
    """What was reported, with what stood around it (`accounts.registry`). Removed words are shown as they were written."""
    message = _message(key)
    if message is None or not may_moderate(message, moderator):
        return None
    same = Message.objects.filter(game=message.game_id, channel=message.channel).select_related("author__merged_into")
    before = list(same.filter(pk__lt=message.pk).order_by("-pk")[:AROUND])[::-1]
    after = list(same.filter(pk__gt=message.pk).order_by("pk")[:AROUND])
    return Evidence(
        [_said(row, row.pk == message.pk) for row in (*before, message, *after)],
        reverse("games:moderate", args=[message.game.public_id, message.pk]),
    )


def _message(key: str) -> Message | None:
    return Message.objects.filter(pk=whole_number(key, 17) or 0).select_related("game", "author__merged_into").first()


def _said(row: Message, reported: bool) -> Said:
    words = words_of(row)
    if row.kind == Message.Kind.MODE:
        words = _("Agreed for the chat: %(mode)s.") % {"mode": words}
    return Said(row.author.display_name, words, row.at, reported)


def may_moderate(message: Message, player: Player | None) -> bool:
    """Whether the player is a moderator who may look after this message: a report stands or stood, it is not their own,
    and they do not play in a game that still goes on, nor sit at another table with its sealed deals."""
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
    """Whether something that was said at a sealed table with these deals lies before the moderators, and they are one: then
    they take no seat there any more (`boards.knowing`)."""
    if not account_permissions.may(player, account_permissions.MODERATOR):
        return False
    said = Message.objects.filter(game__board_set=shared).values_list("pk", flat=True)
    return Report.objects.filter(subject__in=[f"{SUBJECT}:{key}" for key in said]).exists()


# what moderators do


def remove(message: Message, by: Player, reason: str) -> None:
    """Take the words away; everybody reads the reason in their place, and the author is told. Twice changes the reason.

    Expects that `by` may moderate it. Raises ``reason-needed``, NotNow for what was not said by a person.
    """
    said = _reason(reason)
    with transaction.atomic():
        row = Message.objects.select_for_update().get(pk=message.pk)
        if row.kind != Message.Kind.SAID:
            raise NotNow
        first = row.removed_at is None
        row.removed_at, row.removed_by, row.reason = row.removed_at or timezone.now(), by, said
        row.save(update_fields=["removed_at", "removed_by", "reason"])
        if first:
            params = {"game": message.game.public_id, "message": row.pk}
            outbox.put("talk.removed", message.author.current, params)
        ring_after_change(message)


def restore(message: Message, by: Player) -> None:
    """Put a removed message back. Raises NotNow where it stands."""
    with transaction.atomic():
        row = Message.objects.select_for_update().get(pk=message.pk)
        if row.removed_at is None:
            raise NotNow
        row.removed_at, row.removed_by, row.reason = None, by, ""
        row.save(update_fields=["removed_at", "removed_by", "reason"])
        ring_after_change(message)


def suspend(player: Player, by: Player, length: timedelta, reason: str, now: datetime | None = None) -> ChatBan:
    """Keep somebody from writing in chats for a time; they are told. Raises ``reason-needed``, Malformed for another
    length."""
    said = _reason(reason)
    if length not in BANS:
        raise Malformed("length is one of those that are offered")
    with transaction.atomic():
        ban = ChatBan.objects.create(player=player.current, until=(now or timezone.now()) + length, reason=said, by=by)
        outbox.put("talk.suspended", player.current, {"ban": ban.pk}, expires_at=ban.until)
        return ban


def lift(player: Player, now: datetime | None = None) -> bool:
    """Let somebody write again; False if nothing kept them from it."""
    moment = now or timezone.now()
    return ChatBan.objects.filter(player=player.current, until__gt=moment).update(until=moment) > 0


def _reason(raw: str) -> str:
    said = one_line(raw)[:REASON_LENGTH]
    if not said:
        raise ChatError("reason-needed")
    return said
