"""A browser of the simplest kind: cookies, pages with forms, and a finger that presses again when no answer comes."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import lxml.html

from tests.live import PATIENCE, LiveSite

Fields = dict[str, str | list[str]]
ANSWER_SECONDS = 60.0
BOUNDARY = "the-edge-of-a-list-of-members"


class Unanswered(Exception):
    """The server was away for longer than anybody waits."""


class Refusing(AssertionError):
    """The site said no to something it should have let happen."""


@dataclass(slots=True)
class Count:
    """What went over the wire, by all browsers together."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: int = 0
    sent_again: int = 0
    accepted: set[str] = field(default_factory=set)
    """Ids of requests that were answered with success."""


@dataclass(slots=True)
class Form:
    """A form on a page: where it leads, and what it sends as it stands there."""

    path: str
    fields: Fields

    def text(self, name: str) -> str:
        """A field with one value."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) else ""


@dataclass
class Page:
    """What came back."""

    path: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """The body as data."""
        return json.loads(self.body)

    @cached_property
    def tree(self) -> lxml.html.HtmlElement:
        """The page as a tree."""
        return lxml.html.document_fromstring(self.body or b"<html></html>")

    def said(self) -> str:
        """The notices on it, for whoever wants to know why not."""
        notices = self.tree.xpath("//*[@role='alert'] | //*[contains(@class, 'errorlist')] | //*[@data-level='error']")
        return " / ".join(" ".join(each.text_content().split()) for each in notices) or self.text[:300]

    def one(self, where: str) -> lxml.html.HtmlElement:
        """The only element at this place. Raises Refusing if there are none or several."""
        found = self.tree.xpath(where)
        if len(found) != 1:
            raise Refusing(f"{self.path} has {len(found)} of {where}")
        return found[0]

    def forms(self, *, to: str = "", **hidden: str) -> list[Form]:
        """Forms that are sent, those whose address ends with `to`, and whose fields hold these values."""
        found = []
        for form in self.tree.forms:
            if (form.method or "GET").upper() != "POST":
                continue
            fields: Fields = {}
            for name, value in form.form_values():
                before = fields.get(name)
                if before is None:
                    fields[name] = str(value)
                else:
                    fields[name] = [*([before] if isinstance(before, str) else before), str(value)]
            for name in form.xpath(
                ".//input[not(@type='checkbox' or @type='radio' or @type='submit')]/@name | .//textarea/@name"
            ):
                fields.setdefault(str(name), "")  # an empty field is sent too
            target = urlsplit(urljoin(self.path, form.get("action") or ""))
            path = target.path + (f"?{target.query}" if target.query else "")
            if target.path.endswith(to) and all(fields.get(name) == value for name, value in hidden.items()):
                found.append(Form(path, fields))
        return found

    def form(self, *, to: str = "", **hidden: str) -> Form:
        """The first such form. Raises Refusing, with what the page says, if it offers none."""
        found = self.forms(to=to, **hidden)
        if not found:
            raise Refusing(f"{self.path} ({self.status}) offers no form {to} {hidden}: {self.said()}")
        return found[0]


@dataclass
class Browser:
    """One browser of one person. It belongs to one thread."""

    site: LiveSite
    count: Count
    chance: random.Random
    cookies: dict[str, str] = field(default_factory=dict)
    _line: http.client.HTTPConnection | None = None

    def get(self, path: str) -> Page:
        """Look at a page, following redirects; wait while the server is away. Raises Unanswered."""
        return self._followed(self._insist("GET", path, None, {}))

    def page(self, path: str) -> Page:
        """The same for a page that has to be there. Raises Refusing."""
        found = self.get(path)
        if found.status != 200:
            raise Refusing(f"{path} gave {found.status}: {found.said()}")
        return found

    def press(self, form: Form, /, **changed: str | list[str]) -> Page:
        """Send a form with some fields filled in, and see the page that follows. Raises Refusing if it is refused."""
        answer = self.send(form, **changed)
        if answer.status >= 400:
            raise Refusing(f"{form.path} {changed} gave {answer.status}: {answer.said()}")
        return answer

    def send(self, form: Form, /, **changed: str | list[str]) -> Page:
        """The same, whatever comes back."""
        return self._followed(self.post(form.path, form.fields | changed))

    def post(self, path: str, fields: Fields, *, script: bool = False, live: bool = False) -> Page:
        """Send fields, and the very same again until an answer comes; as a script of the hall or of the door would.

        Raises Unanswered.
        """
        fields = dict(fields)
        fields.pop("csrfmiddlewaretoken", None)
        request_id = fields.setdefault("request_id", self.new_id())
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if script:
            headers["Accept"] = "application/json"
        if live:
            headers["HX-Request"] = "true"
        answer = self._insist("POST", path, urlencode(fields, doseq=True).encode(), headers)
        if answer.status < 400:
            with self.count.lock:
                self.count.accepted.add(str(request_id))
        return answer

    def hand_over(self, path: str, name: str, filename: str, content: str) -> Page:
        """Send a file."""
        head = f'Content-Disposition: form-data; name="{name}"; filename="{filename}"\r\nContent-Type: text/csv\r\n\r\n'
        body = f"--{BOUNDARY}\r\n{head}{content}\r\n--{BOUNDARY}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        return self._followed(self._insist("POST", path, body, headers))

    def new_id(self) -> str:
        """The id of a request, as a page's script would make it."""
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def hang_up(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _followed(self, answer: Page) -> Page:
        while answer.status in (301, 302, 303, 307) and answer.headers.get("location"):
            target = urlsplit(urljoin(answer.path, answer.headers["location"]))
            path = target.path + (f"?{target.query}" if target.query else "")
            answer = self._insist("GET", path, None, {})
        return answer

    def _insist(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Page:
        end = time.monotonic() + 2 * PATIENCE
        tries = 0
        while time.monotonic() < end:
            tries += 1
            with self.count.lock:
                self.count.asked += 1
                self.count.sent_again += tries > 1 and method == "POST"
            try:
                return self._ask(method, path, body, headers)
            except (OSError, http.client.HTTPException):
                self.hang_up()
                time.sleep(0.2 + 0.3 * self.chance.random())
        raise Unanswered(path)

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Page:
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=ANSWER_SECONDS)
        own = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Accept": "text/html",
            "Accept-Language": "en",
            "X-CSRFToken": self.cookies.get("csrftoken", ""),
        }
        self._line.request(method, path, body, own | headers)
        with self._line.getresponse() as raw:  # one that breaks off is closed too
            content = raw.read()
        for line in raw.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(line).items():
                if morsel.value:
                    self.cookies[name] = morsel.value
                else:
                    self.cookies.pop(name, None)
        given = {name.lower(): value for name, value in raw.getheaders()}
        if given.get("connection") == "close":
            self.hang_up()
        return Page(path, raw.status, given, content)


def words(element: lxml.html.HtmlElement) -> str:
    """The text of a part of a page, on one line."""
    return " ".join(element.text_content().split())
