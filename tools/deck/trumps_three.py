"""The trumps from the Devil (XV) to the World (XXI)."""

from __future__ import annotations

import math

from tools.deck import land, people
from tools.deck.beings import eagle, gown, jug, limb, lion, moon_face, nude, rays, star, sun_face, tunic, wing
from tools.deck.palette import BLUE, FLESH, GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, hatch, line, place, shape

__all__ = ["devil", "judgement", "moon", "star_card", "sun", "tower", "world"]

_BARE_FOOT = "4,-3* -3,-4* -8,1 -13,3.6* -5,5.4 5,4.6*"


def devil() -> str:
    """The devil with bat's wings on his rock; a grieving woman sits at his feet."""
    bat = "64,96* 74,76 92,58 110,50* 104,60 112,68* 105,74 113,86* 104,90 110,104* 98,104 96,114* 84,108 74,112*"
    legs = "".join((limb("68,136 80,150 74,160 78,172", (19, 14, 9, 8), RED), limb("52,136 40,150 46,160 42,172", (19, 14, 9, 8), RED)))
    claw = "0,0* -8,6* -3,5* -3,9* 1,5.4* 5,8* 5,0*"
    return "".join((
        *(place(shape("0,0* -5,-8 -2,-16 -6,-24 1,-31 1,-22 6,-18 4,-8", fill, bold=True), brush("0,-3 -1,-11 1,-19", 1.1), x=x, y=197, scale=s) for x, s, fill in ((12, 1.5, RED), (24, 1.0, OCHRE), (108, 1.5, RED), (97, 1.0, OCHRE), (4, 1.1, OCHRE), (116, 1.0, OCHRE))),
        shape(bat, BLUE, bold=True), hatch(bat, angle=120, gap=3, reach=9, width=1.1), *(brush(t, 1.5, start=0.9) for t in ("72,94 90,74 108,52", "74,98 94,86 112,86", "74,104 90,100 108,103")), flip(shape(bat, BLUE, bold=True), hatch(bat, angle=120, gap=3, reach=9, width=1.1), *(brush(t, 1.5, start=0.9) for t in ("72,94 90,74 108,52", "74,98 94,86 112,86", "74,104 90,100 108,103"))),
        shape("28,172* 40,168 60,170 82,167 92,172* 96,196* 22,196*", PAPER, bold=True), hatch("28,172* 40,168 60,170 82,167 92,172* 96,196* 22,196*", angle=180, gap=3, reach=14), *(brush(t, 1.3) for t in ("38,178 46,182 44,192", "72,176 70,184 76,192")),
        brush("66,140 86,152 96,140 92,130 98,124", 3.4, start=0.9, end=0.4, fill=RED), shape("98,124* 93,120 98,113* 103,120*", RED, bold=True), legs, place(shape(claw, OCHRE, bold=True), x=42, y=171), place(shape(claw, OCHRE, bold=True), x=78, y=171, mirror=True),
        shape("50,90* 40,92 34,98 38,114 44,124 42,138 46,146 52,140 56,148* 60,141 64,148* 68,140 74,146 78,138 76,124 82,114 86,98 80,92 70,90*", RED, bold=True), hatch("70,90* 80,92 86,98 82,114 76,124 78,138 74,146* 66,132 70,108", angle=180, gap=2.6, reach=9), brush("42,106 51,111 59,106", 1.5), brush("78,106 69,111 61,106", 1.5), *(brush(t, 1.1) for t in ("54,118 57,121 54,125", "66,118 63,121 66,125", "60,112 60,120 60,130")),
        # fork
        shape("23,58* 26,58* 30,160* 27,160*", OCHRE, bold=True), shape("16,42* 18,56* 24.4,60* 31,56* 32,41* 34,57 27,65 23,65 15,58", OCHRE, bold=True), shape("23,40* 25.4,40* 26,60* 23.4,60*", OCHRE, bold=True), limb("38,98 24,112 28,126", (13, 11, 8), RED, 20), people.fist(28, 128, turn=-60, mirror=True, scale=0.86), limb("82,98 96,110 90,92", (13, 11, 8), RED, 160), people.palm(91, 85, mirror=True, turn=-8, scale=0.9),
        place(shape("-9,-9* -16,-14 -20,-22 -17,-32* -13,-24 -8,-18 -3,-13*", OCHRE, bold=True), brush("-13,-14 -17,-20", 1), brush("-10,-16 -14,-23", 1), flip(shape("-9,-9* -16,-14 -20,-22 -17,-32* -13,-24 -8,-18 -3,-13*", OCHRE, bold=True), axis=0), shape("-9,-4* -18,-7 -19,-1 -9,3*", RED, bold=True), shape("9,-4* 18,-7 19,-1 9,3*", RED, bold=True),
              people.head(hair=None, tint=INK, beard="forked", look=0, brow=2, face=RED), x=60, y=72, scale=1.04),
        # the grieving woman
        place(shape("-13,-4* -4,-9 8,-6 14,2 20,16 24,28* -22,28* -20,14", GREEN, bold=True), hatch("0,-8 8,-6 14,2 20,16 24,28* 8,28*", angle=180, gap=2.6, reach=9), *(brush(t, 1.3) for t in ("-8,4 -12,16 -12,27", "0,2 -1,16 2,27")), limb("-8,-2 -14,6 -7,-8", (7, 6.4, 5)), place(people.head(hair="long", tint=OCHRE, brow=-1.6, look=-1), x=0, y=-18, turn=-16, scale=0.72), people.palm(-7, -11, turn=16, scale=0.56), limb("10,-2 15,10 2,16", (7, 6.4, 5)), x=60, y=167),
    ))


