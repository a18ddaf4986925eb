"""Drawing a moment: what has just happened, the open hands as rows, the trick beside them.

The parts of the deck that a picture needs: a file of its own carries its cards along.

The same picture as PNG, for places that do not show SVG.

The words on a picture, and those that stand for it where it cannot be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import resvg_py
from django.conf import settings
from django.utils.html import escape
from django.utils.translation import gettext as _

from games.read_models import OpenSeat, Replay, TrickCard
from games.selectors import rulesets
from games.text.common import in_a_row
from games.text.log import log_line
from rules.text import names

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


BROAD: Final = 1200
HIGH: Final = 630
"""What pages that show a link expect of its picture."""

_EDGE: Final = 40
_TOP: Final = 128
_FOOT: Final = 596
_HANDS: Final = 744  # how broad the rows of hands are …
_NAMES: Final = 170  # … and of that the names, where they stand beside them
_PAPER, _SUNK, _INK, _SOFT, _RULE, _RED = "#fcfbf8", "#f2f0ea", "#1a1916", "#55514a", "#857f73", "#a5281b"
_TEAMS: Final = {"A": "#1f4e7a", "B": "#82560a"}
_FONT: Final = "'Troccas Sans', 'Source Sans 3', system-ui, sans-serif"
_LETTER: Final = 0.5  # how broad a letter is on average, of its height


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a picture, in one language: heading, what has just happened, the name under the trick, the site."""

    heading: str
    sentence: str
    trick: str
    site: str
    description: str


def draw(replay: Replay, words: Words) -> str:
    """The picture as SVG, 1200 by 630. It names no file outside itself."""
    trick = replay.trick or replay.last_trick
    lying = trick.cards if trick is not None else ()
    shown = {code for seat in replay.seats for code in seat.cards} | {card.code for card in lying} | {BACK}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {BROAD} {HIGH}" width="{BROAD}" height="{HIGH}"',
        f' role="img" font-family="{_FONT}">',
        f"<title>{escape(words.heading)}</title><desc>{escape(words.description)}</desc>",
        f"<defs>{deck().cut(sorted(shown))}</defs>",
        f'<rect width="{BROAD}" height="{HIGH}" fill="{_PAPER}"/><rect width="{BROAD}" height="10" fill="{_RED}"/>',
        _text(words.heading, _EDGE, 62, 38, bold=True, room=BROAD - 2 * _EDGE),
        _text(words.sentence, _EDGE, 102, 26, fill=_SOFT, room=BROAD - 2 * _EDGE),
        *_rows(replay.seats),
        *_middle(lying, replay, words.trick),
        _text(words.site, BROAD - _EDGE, HIGH - 16, 18, fill=_SOFT, room=500, end=True),
        "</svg>",
    ]
    return "".join(parts)


def _rows(seats: Sequence[OpenSeat]) -> Iterator[str]:
    """Each hand in a row of its own: under the name, or beside it where there are many."""
    high = (_FOOT - _TOP) / len(seats)
    beside = len(seats) > 4
    size = 20 if beside else 22
    for at, seat in enumerate(seats):
        top = _TOP + at * high
        colour = _TEAMS.get(seat.team, _INK)
        if seat.turn:
            yield f'<rect x="{_EDGE - 16}" y="{top + 2:.1f}" width="6" height="{high - 8:.1f}" fill="{_RED}"/>'
        if beside:
            yield _text(seat.name, _EDGE, top + high / 2 + size / 3, size, bold=True, fill=colour, room=_NAMES - 12)
            yield from _row(seat.cards, _EDGE + _NAMES, top + 3, high - 8)
        else:
            yield _text(seat.name, _EDGE, top + size - 2, size, bold=True, fill=colour, room=_HANDS)
            yield from _row(seat.cards, _EDGE, top + size + 8, high - size - 16)


