"""A browser as in `tests.tournaments.evenings.wire`, but within this process: Django's client in the place of a connection."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import cast

from django.test import Client

from accounts.models import User
from tests.live import LiveSite, session_of
from tests.tournaments.evenings.wire import Browser, Count, Page

NO_SITE = cast("LiveSite", None)


@dataclass
class Inside(Browser):
    """One browser of one person; `address` is where it is on the net."""

    client: Client = field(default_factory=Client)
    address: str = "10.0.0.1"

    def log_in(self, user: User) -> None:
        """Be somebody, as after having logged in."""
        self.client.cookies["sessionid"] = session_of(user)

    def _insist(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Page:
        self.count.asked += 1
        own = {"Accept": "text/html", "Accept-Language": "en"} | headers
        kind = own.pop("Content-Type", "application/octet-stream")
        answer = self.client.generic(
            method, path, body or b"", content_type=kind, headers=own, REMOTE_ADDR=self.address
        )
        content = b"".join(answer) if answer.streaming else answer.content
        return Page(path, answer.status_code, {name.lower(): value for name, value in answer.items()}, content)


def browser(chance: random.Random, count: Count, number: int = 1) -> Inside:
    """A new browser without a past."""
    return Inside(NO_SITE, count, chance, address=f"10.{number // 250}.{number % 250}.7")
