"""The cavaliers on horseback and the standing jacks."""

from __future__ import annotations

from tools.deck import land, people
from tools.deck.dress import Dress, held
from tools.deck.palette import BLUE, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, hatch, line, place, shaded, shape
from tools.deck.steed import horse

__all__ = ["cavalier", "jack"]


def cavalier(suit: str, dress: Dress) -> str:
    return "".join(
        (
            land.peaks(168),
            land.ground(168),
            land.tuft(12, 190),
            land.tuft(70, 192, 0.9),
            horse(dress.mantle, dress.lining, hide=PAPER if suit in "CB" else OCHRE if suit == "S" else PAPER),
            _rider(suit, dress),
        )
    )


def _rider(suit: str, dress: Dress) -> str:
    coat = "56,88* 66,92 75,87* 80,100 78,118* 82,132 74,136 58,134 52,126* 55,112 52,100"
    leg = "60,120* 50,126 45,136 50,150 50,164* 59,165* 61,150 60,140 68,132 74,122*"
    boot = "48.6,150* 49.4,163 44,167 35,171* 38,174.6 52,174 60,172* 60,150*"
    return "".join(
        (
            # the far arm with the reins
            shape("56,90* 48,98 43,106* 49,111* 56,106 60,98*", dress.lining, bold=True),
            shaded(leg, dress.lining, angle=180, gap=2.4, reach=6),
            shaded(boot, RED if dress.lining != RED else OCHRE, angle=180, gap=2.2, reach=5),
            line("40,177 62,176 62,170", 1.4),
            brush("58,118 61,140 61,170", 1.2, start=0.8, end=0.8),
            disc(62.6, 168, 1.6, OCHRE, 0.9),
            shaded(coat, dress.coat, angle=180, gap=2.6, reach=8, width=1.1),
            brush("62,96 60,108 62,117", 1.1),
            brush("70,94 71,106 69,117", 1.1),
            *(disc(65.4, y, 1.4, OCHRE, 0.9) for y in (97, 103, 109)),
            shape("54,113* 66,117.4 78,114* 78.6,119.6* 66,123 53,119*", OCHRE, bold=True),
            people.fist(44, 109, turn=-62, scale=0.8),
            # the cloak and the near arm
            shape("74,86* 84,90 92,104 100,116 106,134* 96,130 90,136* 84,122 78,110 76,98", dress.mantle, bold=True),
            hatch("74,86* 84,90 92,104 100,116 106,134* 96,126 86,112 78,98", angle=140, gap=2.8, reach=8),
            held(suit, 93, 96, 54 if suit == "S" else 52),
            shape("74,88* 82,90 88,96 94,100* 90,109* 80,108 74,102 71,96", dress.coat, bold=True),
            hatch("72,98 80,107 90,109 84,100", angle=-60, gap=2.2, reach=6),
            shape("90,97* 95.6,100.4* 91.6,110* 86.4,107.4*", OCHRE),
            people.fist(94, 97, turn=14, mirror=True, scale=0.9),
            shape("56,88* 60,84 70,83 75,87* 66,94", OCHRE, bold=True),
            place(
                people.head(
                    hair="curls" if suit in "OB" else "bob",
                    tint=dress.hair if dress.hair != PAPER else OCHRE,
                    look=-1.6,
                    brow=0.3,
                ),
                x=65,
                y=68,
                scale=0.96,
            ),
            place(_cap(suit, dress), x=65, y=58),
        )
    )


