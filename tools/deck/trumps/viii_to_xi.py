"""The trumps from Justice (VIII) to Strength (XI)."""

from __future__ import annotations

import math

from tools.deck import land, people
from tools.deck.beings import limb, lion
from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, shaded, shape
from tools.deck.signs import sword

__all__ = ["force", "hermit", "justice", "wheel"]


_BARE_FOOT = "4,-3* -3,-4* -8,1 -13,3.6* -5,5.4 5,4.6*"


def justice() -> str:
    """Justice enthroned, sword upright, scales in the other hand."""
    skirt = "42,124* 33,136 30,152 26,170 18,188* 32,191 46,187* 60,191 74,187* 88,191 102,188* 94,170 90,152 87,136 78,124*"
    arch = "24,180* 24,74* 34,54 60,46 86,54 96,74* 96,180*"
    pan = "".join(
        (
            line("0,0 -9,22", 0.8),
            line("0,0 9,22", 0.8),
            shape("-11,22* 0,24 11,22* 8,28 0,30.4 -8,28", OCHRE, bold=True),
            hatch("0,24 11,22* 8,28 0,30.4", angle=180, gap=2, reach=4),
        )
    )
    return "".join(
        (
            land.peaks(160, mirror=True),
            land.ground(160),
            shaded(arch, RED, gap=3.2, reach=8, width=1.1, both=True),
            *(
                shape(f"{x - 4.4},66* {x + 4.4},66* {x + 4.4},182* {x - 4.4},182*", OCHRE, bold=True)
                + hatch(f"{x - 4.4},66* {x + 4.4},66* {x + 4.4},182* {x - 4.4},182*", angle=180, gap=3, reach=4)
                + shape(f"{x - 6.4},60* {x + 6.4},60* {x + 5},67* {x - 5},67*", GREEN, bold=True)
                + disc(x, 55.4, 4.4, OCHRE)
                for x in (23, 97)
            ),
            shape("8,180* 112,180* 116,196* 4,196*", PAPER, bold=True),
            line("6,187 114,187", 0.9),
            shaded(skirt, BLUE, angle=180, gap=3, reach=14, width=1.2),
            *(
                brush(t, 1.7)
                for t in (
                    "46,136 42,156 40,172 44,186",
                    "60,132 58,156 62,172 60,189",
                    "74,136 78,156 80,172 76,186",
                    "36,146 34,164 29,186",
                    "84,146 87,164 91,186",
                )
            ),
            shape(
                "18,188* 32,191 46,187* 60,191 74,187* 88,191 102,188* 99,182* 88,185 74,181 60,185 46,181 32,185 21,182*",
                OCHRE,
                bold=True,
            ),
            people.shoe(49, 188, RED),
            people.shoe(71, 188, RED, mirror=True),
            shaded("48,88* 60,95 72,88* 79,104 76,126* 60,130 44,126* 41,104", RED, angle=180, gap=2.6, reach=8),
            shape("43,121* 60,125.6 77,121* 77.6,127* 60,132 42.6,127*", OCHRE, bold=True),
            brush("52,98 50,108 53,117", 1.1),
            brush("68,98 70,108 67,117", 1.1),
            place(sword(74, 8.6), x=29, y=118),
            limb("42,94 30,110 34,124", (13, 11, 8), RED, 30),
            shape("30,121* 38.6,121* 38,127* 31,127*", OCHRE),
            people.fist(29, 125, turn=-8, mirror=False, scale=0.86),
            shape("70,111.4* 88,106 106,101.4* 106,103.6* 88,109.4 70,114*", OCHRE, bold=True),
            place(pan, x=72, y=113),
            place(pan, x=105, y=103),
            shape("86.6,98* 89.4,98* 89.4,109* 86.6,109*", OCHRE, 0.9),
            limb("78,94 92,104 89,96", (13, 11, 8), RED, 160),
            people.fist(88, 94, turn=130, scale=0.84),
            shape("46,86* 53,84 60,90 67,84 74,86* 66,98 60,101 54,98", OCHRE, bold=True),
            place(people.head(hair="long", tint=OCHRE, look=0, brow=0.4), x=60, y=69, scale=1.04),
            people.crown("lily", 60, 57, 0, 1.04),
        )
    )


