"""What every card shares: paper, frame, title strip, index; and the back."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tools.deck.letters import big_text, big_width, title
from tools.deck.palette import BACK, BLUE, GREEN, INK, LINE, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, group, number, place, shape, shapes, spun, tag
from tools.deck.signs import sign

__all__ = ["CENTRE_X", "FOOT", "HEAD", "LEFT", "RIGHT", "WINDOW_BOTTOM", "back", "card", "definitions"]

LEFT, RIGHT, CENTRE_X = 6.0, 114.0, 60.0
TOP = 4.2
HEAD, WINDOW_BOTTOM, FOOT = 35.0, 194.0, 211.8
"""The picture fills x 6 to 114 and y 35 to 194; the index strip is above it, the title strip below, down to 211.8."""

SUIT_COLOURS = {"C": RED, "O": OCHRE, "S": BLUE, "B": GREEN}
_EDGE = "M0 0H120V216H0z"


def definitions() -> Iterator[str]:
    """Yield the mount (paper around the picture with the frame lines) and the flourish of the index strip."""
    window = f"M{LEFT} {HEAD}V{WINDOW_BOTTOM}H{RIGHT}V{HEAD}z"
    yield group(
        tag("path", d=_EDGE + window, fill=PAPER, fill_rule="evenodd", stroke="none"),
        tag("path", d=f"M6 {TOP:g}H114V{FOOT:g}H6z", stroke_width=2, stroke_linejoin="miter"),
        tag("path", d=f"M6 {HEAD:g}H114M6 {WINDOW_BOTTOM:g}H114", stroke_width=1.4),
        tag("path", d=f"M8.4 {HEAD + 2:g}H111.6V{WINDOW_BOTTOM - 2:g}H8.4z", stroke_width=0.6, stroke_linejoin="miter"),
        id="mount",
    )
    yield group(
        brush("0,0 10,4.6 20,1 30,-4 41,-2.6 46,1.6 42,4.6 38.6,2", 1.8, start=0.4, end=0.4),
        brush("14,3.6 18,9 25,9.4 26.4,5.6 22.6,4.6", 1.2),
        brush("26,-2.4 23,-8.4 29,-11.4 33,-8.6 30.4,-6.4", 1.2),
        shapes(
            ("8,3.6* 6,-2 9.6,-6* 12.4,-1.6*", "36,-4* 38.6,-9.6 44,-10.4* 41.6,-5*", "31,-3.4* 34.6,2 32,7.6* 29,2*"),
            None,
            0.8,
        ),
        id="flourish",
    )
    yield group(_frieze(), id="frieze")


def card(code: str, picture: str, caption: str, mark: str, suit: str | None) -> str:
    """Return the symbol of one card.

    `caption` stands at the foot; `mark` is the index text (a letter, a figure or a Roman numeral; for the Fool
    nothing, a bell is drawn); `suit` is the suit letter or None. The index lies on paper of its own and disappears
    with ``--card-index: 0``; below it the strip carries what the old packs show there.
    """
    colour = SUIT_COLOURS.get(suit or "", OCHRE)
    classic = (
        big_text(mark, CENTRE_X - big_width(mark) * 14 / 24 / 2, 12.8, 14)
        if suit is None and mark
        else tag("use", href="#frieze", fill=colour)
    )
    if suit:
        wide = min(big_width(mark, -0.6) * 26 / 24, 24.5)
        index = big_text(mark, 9.6, 6.7, 26, most=24.5, gap=-0.6) + sign(
            suit, 9.6 + wide + 15.6, 19.8, 0.7 if suit != "O" else 0.68
        )
        end = 9.6 + wide + 31
    elif mark:
        wide = min(big_width(mark) * 26 / 24, 54)
        index = big_text(mark, 9.4, 6.7, 26, most=54)
        end = 9.4 + wide + 3.5
    else:
        index, end = place(_bell(), x=23, y=20.6, scale=1.1), 39.0
    room = 110 - end
    tail = group(
        tag("use", href="#flourish"),
        fill=colour,
        transform=f"translate({end:.3g} 20)scale({min(1.2, room / 47):.3g} .94)",
    )
    return tag(
        "symbol",
        group(
            tag("rect", width=120, height=216, rx=7, fill=PAPER, stroke="none"),
            picture,
            tag("use", href="#mount"),
            classic,
            title(caption, CENTRE_X, 207.2),
            group(
                tag("rect", x=7, y=5.2, width=106, height=29, fill=PAPER, stroke="none"),
                index,
                tail,
                opacity="var(--card-index,1)",
            ),
            tag("rect", x=0.3, y=0.3, width=119.4, height=215.4, rx=7, stroke_width=0.6),
            color=LINE,
            fill="none",
            stroke=INK,
            stroke_width=1.1,
            stroke_linejoin="round",
            stroke_linecap="round",
        ),
        id=code,
        viewBox="0 0 120 216",
    )


def _bell() -> str:
    """The Fool's mark: a jester's bell."""
    return "".join(
        (
            brush("-9,-11 -3,-13 0,-9", 2.4),
            brush("9,-11 3,-13 0,-9", 2.4),
            shape("-10.4,3 -9,-5 -4,-9 0,-9.6 4,-9 9,-5 10.4,3 7,9.4 0,11.6 -7,9.4", OCHRE, 1.8, bold=True),
            shape("-10.3,.4* 0,-1.4 10.3,.4* 10.2,3.4* 0,1.8 -10.2,3.4*", RED, 1),
            disc(-4.6, 6, 1.5, INK, bare=True),
            disc(4.6, 6, 1.5, INK, bare=True),
            tag("path", d="M-4.6 6Q0 8.6 4.6 6", stroke_width=1.6),
        )
    )


def _frieze() -> str:
    """A running vine for the strip of cards that carry nothing there in the classic face; its leaves take any colour."""
    spots = ((14, 40), (26, -40), (39, 40), (51, -40), (64, 40), (76, -40), (89, 40), (99, -40))
    vine = brush("10,21 22,15 35,21 48,27 60,21 72,15 85,21 98,27 110,21", 1.6, start=0.6, end=0.6)
    return vine + shapes([spun("0,0* 3,-4 8,-4.6 12,-1* 7,2 2,2", turn, x, 21) for x, turn in spots], None, 0.9)


def back() -> str:
    """Return the back: a field of small crosses and dots that looks the same upside down."""
    petals = (
        "c2.4-1.4 2.2-3.6 0-5.4-2.2 1.8-2.4 4 0 5.4",
        "c1.4 2.4 3.6 2.2 5.4 0-1.8-2.2-4-2.4-5.4 0",
        "c2.4 1.4 2.2 3.6 0 5.4-2.2-1.8-2.4-4 0-5.4",
        "c-1.4 2.4-3.6 2.2-5.4 0 1.8-2.2 4-2.4 5.4 0",
    )
    stars = "".join(
        f"M{number(15 + 15 * column + dx)} {number(dy)}{petal}z"
        for column in range(7)
        for petal, dx, dy in zip(petals, (0, 0.8, 0, -0.8), (-0.8, 0, 0.8, 0), strict=True)
    )
    dots = "".join(f"M{number(22.5 + 15 * column)}-1.7l1.7 1.7-1.7 1.7-1.7-1.7z" for column in range(6))
    defs = tag("defs", tag("path", id="back-stars", d=stars) + tag("path", id="back-dots", d=dots))
    parts = [tag("use", href="#back-stars", y=13.5 + 14.54 * row) for row in range(14)]
    parts += [tag("use", href="#back-dots", y=20.77 + 14.54 * row) for row in range(13)]
    lattice = "".join(f"M{x0:g} {y0:g}L{x1:g} {y1:g}" for x0, y0, x1, y1 in _diagonals())
    return tag(
        "symbol",
        defs
        + group(
            tag("rect", width=120, height=216, rx=7, fill=PAPER, stroke="none"),
            tag("rect", x=6, y=6, width=108, height=204, rx=2.5, fill=BACK, stroke="none"),
            tag("path", d=lattice, stroke=PAPER, stroke_width=0.7, opacity=0.55),
            group(*parts, fill=PAPER, stroke="none"),
            tag("rect", x=6, y=6, width=108, height=204, rx=2.5, stroke_width=2),
            tag("rect", x=8.6, y=8.6, width=102.8, height=198.8, rx=1, stroke=PAPER, stroke_width=0.9),
            tag("rect", x=0.3, y=0.3, width=119.4, height=215.4, rx=7, stroke_width=0.6),
            color=LINE,
            fill="none",
            stroke=INK,
        ),
        id="back",
        viewBox="0 0 120 216",
    )


def _diagonals() -> Iterator[tuple[float, float, float, float]]:
    """Yield the lines of the diamond lattice of the back, cut to its rectangle (9 to 111, 9 to 207)."""
    slope = 14.54 / 15
    left, right, top, bottom = 9.0, 111.0, 9.0, 207.0
    for sign_ in (1, -1):
        for k in range(-20, 21):
            # Lines run through the middles between the stars: x = 7.5 + 15 k on the row y = 13.5.
            points = []
            for y in (top, bottom):
                x = 7.5 + 15 * k + sign_ * (y - 13.5) / slope
                if left <= x <= right:
                    points.append((x, y))
            for x in (left, right):
                y = 13.5 + sign_ * (x - 7.5 - 15 * k) * slope
                if top < y < bottom:
                    points.append((x, y))
            if len(points) == 2 and math.dist(*points) > 4:
                yield round(points[0][0], 1), round(points[0][1], 1), round(points[1][0], 1), round(points[1][1], 1)
