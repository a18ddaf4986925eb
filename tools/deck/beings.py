"""Limbs, gowns, wings, beasts and heavenly bodies from which the scenes of the trumps are put together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tools.deck.palette import BLUE, FLESH, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, flip, group, hatch, line, place, shaded, shape, tag, track

__all__ = [
    "definitions",
    "dog",
    "eagle",
    "gown",
    "jug",
    "limb",
    "limb_track",
    "lion",
    "moon_face",
    "nude",
    "rays",
    "star",
    "star_track",
    "sun_face",
    "tunic",
    "wing",
]


def definitions() -> Iterator[str]:
    """Yield the parts that several trumps share."""
    yield group(_eagle(), id="eagle")
    yield group(_wing(RED), id="wing-red")
    yield group(_wing(BLUE), id="wing-blue")


def limb_track(text: str, widths: Sequence[float]) -> str:
    """Return the outline of an arm or leg along a centre line; `widths` has one full width per point."""
    knots = track(text)
    left, right = [], []
    for i, (knot, width) in enumerate(zip(knots, widths, strict=True)):
        before, after = knots[max(0, i - 1)], knots[min(len(knots) - 1, i + 1)]
        dx, dy = after.x - before.x, after.y - before.y
        size = math.hypot(dx, dy) or 1
        ox, oy = -dy / size * width / 2, dx / size * width / 2
        star_ = "*" if i in (0, len(knots) - 1) else ""
        left.append(f"{knot.x + ox:.1f},{knot.y + oy:.1f}{star_}")
        right.append(f"{knot.x - ox:.1f},{knot.y - oy:.1f}{star_}")
    return " ".join([*left, *reversed(right)])


def limb(text: str, widths: Sequence[float], fill: str = FLESH, shade: float = 180) -> str:
    """Draw an arm, a leg or a sleeve along a centre line, shaded from direction `shade`."""
    outline = limb_track(text, widths)
    return shape(outline, fill, bold=True) + hatch(
        outline, angle=shade, gap=2.5, reach=min(6, max(widths) * 0.45), width=0.9
    )


def gown(x: float, y: float, fill: str, belt: str, hem: str, tall: float = 100, sway: float = 0) -> str:
    """Draw a standing woman's dress: collar at (x, y), hem `tall` units below, leaning by `sway` at the hem."""
    b, s = tall, sway
    skirt = (
        f"-11,36* {-16 + s * 0.4},{b * 0.58:.1f} {-21 + s * 0.7},{b * 0.8:.1f} {-27 + s},{b}* {-14 + s},{b + 3} {s},{b - 0.6} {13 + s},{b + 3} {26 + s},{b}* "
        f"{20 + s * 0.7},{b * 0.8:.1f} {15 + s * 0.4},{b * 0.58:.1f} 11,36*"
    )
    bodice = "-8,1* 0,8 8,1* 15,6 13,18 10,30 11.4,39* -11.4,39* -10,30 -13,18 -15,6"
    edge = f"{-27 + s},{b}* {-14 + s},{b + 3} {s},{b - 0.6} {13 + s},{b + 3} {26 + s},{b}* {24 + s},{b - 6}* {12 + s},{b - 2.6} {s},{b - 6.4} {-13 + s},{b - 2.6} {-25 + s},{b - 6}*"
    return place(
        shaded(skirt, fill, angle=180, gap=3, reach=10, width=1.1),
        *(
            brush(t, 1.6)
            for t in (
                f"-5,42 {-8 + s * 0.4},{b * 0.6:.1f} {-9 + s * 0.7},{b * 0.8:.1f} {-13 + s},{b - 3}",
                f"1,44 {s * 0.4},{b * 0.62:.1f} {1 + s * 0.7},{b * 0.84:.1f} {s},{b - 7}",
                f"6,42 {8 + s * 0.4},{b * 0.62:.1f} {8 + s * 0.7},{b * 0.8:.1f} {12 + s},{b - 3}",
            )
        ),
        shape(edge, hem, bold=True),
        shaded(bodice, fill, angle=180, gap=2.6, reach=7),
        shape("-8,1 0,8 8,1 9,6 0,14 -9,6", hem, 1),
        shape("-11,34* 0,37 11,34* 11.6,39.6* 0,43 -11.6,39.6*", belt, bold=True),
        brush("-5,14 -6,22 -3,28", 1),
        brush("5,14 6,22 3,28", 1),
        x=x,
        y=y,
    )


