"""A real mail server and a real push service on this machine, and somebody who writes to people."""

from __future__ import annotations

import base64
import http.server
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, Final

import http_ece  # type: ignore[import-untyped]
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope, Session
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.utils.dateparse import parse_datetime

from accounts.models import Player, User
from games.lobby import notifications as table_notices
from games.table import notifications as game_notices
from notices import registry
from notices.registry import Params, Words
from tests.live import PATIENCE, free_port


@dataclass(slots=True)
class MailServer:
    """Keeps what it is sent. `answer` is what it says to DATA, `refused` whom it knows not."""

    port: int
    letters: list[EmailMessage] = field(default_factory=list)
    connections: int = 0
    answer: str = "250 kept"
    refused: dict[str, str] = field(default_factory=dict)
    before_answer: Any = None
    """Called when a letter is kept and the answer not yet sent."""

    async def handle_RCPT(self, server: Any, session: Session, envelope: Envelope, address: str, options: Any) -> str:  # noqa: N802
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 known"

    async def handle_EHLO(  # noqa: N802
        self, server: Any, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_DATA(self, server: Any, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            self.letters.append(message_from_bytes(envelope.content, policy=policy.default))
            if self.before_answer is not None:
                self.before_answer()
        return self.answer


@contextmanager
def mail_server(port: int | None = None) -> Iterator[MailServer]:
    """A mail server on loopback that takes everything."""
    server = MailServer(port or free_port())
    controller = Controller(server, hostname="127.0.0.1", port=server.port, ready_timeout=PATIENCE)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


@dataclass(slots=True)
class Browser:
    """The keys of a browser that shows messages, and what was sent to it."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey
    secret: bytes
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def p256dh(self) -> str:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    @property
    def auth(self) -> str:
        return base64.urlsafe_b64encode(self.secret).rstrip(b"=").decode()

    def read(self, at: int = -1) -> dict[str, str]:
        """What a message says, opened by another implementation than ours."""
        text = http_ece.decrypt(self.bodies[at], private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        found: dict[str, str] = json.loads(text)
        return found


@dataclass(slots=True)
class PushService:
    """A push service: browsers have their addresses here. `status` is what it answers, with `answer_headers`."""

    port: int
    browsers: dict[str, Browser] = field(default_factory=dict)
    status: int = 201
    answer_headers: dict[str, str] = field(default_factory=dict)

    def browser(self) -> Browser:
        """A browser that has just subscribed here."""
        path = f"/push/{len(self.browsers)}"
        made = Browser(f"http://127.0.0.1:{self.port}{path}", ec.generate_private_key(ec.SECP256R1()), os.urandom(16))
        self.browsers[path] = made
        return made


@contextmanager
def push_service() -> Iterator[PushService]:
    """A push service on loopback."""
    service = PushService(free_port())

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            browser = service.browsers[self.path]
            if service.status == 201:
                browser.bodies.append(body)
                browser.headers.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(service.status)
            for name, value in service.answer_headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", service.port), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Village:
    """Speaks for `game.…` and `table.…` in these tests: says what its parameters say, and holds until told otherwise."""

    kinds: Final = {**game_notices.kinds, **table_notices.kinds}

    def __init__(self) -> None:
        self.over: set[str] = set()
        """Topics about which nothing is true any more."""

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        return params.get("game") not in self.over

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        until = params.get("until")
        return Words(
            subject=f"Your turn {params.get('game')}",
            line=f"In {language}: <{event}> & more.",
            url=f"/g/{params.get('game')}/",
            tag=f"game-{params.get('game')}",
            until=parse_datetime(until) if until else None,
        )


@contextmanager
def village() -> Iterator[Village]:
    """The events of games and tables are spoken for by a `Village`, until the end."""
    before = dict(registry.wordings)
    wording = Village()
    registry.wordings.update(game=wording, table=wording)
    try:
        yield wording
    finally:
        registry.wordings.update(before)


def member(name: str = "Mengia", **fields: Any) -> Player:
    """Somebody with an account and an address."""
    user = User.objects.create(email=f"{name.lower()}@example.org")
    return Player.objects.create(user=user, name=name, **fields)


def use(settings: Any, server: MailServer) -> None:
    """Let the site send its mail through `server`."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.EMAIL_TIMEOUT = PATIENCE
