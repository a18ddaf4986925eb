"""The door of the chats: every message, and what people agree about their chat, comes in here.

As at the door of games: the lock on the game's row first, then the checks, everything in one transaction, the ring after
the commit; a refusal changes nothing, and a repeated request writes nothing twice. A message that is held back rings
nobody: not even that something was written may be known before the hand is over.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import limits
from accounts.models import Player
from games import bell, clocks
from games.chat import rights, text
from games.chat.greetings import greetings
from games.chat.reading import settle
from games.chat.refusals import NobodyThere, NothingWritten, TooFast, TooLong
from games.chat_models import ChatMode, ChatPlace, Message, TableChat
from games.models import Game
from games.pace import Kind
from games.refusals import CardNamed, Malformed, NotNow, NotYourSeat, RequestReused
from games.speech import named_card
from notices import outbox, presence
from notices.models import Outbox

GRACE: Final = timedelta(minutes=15)
"""A notice of messages waits so long, so that several make one and whoever reads them in time gets none."""
A_MINUTE: Final = 20
BURST: Final = 8
NEWCOMERS_A_MINUTE: Final = 6
NEWCOMERS_BURST: Final = 4
REMARK: Final = "game.remark"
"""The event of a notice that somebody wrote."""


def say(game_id: int, player: Player, channel: str, words: str, *, request_id: uuid.UUID) -> Message:
    """Write a message in the player's own words.

    Raises what `rights.check_may_write` raises, NothingWritten, TooLong, TooFast, CardNamed for a suit or a card that is
    named at the table while a hand is played, Malformed for a chat that is none, RequestReused.
    """
    written = text.one_line(words)
    limit = rights.longest_for(player)
    if not any(character.isprintable() and not character.isspace() for character in written):
        raise NothingWritten
    if len(written) > limit:
        raise TooLong(limit, len(written) - limit)
    return _write(game_id, player, channel, Message.Kind.SAID, written, request_id)


def greet(game_id: int, player: Player, channel: str, greeting: str, *, request_id: uuid.UUID) -> Message:
    """Write one of the greetings, which everybody reads in their own language.

    Raises Malformed for one that is not offered, and what `say` raises.
    """
    if greeting not in greetings():
        raise Malformed("greeting is one of those that are offered")
    return _write(game_id, player, channel, Message.Kind.GREETING, greeting, request_id)


def _write(
    game_id: int, player: Player, channel: str, kind: Message.Kind, written: str, request_id: uuid.UUID
) -> Message:
    if channel not in Message.Channel.values:
        raise Malformed("channel is table or watchers")
    before = _answered(game_id, player, request_id, channel, kind, written)
    if before is not None:
        return before
    _slow_down(player)
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        before = _answered(game_id, player, request_id, channel, kind, written)
        if before is not None:
            return before
        rights.check_may_write(game, player, channel, own_words=kind == Message.Kind.SAID)
        at_table = channel == rights.TABLE
        runs = at_table and rights.hand_runs(game)
        mode = rights.mode_of(game)
        if runs and mode is ChatMode.OPEN and kind == Message.Kind.SAID and named_card(written):
            raise CardNamed
        message = Message.objects.create(
            game=game,
            channel=channel,
            kind=kind,
            author=player,
            text=written,
            hand=game.hand_number,
            number=game.number,
            held=runs and mode is ChatMode.BETWEEN,
            request_id=request_id,
        )
        _read_up_to(game, player, message.pk)
        if not message.held:
            if at_table:
                _tell_absent(game, [player])
            _ring(game, channel)
        return message


def _answered(
    game_id: int, player: Player, request_id: uuid.UUID, channel: str, kind: str, written: str
) -> Message | None:
    """The message of a request that was accepted before; None for a new one. Raises RequestReused for another message."""
    before = Message.objects.filter(author=player, request_id=request_id).first()
    if before is not None and (before.game_id, before.channel, before.kind, before.text) != (
        game_id, channel, kind, written,
    ):  # fmt: skip
        raise RequestReused
    return before


def _slow_down(player: Player) -> None:
    new = rights.is_new(player)
    rate, burst = (NEWCOMERS_A_MINUTE, NEWCOMERS_BURST) if new else (A_MINUTE, BURST)
    if not limits.take(f"chat by {player.pk}", rate=rate, per=60, burst=burst):
        raise TooFast


# after the commit, and when a hand is over


def hand_over(game: Game) -> None:
    """A hand has ended: what was held back can be read, and who is not there is told. Expects the lock on the game's row.

    Open pages fetch it with the ring of the action that ended the hand.
    """
    held = Message.objects.filter(game=game, held=True, hand=game.hand_number, channel=rights.TABLE)
    authors = list(Player.objects.filter(pk__in=held.values("author")))
    if authors:
        _tell_absent(game, authors)


def _tell_absent(game: Game, authors: list[Player]) -> None:
    """Write a notice for the others at a table of days who are not looking: one for all that they have not read yet."""
    clock = clocks.of(game)
    if clock is None or clock.terms.kind is not Kind.DAYS or clock.live:
        return
    for player in rights.people_at(game):
        unwanted = rights.unwanted_by(player, [author.pk for author in authors])
        if all(author.pk == player.pk or author.pk in unwanted for author in authors):
            continue
        if ChatPlace.objects.filter(game=game, player=player, closed=True).exists():
            continue
        if presence.looking(player.current, game.public_id):
            continue
        told = Outbox.objects.filter(player=player.current, event=REMARK, topic=game.public_id, read_at__isnull=True)
        if not told.filter(Q(shown=True) | Q(done_at__isnull=True)).exists():
            outbox.put(REMARK, player, {"game": game.public_id}, due_at=timezone.now() + GRACE)


def _ring(game: Game, channel: str) -> None:
    public_id, watchers = game.public_id, channel == rights.WATCHERS
    transaction.on_commit(lambda: bell.ring_chat(public_id, watchers=watchers), robust=True)


def ring_after_change(message: Message) -> None:
    """Ring those who can read a message that was changed; call it inside the transaction."""
    if not message.held:
        _ring(message.game, message.channel)


# reading


def read(game: Game, player: Player, up_to: int) -> None:
    """The player has read all messages up to the one with key `up_to`; a smaller one than before changes nothing."""
    last = rights.readable(game, player).order_by("-pk").values_list("pk", flat=True).first()
    if last is not None:
        _read_up_to(game, player, min(last, up_to))


def close_for_me(game: Game, player: Player, *, closed: bool) -> None:
    """The player closes the chats of this game for themselves, or opens them again. The others are not told."""
    place, _made = ChatPlace.objects.get_or_create(game=game, player=player)
    place.closed = closed
    place.save(update_fields=["closed"])
    if closed:
        settle(player, game)


def _read_up_to(game: Game, player: Player, key: int) -> None:
    place, _made = ChatPlace.objects.get_or_create(game=game, player=player)
    ChatPlace.objects.filter(pk=place.pk, read__lt=key).update(read=key)
    settle(player, game)


# what is agreed


def agree_at_start(game: Game, mode: str) -> None:
    """What was agreed before the game began. Call it in the transaction that makes the game."""
    if mode != ChatMode.BETWEEN:
        TableChat.objects.create(game=game, mode=mode)


def propose(game_id: int, player: Player, mode: str) -> TableChat:
    """Propose another mode for the table's chat. It holds as soon as everybody who plays there has agreed.

    Proposing what somebody else proposes is agreeing. Raises NotYourSeat, NobodyThere, NotNow where it is so already or
    something else is proposed, Malformed for a mode that is none.
    """
    if mode not in ChatMode.values:
        raise Malformed("mode is one of those that are offered")
    with transaction.atomic():
        game, row = _locked(game_id, player)
        if len(rights.people_at(game)) < 2:
            raise NobodyThere
        if row.mode == mode or row.wish not in ("", mode):
            raise NotNow
        if not row.wish:
            row.wish, row.wished_by, row.agreed = mode, player, []
        return _agreed(game, row, player)


def answer(game_id: int, player: Player, *, agree: bool) -> TableChat:
    """Agree to what is proposed, or decline it, which takes it off the table. Raises NotYourSeat, NotNow."""
    with transaction.atomic():
        game, row = _locked(game_id, player)
        if not row.wish:
            raise NotNow
        if agree:
            return _agreed(game, row, player)
        row.wish, row.wished_by, row.agreed = "", None, []
        row.save()
        _ring(game, rights.TABLE)
        return row


def _locked(game_id: int, player: Player) -> tuple[Game, TableChat]:
    game = Game.objects.select_for_update().get(pk=game_id)
    if not rights.sits(game, player):
        raise NotYourSeat
    row, _made = TableChat.objects.get_or_create(game=game)
    return game, row


def _agreed(game: Game, row: TableChat, player: Player) -> TableChat:
    if player.pk not in row.agreed:
        row.agreed = [*row.agreed, player.pk]
    if not _asked(game) - set(row.agreed):
        row.mode, by = row.wish, row.wished_by or player
        row.wish, row.wished_by, row.agreed = "", None, []
        Message.objects.create(
            game=game,
            channel=rights.TABLE,
            kind=Message.Kind.MODE,
            author=by,
            text=row.mode,
            hand=game.hand_number,
            number=game.number,
        )
    row.save()
    _ring(game, rights.TABLE)
    return row


def _asked(game: Game) -> set[int]:
    """The keys of those who have to agree: the people who sit there, without those who are away."""
    clock = clocks.of(game)
    here: Iterable[int] | None = clock.here() if clock is not None and game.status == Game.Status.PLAYING else None
    seats = game.seats.filter(player__computer="")
    if here is not None:
        seats = seats.filter(number__in=list(here))
    return set(seats.values_list("player", flat=True))
