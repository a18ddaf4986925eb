"""The trumps from the Juggler (I) to the Chariot (VII), and the Fool."""

from __future__ import annotations

from tools.deck import land, people
from tools.deck.beings import dog, eagle, gown, limb, rays, star, tunic, wing
from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, ring, shape
from tools.deck.signs import sign

__all__ = ["bateleur", "chariot", "emperor", "empress", "fool", "juno", "jupiter", "lovers"]


def _hat(crown: str, brim: str) -> str:
    """The juggler's great hat, its brim bent like a lying eight."""
    bend = "0,1 -8,-1 -15,-6 -22,-5 -23,1 -17,5 -8,4.4 0,4.6 8,4.4 17,5 23,1 22,-5 15,-6 8,-1"
    return "".join((
        shape("-9,0* -9,-8 -4,-12 4,-12 9,-8 9,0*", crown, bold=True), hatch("1,-12 9,-8 9,0 3,0", angle=180, gap=2, reach=5), shape(bend, brim, bold=True),
        shape("-9,1 -15,-2.4 -20,-1.6 -18,1.6", OCHRE, 0.9), shape("9,1 15,-2.4 20,-1.6 18,1.6", OCHRE, 0.9), brush("-8,-3 0,-1 8,-3", 1.2),
    ))


def bateleur() -> str:
    """A juggler with a wand behind his table of cups, dice and a knife."""
    top = "10,134* 103,130* 112,140* 14,145*"
    return "".join((
        land.peaks(162), land.ground(160), land.tuft(18, 188), land.tuft(102, 188, mirror=True),
        tunic(58, 86, BLUE, (RED, GREEN), OCHRE, stride=9),
        limb("46,91 34,101 27,94", (11, 10, 6.4), RED, 30), limb("70,91 82,104 84,121", (11, 10, 6.4), RED, 160),
        shape("24,97* 29,100* 32,93* 26,90*", OCHRE, 0.9), shape("80,118* 88,118* 88,123* 80.6,123*", OCHRE, 0.9),
        place(shape("-1.8,13* -1.4,-24* 1.4,-24* 1.8,13*", OCHRE, bold=True), disc(0, -25, 2.6, RED), disc(0, 14, 2.2, RED), x=26, y=87, turn=-16), people.fist(26, 88, turn=120, scale=0.82),
        shape("49,86* 58,94 67,86* 63,82 53,82", PAPER, 1),
        place(people.head(hair="curls", tint=OCHRE, look=1.6), x=58, y=68), place(_hat(RED, GREEN), x=58, y=56),
        shape("20,145* 25,145* 24,189* 19,189*", OCHRE, bold=True), shape("98,142* 103,141* 105,189* 100,189*", OCHRE, bold=True), shape("70,143* 74,143* 76,178* 72,178*", OCHRE, bold=True),
        shape(top, PAPER, bold=True), shape("14,145* 112,140* 112,146* 14,151.6*", RED, bold=True), hatch("14,145* 112,140* 112,146* 14,151.6*", angle=88, gap=3, reach=4),
        sign("C", 28, 127, 0.5), sign("C", 40, 126, 0.4), people.palm(84, 127, turn=-96, scale=0.8),
        shape("52,133* 57,131.6* 59,135* 54,136.6*", PAPER, bold=True), shape("54,136.6* 59,135* 59,139* 54,141*", PAPER, 0.9), disc(55.6, 134, 0.7, INK, bare=True), disc(56.5, 138, 0.6, INK, bare=True),
        disc(67, 136, 2.2, RED), disc(73, 134.4, 2.2, OCHRE), disc(71, 139, 2.2, GREEN), shape("88,140* 100,134* 101.6,135.6* 90,141.6*", PAPER, 1), line("87,141.6 90,140", 2.6),
        shape("94,131 98,126 104,127 106,133", OCHRE, 1.1), brush("96,131 100,128 104,131", 1),
    ))