def tower() -> str:
    """A tower struck by fire from the sky; its crown topples and two people fall."""
    wall = "34,88* 82,84* 86,188* 30,188*"
    bricks = []
    for row, y in enumerate(range(96, 186, 10)):
        left, right = 34 - 4 * (y - 88) / 100, 82 + 4 * (y - 84) / 104
        bricks.append(line(f"{left},{y} {right},{y - 1.4}", 0.8))
        bricks += [line(f"{x},{y - 1 + .2} {x},{y + 8.8}", 0.8) for x in range(40 + 6 * (row % 2), 80, 12) if y < 176]
    window = "-5,9* -5,-3 0,-9 5,-3 5,9*"
    flame = "116,36* 96,40 104,50* 84,52 90,62* 66,64 72,76* 58,84 72,88* 84,78 82,70* 100,70 96,62* 114,62*"
    faller = (lambda coat, hose: "".join((limb("-4,20 -12,30 -6,40", (9, 7, 5), hose), limb("4,20 12,28 18,36", (9, 7, 5), hose), place(shape("3,-2* -3,-3* -9,3* 3,4*", OCHRE, 0.9), x=-7, y=41), place(shape("3,-2* -3,-3* -9,3* 3,4*", OCHRE, 0.9), x=19, y=37), shape("-7,-2* 7,-2* 10,16 13,26* 5,23* -1,27* -7,23* -12,25* -9,16", coat, bold=True), hatch("-7,-2* 7,-2* 10,16 13,26* 5,23* -12,25* -9,16", angle=180, gap=2.4, reach=6),
                                          limb("-6,1 -15,-6 -17,-16", (6.6, 6, 4.6), coat), limb("6,1 15,-5 17,-15", (6.6, 6, 4.6), coat), people.palm(-18, -19, scale=0.5), people.palm(18, -19, mirror=True, scale=0.5))))
    return "".join((
        *(disc(x, y, r, fill, 1) for x, y, r, fill in ((16, 48, 3, RED), (28, 64, 2.6, OCHRE), (14, 78, 2.8, BLUE), (20, 104, 2.6, RED), (102, 84, 3, BLUE), (108, 102, 2.6, OCHRE), (98, 118, 2.8, RED), (12, 128, 2.6, OCHRE), (106, 134, 2.4, BLUE), (38, 44, 2.4, BLUE), (98, 98, 2, RED), (30, 84, 2, OCHRE))),
        land.peaks(174), land.ground(172), shape(wall, PAPER, bold=True), *bricks, hatch(wall, angle=180, gap=3, reach=14, width=1.2), *(place(shape(window, INK), shape("-3,8* -3,-2 0,-6 3,-2 3,8*", BLUE, 0.8), x=x, y=y) for x, y in ((58, 108), (47, 136), (70, 136))), shape("49,188* 49,170 58,160 67,170 67,188*", INK), shape("52,188* 52,171 58,164 64,171 64,188*", OCHRE, 1), line("58,164 58,188", 0.9), line("52,176 64,176", 0.9),
        *(place(shape("0,0* -5,-8 -2,-14 -5,-22 2,-27 2,-20 6,-16 4,-8", fill, bold=True), x=x, y=90) for x, fill in ((40, RED), (50, OCHRE), (76, RED))),
        place(shape("-26,0* -28,-22* -20,-22* -20,-13* -13,-13* -13,-23* -4,-23* -4,-13* 4,-13* 4,-23* 13,-23* 13,-13* 20,-13* 20,-22* 28,-22* 26,0*", OCHRE, bold=True), hatch("4,-13* 4,-23* 13,-23* 13,-13* 20,-13* 20,-22* 28,-22* 26,0* 4,0*", angle=180, gap=2.6, reach=8), line("-27,-7 27,-7", 0.9), x=42, y=73, turn=-24),
        shape(flame, RED, bold=True), shape("116,42* 104,44 110,53* 92,56 97,64* 76,68 78,76* 68,82* 84,73 80,66* 102,65 98,57* 116,57*", OCHRE, 1), 
        place(faller(GREEN, RED), place(people.head(hair="curls", tint=OCHRE, brow=-1.6, neck=False), y=-14, scale=0.64), x=21, y=150, turn=158, scale=0.8), place(faller(RED, BLUE), place(people.head(hair="bob", tint=OCHRE, brow=-1.6, neck=False), y=-14, scale=0.64), x=98, y=158, turn=200, scale=0.8),
    ))