def hermit() -> str:
    """An old man in a hooded cloak lifts a lantern before the mountains at night."""
    cloak = "60,86* 50,90 44,100 44,120 40,146 34,172 26,188* 44,191 62,187* 80,191 98,187* 96,166 92,140 88,114 82,98 74,88*"
    lantern = "".join(
        (
            line("0,-16 0,-11", 1.4),
            shape("-7,-7* 0,-13* 7,-7*", RED, bold=True),
            shape("-7,-7* 7,-7* 8,10* -8,10*", OCHRE, bold=True),
            shape("-4.6,-4* 4.6,-4* 5.4,7.4* -5.4,7.4*", PAPER, 0.9),
            shape("0,-3 2.8,2 0,6.4 -2.8,2", RED, 0.9),
            shape("-9,10* 9,10* 9,13.6* -9,13.6*", RED, bold=True),
        )
    )
    glow = "".join(
        place(shape("-1.6,-18* 0,-31* 1.6,-18*", OCHRE, 0.8), turn=30 * i) for i in range(12) if i not in (3, 4, 0)
    )
    return "".join(
        (
            *(
                place(shape("-1,-1* 0,-4* 1,-1* 4,0* 1,1* 0,4* -1,1* -4,0*", OCHRE, 0.7), x=x, y=y)
                for x, y in ((100, 48), (88, 62), (106, 80), (56, 44), (14, 42), (104, 108))
            ),
            land.peaks(166),
            land.ground(166),
            land.tuft(104, 190, mirror=True),
            limb("48,176 44,184 40,189", (8, 7, 6)),
            place(shape(_BARE_FOOT, FLESH, bold=True), x=38, y=187),
            shaded(cloak, BLUE, angle=180, gap=3, reach=15, width=1.2),
            *(
                brush(t, 1.8)
                for t in (
                    "64,96 62,124 58,152 50,186",
                    "72,98 73,126 72,156 68,186",
                    "80,104 84,132 86,160 84,188",
                    "54,104 52,130 46,160 38,186",
                )
            ),
            shaded("60,92* 54,118 52,150 50,187 56,188* 60,152 62,120 66,96*", OCHRE, angle=180, gap=3, reach=5),
            # staff
            shape("84,112* 88,110* 95,189* 91,189*", OCHRE, bold=True),
            shape("84,112* 80,106 84,101 90,104 88,110*", OCHRE, bold=True),
            limb("76,100 88,118 87,132", (15, 13, 9), BLUE, 160),
            shape("82,130* 92,128* 92.6,134* 83,136*", PAPER),
            people.fist(88.6, 138, turn=80, scale=0.88),
            place(glow, x=25, y=90, scale=1.06),
            limb("60,98 46,98 36,76", (15, 12, 8), BLUE, 50),
            shape("33,79* 40.6,75.6* 38.6,71* 31,74.4*", PAPER),
            line("27,68 25,80", 1.6),
            place(lantern, x=25, y=94, scale=1.06),
            people.fist(31.6, 67, turn=60, scale=0.88),
            # hood behind the head, then the face in profile
            flip(
                place(people.profile(hair="short", tint=PAPER, beard="long", age=True), x=54, y=72, scale=1.06), axis=60
            ),
            shape("60,56* 68,52 78,54 86,64 88,78 85,92 78,99 68,96* 74,88 76,78 73,68 66,60*", BLUE, bold=True),
            hatch("78,54 86,64 88,78 85,92 78,99 78,80", angle=180, gap=2.6, reach=7),
            shape("60,56* 66,60 73,68 76,78 74,88 68,96* 65,95 71,86 72,78 69,69 62,61*", RED, 0.9),
        )
    )


