"""Other people: finding them, following them, and messages, by the commands of `people`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Field, Query, Router
from pydantic import StrictBool

from accounts.models import Player
from core import limits
from core.http import page_of
from core.schemas import Paged, Schema
from games.api import schemas
from games.api.base import MEETS, paged, player_of, problems
from people import selectors, services
from people.exceptions import PeopleError
from people.models import MESSAGE_LENGTH

router = Router(tags=["people"])
PAGE: Final = 30
_KEY: Final = 999_999_999_999


class KnownOut(Schema):
    """Somebody as you know them. Where both follow each other, you may write to each other."""

    player: str = Field(description="their public id")
    name: str
    follows: bool = Field(description="whether you follow them")
    followed: bool = Field(description="whether they follow you")


class KnownLines(Paged):
    """A page of people."""

    results: list[KnownOut]


@schemas.shape_of(selectors.ThreadSeen, hidden=("public_id",))
class ThreadOut(Schema):
    """A conversation of yours: how its last message begins, and how many of its messages you have not read."""

    player: str = Field(description="the public id of the other person")


class ThreadLines(Paged):
    """A page of what was written, the latest first."""

    unread: int = Field(description="messages to you that you have not read, from everybody")
    results: list[ThreadOut]


PersonalMessageOut = schemas.shape(
    "PersonalMessageOut",
    selectors.MessageSeen,
    "One message. `gone`: its author has deleted the account, and with it the words. `read`: the other has seen yours.",
)


@schemas.shape_of(selectors.Conversation)
class ConversationOut(Schema):
    """The messages between you and one other person, oldest first. `refusal` says why you cannot write now; empty if you can."""


class PersonalMessageIn(schemas.RequestIn):
    """Something to write."""

    text: str = Field(max_length=MESSAGE_LENGTH + 500, description=f"at most {MESSAGE_LENGTH} characters")


class ReadUpToIn(schemas.Asked):
    """How far you have read."""

    up_to: int = Field(ge=0, le=_KEY, description="the id of the last message you have seen")


class FoundByIn(schemas.Asked):
    """What you want of others; what is left out stays."""

    found_by_name: StrictBool | None = None
    told_of_followers: StrictBool | None = None


class FoundByOut(Schema):
    """What you want of others."""

    found_by_name: bool = Field(description="whether people may find you by a part of your name")
    told_of_followers: bool = Field(description="whether you are told when somebody follows you")


_FOUND: Final = {200: list[KnownOut], **problems(401, 403, 422)}
_LINES: Final = {200: KnownLines, **problems(401, 403)}
_ONE: Final = {200: KnownOut, **problems(401, 403, 404)}
_TALK: Final = {200: ConversationOut, **problems(401, 403, 404, 422)}
_WANTED: Final = {200: FoundByOut, **problems(401, 403)}


@router.get("/people", auth=MEETS, response=_FOUND, summary="Find people by their name")
def find(
    request: HttpRequest,
    name: Annotated[str, Query(min_length=selectors.SHORTEST, max_length=80, description="a part of the name")],
) -> list[dict[str, Any]]:
    """Members who agreed to be found, at most twenty; who begins with it comes first. Needs `people:write`."""
    player = player_of(request)
    if not limits.take(f"find-people:{player.pk}", rate=60, per=600, burst=30):  # counted with the page's
        raise PeopleError("too-often")
    return _known(selectors.people_found(name, player), player)


@router.get("/following", auth=MEETS, response=_LINES, summary="Whom you follow")
def following(request: HttpRequest, page: schemas.PageNumber = 1) -> dict[str, Any]:
    """By name. Needs `people:write`."""
    player = player_of(request)
    found = page_of(request, selectors.people_followed(player), PAGE)
    return paged(found, page, _known(found, player))


@router.get("/followers", auth=MEETS, response=_LINES, summary="Who follows you")
def followers(request: HttpRequest, page: schemas.PageNumber = 1) -> dict[str, Any]:
    """By name. Needs `people:write`."""
    player = player_of(request)
    found = page_of(request, selectors.followers(player), PAGE)
    return paged(found, page, _known(found, player))


@router.post("/people/{key}/follow", auth=MEETS, response=_ONE, summary="Follow somebody")
def follow(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """They are told once, if they want to be. Following them again changes nothing. Needs `people:write`."""
    player, other = player_of(request), _person(key)
    services.follow(player, other)
    return _known([other], player)[0]


@router.post("/people/{key}/unfollow", auth=MEETS, response=_ONE, summary="Follow somebody no more")
def unfollow(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """Nobody is told; what was written stays. Needs `people:write`."""
    player, other = player_of(request), _person(key)
    services.unfollow(player, other)
    return _known([other], player)[0]


@router.get("/people/preferences", auth=MEETS, response=_WANTED, summary="What you want of others")
def wanted_of_others(request: HttpRequest) -> Any:
    """Whether you are found by name, and told of followers. Needs `people:write`."""
    return services.preference_of(player_of(request))


@router.patch("/people/preferences", auth=MEETS, response=_WANTED, summary="Change what you want of others")
def want_of_others(request: HttpRequest, payload: FoundByIn) -> Any:
    """Only what is sent changes. Needs `people:write`."""
    player = player_of(request)
    services.keep_preference(player, **payload.model_dump(exclude_none=True))
    return services.preference_of(player)


@router.get("/messages", auth=MEETS, response={200: ThreadLines, **problems(401, 403)}, summary="Your messages")
def threads(request: HttpRequest, page: schemas.PageNumber = 1) -> dict[str, Any]:
    """With whom you have written, the latest first. Needs `people:write`."""
    player = player_of(request)
    found = page_of(request, selectors.threads_of(player), PAGE)
    lines = [asdict(one) | {"player": one.public_id} for one in selectors.seen(found, player)]
    return paged(found, page, lines) | {"unread": selectors.unread_messages(player)}


@router.get("/messages/{key}", auth=MEETS, response=_TALK, summary="What you have written with somebody")
def messages(request: HttpRequest, key: schemas.Key, before: schemas.Before = None) -> Any:
    """The latest messages, oldest first; with `before` those older than that id. Reading them here does not mark them as
    read. Needs `people:write`."""
    player, other = player_of(request), _person(key)
    conversation = selectors.conversation(player, other, before)
    if not conversation.messages and not (other.is_member and other.page):
        raise Http404
    return conversation


@router.post("/messages/{key}", auth=MEETS, response=_TALK, summary="Write to somebody")
def write(request: HttpRequest, key: schemas.Key, payload: PersonalMessageIn) -> Any:
    """To people you follow and who follow you. Needs `people:write`."""
    player, other = player_of(request), _person(key)
    services.write(player, other, payload.text, request_id=payload.request_id)
    return selectors.conversation(player, other)


@router.post(
    "/messages/{key}/read",
    auth=MEETS,
    response={204: None, **problems(401, 403, 404, 422)},
    summary="Say how far you have read",
)
def read(request: HttpRequest, key: schemas.Key, payload: ReadUpToIn) -> HttpResponse:
    """The other one sees it, and the notices of these messages are settled. Needs `people:write`."""
    player = player_of(request)
    written = services.thread_of(player, _person(key))
    if written is None:
        raise Http404
    services.read(written, player, payload.up_to)
    return HttpResponse(status=204)


def _person(key: str) -> Player:
    """The person with this id, even one who is gone; for a guest who became a member, the member.

    Raises Http404 for computer players.
    """
    return get_object_or_404(Player.objects.select_related("merged_into"), public_id=key, computer="").current


def _known(players: Any, viewer: Player) -> list[dict[str, Any]]:
    return [
        {"player": one.public_id, "name": one.name, "follows": one.follows, "followed": one.followed}
        for one in selectors.known_to(viewer, players)
    ]