def tunic(
    x: float, y: float, coat: str, hose: tuple[str, str], shoes: str, belt: str = OCHRE, stride: float = 8
) -> str:
    """Draw a standing man in tunic and hose: collar at (x, y), soles about 98 units below; `stride` parts the feet."""
    body = (
        "-9,0* 0,6 9,0* 16,8 13,24 14,34* 19,52* 12,50* 9,54* 3,51* -2,55* -8,51* -13,54* -19,51* -14,34* -13,24 -16,8"
    )
    return place(
        limb(f"-6,46 -8,64 {-6 - stride * 0.6},76 {-6 - stride},92", (13, 10.4, 9, 7), hose[0]),
        limb(f"6,46 8,64 {6 + stride * 0.6},76 {6 + stride},92", (13, 10.4, 9, 7), hose[1]),
        place(shape("3.6,-3* -3,-3.4* -8,1 -15,4.4* -6,5.6 4.6,5.2*", shoes, bold=True), x=-6 - stride, y=94),
        place(
            shape("3.6,-3* -3,-3.4* -8,1 -15,4.4* -6,5.6 4.6,5.2*", shoes, bold=True), x=6 + stride, y=94, mirror=True
        ),
        shaded(body, coat, angle=180, gap=2.8, reach=8, width=1.1),
        *(
            brush(t, 1.3)
            for t in ("-8,34 -11,44 -12,52", "0,36 0,44 -2,53", "8,34 10,43 9,52", "-6,8 -7,18 -5,25", "7,8 8,18 6,25")
        ),
        shape("-14,26* 0,30 14,26* 14.6,33* 0,37 -14.6,33*", belt, bold=True),
        *(disc(0, v, 1.4, belt, 0.9) for v in (11, 17, 23)),
        x=x,
        y=y,
    )


def nude(x: float, y: float, woman: bool = True) -> str:
    """Draw a bare trunk: neck at (x, y), hips 42 units below."""
    trunk = (
        "-5,-4* -6,2 -14,4 -16,10 -12,18 -10,26 -13,36 -14,44* 14,44* 13,36 10,26 12,18 16,10 14,4 6,2 5,-4*"
        if woman
        else "-6,-4* -7,2 -16,4 -18,10 -14,20 -12,28 -13,36 -13,44* 13,44* 13,36 12,28 14,20 18,10 16,4 7,2 6,-4*"
    )
    chest = (
        brush("-11,14 -7,19 -2,16", 1.2) + brush("11,14 7,19 2,16", 1.2)
        if woman
        else brush("-11,13 -6,16.6 0,14.6 6,16.6 11,13", 1.2) + brush("0,16 .6,24 0,30", 0.9)
    )
    return place(shaded(trunk, FLESH, angle=180, gap=2.6, reach=6), chest, disc(0, 31, 0.8, INK, bare=True), x=x, y=y)


def _wing(tint: str) -> str:
    """A wing rising to the right from (0, 0): 40 wide, from 40 above to 24 below."""
    outline = "0,0* 3,-14 11,-28 23,-37 35,-40 41,-36 40,-30* 42,-22 39,-17* 40,-9 36,-5* 36,3 31,6* 30,13 25,15* 23,21 17,21* 12,22 8,16 3,10"
    coverts = "0,0* 3,-14 11,-28 23,-37 35,-40 41,-36 36,-33 28,-27 26,-20* 22,-18 20,-11* 16,-9 14,-2* 10,1 8,6* 4,6"
    return "".join(
        (
            shape(outline, PAPER, bold=True),
            *(
                brush(t, 1.2, start=0.8)
                for t in (
                    "26,-20 34,-21 39,-17",
                    "20,-11 29,-9 36,-5",
                    "14,-2 24,3 31,6",
                    "8,6 17,12 25,15",
                    "30,-27 36,-30 40,-30",
                    "6,10 11,17 17,21",
                )
            ),
            *(brush(t, 0.8) for t in ("28,-23 35,-25", "24,-14 33,-14", "18,-5 28,-2", "12,3 22,9")),
            shaded(coverts, tint, angle=60, gap=3, reach=8, width=1.1),
        )
    )