def _cap(suit: str, dress: Dress) -> str:
    """The headgear of riders: a helmet with a plume, a hat with a feather, a turban-like chaperon or a wreath."""
    plume = "2,-9* 8,-19 18,-20 25,-14 24,-7* 21,-12 15,-12 8,-6*"
    feather = (
        shape(plume, dress.mantle, bold=True)
        + brush("4,-9 11,-16 19,-15.6 23,-10", 1)
        + brush("11,-15 12,-18", 0.8)
        + brush("16,-15.6 18,-19", 0.8)
    )
    if suit == "S":
        return (
            feather
            + shape("-11,2* -11.6,-6 -7,-12.6 0,-14.6 7,-12.6 11.6,-6 11,2* 0,-.6", BLUE, bold=True)
            + hatch("0,-14.6 7,-12.6 11.6,-6 11,2* 2,0", angle=180, gap=2, reach=6)
            + shape("-12.6,.6* 0,-3.4 12.6,.6* 12.6,4.2* 0,.6 -12.6,4.2*", OCHRE, bold=True)
            + brush("0,-14 0,-3", 1.6, start=0.8, end=0.8)
        )
    if suit == "C":
        return (
            feather
            + shape("-9.6,0* -9,-8 -3,-11.4 4,-11 9.6,-6 9.6,0*", dress.coat, bold=True)
            + hatch("2,-11 9.6,-6 9.6,0 4,0", angle=180, gap=2, reach=5)
            + shape("-15,2.4 -8,-2.4 0,-3 8,-2.4 15,2.4 8,3 0,.8 -8,3", dress.coat, bold=True)
            + brush("-12,1.6 -6,-.6 0,-1 6,-.6 12,1.6", 1)
        )
    if suit == "O":
        return (
            feather
            + shape("-12,2 -13,-3 -7,-5.4 0,-6 7,-5.4 13,-3 12,2 0,-.6", dress.lining, bold=True)
            + shape("-10,-4* -8,-11 0,-13.6 8,-10 10,-4* 0,-6.4", dress.coat, bold=True)
            + brush("-9,-1.4 -7,-4", 1)
            + brush("-3,-2 -1.6,-5", 1)
            + brush("3,-2 4.6,-4.6", 1)
            + brush("8,-1.4 10,-3.6", 1)
        )
    return (
        feather
        + shape("-11.6,1* -10,-9 -2,-13.4* 0,-9.6* 4,-13* 10,-8 11.6,1* 0,-1.6", dress.mantle, bold=True)
        + hatch("2,-10 10,-8 11.6,1 4,0", angle=180, gap=2, reach=6)
        + shape("-13,-.6* 0,-4 13,-.6* 12.6,3.4* 0,.4 -12.6,3.4*", OCHRE, bold=True)
        + disc(-7, 0.4, 1.2, RED, 0.8)
        + disc(0, -1.6, 1.2, RED, 0.8)
        + disc(7, 0.4, 1.2, RED, 0.8)
    )


