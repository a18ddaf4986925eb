"""Two tables with the same sealed deals, the people who might want to know, and everything the site gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

from asgiref.sync import async_to_sync
from channels.testing import WebsocketCommunicator
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts import privacy, sessions
from accounts.models import Player
from games.chat import services as chat
from games.models import BoardSet, Game
from games.table import notifications
from notices import mail
from notices.push import payload
from tests.clubs import kit as clubs
from tests.games.api_kit import API, Program, member
from tests.games.boards import kit
from tests.games.test_secrets import CHANGING

MARKS = re.compile(CHANGING.pattern + r"|unsubscribe/[\w:.-]+|\"made_at\": \"[^\"]+\"")
"""What is new each time, whoever asks: tokens against forgery, request ids, signed moments."""

OF_THE_MOMENT = {
    "last-seen.json": r'"at": "[^"]+"|"heading": "[^"]+"',  # when it was asked
    "push/key.json": r'"token": "[^"]+"',  # against forgery
    "news.atom": r"<updated>[^<]+</updated>",  # of a feed without news: now
}
"""What an address says of the moment in which it is asked, by how it ends."""
EVENTS = ("game.turn", "game.deadline", "game.finished", "game.timeout", "game.remark", "game.asked", "game.vacation")


@dataclass
class Scene:
    """Table B, whose deal is exchanged, and table A, which has still to play it.

    Anna and Clau sit at B, Beat has sat there and given up the seat; Dora sits at A; Dario directs a club.
    """

    boards: BoardSet
    table: Game
    other: Game
    anna: Player
    beat: Player
    clau: Player
    dora: Player
    dario: Player
    club: str
    left_at: int
    """The number of table B when Beat had given up the seat."""
    others: dict[str, Player | None] = field(default_factory=dict)


SEED = 3
"""Whose deals bring other points, after as many moves as other deals may take, than those that are exchanged for them."""


def scene(ruleset: str = "troccas", size: int = 4, count: int = 2, *, over: bool = False) -> Scene:
    """Table B in the midst of its second deal, or at its end; A has not begun. The deals are always the same."""
    anna, beat, clau, dora = (member(name) for name in ("Anna", "Beat", "Clau", "Dora"))
    staff = clubs.staffed()
    boards = kit.laid(count, ruleset, size, seed=SEED)
    other = kit.table(boards, 1, [dora], pace=kit.DAYS)
    table = kit.table(boards, 0, [anna, beat], pace=kit.DAYS)
    kit.play_hand(table, 20)
    kit.take_seat(table, 1, clau)
    left_at = Game.objects.get(pk=table.pk).number
    chat.say(table.pk, anna, "table", "Bien di", request_id=clubs.rid())
    kit.play_hand(table)
    if over:
        kit.play_out(table)
    else:
        kit.play_hand(table, 12)
    table.refresh_from_db()
    found = Scene(boards, table, other, anna, beat, clau, dora, staff.director, staff.club.slug, left_at)
    found.others = {
        "a stranger": None,
        "who has the deal before them": dora,
        "who gave up the seat": beat,
        "the director": staff.director,
        "a guest": Player.objects.create(name="Anna"),
    }
    return found


def browser(player: Player | None) -> Client:
    """A browser of this person, with one address for each so that no limit is shared."""
    client = Client(REMOTE_ADDR=f"10.0.0.{player.pk % 250 if player else 251}")
    if player is not None and player.user is not None:
        client.force_login(player.user)
    elif player is not None:
        client.cookies["guest"] = sessions.issue_guest_token(player)
    return client


# every address of the site


@dataclass(frozen=True)
class Address:
    """An address as it is written in the resolver."""

    name: str
    route: str
    fills: frozenset[str]


def addresses() -> list[Address]:
    """All that the resolver knows."""
    return list(_walk(get_resolver(), "", "", frozenset()))


def _walk(resolver: URLResolver, before: str, space: str, fills: frozenset[str]) -> Iterator[Address]:
    for pattern in resolver.url_patterns:
        route, names = before + str(pattern.pattern), fills | set(pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, route, pattern.namespace or space, names)
        elif isinstance(pattern, URLPattern):
            name = f"{space}:{pattern.name}" if space else str(pattern.name or "")
            yield Address(name, route, frozenset(names))


# everything one gets


def answers(
    scene: Scene,
    viewer: Player | None,
    names: list[Address],
    client: Client,
    methods: tuple[str, ...] = ("get", "post"),
) -> dict[str, object]:
    """What these addresses answer: status, headers and bytes, but for the marks that are new each time."""
    found: dict[str, object] = {}
    for address in names:
        for path in paths(scene, address):
            for method in methods if address.name.startswith("games:") else ("get",):
                found[f"{method} {path}"] = _answer(client, method, path)
    return found


def paths(scene: Scene, address: Address) -> list[str]:
    """The address with this scene's game and people in it."""
    filled = {
        "public_id": scene.table.public_id, "key": scene.table.public_id, "topic": scene.table.public_id, "kind": "svg",
        "message": "1", "slug": scene.club, "step": "20",
    }  # fmt: skip
    people = [scene.anna, scene.clau]
    if address.name.startswith(("accounts:", "statistics:")):
        if "other_id" in address.fills:
            pair = {"public_id": scene.anna.public_id, "other_id": scene.clau.public_id}
            return [reverse(address.name, kwargs=pair)]
        if address.fills:
            return [reverse(address.name, kwargs={"public_id": person.public_id}) for person in people]
    if "number" in address.fills:
        numbers = range(scene.boards.boards + 1) if address.name == "games:since" else range(1, scene.boards.boards + 1)
        return [_reverse(address, {**filled, "number": number}) for number in numbers]
    return [_reverse(address, filled)]


