"""Ground, mountains, clouds and plants behind the figures."""

from __future__ import annotations

from collections.abc import Iterator

from tools.deck.palette import BLUE, GREEN, INK, OCHRE, PAPER
from tools.deck.pen import brush, disc, group, hatch, line, place, shaded, shape, tag

__all__ = ["cloud", "definitions", "ground", "peaks", "tuft"]


def definitions() -> Iterator[str]:
    """Yield the parts that many cards share."""
    yield group(_peaks(), id="peaks")
    yield group(_ground(), id="ground")
    yield group(_tuft(), id="tuft")
    yield group(_cloud(), id="cloud")


def _peaks() -> str:
    """A row of mountains from x = 0 to 120, standing on y = 0, 46 high."""
    far = "-2,0* -2,-24* 8,-38* 14,-31* 20,-41* 30,-24* 38,-30* 48,-14* 60,-20* 72,-12* 82,-28* 90,-22* 102,-45* 110,-32* 122,-36* 122,0*"
    return "".join(
        (
            shape(far, BLUE, bold=True),
            shape(
                "-2,-24* 8,-38* 14,-31* 20,-41* 27,-29.6* 23,-27* 20.6,-31* 17,-25* 14,-28* 9,-24* 6,-29* -2,-18*",
                PAPER,
                0.9,
            ),
            shape(
                "93.4,-28.4* 102,-45* 110,-32* 122,-36* 122,-29* 114,-25* 110,-28* 106,-22* 102,-29* 98,-24*",
                PAPER,
                0.9,
            ),
            *(
                brush(t, 1.6, start=0.9)
                for t in (
                    "20,-40 22,-32 20.6,-24 24,-12",
                    "102,-44 103.6,-34 101.6,-26 105,-12",
                    "8,-37 9.4,-30 8,-20",
                    "38,-29 39,-20 37,-12",
                    "82,-27 83.4,-18 81.6,-10",
                )
            ),
            hatch("20,-41* 30,-24* 38,-30* 48,-14* 48,0* 24,0*", angle=115, gap=3, reach=10, width=1),
            hatch("102,-45* 110,-32* 122,-36* 122,0* 106,0*", angle=115, gap=3, reach=11, width=1),
            hatch("82,-28* 90,-22* 93,-10* 84,0*", angle=115, gap=3, reach=9, width=1),
            shape("-2,2* -2,-9 12,-13 30,-7 46,-4 74,-5 92,-9 108,-13 122,-9* 122,2*", GREEN, bold=True),
            *(
                _fir(x, y, s)
                for x, y, s in (
                    (7, -10, 1),
                    (13, -11, 0.8),
                    (20, -9, 1),
                    (101, -10, 0.9),
                    (108, -11, 1.1),
                    (115, -9, 0.9),
                )
            ),
        )
    )


def _fir(x: float, y: float, scale: float) -> str:
    return place(
        shape("0,-11* -3.4,-4.6* -1.6,-5* -5,1* 5,1* 1.6,-5* 3.4,-4.6*", INK, bare=True), x=x, y=y, scale=scale
    )


def _ground() -> str:
    """A meadow that fills the foot of the picture: from y = 0 at the horizon to y = 30, x = 0 to 120."""
    body = "-2,2 20,-1 48,1.4 78,-.6 122,1.6* 122,32* -2,32*"
    blades = "".join(
        brush(f"{x},{y} {x + 0.6},{y - 3} {x + d},{y - 5.4}", 1.2, start=0.9)
        for x, y, d in (
            (12, 10, -1),
            (14, 10, 2),
            (30, 6, 1.6),
            (46, 12, -1.4),
            (48, 12, 1.6),
            (68, 7, 1),
            (84, 12, -1.4),
            (86, 12, 1.8),
            (104, 8, -1.2),
            (106, 8, 1.6),
            (24, 17, 1.4),
            (60, 18, -1.6),
            (97, 18, 1.2),
        )
    )
    furrows = "".join(
        brush(t, 1.1)
        for t in ("8,14 20,15.4 34,14", "54,7.6 66,9 78,7.6", "88,16 100,17.4 112,16", "34,18.6 50,20 68,18.8")
    )
    return shaded(body, GREEN, angle=90, gap=4.4, reach=5, width=1.1) + blades + furrows


def _tuft() -> str:
    """A tuft of grass with two flowers, growing from (0, 0)."""
    return "".join(
        (
            shape("-1,0* -5,-4 -7,-9* -3.4,-6 -2,-2*", GREEN, 0.9),
            shape("1,0* 5,-4 8,-8* 4,-6 2,-2*", GREEN, 0.9),
            shape("-1.6,0* -1.6,-7 0,-12* 1.6,-7 1.6,0*", GREEN, 0.9),
            brush("-2,-1 -4,-8 -3.4,-13", 1.2, start=0.8),
            brush("2,-1 4,-6 4.4,-11.6", 1.2, start=0.8),
            disc(-3.4, -14, 2.4, OCHRE, 0.9),
            disc(4.6, -12.6, 2, PAPER, 0.9),
            disc(-3.4, -14, 0.7, INK, bare=True),
            disc(4.6, -12.6, 0.6, INK, bare=True),
        )
    )


def _cloud() -> str:
    """A small cloud about (0, 0), 30 wide."""
    outline = "-15,3 -14,-2 -9,-3 -7,-7 -1,-8 3,-5 8,-6.4 11,-2 15,0 14.6,4 10,5 3,4.4 -8,5.4"
    return (
        shape(outline, PAPER, bold=True)
        + brush("-9,1 -6,-3 -2,-1.4", 1.1)
        + brush("2,0 6,-2.6 10,1", 1.1)
        + line("-10,3 -2,3.4", 0.8)
    )


def peaks(y: float = 160, mirror: bool = False) -> str:
    """The mountains on the horizon y."""
    return place(tag("use", href="#peaks"), x=120 if mirror else 0, y=y, mirror=mirror)


def ground(y: float = 168) -> str:
    """The meadow from y downwards."""
    return place(tag("use", href="#ground"), y=y)


def tuft(x: float, y: float, scale: float = 1, mirror: bool = False) -> str:
    """A tuft of grass and flowers growing from (x, y)."""
    return place(tag("use", href="#tuft"), x=x, y=y, scale=scale, mirror=mirror)


def cloud(x: float, y: float, scale: float = 1, mirror: bool = False) -> str:
    """A cloud about (x, y)."""
    return place(tag("use", href="#cloud"), x=x, y=y, scale=scale, mirror=mirror)
