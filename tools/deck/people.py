"""Heads, hair, beards, crowns and hands: the parts from which every figure of the deck is put together.

A head is drawn about the middle of the face at (0, 0); the face is 19 wide and 27 high, the neck leaves it at y = 12.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, group, hatch, line, part, place, shaded, shape, tag

__all__ = ["crown", "definitions", "fist", "head", "palm", "profile", "shoe"]


def definitions() -> Iterator[str]:
    """Yield the parts that many cards share."""
    yield group(_fist(), id="fist")
    yield group(_palm(), id="palm")
    for style, draw in _CROWNS.items():
        yield group(draw(), id=f"crown-{style}")


def _fist() -> str:
    """A fist that grips something upright; the wrist is on the right at (8, 0)."""
    fist = "-4.6,-6.4* 2,-7.4 8.4,-5 9,0 8,5.4 2,7.4 -4.6,6.6* -6.2,3.6 -5.4,.6 -6.4,-3"
    return "".join(
        (
            shape(fist, FLESH, bold=True),
            line("-6,-3.2 -1,-3.4", 0.9),
            line("-5.4,.4 -.4,.2", 0.9),
            line("-6,3.6 -.6,3.4", 0.9),
            shape("1.4,-7* -2.6,-9.4 -5.6,-7.8 -4.4,-5.2 0,-4*", FLESH, 0.9),
            brush("5.4,-3 6.2,.6 5,4.4", 0.9),
        )
    )


def _palm() -> str:
    """An open hand seen from its back, fingers up to the left; the wrist is at (5, 6)."""
    return "".join(
        (
            shape(
                "7,7* 2.4,8.6* -2,4 -6.6,1.4 -8.4,-1 -6.6,-2.2 -3,-.6* -7,-4.6 -8.2,-7.6 -6.2,-8 -2.6,-3.8* -5,-9 -5,-11.6 -3.2,-11.6 0,-5* -1,-10.4 0,-12.4 1.6,-11.4 2.8,-5 5.6,-2 8.4,2",
                FLESH,
                bold=True,
            ),
            brush("2.4,1 5,3 5.6,5.6", 0.8),
        )
    )


def fist(x: float, y: float, turn: float = 0, mirror: bool = False, scale: float = 1) -> str:
    """A gripping hand with the wrist on the right, on the left if mirrored."""
    return place(tag("use", href="#fist"), x=x, y=y, turn=turn, mirror=mirror, scale=scale)


def palm(x: float, y: float, turn: float = 0, mirror: bool = False, scale: float = 1) -> str:
    """An open hand whose fingers point up to the left, to the right if mirrored."""
    return place(tag("use", href="#palm"), x=x, y=y, turn=turn, mirror=mirror, scale=scale)


def shoe(x: float, y: float, fill: str = RED, mirror: bool = False) -> str:
    """A pointed shoe whose toe points to the left; the ankle is at (x, y)."""
    return place(
        shape("4,-3* -2,-3.4* -7,1 -13,3.4 -15,5.4* -6,6.6 5,6.2*", fill, bold=True),
        brush("-9,3 -4,4.2 3,4", 0.9),
        x=x,
        y=y,
        mirror=mirror,
    )


_FACE = "-9.2,-7 -9.3,0 -7.6,7 -3.2,12.6 0,13.6 3.2,12.6 7.6,7 9.3,0 9.2,-7 6,-12.4 0,-13.8 -6,-12.4"

_HAIR: dict[str, tuple[str, tuple[str, ...]]] = {
    # Outline of one side (left); strands of it.
    "long": (
        "0.4,-14.4* -8,-13.6 -12,-8 -11.6,0 -13.6,7 -12,13 -15,19 -12,23.4* -7.4,20 -6.6,13 -8.4,6 -8.4,-3 -6,-10*",
        ("-4,-13.4 -9.8,-9 -9.8,0 -11.4,7 -10,13 -12.4,20", "-9,2 -10,7 -8,14 -9.6,20"),
    ),
    "bob": (
        "0.4,-14.4* -8,-13.6 -12,-8 -11.8,0 -13,6 -16,9.4* -12,12.6 -7,10.6* -8,5 -8.4,-3 -6,-10*",
        ("-4,-13.4 -9.8,-9 -9.8,0 -11,6 -13.4,9", "-9.4,0 -9.4,6 -10.4,10"),
    ),
    "curls": (
        "0.4,-15.4* -6,-16.4 -10,-14.6 -13,-11 -12,-7.4 -14.4,-3 -12.4,.6 -14,4.6 -11,8.4 -7.6,7.6* -8.4,2 -8.4,-4 -6,-10*",
        ("-5,-14 -9.6,-12 -10,-8", "-11.6,-5 -9.6,-3 -10.4,0", "-11.6,3 -9.8,4.4 -10,7"),
    ),
    "short": ("0.4,-14.4* -7,-13.8 -10.8,-9 -10.8,-2 -9.4,3* -8.4,-2 -7.6,-6 -5.6,-10*", ("-3,-13.4 -8.4,-9 -9.2,-2",)),
}

_BEARDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "long": (
        "-9.2,0* -10,8 -9,14* -8.4,19* -6,22* -4,27* 0,31* 4,27* 6,22* 8.4,19* 9,14* 10,8 9.2,0* 6.6,5.6 0,4.8 -6.6,5.6",
        (
            "-6.6,8 -6.6,15 -4.4,21",
            "6.6,8 6.6,15 4.4,21",
            "-3,11.4 -3.4,18 -1.4,26",
            "3,11.4 3.4,18 1.4,26",
            "0,12 0,20 0,27",
        ),
    ),
    "forked": (
        "-9.2,0* -10.4,8 -10,15 -8,22 -4.6,28* -1.6,22 0,17* 1.6,22 4.6,28* 8,22 10,15 10.4,8 9.2,0* 6.6,5.6 0,4.8 -6.6,5.6",
        ("-7,8 -7.6,15 -5,23", "7,8 7.6,15 5,23", "-3.6,11 -4.4,17 -3.6,22", "3.6,11 4.4,17 3.6,22"),
    ),
    "curly": (
        "-9.2,0* -11.4,5 -9.8,8 -10.6,12.6 -7.4,14.4 -6.6,18.4 -2.8,18.4 0,21 2.8,18.4 6.6,18.4 7.4,14.4 10.6,12.6 9.8,8 11.4,5 9.2,0* 6.6,5.6 0,4.8 -6.6,5.6",
        (
            "-8,6 -6.6,8.6 -8,11",
            "8,6 6.6,8.6 8,11",
            "-4.6,12 -2.8,14 -4.6,16.6",
            "4.6,12 2.8,14 4.6,16.6",
            "0,12.6 1.2,15 0,18",
        ),
    ),
}


def head(
    hair: str | None = "bob",
    tint: str = OCHRE,
    beard: str | None = None,
    look: float = 0,
    brow: float = 0,
    face: str = FLESH,
    neck: bool = True,
) -> str:
    """Draw a head from the front.

    `look` shifts the features (-2 to 2: to the left or right), `brow` bends the brows (below 0 sad, above 0 stern).
    """
    parts = []
    if neck:
        parts.append(
            shape("-5,8* -5.4,16 -9,20* 9,20* 5.4,16 5,8*", face)
            + hatch("-5,12* -5.4,16 -9,20* 9,20* 5.4,16 5,12*", gap=1.8, reach=7)
        )
    if hair:
        outline, strands = _HAIR[hair]
        side = shape(outline, tint, bold=True) + "".join(brush(strand, 1) for strand in strands)
        parts.append(part(side, flip(side, axis=0)))
    parts.append(part(_features(look, brow, face, bearded=beard is not None)))
    if beard:
        parts.append(part(_beard(beard, tint, look)))
    return "".join(parts)


def _features(look: float, brow: float, face: str, bearded: bool) -> str:
    """The face itself: outline, eyes, brows and nose, and the mouth if no beard surrounds it."""
    parts = [shape(_FACE, face, bold=True)]
    dx = look
    if not bearded:
        parts.append(hatch("4,2 8,-2 9,2 7.4,7 3.4,12 1,13", angle=150, gap=2, reach=4, width=0.8))
    for side, squeeze in ((-1, 1 - look * 0.08), (1, 1 + look * 0.08)):
        ex = dx + side * 4.1
        wide = 2.7 * (squeeze if side > 0 else 2 - squeeze if look else 1)
        parts.append(shape(f"{ex - wide},-1.2* {ex},-3 {ex + wide},-1.2* {ex},.3", PAPER, 0.6))
        parts.append(brush(f"{ex - wide - 0.5},-.9 {ex},-3.2 {ex + wide + 0.4},-1", 1.3, start=0.4, end=0.4))
        parts.append(disc(ex + look * 0.35, -1.4, 1.15, INK, bare=True))
        inner, outer = -5.6 + brow * 0.9, -5.4 - brow * 0.5
        parts.append(
            brush(f"{ex - side * 2.4},{inner} {ex + side * 0.6},-6.8 {ex + side * 3.6},{outer}", 1.4, start=0.7)
        )
    way = 1 if look >= 0 else -1
    parts.append(
        brush(
            f"{dx - way * 1},-4.6 {dx - way * 0.5},0 {dx + way * 1.4},3.4 {dx - way * 1.6},4.2", 1.2, start=0.5, end=0.5
        )
    )
    if not bearded:
        parts.append(shape(f"{dx - 2.8},8.2* {dx - 1},7.2 {dx},7.7 {dx + 1},7.2 {dx + 2.8},8.2* {dx},10", RED, 0.6))
        parts.append(
            line(f"{dx - 2.9},8.2 {dx + 2.9},8.2", 0.8) + brush(f"{dx - 1.4},11.2 {dx},11.6 {dx + 1.4},11.2", 0.7)
        )
    return "".join(parts)


def _beard(style: str, tint: str, look: float) -> str:
    """A beard with the mouth in it, moved sideways with the face."""
    dx = look
    outline, strands = _BEARDS[style]
    half = "0,5.2* -3,4.6 -7.4,9 -9,9.4* -5,10.6 -1.6,7.6 0,7.4*"
    return "".join(
        (
            shape(outline, tint, bold=True),
            *(brush(strand, 1.1) for strand in strands),
            shape(f"{dx - 2.6},8.4 {dx},7.6 {dx + 2.6},8.4 {dx},10.2", RED, 0.7),
            place(shape(half, tint, 0.9), flip(shape(half, tint, 0.9), axis=0), x=dx),
        )
    )


def profile(
    hair: str | None = "veil", tint: str = OCHRE, cloth: str = PAPER, beard: str | None = None, age: bool = False
) -> str:
    """Draw a head in profile, looking to the right; `hair` is veil, long, short or None."""
    face = (
        "-1,-12.6 5,-11.6 7.6,-7 7.2,-4.4* 9,-.6 11.2,2.4* 9,4.2 8.2,4.6* 9.8,6.2* 8.4,7.4* 9.4,8.8 8,10.2* 8.6,12.6 5.4,14.4 1,13.2 -2.6,10.6* "
        "-2.4,20* -12,20* -11,10 -12,0 -9,-9"
    )
    parts = []
    if hair == "long":
        back = "2,-14.4 -6,-14.6 -12,-9 -14,0 -13,9 -16,18 -14,27* -8,25 -6,16 -5,8 -4,0 0,-5 5.6,-8.6*"
    elif hair == "short":
        back = "4,-13.6 -4,-15 -11,-10 -12.6,-2 -11,5 -12,9.4* -6.4,8 -4.6,2 -3.4,-2 0,-6 5.8,-8.6*"
    else:
        back = ""
    parts.append(shape(face, FLESH, bold=True))
    parts.append(hatch("-2,11 1,13.2 -2.4,20 -8,20 -8,10", angle=20, gap=1.9, reach=5, width=0.8))
    parts.append(shape("2.6,-2.4* 5,-4.2 7,-3.6* 6.4,-1.4 4,-1", PAPER, 0.6) + disc(5.5, -2.5, 1.15, INK, bare=True))
    parts.append(
        brush("1.6,-2.4 4.6,-4.6 7.4,-3.9", 1.4, start=0.4, end=0.4)
        + brush("1.4,-6.4 4.4,-7.8 7.6,-6.4", 1.4, start=0.5)
    )
    parts.append(
        brush("8.6,2.8 7.2,2.2 7,4", 0.9)
        + shape("9.4,6.4 7.4,6 5.4,7.2* 7.2,8.8 9,8.8 8.2,7.4", RED, 0.5)
        + line("5.2,7.2 9,7.3", 0.7)
    )
    if age:
        parts.append(brush("3.4,2 4,4.6 3,7", 0.9) + brush("1,-1.6 -1,-2.4", 0.7) + brush("1,-.6 -1,0", 0.7))
    if beard:
        tracks = {
            "long": "-3.6,2* 0,5.6 4.6,5 8.8,5.2* 8,7.4 9.6,12 8,17* 8.4,20* 6,24* 4,30* 0,26* -3,22* -5,15 -5,8",
            "short": "-3.6,2* 0,5.6 4.6,5 8.8,5.2* 8,7.6 9.8,11 8.6,15 4,18.4* -1,16 -4,11",
        }
        parts.append(shape(tracks[beard], tint, bold=True))
        parts.append(
            brush("0,9 1,16 4,23", 1.1)
            + brush("4,10 5,15 5.6,19", 1.1)
            + brush("-2.6,9 -1.6,15 1,21", 1.1)
            + line("5.6,7.5 8.4,7.6", 0.8)
        )
    if back:
        parts.append(
            shape(back, tint, bold=True)
            + brush("3,-12 -5,-11 -9.6,-4 -10,6", 1.1)
            + brush("2,-10.4 -4,-7 -7,0 -8,8", 1.1)
        )
    if hair == "veil":
        parts.append(
            shape("5.8,-9.4* 2,-8 -1.6,-3 -3.2,3 -5,8* -8,4 -6,-6 0,-12.4*", tint, 0.9) + brush("3,-9 -2,-4 -4.4,4", 1)
        )
        veil = "4,-13.6* -4,-15 -11,-11 -13.6,-3 -13,6 -16,14 -21,24 -25,40* -17,42* -12,35 -9,37* -7,24 -5.6,12 -6.4,3 -4,-5 1,-10"
        parts.append(shaded(veil, cloth, angle=12, gap=3, reach=6, width=1))
        parts.append(brush("-2,-12 -8,-5 -8.8,5 -11,14 -15,26 -16,40", 1.3) + brush("-6.4,9 -8,18 -10.6,27", 1.1))
    return "".join(parts)


# ---------------------------------------------------------------------------------------------------------------------
# Crowns sit with the middle of their band at (0, 0), about 24 wide.


def _crown_lily() -> str:
    points = "-11.6,2.6* -13.4,-9* -9,-5* -6.4,-12* -3,-5.4* 0,-14* 3,-5.4* 6.4,-12* 9,-5* 13.4,-9* 11.6,2.6* 0,4.4"
    return "".join(
        (
            shape(points, OCHRE, bold=True),
            hatch("3,-5.4* 6.4,-12* 9,-5* 13.4,-9* 11.6,2.6* 4,3.6", angle=180, gap=1.7, reach=4, width=0.8),
            *(
                disc(x, y, 1.7, RED, 0.9)
                for x, y in ((-13.4, -9.6), (-6.4, -12.6), (0, -14.8), (6.4, -12.6), (13.4, -9.6))
            ),
            _band(BLUE),
        )
    )


def _band(jewel: str) -> str:
    return "".join(
        (
            shape("-12,-1.4* 0,.6 12,-1.4* 11.4,3* 0,5 -11.4,3*", OCHRE, 0.9),
            shape("-2.6,2.7 0,.9 2.6,2.7 0,4.6", jewel, 0.8),
            disc(-7, 1.8, 1.2, PAPER, 0.7),
            disc(7, 1.8, 1.2, PAPER, 0.7),
        )
    )


def _crown_arch() -> str:
    return "".join(
        (
            shape("-10.6,1* -12,-6 -7,-12 0,-13.6 7,-12 12,-6 10.6,1*", RED, bold=True),
            hatch("2,1* 3,-8 0,-13.6 7,-12 12,-6 10.6,1*", angle=180, gap=1.8, reach=5),
            shape("-2,2* -2.6,-6 -1.6,-13.6* 1.6,-13.6* 2.6,-6 2,2*", OCHRE, 0.9),
            shape("-11.8,1* -13.4,-6 -9,-12 -1,-14.6* -1,-12* -7,-9.6 -10,-5 -9,1*", OCHRE, 0.9),
            shape("11.8,1* 13.4,-6 9,-12 1,-14.6* 1,-12* 7,-9.6 10,-5 9,1*", OCHRE, 0.9),
            disc(0, -15.4, 2.4, OCHRE, 1),
            tag("path", d="M0-18V-22.4M-2-20.4H2", stroke_width=1.5),
            _band(GREEN),
        )
    )


def _crown_leaf() -> str:
    leaf = "0,1* -4,-3 -3,-7 -4.6,-9* -1.6,-9.6 0,-13* 1.6,-9.6 4.6,-9* 3,-7 4,-3*"
    return "".join(
        (
            *(
                place(shape(leaf, OCHRE, 0.9), brush("0,-1 0,-9", 1), x=x, y=y, turn=t, scale=s)
                for x, y, t, s in ((-9.8, -0.4, -16, 0.82), (9.8, -0.4, 16, 0.82), (0, 0, 0, 1.05))
            ),
            *(shape(f"{x - 1.2},0* {x},-6* {x + 1.2},0*", RED, 0.8) for x in (-5, 5)),
            _band(RED),
        )
    )


def _crown_hat() -> str:
    """A wide brimmed hat with points, as soldier kings wear it."""
    return "".join(
        (
            shape("-8.6,0* -9,-7 -5,-11.6 0,-12.6 5,-11.6 9,-7 8.6,0*", BLUE, bold=True),
            shape("-9.4,0* -11,-9.6* -6,-6* -4,-12.4* 0,-6.4* 4,-12.4* 6,-6* 11,-9.6* 9.4,0*", OCHRE, bold=True),
            shape(
                "0,-1.4 -8,-1.6 -15,-5.4 -19.6,-4 -19,-.6 -13,3 -6,4.6 0,4.9 6,4.6 13,3 19,-.6 19.6,-4 15,-5.4 8,-1.6",
                RED,
                bold=True,
            ),
            hatch("0,-1.4 8,-1.6 15,-5.4 19.6,-4 19,-.6 13,3 6,4.6 0,4.9", angle=-100, gap=2, reach=3.4),
            brush("-16,-3 -8,1 0,1.6 8,1 16,-3", 1.1),
        )
    )


_CROWNS = {"lily": _crown_lily, "arch": _crown_arch, "leaf": _crown_leaf, "hat": _crown_hat}


def crown(style: str, x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """A crown (lily, arch, leaf or hat) with the middle of its band at (x, y)."""
    return place(tag("use", href=f"#crown-{style}"), x=x, y=y, turn=turn, scale=scale)
