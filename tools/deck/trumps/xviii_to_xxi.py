"""The trumps from the Moon (XVIII) to the World (XXI)."""

from __future__ import annotations

import math

from tools.deck import land, people
from tools.deck.beings import eagle, gown, limb, lion, moon_face, nude, rays, sun_face, tunic, wing
from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, hatch, line, place, shaded, shape

__all__ = ["judgement", "moon", "sun", "world"]


_BARE_FOOT = "4,-3* -3,-4* -8,1 -13,3.6* -5,5.4 5,4.6*"


def moon() -> str:
    """The moon over a serenade: a man with a lute below a balcony, a lady listening."""
    house = "74,86* 116,86* 116,196* 74,196*"
    lute = "".join(
        (
            shape("-14,0 -12,-8 -4,-11 6,-7 14,-2* 14,2* 6,7 -4,11 -12,8", OCHRE, bold=True),
            hatch("-14,0 -4,0 14,2* 6,7 -4,11 -12,8", angle=-90, gap=2.4, reach=6),
            disc(-1, 0, 3, INK),
            shape("13,-2* 34,-1.6* 34,1.6* 13,2*", RED, bold=True),
            shape("34,-2.4* 41,-7* 43,-4* 36,2*", RED, bold=True),
            *(line(f"-9,{y} 34,{y * 0.6}", 0.6) for y in (-1.4, 0, 1.4)),
            shape("-11,-3* -8.6,-3* -8.6,3* -11,3*", INK),
        )
    )
    return "".join(
        (
            rays(54, 62, 24, 34, 19, (OCHRE, BLUE)),
            moon_face(54, 62, 20),
            *(
                place(shape("0,-3.4 2,1 0,3 -2,1", fill, 0.8), x=x, y=y)
                for x, y, fill in (
                    (14, 56, RED),
                    (22, 76, OCHRE),
                    (14, 94, BLUE),
                    (34, 98, RED),
                    (48, 106, OCHRE),
                    (66, 100, BLUE),
                    (90, 54, RED),
                    (100, 66, OCHRE),
                    (92, 76, BLUE),
                    (24, 44, BLUE),
                    (84, 42, OCHRE),
                )
            ),
            land.peaks(168),
            land.ground(166),
            # house with balcony
            shaded(house, PAPER, angle=180, gap=3.4, reach=8),
            shape("68,88* 78,72* 118,72* 118,88*", RED, bold=True),
            *(
                line(t, 0.9)
                for t in (
                    "76,80 118,80",
                    "84,72 80,80",
                    "94,72 91,80",
                    "104,72 102,80",
                    "88,80 86,88",
                    "98,80 97,88",
                    "108,80 108,88",
                )
            ),
            shape("83,132* 83,104 95,94 107,104 107,132*", INK),
            shape("85,132* 85,105 95,97 105,105 105,132*", BLUE, 0.9),
            place(gown(0, 0, RED, OCHRE, OCHRE, tall=60), x=95, y=118, scale=0.7),
            place(people.head(hair="long", tint=OCHRE, look=-1.6), x=95, y=107, scale=0.7),
            limb("88,122 81,128 86,133", (7, 6, 4.4), RED),
            limb("102,122 109,128 104,133", (7, 6, 4.4), RED),
            shape("72,132* 118,132* 118,137* 72,137*", OCHRE, bold=True),
            *(
                shape(
                    f"{x},137* {x + 3.4},137* {x + 2.6},141 {x + 3.8},145 {x + 2.4},150* {x + 1},150* {x - 0.4},145 {x + 0.8},141",
                    PAPER,
                    0.9,
                )
                for x in range(75, 116, 7)
            ),
            shape("70,150* 118,150* 118,156* 74,156*", OCHRE, bold=True),
            shape("76,156* 82,156* 76,166*", GREEN, bold=True),
            place(
                "".join(
                    shape(f"{x},{y}* {x - 4},{y + 5} {x},{y + 10} {x + 4},{y + 5}", GREEN, 0.8)
                    for x, y in ((86, 156), (92, 160), (98, 156), (104, 162), (110, 157))
                ),
                x=0,
                y=0,
            ),
            shape("88,196* 88,178 96,170 104,178 104,196*", INK),
            shape("91,196* 91,179 96,174 101,179 101,196*", GREEN, 0.9),
            # the lover with his lute
            tunic(38, 112, GREEN, (RED, BLUE), OCHRE, stride=6),
            shape("30,112* 22,120 18,140 14,164* 24,160 30,140", RED, bold=True),
            hatch("30,112* 22,120 18,140 14,164* 22,150", gap=2.8, reach=6),
            place(lute, x=36, y=139, turn=-24),
            limb("27,118 18,132 31,141", (10, 9, 6), GREEN, 20),
            people.palm(34, 142, turn=60, mirror=True, scale=0.66),
            limb("49,118 60,132 62,129", (10, 9, 6), GREEN, 160),
            people.fist(61, 128, turn=60, mirror=True, scale=0.66),
            shape("30,112* 38,119 46,112* 42,108 34,108", PAPER, 1),
            place(people.head(hair="bob", tint=OCHRE, look=1.8, brow=-0.6), x=38, y=97, turn=8, scale=0.86),
            place(
                shape("-13,3 -11,-3 -4,-5 6,-4 14,-6 15,-1 9,1.6 0,.4 -8,1.4", RED, bold=True),
                shape("-9,-3* -8,-10 0,-13 8,-9 9,-4*", RED, bold=True),
                shape("-6,-6* -14,-12 -24,-12 -29,-4* -22,-6 -14,-4 -8,0*", OCHRE, bold=True),
                x=38,
                y=88,
                turn=8,
                scale=0.88,
            ),
        )
    )


