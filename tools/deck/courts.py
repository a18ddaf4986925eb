"""The sixteen courts: a king enthroned, a queen in profile, a rider and a standing jack, dressed anew for each suit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tools.deck import beings, land, people
from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, group, hatch, line, place, shape, tag
from tools.deck.signs import sign, staff, sword
from tools.deck.steed import horse

__all__ = ["court", "definitions"]


class Dress(NamedTuple):
    """How the court of one suit is dressed; `mirror` lets it face the other way."""

    coat: str
    mantle: str
    lining: str
    hair: str
    mirror: bool


_DRESS = {
    "C": Dress(coat=BLUE, mantle=RED, lining=OCHRE, hair=OCHRE, mirror=False),
    "O": Dress(coat=RED, mantle=OCHRE, lining=GREEN, hair=PAPER, mirror=True),
    "S": Dress(coat=OCHRE, mantle=BLUE, lining=RED, hair=RED, mirror=False),
    "B": Dress(coat=RED, mantle=GREEN, lining=OCHRE, hair=OCHRE, mirror=True),
}


def definitions() -> Iterator[str]:
    """Yield the parts that courts and trumps share."""
    yield from people.definitions()
    yield from land.definitions()
    yield from beings.definitions()


def court(suit: str, rank: str) -> str:
    """Return the picture of a court card; `rank` is K, Q, N or J."""
    dress = _DRESS[suit]
    picture = {"K": _king, "Q": _queen, "N": _cavalier, "J": _jack}[rank](suit, dress)
    return flip(picture) if dress.mirror else picture


def _held(suit: str, x: float, y: float, tall: float) -> str:
    """The suit sign held in a fist at (x, y); `tall` is how far swords and staves rise above it."""
    if suit == "C":
        return sign("C", x, y - 22, 1.12)
    if suit == "O":
        return sign("O", x, y - 23, 1.06)
    if suit == "S":
        return place(sword(tall - 8, 8.4), x=x, y=y - 8)
    length = tall + 60
    return place(staff(length, 12), x=x, y=y - tall + length / 2)


def _king(suit: str, dress: Dress) -> str:
    crown = {"C": "lily", "O": "arch", "S": "hat", "B": "leaf"}[suit]
    beard = {"C": "curly", "O": "long", "S": "forked", "B": "curly"}[suit]
    back = {
        "C": "30,158* 30,62* 36,50 48,42 60,39.6 72,42 84,50 90,62* 90,158*",
        "O": "29,158* 29,66* 60,40* 91,66* 91,158*",
        "S": "30,158* 30,58* 90,58* 90,158*",
        "B": "30,158* 30,64* 40,64* 40,52* 80,52* 80,64* 90,64* 90,158*",
    }[suit]
    finials = "".join(shape(f"{x - 3.4},62* {x - 2.4},52* {x},44* {x + 2.4},52* {x + 3.4},62*", OCHRE, bold=True) + disc(x, 43.4, 2.6, dress.mantle) for x in (28, 92))
    throne = "".join((
        shape(back, dress.lining, bold=True), hatch(back, angle=0, gap=3.2, reach=9, width=1.1, both=True),
        shape("24,60* 32,60* 32,176* 24,176*", OCHRE, bold=True), shape("88,60* 96,60* 96,176* 88,176*", OCHRE, bold=True),
        hatch("24,60* 32,60* 32,176* 24,176*", angle=180, gap=3, reach=4), hatch("88,60* 96,60* 96,176* 88,176*", angle=180, gap=3, reach=4), finials,
        shape("14,132* 34,132* 34,178* 14,178*", OCHRE, bold=True), shape("86,132* 106,132* 106,178* 86,178*", OCHRE, bold=True),
        hatch("86,132* 106,132* 106,178* 86,178*", angle=180, gap=2.6, reach=8), hatch("14,132* 34,132* 34,178* 14,178*", angle=180, gap=2.6, reach=6),
        shape("10,126* 36,126* 36,133* 10,133*", dress.lining, bold=True), shape("84,126* 110,126* 110,133* 84,133*", dress.lining, bold=True),
        shape("4,176* 116,176* 116,196* 4,196*", PAPER, bold=True), line("4,183.4 116,183.4", 0.9),
        *(shape(f"{x},183.4* {x + 9},183.4* {x + 5},193* {x - 4},193*", dress.coat, 0.7) for x in (9, 27, 45, 63, 81, 99)),
    ))
    skirt = "42,122* 34,132 29,146 32,164 26,184* 36,188 46,184* 54,189 62,185* 72,189 80,184* 88,187 94,183* 88,164 91,146 86,132 78,122*"
    folds = "".join(brush(t, 1.6) for t in (
        "36,138 42,148 42,166 46,183", "84,138 78,148 79,166 80,183", "52,132 56,148 54,166 62,184", "68,132 65,148 69,166 71,186", "60,134 60,150 58,170", "31,150 35,166 31,184", "89,150 85,166 88,184"))
    knees = brush("30,146 36,136 46,138 50,148", 1.7) + brush("90,146 84,136 74,138 70,148", 1.7)
    cloak_left = "50,85* 40,87 30,94 22,108 17,124 20,136 15,152 16,170 12,182* 22,186 30,180* 33,164 30,148 33,134 40,124* 44,108 52,94*"
    cloak_right = "70,85* 80,87 90,94 98,104 104,120 101,136 105,152 104,170 109,182* 99,186 90,180* 87,164 90,148 87,134 80,124* 76,108 68,94*"
    trim_left = "52,86* 44,104 40,122 31,135 28,148 31,164 28,180* 24,182* 26,164 23,148 27,132 35,120 39,102 47,87*"
    chest = "48,88* 60,95 72,88* 79,104 78,124* 60,128 42,124* 41,104"
    return "".join((
        land.peaks(160), land.ground(158), throne,
        shape(cloak_left, dress.mantle, bold=True), shape(cloak_right, dress.mantle, bold=True), hatch(cloak_right, angle=180, gap=3, reach=9, width=1.2),
        shape(skirt, dress.coat, bold=True), hatch(skirt, angle=180, gap=3, reach=8, width=1.1), folds, knees,
        people.shoe(46, 184, dress.lining), people.shoe(74, 184, dress.lining, mirror=True),
        shape(chest, dress.coat, bold=True), hatch(chest, angle=180, gap=2.6, reach=9, width=1.1),
        shape("41,120* 60,124.6 79,120* 79,126* 60,131 41,126*", OCHRE, bold=True), shape("56,123.4 60,121 64,123.4 64,129 60,131 56,129", RED, 1),
        *(disc(60, y, 1.5, OCHRE, 0.9) for y in (101, 107, 113)), brush("48,100 50,110 47,119", 1.1), brush("72,100 70,110 73,119", 1.1),
        shape(trim_left, PAPER, bold=True), flip(shape(trim_left, PAPER, bold=True)), *(_ermine(x, y) for x, y in ((43.6, 100), (39, 114), (32, 128), (27, 144), (28.6, 160), (76.4, 100), (81, 114), (88, 128), (93, 144), (91.4, 160))),
        # the arm that rests
        shape("38,90* 28,96 20,110 22,124 34,138* 44,130* 38,120 40,108 46,94*", dress.mantle, bold=True), hatch("38,90* 28,96 20,110 22,124 34,138* 40,132* 30,116 34,104 46,94*", angle=30, gap=2.8, reach=6),
        shape("33,137* 43,128.4* 46,132* 36,141.4*", OCHRE), people.palm(44, 139, turn=-64, mirror=True, scale=0.95),
        # the arm that holds
        shape("82,90* 92,97 102,112 106,122 100,128* 88,122 84,116* 80,106 74,95*", dress.mantle, bold=True), hatch("82,90* 92,97 102,112 106,122 100,128* 92,116", angle=150, gap=2.6, reach=8),
        _held(suit, 93, 108, 66), shape("97,104* 103,112* 104,122 98,124* 94,114*", OCHRE), people.fist(93, 109, turn=34),
        place(people.head(hair={"C": "bob", "O": "long", "S": "curls", "B": "short"}[suit], tint=dress.hair, beard=beard, look=1.2 if suit in "CB" else 0.6, brow=0.6), x=60, y=70, scale=1.06),
        people.crown(crown, 60, 58.6, scale=1.06 if crown != "hat" else 1.0),
    ))


def _ermine(x: float, y: float) -> str:
    return tag("path", d=f"M{x:g} {y - 2:g}l1 3-1 2-1-2z", fill=INK, stroke="none")


def _queen(suit: str, dress: Dress) -> str:
    crown = {"C": "leaf", "O": "lily", "S": "leaf", "B": "lily"}[suit]
    chair = "".join((
        shape("16,66* 22,54 29,52* 31,60 27,70* 28,180* 16,180*", OCHRE, bold=True), hatch("16,66* 27,70* 28,180* 16,180*", angle=180, gap=3, reach=5),
        disc(25, 52, 4, dress.lining), disc(25, 52, 1.2, INK, bare=True),
        shape("20,134* 74,134* 72,144* 74,180* 64,180* 64,148* 30,148* 30,180* 18,180*", OCHRE, bold=True), hatch("64,148* 74,148* 74,180* 64,180*", angle=180, gap=2.6, reach=5),
        shape("18,128 30,125 60,126 72,131 70,138 22,138", dress.lining, bold=True), disc(72, 134, 2.4, OCHRE),
        shape("4,180* 116,180* 116,196* 4,196*", PAPER, bold=True),
        *(shape(f"{x},184* {x + 9},184* {x + 5},193* {x - 4},193*", dress.coat, 0.7) for x in (9, 27, 45, 63, 81, 99)), line("4,184 116,184", 0.9),
    ))
    skirt = "36,122* 30,132 26,146 24,164 12,186* 26,190 40,186* 54,191 70,187* 84,191 98,188 110,186* 104,172 99,156 97,143 90,135 76,131 62,124*"
    mantle = "45,86* 35,92 29,106 30,122 24,140 22,158 10,182* 20,188 33,184* 38,162 40,140 39,122 42,106 52,94*"
    bodice = "44,88* 52,94 58,88* 65,98 68,108 64,120 62,128* 38,128* 36,112 38,98"
    held = {"C": 130, "O": 130, "S": 126, "B": 122}[suit]
    return "".join((
        land.peaks(166, mirror=True), land.ground(164), chair,
        shape(skirt, dress.coat, bold=True), hatch(skirt, angle=180, gap=3, reach=12, width=1.2),
        *(brush(t, 1.7) for t in ("88,138 84,156 90,174 86,190", "74,134 70,152 74,170 70,187", "60,130 56,148 60,168 54,190", "46,132 44,150 46,170 40,186", "94,144 92,160 98,174", "66,150 64,166 66,180")),
        shape("12,186* 26,190 40,186* 54,191 70,187* 84,191 98,188 110,186* 108,180.6* 97,182.6 84,185.4 70,181.6* 54,185.4 40,180.6* 26,184.6 15.6,180.4*", OCHRE, bold=True),
        people.shoe(100, 187, dress.mantle, mirror=True),
        shape(bodice, dress.coat, bold=True), hatch(bodice, angle=0, gap=2.8, reach=8),
        shape("44,88 52,95 58,88 60,94 53,101 42,94", OCHRE, 1), shape("37.4,120* 50,124 63,120* 62.6,126* 50,130 37.4,126*", OCHRE, bold=True), disc(56, 125.4, 2, RED),
        shape(mantle, dress.mantle, bold=True), hatch(mantle, angle=10, gap=3, reach=8, width=1.2), brush("36,102 35,122 31,142 27,162 22,182", 1.5),
        # the far arm with the flower
        shape("60,98* 68,104 72,106* 76,100* 72,95* 66,94 58,92*", dress.mantle), place(_rose(), x=77, y=101), people.fist(75, 99, turn=-30, mirror=True, scale=0.76),
        # the near arm with the sign
        _held(suit, 91, held, held - 44 if suit == "S" else held - 46),
        shape("46,94* 40,104 42,118 54,130 76,132 82,134* 86,122* 74,119 62,114 58,104 54,95*", dress.mantle, bold=True),
        hatch("46,94* 40,104 42,118 54,130 76,132 82,134* 74,126 56,120 50,108", angle=-40, gap=2.6, reach=8),
        shape("54,126* 56,142 50,154* 66,150 76,133*", dress.lining, bold=True), brush("58,130 60,140 56,150", 1.3), brush("66,132 66,140 62,149", 1.1),
        shape("80,120.6* 86.6,122* 83,135* 77,133.4*", OCHRE), people.fist(91, held, turn=8, mirror=True, scale=0.9),
        place(people.profile(hair="veil", tint=dress.hair if dress.hair != PAPER else OCHRE, cloth=PAPER if suit != "C" else OCHRE), x=53, y=71, scale=1.06),
        people.crown(crown, 51.6, 57.6, turn=-9, scale=0.92),
    ))


def _rose() -> str:
    """A flower on a stalk, growing upwards from the hand."""
    return "".join((
        brush("0,6 1,-8 -1,-20", 1.8, start=0.8, end=0.6), shape("0,-8* 5,-9 9,-14* 3,-14", GREEN, 0.9),
        *(place(shape("-2,-2* -4.4,-5.6 0,-9 4.4,-5.6 2,-2*", RED, 0.9), x=-1, y=-23, turn=72 * i) for i in range(5)), disc(-1, -23, 2.7, OCHRE, 0.9),
    ))


def _cavalier(suit: str, dress: Dress) -> str:
    return "".join((
        land.peaks(168), land.ground(168), land.tuft(12, 190), land.tuft(70, 192, 0.9), horse(dress.mantle, dress.lining, hide=PAPER if suit in "CB" else OCHRE if suit == "S" else PAPER), _rider(suit, dress),
    ))


def _rider(suit: str, dress: Dress) -> str:
    coat = "56,88* 66,92 75,87* 80,100 78,118* 82,132 74,136 58,134 52,126* 55,112 52,100"
    leg = "60,120* 50,126 45,136 50,150 50,164* 59,165* 61,150 60,140 68,132 74,122*"
    boot = "48.6,150* 49.4,163 44,167 35,171* 38,174.6 52,174 60,172* 60,150*"
    return "".join((
        # the far arm with the reins
        shape("56,90* 48,98 43,106* 49,111* 56,106 60,98*", dress.lining, bold=True),
        shape(leg, dress.lining, bold=True), hatch(leg, angle=180, gap=2.4, reach=6), shape(boot, RED if dress.lining != RED else OCHRE, bold=True), hatch(boot, angle=180, gap=2.2, reach=5),
        line("40,177 62,176 62,170", 1.4), brush("58,118 61,140 61,170", 1.2, start=0.8, end=0.8), disc(62.6, 168, 1.6, OCHRE, 0.9),
        shape(coat, dress.coat, bold=True), hatch(coat, angle=180, gap=2.6, reach=8, width=1.1), brush("62,96 60,108 62,117", 1.1), brush("70,94 71,106 69,117", 1.1),
        *(disc(65.4, y, 1.4, OCHRE, 0.9) for y in (97, 103, 109)), shape("54,113* 66,117.4 78,114* 78.6,119.6* 66,123 53,119*", OCHRE, bold=True),
        people.fist(44, 109, turn=-62, scale=0.8),
        # the cloak and the near arm
        shape("74,86* 84,90 92,104 100,116 106,134* 96,130 90,136* 84,122 78,110 76,98", dress.mantle, bold=True), hatch("74,86* 84,90 92,104 100,116 106,134* 96,126 86,112 78,98", angle=140, gap=2.8, reach=8),
        _held(suit, 93, 96, 54 if suit == "S" else 52),
        shape("74,88* 82,90 88,96 94,100* 90,109* 80,108 74,102 71,96", dress.coat, bold=True), hatch("72,98 80,107 90,109 84,100", angle=-60, gap=2.2, reach=6),
        shape("90,97* 95.6,100.4* 91.6,110* 86.4,107.4*", OCHRE), people.fist(94, 97, turn=14, mirror=True, scale=0.9),
        shape("56,88* 60,84 70,83 75,87* 66,94", OCHRE, bold=True),
        place(people.head(hair="curls" if suit in "OB" else "bob", tint=dress.hair if dress.hair != PAPER else OCHRE, look=-1.6, brow=0.3), x=65, y=68, scale=0.96),
        place(_cap(suit, dress), x=65, y=58),
    ))


def _cap(suit: str, dress: Dress) -> str:
    """The headgear of riders: a helmet with a plume, a hat with a feather, a turban-like chaperon or a wreath."""
    plume = "2,-9* 8,-19 18,-20 25,-14 24,-7* 21,-12 15,-12 8,-6*"
    feather = shape(plume, dress.mantle, bold=True) + brush("4,-9 11,-16 19,-15.6 23,-10", 1) + brush("11,-15 12,-18", 0.8) + brush("16,-15.6 18,-19", 0.8)
    if suit == "S":
        return feather + shape("-11,2* -11.6,-6 -7,-12.6 0,-14.6 7,-12.6 11.6,-6 11,2* 0,-.6", BLUE, bold=True) + hatch("0,-14.6 7,-12.6 11.6,-6 11,2* 2,0", angle=180, gap=2, reach=6) + \
            shape("-12.6,.6* 0,-3.4 12.6,.6* 12.6,4.2* 0,.6 -12.6,4.2*", OCHRE, bold=True) + brush("0,-14 0,-3", 1.6, start=0.8, end=0.8)
    if suit == "C":
        return feather + shape("-9.6,0* -9,-8 -3,-11.4 4,-11 9.6,-6 9.6,0*", dress.coat, bold=True) + hatch("2,-11 9.6,-6 9.6,0 4,0", angle=180, gap=2, reach=5) + \
            shape("-15,2.4 -8,-2.4 0,-3 8,-2.4 15,2.4 8,3 0,.8 -8,3", dress.coat, bold=True) + brush("-12,1.6 -6,-.6 0,-1 6,-.6 12,1.6", 1)
    if suit == "O":
        return feather + shape("-12,2 -13,-3 -7,-5.4 0,-6 7,-5.4 13,-3 12,2 0,-.6", dress.lining, bold=True) + \
            shape("-10,-4* -8,-11 0,-13.6 8,-10 10,-4* 0,-6.4", dress.coat, bold=True) + brush("-9,-1.4 -7,-4", 1) + brush("-3,-2 -1.6,-5", 1) + brush("3,-2 4.6,-4.6", 1) + brush("8,-1.4 10,-3.6", 1)
    return feather + shape("-11.6,1* -10,-9 -2,-13.4* 0,-9.6* 4,-13* 10,-8 11.6,1* 0,-1.6", dress.mantle, bold=True) + hatch("2,-10 10,-8 11.6,1 4,0", angle=180, gap=2, reach=6) + \
        shape("-13,-.6* 0,-4 13,-.6* 12.6,3.4* 0,.4 -12.6,3.4*", OCHRE, bold=True) + disc(-7, .4, 1.2, RED, 0.8) + disc(0, -1.6, 1.2, RED, 0.8) + disc(7, .4, 1.2, RED, 0.8)


def _jack(suit: str, dress: Dress) -> str:
    tunic = "46,86* 57,91 68,86* 76,96 72,110 73,118* 80,140* 72,137* 70,143* 63,139* 57,144* 51,139* 44,143* 42,137* 34,140* 41,118* 42,110 38,96"
    leg_left = "42,134* 56,136* 55,150 51,162 51,178* 42,178* 42,162 38,150"
    leg_right = "58,136* 72,134* 75,150 71,162 73,178* 64,178* 62,162 59,150"
    return "".join((
        land.peaks(164, mirror=suit in "OS"), land.ground(163), land.tuft(16, 188), land.tuft(108, 186, 1.0, mirror=True),
        shape("48,86* 36,94 30,116 24,146 30,152* 44,146 50,120", dress.mantle, bold=True), hatch("48,86* 36,94 30,116 24,146 30,152* 36,140 40,110", angle=10, gap=3, reach=9),
        shape(leg_left, dress.lining, bold=True), hatch(leg_left, angle=180, gap=2.4, reach=5), shape(leg_right, dress.mantle if dress.mantle != dress.coat else BLUE, bold=True), hatch(leg_right, angle=180, gap=2.4, reach=5),
        line("42,160 51,161", 0.9), line("62,161 72,160", 0.9),
        people.shoe(47, 180, dress.coat), people.shoe(68, 180, dress.coat, mirror=True),
        shape(tunic, dress.coat, bold=True), hatch(tunic, angle=180, gap=2.8, reach=9, width=1.1),
        *(brush(t, 1.4) for t in ("49,120 46,130 44,141", "57,121 57,132 57,142", "65,120 68,130 70,141", "50,94 50,104 47,112", "65,94 65,104 68,112")),
        shape("41,112* 57,116 73,112* 73.4,119* 57,123 40.6,119*", OCHRE, bold=True), shape("54,114.6* 60,114.6* 60,121* 54,121*", None, 1.2),
        *(disc(57, y, 1.4, OCHRE, 0.9) for y in (97, 103, 109)),
        # the arm on the hip
        shape("46,87* 34,90 26,100 23,112 30,120 40,121* 42,113* 34,109 37,102 44,98*", dress.mantle, bold=True), hatch("46,87* 34,90 26,100 23,112 30,120 32,106 40,98", angle=20, gap=2.4, reach=7),
        shape("29,96 36,93 39,99 32,104", dress.lining, 0.9), people.fist(41, 117, turn=10, mirror=True, scale=0.72),
        # the arm with the sign
        _held(suit, 92, 106, 66 if suit == "S" else 64),
        shape("68,87* 78,90 86,98 93,106* 88,115* 78,112 70,104 66,97", dress.mantle, bold=True), hatch("68,98 78,110 88,115 84,104", angle=-60, gap=2.4, reach=8), shape("76,92 82,96 76,104 70,98", dress.lining, 0.9),
        shape("88,102* 94,106.4* 90,116* 84.6,113.4*", OCHRE), people.fist(93, 107, turn=16, mirror=True, scale=0.92),
        shape("46,86* 50,82 64,82 68,86* 57,94", OCHRE, bold=True), brush("50,85 57,90 64,85", 1),
        place(people.head(hair="bob" if suit in "CS" else "curls", tint=dress.hair if dress.hair != PAPER else OCHRE, look=1.5, brow=-0.2), x=57, y=67),
        place(_hat(suit, dress), x=57, y=57),
    ))


def _hat(suit: str, dress: Dress) -> str:
    """The hat of a jack, turned up in front, with a long feather."""
    feather = "-6,-6* -14,-12 -24,-14 -31,-8 -34,2* -29,-4 -22,-6 -14,-3 -8,0*"
    rest = "".join((
        shape(feather, FLESH if suit == "Z" else dress.lining, bold=True), brush("-7,-4 -15,-9 -24,-10 -32,0", 1.1), *(brush(t, 0.9) for t in ("-14,-9 -13,-12", "-19,-10 -19,-13.6", "-24,-10 -26,-13", "-16,-8 -18,-4.6", "-22,-9.4 -25,-5.6")),
    ))
    if suit in "CB":
        return rest + shape("-10,0* -9,-9 -2,-13 6,-11 10.4,-5 10,0*", dress.coat, bold=True) + hatch("0,-13 6,-11 10.4,-5 10,0 3,0", angle=180, gap=2, reach=6) + \
            shape("-13,3 -12,-3 -4,-4.6 6,-4 14,-7 15,-1 9,1.6 0,.4 -8,1.4", dress.mantle, bold=True) + brush("-10,0 0,-2 12,-4", 1)
    return rest + shape("-16,3 -9,-2.4 0,-4 9,-3 17,1.6 9,3.4 0,.8 -9,3.6", dress.mantle, bold=True) + brush("-12,1.6 0,-1.4 13,1", 1.1) + \
        shape("-9.4,-2* -8,-11 0,-14 8,-11.6 9.4,-2.6* 0,-4.4", dress.coat, bold=True) + hatch("1,-14 8,-11.6 9.4,-2.6 3,-4", angle=180, gap=2, reach=5) + shape("-9.4,-4.6* 0,-7 9.4,-5* 9.4,-2.4* 0,-4.2 -9.4,-2*", OCHRE, 0.9)