def wing(x: float, y: float, tint: str = "red", mirror: bool = False, turn: float = 0, scale: float = 1) -> str:
    """A red or blue wing that rises to the right of (x, y), to the left if mirrored."""
    return place(tag("use", href=f"#wing-{tint}"), x=x, y=y, mirror=mirror, turn=turn, scale=scale)


def _eagle() -> str:
    """A heraldic eagle about (0, 0), 44 wide and 40 high, black as on coats of arms."""
    side = "2,-6* 6,-14 14,-20 20,-19 22,-13* 20,-8* 22,-4 19,0* 20,5 16,7* 16,12 12,12* 8,8 4,6*"
    return "".join(
        (
            shape(side, INK, bold=True),
            flip(shape(side, INK, bold=True), axis=0),
            *(
                line(t, 0.8, PAPER)
                for t in (
                    "8,-10 19,-12",
                    "8,-5 18,-3",
                    "7,0 16,4",
                    "6,4 12,9",
                    "-8,-10 -19,-12",
                    "-8,-5 -18,-3",
                    "-7,0 -16,4",
                    "-6,4 -12,9",
                )
            ),
            shape("-4,10* -8,20* -3,17* 0,22* 3,17* 8,20* 4,10*", INK),
            line("-2,12 -3,16", 0.7, PAPER),
            line("2,12 3,16", 0.7, PAPER),
            line("0,12 0,18", 0.7, PAPER),
            line("-5,9 -9,13", 1.8, OCHRE),
            line("5,9 9,13", 1.8, OCHRE),
            *(line(t, 1, OCHRE) for t in ("-9,13 -12,13", "-9,13 -10,16", "9,13 12,13", "9,13 10,16")),
            shape("0,-10 5,-6 6,2 4,10 0,13 -4,10 -6,2 -5,-6", INK),
            *(line(t, 0.7, PAPER) for t in ("-3,-3 0,-1.6 3,-3", "-3.4,2 0,3.6 3.4,2", "-2.4,7 0,8.4 2.4,7")),
            shape("-3,-8* -3.6,-14 -.4,-18 3.6,-17* 9,-14* 5,-13.4* 4,-8*", INK),
            shape("3.6,-17* 9.4,-13.6* 8,-12.4* 4,-14*", OCHRE, 0.7),
            disc(1.4, -14.8, 1.1, PAPER, bare=True),
        )
    )


def eagle(x: float, y: float, scale: float = 1, mirror: bool = False) -> str:
    """A black eagle about (x, y); its head looks to the right, to the left if mirrored."""
    return place(tag("use", href="#eagle"), x=x, y=y, scale=scale, mirror=mirror)


def star_track(points: int, outer: float, inner: float, turn: float = -90) -> str:
    """Return the outline of a star about (0, 0)."""
    words = []
    for i in range(points * 2):
        radius, angle = (outer, inner)[i % 2], math.radians(turn + 180 * i / points)
        words.append(f"{radius * math.cos(angle):.1f},{radius * math.sin(angle):.1f}*")
    return " ".join(words)


def star(x: float, y: float, points: int, outer: float, inner: float, fill: str, cut: bool = True) -> str:
    """Draw a star; `cut` gives each ray a lit and a shaded side."""
    parts = [shape(star_track(points, outer, inner), fill, bold=True)]
    if cut:
        for i in range(points):
            a, b = math.radians(360 * i / points - 90), math.radians(360 * (i + 0.5) / points - 90)
            parts.append(
                shape(
                    f"0,0* {outer * math.cos(a):.1f},{outer * math.sin(a):.1f}* {inner * math.cos(b):.1f},{inner * math.sin(b):.1f}*",
                    PAPER,
                    0.6,
                )
            )
        parts.append(shape(star_track(points, outer, inner), None, 1.1))
    return place(*parts, x=x, y=y)


