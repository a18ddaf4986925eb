"""Why something is not written: one exception per reason, as at the door of games. Nothing has been written then."""

from __future__ import annotations

from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.refusals import Refusal


class NothingWritten(Refusal):
    """The text is empty, or nothing of it can be seen."""

    code = "empty"
    message = gettext_lazy("There is nothing to send yet. Write something first.")


class TooLong(Refusal):
    """The text is longer than `limit` characters by `over`."""

    code = "too-long"

    def __init__(self, limit: int, over: int) -> None:
        super().__init__(f"{over} characters over {limit}")
        most = ngettext(
            "At most %(n)d character is possible here.", "At most %(n)d characters are possible here.", limit
        )
        less = ngettext("Please take out %(n)d character.", "Please take out %(n)d characters.", over)
        self.message = " ".join((most % {"n": limit}, less % {"n": over}))


class TooFast(Refusal):
    """Too many messages in a short time."""

    status = 429
    code = "too-fast"
    message = gettext_lazy("That was a lot in a short time. Wait a moment and send it again.")


class NotForYou(Refusal):
    """This chat is for others."""

    status = 403
    code = "not-for-you"
    message = gettext_lazy("This chat is for other people: those who sit at the table, or those who watch.")


class SignIn(Refusal):
    """The chat of those who watch is for people with an account."""

    status = 403
    code = "members-only"
    message = gettext_lazy("To read and write here while the game goes on, sign in with your account.")


class GuestsGreet(Refusal):
    """A guest at a table that is open to everybody."""

    status = 403
    code = "guests-greet"
    message = gettext_lazy(
        "As a guest you can use the greetings here. With an account, or at a table you were invited to, you can write."
    )


class ChatClosed(Refusal):
    """The people at the table have agreed not to write."""

    code = "chat-closed"
    message = gettext_lazy("The chat is closed at this table. You can propose to open it.")


class NobodyThere(Refusal):
    """There is nobody to write to."""

    code = "nobody-there"
    message = gettext_lazy("Nobody else sits at this table. What you want to remember belongs in your notes.")


class GameOver(Refusal):
    """The game is over, and with it the chat of those who watched."""

    code = "chat-over"
    message = gettext_lazy("This game is over. The chat can be read, but nothing is added to it.")


class Suspended(Refusal):
    """A moderator has suspended the writer for a time."""

    status = 403
    code = "suspended"

    def __init__(self, until: datetime, reason: str) -> None:
        super().__init__("suspended")
        moment = formats.date_format(timezone.localtime(until), "DATETIME_FORMAT")
        self.message = _("You cannot write in chats until %(time)s. The reason: %(reason)s") % {
            "time": moment,
            "reason": reason,
        }


class NoSuchMessage(Refusal):
    """The message does not exist, or not for this reader."""

    status = 404
    code = "no-such-message"
    message = gettext_lazy("This message is not there any more.")


class ReasonNeeded(Refusal):
    """A moderator acts without a reason."""

    code = "reason-needed"
    message = gettext_lazy("Please give a reason in a few words: the person reads it.")


class TooManyNotes(Refusal):
    """More notes in one game than are kept."""

    code = "too-many-notes"
    message = gettext_lazy("You have written very many notes in this game. Delete one before you begin another.")