def wheel() -> str:
    """The wheel of fortune: one climbs, one sits crowned on top, one falls."""
    spokes = "".join(place(shape("-2,-7* -1.4,-27.6* 1.4,-27.6* 2,-7*", OCHRE, 0.9), turn=60 * i) for i in range(6))
    body = "-8,0* 8,0* 10,18 8,26* -8,26* -10,18"

    def folk(coat: str, hose: str) -> str:
        return "".join(
            (
                limb("-4,24 -8,34 -4,44", (9, 7, 5), hose),
                limb("4,24 9,33 7,44", (9, 7, 5), hose),
                shape("3,43* -5,43* -10,47.6* 3,48*", RED, 0.9),
                shape("9,43* 3,43* -2,47.6* 9.6,48*", RED, 0.9),
                shaded(body, coat, angle=180, gap=2.4, reach=6),
                line("-9.4,19 0,21 9.4,19", 2.4, OCHRE),
                line("-9.6,17.6 0,19.6 9.6,17.6", 0.8),
                line("-9,20.8 0,22.8 9,20.8", 0.8),
            )
        )

    return "".join(
        (
            land.peaks(172),
            land.ground(172),
            shape("16,186* 104,186* 108,196* 12,196*", OCHRE, bold=True),
            *(shaded(t, OCHRE, angle=180, gap=3, reach=4) for t in ("56,124* 64,124* 66,188* 54,188*",)),
            shape("30,188* 56,160* 60,163* 38,188*", OCHRE, bold=True),
            shape("90,188* 64,160* 60,163* 82,188*", OCHRE, bold=True),
            disc(60, 128, 35, RED, 1.6),
            "".join(
                brush(
                    f"{60 + 29.6 * math.cos(a):.1f},{128 + 29.6 * math.sin(a):.1f} {60 + 34 * math.cos(a):.1f},{128 + 34 * math.sin(a):.1f}",
                    1.3,
                    start=0.6,
                )
                for a in (math.radians(9 * i) for i in range(40))
            ),
            disc(60, 128, 28.6, PAPER, 1.5),
            place(spokes, x=60, y=128),
            disc(60, 128, 8.6, OCHRE, 1.5),
            disc(60, 128, 3.4, RED, 1),
            line("60,128 78,146 90,146", 4.6, INK),
            line("60,128 78,146 90,146", 2.4, OCHRE),
            # the one who climbs
            place(
                folk(GREEN, RED),
                limb("-6,3 -12,-6 -4,-14", (7, 6, 4.6), GREEN),
                limb("6,3 14,-4 15,-14", (7, 6, 4.6), GREEN),
                people.fist(14, -16, turn=100, scale=0.5),
                people.fist(-3, -16, turn=70, scale=0.5),
                place(people.head(hair="bob", tint=OCHRE, look=1.6, brow=-0.4), y=-9, scale=0.62),
                x=25,
                y=121,
                turn=12,
                scale=0.88,
            ),
            # the one who falls
            place(
                folk(OCHRE, BLUE),
                limb("-6,3 -15,-2 -20,-10", (7, 6, 4.6), OCHRE),
                limb("6,3 15,-3 17,-13", (7, 6, 4.6), OCHRE),
                people.palm(-21, -14, turn=20, scale=0.5),
                people.palm(18, -17, mirror=True, scale=0.5),
                place(people.head(hair="curls", tint=RED, look=-1.2, brow=-1.6), y=-9, scale=0.62),
                x=95,
                y=148,
                turn=170,
                scale=0.86,
            ),
            # the one on top
            shape("42,86* 78,86* 78,93* 42,93*", OCHRE, bold=True),
            limb("54,82 48,84 47,92", (8, 7, 5), BLUE),
            limb("66,82 72,84 73,92", (8, 7, 5), BLUE),
            shape("52,62* 60,66 68,62* 71,74 70,85* 50,85* 49,74", BLUE, bold=True),
            hatch("60,66 68,62* 71,74 70,85* 60,85*", angle=180, gap=2.4, reach=6),
            shape("50,64* 44,72 42,86 49,86* 51,76", RED, bold=True),
            shape("70,64* 76,72 78,86 71,86* 69,76", RED, bold=True),
            place(sword(30, 5), x=84, y=70, scale=0.8),
            limb("68,66 77,74 83,71", (7, 6, 4.6), BLUE),
            people.fist(84, 75, scale=0.5),
            limb("52,66 44,74 42,68", (7, 6, 4.6), BLUE),
            disc(41, 62, 4.6, OCHRE, 1.1),
            line("36.6,62 45.6,62", 0.9),
            people.fist(42, 68, turn=100, scale=0.5),
            place(people.head(hair="bob", tint=OCHRE, beard="curly"), x=60, y=53, scale=0.66),
            people.crown("lily", 60, 46.4, 0, 0.62),
        )
    )


