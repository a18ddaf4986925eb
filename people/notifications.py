"""The wording of the notices of this app. The text of a message is only in mails, never on a locked screen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import permissions as account_permissions
from accounts.models import Player, Suspension
from notices.registry import Key, Kind, Lookup, Params, Subject, Words, numbers, who_did_it
from people.models import Follow, Message, Thread
from people.services import FOLLOWED, SUSPENDED, TAKEN_DOWN, WROTE

IN_A_LETTER: Final = 5
"""How many of the unread messages are in a mail."""


_MODERATED: Final = ("people.removed", "people.upheld", "people.restored")
kinds: Final = {
    FOLLOWED: Kind.OTHER,
    WROTE: Kind.MESSAGE,
    **dict.fromkeys((SUSPENDED, TAKEN_DOWN, *_MODERATED), Kind.OTHER),
}
"""The parameters: of the first two `by`, a public id; of the second also `thread`, a public id; of the third
`suspension`, its key; of the fourth `reason`, what the moderator wrote; of the others `letter`, the key of a message."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """Whether the person still follows the player, the message is still unread, removed or restored, the suspension in
    force, or the player still without a name."""
    if event == SUSPENDED:
        return _suspension(params, player) is not None
    if event == TAKEN_DOWN:
        return not player.name
    if event in _MODERATED:
        message = _message(params, player)
        return message is not None and (message.removed_at is None) == (event == "people.restored")
    if who_did_it(params, player) is None:
        return False
    if event == FOLLOWED:
        return _follows(params, player) is not None
    return event == WROTE and _unread(params, player) is not None


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    row = _suspension(params, player) if event == SUSPENDED else None
    if row is not None:
        line = str(account_permissions.Suspended(row))
        return Words(_("Your account is suspended for a time"), line, reverse("accounts:you"), "suspended")
    if event == TAKEN_DOWN:
        return _taken_down(str(params.get("reason") or ""), player)
    message = _message(params, player) if event in _MODERATED else None
    if message is not None:
        what, address = event.partition(".")[2], reverse("people:appeal", args=[message.pk])
        if what == "restored":
            other = message.thread.other(player).public_id
            address = f"{reverse('people:thread', args=[other])}?before={message.pk + 1}#m{message.pk}"
        return moderated(what, message.reason, address, f"letter-{message.pk}")
    by = who_did_it(params, player)
    if by is None or not by.page:
        return None
    name = {"name": by.display_name}
    if event == FOLLOWED:
        line = (
            _("You follow each other, and can write to each other.")
            if _follows(params, player)
            else _("%(name)s follows you. If you follow them too, you can write to each other.")
        )
        return Words(
            _("%(name)s follows you") % name,
            line % name,
            reverse("accounts:person", args=[by.page]),
            f"follow-{by.public_id}",
        )
    unread = _unread(params, player)
    if event != WROTE or unread is None:
        return None
    line = ngettext("%(name)s has written you a message.", "%(name)s has written you %(number)d messages.", unread)
    thread = str(params.get("thread") or "")
    return Words(
        _("A message from %(name)s") % name,
        line % (name | {"number": unread}),
        reverse("people:thread", args=[by.page]),
        f"message-{thread}",
        more=partial(_texts, thread, player),
    )


def _taken_down(reason: str, player: Player) -> Words:
    line = _("A moderator has taken down your name and what you tell on your page. You can choose another name.")
    if reason:
        line = " ".join((line, _("The reason: %(reason)s") % {"reason": reason}))
    address = reverse("accounts:profile" if player.is_member else "accounts:you")
    return Words(_("Your name was taken down"), line, address, "taken-down")


def moderated(what: str, reason: str, url: str, tag: str) -> Words:
    """What moderators have done with a text of somebody's: `removed`, `upheld` (looked at again) or `restored` it."""
    if what == "restored":
        line = _("A moderator has put it back: it can be read again.")
        return Words(_("Your message stands again"), line, url, tag)
    why = {"reason": reason if reason.endswith((".", "!", "?", "…")) else f"{reason}."}
    if what == "upheld":
        line = _("A moderator has looked at it again, and it stays removed. The reason: %(reason)s") % why
        return Words(_("Your message stays removed"), line, url, tag)
    line = _("A moderator removed it. The reason: %(reason)s You can ask for another look.") % why
    return Words(_("A message of yours was removed"), line, url, tag)


def _texts(thread: str, player: Player) -> Sequence[str]:
    """The latest unread messages, the oldest first."""
    rows = Message.objects.filter(thread__public_id=thread, read_at__isnull=True, removed_at__isnull=True).exclude(
        author=player
    )
    return [row.text for row in rows.exclude(text="").order_by("-pk")[:IN_A_LETTER]][::-1]


def _followers(public_ids: Collection[Key], player: Player) -> Mapping[Key, bool]:
    """The people among these who follow the player, and whether the player follows them too."""
    back = Exists(Follow.objects.filter(player=player, followed=OuterRef("player")))
    rows = Follow.objects.filter(followed=player, player__public_id__in=public_ids)
    return dict(rows.values_list("player__public_id", back))


def _waiting(public_ids: Collection[Key], player: Player) -> Mapping[Key, int]:
    """How many messages the player has not read, by thread."""
    rows = Message.objects.filter(
        Q(thread__first=player) | Q(thread__second=player),
        thread__public_id__in=public_ids,
        read_at__isnull=True,
        removed_at__isnull=True,
    )
    counts: dict[Key, int] = {}
    for public_id in rows.exclude(author=player).exclude(text="").values_list("thread__public_id", flat=True):
        counts[public_id] = counts.get(public_id, 0) + 1
    return counts


def _suspensions(keys: Collection[Key], player: Player) -> Mapping[Key, Suspension]:
    return account_permissions.suspensions().filter(player=player).in_bulk(numbers(keys))


def _messages(keys: Collection[Key], player: Player) -> Mapping[Key, Message]:
    rows = Message.objects.filter(author=player).exclude(text="")
    return rows.select_related("thread__first", "thread__second").in_bulk(numbers(keys))


_message: Final = Lookup("letter", _messages)
_suspension: Final = Lookup("suspension", _suspensions)
_follows: Final = Lookup("by", _followers)
_unread: Final = Lookup("thread", _waiting)


def find_subject(player: Player, topic: str) -> Subject | None:
    """The thread with this public id, if it is one of the player's: "messages from Beat"."""
    mine = Thread.objects.filter(Q(first=player) | Q(second=player), public_id=topic)
    thread = mine.select_related("first__merged_into", "second__merged_into").first()
    if thread is None:
        return None
    other = thread.other(player)
    name = _("messages from %(name)s") % {"name": other.display_name}
    return Subject(name, reverse("people:thread", args=[other.public_id]))
