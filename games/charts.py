"""Figures with their errors, and charts of them as plain SVG, made on the server without scripts.

Each chart has a title and a description for people who cannot see it, and is shown beside a table with the same
figures. The charts are 360 units wide, so that a unit is about a pixel on a phone. Colours and fonts come from
statistics.css.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

FEW: Final = 10
"""With fewer hands no figure is shown, since it could be mere chance."""
CLEAR_ERRORS: Final = 2.5
"""The cost of a decision is taken as real if it is this many standard errors above zero."""
LEAST_COST: Final = 0.5
"""A decision that costs less than this is not shown as a mistake."""

Variant = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `hands` whole numbers, from their sum and the sum of their squares."""

    hands: int = 0
    total: int = 0
    squares: int = 0

    def __add__(self, other: Mean) -> Mean:
        return Mean(self.hands + other.hands, self.total + other.total, self.squares + other.squares)

    @property
    def enough(self) -> bool:
        return self.hands >= FEW

    @property
    def mean(self) -> float:
        """The mean; 0 without hands."""
        return self.total / self.hands if self.hands else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean, from the variance of the sample; 0 for fewer than two hands."""
        if self.hands < 2:
            return 0.0
        variance = (self.squares - self.total * self.total / self.hands) / (self.hands - 1)
        return sqrt(max(0.0, variance) / self.hands)


@dataclass(frozen=True, slots=True)
class Share:
    count: int = 0
    of: int = 0

    @property
    def enough(self) -> bool:
        return self.of >= FEW

    @property
    def percent(self) -> float:
        """The share in percent; 0 if `of` is 0."""
        return 100 * self.count / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """Points per hand, and how many hands came out above the average of the table."""

    points: Mean
    won: int

    @property
    def above(self) -> Share:
        return Share(self.won, self.points.hands)

    def __add__(self, other: Result) -> Result:
        return Result(self.points + other.points, self.won + other.won)


WIDTH: Final = 360
_LEFT: Final = 34
_RIGHT: Final = 8
_ROW: Final = 26
_NAMES: Final = 118
_LONGEST: Final = 17
"""The most letters of a name beside a row; longer names are cut here, but not in the table."""


@dataclass(frozen=True, slots=True)
class Words:
    """The title and the description of a chart, for people who cannot see it; `key` is its id on the page."""

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its standard error in both directions. `sure`: there are enough hands to draw the error."""

    label: str
    mean: float
    error: float
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Column:
    """A bar with its label and its count; `below`: it is on the losing side of zero."""

    label: str
    count: int
    below: bool = False


def rows(words: Words, intervals: Sequence[Interval]) -> SafeString:
    """A chart of means in rows, with their names, and a vertical line at zero."""
    height = _ROW * len(intervals) + 28
    bottom = height - 22
    ticks = _ticks(intervals)
    low, high = ticks[0], ticks[-1]

    def x(value: float) -> float:
        return round(_NAMES + (min(max(value, low), high) - low) / (high - low) * (WIDTH - _NAMES - 14), 1)

    parts = [_line(x(tick), 4, x(tick), bottom, "zero" if tick == 0 else "grid") for tick in ticks]
    parts += [_text(x(tick), height - 6, _figure(tick), "middle") for tick in ticks]
    for index, each in enumerate(intervals):
        y = _ROW * index + 17
        parts.append(_text(_NAMES - 10, y + 4, _cut(each.label), "end", "name"))
        if each.sure:
            parts.append(_line(x(each.mean - each.error), y, x(each.mean + each.error), y, "error"))
        parts.append(_dot(x(each.mean), y, sure=each.sure))
    return _drawing(words, height, parts)


