"""Drawn letters: small roman capitals for titles and big slab letters and figures for the index.

Letters are paths, so that a card looks the same on every device. Small capitals stand on y = 0 and are 10 high;
index glyphs hang from y = 0 and are 24 high.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools.deck.palette import INK
from tools.deck.pen import bar, brush, group, line, number, place, shape, tag

__all__ = ["additive_roman", "big_text", "big_width", "definitions", "title"]

# Per letter: advance width, thick strokes, thin strokes, curved (swelling) strokes.
_CAPITALS: dict[str, tuple[float, str, str, str]] = {
    "A": (7.6, "3.6,-10 6.8,0", "3.8,-9.4 .9,0|2,-3.2 5.8,-3.2|0,0 2.1,0|5.4,0 7.9,0", ""),
    "B": (
        6.4,
        "1.5,-10 1.5,0",
        ".3,-9.7 3,-9.7|1.5,-5.3 3.2,-5.3|.3,-.3 3,-.3",
        "2.6,-9.7 5.2,-8.6 4.9,-6 2.8,-5.3|2.8,-5.3 5.9,-4.3 5.8,-1.2 2.6,-.3",
    ),
    "C": (6.8, "", "6.1,-9.8 6.1,-7.6", "6.1,-8.2 4.2,-9.8 1.7,-8.4 .9,-5 1.8,-1.6 4.2,-.2 6.4,-2"),
    "D": (7.2, "1.5,-10 1.5,0", ".3,-9.7 3,-9.7|.3,-.3 3,-.3", "2.8,-9.7 5.6,-8.6 6.7,-5 5.6,-1.4 2.8,-.3"),
    "E": (6.0, "1.5,-10 1.5,0", ".3,-9.7 5,-9.7 5,-7.7|1.5,-5.2 4.2,-5.2|4.2,-6.4 4.2,-4|.3,-.3 5.4,-.3 5.6,-2.5", ""),
    "F": (5.7, "1.5,-10 1.5,0", ".3,-9.7 5,-9.7 5,-7.6|1.5,-5.1 4.1,-5.1|4.1,-6.3 4.1,-3.9|.2,-.2 3,-.2", ""),
    "G": (
        7.3,
        "6,-4.2 6,-.6",
        "6.1,-9.8 6.1,-7.6|4.4,-4.3 7.2,-4.3",
        "6.1,-8.2 4.2,-9.8 1.7,-8.4 .9,-5 1.8,-1.6 4.2,-.2 6.2,-1",
    ),
    "H": (
        7.6,
        "1.5,-10 1.5,0|6,-10 6,0",
        ".2,-9.8 2.8,-9.8|.2,-.2 2.8,-.2|4.7,-9.8 7.3,-9.8|4.7,-.2 7.3,-.2|1.5,-5 6,-5",
        "",
    ),
    "I": (3.2, "1.5,-10 1.5,0", ".1,-9.8 2.9,-9.8|.1,-.2 2.9,-.2", ""),
    "J": (4.6, "3,-10 3,-2", "1.6,-9.8 4.4,-9.8", "3.3,-3 2.6,-.4 .4,.6"),
    "L": (5.7, "1.5,-10 1.5,0", ".2,-9.8 2.9,-9.8|.2,-.3 5.2,-.3 5.4,-2.7", ""),
    "M": (
        9.0,
        "1.5,-10 4.6,-.6|7.5,-10 7.5,0",
        "1.5,-9.6 1.2,0|4.5,-.8 7.4,-9.6|0,-.2 2.5,-.2|6.2,-.2 8.8,-.2|.2,-9.8 1.8,-9.8|7,-9.8 8.7,-9.8",
        "",
    ),
    "N": (7.8, "1.4,-10 6.3,0", "1.4,-9.6 1.4,0|6.3,-10 6.3,0|.1,-.2 2.7,-.2|.2,-9.8 1.6,-9.8|5,-9.8 7.6,-9.8", ""),
    "O": (7.8, "", "", "3.9,-9.8 1.5,-8.2 .8,-5 1.5,-1.8 3.9,-.2|3.9,-.2 6.3,-1.8 7,-5 6.3,-8.2 3.9,-9.8"),
    "P": (6.0, "1.5,-10 1.5,0", ".3,-9.7 3,-9.7|1.5,-4.7 3,-4.7|.2,-.2 2.9,-.2", "2.6,-9.7 5.4,-8.6 5.3,-5.7 2.6,-4.7"),
    "Q": (
        7.8,
        "",
        "4,-1.6 5.4,1 7.6,1.6",
        "3.9,-9.8 1.5,-8.2 .8,-5 1.5,-1.8 3.9,-.2|3.9,-.2 6.3,-1.8 7,-5 6.3,-8.2 3.9,-9.8",
    ),
    "R": (
        7.0,
        "1.5,-10 1.5,0|3.6,-5 6.6,0",
        ".3,-9.7 3,-9.7|1.5,-5 3.6,-5|.2,-.2 2.9,-.2|5.6,-.2 7.2,-.2",
        "2.6,-9.7 5.4,-8.7 5.3,-6 2.6,-5",
    ),
    "S": (5.8, "", "4.8,-9.8 4.8,-7.8|.8,-2.2 .8,-.2", "4.8,-8.6 2.8,-9.9 1,-8.2 2,-6 4.2,-4.4 5,-2.2 3.2,-.1 .8,-1.6"),
    "T": (6.8, "3.4,-10 3.4,0", ".4,-7.5 .6,-9.7 6.2,-9.7 6.4,-7.5|1.9,-.2 4.9,-.2", ""),
    "U": (
        7.4,
        "1.5,-10 1.5,-3.4",
        ".2,-9.8 2.9,-9.8|6.1,-10 6.1,-3|4.8,-9.8 7.3,-9.8",
        "1.3,-4 2,-.8 4,-.1 5.8,-1.2 6.1,-3.6",
    ),
    "V": (7.6, "1.4,-10 4.2,-.4", "6.4,-9.8 4,-.2|.2,-9.8 2.8,-9.8|5.1,-9.8 7.5,-9.8", ""),
    "X": (7.4, "1.3,-10 6.1,0", "6,-9.8 1.3,-.2|.1,-9.8 2.6,-9.8|4.8,-.2 7.3,-.2|4.9,-9.8 7.2,-9.8|.1,-.2 2.4,-.2", ""),
    "Y": (7.2, "1.2,-10 3.7,-5|3.6,-5 3.6,0", "6.1,-9.8 3.6,-4.8|.1,-9.8 2.5,-9.8|4.9,-9.8 7.1,-9.8|2.2,-.2 5,-.2", ""),
}
_APOSTROPHE = "'"
_GAP, _WORD_GAP = 0.9, 4.2

# Per glyph: advance width, strokes with their widths.
_BIG: dict[str, tuple[float, tuple[tuple[str, float], ...]]] = {
    "1": (12, (("6.6,1.5 6.6,24", 4.8), ("1,6.4 3.6,5.4 6,2.2", 2.6), ("1,22.7 12,22.7", 2.6))),
    "2": (
        15,
        (
            ("2.4,8.2 3.6,3.8 7.4,2.1 11.6,3.9 12,8.4 8.6,13.8 3,21.2", 4),
            ("1,21.8 14.4,21.8", 4.4),
            ("13.2,23 13.4,17.6", 2.2),
        ),
    ),
    "3": (
        15,
        (
            ("2.4,6.2 4.2,2.9 8.2,2.1 11.8,4.6 11,9.4 6.6,11.2*", 4),
            ("6.6,11.2 11.6,12.8 12.6,17.6 9.6,21.4 5,21.8 2,18.4", 4.2),
        ),
    ),
    "4": (15.5, (("10.6,1 10.6,24", 4.6), ("9.6,1.6 1.8,16 15.4,16", 3.2), ("7.4,22.8 14,22.8", 2.4))),
    "5": (
        15,
        (
            ("13,2.3 4.3,2.3", 4.6),
            ("4.2,1 3.6,11", 2.8),
            ("3.2,11 7.6,8.9 11.8,11.2 12.6,16 9.8,20.8 5.4,21.9 1.8,18.8", 4.2),
        ),
    ),
    "6": (
        15,
        (("12.8,5.4 10.6,2.4 6.8,2.6 3.8,7.4 3,13.6 4,19 7.8,21.9 11.8,19.6 12.6,15.4 10,11.8 6.4,11.8 3.4,15", 4),),
    ),
    "7": (14.5, (("1,2.4 14,2.4", 4.6), ("12.4,4 8.6,12 7,24", 4.4), ("2,1 1.8,7", 2.4))),
    "8": (
        15,
        (
            (
                "7.5,11.2 3.6,9.2 3.6,4.4 7.5,2 11.4,4.4 11.4,9.2 7.5,11.2 2.9,13.8 2.9,19.4 7.5,22 12.1,19.4 12.1,13.8 7.5,11.2",
                3.9,
            ),
        ),
    ),
    "9": (
        15,
        (("2.2,18.6 4.4,21.6 8.2,21.4 11.2,16.6 12,10.4 11,5 7.2,2.1 3.2,4.4 2.4,8.6 5,12.2 8.6,12.2 11.6,9", 4),),
    ),
    "0": (14, (("7,2.2 3.3,5.2 2.5,12 3.3,18.8 7,21.8 10.7,18.8 11.5,12 10.7,5.2 7,2.2", 4.1),)),
    "K": (
        19,
        (
            ("4.8,0 4.8,24", 4.8),
            ("15.6,1.2 6.8,12.6", 2.8),
            ("8.6,10 15.4,23", 4.8),
            (".6,1.3 9,1.3", 2.6),
            (".6,22.7 9,22.7", 2.6),
            ("11.6,1.3 18.4,1.3", 2.6),
            ("11.4,22.7 19.2,22.7", 2.6),
        ),
    ),
    "Q": (
        18.5,
        (("9.2,2 4.4,5 2.8,12 4.4,19 9.2,22 14,19 15.6,12 14,5 9.2,2", 4.5), ("8.2,15.4 12.4,18 17.8,24.4", 3.8)),
    ),
    "N": (
        19.5,
        (
            ("4.2,0 4.2,24", 3.2),
            ("15.4,0 15.4,24", 3.2),
            ("3.6,1.4 15.6,22.8", 5),
            (".4,1.3 6.4,1.3", 2.6),
            (".6,22.7 8,22.7", 2.6),
            ("11.6,1.3 19,1.3", 2.6),
        ),
    ),
    "J": (14, (("9.4,0 9.4,15.4 8.4,20.4 4.8,21.9 1.8,18.6", 4.6), ("4.6,1.3 13.8,1.3", 2.6))),
    "I": (6.6, (("3.3,0 3.3,24", 3.8), (".3,1 6.3,1", 2), (".3,23 6.3,23", 2))),
    "V": (14, ((".2,1 6.2,1", 2), ("8.6,1 13.9,1", 2))),
    "X": (14, ((".2,1 6,1", 2), ("8.4,1 13.8,1", 2), (".2,23 5.6,23", 2), ("8,23 13.9,23", 2))),
}

# Slanting strokes of index glyphs, which must not stick out of their serifs.
_BIG_SLANTS: dict[str, tuple[str, ...]] = {
    "V": ("1,1.4* 5.3,1.4* 8.2,17.4* 10.6,1.4* 12.7,1.4* 9,24* 5.8,24*",),
    "X": (".9,1.4* 5.3,1.4* 13.1,22.6* 8.7,22.6*", "10.3,1.4* 12.8,1.4* 3.7,22.6* 1.2,22.6*"),
}


def additive_roman(value: int) -> str:
    """Write 1 to 21 as the old packs do, without subtraction: 4 is IIII and 9 is VIIII."""
    return "X" * (value // 10) + "V" * (value % 10 // 5) + "I" * (value % 5)


def _capital(letter: str) -> str:
    _, thick, thin, curved = _CAPITALS[letter]
    parts = [bar(stroke, 1.75) for stroke in thick.split("|") if stroke]
    parts += [bar(stroke, 0.75) for stroke in thin.split("|") if stroke]
    parts += [brush(stroke, 2.0, start=0.42, end=0.42) for stroke in curved.split("|") if stroke]
    return group(*parts, id=f"l-{letter}")


def _big_glyph(glyph: str) -> str:
    parts = []
    for stroke, width in _BIG[glyph][1]:
        corners = len(stroke.split()) == 3 and glyph == "4"
        parts.append(line(" ".join(f"{point}*" for point in stroke.split()) if corners else stroke, width))
    parts += [shape(slant, INK, bare=True) for slant in _BIG_SLANTS.get(glyph, ())]
    return group(*parts, id=f"b-{glyph}", stroke=INK, stroke_linecap="butt", stroke_linejoin="miter", fill="none")


def definitions() -> Iterator[str]:
    """Yield every glyph once, to be referred to by `title` and `big_text`."""
    for letter in _CAPITALS:
        yield _capital(letter)
    for glyph in _BIG:
        yield _big_glyph(glyph)


def title(text: str, x: float, y: float, size: float = 8.4, most: float = 100) -> str:
    """Set `text` in small capitals, centred on x, standing on y; narrower if it would be wider than `most` units."""
    pen = 0.0
    spots: list[tuple[float, str | None]] = []
    for letter in text:
        if letter == " ":
            pen += _WORD_GAP - _GAP
        elif letter == _APOSTROPHE:
            spots.append((pen, None))
            pen += 2.2
        else:
            spots.append((pen, letter))
            pen += _CAPITALS[letter][0] + _GAP
    width = pen - _GAP
    tall = size / 10
    wide = min(tall, most / width)
    parts = [
        tag("use", href=f"#l-{letter}", x=spot or None)
        if letter
        else tag("path", d=f"M{number(spot + 0.4)}-10l1.3 0-.9 3z", fill=INK, stroke="none")
        for spot, letter in spots
    ]
    return group(*parts, transform=f"translate({number(x - width * wide / 2)} {number(y)})scale({wide:.3g} {tall:.3g})")


def big_width(text: str, gap: float = 1.4) -> float:
    """Return how wide `big_text` sets a text at size 24."""
    return sum(_BIG[glyph][0] + gap for glyph in text) - gap


def big_text(text: str, x: float, y: float, size: float = 24, most: float = 100, gap: float = 1.4) -> str:
    """Set an index text hanging from (x, y), narrower if it would be wider than `most` units."""
    pen, parts = 0.0, []
    for glyph in text:
        parts.append(tag("use", href=f"#b-{glyph}", x=pen or None))
        pen += _BIG[glyph][0] + gap
    tall = size / 24
    wide = min(tall, most / (pen - gap))
    if wide == tall:
        return place(*parts, x=x, y=y, scale=tall)
    return group(*parts, transform=f"translate({number(x)} {number(y)})scale({wide:.3g} {tall:.3g})")
