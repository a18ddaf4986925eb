"""What the phones at a table do: write, erase, hand in, take back, confirm, say otherwise. All of it through the door.

Every act says what its page showed (`seen`). Where that is not how it stands, SheetMoved is raised and nothing happens;
but what is there already as it was to be counts as done. A request that was accepted before is never judged again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from accounts.limits import take
from clubs.evening.given import Plain
from clubs.evening.shapes import sides_of
from clubs.evening.state import CONFIRMED, HANDED_IN, PLAYING
from clubs.hall import phones
from clubs.hall.kit import Hall
from clubs.hall.phones import Phone
from clubs.hall.refusals import NoNote, NotNumbers, OwnDigits, SheetMoved, TooManyGuesses, WrongDigits
from clubs.hall.sheet import line_seen, lines_seen
from clubs.tournaments import door, keys
from clubs.tournaments.actors import Actor
from clubs.tournaments.door import Doing
from clubs.tournaments.refusals import Moved, NotAllowedHere

TRIES: Final = 5
GUESSES: Final = 5
GUESSES_AN_HOUR: Final = 6
_MINUS: Final = str.maketrans({"−": "-", "–": "-", "’": None, "'": None, " ": None, "\u202f": None})  # what phones type
Making = Callable[[Phone], "Doing | None"]
"""What is to happen at the table as it stands; None if it has happened already. Raises Refusal."""


def write(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """A deal is written, new or over another. Raises Refused (``wrong-sum`` …), NotNumbers, SheetMoved."""
    deal = whole(data, "deal")
    scores = scores_of(data, len(sides_of(phone.table, max(deal, 1))))
    seen = data.get("seen", "")

    def make(now: Phone) -> Doing | None:
        there = now.table.sheet.get(deal)
        if there is not None and there.scores == tuple(scores) and now.table.state == PLAYING:
            return None
        if line_seen(there) != seen:
            raise SheetMoved
        written: list[Plain] = list(scores)
        event: dict[str, Plain] = {"table": now.key, "deal": deal, "place": now.place, "scores": written}
        if there is not None and there.of > 1:
            event["of"] = there.of
        if data.get("extra") == "1":
            event["extra"] = True
        if data.get("wrong") == "1":
            event["wrong"] = True
        return "deal.entered", event

    _decide(hall, phone, data, make)


def erase(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """A deal that should not be there goes. Raises Refused, SheetMoved."""
    deal, seen = whole(data, "deal"), data.get("seen", "")

    def make(now: Phone) -> Doing | None:
        there = now.table.sheet.get(deal)
        if there is None and now.table.state == PLAYING:
            return None
        if line_seen(there) != seen:
            raise SheetMoved
        return "deal.erased", {"table": now.key, "deal": deal, "place": now.place}

    _decide(hall, phone, data, make)


def hand_in(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """The sheet is done. Raises Refused (``deals-missing`` unless `short` says it is meant), SheetMoved."""

    def make(now: Phone) -> Doing | None:
        if lines_seen(now.table.lines) != data.get("seen", ""):
            raise SheetMoved
        if now.handed_in and now.table.state == HANDED_IN:
            return None
        event: dict[str, Plain] = {"table": now.key, "place": now.place}
        if data.get("short") == "1":
            event["short"] = True
        return "table.handed-in", event

    _decide(hall, phone, data, make)


def take_back(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """There is still something to write. Raises Refused, NotAllowedHere where another side handed it in."""

    def make(now: Phone) -> Doing | None:
        if now.table.state == PLAYING and now.may_write:
            return None
        if now.table.state != CONFIRMED and not now.handed_in:
            raise NotAllowedHere
        return "table.taken-back", {"table": now.key, "place": now.place}

    _decide(hall, phone, data, make)


def confirm(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """That is right, says another side than the one that handed in. Raises Refused, SheetMoved."""
    _decide(hall, phone, data, lambda now: _confirmed(now, data))


def confirm_by_digits(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """The other side types its digits on this phone. Raises WrongDigits, OwnDigits, TooManyGuesses, Refused, SheetMoved."""
    if not take(f"digits:{phone.key}:{phone.code}", rate=GUESSES_AN_HOUR, per=3600, burst=GUESSES):
        raise TooManyGuesses
    digits = data.get("digits", "").translate(_MINUS).strip()
    place = phones.side_by_digits(hall.tournament, hall.state, phone, digits)
    if place is None:
        raise WrongDigits
    if place == phone.place:
        raise OwnDigits
    other = phones.phone_at(
        hall.state, phone.key, place, keys.table_code(hall.tournament, hall.state, phone.key, place)
    )
    _decide(hall, other, data, lambda now: _confirmed(now, data))


def dispute(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """That is not right: what this side has instead, deal by deal. Raises NotNumbers, NoNote, Refused, SheetMoved."""
    lines: list[Plain] = []
    same = True
    for number, line in phone.table.lines:
        scores = scores_of(data, len(line.scores), f"d{number}-")
        same = same and tuple(scores) == line.scores
        plain: dict[str, Plain] = {"deal": number, "scores": list[Plain](scores), "of": line.of, "extra": line.extra}
        lines.append(plain)
    note = data.get("note", "").strip()[:300]
    if same and not note:
        raise NoNote

    def make(now: Phone) -> Doing | None:
        if lines_seen(now.table.lines) != data.get("seen", ""):
            raise SheetMoved
        return "table.disputed", {"table": now.key, "place": now.place, "lines": lines, "note": note}

    _decide(hall, phone, data, make)


def scores_of(data: Mapping[str, str], sides: int, prefix: str = "s") -> list[int]:
    """The points of every side, as typed. Raises NotNumbers."""
    return [number_of(data.get(f"{prefix}{side}", "")) for side in range(sides)]


def number_of(text: str) -> int:
    """A whole number as people type it. Raises NotNumbers."""
    plain = text.translate(_MINUS).strip()
    digits = plain.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 7):
        raise NotNumbers
    return int(plain)


def whole(data: Mapping[str, str], field: str) -> int:
    """A small number that the page wrote itself; 0 for anything else, which the door refuses."""
    text = data.get(field, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0


def _confirmed(now: Phone, data: Mapping[str, str]) -> Doing | None:
    if lines_seen(now.table.lines) != data.get("seen", ""):
        raise SheetMoved
    if now.table.state == CONFIRMED:
        return None
    return "table.confirmed", {"table": now.key, "place": now.place}


def _decide(hall: Hall, phone: Phone, data: Mapping[str, str], make: Making) -> None:
    """Let happen what `make` says for the table as it is at that very moment; tried again where something comes between."""
    sent, by = hall.sent, phone.actor
    same = json.dumps(
        [hall.request.path, sorted((name, value) for name, value in data.items() if name != "request_id")]
    )
    if door.repeated(hall.tournament, sent, same, by) is not None:
        hall.look_again()
        return
    for _try in range(TRIES):
        hall.look_again()
        now = phones.phone_of(hall.tournament, hall.state, phone.code)
        if now is None:
            raise NotAllowedHere
        doing = make(now)
        if doing is None:
            return
        try:
            _act(hall, doing, by, same)
        except Moved:
            continue
        return
    raise Moved


def _act(hall: Hall, doing: Doing, by: Actor, same: str) -> None:
    receipt = door.act(hall.tournament.pk, [doing], by=by, request_id=hall.sent, expected=hall.state.number, same=same)
    hall.state = receipt.state
