"""Pictures as SVG and PNG: the site's cards cut out of their sprite, lines of text, and the picture of a page.

A picture refers to no other file, and is drawn without any font of the machine.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.html import escape

BACK: Final = "back"
WIDTH: Final = 120
HEIGHT: Final = 216

BROAD: Final = 1200
HIGH: Final = 630
"""The size that sites expect of a link's picture."""

PAPER, SUNK, INK, SOFT, RULE, RED = "#fcfbf8", "#f2f0ea", "#1a1916", "#55514a", "#857f73", "#a5281b"
FONT: Final = "'Troccas Sans', 'Source Sans 3', system-ui, sans-serif"
_LETTER: Final = 0.5  # the average width of a letter, relative to its height

_TAG: Final = re.compile(r"<(/)?[a-zA-Z][^<>]*?(/)?>")
_ID: Final = re.compile(r'\bid="([^"]+)"')
_NAMED: Final = re.compile(r'href="#([^"]+)"|url\(#([^)]+)\)')
_COLOUR: Final = re.compile(r"var\(--[a-z-]+,\s*([^)]+)\)")


@dataclass(frozen=True, slots=True)
class Deck:
    """The sprite taken apart: each named part, with its own colours, and the parts it refers to."""

    parts: dict[str, str]
    needs: dict[str, frozenset[str]]

    def cut(self, codes: Iterable[str]) -> str:
        """The symbols of these cards, and all parts they need, as SVG."""
        needed: set[str] = set()
        waiting = list(codes)
        while waiting:
            name = waiting.pop()
            if name not in needed:
                needed.add(name)
                waiting += self.needs[name]
        return "".join(text for name, text in self.parts.items() if name in needed)


@cache
def deck() -> Deck:
    """The site's deck, read once. Colours that a page could set are replaced by their defaults."""
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


def card_picture(code: str, x: float, y: float, broad: float, high: float = HIGH) -> str:
    """A card of this width, cut at the bottom to the height `high`."""
    seen = min(HEIGHT, high / broad * WIDTH)
    return (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{broad:.1f}" height="{seen / WIDTH * broad:.1f}" '
        f'viewBox="0 0 {WIDTH} {seen:.1f}"><use href="#{code}" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="7" fill="none" stroke="{RULE}"/></svg>'
    )


def text_line(
    text: str,
    x: float,
    y: float,
    size: int,
    *,
    room: float,
    fill: str = INK,
    bold: bool = False,
    middle: bool = False,
    end: bool = False,
) -> str:
    """One line, shortened to the width `room`."""
    most = int(room / (size * _LETTER))
    line = text if len(text) <= most else text[: most - 1].rstrip() + "…"
    anchor = "middle" if middle else "end" if end else "start"
    weight = 600 if bold else 400
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{fill}" '
        f'text-anchor="{anchor}">{escape(line)}</text>'
    )


_FONTS: Final = [str(path) for path in sorted((Path(__file__).resolve().parent / "fonts").glob("*.ttf"))]


def png(svg: str) -> bytes:
    """The picture as PNG, in the size of the SVG. Takes a few tenths of a second; reads no file but our own fonts."""
    import resvg_py  # noqa: PLC0415  # large, and rarely needed

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, skip_system_fonts=True, font_files=_FONTS, sans_serif_family="Troccas Sans"
        )
    )


_EDGE: Final = 64
_WORDS: Final = 660  # the width of the text
_TITLE: Final = 68
_LINE: Final = 30
_SEVERAL: Final = 2  # from this number on, cards are fanned out


def of_page(title: str, above: str, text: str, cards: Sequence[str], site: str) -> str:
    """The picture of a page: its title, a line above it, its first lines, and some cards."""
    shown = list(cards) or [BACK]
    size = _TITLE if len(title) <= 18 else 46
    titles = textwrap.wrap(title, int(_WORDS / (size * _LETTER)), max_lines=2, placeholder="…")
    lines = textwrap.wrap(text, int(_WORDS / (_LINE * _LETTER)), max_lines=5, placeholder=" …")
    top = 190.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {BROAD} {HIGH}" width="{BROAD}" height="{HIGH}"',
        f' font-family="{FONT}"><defs>{deck().cut(sorted(set(shown)))}</defs>',
        f'<rect width="{BROAD}" height="{HIGH}" fill="{PAPER}"/><rect width="{BROAD}" height="10" fill="{RED}"/>',
        text_line(above, _EDGE, 104, 28, fill=RED, bold=True, room=_WORDS),
    ]
    for line in titles:
        parts.append(text_line(line, _EDGE, top, size, bold=True, room=_WORDS * 1.3))
        top += size * 1.15
    top += 12
    for line in lines:
        parts.append(text_line(line, _EDGE, top, _LINE, fill=SOFT, room=_WORDS * 1.3))
        top += _LINE * 1.35
    parts += [*_fan(shown), text_line(site, _EDGE, HIGH - 40, 24, fill=SOFT, room=500), "</svg>"]
    return "".join(parts)


def _fan(codes: Sequence[str]) -> list[str]:
    """One card upright, several spread like a hand."""
    broad = 230.0 if len(codes) < _SEVERAL else 150.0
    middle = 970.0 if len(codes) < _SEVERAL else 940.0
    foot = 110 + broad * HEIGHT / WIDTH
    spread = min(14.0, 44.0 / max(1, len(codes) - 1))
    cards = []
    for index, code in enumerate(codes):
        turn = (index - (len(codes) - 1) / 2) * spread
        cards.append(
            f'<g transform="rotate({turn:.1f} {middle} {foot + 260:.0f})">{card_picture(code, middle - broad / 2, foot - broad * HEIGHT / WIDTH, broad)}</g>'
        )
    return cards
