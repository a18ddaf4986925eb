"""Reading forms off a page, and filling them in."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import lxml.html

_TYPED = "not(@type) or @type='text' or @type='search' or @type='email' or @type='url' or @type='tel'"


@dataclass(slots=True)
class Button:
    """One button of one form: where pressing it leads, and what it sends (the first offer of every field)."""

    path: str
    name: str
    value: str
    fields: dict[str, str | list[str]]
    typed: frozenset[str]
    """The fields a person writes into; hidden ones only a page's script can fill."""


def parse(text: str) -> lxml.html.HtmlElement:
    """The page as a tree."""
    return lxml.html.document_fromstring(text)


def buttons(page: lxml.html.HtmlElement, here: str) -> Iterator[Button]:
    """Every button of every form that sends something (POST)."""
    for form in page.forms:
        if (form.method or "GET").upper() != "POST":
            continue
        fields: dict[str, str | list[str]] = {}
        for name, value in form.form_values():
            fields[name] = str(value)
        fields.pop("csrfmiddlewaretoken", None)
        typed = frozenset(map(str, form.xpath(f".//textarea/@name | .//input[{_TYPED}]/@name")))
        target = urlsplit(form.action or here)
        path = target.path + (f"?{target.query}" if target.query else "")
        for button in form.xpath(".//button[not(@type='button')]"):
            name = button.get("name") or ""
            sent = fields | ({name: button.get("value") or ""} if name else {})
            yield Button(path, name, button.get("value") or "", sent, typed)


def choices(page: lxml.html.HtmlElement, name: str) -> list[str]:
    """The values of a select, of radio buttons, or of boxes with this name."""
    options = page.xpath(f"//select[@name='{name}']/option/@value")
    return [str(value) for value in options or page.xpath(f"//input[@name='{name}']/@value")]


def some(page: lxml.html.HtmlElement, name: str, chance: random.Random) -> str:
    """One of these values; empty where there are none."""
    offered = choices(page, name)
    return chance.choice(offered) if offered else ""


def links(text: str, pattern: str) -> list[str]:
    """Paths on the page that match, each once, in order."""
    return list(dict.fromkeys(re.findall(rf'href="({pattern})"', text)))
