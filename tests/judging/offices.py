"""The post: a real mail server and a real push service on this machine, kept through all deaths of the site."""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from contextlib import ExitStack
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from tests.live import free_port
from tests.notices.post_office import Browser, mail_server, push_service

_LINK = re.compile(r"https?://\S+/account/confirm-email/\S+")


class PostOffice:
    """Receives letters and messages. Now and then the site dies just when it hands a letter over (`victims`)."""

    def __init__(self, chance: random.Random, how_often: float) -> None:
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self.chance, self.how_often = chance, how_often
        self.mail = self._stack.enter_context(mail_server(free_port()))
        self.push = self._stack.enter_context(push_service())
        self.kill: object = None
        self.interrupted = 0
        self.arrivals: list[tuple[str, str]] = []
        """The Message-ID of each letter, with the moment in which it came (UTC, as no clock of ours was turned)."""
        self.mail.before_answer = self._maybe_kill

    @property
    def port(self) -> int:
        """Of the mail server."""
        return self.mail.port

    def _maybe_kill(self) -> None:
        came = str(self.mail.letters[-1]["Message-ID"]).strip()
        self.arrivals.append((came, datetime.now(UTC).isoformat(sep=" ", timespec="milliseconds")))
        if callable(self.kill) and self.chance.random() < self.how_often:
            self.interrupted += 1
            self.kill()

    def browser(self) -> Browser:
        """A browser that shows messages."""
        with self._lock:
            return self.push.browser()

    def link_for(self, address: str) -> str:
        """The path of the link that confirms an address; empty while no such letter has come."""
        for letter in reversed(self.mail.letters):
            if address in str(letter["To"]):
                body = letter.get_body(("plain",))
                found = _LINK.search(body.get_content()) if body is not None else None
                if found:
                    return urlsplit(found[0]).path
        return ""

    def letters(self) -> Counter[str]:
        """How often each notice's letter has come, by its Message-ID."""
        return Counter(str(letter["Message-ID"]).strip() for letter in self.mail.letters if letter["List-Id"])

    def copies(self) -> dict[str, list[set[str]]]:
        """The lines of each notice's letter, for each time it has come, without addresses, which are signed anew."""
        found: dict[str, list[set[str]]] = {}
        for letter in self.mail.letters:
            body = letter.get_body(("plain",))
            if letter["List-Id"] and body is not None:
                lines = {re.sub(r"https?://\S+", "", line).strip() for line in body.get_content().splitlines()}
                found.setdefault(str(letter["Message-ID"]).strip(), []).append(lines)
        return found

    def texts(self) -> list[tuple[str, str, datetime | None]]:
        """Every letter and message: to whom, all it says, and of a letter its date."""
        found: list[tuple[str, str, datetime | None]] = []
        for letter in self.mail.letters:
            parts = [part.get_content() for part in letter.walk() if part.get_content_maintype() == "text"]
            date = parsedate_to_datetime(str(letter["Date"])) if letter["Date"] else None
            found.append((str(letter["To"]), "\n".join([str(letter["Subject"]), *map(str, parts)]), date))
        for browser in self.push.browsers.values():
            for at in range(len(browser.bodies)):
                said = browser.read(at)
                text = "\n".join((said["title"], said["body"], said["url"], said["tag"]))
                found.append((browser.endpoint, text, None))
        return found

    def close(self) -> None:
        """Close both."""
        self._stack.close()
