"""The trumps from Jupiter (V) to the Chariot (VII)."""

from __future__ import annotations

from tools.deck import land, people
from tools.deck.beings import eagle, gown, limb, rays, star, tunic, wing
from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, shaded, shape

__all__ = ["chariot", "jupiter", "lovers"]


def jupiter() -> str:
    """Jupiter, bare-chested on a cloud, hurling a bolt, with his eagle below."""
    bolt = "".join(
        (
            *(
                place(shape("-2,0* -4,-10* 0,-8* -2,-18* 4,-9* 1,-10* 3,0*", OCHRE, bold=True), turn=t)
                for t in (-32, 0, 32, 148, 180, 212)
            ),
            shape("-5,-4* 5,-4* 5,4* -5,4*", RED),
        )
    )
    cloud = "2,168 8,156 18,158 26,150 38,156 50,152 62,157 76,151 88,157 100,152 110,158 119,168 112,178 96,176 84,182 66,177 50,183 34,177 18,182 6,178"
    return "".join(
        (
            *(
                brush(t, 1.6, start=0.9)
                for t in (
                    "8,40 22,52 30,58",
                    "8,60 20,66 26,69",
                    "26,38 33,46 37,52",
                    "112,110 102,106 96,104",
                    "112,128 104,124 100,120",
                )
            ),
            shaded(cloud, PAPER, angle=-90, gap=4, reach=8, width=1.1),
            *(brush(t, 1.3) for t in ("14,166 20,160 27,164", "92,164 99,159 106,165")),
            limb("70,132 88,138 90,158 86,180", (22, 17, 13, 9)),
            limb("52,132 40,144 44,160 40,182", (22, 17, 13, 9)),
            place(shape("4,-3* -3,-4* -9,1 -14,4* -5,6 5,5*", FLESH, bold=True), x=38, y=183),
            place(shape("4,-3* -3,-4* -9,1 -14,4* -5,6 5,5*", FLESH, bold=True), x=87, y=181, mirror=True),
            shape(
                "50,86* 46,88 38,90 36,98 42,110 44,122 42,132* 78,132* 76,120 78,108 84,98 82,90 74,88 70,86*",
                FLESH,
                bold=True,
            ),
            hatch("70,86* 82,90 84,98 78,108 76,120 78,132* 66,132 70,106", angle=180, gap=2.6, reach=8),
            brush("44,102 51,107 59,103", 1.3),
            brush("76,102 69,107 61,103", 1.3),
            brush("60,104 60.6,114 60,121", 1),
            disc(60, 124, 0.9, INK, bare=True),
            brush("50,113 53,115 56,113.6", 0.9),
            brush("70,113 67,115 64,113.6", 0.9),
            shape(
                "36,128* 46,124 60,130 74,126 92,132* 98,148 84,158 70,150 62,160 48,154 40,162 30,150", RED, bold=True
            ),
            hatch("74,126 92,132* 98,148 84,158 70,150 66,140", angle=180, gap=2.8, reach=10),
            *(brush(t, 1.5) for t in ("50,130 46,142 48,152", "62,132 62,146 62,157", "74,130 80,142 83,155")),
            shape("78,90* 88,88 98,98 104,116 102,136* 96,130 90,136* 90,118 84,104", RED, bold=True),
            hatch("78,90* 88,88 98,98 104,116 102,136* 94,124 88,104", angle=160, gap=2.8, reach=8),
            limb("82,96 94,112 90,128", (13, 12, 8)),
            people.fist(89, 130, turn=100, scale=0.9),
            shape("87.4,68* 90.6,68* 90.6,166* 87.4,166*", OCHRE, bold=True),
            eagle(89, 58, 0.5),
            people.fist(89, 130, turn=100, scale=0.9),
            place(bolt, x=26, y=74, turn=-42, scale=1.5),
            limb("40,96 26,104 25,84", (13, 12, 8), FLESH, 30),
            people.fist(25, 78, turn=100, scale=0.9),
            place(eagle(0, 0, 0.95), x=62, y=171),
            place(people.head(hair="curls", tint=OCHRE, beard="curly", look=-1.2, brow=1), x=60, y=68, scale=1.06),
            people.crown("leaf", 60, 56.6, 0, 1.04),
        )
    )


