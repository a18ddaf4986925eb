"""The trumps from the Hanged Man (XII) to Temperance (XIIII)."""

from __future__ import annotations

from tools.deck import land, people
from tools.deck.beings import gown, jug, limb, wing
from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, shaded, shape

__all__ = ["death", "hanged", "temperance"]


_BARE_FOOT = "4,-3* -3,-4* -8,1 -13,3.6* -5,5.4 5,4.6*"


def hanged() -> str:
    """A man hung by one foot from a beam between two lopped trunks, the other leg crossed behind."""
    trunk = "10,42* 21,42* 20,80 22,120 19,160 22,188* 8,188* 11,150 9,110 11,76"
    stubs = "".join(
        shape(f"{x},{y}* {x + d},{y - 4}* {x + d * 1.1},{y + 2.4}* {x},{y + 6}*", OCHRE, bold=True)
        for x, y, d in ((20, 74, 7), (20, 104, 7), (20, 134, 7), (20, 160, 7), (11, 90, -6), (11, 148, -6))
    )
    # Drawn standing upright about (0, 0), then turned over; the rope holds the foot at y = 60.
    man = "".join(
        (
            limb("4,20 20,30 4,42 -6,38", (12, 10, 8, 6), RED),
            place(shape("3,-3* -3,-3.4* -8,1 -14,4* -6,5.4 4,5*", OCHRE, bold=True), x=-6, y=37, turn=34),
            limb("-4,18 -6,36 -4,60", (13, 10, 7), RED),
            place(shape("3,-3* -3,-3.4* -6,3 -10,9* -3,8 4,4*", OCHRE, bold=True), x=-3, y=62),
            limb("-11,-22 -24,-6 -8,6", (11, 10, 7), GREEN, 20),
            limb("11,-22 24,-6 8,6", (11, 10, 7), GREEN, 160),
            shape(
                "-9,-28* 0,-22 9,-28* 15,-20 12,-4 13,6* 18,22* 11,20* 8,25* 2,21* -3,26* -8,21* -13,25* -18,21* -13,6* -12,-4 -15,-20",
                BLUE,
                bold=True,
            ),
            hatch(
                "-9,-28* 0,-22 9,-28* 15,-20 12,-4 13,6* 18,22* 11,20* -18,21* -13,6* -12,-4 -15,-20",
                angle=0,
                gap=2.8,
                reach=8,
            ),
            *(disc(0, y, 1.4, OCHRE, 0.9) for y in (-16, -10, -4)),
            shape("-13,1* 0,5 13,1* 13.6,7* 0,11 -13.6,7*", OCHRE, bold=True),
            shape("-9,-28* 0,-20 9,-28* 5,-31 -5,-31", OCHRE, 1),
            place(people.head(hair=None, look=0.6, brow=-0.6), y=-46, scale=0.94),
        )
    )
    # Hair falls towards the ground, that is beyond the crown of the head.
    hair = "-9.6,-50* -11,-58 -9,-66 -11,-72* -5,-69 -3,-75* 0,-70 4,-76* 5,-69 11,-71* 9,-64 11,-57 9.6,-50* 6,-56 0,-58 -6,-56"
    return "".join(
        (
            land.peaks(180),
            land.ground(178),
            shaded(trunk, GREEN, angle=180, gap=3, reach=7),
            stubs,
            flip(shaded(trunk, GREEN, angle=0, gap=3, reach=7), stubs),
            shaded("4,44* 116,42* 116,52* 4,54*", OCHRE, angle=-90, gap=3.4, reach=5),
            brush("20,47 44,46.4 60,47.6", 1),
            brush("72,49 90,47 108,48", 1),
            line("64,44 64,62", 2.8, INK),
            line("64,44 64,62", 1.2, PAPER),
            shape("59,42* 69,42* 69,54* 59,54*", PAPER, 1.1),
            line("59,46 69,45.6", 0.9),
            line("59,50 69,49.6", 0.9),
            place(
                man,
                shape(hair, OCHRE, bold=True),
                *(
                    brush(t, 1)
                    for t in (
                        "-6,-58 -6,-64 -8,-69",
                        "-1,-60 -2,-67 -2.6,-72",
                        "4,-60 4,-66 4,-73",
                        "7,-57 7,-62 8.6,-68",
                    )
                ),
                x=60,
                y=118,
                turn=180,
            ),
            shape("58,54* 69,53* 69,59.6* 58,60.6*", PAPER, 1.1),
            line("58,57 69,56", 0.9),
            *(
                disc(x, y, 2.6, OCHRE, 1) + line(f"{x - 1.4},{y} {x + 1.4},{y}", 0.7)
                for x, y in ((42, 184), (78, 186), (70, 181))
            ),
        )
    )


