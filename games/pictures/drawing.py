"""Drawing a moment: what has just happened, the open hands as rows, the trick beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import escape

from games.pictures.deck import BACK, HEIGHT, WIDTH, deck
from games.seen import OpenSeat, Replay, TrickCard

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
