"""The chats, notes and watchers of a game."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router

from core.schemas import Schema
from games.api import schemas
from games.api.base import CHATS, READS, limit, player_of, problems
from games.api.games import game_for
from games.chat import selectors, services
from games.chat.models import NOTE_LENGTH
from games.chat.text import greetings
from games.exceptions import Malformed
from games.models import ChatMode, WatchMode
from games.permissions import seat_of
from games.services.agreements import Wish
from games.watching import selectors as watching
from games.watching import services as watching_services

router = Router(tags=["talking"])
_DONE = {204: None, **problems(401, 403, 404, 422)}
_KEY = 2**53 - 1  # whole numbers that every language of programs reads


MessageOut = schemas.shape(
    "MessageOut",
    selectors.MessageSeen,
    "A message as you may read it. `state` says why its words are missing: removed, blocked, muted, gone; else empty.",
)


@schemas.shape_of(Wish)
class WishOut(Schema):
    """Another way that somebody proposes; `asks`: you have still to answer."""


@schemas.shape_of(selectors.Channel)
class ChannelOut(Schema):
    """One chat: of those who sit at the `table`, or of the `watchers`. `refusal`: why you cannot write, empty if you can."""


class GreetingOut(Schema):
    """Something that everybody reads in their own language."""

    id: str
    text: str


class ChatOut(Schema):
    """The chats of a game that you may read."""

    channels: list[ChannelOut]
    unread: int
    mode: str = Field(description="when those at the table may write: between (hands), open, closed")
    wish: WishOut | None = Field(description="what is proposed in its place")
    greetings: list[GreetingOut]


class MessageIn(schemas.RequestIn):
    """Something to write: words of your own, or a greeting."""

    channel: Literal["table", "watchers"] = "table"
    text: str = Field("", max_length=2000)
    greeting: str = Field("", max_length=20, description="an id of `greetings`, in place of `text`")


class UpToIn(schemas.Asked):
    """How far you have read."""

    up_to: int = Field(ge=0, le=_KEY, description="the id of the last message you have seen")


class ModeAnswerIn(schemas.Asked):
    """Saying yes or no to what is proposed."""

    agree: bool
    mode: str = Field("", max_length=12, description="the mode you saw proposed")


class ChatModeIn(schemas.Asked):
    """When those at the table may write."""

    mode: Literal[tuple(ChatMode.values)]  # type: ignore[valid-type]  # the names are those of the model


class WatchModeIn(schemas.Asked):
    """Who may watch."""

    mode: Literal[tuple(WatchMode.values)]  # type: ignore[valid-type]  # the names are those of the model


class NoteOut(Schema):
    """What you noted for yourself. Nobody else ever reads it."""

    hand: int = Field(description="0: about the game as a whole")
    trick: int = Field(description="0: before the play")
    text: str
    written_at: datetime


class NoteIn(schemas.Asked):
    """A note in place of what stood there; an empty one deletes it."""

    text: str = Field(max_length=NOTE_LENGTH)
    hand: int = Field(0, ge=0, le=9999)
    trick: int = Field(0, ge=0, le=services.MOST_TRICKS)


class WatchersOut(Schema):
    """How a game is watched."""

    count: int
    names: list[str] = Field(description="those of them who chose to be named")
    mode: str = Field(description="open, link, closed")
    asked: WishOut | None = Field(description="what is proposed in its place")


class NamedIn(schemas.Asked):
    """Whether those at the table know who watches."""

    shown: bool


_CHAT = {200: ChatOut, **problems(401, 403, 404, 422)}


@router.get("/games/{key}/chat", auth=CHATS, response=_CHAT, summary="The chats of a game")
def chat(request: HttpRequest, key: schemas.Key, before: schemas.Before = None) -> dict[str, Any]:
    """The latest messages, oldest first; with `before` those older than that id. Needs `chat:write`."""
    player = player_of(request)
    chats = selectors.chats_of(game_for(key, player), player, before=before)
    offered = [{"id": name, "text": text} for name, text in greetings().items()]
    if chats is None:
        return {"channels": [], "unread": 0, "mode": ChatMode.CLOSED, "wish": None, "greetings": offered}
    return {name: getattr(chats, name) for name in ("channels", "unread", "mode", "wish")} | {"greetings": offered}


@router.post("/games/{key}/chat", auth=CHATS, response=_CHAT, summary="Write a message")
def say(request: HttpRequest, key: schemas.Key, payload: MessageIn) -> dict[str, Any]:
    """What is written while a hand is played may be held back until it is over (`held`). Needs `chat:write`."""
    player = player_of(request)
    game = game_for(key, player)
    if bool(payload.text) == bool(payload.greeting):
        raise Malformed("either text or greeting", where="text")
    if payload.greeting:
        services.greet(game.pk, player, payload.channel, payload.greeting, request_id=payload.request_id)
    else:
        services.say(game.pk, player, payload.channel, payload.text, request_id=payload.request_id)
    return chat(request, key, None)


@router.post("/games/{key}/chat/read", auth=CHATS, response=_DONE, summary="Say how far you have read")
def read(request: HttpRequest, key: schemas.Key, payload: UpToIn) -> HttpResponse:
    """Its notices are settled. Needs `chat:write`."""
    player = player_of(request)
    services.mark_read(game_for(key, player), player, payload.up_to)
    return HttpResponse(status=204)


@router.post("/games/{key}/chat/propose", auth=CHATS, response=_CHAT, summary="Propose when to write")
def propose(request: HttpRequest, key: schemas.Key, payload: ChatModeIn) -> dict[str, Any]:
    """It holds when everybody who plays there has agreed. Needs `chat:write`."""
    player = player_of(request)
    services.propose(game_for(key, player).pk, player, payload.mode)
    return chat(request, key, None)


@router.post("/games/{key}/chat/answer", auth=CHATS, response=_CHAT, summary="Answer what is proposed for the chat")
def answer(request: HttpRequest, key: schemas.Key, payload: ModeAnswerIn) -> dict[str, Any]:
    """Where `wish.asks` is true. Needs `chat:write`."""
    player = player_of(request)
    services.answer(game_for(key, player).pk, player, agree=payload.agree, mode=payload.mode)
    return chat(request, key, None)


_NOTES = {200: list[NoteOut], **problems(401, 403, 404, 422)}


@router.get("/games/{key}/notes", auth=CHATS, response=_NOTES, summary="Your notes")
def notes(request: HttpRequest, key: schemas.Key) -> Any:
    """The one about the game first, then deal by deal. Needs `chat:write`."""
    player = player_of(request)
    return services.all_notes(game_for(key, player), player)


@router.post("/games/{key}/notes", auth=CHATS, response=_NOTES, summary="Write a note")
def note(request: HttpRequest, key: schemas.Key, payload: NoteIn) -> Any:
    """One for the game, and one for each trick. Needs `chat:write`."""
    player = player_of(request)
    game = game_for(key, player)
    seat_of(game, player)
    limit("notes", player, rate=1200, burst=120)
    services.write(game, player, payload.text, hand=payload.hand, trick=payload.trick)
    return services.all_notes(game, player)


_WATCHERS = {200: WatchersOut, **problems(401, 403, 404, 422)}


@router.get("/games/{key}/watchers", auth=READS, response=_WATCHERS, summary="How a game is watched")
def watchers(request: HttpRequest, key: schemas.Key) -> Any:
    """How many watch, and who may."""
    player = player_of(request)
    return watching.watching_of(game_for(key, player), player)


@router.post("/games/{key}/watchers/name", auth=CHATS, response=_WATCHERS, summary="Let them know that you watch")
def show_name(request: HttpRequest, key: schemas.Key, payload: NamedIn) -> Any:
    """Those at the table then read your name. Needs `chat:write`."""
    player = player_of(request)
    game = game_for(key, player)
    watching_services.show_name(game, player, shown=payload.shown)
    return watching.watching_of(game, player)


@router.post("/games/{key}/watchers/propose", auth=CHATS, response=_WATCHERS, summary="Propose who may watch")
def propose_watching(request: HttpRequest, key: schemas.Key, payload: WatchModeIn) -> Any:
    """It holds when everybody who plays there has agreed. Needs `chat:write`."""
    player = player_of(request)
    game = game_for(key, player)
    watching_services.propose(game.pk, player, payload.mode)
    return watching.watching_of(game, player)


@router.post("/games/{key}/watchers/answer", auth=CHATS, response=_WATCHERS, summary="Answer what is proposed")
def answer_watching(request: HttpRequest, key: schemas.Key, payload: ModeAnswerIn) -> Any:
    """Where `asked.asks` is true. Needs `chat:write`."""
    player = player_of(request)
    game = game_for(key, player)
    watching_services.answer(game.pk, player, agree=payload.agree, mode=payload.mode)
    return watching.watching_of(game, player)