def star_card() -> str:
    """A woman kneels under seven stars and empties two jugs."""
    small = ((22, 52), (98, 52), (16, 80), (104, 78), (30, 100), (84, 98))
    water = "-2,172 20,168 44,172 60,169 84,172 122,168* 122,198* -2,198*"
    return "".join((
        land.peaks(160), land.ground(158), _bird_tree(), shape(water, BLUE, bold=True), *(brush(t, 1.3, fill=PAPER) for t in ("28,182 40,179 52,182", "50,187 64,184 78,187", "66,180 78,177 88,180", "34,192 48,189 62,192", "72,192 82,189 92,192")),
        *(star(x, y, 8, 7.4, 3, BLUE if i % 2 else RED, cut=False) for i, (x, y) in enumerate(small)), star(60, 64, 16, 26, 12.6, OCHRE), place(star(0, 0, 8, 13, 6, RED), x=60, y=64),
        # kneeling woman
        limb("72,150 90,151 96,164 78,171", (18, 16, 11, 8)), limb("64,148 50,157 54,170 70,176", (17, 14, 10, 8)), place(shape(_BARE_FOOT, FLESH, bold=True), x=80, y=174, turn=6, mirror=True),
        shape("58,104* 50,106 44,112 44,124 50,136 54,150 60,158 76,160 84,150 80,138 78,124 78,112 72,105 66,103*", FLESH, bold=True), hatch("66,103* 72,105 78,112 78,124 80,138 84,150 76,160 68,140", angle=180, gap=2.6, reach=8), brush("45,122 51,127 58,124", 1.2), brush("76,122 68,127 61,124", 1.2), disc(62, 142, 0.9, INK, bare=True),
        shape("56,152 66,148 78,152 86,150* 92,160 84,168 70,164 60,170 52,162", GREEN, bold=True), hatch("66,148 78,152 86,150* 92,160 84,168 72,160", angle=180, gap=2.6, reach=7),
        limb("48,112 32,118 24,128", (10, 9, 6)), limb("76,112 90,117 98,127", (10, 9, 6), FLESH, 160),
        shape("11,147* 9,156 8,176* 12,181 17,176* 15,160 16,148*", PAPER, bold=True), brush("12.6,152 11.6,164 12.4,175", 1.1), place(jug(0, 0, RED, scale=1.12), x=20, y=138, turn=-64), people.fist(24, 130, turn=108, scale=0.74),
        shape("104,147* 105,160 103,176* 108,181 112,176* 111,156 109,147*", PAPER, bold=True), brush("107,152 108,164 107.4,175", 1.1), flip(place(jug(0, 0, RED, scale=1.12), x=22, y=138, turn=-64)), people.fist(97, 130, turn=-108, mirror=True, scale=0.74),
        place(people.head(hair="long", tint=OCHRE, look=-1.4), x=61, y=92, turn=-5, scale=0.88),
    ))


