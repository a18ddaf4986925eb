"""Who may read and write what, and when. Everything in this app that shows or writes a message uses these checks.

People who sit at a table read and write its chat. Members who watch read and write the watchers' chat; when the game is
over, everybody who may see the game reads it, including people who sit or have sat at the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet, prefetch_related_objects
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from accounts import permissions as account_permissions
from accounts.models import Block, Player
from games import hooks
from games import permissions as game_permissions
from games.chat.exceptions import ChatError
from games.chat.models import MESSAGE_LENGTH, ChatBan, Message, Muted
from games.models import Action, ChatMode, Game, GameHand, Seat

TABLE: Final = Message.Channel.TABLE
WATCHERS: Final = Message.Channel.WATCHERS
NEW_FOR: Final = timedelta(days=3)
"""How long an account counts as new: its messages must be shorter and fewer."""
NEWCOMERS_LENGTH: Final = 200


def hand_runs(game: Game) -> bool:
    """Whether a hand is being played, from the dealing of its cards to its end."""
    playing = game.status == Game.Status.PLAYING
    return playing and game.hands.filter(number=game.hand_number, status=GameHand.Status.OPEN).exists()


def people_at(game: Game) -> list[Player]:
    """The people who sit at the table, without computer players. No query if the page has read the seats already."""
    seats = list(game.seats.all())
    prefetch_related_objects(seats, "player__merged_into")
    return [seat.player for seat in seats if not seat.player.is_computer]


def took_part(game: Game, player: Player) -> bool:
    """Whether the player (or a guest merged into them) sits or ever sat at this table, so that they may know cards."""
    selves = [player.pk, *player.merged.values_list("pk", flat=True)]
    if Seat.objects.filter(game=game, player__in=selves).exists():
        return True
    return Action.objects.filter(game=game, player__in=selves).exists()


def is_over(game: Game) -> bool:
    """Whether the game has ended."""
    return game.status != Game.Status.PLAYING


def is_new(player: Player, now: datetime | None = None) -> bool:
    """Whether the player is a guest, or has been here for less than `NEW_FOR`."""
    return player.is_guest or (now or timezone.now()) - player.created_at < NEW_FOR


def longest_for(player: Player) -> int:
    """The greatest number of characters of a message by this player."""
    return NEWCOMERS_LENGTH if is_new(player) else MESSAGE_LENGTH


# reading


def channels_for(game: Game, viewer: Player | None) -> list[str]:
    """The chats of a game that `viewer` (None: a stranger) may read now."""
    if game_permissions.sits(game, viewer):
        return [TABLE, WATCHERS] if is_over(game) else [TABLE]
    return [WATCHERS] if _may_read_watchers(game, viewer) else []


def _may_read_watchers(game: Game, viewer: Player | None) -> bool:
    if not game_permissions.may_see(game, viewer):
        return False
    if is_over(game):
        return True
    return viewer is not None and viewer.is_member and not took_part(game, viewer)


def readable(game: Game, viewer: Player | None) -> QuerySet[Message]:
    """The messages of a game that `viewer` may read now, oldest first, including those of muted and blocked people.

    In the table's chat, a substitute reads what was written since they came, and nobody reads the messages of others
    that are held back until the current hand is over.
    """
    channels = channels_for(game, viewer)
    allowed = Q(channel__in=[channel for channel in channels if channel != TABLE])
    if TABLE in channels and viewer is not None:
        came = Action.objects.filter(game=game, player=viewer, text="substituted").order_by("-number").first()
        table = Q(channel=TABLE)
        if came is not None:
            table &= Q(number__gte=came.number)
        if hand_runs(game):
            table &= ~Q(held=True, hand=game.hand_number) | Q(author=viewer)
        allowed |= table
    return Message.objects.filter(allowed, game=game).order_by("pk") if channels else Message.objects.none()


def unwanted_by(viewer: Player | None, authors: Iterable[int]) -> dict[int, str]:
    """The authors among these whom `viewer` has `blocked` or `muted`, with that word. Two queries."""
    if viewer is None:
        return {}
    keys = set(authors) - {viewer.pk}
    if not keys:
        return {}
    muted = Muted.objects.filter(player=viewer, muted__in=keys).values_list("muted", flat=True)
    blocked = Block.objects.filter(player=viewer, blocked__in=keys).values_list("blocked", flat=True)
    return dict.fromkeys(muted, "muted") | dict.fromkeys(blocked, "blocked")


# writing


def check_may_write(game: Game, player: Player, channel: str, *, own_words: bool, now: datetime | None = None) -> None:
    """Raise the refusal if `player` may not write in this chat now; with `own_words`, more than a greeting.

    Raises ``suspended``, ``not-for-you``, ``members-only``, ``chat-over``, ``nobody-there``, ``chat-closed``,
    ``guests-greet``.
    """
    ban = ban_of(player, now) or account_permissions.suspension_of(player, now)
    if ban is not None:
        raise _suspended(ban.until, ban.reason)
    if channel == TABLE:
        _check_table(game, player, own_words=own_words)
    else:
        _check_watchers(game, player)


def check_not_banned(player: Player) -> None:
    """Raise ``suspended`` for a player whom a moderator barred from chats: they write no private messages either."""
    ban = ban_of(player)
    if ban is not None:
        raise _suspended(ban.until, ban.reason)


def _suspended(moment: datetime, reason: str) -> ChatError:
    until = formats.date_format(timezone.localtime(moment), "DATETIME_FORMAT")
    text = _("You cannot write in chats until %(time)s. The reason: %(reason)s")
    return ChatError("suspended", text % {"time": until, "reason": reason})


def _check_table(game: Game, player: Player, *, own_words: bool) -> None:
    people = people_at(game)
    if not any(person.pk == player.pk for person in people):
        raise ChatError("not-for-you")
    if len(people) < 2:
        raise ChatError("nobody-there")
    if game_permissions.chat_mode_of(game) is ChatMode.CLOSED:
        raise ChatError("chat-closed")
    if own_words and player.is_guest and not any(is_among_friends(game) for is_among_friends in hooks.among_friends):
        raise ChatError("guests-greet")


def _check_watchers(game: Game, player: Player) -> None:
    if is_over(game):
        raise ChatError("chat-over")
    if game.kind == Game.Kind.COMPUTERS:  # the table will be deleted with everything that was written there
        raise ChatError("nobody-there")
    if took_part(game, player) or not game_permissions.may_see(game, player):
        raise ChatError("not-for-you")
    if not player.is_member:
        raise ChatError("members-only")


def ban_of(player: Player, now: datetime | None = None) -> ChatBan | None:
    """The ban of the player that is in force and lasts longest; None if there is none."""
    in_force = ChatBan.objects.filter(player=player, until__gt=now or timezone.now())
    return in_force.order_by("-until").first()
