"""The trumps from the Juggler (I) to the Emperor (IIII)."""

from __future__ import annotations

from tools.deck import land, people
from tools.deck.beings import eagle, gown, limb, star, tunic
from tools.deck.palette import BLUE, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, ring, shaded, shape
from tools.deck.signs import sign

__all__ = ["bateleur", "emperor", "empress", "juno"]


def bateleur() -> str:
    """A juggler with a wand behind his table of cups, dice and a knife."""
    top = "10,134* 103,130* 112,140* 14,145*"
    return "".join(
        (
            land.peaks(162),
            land.ground(160),
            land.tuft(18, 188),
            land.tuft(102, 188, mirror=True),
            tunic(58, 86, BLUE, (RED, GREEN), OCHRE, stride=9),
            limb("46,91 34,101 27,94", (11, 10, 6.4), RED, 30),
            limb("70,91 82,104 84,121", (11, 10, 6.4), RED, 160),
            shape("24,97* 29,100* 32,93* 26,90*", OCHRE, 0.9),
            shape("80,118* 88,118* 88,123* 80.6,123*", OCHRE, 0.9),
            place(
                shape("-1.8,13* -1.4,-24* 1.4,-24* 1.8,13*", OCHRE, bold=True),
                disc(0, -25, 2.6, RED),
                disc(0, 14, 2.2, RED),
                x=26,
                y=87,
                turn=-16,
            ),
            people.fist(26, 88, turn=120, scale=0.82),
            shape("49,86* 58,94 67,86* 63,82 53,82", PAPER, 1),
            place(people.head(hair="curls", tint=OCHRE, look=1.6), x=58, y=68),
            place(_hat(RED, GREEN), x=58, y=56),
            shape("20,145* 25,145* 24,189* 19,189*", OCHRE, bold=True),
            shape("98,142* 103,141* 105,189* 100,189*", OCHRE, bold=True),
            shape("70,143* 74,143* 76,178* 72,178*", OCHRE, bold=True),
            shape(top, PAPER, bold=True),
            shaded("14,145* 112,140* 112,146* 14,151.6*", RED, angle=88, gap=3, reach=4),
            sign("C", 28, 127, 0.5),
            sign("C", 40, 126, 0.4),
            people.palm(84, 127, turn=-96, scale=0.8),
            shape("52,133* 57,131.6* 59,135* 54,136.6*", PAPER, bold=True),
            shape("54,136.6* 59,135* 59,139* 54,141*", PAPER, 0.9),
            disc(55.6, 134, 0.7, INK, bare=True),
            disc(56.5, 138, 0.6, INK, bare=True),
            disc(67, 136, 2.2, RED),
            disc(73, 134.4, 2.2, OCHRE),
            disc(71, 139, 2.2, GREEN),
            shape("88,140* 100,134* 101.6,135.6* 90,141.6*", PAPER, 1),
            line("87,141.6 90,140", 2.6),
            shape("94,131 98,126 104,127 106,133", OCHRE, 1.1),
            brush("96,131 100,128 104,131", 1),
        )
    )


def _hat(crown: str, brim: str) -> str:
    """The juggler's great hat, its brim bent like a lying eight."""
    bend = "0,1 -8,-1 -15,-6 -22,-5 -23,1 -17,5 -8,4.4 0,4.6 8,4.4 17,5 23,1 22,-5 15,-6 8,-1"
    return "".join(
        (
            shape("-9,0* -9,-8 -4,-12 4,-12 9,-8 9,0*", crown, bold=True),
            hatch("1,-12 9,-8 9,0 3,0", angle=180, gap=2, reach=5),
            shape(bend, brim, bold=True),
            shape("-9,1 -15,-2.4 -20,-1.6 -18,1.6", OCHRE, 0.9),
            shape("9,1 15,-2.4 20,-1.6 18,1.6", OCHRE, 0.9),
            brush("-8,-3 0,-1 8,-3", 1.2),
        )
    )