def juno() -> str:
    """Juno, queen of the gods, with sceptre and displaying peacock."""
    feathers = []
    for i in range(13):
        turn = -100 + 200 * i / 12
        feathers.append(place(
            shape("-1.2,0* -5.4,-32 0,-41 5.4,-32 1.2,0*", GREEN if i % 2 else BLUE, 0.9), *(line(t, 0.7) for t in ("0,-8 0,-26", "0,-22 -3,-25", "0,-22 3,-25", "0,-16 -2,-19", "0,-16 2,-19")),
            disc(0, -33, 3.6, OCHRE, 0.9), disc(0, -33, 1.7, RED, 0.7), turn=turn))
    peacock = place(
        *feathers, limb("-2,18 -2,26", (2.4, 1.8), OCHRE), limb("3,18 3,26", (2.4, 1.8), OCHRE), line("-6,27 1,27", 1.3), line("0,27.4 7,27.4", 1.3),
        shape("-9,6 -5,-4 -3,-14 -3.6,-20 0,-25 4,-22 3.6,-14 6,-4 10,6 6,16 0,19 -6,16", BLUE, bold=True), hatch("-3,-14 4,-14 10,6 6,16 0,19", angle=180, gap=2.4, reach=7),
        *(brush(t, 1.1, fill=PAPER) for t in ("-6,4 -3,7 0,4", "0,4 3,7 6,4", "-4,10 -1,13 2,10", "-3,-2 0,1 3,-2")), shape("-3.4,-21* -9,-18.6* -3.4,-18*", OCHRE, 0.8), disc(-.6, -21.4, 1, PAPER, 0.6),
        *(line(f"1,-24 {x},{y}", 0.8) + disc(x, y, 1.2, RED, 0.6) for x, y in ((-3, -31), (1, -32.4), (5, -31))), x=80, y=160, scale=0.9)
    return "".join((
        land.cloud(94, 52, 1.0), land.cloud(24, 62, 0.9, mirror=True), land.peaks(158, mirror=True), land.ground(158), peacock,
        shape("36,88* 28,100 24,126 18,152 12,182* 24,186 34,182* 36,150 38,120", RED, bold=True), hatch("36,88* 28,100 24,126 18,152 12,182* 24,184 30,150 34,120", angle=0, gap=3, reach=8),
        gown(46, 86, OCHRE, RED, BLUE, tall=96), people.shoe(42, 184, RED),
        limb("57,92 68,102 77,114", (11, 10, 7), RED, 150), people.palm(80, 119, turn=100, mirror=True, scale=0.82),
        shape("25.6,50* 28.4,50* 28.4,180* 25.6,180*", OCHRE, bold=True), star(27, 45, 6, 7.4, 3, RED),
        limb("35,92 25,106 28,119", (11, 10, 7), RED, 40), people.fist(27, 119, turn=-60, mirror=True, scale=0.82), shape("37,87* 46,96 55,87* 50,83 42,83", BLUE, 1),
        place(people.head(hair="long", tint=OCHRE, look=1.2), x=46, y=68), people.crown("leaf", 46, 56.4),
    ))


