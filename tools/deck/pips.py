"""The numeral cards: cups and coins set out in rows, and the four aces; swords and staves are in bands.py."""

from __future__ import annotations

import math

from tools.deck.bands import MIDDLE, batons, swords
from tools.deck.beings import limb_track
from tools.deck.palette import BLUE, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, ring, shaded, shape, tag
from tools.deck.signs import staff, sword

__all__ = ["pip"]

Spot = tuple[float, float]


def pip(suit: str, rank: int) -> str:
    """Return the picture of a numeral card; `rank` is 1 to 10."""
    if rank == 1:
        return {"C": _ace_of_cups, "O": _ace_of_coins, "S": _ace_of_swords, "B": _ace_of_batons}[suit]()
    return {"C": _cups, "O": _coins, "S": swords, "B": batons}[suit](rank)


def _use(href: str, x: float, y: float, scale: float = 1, turn: float = 0, mirror: bool = False) -> str:
    return place(tag("use", href=f"#{href}"), x=x, y=y, scale=scale, turn=turn, mirror=mirror)


_CUPS: dict[int, tuple[float, tuple[Spot, ...]]] = {
    2: (1.35, ((60, 76), (60, 153))),
    3: (1.2, ((60, 72), (33, 152), (87, 152))),
    4: (1.2, ((33, 74), (87, 74), (33, 156), (87, 156))),
    5: (1.08, ((31, 68), (89, 68), (60, 114.5), (31, 162), (89, 162))),
    6: (1.08, ((33, 65), (87, 65), (33, 114.5), (87, 114.5), (33, 164), (87, 164))),
    7: (1.0, ((27, 64), (93, 64), (60, 84), (27, 114.5), (93, 114.5), (27, 166), (93, 166))),
    8: (1.0, ((26, 62), (60, 62), (94, 62), (38, 114.5), (82, 114.5), (26, 167), (60, 167), (94, 167))),
    9: (1.0, tuple((x, y) for y in (63, 115, 167) for x in (26, 60, 94))),
    10: (0.88, (*((x, y) for y in (90, 131, 172) for x in (26, 60, 94)), (60, 54))),
}


def _cups(rank: int) -> str:
    scale, spots = _CUPS[rank]
    parts = [_use("s-C", x, y, scale) for x, y in spots]
    if rank == 2:
        parts += [_use("spray", x, y, size) for x in (26, 94) for y, size in ((118, 1.6), (189, 1.5))]
    if rank == 3:
        parts += [_use("spray", 60, 188, 1.6), _use("spray", 23, 112, 1.7), _use("spray", 97, 112, 1.7)]
    if rank == 4:
        parts += [_wreath(60, MIDDLE, 1.0), _use("spray", 60, 78, 1.15), _use("spray", 60, 152, 1.15, 180)]
    if rank == 5:
        parts += [
            _use("spray", 60, 186, 1.2),
            _use("spray", 60, 44, 1.2, 180),
            _use("spray", 24, 128, 0.95),
            _use("spray", 96, 128, 0.95),
        ]
    if rank == 6:
        parts += [_use("spray", 60, 80, 1.0), _use("spray", 60, 129, 1.0), _use("spray", 60, 178, 1.0)]
    if rank == 7:
        parts += [_use("spray", 60, 188, 1.9)]
    if rank == 8:
        parts += [_use("spray", 60, 128, 0.9)]
    if rank == 10:
        parts += [_use("spray", 16, 62, 1.05, 84), _use("spray", 104, 62, 1.05, -84)]
    return "".join(parts)


_COINS: dict[int, tuple[float, tuple[Spot, ...]]] = {
    2: (1.7, ((60, 74), (60, 155))),
    3: (1.25, ((60, 64), (60, 114.5), (60, 165))),
    4: (1.15, ((34, 66), (86, 66), (34, 163), (86, 163))),
    5: (1.12, ((33, 64), (87, 64), (60, 114.5), (33, 165), (87, 165))),
    6: (1.08, ((33, 63), (87, 63), (33, 114.5), (87, 114.5), (33, 166), (87, 166))),
    7: (1.0, ((32, 60), (88, 60), (60, 86), (32, 117), (88, 117), (32, 168), (88, 168))),
    8: (0.92, tuple((x, y) for y in (57, 95.5, 134, 172) for x in (34, 86))),
    9: (0.9, (*((x, y) for y in (57, 95.5, 134, 172) for x in (31, 89)), (60, 114.5))),
    10: (0.86, (*((x, y) for y in (57, 95.5, 134, 172) for x in (29, 91)), (60, 76), (60, 153))),
}


