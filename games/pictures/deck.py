"""The parts of the deck that a picture needs: a file of its own carries its cards along."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.conf import settings

BACK: Final = "back"
WIDTH: Final = 120
HEIGHT: Final = 216

_TAG: Final = re.compile(r"<(/)?[a-zA-Z][^<>]*?(/)?>")
_ID: Final = re.compile(r'\bid="([^"]+)"')
_NAMED: Final = re.compile(r'href="#([^"]+)"|url\(#([^)]+)\)')
_COLOUR: Final = re.compile(r"var\(--[a-z-]+,\s*([^)]+)\)")


@dataclass(frozen=True, slots=True)
class Deck:
    """The sprite taken apart: each part that has a name, with its own colours, and the parts it names in turn."""

    parts: dict[str, str]
    needs: dict[str, frozenset[str]]

    def cut(self, codes: Iterable[str]) -> str:
        """The symbols of these cards and all that they are made of, as SVG."""
        wanted: dict[str, None] = {}
        waiting = list(codes)
        while waiting:
            name = waiting.pop()
            if name not in wanted:
                wanted[name] = None
                waiting += self.needs[name]
        return "".join(text for name, text in self.parts.items() if name in wanted)


@cache
def deck() -> Deck:
    """The deck of the site, read once. The colours a page would give it are those it has by itself."""
    text = (settings.BASE_DIR / "static" / "deck" / "deck.svg").read_text(encoding="utf-8")
    parts = {name: _COLOUR.sub(r"\1", part) for name, part in _top_parts(text)}
    needs = {name: frozenset(a or b for a, b in _NAMED.findall(part)) & parts.keys() for name, part in parts.items()}
    return Deck(parts, needs)


def _top_parts(text: str) -> Iterable[tuple[str, str]]:
    """The named parts directly inside `<defs>` or the root, whole, in their order."""
    body = re.sub(r"<!--.*?-->|</?defs>|<svg[^>]*>|</svg>", "", text, flags=re.DOTALL)
    depth = start = 0
    for tag in _TAG.finditer(body):
        if tag[1]:
            depth -= 1
        else:
            if depth == 0:
                start = tag.start()
            depth += not tag[2]
        if depth == 0:
            part = body[start : tag.end()]
            name = _ID.search(part[: part.index(">")])
            if name is not None:
                yield name[1], part