def empress() -> str:
    """The Empress, crowned and frontal, with sceptre and eagle shield."""
    skirt = "42,124* 33,136 30,152 26,170 16,188* 30,191 46,187* 60,191 76,187* 90,191 104,188* 94,170 90,152 87,136 78,124*"
    return "".join((
        land.peaks(160), land.ground(158),
        *(place(shape("0,0* 6,-20 18,-40 30,-46 26,-30 34,-32 28,-18 34,-16 26,-4 28,2*", OCHRE, bold=True), *(brush(t, 1.2) for t in ("6,-4 14,-24 26,-40", "12,-4 20,-18 29,-28", "16,-2 22,-8 30,-13")), x=x, y=134, mirror=m, scale=1.25) for x, m in ((70, False), (50, True))),
        shape(skirt, RED, bold=True), hatch(skirt, angle=180, gap=3, reach=14, width=1.2), *(brush(t, 1.7) for t in ("46,136 42,156 40,172 44,186", "60,132 58,156 62,172 60,189", "74,136 78,156 80,172 77,186", "36,146 34,164 28,186", "84,146 87,164 92,186")),
        shape("16,188* 30,191 46,187* 60,191 76,187* 90,191 104,188* 101,182* 90,185 76,181 60,185 46,181 30,185 19,182*", OCHRE, bold=True),
        shape("48,88* 60,95 72,88* 78,104 76,126* 60,130 44,126* 42,104", RED, bold=True), hatch("48,88* 60,95 72,88* 78,104 76,126* 60,130 44,126* 42,104", angle=180, gap=2.6, reach=8),
        shape("43,121* 60,125.6 77,121* 77.6,127* 60,132 42.6,127*", OCHRE, bold=True), disc(60, 128, 2.4, BLUE),
        shape("50,85* 40,88 30,98 22,120 18,142 20,160* 30,158 34,140 42,124* 44,106 52,94*", BLUE, bold=True), hatch("50,85* 40,88 30,98 22,120 18,142 20,160* 26,150 30,124 40,100", angle=10, gap=3, reach=9),
        flip(shape("50,85* 40,88 30,98 22,120 18,142 20,160* 30,158 34,140 42,124* 44,106 52,94*", BLUE, bold=True)), hatch("70,85* 80,88 90,98 98,120 102,142 100,160* 94,150 90,124 80,100", angle=170, gap=3, reach=9),
        shape("46,86* 52,84 60,90 68,84 74,86* 66,98 60,101 54,98", OCHRE, bold=True), *(disc(x, y, 1.2, RED, 0.7) for x, y in ((51, 90.4), (55.6, 94.4), (60, 96.4), (64.4, 94.4), (69, 90.4))),
        # sceptre
        shape("26.4,66* 29.6,66* 33.6,166* 30.4,166*", OCHRE, bold=True), disc(28, 60, 6, RED, 1.3), line("22,60.6 34,60.6", 1), line("28,54 28,60", 1), place(shape("-1.2,0* -1.2,-3* -4,-3* -4,-5.4* -1.2,-5.4* -1.2,-8.4* 1.2,-8.4* 1.2,-5.4* 4,-5.4* 4,-3* 1.2,-3* 1.2,0*", OCHRE, 0.9), x=28, y=54),
        limb("40,94 29,112 32,128", (13, 11, 8), BLUE, 30), people.fist(31, 128, turn=-70, mirror=True, scale=0.86),
        # shield
        shape("66,116* 102,112* 103,134 96,152 84,161* 72,153 66,137", OCHRE, bold=True), eagle(84.6, 135, 0.8, mirror=True), limb("80,94 91,104 97,113", (13, 11, 8), BLUE, 150), people.fist(97, 117, turn=44, scale=0.84),
        place(people.head(hair="long", tint=OCHRE, look=-0.8), x=60, y=69, scale=1.04), people.crown("lily", 60, 57, 0, 1.1),
    ))