def _coins(rank: int) -> str:
    scale, spots = _COINS[rank]
    parts = [_use("s-O", x, y, scale) for x, y in spots]
    if rank == 2:
        ribbon = limb_track("17,80 21,100 40,109 60,114.5 80,120 99,129 103,149", (7, 9, 10, 10, 10, 9, 7))
        parts = [
            shaded(ribbon, RED, angle=90, gap=2.4, reach=5),
            *parts,
            _use("spray", 17, 80, 1.0),
            _use("spray", 103, 149, 1.0, 180),
            _use("spray", 103, 118, 1.15),
            _use("spray", 17, 111, 1.15, 180),
        ]
    if rank == 3:
        for y in (90, 139):
            parts += [_use("spray", 38, y, 1.15, -62), _use("spray", 82, y, 1.15, 62)]
        parts += [
            _use("spray", 20, 66, 0.8, -10),
            _use("spray", 100, 66, 0.8, 10),
            _use("spray", 20, 164, 0.8, 190),
            _use("spray", 100, 164, 0.8, 170),
        ]
    if rank == 4:
        parts += [_shield(60, MIDDLE), _use("spray", 38, MIDDLE, 1.1, -90), _use("spray", 82, MIDDLE, 1.1, 90)]
    if rank == 5:
        parts += [_use("spray", 39, MIDDLE, 0.85, -90), _use("spray", 81, MIDDLE, 0.85, 90)]
    if rank == 6:
        parts += [_use("spray", 60, y, 0.85) for y in (101, 152)]
    if rank == 7:
        parts += [_use("spray", 60, 158, 1.25)]
    if rank == 8:
        parts += [_use("spray", 60, y, 0.8) for y in (86, 125, 164)]
    if rank == 9:
        parts += [_use("spray", 60, 93, 0.9), _use("spray", 60, 136, 0.9, 180)]
    if rank == 10:
        parts += [_use("spray", 60, MIDDLE + 1, 0.75), _use("spray", 60, MIDDLE - 1, 0.75, 180)]
    return "".join(parts)


def _wreath(x: float, y: float, scale: float) -> str:
    """A ring of leaves with a flower in it, about 40 across."""
    leaves = []
    for i in range(10):
        turn = 36 * i
        leaves.append(
            place(
                shape("0,0* 3,-5 9,-5.6 14,-1* 8,2.4 3,2", GREEN, 0.9),
                brush("1,-.4 7,-2 13,-1.2", 0.8),
                x=13 * math.cos(math.radians(turn)),
                y=13 * math.sin(math.radians(turn)),
                turn=turn + 64,
            )
        )
    petals = [
        place(
            shape("-1.6,-2.4* -4.4,-6.4 -2.4,-10 0,-10.6 2.4,-10 4.4,-6.4 1.6,-2.4*", RED, 0.9),
            brush("0,-3 0,-8", 1),
            turn=72 * i,
        )
        for i in range(5)
    ]
    return place(ring(0, 0, 13.6, 1.6), *leaves, *petals, disc(0, 0, 3.4, OCHRE, 1), x=x, y=y, scale=scale)