def juno() -> str:
    """Juno, queen of the gods, with sceptre and displaying peacock."""
    feathers = []
    for i in range(13):
        turn = -100 + 200 * i / 12
        feathers.append(
            place(
                shape("-1.2,0* -5.4,-32 0,-41 5.4,-32 1.2,0*", GREEN if i % 2 else BLUE, 0.9),
                *(line(t, 0.7) for t in ("0,-8 0,-26", "0,-22 -3,-25", "0,-22 3,-25", "0,-16 -2,-19", "0,-16 2,-19")),
                disc(0, -33, 3.6, OCHRE, 0.9),
                disc(0, -33, 1.7, RED, 0.7),
                turn=turn,
            )
        )
    peacock = place(
        *feathers,
        limb("-2,18 -2,26", (2.4, 1.8), OCHRE),
        limb("3,18 3,26", (2.4, 1.8), OCHRE),
        line("-6,27 1,27", 1.3),
        line("0,27.4 7,27.4", 1.3),
        shape("-9,6 -5,-4 -3,-14 -3.6,-20 0,-25 4,-22 3.6,-14 6,-4 10,6 6,16 0,19 -6,16", BLUE, bold=True),
        hatch("-3,-14 4,-14 10,6 6,16 0,19", angle=180, gap=2.4, reach=7),
        *(brush(t, 1.1, fill=PAPER) for t in ("-6,4 -3,7 0,4", "0,4 3,7 6,4", "-4,10 -1,13 2,10", "-3,-2 0,1 3,-2")),
        shape("-3.4,-21* -9,-18.6* -3.4,-18*", OCHRE, 0.8),
        disc(-0.6, -21.4, 1, PAPER, 0.6),
        *(line(f"1,-24 {x},{y}", 0.8) + disc(x, y, 1.2, RED, 0.6) for x, y in ((-3, -31), (1, -32.4), (5, -31))),
        x=80,
        y=160,
        scale=0.9,
    )
    return "".join(
        (
            land.cloud(94, 52, 1.0),
            land.cloud(24, 62, 0.9, mirror=True),
            land.peaks(158, mirror=True),
            land.ground(158),
            peacock,
            shape("36,88* 28,100 24,126 18,152 12,182* 24,186 34,182* 36,150 38,120", RED, bold=True),
            hatch("36,88* 28,100 24,126 18,152 12,182* 24,184 30,150 34,120", angle=0, gap=3, reach=8),
            gown(46, 86, OCHRE, RED, BLUE, tall=96),
            people.shoe(42, 184, RED),
            limb("57,92 68,102 77,114", (11, 10, 7), RED, 150),
            people.palm(80, 119, turn=100, mirror=True, scale=0.82),
            shape("25.6,50* 28.4,50* 28.4,180* 25.6,180*", OCHRE, bold=True),
            star(27, 45, 6, 7.4, 3, RED),
            limb("35,92 25,106 28,119", (11, 10, 7), RED, 40),
            people.fist(27, 119, turn=-60, mirror=True, scale=0.82),
            shape("37,87* 46,96 55,87* 50,83 42,83", BLUE, 1),
            place(people.head(hair="long", tint=OCHRE, look=1.2), x=46, y=68),
            people.crown("leaf", 46, 56.4),
        )
    )


def empress() -> str:
    """The Empress, crowned and frontal, with sceptre and eagle shield."""
    skirt = "42,124* 33,136 30,152 26,170 16,188* 30,191 46,187* 60,191 76,187* 90,191 104,188* 94,170 90,152 87,136 78,124*"
    return "".join(
        (
            land.peaks(160),
            land.ground(158),
            *(
                place(
                    shape("0,0* 6,-20 18,-40 30,-46 26,-30 34,-32 28,-18 34,-16 26,-4 28,2*", OCHRE, bold=True),
                    *(brush(t, 1.2) for t in ("6,-4 14,-24 26,-40", "12,-4 20,-18 29,-28", "16,-2 22,-8 30,-13")),
                    x=x,
                    y=134,
                    mirror=m,
                    scale=1.25,
                )
                for x, m in ((70, False), (50, True))
            ),
            shaded(skirt, RED, angle=180, gap=3, reach=14, width=1.2),
            *(
                brush(t, 1.7)
                for t in (
                    "46,136 42,156 40,172 44,186",
                    "60,132 58,156 62,172 60,189",
                    "74,136 78,156 80,172 77,186",
                    "36,146 34,164 28,186",
                    "84,146 87,164 92,186",
                )
            ),
            shape(
                "16,188* 30,191 46,187* 60,191 76,187* 90,191 104,188* 101,182* 90,185 76,181 60,185 46,181 30,185 19,182*",
                OCHRE,
                bold=True,
            ),
            shaded("48,88* 60,95 72,88* 78,104 76,126* 60,130 44,126* 42,104", RED, angle=180, gap=2.6, reach=8),
            shape("43,121* 60,125.6 77,121* 77.6,127* 60,132 42.6,127*", OCHRE, bold=True),
            disc(60, 128, 2.4, BLUE),
            shape("50,85* 40,88 30,98 22,120 18,142 20,160* 30,158 34,140 42,124* 44,106 52,94*", BLUE, bold=True),
            hatch("50,85* 40,88 30,98 22,120 18,142 20,160* 26,150 30,124 40,100", angle=10, gap=3, reach=9),
            flip(
                shape("50,85* 40,88 30,98 22,120 18,142 20,160* 30,158 34,140 42,124* 44,106 52,94*", BLUE, bold=True)
            ),
            hatch("70,85* 80,88 90,98 98,120 102,142 100,160* 94,150 90,124 80,100", angle=170, gap=3, reach=9),
            shape("46,86* 52,84 60,90 68,84 74,86* 66,98 60,101 54,98", OCHRE, bold=True),
            *(disc(x, y, 1.2, RED, 0.7) for x, y in ((51, 90.4), (55.6, 94.4), (60, 96.4), (64.4, 94.4), (69, 90.4))),
            # sceptre
            shape("26.4,66* 29.6,66* 33.6,166* 30.4,166*", OCHRE, bold=True),
            disc(28, 60, 6, RED, 1.3),
            line("22,60.6 34,60.6", 1),
            line("28,54 28,60", 1),
            place(
                shape(
                    "-1.2,0* -1.2,-3* -4,-3* -4,-5.4* -1.2,-5.4* -1.2,-8.4* 1.2,-8.4* 1.2,-5.4* 4,-5.4* 4,-3* 1.2,-3* 1.2,0*",
                    OCHRE,
                    0.9,
                ),
                x=28,
                y=54,
            ),
            limb("40,94 29,112 32,128", (13, 11, 8), BLUE, 30),
            people.fist(31, 128, turn=-70, mirror=True, scale=0.86),
            # shield
            shape("66,116* 102,112* 103,134 96,152 84,161* 72,153 66,137", OCHRE, bold=True),
            eagle(84.6, 135, 0.8, mirror=True),
            limb("80,94 91,104 97,113", (13, 11, 8), BLUE, 150),
            people.fist(97, 117, turn=44, scale=0.84),
            place(people.head(hair="long", tint=OCHRE, look=-0.8), x=60, y=69, scale=1.04),
            people.crown("lily", 60, 57, 0, 1.1),
        )
    )