def _bone(text: str, width: float = 4.2) -> str:
    """A long bone along a line of three points."""
    return limb(text, (width + 1.4, width - 0.8, width + 1.4), PAPER)


def death() -> str:
    """Death as a mower: a skeleton with a scythe in a dark field of heads, hands and a fallen crown."""
    skull = "".join(
        (
            shape("-10,-2 -9,-10 -3,-15 4,-15 10,-10 11,-2 9,4* 7,6 7,12* 2,14 -4,13.4* -6,9 -5,5*", PAPER, bold=True),
            shape("-6,-2 -4,-5 0,-4 .6,0 -2,3 -5.4,2", INK),
            shape("3,-3.6 7,-4.6 8.6,-1.6 7,2 3.6,1.6", INK),
            shape("0,3* 2,1.6* 3.6,5* .6,5.4*", INK),
            line("-5,8.6 7,8.6", 0.9),
            *(line(f"{x},7 {x + 0.2},11.4", 0.9) for x in (-3, -0.4, 2.2, 4.8)),
            brush("-8,-8 -5,-11 -2,-12", 1),
        )
    )
    field = "0,150 20,146 46,149 74,145 98,149 122,146* 122,198* 0,198*"
    ribs = "".join(
        line(f"{x0},{y} {x1},{y + 3} {x2},{y + 1}", 2.9, INK) + line(f"{x0},{y} {x1},{y + 3} {x2},{y + 1}", 1.3, PAPER)
        for y, x0, x1, x2 in ((92, 50, 60, 71), (98, 48, 60, 72), (104, 48.6, 60, 71), (110, 51, 60, 69))
    )
    return "".join(
        (
            land.peaks(152),
            shape(field, INK, 1),
            *(
                brush(t, 1.5, start=0.9, fill=PAPER)
                for t in (
                    "12,156 14,152 13,148",
                    "16,157 17,152 19,149",
                    "54,156 55,151 53,148",
                    "58,156 59,151 61,149",
                    "104,156 105,151 103,148",
                    "108,157 109,152 111,149",
                    "38,170 39,165 37,162",
                    "84,172 85,167 87,164",
                    "66,184 67,179 65,176",
                    "24,180 25,175 27,172",
                    "108,178 109,173 107,170",
                )
            ),
            # scythe behind
            limb("26,182 60,128 90,72", (3.6, 3.2, 3.6), OCHRE, 140),
            shape("88,74* 94,66 88,54 72,46 50,43 30,46* 50,50 68,56 80,66 86,77*", BLUE, bold=True),
            shape("30,46* 50,46.6 70,51 82,60 88,70* 80,62 66,55 50,49.6", PAPER, bold=False, bare=True),
            hatch("88,74* 94,66 88,54 72,46 60,44 70,52 84,66", angle=200, gap=2.6, reach=6),
            _bone("66,134 82,146 80,166"),
            _bone("80,166 86,178 84,190"),
            _bone("56,134 42,148 46,168"),
            _bone("46,168 38,178 34,188"),
            shape("34,186* 24,190* 22,193* 37,193*", PAPER, bold=True),
            shape("84,188* 94,191* 97,194* 81,194*", PAPER, bold=True),
            disc(80, 166, 3.4, PAPER, 1.1),
            disc(46, 168, 3.4, PAPER, 1.1),
            line("60,84 61,134", 5, INK),
            line("60,84 61,134", 2.6, PAPER),
            *(line(f"58,{y} 63,{y}", 0.8) for y in (116, 120, 124, 128)),
            ribs,
            shape("50,128* 60,132 71,127* 74,134 68,141 61,137 53,141 47,135", PAPER, bold=True),
            disc(55, 134.6, 2, INK, bare=True),
            disc(67, 134, 2, INK, bare=True),
            shape("48,88* 60,84 73,87* 60,89.6", PAPER, bold=True),
            _bone("49,89 36,102 38,118"),
            _bone("38,118 46,130 56,134"),
            _bone("72,88 86,98 84,112", 4),
            _bone("84,112 80,104 74,100", 4),
            shape("52,131 56,128 61,131 60,137 55,139 51,136", PAPER, bold=True),
            line("53,133.4 58,133", 0.8),
            line("53,136 58,136", 0.8),
            shape("70,96 75,94 79,98 77,103 72,104 69,100", PAPER, bold=True),
            line("71,98.6 76,98", 0.8),
            line("71,101 76,101", 0.8),
            shape("56,80* 66,80* 65,86* 57,86*", PAPER, 1),
            place(skull, x=58, y=68, scale=1.02),
            # what is mown
            place(people.head(hair="long", tint=OCHRE, brow=-1, neck=False), x=22, y=164, turn=-16, scale=0.72),
            place(
                people.head(hair="curls", tint=RED, beard="curly", brow=-1, neck=False), x=98, y=168, turn=14, scale=0.7
            ),
            people.crown("lily", 100, 158, 16, 0.68),
            people.palm(62, 178, scale=0.9),
            people.palm(110, 188, turn=20, mirror=True, scale=0.72),
            place(shape(_BARE_FOOT, FLESH, bold=True), x=54, y=160, turn=-70, scale=0.86),
        )
    )


