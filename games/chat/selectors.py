"""The chats and own notes of one viewer, and how far they have read, as plain data: the only input of pages and
fragments.

For the replay, `messages_of` and `notes_of` return what belongs to one deal, anchored by the number of an action of the
game. A message with `number` n was written after action n and before the next, so it is shown with the last step whose
action number is not greater than n, or before the first step if there is none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.models import Player
from core.exceptions import Refusal
from games import permissions as game_permissions
from games.chat import permissions as chat_permissions
from games.chat.models import ChatPlace, Message, Note
from games.chat.text import greetings, text_of
from games.models import ChatMode, Game, TableChat
from games.read_models import Sight
from games.services.agreements import Wish, wish_of
from notices.registry import Key

COUNTED: Final = 100
"""Unread messages are counted up to this number."""


def place_of(game: Game, player: Player) -> ChatPlace:
    """How far the player has read; a new, unsaved row if they have not read anything."""
    return ChatPlace.objects.filter(game=game, player=player).first() or ChatPlace(game=game, player=player)


def later_messages(game: Game, player: Player, place: ChatPlace | None = None) -> QuerySet[Message]:
    """The messages of others since the player last read, including those the player may not read.

    `place` as in `unread`. Every step of a table queries this: usually there are none, and then nothing is unread.
    """
    places = ChatPlace.objects.filter(game=game, player=player)
    read = Coalesce(places.values("read"), 0) if place is None else Value(place.read)
    return Message.objects.filter(game=game, pk__gt=read).exclude(author=player)


def unread(game: Game, player: Player | None, place: ChatPlace | None = None) -> int:
    """How many messages of others the player has not read, at most `COUNTED`; 0 if they closed the chat.

    `place` is how far they have read, if the caller knows it.
    """
    if player is None or not later_messages(game, player, place).exists():
        return 0
    place = place or place_of(game, player)
    if place.closed:
        return 0
    fresh = chat_permissions.readable(game, player).filter(pk__gt=place.read).exclude(author=player)
    authors = list(fresh.values_list("author", flat=True)[:COUNTED])
    unwanted = chat_permissions.unwanted_by(player, authors)
    return sum(author not in unwanted for author in authors)


def written_since(public_ids: Collection[Key], player: Player) -> Mapping[Key, bool]:
    """True for each of these games in which others have written since the player last read; others are missing.

    One query. Messages that the player may not read count, too.
    """
    read = Coalesce(ChatPlace.objects.filter(game=OuterRef("game"), player=player).values("read"), 0)
    later = Message.objects.filter(game__public_id__in=public_ids, pk__gt=read).exclude(author=player)
    return dict.fromkeys(later.values_list("game__public_id", flat=True).distinct().order_by(), True)


SHOWN: Final = 60
"""The number of messages in the panel; the page has the earlier ones."""


@dataclass(frozen=True, slots=True)
class MessageSeen:
    """One message as its reader may see it.

    `state` says why the words are missing: removed (then `reason` says why, and only the author gets the `text`),
    blocked or muted (the reader does not want them), gone (the author's account is deleted); otherwise it is empty.
    `held`: the others can read it when the hand is over.
    """

    id: int
    channel: str  # table, watchers
    kind: str  # said, greeting, mode, gone
    author: str  # public id
    name: str
    own: bool
    text: str
    hand: int
    number: int
    at: datetime
    state: str = ""
    reason: str = ""
    held: bool = False


@dataclass(frozen=True, slots=True)
class Channel:
    """One chat as the viewer sees it: its latest messages, and why they cannot write (empty if they can).

    `greets`: they can at least send a greeting. `longest`: the greatest number of characters of a message.
    """

    name: str  # table, watchers
    title: str
    about: str
    messages: tuple[MessageSeen, ...]
    earlier: bool
    refusal: str
    greets: bool
    longest: int


@dataclass(frozen=True, slots=True)
class Chat:
    public_id: str
    channels: tuple[Channel, ...]
    unread: int
    last: int  # the key of the latest message
    closed: bool  # by the viewer, for themselves
    sits: bool
    mode: str
    modes: tuple[tuple[str, str], ...]  # all modes that can be agreed on, with their labels
    wish: Wish | None
    others: tuple[tuple[str, str, str], ...]  # the other authors: public id, name, state (blocked, muted or empty)


def chats_of(game: Game, viewer: Player | None, *, before: int | None = None, limit: int = SHOWN) -> Chat | None:
    """The chats of a game for `viewer`; None if there is nothing they may read and nobody to write to.

    With `before`, only messages older than that key.
    """
    names = chat_permissions.channels_for(game, viewer)
    sits = game_permissions.sits(game, viewer)
    if sits and len(chat_permissions.people_at(game)) < 2:
        names = [name for name in names if name != chat_permissions.TABLE]
    place = place_of(game, viewer) if viewer is not None else None
    rows = chat_permissions.readable(game, viewer).select_related("author__merged_into")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    # One row more than is shown tells whether there are earlier ones.
    by_channel = {name: list(rows.filter(channel=name).order_by("-pk")[: limit + 1])[::-1] for name in names}
    if sits:
        by_channel = {name: lines for name, lines in by_channel.items() if name == chat_permissions.TABLE or lines}
    if not by_channel:
        return None
    unwanted = chat_permissions.unwanted_by(viewer, (row.author_id for lines in by_channel.values() for row in lines))
    agreed = TableChat.objects.filter(game=game).select_related("wished_by__merged_into").first() if sits else None
    return Chat(
        public_id=game.public_id,
        channels=tuple(_channel(game, viewer, name, lines, limit, unwanted) for name, lines in by_channel.items()),
        unread=unread(game, viewer, place),
        last=max((row.pk for lines in by_channel.values() for row in lines), default=0),
        closed=place is not None and place.closed,
        sits=sits and chat_permissions.TABLE in by_channel,
        mode=agreed.mode if agreed is not None else ChatMode.BETWEEN,
        modes=tuple((mode.value, str(mode.label)) for mode in ChatMode),
        wish=wish_of(agreed, ChatMode, viewer, _("Somebody")) if agreed is not None else None,
        others=_others(by_channel.values(), unwanted, viewer),
    )


def _channel(
    game: Game, viewer: Player | None, name: str, rows: Sequence[Message], limit: int, unwanted: dict[int, str]
) -> Channel:
    refusal, greets = _may_write(game, viewer, name)
    earlier = len(rows) > limit
    table = name == chat_permissions.TABLE
    running = _running(game)
    return Channel(
        name=name,
        title=_("At the table") if table else _("Among those who watch"),
        about=_about(game, table=table),
        messages=tuple(_seen(row, viewer, unwanted, running) for row in (rows[1:] if earlier else rows)),
        earlier=earlier,
        refusal=refusal,
        greets=greets,
        longest=chat_permissions.longest_for(viewer) if viewer is not None else 0,
    )


def _running(game: Game) -> int:
    """The number of the deal that is being played; 0 if none is."""
    return game.hand_number if chat_permissions.hand_runs(game) else 0


def _about(game: Game, *, table: bool) -> str:
    if not table:
        if chat_permissions.is_over(game):
            return _("What those who watched wrote to each other.")
        return _("The players can read this when the game is over.")
    if chat_permissions.is_over(game):
        return _("Only those who sit here read this.")
    return {
        ChatMode.BETWEEN: _(
            "Only those who sit here read this. The others see what you write during a hand when it is over."
        ),
        ChatMode.OPEN: _("Only those who sit here read this. While a hand is played nobody names a suit or a card."),
        ChatMode.CLOSED: "",
    }[game_permissions.chat_mode_of(game)]


def _may_write(game: Game, viewer: Player | None, name: str) -> tuple[str, bool]:
    """Why the viewer cannot write in their own words, empty if they can; and whether they can at least greet."""
    if viewer is None:
        return _("Sign in to write here."), False
    refusal = _refusal(game, viewer, name, own_words=True)
    return refusal, not refusal or not _refusal(game, viewer, name, own_words=False)


def _refusal(game: Game, viewer: Player, name: str, *, own_words: bool) -> str:
    try:
        chat_permissions.check_may_write(game, viewer, name, own_words=own_words)
    except Refusal as refusal:
        return str(refusal.message)
    return ""


def words_of(row: Message) -> str:
    """The words of a message in the reader's language: what was written, the greeting, or the label of the mode."""
    if row.kind == Message.Kind.GREETING:
        return text_of(row.text)
    return str(ChatMode(row.text).label) if row.kind == Message.Kind.MODE else row.text


def _seen(row: Message, viewer: Player | None, unwanted: dict[int, str], running: int) -> MessageSeen:
    own = viewer is not None and row.author_id == viewer.pk
    state = "gone" if row.kind == Message.Kind.GONE else unwanted.get(row.author_id, "")
    if row.kind == Message.Kind.MODE:
        state = ""  # agreed by all, whoever proposed it
    if row.removed_at is not None and not state:
        state = "removed"
    return MessageSeen(
        id=row.pk,
        channel=row.channel,
        kind=row.kind,
        author=row.author.current.public_id,
        name=row.author.display_name,
        own=own,
        text=words_of(row) if not state or (own and state == "removed") else "",
        hand=row.hand,
        number=row.number,
        at=row.at,
        state=state,
        reason=row.reason if state == "removed" else "",
        held=row.held and row.hand == running,
    )


def _others(
    rows: Iterable[Sequence[Message]], unwanted: dict[int, str], viewer: Player | None
) -> tuple[tuple[str, str, str], ...]:
    """The other people who wrote, each once, whom the viewer may mute or unmute."""
    if viewer is None:
        return ()
    people = {row.author_id: row.author for lines in rows for row in lines if row.author_id != viewer.pk}
    return tuple(
        (author.current.public_id, author.display_name, unwanted.get(key, "")) for key, author in people.items()
    )


# for the replay


def messages_of(game: Game, hand: int, viewer: Player | None) -> tuple[MessageSeen, ...]:
    """The messages of deal `hand` in every chat that `viewer` may read now, oldest first.

    Each is anchored by `number`, the game's action after which it was written. Only people who sit at the table get its
    chat; everybody gets the watchers' chat once the game is over.
    """
    rows = list(chat_permissions.readable(game, viewer).filter(hand=hand).select_related("author__merged_into"))
    unwanted = chat_permissions.unwanted_by(viewer, (row.author_id for row in rows))
    running = _running(game)
    return tuple(_seen(row, viewer, unwanted, running) for row in rows)


def notes_of(game: Game, hand: int, player: Player | None) -> tuple[Note, ...]:
    """The player's own notes of deal `hand`, trick by trick; for `hand` 0, the one about the game. Empty for strangers.

    Each is anchored by `number`, the game's action after which it was begun.
    """
    if player is None:
        return ()
    return tuple(Note.objects.filter(game=game, player=player, hand=hand).order_by("trick"))


@dataclass(frozen=True, slots=True)
class NotesSeen:
    """The two notes that can be edited: about the game, and about the current trick.

    `hand` is the number of the deal, `ordinal` that among the hands that count.
    """

    hand: int
    ordinal: int
    trick: int
    game: str
    here: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The panel for one viewer. `chat` is None if there is nobody to write to, `notes` for strangers and in lessons."""

    chat: Chat | None
    notes: NotesSeen | None
    greetings: Mapping[str, str]

    def __bool__(self) -> bool:
        return self.chat is not None or self.notes is not None


def panel_of(game: Game, viewer: Player | None, sight: Sight) -> Panel:
    """The panel beside the table as `sight` shows it."""
    has_panel = game.kind not in (Game.Kind.GUIDED, Game.Kind.COMPUTERS)
    # The trick a note belongs to: the one on the table, or else the one gathered last; 0 before the play.
    trick = sight.trick.number if sight.trick is not None else sight.trick_count
    ordinal = sum(sheet.ordinal > 0 and sheet.number < sight.hand for sheet in sight.sheets) + 1
    return Panel(
        chats_of(game, viewer) if has_panel else None,
        NotesSeen(sight.hand, ordinal, trick, *notes_at(game, viewer, sight.hand, trick))
        if has_panel and viewer is not None
        else None,
        greetings(),
    )


def notes_at(game: Game, player: Player, hand: int, trick: int) -> tuple[str, str]:
    """The player's notes about the game and about this trick; empty if there is none. One query."""
    places = Q(hand=0, trick=0) | Q(hand=hand, trick=trick)
    rows = Note.objects.filter(places, game=game, player=player).values_list("hand", "trick", "text")
    texts = {(in_hand, in_trick): words for in_hand, in_trick, words in rows}
    return texts.get((0, 0), ""), texts.get((hand, trick), "")