def emperor() -> str:
    """The Emperor in profile on his seat, legs crossed, with sceptre, orb and eagle shield."""
    return flip("".join((
        land.peaks(160, mirror=True), land.ground(160), land.tuft(108, 190, 0.9),
        shape("12,80* 18,72 26,78* 28,146* 62,146* 64,186* 54,186* 52,158* 28,158* 26,186* 14,186*", OCHRE, bold=True), hatch("12,80* 18,72 26,78* 28,146* 26,186* 14,186*", angle=180, gap=3, reach=6), disc(19, 70, 4.4, RED), shape("16,140 40,136 62,142 60,148 18,148", RED, bold=True),
        place(shape("-17,-19* 17,-19* 17,0 10,14 0,21* -10,14 -17,0", OCHRE, bold=True), eagle(0, 0, 0.76), x=36, y=172),
        # far leg hanging, near leg crossed over it
        limb("46,132 72,136 76,152 74,178", (20, 15, 12, 9), BLUE), people.shoe(74, 182, RED, mirror=True), limb("44,130 70,128 86,142 66,160", (22, 16, 13, 9), BLUE, 240), place(shape("3,-4* -4,-4* -10,0 -17,2* -8,6 3,5*", RED, bold=True), x=64, y=163, turn=-20),
        shape("36,90* 52,94 62,92* 67,104 66,118 68,132 74,142* 54,146 36,142 28,138* 30,118 30,102", RED, bold=True), hatch("36,90* 52,94 62,92* 67,104 66,118 68,132 74,142* 54,146 48,120", angle=180, gap=2.8, reach=10, width=1.1),
        shape("31,120* 48,125 66,120* 67,127* 48,132 30,127*", OCHRE, bold=True), *(shape(f"{x - 4},{y} {x},{y - 3} {x + 4},{y} {x},{y + 3}", OCHRE, 0.8) for x, y in ((44, 104), (54, 106), (50, 114), (40, 113))),
        shape("38,89* 26,96 20,116 20,136 16,150 24,152* 32,140 34,120 44,104 46,94*", GREEN, bold=True), hatch("38,89* 26,96 20,116 20,136 16,150 24,152* 28,124 36,102", angle=10, gap=3, reach=8),
        # sceptre
        shape("88.4,72* 91.6,72* 89.6,140* 86.4,140*", OCHRE, bold=True), disc(90, 66, 6.4, BLUE, 1.3), line("83.6,66.4 96.4,66.4", 1.1), place(shape("-1.4,0* -1.4,-3.4* -4.6,-3.4* -4.6,-6* -1.4,-6* -1.4,-9.6* 1.4,-9.6* 1.4,-6* 4.6,-6* 4.6,-3.4* 1.4,-3.4* 1.4,0*", OCHRE, 0.9), x=90, y=59.6),
        limb("50,97 66,118 84,112", (16, 13, 9), GREEN, -60), shape("80,106.6* 85.6,106.6* 88,116* 82,118.4*", OCHRE), people.fist(89, 111, turn=0, mirror=True, scale=0.92),
        shape("40,88* 50,98 62,92* 60,86 44,83", OCHRE, bold=True), *(ring(x, y, 1.5, 0.9) for x, y in ((47, 92), (52, 94), (57, 92))),
        place(people.profile(hair="short", tint=PAPER, beard="long"), x=53, y=70, scale=1.06), people.crown("arch", 52, 59, -8, 0.98),
    )))


