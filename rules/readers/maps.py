"""Maps of the regions where words were heard: villages as dots, sized by their number of words, and the rivers between.

A village is on the map if its entry has its coordinates (`at`). Names are placed where they cover no other name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, radians, sqrt
from pathlib import Path
from typing import Final

from rules.readers.selectors import Village

_WIDTH: Final = 720
_MARGIN: Final = 46
_LEAST: Final = 3
"""With fewer villages, there is no map."""
_LETTER: Final = 7.4
"""The approximate width of a letter in a name."""
_LINE: Final = 15


@dataclass(frozen=True, slots=True)
class Dot:
    village: Village
    x: int
    y: int
    radius: int
    text_x: int
    text_y: int
    anchor: str


@dataclass(frozen=True, slots=True)
class Map:
    """A picture of a region, `width` by `height`; each river is a polyline in SVG's notation of points."""

    name: str
    width: int
    height: int
    dots: tuple[Dot, ...]
    rivers: tuple[str, ...]


def maps(villages: Sequence[Village]) -> list[Map]:
    """A map for each region with enough villages of known coordinates; `villages` is the tree of all places."""
    drawn: list[Map] = []
    for number, region in enumerate(villages):
        if region.place.sort != "region":
            continue
        inside = []
        for each in villages[number + 1 :]:
            if each.depth <= region.depth:
                break
            inside.append(each)
        located = [each for each in inside if each.at is not None and each.place.sort in ("village", "valley")]
        is_part = any(
            earlier.name == region.name or set(located) <= {dot.village for dot in earlier.dots} for earlier in drawn
        )
        if len(located) >= _LEAST and not is_part:
            drawn.append(_map(region.name, located))
    return drawn


def _map(name: str, villages: Sequence[Village]) -> Map:
    spots = [each.at for each in villages if each.at is not None]
    north, south = max(lat for lat, _lon in spots), min(lat for lat, _lon in spots)
    west, east = min(lon for _lat, lon in spots), max(lon for _lat, lon in spots)
    narrow = cos(radians((north + south) / 2))
    scale = (_WIDTH - 3 * _MARGIN) / ((east - west) * narrow)

    def put(at: tuple[float, float]) -> tuple[float, float]:
        return _MARGIN + (at[1] - west) * narrow * scale, _MARGIN + (north - at[0]) * scale

    height = round(2 * _MARGIN + (north - south) * scale)
    rivers = [" ".join(f"{x:.0f},{y:.0f}" for x, y in map(put, bends)) for bends in _rivers()]
    return Map(name, _WIDTH, height, tuple(_dots(villages, [put(at) for at in spots], height)), tuple(rivers))


@cache
def _rivers() -> tuple[tuple[tuple[float, float], ...], ...]:
    read = tomllib.loads(Path(__file__).with_name("rivers.toml").read_text(encoding="utf-8"))
    return tuple(tuple((lat, lon) for lat, lon in bends) for bends in read.values())


def _dots(villages: Sequence[Village], spots: Sequence[tuple[float, float]], height: int) -> list[Dot]:
    """A dot for each village, with its name to the right or left, below or above, where it covers least."""
    taken = [(x - 7, y - 7, x + 7, y + 7) for x, y in spots]
    dots = []
    for village, (x, y) in sorted(zip(villages, spots, strict=True), key=lambda each: each[1]):
        radius = 4 + round(sqrt(village.words))
        long = len(village.name) * _LETTER
        choices = [
            ("start", x + radius + 4, y + 5, x + radius + 4),
            ("end", x - radius - 4, y + 5, x - radius - 4 - long),
            ("middle", x, y + radius + _LINE, x - long / 2),
            ("middle", x, y - radius - 5, x - long / 2),
            ("middle", x, y + radius + 2 * _LINE, x - long / 2),
            ("middle", x, y - radius - 5 - _LINE, x - long / 2),
        ]
        boxes = [(left, base - 12, left + long, base + 3) for _anchor, _x, base, left in choices]
        worst = [_covered(box, taken) + 1e6 * _is_outside(box, height) for box in boxes]
        best = worst.index(min(worst))
        anchor, text_x, text_y, _left = choices[best]
        taken.append(boxes[best])
        dots.append(Dot(village, round(x), round(y), radius, round(text_x), round(text_y), anchor))
    return dots


def _covered(box: tuple[float, float, float, float], taken: Sequence[tuple[float, float, float, float]]) -> float:
    """The area of the `taken` boxes that a box would cover."""
    return sum(
        max(0.0, min(box[2], right) - max(box[0], left)) * max(0.0, min(box[3], bottom) - max(box[1], top))
        for left, top, right, bottom in taken
    )


def _is_outside(box: tuple[float, float, float, float], height: int) -> bool:
    return box[0] < 0 or box[2] > _WIDTH or box[1] < 0 or box[3] > height
