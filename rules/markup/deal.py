"""The deal of a game in pictures, one for each number of players.

Each shows the table from above, with the dealer at the bottom and the packets of every player, all from the ruleset.
The pictures repeat what the table `packets` says, so they are hidden from screen readers; their captions are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.sursilvan import capfirst
from domain.engine.ruleset import Ruleset
from rules.text import names

_WIDTH: Final = 320
_HEIGHT: Final = 236
_MIDDLE: Final = (160, 122)
_TABLE: Final = (84, 56)
"""Half the width and half the height of the table."""
_SEATS: Final = (122, 96)
_PACKET: Final = (21, 25)
_GAP: Final = 3


def pictures(rules: Ruleset) -> SafeString:
    """A figure for each number of players."""
    return format_html(
        '<div class="deals">{}</div>', format_html_join("", "{}", ((_picture(rules, seats),) for seats in rules.sizes))
    )


def _picture(rules: Ruleset, seats: int) -> SafeString:
    at = rules.at(seats) if rules.tables else rules
    packets = at.packets[0] if at.packets else at.batches[max(at.batches)]
    turn = 1 if at.clockwise else -1
    drawn = [_seat(packets, seats, place, turn, at.dealer_extra) for place in range(seats)]
    return format_html(
        '<figure class="deal no-margin"><svg viewBox="0 0 {} {}" aria-hidden="true">'
        '<ellipse class="deal-table" cx="{}" cy="{}" rx="{}" ry="{}"/>{}{}{}</svg>'
        '<figcaption class="text-s soft">{}</figcaption></figure>',
        _WIDTH,
        _HEIGHT,
        *_MIDDLE,
        *_TABLE,
        _direction(turn),
        _in_the_middle(at),
        format_html_join("", "{}", ((each,) for each in drawn)),
        _caption(at, packets),
    )


def _seat(packets: Sequence[int], seats: int, place: int, turn: int, extra: int) -> SafeString:
    """The packets of one player; the dealer, at place 0, is at the bottom and gets extra cards with the last packet."""
    angle = pi / 2 + turn * 2 * pi * place / seats
    x = _MIDDLE[0] + _SEATS[0] * cos(angle)
    y = _MIDDLE[1] + _SEATS[1] * sin(angle)
    shown = [str(packet) for packet in packets]
    if place == 0 and extra:
        shown[-1] = f"{shown[-1]}+{extra}"
    widths = [_PACKET[0] + 10 * (len(text) > 2) for text in shown]
    whole = sum(widths) + _GAP * (len(widths) - 1)
    left = min(max(x - whole / 2, 1), _WIDTH - whole - 1)
    top = min(max(y - _PACKET[1] / 2, 1), _HEIGHT - _PACKET[1] - 16)
    cards = []
    for text, width in zip(shown, widths, strict=True):
        cards.append((*map(round, (left, top, width, _PACKET[1], left + width / 2, top + _PACKET[1] / 2 + 5)), text))
        left += width + _GAP
    drawn = format_html_join(
        "",
        '<rect class="deal-packet" x="{}" y="{}" width="{}" height="{}" rx="3"/>'
        '<text x="{}" y="{}" text-anchor="middle">{}</text>',
        cards,
    )
    if place:
        return drawn
    name = names.word("dealer").text
    return drawn + format_html(
        '<text class="deal-name" x="{}" y="{}" text-anchor="middle">{}</text>', _MIDDLE[0], _HEIGHT - 3, name
    )


def _direction(turn: int) -> SafeString:
    """An arrow on the table, from the dealer to the player who gets cards first."""
    rx, ry = _TABLE[0] - 12, _TABLE[1] - 12
    start, end = (pi / 2 + turn * share * pi for share in (0.08, 0.42))
    points = [(_MIDDLE[0] + rx * cos(angle), _MIDDLE[1] + ry * sin(angle)) for angle in (start, end)]
    (x1, y1), (x2, y2) = points
    heading = pi / 2 + turn * 0.42 * pi + turn * pi / 2
    wings = [(x2 - 8 * cos(heading + side), y2 - 8 * sin(heading + side)) for side in (-0.5, 0.5)]
    return format_html(
        '<path class="deal-way" d="M{} {}A{} {} 0 0 {} {} {}M{} {}L{} {}L{} {}"/>',
        *map(round, (x1, y1, rx, ry, turn > 0, x2, y2, *wings[0], x2, y2, *wings[1])),
    )  # fmt: skip


def _in_the_middle(rules: Ruleset) -> SafeString:
    if not rules.tapp:
        return SafeString()
    x, y = _MIDDLE[0] - _PACKET[0] / 2, _MIDDLE[1] - _PACKET[1] / 2
    return format_html(
        '<rect class="deal-packet deal-tapp" x="{}" y="{}" width="{}" height="{}" rx="3"/>'
        '<text x="{}" y="{}" text-anchor="middle">{}</text>'
        '<text class="deal-name" x="{}" y="{}" text-anchor="middle">{}</text>',
        round(x), round(y) - 6, *_PACKET, _MIDDLE[0], _MIDDLE[1] - 1, rules.tapp,
        _MIDDLE[0], _MIDDLE[1] + 22, names.own_word("tapp").text,
    )  # fmt: skip


def _caption(rules: Ruleset, packets: Sequence[int]) -> str:
    said = {"seats": rules.seats, "cards": sum(packets), "extra": rules.dealer_extra, "scart": rules.scart}
    if rules.tapp:
        tapp = {"tapp": rules.tapp, "name": names.own_word("tapp").text}
        return capfirst(_("%(seats)d players: %(cards)d cards each, %(tapp)d in the %(name)s") % {**said, **tapp})
    if not rules.scart:
        return capfirst(_("%(seats)d players: %(cards)d cards each") % said)
    return capfirst(
        _("%(seats)d players: %(cards)d cards each; the dealer takes %(extra)d more and lays %(scart)d away") % said
    )
