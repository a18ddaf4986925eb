"""The trumps from the Devil (XV) to the Star (XVII)."""

from __future__ import annotations

from tools.deck import land, people
from tools.deck.beings import jug, limb, star
from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, shaded, shape

__all__ = ["devil", "star_card", "tower"]


_BARE_FOOT = "4,-3* -3,-4* -8,1 -13,3.6* -5,5.4 5,4.6*"


def devil() -> str:
    """The devil with bat's wings on his rock; a grieving woman sits at his feet."""
    bat = "64,96* 74,76 92,58 110,50* 104,60 112,68* 105,74 113,86* 104,90 110,104* 98,104 96,114* 84,108 74,112*"
    legs = "".join(
        (
            limb("68,136 80,150 74,160 78,172", (19, 14, 9, 8), RED),
            limb("52,136 40,150 46,160 42,172", (19, 14, 9, 8), RED),
        )
    )
    claw = "0,0* -8,6* -3,5* -3,9* 1,5.4* 5,8* 5,0*"
    return "".join(
        (
            *(
                place(
                    shape("0,0* -5,-8 -2,-16 -6,-24 1,-31 1,-22 6,-18 4,-8", fill, bold=True),
                    brush("0,-3 -1,-11 1,-19", 1.1),
                    x=x,
                    y=197,
                    scale=s,
                )
                for x, s, fill in (
                    (12, 1.5, RED),
                    (24, 1.0, OCHRE),
                    (108, 1.5, RED),
                    (97, 1.0, OCHRE),
                    (4, 1.1, OCHRE),
                    (116, 1.0, OCHRE),
                )
            ),
            shaded(bat, BLUE, angle=120, gap=3, reach=9, width=1.1),
            *(brush(t, 1.5, start=0.9) for t in ("72,94 90,74 108,52", "74,98 94,86 112,86", "74,104 90,100 108,103")),
            flip(
                shaded(bat, BLUE, angle=120, gap=3, reach=9, width=1.1),
                *(
                    brush(t, 1.5, start=0.9)
                    for t in ("72,94 90,74 108,52", "74,98 94,86 112,86", "74,104 90,100 108,103")
                ),
            ),
            shaded("28,172* 40,168 60,170 82,167 92,172* 96,196* 22,196*", PAPER, angle=180, gap=3, reach=14),
            *(brush(t, 1.3) for t in ("38,178 46,182 44,192", "72,176 70,184 76,192")),
            brush("66,140 86,152 96,140 92,130 98,124", 3.4, start=0.9, end=0.4, fill=RED),
            shape("98,124* 93,120 98,113* 103,120*", RED, bold=True),
            legs,
            place(shape(claw, OCHRE, bold=True), x=42, y=171),
            place(shape(claw, OCHRE, bold=True), x=78, y=171, mirror=True),
            shape(
                "50,90* 40,92 34,98 38,114 44,124 42,138 46,146 52,140 56,148* 60,141 64,148* 68,140 74,146 78,138 76,124 82,114 86,98 80,92 70,90*",
                RED,
                bold=True,
            ),
            hatch("70,90* 80,92 86,98 82,114 76,124 78,138 74,146* 66,132 70,108", angle=180, gap=2.6, reach=9),
            brush("42,106 51,111 59,106", 1.5),
            brush("78,106 69,111 61,106", 1.5),
            *(brush(t, 1.1) for t in ("54,118 57,121 54,125", "66,118 63,121 66,125", "60,112 60,120 60,130")),
            # fork
            shape("23,58* 26,58* 30,160* 27,160*", OCHRE, bold=True),
            shape("16,42* 18,56* 24.4,60* 31,56* 32,41* 34,57 27,65 23,65 15,58", OCHRE, bold=True),
            shape("23,40* 25.4,40* 26,60* 23.4,60*", OCHRE, bold=True),
            limb("38,98 24,112 28,126", (13, 11, 8), RED, 20),
            people.fist(28, 128, turn=-60, mirror=True, scale=0.86),
            limb("82,98 96,110 90,92", (13, 11, 8), RED, 160),
            people.palm(91, 85, mirror=True, turn=-8, scale=0.9),
            place(
                shape("-9,-9* -16,-14 -20,-22 -17,-32* -13,-24 -8,-18 -3,-13*", OCHRE, bold=True),
                brush("-13,-14 -17,-20", 1),
                brush("-10,-16 -14,-23", 1),
                flip(shape("-9,-9* -16,-14 -20,-22 -17,-32* -13,-24 -8,-18 -3,-13*", OCHRE, bold=True), axis=0),
                shape("-9,-4* -18,-7 -19,-1 -9,3*", RED, bold=True),
                shape("9,-4* 18,-7 19,-1 9,3*", RED, bold=True),
                people.head(hair=None, tint=INK, beard="forked", look=0, brow=2, face=RED),
                x=60,
                y=72,
                scale=1.04,
            ),
            # the grieving woman
            place(
                shape("-13,-4* -4,-9 8,-6 14,2 20,16 24,28* -22,28* -20,14", GREEN, bold=True),
                hatch("0,-8 8,-6 14,2 20,16 24,28* 8,28*", angle=180, gap=2.6, reach=9),
                *(brush(t, 1.3) for t in ("-8,4 -12,16 -12,27", "0,2 -1,16 2,27")),
                limb("-8,-2 -14,6 -7,-8", (7, 6.4, 5)),
                place(people.head(hair="long", tint=OCHRE, brow=-1.6, look=-1), x=0, y=-18, turn=-16, scale=0.72),
                people.palm(-7, -11, turn=16, scale=0.56),
                limb("10,-2 15,10 2,16", (7, 6.4, 5)),
                x=60,
                y=167,
            ),
        )
    )


