"""The commands of the chats: messages, agreements about the chat, private notes, and muting.

The locking rules are those of `games.services.play`. A message that is held back rings nobody: even its existence must
stay unknown until the hand is over. Only its owner ever reads a note, and nobody is told who has muted them.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from accounts.models import Player
from core import limits
from core.exceptions import Refusal
from core.text import lines, one_line
from domain.pace import Kind
from games import broadcast, projections
from games import permissions as game_permissions
from games.chat import permissions as chat_permissions
from games.chat.exceptions import ChatError, too_long
from games.chat.models import NOTE_LENGTH, ChatPlace, Message, Muted, Note
from games.chat.text import greetings
from games.exceptions import GameError, Malformed, NotNow
from games.models import ChatMode, Game, TableChat
from games.services.agreements import CHAT_PROPOSED, Consent
from games.services.common import named_card
from notices import outbox, preferences
from notices.models import Outbox
from notices.registry import Kind as NoticeKind

GRACE: Final = timedelta(minutes=15)
"""How long a notice of messages waits, so that several messages make one notice, and people who read them in time get
none."""
A_MINUTE: Final = 20
BURST: Final = 8
NEWCOMERS_A_MINUTE: Final = 6
NEWCOMERS_BURST: Final = 4
REMARK: Final = "game.remark"
"""The event of a notice that somebody wrote."""


def say(game_id: int, player: Player, channel: str, words: str, *, request_id: uuid.UUID) -> Message:
    """Write a message in the player's own words.

    Raises what `permissions.check_may_write` raises, ``empty``, ``too-long``, ``too-fast``, ``card-named`` if it names
    a suit or a card at the table during a hand, Malformed for an unknown chat, ``request-reused``.
    """
    text = one_line(words)
    limit = chat_permissions.longest_for(player)
    if not any(character.isprintable() and not character.isspace() for character in text):
        raise ChatError("empty")
    if len(text) > limit:
        raise too_long(limit, len(text) - limit)
    return _write(game_id, player, channel, Message.Kind.SAID, text, request_id)


def greet(game_id: int, player: Player, channel: str, greeting: str, *, request_id: uuid.UUID) -> Message:
    """Write one of the greetings, which everybody reads in their own language.

    Raises Malformed for an unknown one, and whatever `say` raises.
    """
    if greeting not in greetings():
        raise Malformed("greeting is one of those that are offered", where="greeting")
    return _write(game_id, player, channel, Message.Kind.GREETING, greeting, request_id)


def _write(game_id: int, player: Player, channel: str, kind: Message.Kind, text: str, request_id: uuid.UUID) -> Message:
    if channel not in Message.Channel.values:
        raise Malformed("channel is table or watchers", where="channel")
    before = _earlier_message(game_id, player, request_id, channel, kind, text)
    if before is not None:
        return before
    _slow_down(player)
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        before = _earlier_message(game_id, player, request_id, channel, kind, text)
        if before is not None:
            return before
        chat_permissions.check_may_write(game, player, channel, own_words=kind == Message.Kind.SAID)
        at_table = channel == chat_permissions.TABLE
        runs = at_table and chat_permissions.hand_runs(game)
        mode = game_permissions.chat_mode_of(game)
        if runs and mode is ChatMode.OPEN and kind == Message.Kind.SAID and named_card(text):
            raise GameError("card-named")
        message = _add(
            Message(
                game=game,
                channel=channel,
                kind=kind,
                author=player,
                text=text,
                hand=game.hand_number,
                number=game.number,
                held=runs and mode is ChatMode.BETWEEN,
                request_id=request_id,
            )
        )
        _read_up_to(game, player, message.pk)
        if not message.held:
            if at_table:
                _tell_absent(game, [player])
            _ring(game, channel)
        return message


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _add(message: Message) -> Message:
    """Save a new message, with the microsecond at which it was written as its key. Expects the lock on the game's row.

    With consecutive keys, a gap between two of a player's own messages would reveal that somebody wrote a message that
    is held back. Keys increase within a game; a key that is already taken, in any game, is skipped.
    """
    last = Message.objects.filter(game=message.game_id).aggregate(last=Max("pk"))["last"] or 0
    message.at = timezone.now()
    message.pk = max((message.at - _EPOCH) // timedelta(microseconds=1), last + 1)
    while True:
        try:
            with transaction.atomic():
                message.save(force_insert=True)
        except IntegrityError:
            if not Message.objects.filter(pk=message.pk).exists():
                raise
            message.pk += 1
        else:
            return message


def _earlier_message(
    game_id: int, player: Player, request_id: uuid.UUID, channel: str, kind: str, text: str
) -> Message | None:
    """The message of a request that was accepted before; None for a new one.

    Raises ``request-reused`` if the id belongs to another message.
    """
    before = Message.objects.filter(author=player, request_id=request_id).first()
    if before is not None and (before.game_id, before.channel, before.kind, before.text) != (
        game_id, channel, kind, text,
    ):  # fmt: skip
        raise Refusal("request-reused")
    return before


def _slow_down(player: Player) -> None:
    new = chat_permissions.is_new(player)
    rate, burst = (NEWCOMERS_A_MINUTE, NEWCOMERS_BURST) if new else (A_MINUTE, BURST)
    if not limits.take(f"chat by {player.pk}", rate=rate, per=60, burst=burst):
        raise ChatError("too-fast")


# notices, and rings after the commit


def hand_over(game: Game) -> None:
    """Write notices about messages that can be read now that a hand has ended. Expects the lock on the game's row.

    Open pages fetch the messages after the ring of the action that ended the hand.
    """
    held = Message.objects.filter(game=game, held=True, hand=game.hand_number, channel=chat_permissions.TABLE)
    authors = list(Player.objects.filter(pk__in=held.values("author")))
    if authors:
        _tell_absent(game, authors)


def _tell_absent(game: Game, authors: list[Player]) -> None:
    """Write a notice for the others at a table of days who are not looking: only one for all unread messages."""
    clock = projections.clock_of(game)
    if clock is None or clock.terms.kind is not Kind.DAYS or clock.live:
        return
    for player in chat_permissions.people_at(game):
        unwanted = chat_permissions.unwanted_by(player, [author.pk for author in authors])
        if all(author.pk == player.pk or author.pk in unwanted for author in authors):
            continue
        if ChatPlace.objects.filter(game=game, player=player, closed=True).exists():
            continue
        if preferences.is_looking(player.current, game.public_id):
            continue
        unread = Outbox.objects.filter(player=player.current, event=REMARK, topic=game.public_id, read_at__isnull=True)
        if not unread.filter(Q(shown=True) | Q(done_at__isnull=True)).exists():
            outbox.put(REMARK, player, {"game": game.public_id}, due_at=timezone.now() + GRACE)


def _ring(game: Game, channel: str) -> None:
    public_id, watchers = game.public_id, channel == chat_permissions.WATCHERS
    transaction.on_commit(lambda: broadcast.ring_chat(public_id, watchers=watchers), robust=True)


def ring_after_change(message: Message) -> None:
    """Ring the readers of a message that was changed. Call it inside the transaction."""
    if not message.held:
        _ring(message.game, message.channel)


# reading


def mark_read(game: Game, player: Player, up_to: int) -> None:
    """Note that the player has read all messages up to the key `up_to`. A smaller key than before changes nothing."""
    last = chat_permissions.readable(game, player).order_by("-pk").values_list("pk", flat=True).first()
    if last is not None:
        _read_up_to(game, player, min(last, up_to))


def close_for_me(game: Game, player: Player, *, closed: bool) -> None:
    """Close the chats of this game for one player, or open them again. The others are not told."""
    place, _created = ChatPlace.objects.get_or_create(game=game, player=player)
    place.closed = closed
    place.save(update_fields=["closed"])
    if closed:
        mark_chat_notices_read(player, game)


def _read_up_to(game: Game, player: Player, key: int) -> None:
    place, _created = ChatPlace.objects.get_or_create(game=game, player=player)
    ChatPlace.objects.filter(pk=place.pk, read__lt=key).update(read=key)
    mark_chat_notices_read(player, game)


def mark_chat_notices_read(player: Player, game: Game) -> None:
    """Mark the notices about messages in this game as read."""
    unread = Outbox.objects.filter(player=player, topic=game.public_id, kind=NoticeKind.TALK, read_at__isnull=True)
    unread.update(read_at=timezone.now())


# agreements


def _check_proposal(game: Game) -> None:
    if len(chat_permissions.people_at(game)) < 2:
        raise ChatError("nobody-there")


def _tell_mode(game: Game, mode: str, by: Player) -> None:
    """Write into the chat that another mode is in force from now on."""
    _add(
        Message(
            game=game,
            channel=chat_permissions.TABLE,
            kind=Message.Kind.MODE,
            author=by,
            text=mode,
            hand=game.hand_number,
            number=game.number,
        )
    )


_consent: Final = Consent(
    CHAT_PROPOSED,
    TableChat,
    ChatMode,
    lambda game: _ring(game, chat_permissions.TABLE),
    check_proposal=_check_proposal,
    changed=_tell_mode,
)
propose = _consent.propose
answer = _consent.answer


MOST: Final = 300
"""The greatest number of notes of one player in one game."""
MOST_TRICKS: Final = 30
"""More than the number of tricks in any deal of any game."""


def write(
    game: Game,
    player: Player,
    words: str,
    *,
    hand: int = 0,
    trick: int = 0,
    number: int | None = None,
    known: Collection[str] | None = None,
) -> None:
    """Save `words` as the player's note at this place, replacing the note before. Empty words delete the note.

    `hand` is the number of the deal, or 0 for the game as a whole; `trick` 0 is before the play. `number` is the action
    of the game after which a new note is shown, by default the last one; a note that is changed keeps its number.
    `known` are the texts one of which a page expects to replace; by default, any text is replaced. Raises ``too-long``,
    ``too-many-notes``, ``note-changed`` if another text stands there, Malformed for a place that the game has not
    reached.
    """
    text = lines(words)
    if len(text) > NOTE_LENGTH:
        raise too_long(NOTE_LENGTH, len(text) - NOTE_LENGTH)
    reached = 0 <= hand <= game.hand_number and 0 <= trick <= (MOST_TRICKS if hand else 0)
    if not reached or (number is not None and not 0 <= number <= game.number):
        raise Malformed("a note stands at a deal and a trick of its game", where="hand")
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)  # keeps the count exact and a new note single
        own = Note.objects.filter(game=game, player=player)
        here = own.filter(hand=hand, trick=trick)
        stored = here.values_list("text", flat=True).first() if known is not None else None
        if stored and stored not in (text, *map(lines, known or ())):
            raise ChatError("note-changed")
        if not text:
            here.delete()
        elif not here.update(text=text, written_at=timezone.now()):
            if own.count() >= MOST:
                raise ChatError("too-many-notes")
            at = game.number if number is None else number
            Note.objects.create(game=game, player=player, hand=hand, trick=trick, number=at, text=text)


def all_notes(game: Game, player: Player) -> list[Note]:
    """All the player's notes in a game: the one about the game first, then deal by deal."""
    return list(Note.objects.filter(game=game, player=player).order_by("hand", "trick"))


def mute(player: Player, other: Player) -> None:
    """Hide what `other` writes from `player` from now on. Repeating it changes nothing. Raises NotNow for oneself."""
    if other.current.pk == player.pk:
        raise NotNow
    Muted.objects.get_or_create(player=player, muted=other.current)


def unmute(player: Player, other: Player) -> None:
    Muted.objects.filter(player=player, muted=other.current).delete()