def _reverse(address: Address, values: dict[str, Any]) -> str:
    wanted = {name: values[name] for name in address.fills}
    return reverse(address.name, kwargs=wanted)


def _answer(client: Client, method: str, path: str) -> object:
    data = (
        {} if method == "get" else {"do": "back", "request_id": "00000000-0000-4000-8000-000000000000", "expected": "1"}
    )
    answer = getattr(client, method)(path, data)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    headers = {name: value for name, value in answer.headers.items() if name.lower() not in ("x-request-id", "expires")}
    text = MARKS.sub("", body.decode(errors="replace"))
    for ending, mark in OF_THE_MOMENT.items():
        if path.endswith(ending):
            text = re.sub(mark, "", text)
            headers.pop("Last-Modified", None)
    return answer.status_code, headers, text


def programs(scene: Scene, program: Program | None) -> dict[str, object]:
    """What the API answers a program: the game, its record, its streams, lists; and what it refuses."""
    found: dict[str, object] = {}
    if program is None:
        return found
    key = scene.table.public_id
    for path in (f"/games/{key}", f"/games/{key}/record", f"/games/{key}/hands/1/analysis", f"/games/{key}/events?seconds=0", "/events?seconds=0",
                 "/games", "/games?which=waiting", "/games?which=over", "/watch", "/tables", "/tables/mine", "/me"):  # fmt: skip
        answer = program.client.get(API + path, headers=program.headers)
        found[f"api {path}"] = answer.status_code, body_of(answer)
    for what, body in (
        ("act", {"expected": 0, "action": "pass"}), ("ready", {"expected": scene.table.number}), ("leave", {}),
        ("claim", {"expected": 0}), ("rematch", {}), ("undo", {"move": 3}), ("chance", {"deal": 1, "entropy": "0" * 32}),
        ("answer", {"about": "pause", "agree": True}),
    ):  # fmt: skip
        data = json.dumps({"request_id": "00000000-0000-4000-8000-000000000000", **body})
        answer = program.client.post(
            f"{API}/games/{key}/{what}", data, content_type="application/json", headers=program.headers
        )
        found[f"api {what}"] = answer.status_code, MARKS.sub("", answer.text)
    return found


def body_of(answer: Any) -> str:
    """The text of an answer, streamed or not, but for the marks that are new each time."""
    body = async_to_sync(_whole)(answer) if answer.streaming else answer.content
    return MARKS.sub("", body.decode())


async def _whole(answer: Any) -> bytes:
    return b"".join([part async for part in answer.streaming_content])


def told(scene: Scene, player: Player | None) -> dict[str, object]:
    """Every event of the game in words, as it is pushed and written to this person; and all that is kept about them."""
    if player is None:
        return {}
    found: dict[str, object] = {}
    game = Game.objects.get(pk=scene.table.pk)
    sent_at = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    for event in EVENTS:
        params = {"game": game.public_id, "number": game.number, "status": game.status}
        words = notifications.words(event, params, player, "en")
        found[event] = words, notifications.still_true(event, params, player), words and payload(words, "en")
        if words is not None:
            item = mail.Item(words, notifications.kinds[event], game.public_id)
            found[f"{event} by mail"] = _text(mail.mail_for("x", player, "a@example.org", item, sent_at).message())
            found[f"{event} in a digest"] = _text(
                mail.digest("x", player, "a@example.org", [item], [item], sent_at).message()
            )
    export: dict[str, Any] = privacy.export_of(player)
    for each in export["games"]["games"]:
        if player == scene.beat and each["public_id"] == game.public_id:
            done = each.pop("actions")  # who gave up the seat knows what they did there themselves, and gets no more
            assert all(one["seat"] == 1 and one["number"] <= scene.left_at for one in done)
    found["export"] = MARKS.sub("", json.dumps(export, default=str))
    return found


def _text(letter: Any) -> str:
    """A letter as it is sent, both its parts and its headers, but for what is new each time."""
    parts = [part.get_payload(decode=True) for part in letter.walk() if not part.is_multipart()]
    headers = [f"{name}: {value}" for name, value in letter.items() if name.lower() != "content-type"]
    return MARKS.sub("", "\n".join([*headers, *(part.decode() for part in parts)]))


def frames(scene: Scene, client: Client) -> list[dict[str, Any]]:
    """What the socket of the table says to the person of this browser until it hangs up or falls silent."""
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    with connections_left_open():
        return async_to_sync(_frames)(scene.table.public_id, cookies)


def connections_left_open() -> AbstractContextManager[object]:
    """Channels lets go of connections in the midst of a transaction too: it would close that of the test."""
    return patch("channels.db.close_old_connections")


async def _frames(public_id: str, cookies: str) -> list[dict[str, Any]]:
    socket = listening(public_id, cookies)
    await socket.send_input({"type": "websocket.connect"})
    found: list[dict[str, Any]] = []
    while not found or (found[-1]["type"] != "websocket.close" and not await socket.receive_nothing(timeout=0.2)):
        found.append(await socket.receive_output(timeout=10))
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await socket.wait(timeout=10)
    return found


def listening(public_id: str, cookies: str) -> WebsocketCommunicator:
    """A socket of the table, not opened yet."""
    from troccas_site.asgi import application

    headers = [(b"origin", b"http://testserver"), (b"host", b"testserver"), (b"cookie", cookies.encode())]
    return WebsocketCommunicator(application, f"/ws/g/{public_id}/", headers)