def force() -> str:
    """A strong man in a lion's skin forces a lion's jaws open."""
    body = "52,146 66,134 84,128 98,132 106,144 107,160 103,170 108,182 110,188* 96,190* 95,178 88,168 74,166 66,170 66,182 67,189* 53,190* 52,176 46,166"
    return "".join(
        (
            land.peaks(162),
            land.ground(164),
            land.tuft(14, 188),
            limb("74,132 88,152 96,186", (18, 14, 9)),
            limb("58,132 46,156 34,184", (18, 14, 9)),
            place(shape(_BARE_FOOT, FLESH, bold=True), x=32, y=186),
            place(shape(_BARE_FOOT, FLESH, bold=True), x=97, y=187, mirror=True),
            # club on the ground and the lion's body
            shape("101,138* 110,134 112,124 105,116* 103,112* 110,115 117,126 114,138 106,144*", OCHRE, bold=True),
            shape("106,117* 98,116 96,108 101,101* 108,104 110,113*", RED, bold=True),
            shaded(body, OCHRE, angle=-90, gap=3.4, reach=9, width=1.2),
            hatch(
                "84,128 98,132 106,144 107,160 103,170 108,182 110,188* 96,190* 95,178 88,168",
                angle=180,
                gap=3,
                reach=8,
            ),
            brush("88,146 84,158 90,168", 1.6),
            brush("62,160 58,168 60,178", 1.3),
            *(
                line(t, 0.9)
                for t in ("57,186 57,189.4", "62,186 62,189.4", "100.6,186 100.6,189.6", "105,185.4 105,189")
            ),
            # the man
            shape(
                "50,86* 44,89 38,96 42,112 46,122 46,136* 82,136* 82,122 86,112 88,96 82,89 74,86*", FLESH, bold=True
            ),
            hatch("74,86* 82,89 88,96 86,112 82,122 82,136* 70,134 74,108", angle=180, gap=2.6, reach=8),
            brush("46,104 54,109 61,105", 1.4),
            brush("80,104 70,109 63,105", 1.4),
            brush("62,106 62.6,116 62,124", 1.1),
            *(
                brush(t, 0.9)
                for t in (
                    "53,115 56,117 60,115.6",
                    "71,115 68,117 64,115.6",
                    "54,122 57,124 60,122.6",
                    "70,122 67,124 64,122.6",
                )
            ),
            shape(
                "40,128* 52,124 64,130 76,124 88,128* 90,146 84,142 80,150* 74,144 68,152* 62,145 56,152* 52,144 44,150* 42,142",
                RED,
                bold=True,
            ),
            hatch("64,130 76,124 88,128* 90,146 84,142 80,150* 74,144 68,152", angle=180, gap=2.6, reach=8),
            shape("40,124* 64,129 88,124* 88.6,130* 64,135 39.6,130*", OCHRE, bold=True),
            # lion skin over the shoulders, paws knotted on the chest
            shape(
                "46,86* 36,92 28,106 26,128 20,146* 30,142 32,150* 38,138 42,118 50,100 62,98 72,100 84,92 76,86*",
                OCHRE,
                bold=True,
            ),
            hatch("46,86* 36,92 28,106 26,128 20,146* 30,140 38,112", gap=3, reach=8),
            shape("56,96* 62,92 68,96* 66,102 68,108* 64,106* 62,109* 60,106* 56,108* 58,102", OCHRE, bold=True),
            lion(46, 158, 1.02),
            limb("46,96 30,114 26,146", (14, 13, 8), FLESH, 20),
            limb("80,96 84,118 58,140", (14, 13, 8), FLESH, 160),
            people.fist(28, 152, turn=70, scale=0.86),
            people.fist(50, 142, turn=-30, scale=0.86),
            place(people.head(hair="curls", tint=RED, beard="curly", look=-1.6, brow=1), x=62, y=70, scale=1.04),
            shape("48,66 46,56 52,48 62,45 72,48 78,56 76,66* 70,59 62,57 54,59", OCHRE, bold=True),
            hatch("62,45 72,48 78,56 76,66* 70,59 64,58", angle=180, gap=2.2, reach=6),
            shape("50,52* 44,48 48,43 54,48*", OCHRE, bold=True),
            shape("74,52* 80,48 76,43 70,48*", OCHRE, bold=True),
            disc(57, 52.4, 1.3, INK, bare=True),
            disc(67, 52.4, 1.3, INK, bare=True),
            brush("60,54 62,56 64,54", 1.6),
        )
    )