def sun() -> str:
    """The sun above two children before a wall."""

    def child(mirror: bool) -> str:
        return place(
            limb("-4,26 -8,40 -8,54", (11, 9, 6)),
            limb("5,26 10,40 9,54", (11, 9, 6)),
            place(shape(_BARE_FOOT, FLESH, bold=True), x=-9, y=54, scale=0.74),
            place(shape(_BARE_FOOT, FLESH, bold=True), x=10, y=54, scale=0.74, mirror=True),
            shape("-8,-2* -12,2 -10,14 -11,26* 12,26* 10,14 12,2 8,-2*", FLESH, bold=True),
            hatch("2,-2 8,-2* 12,2 10,14 12,26* 4,26*", angle=180, gap=2.4, reach=5),
            disc(0, 17, 0.8, INK, bare=True),
            brush("-7,6 -4,8 -1,7", 0.9),
            brush("7,6 4,8 1,7", 0.9),
            shape(
                "-12,20* 0,23.6 13,20* 14,30* 8,33* 4,29* -1,34* -6,29* -11,33* -13.6,29*",
                BLUE if mirror else RED,
                bold=True,
            ),
            limb("-10,3 -17,12 -13,22", (8, 7, 5)),
            place(people.head(hair="curls", tint=OCHRE, look=1.6), x=0, y=-15, scale=0.8),
            x=78 if mirror else 42,
            y=130,
            mirror=mirror,
        )

    wall = "-2,158* 122,156* 122,176* -2,178*"
    drops = (
        (14, 92),
        (28, 104),
        (44, 98),
        (60, 106),
        (78, 98),
        (92, 104),
        (106, 92),
        (20, 118),
        (100, 118),
        (12, 134),
        (108, 134),
    )
    return "".join(
        (
            rays(60, 68, 24, 50, 20, (OCHRE, RED)),
            sun_face(60, 68, 23),
            *(
                place(shape("0,-4 2.2,1 0,3.4 -2.2,1", (RED, OCHRE, BLUE)[i % 3], 0.8), x=x, y=y)
                for i, (x, y) in enumerate(drops)
            ),
            land.ground(172),
            shape(wall, OCHRE, bold=True),
            shape("-2,154* 122,152* 122,159* -2,161*", RED, bold=True),
            *(line(f"-2,{y} 122,{y - 2}", 0.8) for y in (167, 173)),
            *(
                line(f"{x},{y} {x},{y + 6}", 0.8)
                for x, y in (
                    (10, 161),
                    (30, 161),
                    (50, 160.6),
                    (70, 160),
                    (90, 160),
                    (110, 159.6),
                    (20, 167),
                    (40, 166.6),
                    (60, 166),
                    (80, 166),
                    (100, 165.6),
                )
            ),
            land.tuft(16, 192),
            land.tuft(104, 192, mirror=True),
            land.tuft(60, 193, 0.8),
            child(False),
            child(True),
            limb("51,133 55,145 60,152", (8, 7, 5)),
            limb("69,133 65,145 60,152", (8, 7, 5)),
            people.fist(60, 153, turn=90, scale=0.56),
        )
    )


