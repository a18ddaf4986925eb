"""The pen: turns short lists of points into SVG paths with the look of a woodcut.

Everything is drawn in card units (a card is 120 wide and 216 high, y grows downwards).
A *track* is written as text, one point after another: ``"10,20 30,40* 50,20"``. The line is a smooth curve
through the points; a star makes a point a corner. Nothing here knows what is being drawn.
"""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from tools.deck.palette import INK

__all__ = [
    "Knot",
    "arc",
    "bar",
    "brush",
    "disc",
    "flip",
    "group",
    "hatch",
    "line",
    "number",
    "part",
    "place",
    "ring",
    "shaded",
    "shape",
    "shapes",
    "spun",
    "tag",
    "track",
]


class Knot(NamedTuple):
    """A point of a track; the curve has a corner there if `sharp`."""

    x: float
    y: float
    sharp: bool


def number(value: float) -> str:
    """Write a coordinate with one decimal at most and no superfluous zero."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


@cache
def track(text: str) -> tuple[Knot, ...]:
    """Read a track; raises ValueError if a point is not ``x,y`` or ``x,y*``."""
    knots = []
    for word in text.split():
        x, y = word.rstrip("*").split(",")
        knots.append(Knot(float(x), float(y), word.endswith("*")))
    return tuple(knots)


def _handles(knots: Sequence[Knot], closed: bool) -> list[tuple[float, ...]]:
    """Return the Bézier segments (x0 y0 … x3 y3) of the smooth curve through `knots`."""
    count = len(knots)
    segments: list[tuple[float, ...]] = []
    for i in range(count if closed else count - 1):
        a, b = knots[i], knots[(i + 1) % count]
        reach = math.hypot(b.x - a.x, b.y - a.y) * 0.36
        ends = []
        for j, knot, other, sign in ((i, a, b, 1.0), ((i + 1) % count, b, a, -1.0)):
            before = knots[j - 1] if closed or j > 0 else None
            after = knots[(j + 1) % count] if closed or j < count - 1 else None
            if knot.sharp or before is None or after is None:
                ends.append((knot.x + (other.x - knot.x) / 3, knot.y + (other.y - knot.y) / 3))
                continue
            dx, dy = after.x - before.x, after.y - before.y
            size = math.hypot(dx, dy) or 1.0
            ends.append((knot.x + sign * dx / size * reach, knot.y + sign * dy / size * reach))
        segments.append((a.x, a.y, *ends[0], *ends[1], b.x, b.y))
    return segments


def _join(values: Iterable[float]) -> str:
    """Write numbers one after another with as few separators as SVG allows."""
    out = ""
    for value in values:
        text = number(value)
        if (
            out
            and not text.startswith("-")
            and not (text.startswith(".") and "." in out.rsplit(" ", 1)[-1].rsplit("-", 1)[-1])
        ):
            out += " "
        out += text
    return out


def _path(knots: Sequence[Knot], closed: bool) -> str:
    """Return path data with relative curves; rounding errors do not add up."""
    x, y = round(knots[0].x, 1), round(knots[0].y, 1)
    data = f"M{_join((x, y))}"
    for segment in _handles(knots, closed):
        straight = all(
            abs(
                (segment[6] - segment[0]) * (segment[k + 1] - segment[1])
                - (segment[7] - segment[1]) * (segment[k] - segment[0])
            )
            < 0.05 * math.hypot(segment[6] - segment[0], segment[7] - segment[1])
            for k in (2, 4)
        )
        end_x, end_y = round(segment[6], 1), round(segment[7], 1)
        if straight:
            data += "l" + _join((end_x - x, end_y - y))
        else:
            data += "c" + _join((segment[2] - x, segment[3] - y, segment[4] - x, segment[5] - y, end_x - x, end_y - y))
        x, y = end_x, end_y
    return data + ("z" if closed else "")


def _flatten(knots: Sequence[Knot], closed: bool, steps: int = 8) -> list[tuple[float, float]]:
    """Return points along the curve, `steps` per segment."""
    points = [(knots[0].x, knots[0].y)]
    for x0, y0, x1, y1, x2, y2, x3, y3 in _handles(knots, closed):
        for step in range(1, steps + 1):
            t = step / steps
            u = 1 - t
            p, q, r, s = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
            points.append((p * x0 + q * x1 + r * x2 + s * x3, p * y0 + q * y1 + r * y2 + s * y3))
    return points


def tag(name: str, content: str | None = None, **attributes: object) -> str:
    """Return an element; ``_`` in an attribute name becomes ``-``, None leaves the attribute out."""
    head = name
    for key, value in attributes.items():
        if value is not None:
            text = number(value) if isinstance(value, int | float) else str(value)
            head += f' {key.replace("_", "-")}="{text}"'
    return f"<{head}/>" if content is None else f"<{head}>{content}</{name}>"


def group(*parts: str, **attributes: object) -> str:
    """Return the parts in one ``<g>``."""
    return tag("g", "".join(parts), **attributes)


def part(*parts: str) -> str:
    """Return the parts as one unit that the sprite holds only once, however many cards show it."""
    return f"<g>{''.join(parts)}</g>"


def place(*parts: str, x: float = 0, y: float = 0, turn: float = 0, scale: float = 1, mirror: bool = False) -> str:
    """Return the parts moved to (x, y), turned by `turn` degrees, enlarged and perhaps mirrored left to right."""
    moves = ""
    if x or y:
        moves += f"translate({number(x)} {number(y)})"
    if turn:
        moves += f"rotate({number(turn)})"
    if mirror:
        moves += f"scale({-scale:.3g} {scale:.3g})"
    elif scale != 1:
        moves += f"scale({scale:.3g})"
    return group(*parts, transform=moves) if moves else "".join(parts)


def flip(*parts: str, axis: float = 60) -> str:
    """Return the parts mirrored left to right about the upright line x = `axis`."""
    return group(*parts, transform=f"matrix(-1 0 0 1 {number(2 * axis)} 0)")


def shape(
    text: str, fill: str | None = None, width: float | None = None, bold: bool = False, bare: bool = False
) -> str:
    """Draw a closed figure.

    `bold` lays a black copy below it, a little right and down, so that the contour swells on the shaded side as a
    cut line does. `bare` leaves the contour out.
    """
    data = _path(track(text), closed=True)
    stroke = "none" if bare else None
    top = tag("path", fill=fill, stroke=stroke, stroke_width=width, d=data)
    if not bold:
        return top
    return tag("path", fill=INK, transform="translate(.6 .7)", d=data) + top


def line(text: str, width: float | None = None, colour: str | None = None) -> str:
    """Draw an open line of even width."""
    return tag("path", stroke=colour, stroke_width=width, d=_path(track(text), closed=False))


def spun(text: str, turn: float = 0, x: float = 0, y: float = 0, scale: float = 1) -> str:
    """Return a track turned by `turn` degrees about (0, 0), enlarged, and then moved to (x, y)."""
    cos, sin = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return " ".join(
        f"{knot.x * cos - knot.y * sin + x:.2f},{knot.x * sin + knot.y * cos + y:.2f}{'*' if knot.sharp else ''}"
        for knot in track(text)
    )


def shapes(texts: Iterable[str], fill: str | None = None, width: float | None = None) -> str:
    """Draw several closed figures that do not touch each other as one path."""
    data = "".join(_path(track(text), closed=True) for text in texts)
    return tag("path", fill=fill, stroke_width=width, d=data)


def bar(text: str, width: float) -> str:
    """Draw a line of straight pieces as a filled figure of ink, with blunt ends."""
    data = ""
    for a, b in pairwise(track(text)):
        size = math.hypot(b.x - a.x, b.y - a.y) or 1.0
        x, y = -(b.y - a.y) / size * width / 2, (b.x - a.x) / size * width / 2
        # Walked the same way round as `brush` does, so that overlaps never cancel out.
        ends = [(a.x - x, a.y - y), (b.x - x, b.y - y), (b.x + x, b.y + y), (a.x + x, a.y + y)]
        data += _path([Knot(*end, True) for end in ends], closed=True)
    return tag("path", fill=INK, stroke="none", d=data)


def brush(text: str, width: float = 1.6, start: float = 0.15, end: float = 0.0, fill: str = INK) -> str:
    """Draw a line that swells to `width` in its middle; `start` and `end` are the widths at the tips as parts of it."""
    points = _flatten(track(text), closed=False, steps=6)
    lengths = [0.0]
    for (ax, ay), (bx, by) in pairwise(points):
        lengths.append(lengths[-1] + math.hypot(bx - ax, by - ay))
    total = lengths[-1] or 1.0
    left, right = [], []
    last = len(points) - 1
    step = 3 if last > 6 else 2
    chosen = sorted({*range(0, last, step), last})
    for i in chosen:
        (px, py), (nx, ny) = points[max(0, i - 1)], points[min(last, i + 1)]
        dx, dy = nx - px, ny - py
        size = math.hypot(dx, dy) or 1.0
        t = lengths[i] / total
        swell = math.sin(math.pi * t) ** 0.7
        tip = start + (end - start) * t
        half = width / 2 * (tip + (1 - tip) * swell)
        left.append(Knot(points[i][0] - dy / size * half, points[i][1] + dx / size * half, i in (0, last)))
        right.append(Knot(points[i][0] + dy / size * half, points[i][1] - dx / size * half, i in (0, last)))
    return tag("path", fill=fill, stroke="none", d=_path([*right, *reversed(left)], closed=True))


def hatch(
    text: str,
    angle: float = 0,
    gap: float = 2.2,
    reach: float = 8,
    width: float = 0.9,
    both: bool = False,
) -> str:
    """Shade a closed figure with cut wedges that start at its edge and run inwards.

    The wedges run in direction `angle` (degrees, 0 = to the right) from the edge they meet first, `reach` units long
    or two thirds of the figure's width, whichever is less; `both` shades the opposite edge too.
    """
    chance = random.Random(zlib.crc32(f"{text}{angle}{gap}".encode()))
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)
    outline = [(x * cos + y * sin, -x * sin + y * cos) for x, y in _flatten(track(text), closed=True)]
    rows = [y for _, y in outline]
    data = ""
    pen_x = pen_y = 0.0
    row = min(rows) + gap * 0.6

    def back(u: float, v: float) -> tuple[float, float]:
        return u * cos - v * sin, u * sin + v * cos

    while row < max(rows):
        cuts = []
        for (ax, ay), (bx, by) in pairwise(outline):
            if (ay <= row) != (by <= row):
                cuts.append(ax + (row - ay) / (by - ay) * (bx - ax))
        cuts.sort()
        for a, b in zip(cuts[::2], cuts[1::2], strict=False):
            length = min(reach * (0.72 + 0.5 * chance.random()), (b - a) * (0.45 if both else 0.66))
            if b - a < 1:
                continue
            for start, way in ((a, 1), (b, -1)) if both else ((a, 1),):
                # Both directions are walked the same way round, so that overlapping wedges never cancel out.
                corners = (start, row - way * width / 2), (start + way * length, row), (start, row + way * width / 2)
                command = "m" if data else "M"
                steps = []
                for corner in corners:
                    x, y = back(*corner)
                    x, y = round(x, 1), round(y, 1)
                    steps += [x - pen_x, y - pen_y]
                    pen_x, pen_y = x, y
                data += f"M{_join(steps[:2])}l{_join(steps[2:])}" if command == "M" else f"m{_join(steps)}"
        row += gap * (0.9 + 0.2 * chance.random())
    return tag("path", fill=INK, stroke="none", d=data) if data else ""


def shaded(
    text: str,
    fill: str | None,
    angle: float = 0,
    gap: float = 2.2,
    reach: float = 8,
    width: float = 0.9,
    both: bool = False,
    line: float | None = None,
) -> str:
    """Draw a bold closed figure and shade it: `shape` and `hatch` in one; `line` is the width of the contour."""
    return shape(text, fill, line, bold=True) + hatch(text, angle, gap, reach, width, both=both)


def disc(
    x: float, y: float, radius: float, fill: str | None = None, width: float | None = None, bare: bool = False
) -> str:
    """Draw a filled circle."""
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, stroke="none" if bare else None, stroke_width=width)


def ring(x: float, y: float, radius: float, width: float | None = None) -> str:
    """Draw an empty circle."""
    return tag("circle", cx=x, cy=y, r=radius, stroke_width=width)


def arc(x: float, y: float, radius: float, first: float, last: float, count: int = 5) -> str:
    """Return a track of `count` points on a circle from angle `first` to `last` (degrees, 0 = right, 90 = down)."""
    words = []
    for i in range(count):
        turn = math.radians(first + (last - first) * i / max(1, count - 1))
        words.append(f"{x + radius * math.cos(turn):.2f},{y + radius * math.sin(turn):.2f}")
    return " ".join(words)