def _shield(x: float, y: float) -> str:
    """A shield with three peaks and a star, between sprigs."""
    outline = "-15,-17* 15,-17* 15.4,0 9,13 0,19.4* -9,13 -15.4,0"
    peaks = "-15.3,2* -9,-7* -5.4,-2* 0,-11* 6,-2.4* 9.6,-6.6* 15.3,2* 12.4,8 6,15 0,19.2* -6,15 -12.4,8"
    star = " ".join(
        f"{r * math.cos(math.radians(36 * i - 90)):.1f},{r * math.sin(math.radians(36 * i - 90)) - 12:.1f}*"
        for i in range(10)
        for r in ((3.4 if i % 2 == 0 else 1.4),)
    )
    return place(
        shape(outline, BLUE, bold=True),
        shape(peaks, PAPER, 0.9),
        shape("-15.2,3.6* -8,0* 0,4.6* 8,0* 15.2,3.6* 12.2,8.4 6,15 0,19.2* -6,15 -12.2,8.4", GREEN, 0.9),
        brush("0,-10.6 1.6,-4 .6,2", 1.4),
        brush("-9,-6.6 -8,-3 -8.6,-.4", 1.2),
        brush("9.6,-6 8.6,-3 9.2,-.6", 1.2),
        shape(star, OCHRE, 0.7),
        shape(outline, None, 1.5),
        x=x,
        y=y,
        scale=1.15,
    )


# ---------------------------------------------------------------------------------------------------------------------
# Aces


def _ace_of_cups() -> str:
    bowl = "18,92* 20,112 32,132 50,141* 70,141* 88,132 100,112 102,92*"
    foot = "52,152* 48,164 30,172 24,185* 96,185* 90,172 72,164 68,152*"
    half = "".join(
        (
            shaded("60,62* 46,64 34,74 30,88* 44,92 60,93*", BLUE, angle=70, gap=2.6, reach=10),
            shape("24,92* 24,70* 20,70* 27,54* 34,70* 30,70* 30,92*", RED, bold=True),
            hatch("24,92* 24,70* 30,70* 30,92*", gap=2.2, reach=4),
            disc(27, 51.5, 2.4, OCHRE),
            line("27,76 27,82", 1.8),
        )
    )
    gadroon = "".join(
        shape(
            f"{60 + dx * 0.96},117* {60 + dx * 0.98 - 5.4},122 {60 + dx * 0.62 - 4},136 {60 + dx * 0.34},140.6* {60 + dx * 0.62 + 4},135 {60 + dx * 0.98 + 5.4},122",
            fill,
            0.9,
        )
        for dx, fill in ((-31, OCHRE), (31, OCHRE), (-16.5, PAPER), (16.5, PAPER), (0, OCHRE))
    )
    return "".join(
        (
            _use("spray", 17, 190, 1.5, -4),
            _use("spray", 103, 190, 1.5, 4),
            _use("spray", 14, 66, 0.8, 20),
            _use("spray", 106, 66, 0.8, -20),
            shaded(foot, OCHRE, angle=180, gap=2.2, reach=14, width=1.1),
            shape("30,172 44,168 60,167 76,168 90,172 76,176 60,177 44,176", RED, 0.9),
            shape("50,141* 53,147 52,152* 68,152* 67,147 70,141*", OCHRE),
            shape("42,147 60,142 78,147 60,153", RED, bold=True),
            disc(60, 147.4, 2.8, OCHRE),
            half,
            flip(half),
            shape("53,90* 53,58* 48,58* 60,37.5* 72,58* 67,58* 67,90*", RED, bold=True),
            hatch("67,90* 67,58* 53,58* 53,90*", angle=180, gap=2.2, reach=7),
            shape("57,90* 57,76 60,71 63,76 63,90*", INK),
            disc(60, 65, 2.6, OCHRE),
            shaded(bowl, RED, angle=180, gap=2.4, reach=17, width=1.2),
            gadroon,
            shape("16,88* 104,88* 101,99* 19,99*", OCHRE, bold=True),
            *(
                shape(f"{x - 4},93.5* {x},90.4* {x + 4},93.5* {x},96.6*", fill, 0.8)
                for x, fill in ((27, BLUE), (38, PAPER), (49, BLUE), (60, PAPER), (71, BLUE), (82, PAPER), (93, BLUE))
            ),
            brush("22,103 40,107 60,108 80,107 98,103", 1.4),
            brush("25,111 42,115 60,116", 1),
            brush("95,111 78,115 60,116", 1),
        )
    )