def judgement() -> str:
    """An angel blows the trumpet from the clouds and the dead rise from their graves."""
    flag = "10,3* 32,3* 32,27* 21,22* 10,27*"
    horn = "".join(
        (
            shape(flag, RED, bold=True),
            shape(
                "19,6* 23,6* 23,10.4* 27.6,10.4* 27.6,14.6* 23,14.6* 23,19* 19,19* 19,14.6* 14.4,14.6* 14.4,10.4* 19,10.4*",
                PAPER,
                0.7,
            ),
            shape("-6,-2* 28,-2.4* 36,-4.6 45,-10* 45,10* 36,4.6 28,2.4* -6,2*", OCHRE, bold=True),
            shape("45,-10 49,0 45,10 42,0", RED, 1),
            line("8,-2.4 8,2.4", 1),
            line("30,-2.6 30,2.6", 1),
        )
    )
    cloud = "-4,98 4,88 14,90 20,82 32,88 42,84 52,92 64,88 76,94 90,90 100,94 108,88 124,94 124,106 110,104 98,108 84,103 70,108 56,103 42,108 28,103 12,108 -4,106"
    tomb = "-22,0* 22,0* 25,28* -25,28*"
    return "".join(
        (
            *(
                place(shape("-2,-34* 0,-88* 2,-34*", OCHRE if i % 2 else RED, 0.7), x=46, y=80, turn=-96 + 12 * i)
                for i in range(17)
            ),
            land.peaks(158),
            land.ground(156),
            *(
                place(shape("-1.6,-14* 0,-34* 1.6,-14*", OCHRE if i % 2 else RED, 0.7), x=60, y=96, turn=112 + 15 * i)
                for i in range(10)
            ),
            wing(54, 84, "blue", scale=1.06),
            wing(38, 84, "blue", mirror=True, scale=1.0),
            shape("36,79* 41,75 51,75 56,79* 62,92 62,104* 30,104* 30,92", GREEN, bold=True),
            hatch("46,75 51,75 56,79* 62,92 62,104* 50,104*", angle=180, gap=2.4, reach=7),
            limb("35,82 44,96 60,82", (10, 9, 6), GREEN, 150),
            place(people.head(hair="curls", tint=OCHRE, look=1.8), x=46, y=60, scale=0.92),
            shaded(cloud, PAPER, angle=-90, gap=3.6, reach=6),
            *(brush(t, 1.3) for t in ("12,97 20,90 28,95", "70,100 77,95 85,99", "94,100 101,95 109,98")),
            place(horn, x=57, y=68, turn=26),
            limb("55,82 66,92 72,82", (10, 9, 6), GREEN, 160),
            people.fist(72, 76, turn=118, scale=0.72),
            people.fist(61, 74, turn=-50, mirror=True, scale=0.72),
            # the risen
            nude(27, 140),
            nude(93, 140, woman=False),
            *(
                place(
                    shaded(tomb, PAPER, angle=180, gap=2.8, reach=14),
                    shape("-25,-3* 25,-3* 25,3* -25,3*", OCHRE, bold=True),
                    line("-14,10 14,10", 0.8),
                    line("-14,24 14,24", 0.8),
                    line("-14,10 -14,24", 0.8),
                    line("14,10 14,24", 0.8),
                    x=x,
                    y=169,
                )
                for x in (26, 94)
            ),
            limb("14,146 9,134 16,122", (8, 7, 5), FLESH, 10),
            people.palm(17, 118, mirror=True, scale=0.62),
            limb("39,146 46,156 36,163", (8, 7, 5), FLESH, 160),
            people.palm(34, 162, turn=-30, scale=0.6),
            limb("108,146 112,134 105,122", (8.6, 7.4, 5), FLESH, 160),
            people.palm(104, 118, scale=0.62),
            limb("78,146 72,156 84,163", (8.6, 7.4, 5), FLESH, 20),
            people.palm(86, 162, mirror=True, turn=30, scale=0.6),
            place(people.head(hair="long", tint=OCHRE, look=1.6), x=27, y=127, scale=0.78),
            place(people.head(hair="short", tint=PAPER, beard="curly", look=-1.6), x=93, y=127, scale=0.78),
            nude(60, 158),
            place(
                shaded(tomb, PAPER, angle=180, gap=2.8, reach=14),
                shape("-24,-3* 24,-3* 24,3* -24,3*", OCHRE, bold=True),
                x=60,
                y=183,
                scale=0.82,
            ),
            limb("47,164 44,174 57,170", (7, 6, 4.6)),
            limb("73,164 76,174 63,170", (7, 6, 4.6)),
            people.palm(57, 165, turn=46, mirror=True, scale=0.56),
            people.palm(63, 165, turn=-46, scale=0.56),
            place(people.head(hair="bob", tint=RED, look=0, brow=-0.6), x=60, y=145, scale=0.78),
        )
    )