def jupiter() -> str:
    """Jupiter, bare-chested on a cloud, hurling a bolt, with his eagle below."""
    bolt = "".join((
        *(place(shape("-2,0* -4,-10* 0,-8* -2,-18* 4,-9* 1,-10* 3,0*", OCHRE, bold=True), turn=t) for t in (-32, 0, 32, 148, 180, 212)), shape("-5,-4* 5,-4* 5,4* -5,4*", RED), ))
    cloud = "2,168 8,156 18,158 26,150 38,156 50,152 62,157 76,151 88,157 100,152 110,158 119,168 112,178 96,176 84,182 66,177 50,183 34,177 18,182 6,178"
    return "".join((
        *(brush(t, 1.6, start=0.9) for t in ("8,40 22,52 30,58", "8,60 20,66 26,69", "26,38 33,46 37,52", "112,110 102,106 96,104", "112,128 104,124 100,120")),
        shape(cloud, PAPER, bold=True), hatch(cloud, angle=-90, gap=4, reach=8, width=1.1), *(brush(t, 1.3) for t in ("14,166 20,160 27,164", "92,164 99,159 106,165")),
        limb("70,132 88,138 90,158 86,180", (22, 17, 13, 9)), limb("52,132 40,144 44,160 40,182", (22, 17, 13, 9)), place(shape("4,-3* -3,-4* -9,1 -14,4* -5,6 5,5*", FLESH, bold=True), x=38, y=183), place(shape("4,-3* -3,-4* -9,1 -14,4* -5,6 5,5*", FLESH, bold=True), x=87, y=181, mirror=True),
        shape("50,86* 46,88 38,90 36,98 42,110 44,122 42,132* 78,132* 76,120 78,108 84,98 82,90 74,88 70,86*", FLESH, bold=True), hatch("70,86* 82,90 84,98 78,108 76,120 78,132* 66,132 70,106", angle=180, gap=2.6, reach=8),
        brush("44,102 51,107 59,103", 1.3), brush("76,102 69,107 61,103", 1.3), brush("60,104 60.6,114 60,121", 1), disc(60, 124, 0.9, INK, bare=True), brush("50,113 53,115 56,113.6", 0.9), brush("70,113 67,115 64,113.6", 0.9),
        shape("36,128* 46,124 60,130 74,126 92,132* 98,148 84,158 70,150 62,160 48,154 40,162 30,150", RED, bold=True), hatch("74,126 92,132* 98,148 84,158 70,150 66,140", angle=180, gap=2.8, reach=10), *(brush(t, 1.5) for t in ("50,130 46,142 48,152", "62,132 62,146 62,157", "74,130 80,142 83,155")),
        shape("78,90* 88,88 98,98 104,116 102,136* 96,130 90,136* 90,118 84,104", RED, bold=True), hatch("78,90* 88,88 98,98 104,116 102,136* 94,124 88,104", angle=160, gap=2.8, reach=8),
        limb("82,96 94,112 90,128", (13, 12, 8)), people.fist(89, 130, turn=100, scale=0.9), shape("87.4,68* 90.6,68* 90.6,166* 87.4,166*", OCHRE, bold=True), eagle(89, 58, 0.5), people.fist(89, 130, turn=100, scale=0.9),
        place(bolt, x=26, y=74, turn=-42, scale=1.5), limb("40,96 26,104 25,84", (13, 12, 8), FLESH, 30), people.fist(25, 78, turn=100, scale=0.9),
        place(eagle(0, 0, 0.95), x=62, y=171), place(people.head(hair="curls", tint=OCHRE, beard="curly", look=-1.2, brow=1), x=60, y=68, scale=1.06), people.crown("leaf", 60, 56.6, 0, 1.04),
    ))


