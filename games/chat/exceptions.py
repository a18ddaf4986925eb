"""Why a message or note is not written."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.exceptions import Refusal


class ChatError(Refusal):
    words = {
        "empty": _("There is nothing to send yet. Write something first."),
        "too-fast": _("That was a lot in a short time. Wait a moment and send it again."),
        "not-for-you": _("This chat is for other people: those who sit at the table, or those who watch."),
        "members-only": _("To read and write here while the game goes on, sign in with your account."),
        "guests-greet": _(
            "As a guest you can use the greetings here. To write you need an account, or a table that can only be joined "
            "by invitation or link."
        ),
        "chat-closed": _("The chat is closed at this table. You can propose to open it."),
        "nobody-there": _("Nobody else sits at this table. What you want to remember belongs in your notes."),
        "chat-over": _("This game is over. The chat can be read, but nothing is added to it."),
        "no-such-message": _("This message is no longer there."),
        "reason-needed": _("Please give a reason in a few words: the person reads it."),
        "too-many-notes": _("You have written very many notes in this game. Delete one before you begin another."),
        "note-changed": _("In another window you have changed this note. Put together what you want to keep."),
    }
    statuses = {
        403: ("not-for-you", "members-only", "guests-greet", "suspended"),
        404: ("no-such-message",),
        409: ("note-changed",),
        429: ("too-fast",),
    }


class NoSuchMessage(ChatError):
    """The message does not exist, or this reader may not read it."""

    code = "no-such-message"


def too_long(limit: int, over: int) -> ChatError:
    """The error for a text that is `over` characters longer than `limit`."""
    most = ngettext("At most %(n)d character is possible here.", "At most %(n)d characters are possible here.", limit)
    less = ngettext("Please take out %(n)d character.", "Please take out %(n)d characters.", over)
    return ChatError("too-long", " ".join((most % {"n": limit}, less % {"n": over})))