def rays(x: float, y: float, count: int, outer: float, inner: float, fill: tuple[str, str]) -> str:
    """Draw alternate straight and wavy rays around a heavenly body."""
    parts = []
    for i in range(count):
        if i % 2 == 0:
            ray = shape(f"-3.4,{-inner}* 0,{-outer}* 3.4,{-inner}*", fill[0], bold=True) + line(
                f"0,{-inner} 0,{-outer + 5}", 0.7
            )
        else:
            far = outer * 0.93
            ray = shape(
                f"-3,{-inner}* -4.4,{-inner - (far - inner) * 0.35} -1,{-inner - (far - inner) * 0.7} -2,{-far}* 2.2,{-inner - (far - inner) * 0.66} -.4,{-inner - (far - inner) * 0.34} 3,{-inner}*",
                fill[1],
                1,
            )
        parts.append(place(ray, turn=360 * i / count))
    return place(*parts, x=x, y=y)


def sun_face(x: float, y: float, radius: float) -> str:
    """Draw the full round face of the sun."""
    r = radius / 18
    return place(
        disc(0, 0, 18, OCHRE, 1.5),
        hatch("0,-18 12.7,-12.7 18,0 12.7,12.7 0,18 3,10 6,0 4,-10", angle=180, gap=2.2, reach=5, width=1),
        *(
            shape(f"{s * 6 - 3.6},-3* {s * 6},-5.6 {s * 6 + 3.6},-3* {s * 6},-1", PAPER, 0.8)
            + disc(s * 6, -3.2, 1.5, INK, bare=True)
            + brush(f"{s * 6 - 4.4},-2.8 {s * 6},-6 {s * 6 + 4.4},-2.8", 1.6, start=0.4, end=0.4)
            + brush(f"{s * 2},-7 {s * 6},-10 {s * 11},-7", 1.8)
            for s in (-1, 1)
        ),
        brush("-1.4,-7 -1.6,-1 -3.4,4 1,5.4 3.4,4", 1.6, start=0.4),
        shape("-5,9* -2,7.6 0,8.4 2,7.6 5,9* 0,12.4", RED, 0.9),
        line("-5,9 0,9.6 5,9", 0.9),
        brush("-2.6,14.2 0,15 2.6,14.2", 1),
        disc(-11, 4, 2.6, RED, bare=True),
        disc(11, 4, 2.6, RED, bare=True),
        x=x,
        y=y,
        scale=r,
    )


def moon_face(x: float, y: float, radius: float) -> str:
    """Draw a crescent whose face looks to the left."""
    outline = "6,-17.6* -3,-18.6 -12,-14 -18,-4 -17.6,6 -11,15 -2,18.6 6,17.6* 0,14.4 -3,11.4* -5.4,10 -4.4,8* -6.4,6.6 -4.6,5* -8.6,2.6 -5,-4* -4.4,-8 -1,-13"
    return place(
        disc(0, 0, 18.6, BLUE, 1.3),
        *(hatch("0,-18 12.7,-12.7 18,0 12.7,12.7 0,18", angle=180, gap=2.4, reach=9, width=1.1),),
        flip(
            shaded(outline, PAPER, angle=0, gap=2.2, reach=5),
            brush("-10.6,-2.6 -8,-4.4 -5,-3.2", 1.3),
            disc(-7.4, -2.6, 1.3, INK, bare=True),
            brush("-11,-7 -7,-8.4 -4.6,-6.6", 1.4),
            brush("-9,8 -7,7.6 -5.4,6.8", 1.1),
            disc(-11, 4, 2, RED, bare=True),
            axis=0,
        ),
        x=x,
        y=y,
        scale=radius / 18.6,
    )


def jug(x: float, y: float, fill: str, turn: float = 0, scale: float = 1) -> str:
    """Draw a jug standing about (x, y), 14 wide and 22 high, its spout to the left."""
    body = "-4,-8* -6,-4 -7.4,2 -5,8 -4,11* 4,11* 5,8 7.4,2 6,-4 4,-8*"
    return place(
        shape("4,-8* 10,-9 11,-2 6,4* 6,1 8,-3 7,-6 4,-5*", OCHRE),
        shaded(body, fill, angle=180, gap=2.2, reach=5),
        shape("-7,-11.4* -3,-10.6 4.4,-11* 4,-7.6* -4,-7.6*", OCHRE, bold=True),
        shape("-6.8,-1* 0,.6 6.8,-1* 7.2,2.4* 0,4 -7.2,2.4*", OCHRE, 0.8),
        x=x,
        y=y,
        turn=turn,
        scale=scale,
    )


