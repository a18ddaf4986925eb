#!/usr/bin/env python
"""The letters of shared pictures: Source Sans 3 at two weights, as TrueType, which is what the renderer reads.

    python tools/picture_fonts.py   make rules/fonts anew from static/vendor/fonts (needs fonttools and brotli)

The licence (OFL 1.1) reserves the name Source for unchanged files, so these are called Troccas Sans.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fontTools.merge import Merger  # type: ignore[import-untyped]  # not among the site's own parts
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from fontTools.varLib import instancer  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
FROM = ROOT / "static" / "vendor" / "fonts"
TO = ROOT / "rules" / "fonts"
FAMILY = "Troccas Sans"
WEIGHTS = {400: "Regular", 600: "SemiBold"}
_DROPPED = ("GDEF", "GPOS", "GSUB", "STAT", "MVAR", "HVAR", "avar", "meta", "DSIG")


def main() -> int:
    """Write one file for each weight, and the licence beside them."""
    for weight, style in WEIGHTS.items():
        with TemporaryDirectory() as folder:
            parts = []
            for script in ("latin", "latin-ext"):
                font = instancer.instantiateVariableFont(
                    TTFont(FROM / f"source-sans-3-{script}-wght-normal.woff2"), {"wght": weight}
                )
                for table in _DROPPED:
                    if table in font:
                        del font[table]
                font.flavor = None
                parts.append(f"{folder}/{script}.ttf")
                font.save(parts[-1])
            whole = Merger().merge(parts)
            _name(whole, weight, style)
            TO.mkdir(parents=True, exist_ok=True)
            whole.save(TO / f"troccas-sans-{weight}.ttf")
    (TO / "LICENSE.txt").write_bytes((FROM / "source-sans-3-LICENSE.txt").read_bytes())
    return 0


def _name(font: Any, weight: int, style: str) -> None:
    names = {
        1: FAMILY,
        2: style,
        3: f"{FAMILY} {style}",
        4: f"{FAMILY} {style}",
        6: f"TroccasSans-{style}",
        16: FAMILY,
        17: style,
    }
    for record in list(font["name"].names):
        if record.nameID not in (0, 13, 14):
            font["name"].removeNames(nameID=record.nameID)
    for number, text in names.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    font["OS/2"].usWeightClass = weight


if __name__ == "__main__":
    sys.exit(main())