def _faller(coat: str, hose: str) -> str:
    """Someone who falls headlong, drawn upright: collar at (0, 0), arms thrown up."""
    return "".join(
        (
            limb("-4,20 -12,30 -6,40", (9, 7, 5), hose),
            limb("4,20 12,28 18,36", (9, 7, 5), hose),
            place(shape("3,-2* -3,-3* -9,3* 3,4*", OCHRE, 0.9), x=-7, y=41),
            place(shape("3,-2* -3,-3* -9,3* 3,4*", OCHRE, 0.9), x=19, y=37),
            shape("-7,-2* 7,-2* 10,16 13,26* 5,23* -1,27* -7,23* -12,25* -9,16", coat, bold=True),
            hatch("-7,-2* 7,-2* 10,16 13,26* 5,23* -12,25* -9,16", angle=180, gap=2.4, reach=6),
            limb("-6,1 -15,-6 -17,-16", (6.6, 6, 4.6), coat),
            limb("6,1 15,-5 17,-15", (6.6, 6, 4.6), coat),
            people.palm(-18, -19, scale=0.5),
            people.palm(18, -19, mirror=True, scale=0.5),
        )
    )


def tower() -> str:
    """A tower struck by fire from the sky; its crown topples and two people fall."""
    wall = "34,88* 82,84* 86,188* 30,188*"
    bricks = []
    for row, y in enumerate(range(96, 186, 10)):
        left, right = 34 - 4 * (y - 88) / 100, 82 + 4 * (y - 84) / 104
        bricks.append(line(f"{left},{y} {right},{y - 1.4}", 0.8))
        bricks += [line(f"{x},{y - 1 + 0.2} {x},{y + 8.8}", 0.8) for x in range(40 + 6 * (row % 2), 80, 12) if y < 176]
    window = "-5,9* -5,-3 0,-9 5,-3 5,9*"
    flame = "116,36* 96,40 104,50* 84,52 90,62* 66,64 72,76* 58,84 72,88* 84,78 82,70* 100,70 96,62* 114,62*"
    return "".join(
        (
            *(
                disc(x, y, r, fill, 1)
                for x, y, r, fill in (
                    (16, 48, 3, RED),
                    (28, 64, 2.6, OCHRE),
                    (14, 78, 2.8, BLUE),
                    (20, 104, 2.6, RED),
                    (102, 84, 3, BLUE),
                    (108, 102, 2.6, OCHRE),
                    (98, 118, 2.8, RED),
                    (12, 128, 2.6, OCHRE),
                    (106, 134, 2.4, BLUE),
                    (38, 44, 2.4, BLUE),
                    (98, 98, 2, RED),
                    (30, 84, 2, OCHRE),
                )
            ),
            land.peaks(174),
            land.ground(172),
            shape(wall, PAPER, bold=True),
            *bricks,
            hatch(wall, angle=180, gap=3, reach=14, width=1.2),
            *(
                place(shape(window, INK), shape("-3,8* -3,-2 0,-6 3,-2 3,8*", BLUE, 0.8), x=x, y=y)
                for x, y in ((58, 108), (47, 136), (70, 136))
            ),
            shape("49,188* 49,170 58,160 67,170 67,188*", INK),
            shape("52,188* 52,171 58,164 64,171 64,188*", OCHRE, 1),
            line("58,164 58,188", 0.9),
            line("52,176 64,176", 0.9),
            *(
                place(shape("0,0* -5,-8 -2,-14 -5,-22 2,-27 2,-20 6,-16 4,-8", fill, bold=True), x=x, y=90)
                for x, fill in ((40, RED), (50, OCHRE), (76, RED))
            ),
            place(
                shape(
                    "-26,0* -28,-22* -20,-22* -20,-13* -13,-13* -13,-23* -4,-23* -4,-13* 4,-13* 4,-23* 13,-23* 13,-13* 20,-13* 20,-22* 28,-22* 26,0*",
                    OCHRE,
                    bold=True,
                ),
                hatch("4,-13* 4,-23* 13,-23* 13,-13* 20,-13* 20,-22* 28,-22* 26,0* 4,0*", angle=180, gap=2.6, reach=8),
                line("-27,-7 27,-7", 0.9),
                x=42,
                y=73,
                turn=-24,
            ),
            shape(flame, RED, bold=True),
            shape(
                "116,42* 104,44 110,53* 92,56 97,64* 76,68 78,76* 68,82* 84,73 80,66* 102,65 98,57* 116,57*", OCHRE, 1
            ),
            place(
                _faller(GREEN, RED),
                place(people.head(hair="curls", tint=OCHRE, brow=-1.6, neck=False), y=-14, scale=0.64),
                x=23,
                y=150,
                turn=158,
                scale=0.74,
            ),
            place(
                _faller(RED, BLUE),
                place(people.head(hair="bob", tint=OCHRE, brow=-1.6, neck=False), y=-14, scale=0.64),
                x=97,
                y=156,
                turn=200,
                scale=0.74,
            ),
        )
    )