def emperor() -> str:
    """The Emperor in profile on his seat, legs crossed, with sceptre, orb and eagle shield."""
    return flip(
        "".join(
            (
                land.peaks(160, mirror=True),
                land.ground(160),
                land.tuft(108, 190, 0.9),
                shape(
                    "12,80* 18,72 26,78* 28,146* 62,146* 64,186* 54,186* 52,158* 28,158* 26,186* 14,186*",
                    OCHRE,
                    bold=True,
                ),
                hatch("12,80* 18,72 26,78* 28,146* 26,186* 14,186*", angle=180, gap=3, reach=6),
                disc(19, 70, 4.4, RED),
                shape("16,140 40,136 62,142 60,148 18,148", RED, bold=True),
                place(
                    shape("-17,-19* 17,-19* 17,0 10,14 0,21* -10,14 -17,0", OCHRE, bold=True),
                    eagle(0, 0, 0.76),
                    x=36,
                    y=172,
                ),
                # far leg hanging, near leg crossed over it
                limb("46,132 72,136 76,152 74,178", (20, 15, 12, 9), BLUE),
                people.shoe(74, 182, RED, mirror=True),
                limb("44,130 70,128 86,142 66,160", (22, 16, 13, 9), BLUE, 240),
                place(shape("3,-4* -4,-4* -10,0 -17,2* -8,6 3,5*", RED, bold=True), x=64, y=163, turn=-20),
                shape(
                    "36,90* 52,94 62,92* 67,104 66,118 68,132 74,142* 54,146 36,142 28,138* 30,118 30,102",
                    RED,
                    bold=True,
                ),
                hatch(
                    "36,90* 52,94 62,92* 67,104 66,118 68,132 74,142* 54,146 48,120",
                    angle=180,
                    gap=2.8,
                    reach=10,
                    width=1.1,
                ),
                shape("31,120* 48,125 66,120* 67,127* 48,132 30,127*", OCHRE, bold=True),
                *(
                    shape(f"{x - 4},{y} {x},{y - 3} {x + 4},{y} {x},{y + 3}", OCHRE, 0.8)
                    for x, y in ((44, 104), (54, 106), (50, 114), (40, 113))
                ),
                shape("38,89* 26,96 20,116 20,136 16,150 24,152* 32,140 34,120 44,104 46,94*", GREEN, bold=True),
                hatch("38,89* 26,96 20,116 20,136 16,150 24,152* 28,124 36,102", angle=10, gap=3, reach=8),
                # sceptre
                shape("88.4,72* 91.6,72* 89.6,140* 86.4,140*", OCHRE, bold=True),
                disc(90, 66, 6.4, BLUE, 1.3),
                line("83.6,66.4 96.4,66.4", 1.1),
                place(
                    shape(
                        "-1.4,0* -1.4,-3.4* -4.6,-3.4* -4.6,-6* -1.4,-6* -1.4,-9.6* 1.4,-9.6* 1.4,-6* 4.6,-6* 4.6,-3.4* 1.4,-3.4* 1.4,0*",
                        OCHRE,
                        0.9,
                    ),
                    x=90,
                    y=59.6,
                ),
                limb("50,97 66,118 84,112", (16, 13, 9), GREEN, -60),
                shape("80,106.6* 85.6,106.6* 88,116* 82,118.4*", OCHRE),
                people.fist(89, 111, turn=0, mirror=True, scale=0.92),
                shape("40,88* 50,98 62,92* 60,86 44,83", OCHRE, bold=True),
                *(ring(x, y, 1.5, 0.9) for x, y in ((47, 92), (52, 94), (57, 92))),
                place(people.profile(hair="short", tint=PAPER, beard="long"), x=53, y=70, scale=1.06),
                people.crown("arch", 52, 59, -8, 0.98),
            )
        )
    )
