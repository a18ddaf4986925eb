"""A browser of the simplest kind, as a person has one or two of: cookies, forms, and a hand that presses the button again
when no answer comes. Everything it receives goes into the archive, everything it asks for into the ledger."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from tests.judging.archive import Archive
from tests.judging.sites import House

GUEST_COOKIE = "guest"
WAIT_SECONDS = 60.0
TRIES = 60


class Gone(Exception):
    """The server did not answer: nobody knows whether it has done what it was asked."""


class Closed(Exception):
    """The run is over."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    path: str

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", errors="replace")

    @property
    def where(self) -> str:
        """Where it leads; empty if nowhere."""
        return urlsplit(self.headers.get("location", "")).path

    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)


@dataclass(slots=True)
class Entry:
    """One request that wanted something done: what it was, and what was answered in the end (0: nothing)."""

    who: int
    path: str
    fields: dict[str, str]
    request_id: str
    kind: str
    """act, ready, leave, time, claim, lobby, or another last part of the path."""
    status: int = 0
    sent: int = 0
    text: str = ""


@dataclass(slots=True)
class Ledger:
    """All that was asked for. May be used by many threads."""

    entries: list[Entry] = field(default_factory=list)

    def open(self, entry: Entry) -> Entry:
        """Note a request before it is sent."""
        self.entries.append(entry)  # one step of the interpreter: no lock needed
        return entry

    @property
    def resent(self) -> int:
        """How many requests had to be sent more than once."""
        return sum(entry.sent > 1 for entry in self.entries)


@dataclass(slots=True)
class Device:
    """One browser of one person. It belongs to one thread at a time: whoever holds `busy`."""

    house: House
    archive: Archive
    ledger: Ledger
    who: int
    address: str
    now: Callable[[], datetime]
    chance: random.Random
    language: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)
    busy: threading.Lock = field(default_factory=threading.Lock)
    numbers: dict[str, int] = field(default_factory=dict)
    """Of each game, the number it was last told: what was told once is never taken back, whoever dies."""
    guests: set[str] = field(default_factory=set)
    """The cookies of all guests this browser ever was: somebody let go, who comes again, is another guest."""
    reconnects: int = 0
    _connection: http.client.HTTPConnection | None = None
    _port: int = 0

    # one try

    def ask(
        self,
        method: str,
        path: str,
        fields: Mapping[str, str | list[str]] | None = None,
        *,
        script: bool = False,
        accept: str = "text/html",
    ) -> Answer:
        """Send one request. Raises Gone when no whole answer comes."""
        body = urlencode(fields, doseq=True).encode() if fields is not None else None
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-Forwarded-For": self.address,
            "Accept": accept,
            "User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140",
        }
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        if script:
            headers["HX-Request"] = "true"
        asked = self.now()
        connection = self._connected()
        try:
            connection.request(method, path, body, headers)
            with connection.getresponse() as raw:  # one that breaks off is closed too
                answer = Answer(raw.status, {name.lower(): value for name, value in raw.getheaders()}, raw.read(), path)
            for line in raw.headers.get_all("Set-Cookie") or ():
                self._keep_cookie(line)
        except (OSError, http.client.HTTPException):
            self.hang_up()
            raise Gone(path) from None
        if answer.headers.get("connection") == "close":
            self.hang_up()
        kind = answer.headers.get("content-type", "")
        self.archive.keep(self.who, "page", path, answer.status, kind, asked, self.now(), answer.body)
        return answer

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            self._port = self.house.server(self.chance).port
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=WAIT_SECONDS)
            self.reconnects += 1
        return self._connection

    def hang_up(self) -> None:
        """Close the connection; the next request opens another, maybe to another server."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _keep_cookie(self, line: str) -> None:
        for name, morsel in SimpleCookie(line).items():
            if morsel.value and morsel["max-age"] != "0" and morsel["max-age"] != 0:
                self.cookies[name] = morsel.value
                if name == GUEST_COOKIE:
                    self.guests.add(morsel.value)
            else:
                self.cookies.pop(name, None)

    # until it is answered

    def get(self, path: str, *, script: bool = False) -> Answer:
        """Look at a page; try again while the server is away. Redirects are followed. Raises Closed at the end of all."""
        for _ in range(TRIES):
            try:
                answer = self.ask("GET", path, script=script)
            except Gone:
                self.wait()
                continue
            if answer.status in (301, 302, 303) and answer.headers.get("location"):
                target = urlsplit(urljoin(path, answer.headers["location"]))
                path = target.path + (f"?{target.query}" if target.query else "")
                continue
            return answer
        raise Closed(path)

    def insist(
        self, path: str, fields: Mapping[str, str | list[str]], *, kind: str, text: str = "", script: bool = False
    ) -> Answer:
        """Send a form and, as long as no answer comes, the very same again. Raises Closed if none ever comes."""
        given = dict(fields)
        given.setdefault("request_id", str(uuid.UUID(int=self.chance.getrandbits(128), version=4)))
        plain = {name: value if isinstance(value, str) else " ".join(value) for name, value in given.items()}
        entry = self.ledger.open(Entry(self.who, path, plain, plain["request_id"], kind, text=text))
        for _ in range(TRIES):
            entry.sent += 1
            try:
                answer = self.ask("POST", path, given, script=script)
            except Gone:
                self.wait()
                continue
            entry.status = answer.status
            return answer
        raise Closed(path)

    def wait(self) -> None:
        """Wait a moment for the server to come back. Raises Closed when the run is over."""
        if self.house.closing:
            raise Closed
        time.sleep(0.25 + self.chance.random())
