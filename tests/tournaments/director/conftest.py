"""A director at the desk, for tests: pages are asked for and forms sent as a browser does."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.tournaments.services.kit import Night


@dataclass
class DeskClient:
    """A browser of the director's."""

    night: Night
    client: Client

    def url(self, name: str, *args: object) -> str:
        """A page of the tournament."""
        return reverse(f"tournament:{name}", args=[self.night.tournament.public_id, *args])

    def get(self, name: str, *args: object, query: str = "") -> str:
        """A page as text, without marks."""
        response = self.client.get(self.url(name, *args) + query)
        assert response.status_code == 200, response.content.decode()[-3000:]
        return text(response)

    def post(self, page: str, /, *args: object, status: int = 303, query: str = "", **data: Any) -> Any:
        """A form is sent; a refusal is expected by its status."""
        data.setdefault("request_id", str(uuid.uuid4()))
        response = self.client.post(self.url(page, *args) + query, data)
        assert response.status_code == status, text(response)
        return response

    def mark(self, name: str, *args: object) -> str:
        """The mark of the sheet that a page shows."""
        found = re.search(r'name="mark" value="(\w+)"', self.client.get(self.url(name, *args)).content.decode())
        assert found is not None
        return found[1]


def chosen(response: HttpResponse, name: str) -> str:
    """What is chosen in a list of choices, in words; empty where nothing is, so that a browser shows the first."""
    options = re.search(rf'<select [^>]*name="{name}".*?</select>', response.content.decode(), re.DOTALL)
    assert options is not None
    found = re.search(r"<option[^>]* selected[^>]*>([^<]*)", options[0])
    return html.unescape(found[1]) if found else ""


def text(response: HttpResponse) -> str:
    """What a page says."""
    words = re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(words).split())


@pytest.fixture
def desk(db) -> Callable[..., DeskClient]:
    """``desk(8, rules={…})``: a tournament with so many people here, and its director's browser."""

    def made(number: int = 0, **plan: Any) -> DeskClient:
        night = Night.at(number, **plan)
        client = Client()
        client.force_login(night.director.user)
        return DeskClient(night, client)

    return made
