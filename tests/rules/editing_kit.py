"""People who are signed in, and forms as a browser sends them."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

from accounts.models import Player


def signed_in(player: Player, **options: Any) -> Client:
    """A browser in which this member is signed in."""
    client = Client(**options)
    client.force_login(player.user)
    return client


class _Forms(HTMLParser):
    """Collects what a browser would send with the form of an id."""

    def __init__(self, id: str) -> None:
        super().__init__()
        self.id = id
        self.fields: list[tuple[str, str]] = []
        self.inside = False
        self.area: str | None = None
        self.text = ""
        self.select: str | None = None
        self.chosen: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        had = {name: value or "" for name, value in attrs}
        if tag == "form" and had.get("id") == self.id:
            self.inside = True
        if not self.inside:
            return
        if tag == "input" and "name" in had:
            if had.get("type") in ("checkbox", "radio") and "checked" not in had:
                return
            self.fields.append((had["name"], had.get("value", "")))
        elif tag == "textarea":
            self.area, self.text = had["name"], ""
        elif tag == "select":
            self.select, self.chosen = had["name"], None
        elif tag == "option" and self.select and (self.chosen is None or "selected" in had):
            self.chosen = had.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "textarea" and self.area is not None:
            self.fields.append((self.area, self.text.removeprefix("\n")))
            self.area = None
        elif tag == "select" and self.select is not None:
            self.fields.append((self.select, self.chosen or ""))
            self.select = None

    def handle_data(self, data: str) -> None:
        if self.area is not None:
            self.text += data


def fields_of(response: HttpResponse, id: str = "edit-form") -> dict[str, Any]:
    """What the form on a page would send if nobody touched it."""
    parser = _Forms(id)
    parser.feed(response.content.decode())
    found: dict[str, list[str]] = {}
    for name, value in parser.fields:
        found.setdefault(name, []).append(value)
    assert found, "there is no such form on the page"
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


def filled(client: Client, address: str, **changes: Any) -> dict[str, Any]:
    """The form at an address as it would be sent with these fields changed; `__` in a name stands for a full stop."""
    fields = fields_of(client.get(address))
    return {**fields, **{name.replace("__", "."): value for name, value in changes.items()}}