def lovers() -> str:
    """A young couple, an older man who joins them, and Love above with bow and arrow."""
    cupid = place(
        wing(3, 2, "red", scale=0.42), wing(-3, 2, "red", mirror=True, scale=0.42), limb("-3,14 -9,20 -16,18", (6, 5, 3.6)), limb("3,14 10,19 17,14", (6, 5, 3.6)), shape("-5,0* 5,0* 6,9 5,16* -5,16* -6,9", FLESH, bold=True), hatch("1,0* 5,0* 6,9 5,16*", angle=180, gap=2, reach=3),
        brush("-18,-4 -13,8 -4,17 8,15", 2, start=0.4, end=0.4), line("-18,-4 8,15", 0.7), line("4,-1 -12,20", 1.1), shape("-12,20* -10.4,15* -14.6,17*", INK), limb("5,3 10,1 3,4", (4.4, 4, 3)), limb("-5,3 -10,4 -9,10", (4.4, 4, 3)),
        place(people.head(hair="curls", tint=OCHRE, neck=False), y=-7, scale=0.56), x=60, y=56)
    return "".join((
        rays(60, 54, 24, 58, 18, (OCHRE, RED)), disc(60, 54, 25, PAPER, 1.2), land.cloud(40, 70, 0.8), land.cloud(82, 70, 0.8, mirror=True), cupid, land.peaks(168), land.ground(164),
        # the older man between them
        shape("50,112* 44,120 42,150 40,186* 78,186* 78,150 76,120 70,112*", GREEN, bold=True), hatch("60,112* 70,112* 76,120 78,150 78,186* 64,186*", angle=180, gap=3, reach=8), place(people.head(hair="long", tint=PAPER, beard="long", look=0.6), x=60, y=98, scale=0.84), shape("50,88 54,83.6 60,82 66,83.6 70,88 60,86.4", RED, 1, bold=True),
        place(gown(0, 0, RED, OCHRE, OCHRE, tall=84), x=31, y=112, scale=0.92), limb("22,117 15,130 24,140", (9, 8, 5.6), RED, 30), limb("41,117 50,130 58,136", (9, 8, 5.6), RED, 150), place(people.head(hair="long", tint=OCHRE, look=1.6), x=31, y=97, scale=0.82), place(_wreath(), x=31, y=88),
        people.palm(22, 142, turn=-40, mirror=True, scale=0.6),
        place(tunic(0, 0, BLUE, (OCHRE, RED), RED, stride=5), x=90, y=112, scale=0.82), limb("80,117 70,130 62,137", (9, 8, 5.6), BLUE, 40), limb("100,117 107,132 101,142", (9, 8, 5.6), BLUE, 160), people.fist(100, 143, turn=100, scale=0.62),
        people.fist(61, 138, turn=-30, scale=0.68), place(people.head(hair="bob", tint=RED, look=-1.6), x=90, y=97, scale=0.82), place(shape("-11,1 -10,-7 -2,-11 7,-9 11,0 0,-2", GREEN, bold=True), shape("6,-8* 14,-16 22,-12* 16,-9 10,-4*", RED, 1), x=90, y=88, scale=0.86),
        people.palm(50, 121, turn=-80, mirror=True, scale=0.56), people.palm(72, 121, turn=80, scale=0.56),
    ))


def _wreath() -> str:
    return "".join((line("-9,2 -5,-1 0,-2 5,-1 9,2", 2.4, GREEN), *(disc(x, y, 1.9, fill, 0.8) for x, y, fill in ((-8, 1, RED), (-4, -1.6, OCHRE), (0, -2.4, RED), (4, -1.6, OCHRE), (8, 1, RED)))))