def temperance() -> str:
    """A winged woman pours from one jug into another."""
    stream = "83,84* 74,98 60,116 46,128 38,134* 43,136* 52,131 66,119 79,101 87,87*"
    return "".join(
        (
            land.peaks(164),
            land.ground(164),
            land.tuft(14, 190),
            land.tuft(106, 190, mirror=True),
            wing(66, 104, "red", scale=1.22),
            wing(54, 104, "red", mirror=True, scale=1.22),
            gown(60, 86, OCHRE, BLUE, BLUE, tall=98),
            shaded("60,128* 50,150 44,186 33,184* 40,156 50,128*", RED, angle=180, gap=3, reach=7),
            people.shoe(54, 188, RED),
            people.shoe(68, 188, RED, mirror=True),
            limb("48,92 28,104 22,128", (12, 11, 8), RED, 20),
            limb("72,92 94,102 101,82", (12, 11, 8), RED, 160),
            shape(stream, BLUE, bold=True),
            brush("79,93 66,110 51,124", 1.4, fill=PAPER),
            brush("82,97 72,112 60,122", 1.1, fill=PAPER),
            place(jug(0, 0, GREEN, scale=1.28), x=34, y=150, turn=8),
            place(jug(0, 0, GREEN, scale=1.28), x=91, y=76, turn=-62),
            shape("18,125* 26.6,127.4* 25,133* 17,130.6*", OCHRE),
            people.fist(23, 139, turn=168, scale=0.86),
            shape("97,89* 105,88* 105,82.4* 97,83.4*", OCHRE),
            people.fist(99, 78, turn=70, scale=0.86),
            place(people.head(hair="long", tint=OCHRE, look=-1.4), x=60, y=69, scale=1.02),
            place(
                "".join(
                    (
                        *(
                            place(shape("-1.4,-1.6* -3,-4.6 0,-7 3,-4.6 1.4,-1.6*", RED, 0.8), turn=72 * i)
                            for i in range(5)
                        ),
                        disc(0, 0, 2, OCHRE, 0.8),
                    )
                ),
                x=60,
                y=55.6,
            ),
        )
    )
