"""Swords and staves of the numeral cards: two sets of bands that pass over and under each other.

Every band is a curve x = a + b·y + c·y² (y from the middle of the picture): a straight staff has c = 0, a curved
blade is a piece of a parabola, which a quadratic Bézier draws exactly, and so is every patch of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from tools.deck.palette import BLUE, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, group, line, number, place, shape, tag
from tools.deck.signs import sword

__all__ = ["MIDDLE", "batons", "swords"]

MIDDLE = 114.5
"""Height of the middle of the picture."""


class Band(NamedTuple):
    """A blade or a staff: its curve, how far it reaches above and below the middle, and its colour."""

    a: float
    b: float
    c: float
    reach: float
    colour: str

    def x(self, y: float) -> float:
        """Return the x of the band's middle line at height y."""
        return 60 + self.a + self.b * y + self.c * y * y

    def slope(self, y: float) -> float:
        """Return by how much x grows per unit of y at height y."""
        return self.b + 2 * self.c * y


def _path(band: Band, low: float, high: float) -> str:
    x0, x1 = band.x(low), band.x(high)
    if not band.c:
        return f"M{number(x0)} {number(MIDDLE + low)}L{number(x1)} {number(MIDDLE + high)}"
    control = x0 + band.slope(low) * (high - low) / 2
    return f"M{x0:.2f} {number(MIDDLE + low)}Q{control:.2f} {number(MIDDLE + (low + high) / 2)} {x1:.2f} {number(MIDDLE + high)}"


def _ribbon(band: Band, width: float, low: float | None = None, high: float | None = None) -> str:
    """Draw a band, or the piece of it between two heights: contour, colour and a line along it."""
    data = _path(band, -band.reach if low is None else low, band.reach if high is None else high)
    return "".join(
        (
            tag("path", stroke_width=width + 2, d=data),
            tag("path", stroke=band.colour, stroke_width=width, d=data),
            tag("path", stroke=PAPER if band.colour == BLUE else INK, stroke_width=width * 0.2, d=data),
        )
    )


def _crossings(one: Band, other: Band) -> Iterable[float]:
    """Yield the heights at which two bands cross."""
    a, b, c = one.a - other.a, one.b - other.b, one.c - other.c
    limit = min(one.reach, other.reach)
    if abs(c) < 1e-9:
        roots = [-a / b] if b else []
    else:
        root = b * b - 4 * a * c
        roots = [(-b - s * math.sqrt(root)) / (2 * c) for s in (1, -1)] if root > 0 else []
    yield from (y for y in roots if abs(y) < limit)


def _weave(ones: list[Band], others: list[Band], width: float) -> str:
    """Draw two sets of bands so that they pass over and under each other in turn."""
    full = [_ribbon(band, width) for band in (*ones, *others)]
    patches = []
    for i, one in enumerate(ones):
        for j, other in enumerate(others):
            for y in _crossings(one, other):
                if (i + j + (y > 0)) % 2 == 0:
                    continue
                u, v = one.slope(y), other.slope(y)
                half = (width + 1.4) / 2 * (math.hypot(1, u) + math.hypot(1, v)) / abs(u - v)
                patches.append(_ribbon(one, width, y - half, y + half))
    return group(*full, *patches, stroke_linecap="butt")


def _turn(band: Band, y: float) -> float:
    """Return the angle of the band's upward direction, 0 = straight up."""
    return -math.degrees(math.atan(band.slope(y)))