def lovers() -> str:
    """A young couple, an older man who joins them, and Love above with bow and arrow."""
    cupid = place(
        wing(3, 2, "red", scale=0.42),
        wing(-3, 2, "red", mirror=True, scale=0.42),
        limb("-3,14 -9,20 -16,18", (6, 5, 3.6)),
        limb("3,14 10,19 17,14", (6, 5, 3.6)),
        shape("-5,0* 5,0* 6,9 5,16* -5,16* -6,9", FLESH, bold=True),
        hatch("1,0* 5,0* 6,9 5,16*", angle=180, gap=2, reach=3),
        brush("-18,-4 -13,8 -4,17 8,15", 2, start=0.4, end=0.4),
        line("-18,-4 8,15", 0.7),
        line("4,-1 -12,20", 1.1),
        shape("-12,20* -10.4,15* -14.6,17*", INK),
        limb("5,3 10,1 3,4", (4.4, 4, 3)),
        limb("-5,3 -10,4 -9,10", (4.4, 4, 3)),
        place(people.head(hair="curls", tint=OCHRE, neck=False), y=-7, scale=0.56),
        x=60,
        y=56,
    )
    return "".join(
        (
            rays(60, 54, 24, 58, 18, (OCHRE, RED)),
            disc(60, 54, 25, PAPER, 1.2),
            land.cloud(40, 70, 0.8),
            land.cloud(82, 70, 0.8, mirror=True),
            cupid,
            land.peaks(168),
            land.ground(164),
            # the older man between them
            shape("50,112* 44,120 42,150 40,186* 78,186* 78,150 76,120 70,112*", OCHRE, bold=True),
            hatch("60,112* 70,112* 76,120 78,150 78,186* 64,186*", angle=180, gap=3, reach=8),
            place(people.head(hair="long", tint=PAPER, beard="long", look=0.6), x=60, y=98, scale=0.84),
            shape("50,88 54,83.6 60,82 66,83.6 70,88 60,86.4", RED, 1, bold=True),
            place(gown(0, 0, RED, OCHRE, OCHRE, tall=84), x=31, y=112, scale=0.92),
            limb("22,117 15,130 24,140", (9, 8, 5.6), RED, 30),
            limb("41,117 50,130 58,136", (9, 8, 5.6), RED, 150),
            place(people.head(hair="long", tint=OCHRE, look=1.6), x=31, y=97, scale=0.82),
            place(_wreath(), x=31, y=88),
            people.palm(22, 142, turn=-40, mirror=True, scale=0.6),
            place(tunic(0, 0, BLUE, (OCHRE, RED), RED, stride=5), x=90, y=112, scale=0.82),
            limb("80,117 70,130 62,137", (9, 8, 5.6), BLUE, 40),
            limb("100,117 107,132 101,142", (9, 8, 5.6), BLUE, 160),
            people.fist(100, 143, turn=100, scale=0.62),
            people.fist(61, 138, turn=-30, scale=0.68),
            place(people.head(hair="bob", tint=RED, look=-1.6), x=90, y=97, scale=0.82),
            place(
                shape("-11,1 -10,-7 -2,-11 7,-9 11,0 0,-2", GREEN, bold=True),
                shape("6,-8* 14,-16 22,-12* 16,-9 10,-4*", RED, 1),
                x=90,
                y=88,
                scale=0.86,
            ),
            people.palm(50, 121, turn=-80, mirror=True, scale=0.56),
            people.palm(72, 121, turn=80, scale=0.56),
        )
    )


def _wreath() -> str:
    return "".join(
        (
            line("-9,2 -5,-1 0,-2 5,-1 9,2", 2.4, GREEN),
            *(
                disc(x, y, 1.9, fill, 0.8)
                for x, y, fill in ((-8, 1, RED), (-4, -1.6, OCHRE), (0, -2.4, RED), (4, -1.6, OCHRE), (8, 1, RED))
            ),
        )
    )


