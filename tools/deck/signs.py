"""The four suit signs, each drawn once about (0, 0), and the blades and staves of the pip cards."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import arc, brush, disc, group, hatch, line, number, place, ring, shaded, shape, shapes, spun, tag

__all__ = ["SUITS", "definitions", "sign", "staff", "sword"]

SUITS = "COSB"


def _cup() -> str:
    """A goblet, 27 wide and 39 high."""
    bowl = "-12.6,-17* -12.2,-9 -8.6,-1.5 -3,2.4* 3,2.4* 8.6,-1.5 12.2,-9 12.6,-17*"
    foot = "-3,8.4* -4,12.6 -10.6,15.4 -11.6,18.8* 11.6,18.8* 10.6,15.4 4,12.6 3,8.4*"
    return "".join(
        (
            shaded(foot, OCHRE, angle=180, gap=1.8, reach=6, width=0.9),
            shape("-3,2.4* -2,5 -3,8.4* 3,8.4* 2,5 3,2.4*", OCHRE),
            shape("-5,5.4 0,3.2 5,5.4 0,7.7", RED),
            shaded(bowl, RED, angle=180, gap=1.9, reach=6.5, width=1),
            shape("-12.5,-12* -6,-10.2 0,-9.7 6,-10.2 12.5,-12* 12.1,-7.6* 6,-6 0,-5.5 -6,-6 -12.1,-7.6*", OCHRE, 0.9),
            *(disc(x, y, 0.9, INK, bare=True) for x, y in ((-8, -8.9), (-4, -8), (0, -7.7), (4, -8), (8, -8.9))),
            shape("-12.6,-17 0,-20.4 12.6,-17 0,-13.6", PAPER),
            brush("-10,-16.6 0,-14.9 10,-16.6", 1.3),
            brush("-7.6,-4.4 -6,-.6 -2.6,1.4", 1.1),
            line("-8,17.2 8,17.2", 0.7),
        )
    )


def _coin() -> str:
    """A coin that is a flower, 38 across."""
    lobes = []
    for i in range(12):
        turn = math.radians(30 * i)
        for step, radius in ((-9, 18.2), (0, 19.2), (9, 18.2)):
            angle = turn + math.radians(step)
            lobes.append(f"{radius * math.cos(angle):.2f},{radius * math.sin(angle):.2f}")
        notch = turn + math.radians(15)
        lobes.append(f"{16.9 * math.cos(notch):.2f},{16.9 * math.sin(notch):.2f}*")
    petal = "-2.4,-4.6* -4.6,-8.6 -3.4,-12 0,-13.2 3.4,-12 4.6,-8.6 2.4,-4.6*"
    sepal = "-1.5,-5* 0,-12.4* 1.5,-5*"
    turns = range(0, 360, 60)
    dots = "".join(f"M{number(3.7 * math.cos(a))} {number(3.7 * math.sin(a))}h0" for a in (0.2, 1.4, 2.7, 3.9, 5.2))
    ticks = "".join(
        f"M{number(15.6 * math.cos(a))} {number(15.6 * math.sin(a))}L{number(17.3 * math.cos(a))} {number(17.3 * math.sin(a))}"
        for a in (math.radians(30 * i) for i in range(12))
    )
    return "".join(
        (
            shape(" ".join(lobes), OCHRE, bold=True),
            disc(0, 0, 14.3, PAPER, 1),
            shapes([spun(sepal, turn + 30) for turn in turns], GREEN, 0.7),
            shapes([spun(petal, turn) for turn in turns], RED, 0.9),
            *(brush(spun("0,-5 0,-10.6", turn), 1.2, start=0.6) for turn in turns),
            disc(0, 0, 5, OCHRE),
            ring(0, 0, 2.6, 0.7),
            tag("path", stroke_width=0.9, d=dots),
            tag("path", stroke_width=0.7, d=ticks),
        )
    )


def sword(length: float, width: float = 6.6) -> str:
    """A straight sword standing upright: point at (0, -length), guard at y = 0, pommel at y = 16."""
    half = width / 2
    blade = f"{-half},-1* {-half * 0.86},{-length + 11}* 0,{-length}* {half * 0.86},{-length + 11}* {half},-1*"
    return "".join(
        (
            shape(blade, BLUE, bold=True),
            shape(f"{-half},-1* {-half * 0.86},{-length + 11}* 0,{-length}* 0,-1*", PAPER, bare=True),
            shape(blade),
            line(f"0,{-length + 4} 0,-2", 0.8),
            shape("-1.7,2* -2.1,7 -1.7,12* 1.7,12* 2.1,7 1.7,2*", RED),
            line("-1.8,5 1.8,4", 0.7),
            line("-2,7.8 2,6.8", 0.7),
            line("-1.9,10.4 1.9,9.4", 0.7),
            shape("-10,-2.4* -4,-.8 4,-.8 10,-2.4* 11.4,.6 9.4,2.4* 4,2 -4,2 -9.4,2.4* -11.4,.6", OCHRE, bold=True),
            disc(0, 14.2, 3.2, OCHRE),
            disc(0, 14.2, 1, INK, bare=True),
        )
    )


def staff(length: float, width: float = 8.4) -> str:
    """A knotty cudgel standing upright, thicker at the top, centred on (0, 0)."""
    top, foot, half = -length / 2, length / 2, width / 2
    body = (
        f"{-half * 0.5},{foot}* {-half * 0.66},{foot * 0.45} {-half * 0.8},{top * 0.2} {-half},{top * 0.72} {-half * 0.8},{top + 1.6} "
        f"0,{top} {half * 0.8},{top + 1.6} {half},{top * 0.72} {half * 0.8},{top * 0.2} {half * 0.66},{foot * 0.45} {half * 0.5},{foot}*"
    )
    knots = []
    for spot, side in ((-0.62, -1), (-0.3, 1), (0.12, -1), (0.5, 1)):
        y = spot * length / 2
        edge = side * half * (0.9 if spot < 0 else 0.72)
        knots.append(
            shape(
                f"{edge * 0.6},{y + 3.4}* {edge + side * 2.8},{y - 0.6}* {edge + side * 2},{y - 3.4}* {edge * 0.7},{y - 2.2}*",
                GREEN,
                0.9,
            )
        )
        knots.append(
            shape(
                f"{edge + side * 3},{y - 0.4} {edge + side * 3.1},{y - 2.2} {edge + side * 1.8},{y - 3.6} {edge + side * 1.7},{y - 1.8}",
                OCHRE,
                0.7,
            )
        )
    return "".join(
        (
            *knots,
            shaded(body, GREEN, angle=180, gap=2.6, reach=half, width=0.9),
            shape(f"{-half * 0.5},{foot} 0,{foot - 1.2} {half * 0.5},{foot} 0,{foot + 1.2}", OCHRE, 0.8),
            brush(f"{-half * 0.3},{top + 5} {-half * 0.2},{top * 0.5} {-half * 0.4},{top * 0.1}", 0.9),
            brush(f"{half * 0.1},{top * 0.3} {half * 0.15},{foot * 0.5}", 0.8),
        )
    )


def _index_sword() -> str:
    """A short broad sword: a slender one would vanish in a small index."""
    return "".join(
        (
            shape("-5,4* -4.6,-12* 0,-20* 4.6,-12* 5,4*", BLUE, 1.6, bold=True),
            shape("-5,4* -4.6,-12* 0,-20* 0,4*", PAPER, bare=True),
            shape("-5,4* -4.6,-12* 0,-20* 4.6,-12* 5,4*", None, 1.6),
            line("0,-17 0,3", 1),
            shape("-2.2,7* -2.2,14* 2.2,14* 2.2,7*", RED, 1.4),
            shape("-13,1.6* -6,3.6 6,3.6 13,1.6* 14.2,6 11,8.4* 5,7 -5,7 -11,8.4* -14.2,6", OCHRE, 1.5, bold=True),
            disc(0, 16.4, 3.6, OCHRE, 1.5),
        )
    )


def _index_staff() -> str:
    return group(place(staff(38, 12), turn=24, scale=0.96), stroke_width=1.4)


def definitions() -> Iterator[str]:
    """Yield the signs as groups ``s-C``, ``s-O``, ``s-S`` and ``s-B``, about 39 units high."""
    for suit, drawing in zip(SUITS, (_cup(), _coin(), _index_sword(), _index_staff()), strict=True):
        yield group(drawing, id=f"s-{suit}")
    yield group(_spray(), id="spray")
    yield group(_hand(), id="cloud-hand")


def sign(suit: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """Refer to a suit sign, centred on (x, y)."""
    return place(tag("use", href=f"#s-{suit}"), x=x, y=y, scale=scale, turn=turn)


def _spray() -> str:
    """A flowering sprig that grows upwards from (0, 0), 30 high; fills the gaps of the low pip cards."""
    leaf, vein, petal = (
        "0,0* 3,-3.6 8,-4 13,0* 8,3.2 3,2.8",
        "0,0 6,-.6 12,0",
        "-1.2,-2* -3,-5 -1.6,-7.6 0,-8.2 1.6,-7.6 3,-5 1.2,-2*",
    )
    spots = ((-152.0, -0.4, -3.0, 0.95), (-30.0, 0.2, -5.0, 0.95), (-140.0, -0.4, -11.0, 0.7), (-42.0, 0.0, -12.6, 0.7))
    return "".join(
        (
            brush("0,1 -.6,-9 0,-20", 1.6, start=0.8, end=0.5),
            shapes([spun(leaf, *spot) for spot in spots], GREEN, 0.9),
            *(brush(spun(vein, *spot), 0.9) for spot in spots),
            shapes([spun(petal, 72 * i, 0, -23) for i in range(5)], RED, 0.8),
            disc(0, -23, 2.5, OCHRE, 0.8),
        )
    )


def _hand() -> str:
    """A fist out of a cloud, gripping something upright at (0, 0); the sleeve comes from the right."""
    cloud = "48,-2 50,8 44,15 36,18 29,25 20,22 15,15 17,7 13,0 18,-8 26,-9 32,-16 42,-13"
    fist = "-5,-7* 2,-8.4 8,-6 10,0 8.4,6.6 2,8.6 -5.4,7.6* -7,4 -6.6,0 -6.8,-4"
    return "".join(
        (
            shape("4,-7* 22,-9* 24,10* 4,8*", RED),
            hatch("4,-7* 22,-9* 24,10* 4,8*", angle=-90, gap=2, reach=7),
            shape("9,-9 15,-9.6 15.6,10 9.4,9.6", OCHRE, bold=True),
            shape(fist, FLESH, bold=True),
            line("-6.8,-3.4 -1,-3.8", 0.9),
            line("-6.8,.4 -.6,0", 0.9),
            line("-6.6,4.2 -.6,4", 0.9),
            shape("1,-8* -3,-10.4 -6.4,-8.4 -4.8,-5.6 0,-4.6*", FLESH, 0.9),
            brush("6,-3 7,1 5.6,5", 0.9),
            shaded(cloud, PAPER, angle=180, gap=2.4, reach=9),
            shape("22,-2 30,-6 37,0 33,8 24,7", PAPER, 0.9),
            brush(arc(28, 2, 4.4, 180, 420, 7), 1),
            brush("40,-6 45,0 42,8", 1),
            brush("22,14 28,18 35,13", 1),
        )
    )