def star_card() -> str:
    """A woman kneels under seven stars and empties two jugs."""
    small = ((22, 52), (98, 52), (16, 80), (104, 78), (30, 100), (84, 98))
    water = "-2,172 20,168 44,172 60,169 84,172 122,168* 122,198* -2,198*"
    return "".join(
        (
            land.peaks(160),
            land.ground(158),
            _bird_tree(),
            shape(water, BLUE, bold=True),
            *(
                brush(t, 1.3, fill=PAPER)
                for t in (
                    "28,182 40,179 52,182",
                    "50,187 64,184 78,187",
                    "66,180 78,177 88,180",
                    "34,192 48,189 62,192",
                    "72,192 82,189 92,192",
                )
            ),
            *(star(x, y, 8, 7.4, 3, BLUE if i % 2 else RED, cut=False) for i, (x, y) in enumerate(small)),
            star(60, 64, 16, 26, 12.6, OCHRE),
            place(star(0, 0, 8, 13, 6, RED), x=60, y=64),
            # kneeling woman
            limb("72,150 90,151 96,164 78,171", (18, 16, 11, 8)),
            limb("64,148 50,157 54,170 70,176", (17, 14, 10, 8)),
            place(shape(_BARE_FOOT, FLESH, bold=True), x=80, y=174, turn=6, mirror=True),
            shape(
                "58,104* 50,106 44,112 44,124 50,136 54,150 60,158 76,160 84,150 80,138 78,124 78,112 72,105 66,103*",
                FLESH,
                bold=True,
            ),
            hatch("66,103* 72,105 78,112 78,124 80,138 84,150 76,160 68,140", angle=180, gap=2.6, reach=8),
            brush("45,122 51,127 58,124", 1.2),
            brush("76,122 68,127 61,124", 1.2),
            disc(62, 142, 0.9, INK, bare=True),
            shape("56,152 66,148 78,152 86,150* 92,160 84,168 70,164 60,170 52,162", GREEN, bold=True),
            hatch("66,148 78,152 86,150* 92,160 84,168 72,160", angle=180, gap=2.6, reach=7),
            limb("48,112 32,118 24,128", (10, 9, 6)),
            limb("76,112 90,117 98,127", (10, 9, 6), FLESH, 160),
            shape("11,147* 9,156 8,176* 12,181 17,176* 15,160 16,148*", BLUE, bold=True),
            brush("12.6,152 11.6,164 12.4,175", 1.3, fill=PAPER),
            place(jug(0, 0, RED, scale=1.12), x=20, y=138, turn=-64),
            people.fist(24, 130, turn=108, scale=0.74),
            shape("104,147* 105,160 103,176* 108,181 112,176* 111,156 109,147*", BLUE, bold=True),
            brush("107,152 108,164 107.4,175", 1.3, fill=PAPER),
            flip(place(jug(0, 0, RED, scale=1.12), x=22, y=138, turn=-64)),
            people.fist(97, 130, turn=-108, mirror=True, scale=0.74),
            place(people.head(hair="long", tint=OCHRE, look=-1.4), x=61, y=92, turn=-5, scale=0.88),
        )
    )


def _bird_tree() -> str:
    """A young tree on the bank with a black bird on top."""
    return place(
        shape("-1.4,30* -1,4* 1.4,4* 2,30*", OCHRE, bold=True),
        shape("0,10 -9,6 -11,-3 -6,-9 -5,-16 1,-20 7,-15 9,-7 12,1 8,8", GREEN, bold=True),
        hatch("1,-20 7,-15 9,-7 12,1 8,8 2,0", angle=180, gap=2.4, reach=7),
        shape("-5,-19* -9,-23* -2,-25 1,-29 5,-29 7,-26* 11,-25* 7,-24 4,-19 0,-18*", INK),
        x=106,
        y=124,
    )