def _bird_tree() -> str:
    """A young tree on the bank with a black bird on top."""
    return place(
        shape("-1.4,30* -1,4* 1.4,4* 2,30*", OCHRE, bold=True), shape("0,10 -9,6 -11,-3 -6,-9 -5,-16 1,-20 7,-15 9,-7 12,1 8,8", GREEN, bold=True),
        hatch("1,-20 7,-15 9,-7 12,1 8,8 2,0", angle=180, gap=2.4, reach=7), shape("-5,-19* -9,-23* -2,-25 1,-29 5,-29 7,-26* 11,-25* 7,-24 4,-19 0,-18*", INK), x=106, y=124,
    )


def moon() -> str:
    """The moon over a serenade: a man with a lute below a balcony, a lady listening."""
    house = "74,86* 116,86* 116,196* 74,196*"
    lute = "".join((
        shape("-14,0 -12,-8 -4,-11 6,-7 14,-2* 14,2* 6,7 -4,11 -12,8", OCHRE, bold=True), hatch("-14,0 -4,0 14,2* 6,7 -4,11 -12,8", angle=-90, gap=2.4, reach=6), disc(-1, 0, 3, INK), shape("13,-2* 34,-1.6* 34,1.6* 13,2*", RED, bold=True), shape("34,-2.4* 41,-7* 43,-4* 36,2*", RED, bold=True), *(line(f"-9,{y} 34,{y * .6}", 0.6) for y in (-1.4, 0, 1.4)), shape("-11,-3* -8.6,-3* -8.6,3* -11,3*", INK),
    ))
    return "".join((
        rays(54, 62, 24, 34, 19, (OCHRE, BLUE)), moon_face(54, 62, 20), *(place(shape("0,-3.4 2,1 0,3 -2,1", fill, 0.8), x=x, y=y) for x, y, fill in ((14, 56, RED), (22, 76, OCHRE), (14, 94, BLUE), (34, 98, RED), (48, 106, OCHRE), (66, 100, BLUE), (90, 54, RED), (100, 66, OCHRE), (92, 76, BLUE), (24, 44, BLUE), (84, 42, OCHRE))),
        land.peaks(168), land.ground(166),
        # house with balcony
        shape(house, PAPER, bold=True), hatch(house, angle=180, gap=3.4, reach=8), shape("68,88* 78,72* 118,72* 118,88*", RED, bold=True), *(line(t, 0.9) for t in ("76,80 118,80", "84,72 80,80", "94,72 91,80", "104,72 102,80", "88,80 86,88", "98,80 97,88", "108,80 108,88")), shape("83,132* 83,104 95,94 107,104 107,132*", INK), shape("85,132* 85,105 95,97 105,105 105,132*", BLUE, 0.9),
        place(gown(0, 0, RED, OCHRE, OCHRE, tall=60), x=95, y=118, scale=0.7), place(people.head(hair="long", tint=OCHRE, look=-1.6), x=95, y=107, scale=0.7), limb("88,122 81,128 86,133", (7, 6, 4.4), RED), limb("102,122 109,128 104,133", (7, 6, 4.4), RED),
        shape("72,132* 118,132* 118,137* 72,137*", OCHRE, bold=True), *(shape(f"{x},137* {x + 3.4},137* {x + 2.6},141 {x + 3.8},145 {x + 2.4},150* {x + 1},150* {x - .4},145 {x + .8},141", PAPER, 0.9) for x in range(75, 116, 7)), shape("70,150* 118,150* 118,156* 74,156*", OCHRE, bold=True), shape("76,156* 82,156* 76,166*", GREEN, bold=True), place("".join(shape(f"{x},{y}* {x - 4},{y + 5} {x},{y + 10} {x + 4},{y + 5}", GREEN, 0.8) for x, y in ((86, 156), (92, 160), (98, 156), (104, 162), (110, 157))), x=0, y=0), shape("88,196* 88,178 96,170 104,178 104,196*", INK), shape("91,196* 91,179 96,174 101,179 101,196*", GREEN, 0.9),
        # the lover with his lute
        tunic(38, 112, GREEN, (RED, BLUE), OCHRE, stride=6), shape("30,112* 22,120 18,140 14,164* 24,160 30,140", RED, bold=True), hatch("30,112* 22,120 18,140 14,164* 22,150", gap=2.8, reach=6),
        place(lute, x=36, y=139, turn=-24), limb("27,118 18,132 31,141", (10, 9, 6), GREEN, 20), people.palm(34, 142, turn=60, mirror=True, scale=0.66), limb("49,118 60,132 62,129", (10, 9, 6), GREEN, 160), people.fist(61, 128, turn=60, mirror=True, scale=0.66), shape("30,112* 38,119 46,112* 42,108 34,108", PAPER, 1),
        place(people.head(hair="bob", tint=OCHRE, look=1.8, brow=-0.6), x=38, y=97, turn=8, scale=0.86), place(shape("-13,3 -11,-3 -4,-5 6,-4 14,-6 15,-1 9,1.6 0,.4 -8,1.4", RED, bold=True), shape("-9,-3* -8,-10 0,-13 8,-9 9,-4*", RED, bold=True), shape("-6,-6* -14,-12 -24,-12 -29,-4* -22,-6 -14,-4 -8,0*", OCHRE, bold=True), x=38, y=88, turn=8, scale=0.88),
    ))