def dog(x: float, y: float, fill: str = PAPER, mirror: bool = False) -> str:
    """Draw a dog leaping up to the left: hind feet near (30, 0), nose near (-6, -34)."""
    body = "-5,-34* -1,-39 5,-41 9,-38 12,-30 20,-24 28,-18 34,-10 33,-4 36,0* 28,0* 28,-5 24,-7 19,-10 12,-12 6,-17 3,-22 2,-27 -3,-29*"
    return place(
        shape("31,-13* 38,-20 43,-29 40,-31* 36,-23 28,-17*", fill, bold=True),
        limb("22,-14 19,-8 22,-1", (8, 5.4, 4.6), fill),
        shaded(body, fill, angle=200, gap=2.6, reach=6),
        limb("8,-21 1,-19 -6,-22", (7, 5, 4), fill),
        limb("12,-16 5,-12 -1,-13", (7, 5, 4), fill),
        shape("5,-40* 10,-44 13,-37 10,-32*", INK),
        disc(2.4, -36.4, 1.1, INK, bare=True),
        disc(-4.6, -33.6, 1.3, INK, bare=True),
        line("-4,-30.6 1,-31", 0.9),
        shape("5,-30* 10,-33* 12,-28* 6,-25*", RED, 0.9),
        x=x,
        y=y,
        mirror=mirror,
    )


def lion(x: float, y: float, scale: float = 1, mirror: bool = False) -> str:
    """Draw a lion's maned head that looks to the left, jaws open, about (0, 0), 44 across."""
    mane = " ".join(
        f"{(20 + (3 if i % 2 else -2.6)) * math.cos(math.radians(i * 18)) + 3:.1f},{(21 + (3 if i % 2 else -2.6)) * math.sin(math.radians(i * 18)):.1f}{'*' if i % 2 else ''}"
        for i in range(20)
    )
    head = "-4,-13* 4,-14 11,-9 13,0 11,9 4,14 -5,15 -11,13.6* -9,10 -4,9 0,5* -5,3 -13,3.4 -17,1 -16,-4 -11,-7"
    return place(
        shape(mane, RED, bold=True),
        *(
            brush(
                f"{13 * math.cos(a) + 3:.1f},{14 * math.sin(a):.1f} {20 * math.cos(a + 0.12) + 3:.1f},{21 * math.sin(a + 0.12):.1f}",
                1.5,
            )
            for a in (math.radians(18 * i + 9) for i in range(20))
        ),
        shape("-11,3* -4,3.6 0,5* -4,9 -9,10.4*", INK),
        shape(head, OCHRE, bold=True),
        hatch("4,-14 11,-9 13,0 11,9 4,14 6,4 6,-6", angle=180, gap=2.2, reach=5),
        shape("-10,9.4* -6,7 -2,7*  -4,10", RED, 0.6),
        *(
            shape(t, PAPER, 0.5)
            for t in ("-13,3.2* -12,6.4* -11,3.2*", "-7,3.2* -6,6* -5,3.4*", "-9.6,10.6* -8.6,7.6* -7.6,10*")
        ),
        shape("-17,-3* -13.6,-4.4 -13,-1* -16,.6*", INK),
        shape("-7,-6* -3,-8 0,-5.6* -4,-4", PAPER, 0.7),
        disc(-3.6, -5.9, 1.3, INK, bare=True),
        brush("-9,-8 -4,-10.6 1,-7", 1.8),
        brush("-12,-3 -8,-1 -7,2", 1.1),
        shape("8,-14* 12,-19 16,-14 12,-9*", OCHRE, 1),
        *(disc(x_, y_, 0.5, INK, bare=True) for x_, y_ in ((-11, 0.6), (-9, 1.4), (-12.6, 1.8))),
        x=x,
        y=y,
        scale=scale,
        mirror=mirror,
    )
