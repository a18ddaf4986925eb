"""A rating as a drawing: where the true value lies, against the average. SVG without script; the page says the same in words."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import Final, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ratings import text as ratings_text

_WIDTH: Final = 360
_LEFT: Final = 12
_RIGHT: Final = 12
_STEPS: Final = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_MOST_TICKS: Final = 7


class Interval(NamedTuple):
    """A mean with its spread."""

    mean: float
    spread: float


def bar(key: str, title: str, text: str, interval: Interval) -> SafeString:
    """One interval on a scale with 0, the average: twice the spread as a line, the spread as a bar, the mean as a mark.

    `title` and `text` are read to those who do not see it; `key` makes ids on the page.
    """
    ticks = _ticks(interval)
    low, high = ticks[0], ticks[-1]

    def x(value: float) -> float:
        return round(_LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT), 1)

    lines = [
        format_html(
            '<line class="{}" x1="{}" y1="4" x2="{}" y2="46"/>', "zero" if not tick else "grid", x(tick), x(tick)
        )
        for tick in ticks
    ]
    figures = [
        format_html(
            '<text x="{}" y="62" text-anchor="{}">{}</text>',
            x(tick),
            "start" if tick == low else "end" if tick == high else "middle",
            ratings_text.signed(tick),
        )
        for tick in ticks
    ]
    mean, spread = interval
    shape = [
        format_html(
            '<line class="error" x1="{}" y1="25" x2="{}" y2="25"/>', x(mean - 2 * spread), x(mean + 2 * spread)
        ),
        format_html(
            '<rect class="bar" x="{}" y="16" width="{}" height="18"/>',
            x(mean - spread),
            round(x(mean + spread) - x(mean - spread), 1),
        ),
        format_html('<line class="mean" x1="{}" y1="12" x2="{}" y2="38"/>', x(mean), x(mean)),
    ]
    inside = format_html_join("", "{}", ((part,) for part in [*lines, *shape, *figures]))
    return format_html(
        '<svg class="chart" role="img" viewBox="0 0 {} 66" aria-labelledby="{}-title {}-text">'
        '<title id="{}-title">{}</title><desc id="{}-text">{}</desc><g aria-hidden="true">{}</g></svg>',
        *(_WIDTH, key, key, key, title, key, text, inside),
    )


def _ticks(interval: Interval) -> Sequence[float]:
    """Round figures around the whole interval, 0 among them."""
    low = min(interval.mean - 2 * interval.spread, 0.0)
    high = max(interval.mean + 2 * interval.spread, 0.0)
    reach = max(high - low, _STEPS[0])
    step = next((step for step in _STEPS if reach / step <= _MOST_TICKS - 2), reach / (_MOST_TICKS - 2))
    first, last = floor(low / step), ceil(high / step)
    if last == first:
        last += 1
    return [round(number * step, 6) for number in range(first, last + 1)]