def chariot() -> str:
    """A crowned victor in a canopied car drawn by two horses that pull apart."""

    def steed(hide: str) -> str:
        head = "16,134* 13,138 8,144 3,153 -2,161 -1,167 4,169 8,166.6 14,165 20,158 24,148 22,140"
        return place(
            limb("30,162 24,176 28,190", (12, 8, 6), hide),
            limb("24,158 10,170 14,182", (11, 7, 6), hide),
            shape("10,181* 17,180* 17.6,186* 10.6,187*", INK),
            shape("24.6,189* 31,189* 32,195* 24,195*", INK),
            shape("18,138* 28,132 42,140 50,152 52,166 46,180 32,178 24,168 20,156 15,152", hide, bold=True),
            hatch("30,134 42,140 50,152 52,166 46,180 32,178 40,160", angle=180, gap=2.6, reach=8),
            shape(head, hide, bold=True),
            hatch("8,166 14,165 20,158 24,148 19,150", angle=-120, gap=2, reach=4),
            shape("19,138* 18,130 20.6,125* 24,132 23.6,139*", hide, bold=True),
            shape("20,134* 28,128 38,133 46,143* 40,143 38,148* 32,143 28,147* 24,141", OCHRE, bold=True),
            brush("26,134 34,136 41,142", 1.1),
            shape("8.6,146.6* 12,145 15,146.8* 12,148.4", PAPER, 0.7),
            disc(12, 146.6, 1.3, INK, bare=True),
            brush("8.4,146.4 11.6,143.8 15.4,146", 1.2),
            disc(1, 163.4, 0.9, INK, bare=True),
            line("4,155 12,163 16,164", 1.8, RED),
            line("12,142 17,152 16,164", 1.8, RED),
            disc(9.6, 161.6, 1.8, OCHRE, 0.9),
            shape("26,152* 36,146 44,150* 42,156 34,158 29,163*", RED, bold=True),
            x=12,
            y=15,
            scale=0.92,
        )

    canopy = "16,60* 20,46 38,40 60,37.5 82,40 100,46 104,60*"
    return "".join(
        (
            land.ground(172),
            shape("20,58* 100,58* 100,112* 20,112*", PAPER, 0.9),
            *(star(x, y, 6, 4, 1.7, BLUE, cut=False) for x, y in ((36, 72), (84, 72), (37, 92), (84, 90))),
            *(
                shape(f"{x - 2.4},58* {x + 2.4},58* {x + 2.4},130* {x - 2.4},130*", OCHRE, bold=True)
                + line(f"{x - 2.4},74 {x + 2.4},70", 0.8)
                + line(f"{x - 2.4},90 {x + 2.4},86", 0.8)
                + line(f"{x - 2.4},106 {x + 2.4},102", 0.8)
                for x in (22, 98)
            ),
            shape("44,92* 60,98 76,92* 80,106 78,124* 42,124* 40,106", BLUE, bold=True),
            hatch("60,98 76,92* 80,106 78,124* 62,124*", angle=180, gap=2.6, reach=9),
            *(brush(t, 1.3) for t in ("48,102 54,106 60,103", "72,102 66,106 60,103", "60,104 60,114 60,120")),
            shape("42,113* 60,118 78,113* 78.4,119* 60,124 41.6,119*", OCHRE, bold=True),
            shape("36,96 44,90 50,96 44,102 37,103", OCHRE, bold=True),
            shape("84,96 76,90 70,96 76,102 83,103", OCHRE, bold=True),
            shape("86.6,66* 89.4,66* 91,124* 88.2,124*", OCHRE, bold=True),
            star(88, 62, 5, 6.4, 2.6, RED),
            limb("80,100 89,112 90,108", (11, 10, 7), RED, 160),
            people.fist(89.6, 106, turn=120, scale=0.8),
            limb("40,100 32,114 44,120", (11, 10, 7), RED, 20),
            people.fist(46, 120, turn=-10, mirror=True, scale=0.8),
            shaded(canopy, RED, angle=180, gap=2.8, reach=14),
            *(brush(t, 1.4) for t in ("38,42 34,50 32,60", "60,39 60,50 60,60", "82,42 86,50 88,60")),
            shape(
                "14,58* 106,58* 106,62* 99,69 91.6,63* 84,70 76,63* 68,70 60,63* 52,70 44,63* 36,70 28.4,63* 21,69 14,62*",
                OCHRE,
                bold=True,
            ),
            *(disc(x, 64, 1.2, RED, 0.7) for x in (21, 36, 52, 68, 84, 99)),
            place(people.head(hair="curls", tint=OCHRE, look=0.6, brow=0.4), x=60, y=80, scale=0.82),
            people.crown("lily", 60, 71.4, 0, 0.74),
            *(
                disc(x, 164, 17, OCHRE, 1.6)
                + disc(x, 164, 12.6, PAPER, 1.1)
                + "".join(place(line("0,-4 0,-12.6", 2.2), turn=45 * i, x=x, y=164) for i in range(8))
                + disc(x, 164, 4.4, RED, 1.1)
                for x in (20, 100)
            ),
            shaded("26,124* 94,124* 92,160* 84,172* 36,172* 28,160*", GREEN, angle=180, gap=3, reach=12, width=1.1),
            shape("22,121* 98,121* 98,127* 22,127*", OCHRE, bold=True),
            steed(PAPER),
            flip(steed(OCHRE)),
            shape("51,134* 69,134* 69,146 60,154 51,146", OCHRE, bold=True),
            star(60, 142, 6, 5.4, 2.2, RED, cut=False),
        )
    )
