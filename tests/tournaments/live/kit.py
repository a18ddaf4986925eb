"""Phones in a test: each knows its code and posts as a browser without script, or as ours, would."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from tests.tournaments.services.kit import Night
from tournaments.services import codes


@dataclass
class PhoneKit:
    """A phone at a table of a night. It accepts no cookies, and its browser checks forms as strictly as Django can."""

    night: Night
    key: str
    place: int = 0
    client: Client = field(default_factory=lambda: Client(enforce_csrf_checks=True))

    def __post_init__(self) -> None:
        self.code = codes.table_code(self.night.tournament, self.night.state, self.key, self.place)
        self.base = f"/e/{self.night.tournament.public_id}/s/{self.code}/"

    def look(self, query: str = "") -> Any:
        """The page."""
        return self.client.get(self.base + query)

    def do(self, what: str, *, scripted: bool = False, request_id: uuid.UUID | None = None, **data: object) -> Any:
        """Post a form; with `seen` of the sheet as it is, unless another is given."""
        sent = {
            "request_id": str(request_id or uuid.uuid4()),
            **{name.replace("_", "-", 0): value for name, value in data.items()},
        }
        headers = {"Accept": "application/json"} if scripted else {}
        return self.client.post(f"{self.base}{what}/", sent, headers=headers)

    def write(self, deal: int, *scores: object, seen: str = "", **more: Any) -> Any:
        """Write a deal."""
        return self.do(
            "write", deal=deal, seen=seen, **{f"s{place}": score for place, score in enumerate(scores)}, **more
        )

    @property
    def seen(self) -> str:
        """The sheet as a page that was just loaded has it."""
        from tournaments.live.selectors import lines_seen

        return lines_seen(self.night.table(self.key).lines)

    def fill(self, *scores: int) -> None:
        """Every deal, and the sheet is handed in."""
        for deal in range(1, self.night.table(self.key).deals + 1):
            assert self.write(deal, *scores).status_code == 303
        assert self.do("hand-in", seen=self.seen).status_code == 303


def evening(number: int = 4, **plan: Any) -> Night:
    """A night whose first round is out."""
    night = Night.at(number, **plan)
    night.begin()
    night.draw()
    return night


def nobodys(digits: dict[int, str]) -> str:
    """Four digits that no side of a table has; `digits` are those of its sides."""
    return next(each for each in map("{:04}".format, range(10)) if each not in digits.values())