def sun() -> str:
    """The sun above two children before a wall."""
    def child(mirror: bool) -> str:
        return place(
            limb("-4,26 -8,40 -8,54", (11, 9, 6)), limb("5,26 10,40 9,54", (11, 9, 6)), place(shape(_BARE_FOOT, FLESH, bold=True), x=-9, y=54, scale=0.74), place(shape(_BARE_FOOT, FLESH, bold=True), x=10, y=54, scale=0.74, mirror=True), shape("-8,-2* -12,2 -10,14 -11,26* 12,26* 10,14 12,2 8,-2*", FLESH, bold=True), hatch("2,-2 8,-2* 12,2 10,14 12,26* 4,26*", angle=180, gap=2.4, reach=5), disc(0, 17, 0.8, INK, bare=True), brush("-7,6 -4,8 -1,7", 0.9), brush("7,6 4,8 1,7", 0.9),
            shape("-12,20* 0,23.6 13,20* 14,30* 8,33* 4,29* -1,34* -6,29* -11,33* -13.6,29*", BLUE if mirror else RED, bold=True), limb("-10,3 -17,12 -13,22", (8, 7, 5)), place(people.head(hair="curls", tint=OCHRE, look=1.6), x=0, y=-15, scale=0.8), x=78 if mirror else 42, y=130, mirror=mirror)
    wall = "-2,158* 122,156* 122,176* -2,178*"
    drops = ((14, 92), (28, 104), (44, 98), (60, 106), (78, 98), (92, 104), (106, 92), (20, 118), (100, 118), (12, 134), (108, 134))
    return "".join((
        rays(60, 68, 24, 50, 20, (OCHRE, RED)), sun_face(60, 68, 23), *(place(shape("0,-4 2.2,1 0,3.4 -2.2,1", (RED, OCHRE, BLUE)[i % 3], 0.8), x=x, y=y) for i, (x, y) in enumerate(drops)),
        land.ground(172), shape(wall, OCHRE, bold=True), shape("-2,154* 122,152* 122,159* -2,161*", RED, bold=True), *(line(f"-2,{y} 122,{y - 2}", 0.8) for y in (167, 173)), *(line(f"{x},{y} {x},{y + 6}", 0.8) for x, y in ((10, 161), (30, 161), (50, 160.6), (70, 160), (90, 160), (110, 159.6), (20, 167), (40, 166.6), (60, 166), (80, 166), (100, 165.6))), land.tuft(16, 192), land.tuft(104, 192, mirror=True), land.tuft(60, 193, 0.8),
        child(False), child(True), limb("51,133 55,145 60,152", (8, 7, 5)), limb("69,133 65,145 60,152", (8, 7, 5)), people.fist(60, 153, turn=90, scale=0.56),
    ))