def chariot() -> str:
    """A crowned victor in a canopied car drawn by two horses that pull apart."""
    def steed(hide: str) -> str:
        head = "16,134* 13,138 8,144 3,153 -2,161 -1,167 4,169 8,166.6 14,165 20,158 24,148 22,140"
        return place(
            limb("30,162 24,176 28,190", (12, 8, 6), hide), limb("24,158 10,170 14,182", (11, 7, 6), hide), shape("10,181* 17,180* 17.6,186* 10.6,187*", INK), shape("24.6,189* 31,189* 32,195* 24,195*", INK),
            shape("18,138* 28,132 42,140 50,152 52,166 46,180 32,178 24,168 20,156 15,152", hide, bold=True), hatch("30,134 42,140 50,152 52,166 46,180 32,178 40,160", angle=180, gap=2.6, reach=8), shape(head, hide, bold=True), hatch("8,166 14,165 20,158 24,148 19,150", angle=-120, gap=2, reach=4),
            shape("19,138* 18,130 20.6,125* 24,132 23.6,139*", hide, bold=True), shape("20,134* 28,128 38,133 46,143* 40,143 38,148* 32,143 28,147* 24,141", OCHRE, bold=True), brush("26,134 34,136 41,142", 1.1),
            shape("8.6,146.6* 12,145 15,146.8* 12,148.4", PAPER, 0.7), disc(12, 146.6, 1.3, INK, bare=True), brush("8.4,146.4 11.6,143.8 15.4,146", 1.2), disc(1, 163.4, 0.9, INK, bare=True), line("4,155 12,163 16,164", 1.8, RED), line("12,142 17,152 16,164", 1.8, RED), disc(9.6, 161.6, 1.8, OCHRE, 0.9),
            shape("26,152* 36,146 44,150* 42,156 34,158 29,163*", RED, bold=True), x=12, y=15, scale=0.92)
    canopy = "16,60* 20,46 38,40 60,37.5 82,40 100,46 104,60*"
    return "".join((
        land.ground(172), shape("20,58* 100,58* 100,112* 20,112*", PAPER, 0.9), *(star(x, y, 6, 4, 1.7, BLUE, cut=False) for x, y in ((36, 72), (84, 72), (37, 92), (84, 90))),
        *(shape(f"{x - 2.4},58* {x + 2.4},58* {x + 2.4},130* {x - 2.4},130*", OCHRE, bold=True) + line(f"{x - 2.4},74 {x + 2.4},70", 0.8) + line(f"{x - 2.4},90 {x + 2.4},86", 0.8) + line(f"{x - 2.4},106 {x + 2.4},102", 0.8) for x in (22, 98)),
        shape("44,92* 60,98 76,92* 80,106 78,124* 42,124* 40,106", BLUE, bold=True), hatch("60,98 76,92* 80,106 78,124* 62,124*", angle=180, gap=2.6, reach=9), *(brush(t, 1.3) for t in ("48,102 54,106 60,103", "72,102 66,106 60,103", "60,104 60,114 60,120")), shape("42,113* 60,118 78,113* 78.4,119* 60,124 41.6,119*", OCHRE, bold=True),
        shape("36,96 44,90 50,96 44,102 37,103", OCHRE, bold=True), shape("84,96 76,90 70,96 76,102 83,103", OCHRE, bold=True),
        shape("86.6,66* 89.4,66* 91,124* 88.2,124*", OCHRE, bold=True), star(88, 62, 5, 6.4, 2.6, RED), limb("80,100 89,112 90,108", (11, 10, 7), RED, 160), people.fist(89.6, 106, turn=120, scale=0.8), limb("40,100 32,114 44,120", (11, 10, 7), RED, 20), people.fist(46, 120, turn=-10, mirror=True, scale=0.8),
        shape(canopy, RED, bold=True), hatch(canopy, angle=180, gap=2.8, reach=14), *(brush(t, 1.4) for t in ("38,42 34,50 32,60", "60,39 60,50 60,60", "82,42 86,50 88,60")),
        shape("14,58* 106,58* 106,62* 99,69 91.6,63* 84,70 76,63* 68,70 60,63* 52,70 44,63* 36,70 28.4,63* 21,69 14,62*", OCHRE, bold=True), *(disc(x, 64, 1.2, RED, 0.7) for x in (21, 36, 52, 68, 84, 99)),
        place(people.head(hair="curls", tint=OCHRE, look=0.6, brow=0.4), x=60, y=80, scale=0.82), people.crown("lily", 60, 71.4, 0, 0.74),
        *(disc(x, 164, 17, OCHRE, 1.6) + disc(x, 164, 12.6, PAPER, 1.1) + "".join(place(line("0,-4 0,-12.6", 2.2), turn=45 * i, x=x, y=164) for i in range(8)) + disc(x, 164, 4.4, RED, 1.1) for x in (20, 100)),
        shape("26,124* 94,124* 92,160* 84,172* 36,172* 28,160*", GREEN, bold=True), hatch("26,124* 94,124* 92,160* 84,172* 36,172* 28,160*", angle=180, gap=3, reach=12, width=1.1), shape("22,121* 98,121* 98,127* 22,127*", OCHRE, bold=True),
        steed(PAPER), flip(steed(OCHRE)), shape("51,134* 69,134* 69,146 60,154 51,146", OCHRE, bold=True), star(60, 142, 6, 5.4, 2.2, RED, cut=False),
    ))