def _ace_of_coins() -> str:
    parts = [
        _use("spray", 60 + x * 25, MIDDLE + y * 40, 1.35, 90 + y * 90 - x * y * 34) for x in (-1, 1) for y in (-1, 1)
    ]
    parts += [_use("spray", x, y, 1, turn) for x, y, turn in ((60, 38, 180), (60, 191, 0))]
    outer = " ".join(
        f"{r * math.cos(math.radians(a)):.1f},{r * math.sin(math.radians(a)):.1f}{s}"
        for i in range(16)
        for a, r, s in (
            (22.5 * i - 6, 43.5, ""),
            (22.5 * i, 45, ""),
            (22.5 * i + 6, 43.5, ""),
            (22.5 * i + 11.25, 40.6, "*"),
        )
    )
    parts.append(
        place(
            shape(outer, OCHRE, 1.4, bold=True),
            disc(0, 0, 37, PAPER, 1.3),
            *(place(shape("-3,-33* 0,-36.4* 3,-33* 0,-29.6*", RED, 0.8), turn=22.5 * i) for i in range(16)),
            ring(0, 0, 28.6, 0.9),
            *(place(shape("-2.8,-12* 0,-28* 2.8,-12*", GREEN, 0.9), turn=45 * i + 22.5) for i in range(8)),
            *(
                place(
                    shape("-3,-10* -7,-17 -5.6,-24 0,-27.4 5.6,-24 7,-17 3,-10*", RED, 1.1),
                    brush("0,-11 0,-23", 1.6, start=0.6),
                    brush("-2,-12 -3.6,-18 -2.8,-21", 0.9),
                    brush("2,-12 3.6,-18 2.8,-21", 0.9),
                    turn=45 * i,
                )
                for i in range(8)
            ),
            disc(0, 0, 11, OCHRE, 1.4),
            _face(),
            x=60,
            y=MIDDLE,
        )
    )
    return "".join(parts)


def _face() -> str:
    """A small round sun-like face for the middle of the ace of coins."""
    return "".join(
        (
            brush("-6.4,-2.4 -4,-4.4 -1.6,-2.8", 1.2),
            brush("6.4,-2.4 4,-4.4 1.6,-2.8", 1.2),
            disc(-3.9, -1.8, 1, INK, bare=True),
            disc(3.9, -1.8, 1, INK, bare=True),
            brush("-.6,-3 -1.4,2 1,2.6", 1),
            brush("-3.6,5 0,6.8 3.6,5", 1.3),
            disc(-6, 2.6, 1.2, RED, bare=True),
            disc(6, 2.6, 1.2, RED, bare=True),
        )
    )


def _ace_of_swords() -> str:
    crown = "38,72* 34,52* 44,62* 50,48* 60,60* 70,48* 76,62* 86,52* 82,72* 60,76"
    return "".join(
        (
            *(
                _use("spray", 60 + way * 12, y, size, way * 62)
                for way in (-1, 1)
                for y, size in ((126, 1.25), (103, 1.05))
            ),
            shape("60,75 40,71 38,67 60,70.6 82,67 80,71", RED),
            place(sword(112, 10), x=60, y=150, scale=1),
            shape(crown, OCHRE, bold=True),
            hatch("82,72* 86,52* 76,62* 70,48* 60,60* 60,76", angle=180, gap=2, reach=7),
            *(disc(x, y, 2, RED) for x, y in ((34, 51), (50, 46.4), (70, 46.4), (86, 51))),
            shape("38,72* 60,76 82,72* 81.4,66.4* 60,70 38.6,66.4*", RED, 0.9),
            *(disc(x, y, 1.5, PAPER, 0.8) for x, y in ((46, 70.6), (60, 73), (74, 70.6))),
            shape("58,44* 60,37.5* 62,44*", BLUE),
            _use("spray", 21, 190, 1.7),
            _use("spray", 36, 192, 0.9, 14),
            place(tag("use", href="#cloud-hand"), x=60, y=160, scale=1.05),
        )
    )


def _ace_of_batons() -> str:
    return "".join(
        (
            _use("spray", 42, 82, 1.25, -62),
            _use("spray", 78, 74, 1.25, 58),
            _use("spray", 41, 116, 1.2, -66),
            _use("spray", 79, 108, 1.25, 62),
            _use("spray", 22, 190, 1.7),
            _use("spray", 38, 192, 0.9, 14),
            place(staff(146, 20), x=60, y=114),
            place(tag("use", href="#cloud-hand"), x=61, y=154, scale=1.1),
        )
    )