def course(words: Words, intervals: Sequence[Interval]) -> SafeString:
    """A chart of means over time, with a horizontal line at zero, and as many labels as there is room for."""
    height, bottom = 190, 160
    ticks = _ticks(intervals)
    low, high = ticks[0], ticks[-1]
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(intervals))

    def y(value: float) -> float:
        return round(bottom - (min(max(value, low), high) - low) / (high - low) * (bottom - 10), 1)

    parts = [_line(_LEFT, y(tick), WIDTH - _RIGHT, y(tick), "zero" if tick == 0 else "grid") for tick in ticks]
    parts += [_text(_LEFT - 6, y(tick) + 4, _figure(tick), "end") for tick in ticks]
    every = ceil(len(intervals) / 5)
    for index, each in enumerate(intervals):
        x = round(_LEFT + step * (index + 0.5), 1)
        if each.sure:
            parts.append(_line(x, y(each.mean - each.error), x, y(each.mean + each.error), "error"))
        parts.append(_dot(x, y(each.mean), sure=each.sure))
        if index % every == 0:
            parts.append(_text(x, height - 12, each.label, "middle"))
    return _drawing(words, height, parts)


def columns(words: Words, bars: Sequence[Column]) -> SafeString:
    """A bar chart, with the counts above the bars."""
    height, bottom = 190, 160
    most = max((bar.count for bar in bars), default=0) or 1
    step = (WIDTH - 2 * _RIGHT) / max(1, len(bars))
    every = ceil(len(bars) / 8)
    parts = []
    for index, bar in enumerate(bars):
        tall = round(bar.count / most * (bottom - 24), 1)
        x = round(_RIGHT + step * index + step * 0.1, 1)
        kind = "bar below" if bar.below else "bar"
        shape = '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>'
        parts.append(format_html(shape, kind, x, round(bottom - tall, 1), round(step * 0.8, 1), tall))
        middle = round(x + step * 0.4, 1)
        if bar.count and len(bars) <= 16:
            parts.append(_text(middle, round(bottom - tall - 5, 1), str(bar.count), "middle"))
        if index % every == 0:
            parts.append(_text(middle, height - 12, bar.label, "middle"))
    parts.append(_line(_RIGHT, bottom, WIDTH - _RIGHT, bottom, "zero"))
    return _drawing(words, height, parts)


def bins(scores: Iterable[tuple[int, int]], *, most: int = 13) -> list[tuple[int, int, int]]:
    """Group scores with their counts into at most about `most` bins of a round width: first score, last score, count.

    Zero begins a bin, so that none contains both losses and gains. Empty bins between others are included.
    """
    counted = dict(scores)
    if not counted:
        return []
    low, high = min(counted), max(counted)
    width = next(size for size in _round_sizes() if floor(high / size) - floor(low / size) < most)
    totals = dict.fromkeys(range(floor(low / width), floor(high / width) + 1), 0)
    for score, count in counted.items():
        totals[floor(score / width)] += count
    return [(index * width, index * width + width - 1, total) for index, total in totals.items()]


def _round_sizes() -> Iterable[int]:
    size = 1
    while True:
        yield from (size, 2 * size, 5 * size)
        size *= 10


def _ticks(intervals: Sequence[Interval]) -> list[float]:
    """Round numbers from below the lowest to above the highest end of the intervals, including zero."""
    ends = [0.0]
    for each in intervals:
        reach = each.error if each.sure else 0.0
        ends += [each.mean - reach, each.mean + reach]
    low, high = min(ends), max(ends)
    span = max(high - low, 1.0)
    size = next(size for size in _round_sizes() if span / size <= 5)
    first = floor(low / size)
    return [float(index * size) for index in range(first, max(ceil(high / size), first + 1) + 1)]


def _figure(value: float) -> str:
    return f"−{-value:g}" if value < 0 else f"{value:g}"


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1].rstrip()}…"


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> SafeString:
    return format_html('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>', kind, x1, y1, x2, y2)


def _dot(x: float, y: float, *, sure: bool) -> SafeString:
    return format_html('<circle class="{}" cx="{}" cy="{}" r="4"/>', "dot" if sure else "dot unsure", x, y)


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> SafeString:
    return format_html('<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>', kind, x, y, anchor, text)


def _drawing(words: Words, height: int, parts: Iterable[SafeString]) -> SafeString:
    inside = format_html_join("", "{}", ((part,) for part in parts))
    return format_html(
        '<svg class="chart" role="img" viewBox="0 0 {} {}" aria-labelledby="{}-title {}-text">'
        '<title id="{}-title">{}</title><desc id="{}-text">{}</desc><g aria-hidden="true">{}</g></svg>',
        *(WIDTH, height, words.key, words.key, words.key, words.title, words.key, words.text, inside),
    )