def _spray(x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    return place(tag("use", href="#spray"), x=x, y=y, scale=scale, turn=turn)


# ---------------------------------------------------------------------------------------------------------------------


def swords(rank: int) -> str:
    """Blades bent towards each other, hilts below; a straight one in the middle of odd ranks."""
    pairs = rank // 2
    width = (0, 6.4, 6.0, 5.0, 4.2, 3.7)[pairs]
    step = (0.0, 0.0, 11.5, 10.2, 9.0, 8.0)[pairs]
    bend = 47.0 / 57**2
    sides: tuple[list[Band], list[Band]] = ([], [])
    tips, hilts = [], []
    for i in range(pairs):
        for side, way in ((0, -1), (1, 1)):
            band = Band(way * (47 - step * i), 0, -way * bend, 68, BLUE if i % 2 == 0 else RED)
            sides[side].append(band)
            hilts.append(place(_hilt(), x=band.x(66), y=MIDDLE + 66, turn=_turn(band, 66), scale=0.5 + width / 12))
            tips.append(place(_tip(band.colour, width), x=band.x(-67), y=MIDDLE - 67, turn=_turn(band, -67)))
    parts = [*tips, _weave(sides[0], sides[1], width), *hilts]
    if rank % 2:
        parts.append(place(sword(116, 7.6), x=60, y=164))
    else:
        parts.append({2: _tree(1.05), 4: _tree(0.86)}.get(rank) or _twin((0, 0, 0, 1.1, 0.95, 0.75)[pairs]))
    if pairs <= 3:
        size, x, y = ((0, 0, 0), (1.1, 15, 38), (0.95, 13, 36), (0.75, 12, 32))[pairs]
        parts += [
            _spray(60 + way * (60 - x), MIDDLE + up * y, size, turn)
            for way, up, turn in ((-1, -1, 12), (1, -1, -12), (-1, 1, 168), (1, 1, 192))
        ]
    return "".join(parts)


def _tree(scale: float) -> str:
    """A small tree in blossom in the middle of the picture."""
    return place(
        brush("0,36 -.6,0 0,-30", 2, start=0.8, end=0.6),
        *(_spray(0, y, 0.9, turn) for y, turn in ((22, -58), (22, 58), (3, -62), (3, 62), (-14, -56), (-14, 56))),
        _spray(0, -22, 1.1),
        _spray(0, 34, 0.7, -70),
        _spray(0, 34, 0.7, 70),
        x=60,
        y=MIDDLE,
        scale=scale,
    )


def _twin(scale: float) -> str:
    """Two sprigs, one upwards and one downwards."""
    return _spray(60, MIDDLE + 1, scale) + _spray(60, MIDDLE - 1, scale, 180)


def _hilt() -> str:
    """The guard, grip and knob at the lower end of a curved blade."""
    return "".join(
        (
            shape("-1.4,1* -1.6,7.4* 1.6,7.4* 1.4,1*", RED, 0.9),
            disc(0, 8.8, 2.2, OCHRE, 0.9),
            shape("-5.6,-2* -5,1.4* 5,1.4* 5.6,-2*", OCHRE, 1),
        )
    )


def _tip(colour: str, width: float) -> str:
    """The point at the upper end of a curved blade."""
    half = width / 2 + 0.45
    return shape(f"{-half},2* {-half * 0.8},-3* {half * 0.3},{-width - 3}* {half},2*", colour, 1)


# ---------------------------------------------------------------------------------------------------------------------


def batons(rank: int) -> str:
    """Staves crossed in a lattice; an upright one in the middle of odd ranks."""
    each = rank // 2
    width = (0, 7.4, 7.4, 6.4, 5.4, 4.8)[each]
    gap = (0, 0, 17, 14, 11.4, 9.6)[each]
    spread = gap * (each - 1)
    reach = 70.0
    slope = (95.0 - spread) / (2 * reach)
    sides: tuple[list[Band], list[Band]] = ([], [])
    ends = []
    for i in range(each):
        colour = (GREEN, RED)[i] if each == 2 else GREEN if (i % 2 == 0) == (each != 4) else RED
        for side, way in ((0, 1), (1, -1)):
            band = Band(way * (gap * i - spread / 2), -way * slope, 0, reach, colour)
            sides[side].append(band)
            ends += [
                place(_ferrule(width), x=band.x(y), y=MIDDLE + y, turn=_turn(band, y) + extra)
                for y, extra in ((-reach, 0), (reach, 180))
            ]
    parts = [*ends, _weave(sides[0], sides[1], width)]
    if rank % 2:
        parts += [
            place(_ferrule(width + 1), x=60, y=MIDDLE - reach),
            place(_ferrule(width + 1), x=60, y=MIDDLE + reach, turn=180),
        ]
        parts.append(group(_ribbon(Band(0, 0, 0, reach, OCHRE), width + 1), stroke_linecap="butt"))
    size = 1.3 if each < 3 else 1.1 if each < 5 else 1.0
    sprigs = [_spray(10, MIDDLE, size, 90), _spray(110, MIDDLE, size, -90)]
    if each < 4:
        sprigs += [
            _spray(x, y, 0.8, turn) for x, y, turn in ((11, 92, 60), (109, 92, -60), (11, 137, 120), (109, 137, -120))
        ]
    if rank in (2, 4, 6):
        sprigs += [_spray(60, MIDDLE - reach - 4, size, 180), _spray(60, MIDDLE + reach + 4, size)]
    return "".join((*sprigs, *parts))


def _ferrule(width: float) -> str:
    """The flared end of a staff, pointing up from (0, 0)."""
    half = width / 2 + 0.9
    return shape(f"{-half},3* {-half - 1.6},-4.6* 0,-6.4 {half + 1.6},-4.6* {half},3*", BLUE, 1, bold=True) + line(
        f"{-half - 0.4},-.4 {half + 0.4},-.4", 0.8
    )