def fool() -> str:
    """The Fool on his way, with cap and bells, bundle and staff; a dog leaps at his breeches."""
    cap = "".join((
        shape("-9,3* -12,-6 -20,-12 -28,-8 -30,2* -24,-3 -19,-2 -14,6*", RED, bold=True), shape("9,2* 12,-8 20,-14 28,-8 29,3* 24,-3 19,-4 14,5*", GREEN, bold=True), shape("-10,3* -8,-10 0,-26 7,-30 9,-24* 6,-20 9,-8 10,2* 0,-1", OCHRE, bold=True),
        hatch("0,-26 7,-30 9,-24* 6,-20 9,-8 10,2* 3,0", angle=180, gap=2.2, reach=5), brush("-12,0 -19,-7 -27,-5", 1.1), brush("12,-1 19,-9 26,-5", 1.1), *(disc(x, y, 3, OCHRE, 1.1) + line(f"{x - 2},{y + .6} {x + 2},{y + .6}", 0.8) + disc(x, y + 1.8, 0.6, INK, bare=True) for x, y in ((-30, 4), (29, 5), (9, -31))),
        shape("-12,1.4* 0,-2.6 12,1.4* 12,5.4* 0,1.6 -12,5.4*", PAPER, bold=True),
    ))
    coat = "47,92* 56,98 65,92* 72,102 69,116 72,126* 78,146* 70,142* 66,149* 59,144* 53,150* 47,144* 40,148* 34,142* 42,124* 43,112 40,102"
    collar = "42,91* 56,86 70,91* 74,98* 67,97* 66,105* 60,100* 56,107* 52,100* 46,105* 45,97* 38,98*"
    return "".join((
        land.peaks(166, mirror=True), land.ground(166), land.tuft(14, 190), land.tuft(60, 192, 0.9),
        limb("62,140 72,156 84,164 90,178", (14, 11, 9, 7), GREEN), place(shape("4,-3* -3,-4* -9,1 -16,4* -7,6 5,5*", OCHRE, bold=True), x=90, y=181, turn=8), limb("50,140 44,156 40,170 34,182", (14, 11, 9, 7), RED), place(shape("4,-3* -3,-4* -9,1 -16,4* -7,6 5,5*", OCHRE, bold=True), x=33, y=185),
        dog(82, 190), shape("76,146* 84,150 82,156 76,154*", GREEN, 0.9),
        shape(coat, BLUE, bold=True), shape("56,98 65,92* 72,102 69,116 72,126* 78,146* 70,142* 66,149* 59,144* 57,120", OCHRE, 1), hatch(coat, angle=180, gap=2.8, reach=9, width=1.1), shape("41,120* 56,124 71,120* 72,126* 56,131 40.4,126*", RED, bold=True), *(disc(x, y, 2.2, OCHRE, 0.9) for x, y in ((40, 149), (53, 152), (66, 151), (78, 148))),
        # bundle on a stick over the shoulder
        shape("22,92* 24,89.6* 104,70* 105,72.4*", OCHRE, bold=True), shape("98,70 106,72 112,82 111,94 102,99 92,95 90,84 94,76", PAPER, bold=True), hatch("98,70 106,72 112,82 111,94 102,99 104,84", angle=180, gap=2.4, reach=8), shape("94,74* 100,69 107,73* 104,78 98,79", RED, bold=True), brush("96,82 95,90 98,96", 1.1), brush("102,80 104,88 103,96", 1.1),
        limb("46,98 32,106 30,94", (11, 10, 7), OCHRE, 30), people.fist(30, 90, turn=100, scale=0.84), limb("66,98 80,110 92,122", (11, 10, 7), BLUE, 150),
        shape(collar, RED, bold=True), *(disc(x, y, 1.9, OCHRE, 0.9) for x, y in ((38, 99), (46, 106), (56, 108), (66, 106), (74, 99))),
        people.palm(96, 124, turn=110, mirror=True, scale=0.8), place(people.head(hair="short", tint=OCHRE, look=-1.8, brow=-0.8), x=56, y=74, scale=1.0), place(cap, x=56, y=64),
    ))
