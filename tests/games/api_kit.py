"""Programs in tests: a member with a token, and a client that speaks JSON."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import async_to_sync
from django.contrib.auth import get_user_model
from django.http import StreamingHttpResponse
from django.test import Client

from accounts import tokens
from accounts.models import Player

API = "/api/v1/play"


def member(name: str = "Onna", **fields: Any) -> Player:
    """Somebody with an account, whose computer players do not pause."""
    user = get_user_model().objects.create_user(f"{uuid.uuid4().hex}@example.org", "neun-und-dreissig")
    return Player.objects.create(user=user, name=name, **({"bot_speed": "at-once"} | fields))


@dataclass(slots=True)
class Program:
    """A program that acts for `player` with a token of its own."""

    player: Player
    scopes: tuple[str, ...] = (tokens.PLAY, tokens.TABLES)
    client: Client = field(default_factory=Client)
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _token, raw = tokens.issue_token(self.player, "program", self.scopes)
        self.headers["Authorization"] = f"Bearer {raw}"

    def ask(self, path: str, status: int = 200, /, **parameters: Any) -> Any:
        """GET, as JSON."""
        return self._read(self.client.get(API + path, parameters, headers=self.headers), status)

    def say(self, path: str, status: int = 200, /, **body: Any) -> Any:
        """POST with an id of its own, as JSON."""
        return self.send(path, status, {"request_id": str(uuid.uuid4())} | body)

    def send(self, path: str, status: int, body: Any, method: str = "post") -> Any:
        """POST a body as it stands."""
        send = getattr(self.client, method)
        data = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return self._read(send(API + path, data, content_type="application/json", headers=self.headers), status)

    def events(self, path: str, **parameters: Any) -> list[tuple[str, str, dict[str, Any]]]:
        """What a stream says when it is opened for one look: (event, id, data)."""
        answer = self.client.get(API + path, {"seconds": 0} | parameters, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return events_of(async_to_sync(_whole)(answer))

    def stream(self, path: str) -> bytes:
        """The bytes of a stream that is opened for one look."""
        address = f"{API}{path}{'&' if '?' in path else '?'}seconds=0"
        answer = self.client.get(address, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return async_to_sync(_whole)(answer)

    def _read(self, answer: Any, status: int) -> Any:
        assert answer.status_code == status, answer.text
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "no-store" in answer["Cache-Control"]
        kind = "application/json" if status < 400 else "application/problem+json"
        assert answer["Content-Type"].startswith(kind)
        return json.loads(answer.content)


async def _whole(answer: StreamingHttpResponse) -> bytes:
    return b"".join([part async for part in answer.streaming_content])


def events_of(text: bytes) -> list[tuple[str, str, dict[str, Any]]]:
    """The events of a stream, comments and the time to wait left out."""
    found = []
    for block in text.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if "data" in fields:
            found.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return found