def judgement() -> str:
    """An angel blows the trumpet from the clouds and the dead rise from their graves."""
    flag = "10,3* 32,3* 32,27* 21,22* 10,27*"
    horn = "".join((
        shape(flag, RED, bold=True), shape("19,6* 23,6* 23,10.4* 27.6,10.4* 27.6,14.6* 23,14.6* 23,19* 19,19* 19,14.6* 14.4,14.6* 14.4,10.4* 19,10.4*", PAPER, 0.7),
        shape("-6,-2* 28,-2.4* 36,-4.6 45,-10* 45,10* 36,4.6 28,2.4* -6,2*", OCHRE, bold=True), shape("45,-10 49,0 45,10 42,0", RED, 1), line("8,-2.4 8,2.4", 1), line("30,-2.6 30,2.6", 1),
    ))
    cloud = "-4,98 4,88 14,90 20,82 32,88 42,84 52,92 64,88 76,94 90,90 100,94 108,88 124,94 124,106 110,104 98,108 84,103 70,108 56,103 42,108 28,103 12,108 -4,106"
    tomb = "-22,0* 22,0* 25,28* -25,28*"
    return "".join((
        *(place(shape("-2,-34* 0,-88* 2,-34*", OCHRE if i % 2 else RED, 0.7), x=46, y=80, turn=-96 + 12 * i) for i in range(17)),
        land.peaks(158), land.ground(156), *(place(shape("-1.6,-14* 0,-34* 1.6,-14*", OCHRE if i % 2 else RED, 0.7), x=60, y=96, turn=112 + 15 * i) for i in range(10)),
        wing(54, 84, "blue", scale=1.06), wing(38, 84, "blue", mirror=True, scale=1.0),
        shape("36,79* 41,75 51,75 56,79* 62,92 62,104* 30,104* 30,92", RED, bold=True), hatch("46,75 51,75 56,79* 62,92 62,104* 50,104*", angle=180, gap=2.4, reach=7),
        limb("35,82 44,96 60,82", (10, 9, 6), RED, 150), place(people.head(hair="curls", tint=OCHRE, look=1.8), x=46, y=60, scale=0.92),
        shape(cloud, PAPER, bold=True), hatch(cloud, angle=-90, gap=3.6, reach=6), *(brush(t, 1.3) for t in ("12,97 20,90 28,95", "70,100 77,95 85,99", "94,100 101,95 109,98")),
        place(horn, x=57, y=68, turn=26), limb("55,82 66,92 72,82", (10, 9, 6), RED, 160), people.fist(72, 76, turn=118, scale=0.72), people.fist(61, 74, turn=-50, mirror=True, scale=0.72),
        # the risen
        nude(27, 140), nude(93, 140, woman=False),
        *(place(shape(tomb, PAPER, bold=True), hatch(tomb, angle=180, gap=2.8, reach=14), shape("-25,-3* 25,-3* 25,3* -25,3*", OCHRE, bold=True), line("-14,10 14,10", 0.8), line("-14,24 14,24", 0.8), line("-14,10 -14,24", 0.8), line("14,10 14,24", 0.8), x=x, y=169) for x in (26, 94)),
        limb("14,146 9,134 16,122", (8, 7, 5), FLESH, 10), people.palm(17, 118, mirror=True, scale=0.62), limb("39,146 46,156 36,163", (8, 7, 5), FLESH, 160), people.palm(34, 162, turn=-30, scale=0.6), limb("108,146 112,134 105,122", (8.6, 7.4, 5), FLESH, 160), people.palm(104, 118, scale=0.62), limb("78,146 72,156 84,163", (8.6, 7.4, 5), FLESH, 20), people.palm(86, 162, mirror=True, turn=30, scale=0.6),
        place(people.head(hair="long", tint=OCHRE, look=1.6), x=27, y=127, scale=0.78), place(people.head(hair="short", tint=PAPER, beard="curly", look=-1.6), x=93, y=127, scale=0.78),
        nude(60, 158), place(shape(tomb, PAPER, bold=True), hatch(tomb, angle=180, gap=2.8, reach=14), shape("-24,-3* 24,-3* 24,3* -24,3*", OCHRE, bold=True), x=60, y=183, scale=0.82),
        limb("47,164 44,174 57,170", (7, 6, 4.6)), limb("73,164 76,174 63,170", (7, 6, 4.6)), people.palm(57, 165, turn=46, mirror=True, scale=0.56), people.palm(63, 165, turn=-46, scale=0.56), place(people.head(hair="bob", tint=RED, look=0, brow=-0.6), x=60, y=145, scale=0.78),
    ))