def _row(codes: tuple[str, ...], left: float, top: float, high: float) -> Iterator[str]:
    """A hand: of cards that overlap and are cut off below, the upper corners show what each is."""
    broad = min(high * 1.5, 88.0)
    step = min(broad * 0.7, (_EDGE + _HANDS - left - broad) / max(len(codes) - 1, 1))
    for at, code in enumerate(codes):
        yield _card(code, left + at * step, top, broad, high)


def _middle(cards: tuple[TrickCard, ...], replay: Replay, under: str) -> Iterator[str]:
    """The trick, each card over the name of its player; before the play the pack."""
    left, top, broad, high = 820, _TOP, BROAD - _EDGE - 820, _FOOT - _TOP - 8
    yield f'<rect x="{left}" y="{top}" width="{broad}" height="{high}" rx="8" fill="{_SUNK}"/>'
    yield _text(under, left + broad / 2, top + high - 14, 20, fill=_SOFT, room=broad - 24, middle=True)
    if not cards:
        yield _card(BACK, left + broad / 2 - 60, top + 90, 120)
        return
    across = 2 if len(cards) <= 4 else 3 if len(cards) <= 6 else 4
    down = -(-len(cards) // across)
    cell, tall = (broad - 20) / across, (high - 44) / down
    size = 18 if across < 4 else 14
    width = min(cell - 14, (tall - size - 18) * WIDTH / HEIGHT)
    for at, card in enumerate(cards):
        middle = left + 10 + (at % across + 0.5) * cell
        y = top + 10 + at // across * tall
        x = middle - width / 2
        if card.winning:
            yield (
                f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="{width + 8:.1f}" height="{width * HEIGHT / WIDTH + 8:.1f}" '
                f'rx="8" fill="none" stroke="{_RED}" stroke-width="4"/>'
            )
        yield _card(card.code, x, y, width)
        colour = _TEAMS.get(replay.seats[card.seat].team, _INK)
        name = replay.seats[card.seat].name
        base = y + width * HEIGHT / WIDTH + size + 4
        yield _text(name, middle, base, size, bold=True, fill=colour, room=cell - 6, middle=True)


def _card(code: str, x: float, y: float, broad: float, high: float = HIGH) -> str:
    """A card of this breadth; where it has less height than a card, its upper part."""
    seen = min(HEIGHT, high / broad * WIDTH)
    return (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{broad:.1f}" height="{seen / WIDTH * broad:.1f}" '
        f'viewBox="0 0 {WIDTH} {seen:.1f}"><use href="#{code}" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="7" fill="none" stroke="{_RULE}"/></svg>'
    )


def _text(
    text: str,
    x: float,
    y: float,
    size: int,
    *,
    room: float,
    fill: str = _INK,
    bold: bool = False,
    middle: bool = False,
    end: bool = False,
) -> str:
    """One line, shortened to the room it has."""
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
    """A picture in PNG, as large as the SVG says. Takes a few tenths of a second; reads no file but the fonts beside it."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, skip_system_fonts=True, font_files=_FONTS, sans_serif_family="Troccas Sans"
        )
    )


def words(replay: Replay) -> Words:
    """What a picture of this moment says, in the reader's language; nobody is spoken to, for others look at it too."""
    game = rulesets.game_name(replay.ruleset)
    trick = replay.trick or replay.last_trick
    heading = _("%(game)s, hand %(number)d") % {"game": game, "number": replay.hand}
    under = _("Trick %(number)d") % {"number": trick.number} if trick is not None else _("Before the play")
    sentence = _sentence(replay)
    cards = in_a_row([names.card_short(card.code) for card in trick.cards]) if trick is not None else ""
    lying = _("%(trick)s: %(cards)s.") % {"trick": under, "cards": cards} if cards else ""
    description = " ".join(part for part in (f"{heading}.", sentence, lying) if part)
    return Words(heading, sentence, under, urlsplit(settings.SITE_URL).netloc, description)


def _sentence(replay: Replay) -> str:
    if not replay.step:
        return _("The pack lies ready. Nobody has acted yet.")
    return " ".join(log_line(line, replay) for line in replay.steps[replay.step - 1].lines)