def world() -> str:
    """A dancer in a wreath; angel, eagle, lion and bull in the corners."""
    leaves = []
    for i in range(30):
        a = 2 * math.pi * i / 30
        x, y = 31 * math.sin(a), -56 * math.cos(a)
        slope = math.degrees(math.atan2(56 * math.sin(a), 33 * math.cos(a)))
        leaves.append(
            place(
                shape("-2,0* 2,-6 9,-8 15,-3* 9,1 3,2", GREEN, 0.9),
                shape("-2,0* 2,6 9,8 15,3* 9,-1 3,-2", GREEN, 0.9),
                brush("0,0 9,-4 14,-3", 0.8),
                x=x,
                y=y,
                turn=slope,
            )
        )
    bands = "".join(
        place(
            shape("-8,-3.4* 8,-3.4* 8,3.4* -8,3.4*", RED, bold=True),
            line("-3,-3.4 3,3.4", 0.9),
            line("-7,-3.4 -1,3.4", 0.9),
            line("1,-3.4 7,3.4", 0.9),
            x=x,
            y=y,
            turn=t,
        )
        for x, y, t in ((60, 57.5, 90), (60, 171.5, 90), (29, 114.5, 0), (91, 114.5, 0))
    )
    angel = "".join(
        (
            wing(3, 8, "blue", scale=0.42),
            wing(-3, 8, "blue", mirror=True, scale=0.42),
            shape("-11,9* -5,4 5,4 11,9* 13,20* -13,20*", RED, bold=True),
            place(people.head(hair="curls", tint=OCHRE, look=1), y=-4, scale=0.66),
        )
    )
    bull = "".join(
        (
            shape("-7,-9* -15,-12 -19,-20* -12,-17 -5,-13*", PAPER, bold=True),
            shape("7,-9* 15,-12 19,-20* 12,-17 5,-13*", PAPER, bold=True),
            shape("-8,-5* -17,-6 -17,0 -8,2*", RED, bold=True),
            shape("8,-5* 17,-6 17,0 8,2*", RED, bold=True),
            shape("-9,-10 0,-13 9,-10 9,0 6.4,9 7.4,15 4,19 -4,19 -7.4,15 -6.4,9 -9,0", RED, bold=True),
            hatch("0,-13 9,-10 9,0 6.4,9 7.4,15 4,19 1,4", angle=180, gap=2.2, reach=6),
            shape("-7,12 0,9.4 7,12 6,18 0,20 -6,18", PAPER, 1),
            disc(-3, 14.6, 1.1, INK, bare=True),
            disc(3, 14.6, 1.1, INK, bare=True),
            line("-3,17.6 3,17.6", 0.8),
            *(
                shape(f"{s * 5 - 2.6},-1.6* {s * 5},-3.6 {s * 5 + 2.6},-1.6* {s * 5},0", PAPER, 0.7)
                + disc(s * 5, -1.8, 1.1, INK, bare=True)
                for s in (-1, 1)
            ),
            brush("-4,-12 -1,-7 0,-10 2,-6 4,-12", 1.6),
        )
    )
    return "".join(
        (
            place(angel, x=22, y=54),
            eagle(99, 56, 0.6, mirror=True),
            land.cloud(22, 71, 0.95),
            land.cloud(99, 71, 0.95, mirror=True),
            place(bull, x=24, y=172, scale=0.8),
            lion(96, 172, 0.66),
            place(*leaves, x=60, y=114.5),
            bands,
            limb("62,128 68,146 64,166", (13, 10, 6)),
            limb("56,128 52,144 66,152", (13, 10, 6)),
            place(shape("3,-3* -3,-3.4* -6,3 -9,8* -3,7 4,3*", FLESH, bold=True), x=64, y=166, turn=-10),
            place(shape("3,-2* -3,-3* -8,1 -12,3* -4,4 3,3.6*", FLESH, bold=True), x=68, y=152, mirror=True, scale=0.8),
            place(nude(0, 0), x=59, y=96, scale=0.78),
            shape(
                "48,98* 42,108 46,122 56,128 68,126 76,132 72,142* 80,134 78,124 68,119 56,120 50,112 52,102*",
                BLUE,
                bold=True,
            ),
            hatch("56,128 68,126 76,132 72,142* 80,134 78,124 68,119", angle=90, gap=2.6, reach=5),
            limb("49,101 40,106 40,94", (7.4, 6.4, 4.6)),
            limb("69,101 78,108 80,98", (7.4, 6.4, 4.6), FLESH, 160),
            shape("39,78* 41,78* 42,98* 40,98*", OCHRE, 0.9),
            shape("79,82* 81,82* 82,102* 80,102*", OCHRE, 0.9),
            disc(40, 77, 2, RED, 0.9),
            disc(80, 81, 2, RED, 0.9),
            people.fist(41, 92, turn=100, scale=0.55),
            people.fist(80.6, 96, turn=80, mirror=True, scale=0.55),
            place(people.head(hair="long", tint=OCHRE, look=-1.2), x=59, y=85, turn=-4, scale=0.74),
        )
    )
