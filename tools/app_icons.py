#!/usr/bin/env python
"""The icons of the site as an app: the mark of the deck as PNG, in the sizes that phones ask for.

    python tools/app_icons.py   draw static/icons/*.png anew from static/icons/icons.svg

The same mark gives the same bytes; `tests/house/test_phone.py` draws them again and compares.
"""

import re
import sys
from pathlib import Path

import resvg_py

ROOT = Path(__file__).resolve().parent.parent
ICONS = ROOT / "static" / "icons"
PAPER, RED, WHITE = "#fcfbf8", "#a5281b", "#ffffff"  # --paper and --red of tokens.css by day; a badge is a shape only
SIDE = 96
"""The drawing is so many units wide; the mark itself has 48."""

# name: pixels, how much of the width the mark takes, how round the corners are, ground and mark.
# Of a maskable icon (and of Apple's, whose corners the system cuts) only a circle of 80 % is sure to be seen.
WANTED: dict[str, tuple[int, float, int, str | None, str]] = {
    "app-192": (192, 0.78, 18, PAPER, RED),
    "app-512": (512, 0.78, 18, PAPER, RED),
    "app-maskable-192": (192, 0.6, 0, PAPER, RED),
    "app-maskable-512": (512, 0.6, 0, PAPER, RED),
    "apple-touch-icon": (180, 0.7, 0, PAPER, RED),
    "badge-96": (96, 0.92, 0, None, WHITE),
}


def drawn(name: str) -> bytes:
    """One of WANTED as PNG."""
    pixels, share, corners, ground, colour = WANTED[name]
    found = re.search(r'<symbol id="mark"[^>]*>(.*)</symbol>', (ICONS / "icons.svg").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("static/icons/icons.svg has no mark any more")
    scale, edge = share * SIDE / 48, (1 - share) * SIDE / 2
    paper = f'<rect width="{SIDE}" height="{SIDE}" rx="{corners}" fill="{ground}"/>' if ground else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">{paper}'
        f'<g color="{colour}" transform="translate({edge:g} {edge:g}) scale({scale:g})">{found[1]}</g></svg>'
    )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=pixels, height=pixels, skip_system_fonts=True))


def main() -> int:
    """Write them all."""
    for name in WANTED:
        (ICONS / f"{name}.png").write_bytes(drawn(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