def world() -> str:
    """A dancer in a wreath; angel, eagle, lion and bull in the corners."""
    leaves = []
    for i in range(30):
        a = 2 * math.pi * i / 30
        x, y = 31 * math.sin(a), -56 * math.cos(a)
        slope = math.degrees(math.atan2(56 * math.sin(a), 33 * math.cos(a)))
        leaves.append(place(shape("-2,0* 2,-6 9,-8 15,-3* 9,1 3,2", GREEN, 0.9), shape("-2,0* 2,6 9,8 15,3* 9,-1 3,-2", GREEN, 0.9), brush("0,0 9,-4 14,-3", 0.8), x=x, y=y, turn=slope))
    bands = "".join(place(shape("-8,-3.4* 8,-3.4* 8,3.4* -8,3.4*", RED, bold=True), line("-3,-3.4 3,3.4", 0.9), line("-7,-3.4 -1,3.4", 0.9), line("1,-3.4 7,3.4", 0.9), x=x, y=y, turn=t) for x, y, t in ((60, 57.5, 90), (60, 171.5, 90), (29, 114.5, 0), (91, 114.5, 0)))
    angel = "".join((wing(3, 8, "blue", scale=0.42), wing(-3, 8, "blue", mirror=True, scale=0.42), shape("-11,9* -5,4 5,4 11,9* 13,20* -13,20*", RED, bold=True), place(people.head(hair="curls", tint=OCHRE, look=1), y=-4, scale=0.66)))
    bull = "".join((
        shape("-7,-9* -15,-12 -19,-20* -12,-17 -5,-13*", PAPER, bold=True), shape("7,-9* 15,-12 19,-20* 12,-17 5,-13*", PAPER, bold=True), shape("-8,-5* -17,-6 -17,0 -8,2*", RED, bold=True), shape("8,-5* 17,-6 17,0 8,2*", RED, bold=True),
        shape("-9,-10 0,-13 9,-10 9,0 6.4,9 7.4,15 4,19 -4,19 -7.4,15 -6.4,9 -9,0", RED, bold=True), hatch("0,-13 9,-10 9,0 6.4,9 7.4,15 4,19 1,4", angle=180, gap=2.2, reach=6), shape("-7,12 0,9.4 7,12 6,18 0,20 -6,18", PAPER, 1), disc(-3, 14.6, 1.1, INK, bare=True), disc(3, 14.6, 1.1, INK, bare=True), line("-3,17.6 3,17.6", 0.8),
        *(shape(f"{s * 5 - 2.6},-1.6* {s * 5},-3.6 {s * 5 + 2.6},-1.6* {s * 5},0", PAPER, 0.7) + disc(s * 5, -1.8, 1.1, INK, bare=True) for s in (-1, 1)), brush("-4,-12 -1,-7 0,-10 2,-6 4,-12", 1.6),
    ))
    return "".join((
        land.cloud(20, 66, 0.9), land.cloud(100, 66, 0.9, mirror=True), place(angel, x=22, y=54), eagle(99, 56, 0.6, mirror=True), place(bull, x=24, y=172, scale=0.8), lion(96, 172, 0.66),
        place(*leaves, x=60, y=114.5), bands,
        limb("62,128 68,146 64,166", (13, 10, 6)), limb("56,128 52,144 66,152", (13, 10, 6)), place(shape("3,-3* -3,-3.4* -6,3 -9,8* -3,7 4,3*", FLESH, bold=True), x=64, y=166, turn=-10), place(shape("3,-2* -3,-3* -8,1 -12,3* -4,4 3,3.6*", FLESH, bold=True), x=68, y=152, mirror=True, scale=0.8),
        place(nude(0, 0), x=59, y=96, scale=0.78), shape("48,98* 42,108 46,122 56,128 68,126 76,132 72,142* 80,134 78,124 68,119 56,120 50,112 52,102*", BLUE, bold=True), hatch("56,128 68,126 76,132 72,142* 80,134 78,124 68,119", angle=90, gap=2.6, reach=5),
        limb("49,101 40,106 40,94", (7.4, 6.4, 4.6)), limb("69,101 78,108 80,98", (7.4, 6.4, 4.6), FLESH, 160), shape("39,78* 41,78* 42,98* 40,98*", OCHRE, 0.9), shape("79,82* 81,82* 82,102* 80,102*", OCHRE, 0.9), disc(40, 77, 2, RED, 0.9), disc(80, 81, 2, RED, 0.9), people.fist(41, 92, turn=100, scale=0.55), people.fist(80.6, 96, turn=80, mirror=True, scale=0.55),
        place(people.head(hair="long", tint=OCHRE, look=-1.2), x=59, y=85, turn=-4, scale=0.74),
    ))
