#!/usr/bin/env python
"""The serif of every page, with the weights that pages use: two thirds of the vendored file, which has all from 200 to 900.

    python tools/web_fonts.py   make static/fonts anew from static/vendor/fonts (needs fonttools and brotli)

The licence (OFL 1.1) reserves the name Source for unchanged files, so this one is called Troccas Serif.
"""

import sys
from pathlib import Path

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # not among the site's own parts
from fontTools.varLib import instancer  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
FROM = ROOT / "static" / "vendor" / "fonts"
TO = ROOT / "static" / "fonts"
WEIGHTS = (400, 700)


def main() -> int:
    """Write the file, and the licence beside it."""
    font = instancer.instantiateVariableFont(TTFont(FROM / "source-serif-4-latin-wght-normal.woff2"), {"wght": WEIGHTS})
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16, 25):
            record.string = "TroccasSerif" if record.nameID in (6, 25) else "Troccas Serif"
    font.flavor = "woff2"
    TO.mkdir(parents=True, exist_ok=True)
    font.save(TO / "troccas-serif-latin.woff2")
    (TO / "LICENSE.txt").write_bytes((FROM / "source-serif-4-LICENSE.txt").read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
