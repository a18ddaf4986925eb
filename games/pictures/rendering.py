"""The same picture as PNG, for places that do not show SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import resvg_py

_FONTS: Final = [str(path) for path in sorted((Path(__file__).resolve().parent / "fonts").glob("*.ttf"))]


def png(svg: str) -> bytes:
    """A picture in PNG, as large as the SVG says. Takes a few tenths of a second; reads no file but the fonts beside it."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, skip_system_fonts=True, font_files=_FONTS, sans_serif_family="Troccas Sans"
        )
    )
