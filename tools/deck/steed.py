"""The horse of the cavaliers, stepping to the left in a caparison."""

from __future__ import annotations

from tools.deck.palette import GREEN, INK, OCHRE, PAPER, RED
from tools.deck.pen import brush, disc, hatch, line, shaded, shape

__all__ = ["horse"]


def horse(cloth: str, lining: str, hide: str = PAPER, mane: str = OCHRE) -> str:
    """Return the horse: it stands on y = 188, its back is at y = 120 and its head reaches to (12, 112)."""
    head = "33,79* 31,84 26,88 19,98 12,107 10.6,112 13,116.4 17,117.6 21,115 25,113 31,112 37,106 42,96 40,86"
    neck = "33,84 41,80 50,88 57,100 60,118* 34,138* 33,126 34,118 36,110 30,104 28,92"
    far_legs = (
        "84,146* 86,160 83,170 87,184* 79,187* 78,184 77,170 76,158*",
        "52,146* 53,162 51,174 53,184* 45,187* 45,184 45,172 43,148*",
    )
    near_hind = "92,140* 106,138 107,154 101,166 103,184* 94,187* 94,184 94,168 91,156 84,146*"
    near_fore = "34,138* 46,146* 41,156 30,158 27,164 29,173* 21,173* 20,160 22,153 31,149"
    tail = "104,122* 112,124 115,136 112,150 115,164 109,176* 106,166 108,154 105,142 106,132*"
    cloth_track = (
        "44,98* 51,104 58,116 70,121 88,118 100,117 107,124 109,138 108,154* 103,151 98,157* 92,153 86,159* 80,155 73,160* 66,155 59,159* 53,154 46,157* 40,151 33,153* "
        "31,140 32,128 35,116"
    )
    hooves = "".join(
        shape(track, INK, 0.8)
        for track in (
            "79,187* 87.4,184* 88,190* 78,190*",
            "45,187* 53.4,184* 54,190* 44,190*",
            "94,187* 103.4,184* 104.4,190.4* 93,190.4*",
            "21,172* 29.4,172.6* 28,178.6* 18.6,177.4*",
        )
    )
    edge = (
        "108,154* 103,151 98,157* 92,153 86,159* 80,155 73,160* 66,155 59,159* 53,154 46,157* 40,151 33,153* "
        "32,147* 40,145 46,150* 53,148 59,152.6* 66,149 73,153.6* 80,149 86,152.6* 92,147 98,150.6* 103,145 108.6,147*"
    )
    return "".join(
        (
            shape(tail, mane, bold=True),
            brush("107,126 111,138 109,152 111,166", 1.4),
            brush("110,126 113,138 111,150", 1.1),
            *(shaded(track, hide, angle=180, gap=2.4, reach=6) for track in far_legs),
            shaded(near_hind, hide, angle=180, gap=2.6, reach=5),
            shaded(near_fore, hide, angle=120, gap=2.4, reach=5),
            hooves,
            shaded(neck, hide, angle=150, gap=2.8, reach=8),
            shaded(cloth_track, cloth, angle=-90, gap=3.4, reach=9, width=1.2),
            shape(edge, lining, bold=True),
            *(_rosette(x, y) for x, y in ((40, 136), (50, 122), (74, 138), (88, 130), (99, 140), (86, 145), (66, 146))),
            shape("38,82* 45,82 52,90 59,104 62,118* 56,116 55,108* 50,106 50,98* 45,97 45,90* 40,91", mane, bold=True),
            brush("43,85 49,91 55,104 58,114", 1.3),
            brush("46,90 49,99", 1),
            brush("51,97 54,107", 1),
            shape(head, hide, bold=True),
            hatch("25,113 31,112 37,106 42,96 36,98 28,106", angle=-120, gap=2, reach=5),
            shape("36,87* 35,78 38,72.6* 41,79 40.6,88*", hide, bold=True),
            shape("31,86* 29,79 31,74* 34.6,80 35,86*", hide, bold=True),
            shape("33,86* 26,87 24,93* 29,93 33,91 36,93* 38,88", mane, 1),
            shape("24.4,95.6* 28,93.2 31,95.4* 28,97", PAPER, 0.7),
            disc(27.8, 95.2, 1.3, INK, bare=True),
            brush("24,95.4 27.6,92.4 31.4,94.6", 1.3),
            brush("13,109.6 15,109 15.4,111.4", 1.3),
            brush("12.6,114.6 16,113.6 19.4,114", 1.1),
            line("17,102 25,109 31,112", 1.9, RED),
            line("28,88 33,98 31,112", 1.9, RED),
            disc(21.4, 110.6, 2.2, OCHRE, 1),
            disc(31.6, 101, 1.6, OCHRE, 0.8),
            brush("21.4,111 31,117 43,110", 1.5, start=0.8, end=0.8),
            line("36,117 46,126 58,125", 3.4, INK),
            line("36,117 46,126 58,125", 1.6, GREEN),
            shape("56,116* 60,110 64,117* 78,118* 84,110 88,117* 86,126 72,129 58,125", RED, bold=True),
            hatch("56,116 60,110 64,117 78,118 84,110 88,117 86,126 72,129 58,125", angle=180, gap=2.4, reach=7),
        )
    )


def _rosette(x: float, y: float) -> str:
    return disc(x, y, 3, PAPER, 0.9) + disc(x, y, 1, INK, bare=True)
