"""The kings, enthroned and seen from the front, and the queens, seated in profile."""

from __future__ import annotations

from tools.deck import land, people
from tools.deck.dress import Dress, held
from tools.deck.palette import GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, shaded, shape, tag

__all__ = ["king", "queen"]


def king(suit: str, dress: Dress) -> str:
    crown = {"C": "lily", "O": "arch", "S": "hat", "B": "leaf"}[suit]
    beard = {"C": "curly", "O": "long", "S": "forked", "B": "curly"}[suit]
    back = {
        "C": "30,158* 30,62* 36,50 48,42 60,39.6 72,42 84,50 90,62* 90,158*",
        "O": "29,158* 29,66* 60,40* 91,66* 91,158*",
        "S": "30,158* 30,58* 90,58* 90,158*",
        "B": "30,158* 30,64* 40,64* 40,52* 80,52* 80,64* 90,64* 90,158*",
    }[suit]
    finials = "".join(
        shape(f"{x - 3.4},62* {x - 2.4},52* {x},44* {x + 2.4},52* {x + 3.4},62*", OCHRE, bold=True)
        + disc(x, 43.4, 2.6, dress.mantle)
        for x in (28, 92)
    )
    throne = "".join(
        (
            shaded(back, dress.lining, angle=0, gap=3.2, reach=9, width=1.1, both=True),
            shape("24,60* 32,60* 32,176* 24,176*", OCHRE, bold=True),
            shape("88,60* 96,60* 96,176* 88,176*", OCHRE, bold=True),
            hatch("24,60* 32,60* 32,176* 24,176*", angle=180, gap=3, reach=4),
            hatch("88,60* 96,60* 96,176* 88,176*", angle=180, gap=3, reach=4),
            finials,
            shape("14,132* 34,132* 34,178* 14,178*", OCHRE, bold=True),
            shaded("86,132* 106,132* 106,178* 86,178*", OCHRE, angle=180, gap=2.6, reach=8),
            hatch("14,132* 34,132* 34,178* 14,178*", angle=180, gap=2.6, reach=6),
            shape("10,126* 36,126* 36,133* 10,133*", dress.lining, bold=True),
            shape("84,126* 110,126* 110,133* 84,133*", dress.lining, bold=True),
            shape("4,176* 116,176* 116,196* 4,196*", PAPER, bold=True),
            line("4,183.4 116,183.4", 0.9),
            *(
                shape(f"{x},183.4* {x + 9},183.4* {x + 5},193* {x - 4},193*", dress.coat, 0.7)
                for x in (9, 27, 45, 63, 81, 99)
            ),
        )
    )
    skirt = "42,122* 34,132 29,146 32,164 26,184* 36,188 46,184* 54,189 62,185* 72,189 80,184* 88,187 94,183* 88,164 91,146 86,132 78,122*"
    folds = "".join(
        brush(t, 1.6)
        for t in (
            "36,138 42,148 42,166 46,183",
            "84,138 78,148 79,166 80,183",
            "52,132 56,148 54,166 62,184",
            "68,132 65,148 69,166 71,186",
            "60,134 60,150 58,170",
            "31,150 35,166 31,184",
            "89,150 85,166 88,184",
        )
    )
    knees = brush("30,146 36,136 46,138 50,148", 1.7) + brush("90,146 84,136 74,138 70,148", 1.7)
    cloak_left = "50,85* 40,87 30,94 22,108 17,124 20,136 15,152 16,170 12,182* 22,186 30,180* 33,164 30,148 33,134 40,124* 44,108 52,94*"
    cloak_right = "70,85* 80,87 90,94 98,104 104,120 101,136 105,152 104,170 109,182* 99,186 90,180* 87,164 90,148 87,134 80,124* 76,108 68,94*"
    trim_left = "52,86* 44,104 40,122 31,135 28,148 31,164 28,180* 24,182* 26,164 23,148 27,132 35,120 39,102 47,87*"
    chest = "48,88* 60,95 72,88* 79,104 78,124* 60,128 42,124* 41,104"
    return "".join(
        (
            land.peaks(160),
            land.ground(158),
            throne,
            shape(cloak_left, dress.mantle, bold=True),
            shaded(cloak_right, dress.mantle, angle=180, gap=3, reach=9, width=1.2),
            shaded(skirt, dress.coat, angle=180, gap=3, reach=8, width=1.1),
            folds,
            knees,
            people.shoe(46, 184, dress.lining),
            people.shoe(74, 184, dress.lining, mirror=True),
            shaded(chest, dress.coat, angle=180, gap=2.6, reach=9, width=1.1),
            shape("41,120* 60,124.6 79,120* 79,126* 60,131 41,126*", OCHRE, bold=True),
            shape("56,123.4 60,121 64,123.4 64,129 60,131 56,129", RED, 1),
            *(disc(60, y, 1.5, OCHRE, 0.9) for y in (101, 107, 113)),
            brush("48,100 50,110 47,119", 1.1),
            brush("72,100 70,110 73,119", 1.1),
            shape(trim_left, PAPER, bold=True),
            flip(shape(trim_left, PAPER, bold=True)),
            *(
                _ermine(x, y)
                for x, y in (
                    (43.6, 100),
                    (39, 114),
                    (32, 128),
                    (27, 144),
                    (28.6, 160),
                    (76.4, 100),
                    (81, 114),
                    (88, 128),
                    (93, 144),
                    (91.4, 160),
                )
            ),
            # the arm that rests
            shape("38,90* 28,96 20,110 22,124 34,138* 44,130* 38,120 40,108 46,94*", dress.mantle, bold=True),
            hatch("38,90* 28,96 20,110 22,124 34,138* 40,132* 30,116 34,104 46,94*", angle=30, gap=2.8, reach=6),
            shape("33,137* 43,128.4* 46,132* 36,141.4*", OCHRE),
            people.palm(44, 139, turn=-64, mirror=True, scale=0.95),
            # the arm that holds
            shape("82,90* 92,97 102,112 106,122 100,128* 88,122 84,116* 80,106 74,95*", dress.mantle, bold=True),
            hatch("82,90* 92,97 102,112 106,122 100,128* 92,116", angle=150, gap=2.6, reach=8),
            held(suit, 93, 108, 66),
            shape("97,104* 103,112* 104,122 98,124* 94,114*", OCHRE),
            people.fist(93, 109, turn=34),
            place(
                people.head(
                    hair={"C": "bob", "O": "long", "S": "curls", "B": "short"}[suit],
                    tint=dress.hair,
                    beard=beard,
                    look=1.2 if suit in "CB" else 0.6,
                    brow=0.6,
                ),
                x=60,
                y=70,
                scale=1.06,
            ),
            people.crown(crown, 60, 58.6, scale=1.06 if crown != "hat" else 1.0),
        )
    )