def jack(suit: str, dress: Dress) -> str:
    tunic = "46,86* 57,91 68,86* 76,96 72,110 73,118* 80,140* 72,137* 70,143* 63,139* 57,144* 51,139* 44,143* 42,137* 34,140* 41,118* 42,110 38,96"
    leg_left = "42,134* 56,136* 55,150 51,162 51,178* 42,178* 42,162 38,150"
    leg_right = "58,136* 72,134* 75,150 71,162 73,178* 64,178* 62,162 59,150"
    return "".join(
        (
            land.peaks(164, mirror=suit in "OS"),
            land.ground(163),
            land.tuft(16, 188),
            land.tuft(108, 186, 1.0, mirror=True),
            shape("48,86* 36,94 30,116 24,146 30,152* 44,146 50,120", dress.mantle, bold=True),
            hatch("48,86* 36,94 30,116 24,146 30,152* 36,140 40,110", angle=10, gap=3, reach=9),
            shaded(leg_left, dress.lining, angle=180, gap=2.4, reach=5),
            shaded(leg_right, dress.mantle if dress.mantle != dress.coat else BLUE, angle=180, gap=2.4, reach=5),
            line("42,160 51,161", 0.9),
            line("62,161 72,160", 0.9),
            people.shoe(47, 180, dress.coat),
            people.shoe(68, 180, dress.coat, mirror=True),
            shaded(tunic, dress.coat, angle=180, gap=2.8, reach=9, width=1.1),
            *(
                brush(t, 1.4)
                for t in (
                    "49,120 46,130 44,141",
                    "57,121 57,132 57,142",
                    "65,120 68,130 70,141",
                    "50,94 50,104 47,112",
                    "65,94 65,104 68,112",
                )
            ),
            shape("41,112* 57,116 73,112* 73.4,119* 57,123 40.6,119*", OCHRE, bold=True),
            shape("54,114.6* 60,114.6* 60,121* 54,121*", None, 1.2),
            *(disc(57, y, 1.4, OCHRE, 0.9) for y in (97, 103, 109)),
            # the arm on the hip
            shape("46,87* 34,90 26,100 23,112 30,120 40,121* 42,113* 34,109 37,102 44,98*", dress.mantle, bold=True),
            hatch("46,87* 34,90 26,100 23,112 30,120 32,106 40,98", angle=20, gap=2.4, reach=7),
            shape("29,96 36,93 39,99 32,104", dress.lining, 0.9),
            people.fist(41, 117, turn=10, mirror=True, scale=0.72),
            # the arm with the sign
            held(suit, 92, 106, 66 if suit == "S" else 64),
            shape("68,87* 78,90 86,98 93,106* 88,115* 78,112 70,104 66,97", dress.mantle, bold=True),
            hatch("68,98 78,110 88,115 84,104", angle=-60, gap=2.4, reach=8),
            shape("76,92 82,96 76,104 70,98", dress.lining, 0.9),
            shape("88,102* 94,106.4* 90,116* 84.6,113.4*", OCHRE),
            people.fist(93, 107, turn=16, mirror=True, scale=0.92),
            shape("46,86* 50,82 64,82 68,86* 57,94", OCHRE, bold=True),
            brush("50,85 57,90 64,85", 1),
            place(
                people.head(
                    hair="bob" if suit in "CS" else "curls",
                    tint=dress.hair if dress.hair != PAPER else OCHRE,
                    look=1.5,
                    brow=-0.2,
                ),
                x=57,
                y=67,
            ),
            place(_hat(suit, dress), x=57, y=57),
        )
    )


def _hat(suit: str, dress: Dress) -> str:
    """The hat of a jack, turned up in front, with a long feather."""
    feather = "-6,-6* -14,-12 -24,-14 -31,-8 -34,2* -29,-4 -22,-6 -14,-3 -8,0*"
    rest = "".join(
        (
            shape(feather, dress.lining, bold=True),
            brush("-7,-4 -15,-9 -24,-10 -32,0", 1.1),
            *(
                brush(t, 0.9)
                for t in (
                    "-14,-9 -13,-12",
                    "-19,-10 -19,-13.6",
                    "-24,-10 -26,-13",
                    "-16,-8 -18,-4.6",
                    "-22,-9.4 -25,-5.6",
                )
            ),
        )
    )
    if suit in "CB":
        return (
            rest
            + shape("-10,0* -9,-9 -2,-13 6,-11 10.4,-5 10,0*", dress.coat, bold=True)
            + hatch("0,-13 6,-11 10.4,-5 10,0 3,0", angle=180, gap=2, reach=6)
            + shape("-13,3 -12,-3 -4,-4.6 6,-4 14,-7 15,-1 9,1.6 0,.4 -8,1.4", dress.mantle, bold=True)
            + brush("-10,0 0,-2 12,-4", 1)
        )
    return (
        rest
        + shape("-16,3 -9,-2.4 0,-4 9,-3 17,1.6 9,3.4 0,.8 -9,3.6", dress.mantle, bold=True)
        + brush("-12,1.6 0,-1.4 13,1", 1.1)
        + shape("-9.4,-2* -8,-11 0,-14 8,-11.6 9.4,-2.6* 0,-4.4", dress.coat, bold=True)
        + hatch("1,-14 8,-11.6 9.4,-2.6 3,-4", angle=180, gap=2, reach=5)
        + shape("-9.4,-4.6* 0,-7 9.4,-5* 9.4,-2.4* 0,-4.2 -9.4,-2*", OCHRE, 0.9)
    )
