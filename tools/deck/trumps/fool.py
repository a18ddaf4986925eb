"""The Fool, who has no number."""

from __future__ import annotations

from tools.deck import land, people
from tools.deck.beings import dog, limb
from tools.deck.palette import BLUE, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, hatch, line, place, shape

__all__ = ["fool"]


def fool() -> str:
    """The Fool on his way, with cap and bells, bundle and staff; a dog leaps at his breeches."""
    cap = "".join(
        (
            shape("-9,3* -12,-6 -20,-12 -28,-8 -30,2* -24,-3 -19,-2 -14,6*", RED, bold=True),
            shape("9,2* 12,-8 20,-14 28,-8 29,3* 24,-3 19,-4 14,5*", GREEN, bold=True),
            shape("-10,3* -8,-10 0,-26 7,-30 9,-24* 6,-20 9,-8 10,2* 0,-1", OCHRE, bold=True),
            hatch("0,-26 7,-30 9,-24* 6,-20 9,-8 10,2* 3,0", angle=180, gap=2.2, reach=5),
            brush("-12,0 -19,-7 -27,-5", 1.1),
            brush("12,-1 19,-9 26,-5", 1.1),
            *(
                disc(x, y, 3, OCHRE, 1.1)
                + line(f"{x - 2},{y + 0.6} {x + 2},{y + 0.6}", 0.8)
                + disc(x, y + 1.8, 0.6, INK, bare=True)
                for x, y in ((-30, 4), (29, 5), (9, -31))
            ),
            shape("-12,1.4* 0,-2.6 12,1.4* 12,5.4* 0,1.6 -12,5.4*", PAPER, bold=True),
        )
    )
    coat = "47,92* 56,98 65,92* 72,102 69,116 72,126* 78,146* 70,142* 66,149* 59,144* 53,150* 47,144* 40,148* 34,142* 42,124* 43,112 40,102"
    collar = "42,91* 56,86 70,91* 74,98* 67,97* 66,105* 60,100* 56,107* 52,100* 46,105* 45,97* 38,98*"
    return "".join(
        (
            land.peaks(166, mirror=True),
            land.ground(166),
            land.tuft(14, 190),
            land.tuft(60, 192, 0.9),
            limb("62,140 72,156 84,164 90,178", (14, 11, 9, 7), GREEN),
            place(shape("4,-3* -3,-4* -9,1 -16,4* -7,6 5,5*", OCHRE, bold=True), x=90, y=181, turn=8),
            limb("50,140 44,156 40,170 34,182", (14, 11, 9, 7), RED),
            place(shape("4,-3* -3,-4* -9,1 -16,4* -7,6 5,5*", OCHRE, bold=True), x=33, y=185),
            dog(82, 190),
            shape("76,146* 84,150 82,156 76,154*", GREEN, 0.9),
            shape(coat, BLUE, bold=True),
            shape("56,98 65,92* 72,102 69,116 72,126* 78,146* 70,142* 66,149* 59,144* 57,120", OCHRE, 1),
            hatch(coat, angle=180, gap=2.8, reach=9, width=1.1),
            shape("41,120* 56,124 71,120* 72,126* 56,131 40.4,126*", RED, bold=True),
            *(disc(x, y, 2.2, OCHRE, 0.9) for x, y in ((40, 149), (53, 152), (66, 151), (78, 148))),
            # bundle on a stick over the shoulder
            shape("22,92* 24,89.6* 104,70* 105,72.4*", OCHRE, bold=True),
            shape("98,70 106,72 112,82 111,94 102,99 92,95 90,84 94,76", PAPER, bold=True),
            hatch("98,70 106,72 112,82 111,94 102,99 104,84", angle=180, gap=2.4, reach=8),
            shape("94,74* 100,69 107,73* 104,78 98,79", RED, bold=True),
            brush("96,82 95,90 98,96", 1.1),
            brush("102,80 104,88 103,96", 1.1),
            limb("46,98 32,106 30,94", (11, 10, 7), OCHRE, 30),
            people.fist(30, 90, turn=100, scale=0.84),
            limb("66,98 80,110 92,122", (11, 10, 7), BLUE, 150),
            shape(collar, RED, bold=True),
            *(disc(x, y, 1.9, OCHRE, 0.9) for x, y in ((38, 99), (46, 106), (56, 108), (66, 106), (74, 99))),
            people.palm(96, 124, turn=110, mirror=True, scale=0.8),
            place(people.head(hair="short", tint=OCHRE, look=-1.8, brow=-0.8), x=56, y=74, scale=1.0),
            place(cap, x=56, y=64),
        )
    )