def _ermine(x: float, y: float) -> str:
    return tag("path", d=f"M{x:g} {y - 2:g}l1 3-1 2-1-2z", fill=INK, stroke="none")


def queen(suit: str, dress: Dress) -> str:
    crown = {"C": "leaf", "O": "lily", "S": "leaf", "B": "lily"}[suit]
    chair = "".join(
        (
            shape("16,66* 22,54 29,52* 31,60 27,70* 28,180* 16,180*", OCHRE, bold=True),
            hatch("16,66* 27,70* 28,180* 16,180*", angle=180, gap=3, reach=5),
            disc(25, 52, 4, dress.lining),
            disc(25, 52, 1.2, INK, bare=True),
            shape("20,134* 74,134* 72,144* 74,180* 64,180* 64,148* 30,148* 30,180* 18,180*", OCHRE, bold=True),
            hatch("64,148* 74,148* 74,180* 64,180*", angle=180, gap=2.6, reach=5),
            shape("18,128 30,125 60,126 72,131 70,138 22,138", dress.lining, bold=True),
            disc(72, 134, 2.4, OCHRE),
            shape("4,180* 116,180* 116,196* 4,196*", PAPER, bold=True),
            *(
                shape(f"{x},184* {x + 9},184* {x + 5},193* {x - 4},193*", dress.coat, 0.7)
                for x in (9, 27, 45, 63, 81, 99)
            ),
            line("4,184 116,184", 0.9),
        )
    )
    skirt = "36,122* 30,132 26,146 24,164 12,186* 26,190 40,186* 54,191 70,187* 84,191 98,188 110,186* 104,172 99,156 97,143 90,135 76,131 62,124*"
    mantle = "45,86* 35,92 29,106 30,122 24,140 22,158 10,182* 20,188 33,184* 38,162 40,140 39,122 42,106 52,94*"
    bodice = "44,88* 52,94 58,88* 65,98 68,108 64,120 62,128* 38,128* 36,112 38,98"
    grip = {"C": 130, "O": 130, "S": 126, "B": 122}[suit]
    return "".join(
        (
            land.peaks(166, mirror=True),
            land.ground(164),
            chair,
            shaded(skirt, dress.coat, angle=180, gap=3, reach=12, width=1.2),
            *(
                brush(t, 1.7)
                for t in (
                    "88,138 84,156 90,174 86,190",
                    "74,134 70,152 74,170 70,187",
                    "60,130 56,148 60,168 54,190",
                    "46,132 44,150 46,170 40,186",
                    "94,144 92,160 98,174",
                    "66,150 64,166 66,180",
                )
            ),
            shape(
                "12,186* 26,190 40,186* 54,191 70,187* 84,191 98,188 110,186* 108,180.6* 97,182.6 84,185.4 70,181.6* 54,185.4 40,180.6* 26,184.6 15.6,180.4*",
                OCHRE,
                bold=True,
            ),
            people.shoe(100, 187, dress.mantle, mirror=True),
            shaded(bodice, dress.coat, angle=0, gap=2.8, reach=8),
            shape("44,88 52,95 58,88 60,94 53,101 42,94", OCHRE, 1),
            shape("37.4,120* 50,124 63,120* 62.6,126* 50,130 37.4,126*", OCHRE, bold=True),
            disc(56, 125.4, 2, RED),
            shaded(mantle, dress.mantle, angle=10, gap=3, reach=8, width=1.2),
            brush("36,102 35,122 31,142 27,162 22,182", 1.5),
            # the far arm with the flower
            shape("60,98* 68,104 72,106* 76,100* 72,95* 66,94 58,92*", dress.mantle),
            place(_rose(), x=77, y=101),
            people.fist(75, 99, turn=-30, mirror=True, scale=0.76),
            # the near arm with the sign
            held(suit, 91, grip, grip - 44 if suit == "S" else grip - 46),
            shape(
                "46,94* 40,104 42,118 54,130 76,132 82,134* 86,122* 74,119 62,114 58,104 54,95*",
                dress.mantle,
                bold=True,
            ),
            hatch("46,94* 40,104 42,118 54,130 76,132 82,134* 74,126 56,120 50,108", angle=-40, gap=2.6, reach=8),
            shape("54,126* 56,142 50,154* 66,150 76,133*", dress.lining, bold=True),
            brush("58,130 60,140 56,150", 1.3),
            brush("66,132 66,140 62,149", 1.1),
            shape("80,120.6* 86.6,122* 83,135* 77,133.4*", OCHRE),
            people.fist(91, grip, turn=8, mirror=True, scale=0.9),
            place(
                people.profile(
                    hair="veil",
                    tint=dress.hair if dress.hair != PAPER else OCHRE,
                    cloth=PAPER if suit != "C" else OCHRE,
                ),
                x=53,
                y=71,
                scale=1.06,
            ),
            people.crown(crown, 51.6, 57.6, turn=-9, scale=0.92),
        )
    )


def _rose() -> str:
    """A flower on a stalk, growing upwards from the hand."""
    return "".join(
        (
            brush("0,6 1,-8 -1,-20", 1.8, start=0.8, end=0.6),
            shape("0,-8* 5,-9 9,-14* 3,-14", GREEN, 0.9),
            *(
                place(shape("-2,-2* -4.4,-5.6 0,-9 4.4,-5.6 2,-2*", RED, 0.9), x=-1, y=-23, turn=72 * i)
                for i in range(5)
            ),
            disc(-1, -23, 2.7, OCHRE, 0.9),
        )
    )
