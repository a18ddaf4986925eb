"""What the phones at a table do: write, erase, hand in, take back, confirm, say otherwise. All of it through the door.

Every act says what its page showed (`seen`). Where that is not how it stands, SheetMoved is raised and nothing happens;
but what is there already as it was to be counts as done. A request that was accepted before is never judged again.

What a code of a table opens: one side of one table, and what it may do there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from core.commands import Answered
from core.http import whole_number
from core.limits import take
from domain.tournament.payload import Plain
from domain.tournament.state import CONFIRMED, DRAFT, HANDED_IN, OUT, PLAYING, Phase, Round, State, Table
from domain.tournament.tables import sides_of
from tournaments import permissions as tournaments_permissions
from tournaments.exceptions import TournamentError
from tournaments.live.base import Hall
from tournaments.live.exceptions import HallError
from tournaments.live.selectors import line_seen, lines_seen
from tournaments.models import Tournament
from tournaments.online.selectors import veiled
from tournaments.permissions import Actor
from tournaments.services import codes, log
from tournaments.services import codes as keys
from tournaments.services.log import Doing


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone at a table. `place` is the first place of its side, `places` all of them."""

    code: str
    key: str
    place: int
    places: frozenset[int]
    phase: Phase
    round: Round
    table: Table

    @property
    def actor(self) -> Actor:
        """The side, as it writes."""
        return tournaments_permissions.at_table(self.key, self.places)

    @property
    def is_draft(self) -> bool:
        """Whether the round is not published yet."""
        return self.round.status == DRAFT

    @property
    def may_write(self) -> bool:
        """Whether tables of this round still write, confirm and dispute."""
        return self.round.status == OUT

    @property
    def handed_in(self) -> bool:
        """Whether it was this side that handed the sheet in."""
        return self.table.handed_in_by in self.places

    @property
    def people(self) -> tuple[str, ...]:
        """Who sits on this side."""
        return tuple(self.table.people[place] for place in sorted(self.places))

    @property
    def entrants(self) -> tuple[str, ...]:
        """For whom they play."""
        return tuple(dict.fromkeys(self.table.owners[place] for place in sorted(self.places)))


def phone_of(tournament: Tournament, state: State, code: str) -> Phone | None:
    """What a code opens; None for one that is wrong or has ended."""
    found = keys.read_table(tournament, state, code)
    return phone_at(state, found.table, found.place, code) if found else None


def phone_at(state: State, key: str, place: int, code: str = "") -> Phone:
    """The phone of the side that `place` of a table belongs to. The table must be there."""
    table = state.table(key)
    round = state.round(key.rpartition(".")[0])
    assert table is not None
    assert round is not None
    side = next(side for side in table.sides if place in side)
    return Phone(
        code=code,
        key=key,
        place=min(side),
        places=frozenset(side),
        phase=state.phases[round.phase - 1],
        round=round,
        table=table,
    )


def side_by_digits(tournament: Tournament, state: State, phone: Phone, digits: str) -> int | None:
    """The first place of the side on whose slip these digits stand; None for nobody's."""
    codes = keys.confirm_codes(tournament, state, phone.key)
    return next((place for place, code in codes.items() if code == digits), None)


GUESSES: Final = 5
GUESSES_AN_HOUR: Final = 6
_MINUS: Final = str.maketrans({"−": "-", "–": "-", "’": None, "'": None, " ": None, "\u202f": None})  # what phones type
Making = Callable[[Phone], "Doing | None"]
"""What is to happen at the table as it stands; None if it has happened already. Raises Refusal."""


def write(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """A deal is written, new or over another. Raises Refused (``wrong-sum`` …), ``not-numbers``, ``stale``."""
    deal = whole(data, "deal")
    scores = scores_of(data, len(sides_of(phone.table, max(deal, 1))))
    seen = data.get("seen", "")

    def make(now: Phone) -> Doing | None:
        there = now.table.sheet.get(deal)
        if there is not None and there.scores == tuple(scores) and now.table.state == PLAYING:
            return None
        if line_seen(there) != seen:
            raise HallError("stale")
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
    """A deal that should not be there goes. Raises Refused, ``stale``."""
    deal, seen = whole(data, "deal"), data.get("seen", "")

    def make(now: Phone) -> Doing | None:
        there = now.table.sheet.get(deal)
        if there is None and now.table.state == PLAYING:
            return None
        if line_seen(there) != seen:
            raise HallError("stale")
        return "deal.erased", {"table": now.key, "deal": deal, "place": now.place}

    _decide(hall, phone, data, make)


def hand_in(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """The sheet is done. Raises Refused (``deals-missing`` unless `short` says it is meant), ``stale``."""

    def make(now: Phone) -> Doing | None:
        if lines_seen(now.table.lines) != data.get("seen", ""):
            raise HallError("stale")
        if now.handed_in and now.table.state == HANDED_IN:
            return None
        event: dict[str, Plain] = {"table": now.key, "place": now.place}
        if data.get("short") == "1":
            event["short"] = True
        return "table.handed-in", event

    _decide(hall, phone, data, make)


def take_back(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """There is still something to write. Raises Refused, ``not-allowed`` where another side handed it in."""

    def make(now: Phone) -> Doing | None:
        if now.table.state == PLAYING and now.may_write:
            return None
        if now.table.state != CONFIRMED and not now.handed_in:
            raise TournamentError("not-allowed")
        return "table.taken-back", {"table": now.key, "place": now.place}

    _decide(hall, phone, data, make)


def confirm(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """That is right, says another side than the one that handed in. Raises Refused, ``stale``."""
    _decide(hall, phone, data, lambda now: _confirmed(now, data))


def confirm_by_digits(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """The other side types its digits on this phone. Raises ``wrong-digits``, ``own-digits``, ``too-many-guesses``,
    Refused, ``stale``."""
    if not take(f"digits:{phone.key}:{phone.code}", rate=GUESSES_AN_HOUR, per=3600, burst=GUESSES):
        raise HallError("too-many-guesses")
    digits = data.get("digits", "").translate(_MINUS).strip()
    place = side_by_digits(hall.tournament, hall.state, phone, digits)
    if place is None:
        raise HallError("wrong-digits")
    if place == phone.place:
        raise HallError("own-digits")
    other = phone_at(hall.state, phone.key, place, codes.table_code(hall.tournament, hall.state, phone.key, place))
    _decide(hall, other, data, lambda now: _confirmed(now, data))


def dispute(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """That is not right: what this side has instead, deal by deal. Raises ``not-numbers``, ``no-difference``, Refused,
    ``stale``."""
    lines: list[Plain] = []
    same = True
    for number, line in phone.table.lines:
        scores = scores_of(data, len(line.scores), f"d{number}-")
        same = same and tuple(scores) == line.scores
        plain: dict[str, Plain] = {"deal": number, "scores": list[Plain](scores), "of": line.of, "extra": line.extra}
        lines.append(plain)
    note = data.get("note", "").strip()[:300]
    if same and not note:
        raise HallError("no-difference")

    def make(now: Phone) -> Doing | None:
        if lines_seen(now.table.lines) != data.get("seen", ""):
            raise HallError("stale")
        return "table.disputed", {"table": now.key, "place": now.place, "lines": lines, "note": note}

    _decide(hall, phone, data, make)


def scores_of(data: Mapping[str, str], sides: int, prefix: str = "s") -> list[int]:
    """The points of every side, as typed. Raises ``not-numbers``."""
    return [number_of(data.get(f"{prefix}{side}", "")) for side in range(sides)]


def number_of(text: str) -> int:
    """A whole number as people type it. Raises ``not-numbers``."""
    plain = text.translate(_MINUS).strip()
    digits = plain.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 7):
        raise HallError("not-numbers")
    return int(plain)


def whole(data: Mapping[str, str], field: str) -> int:
    """A small number that the page wrote itself; 0 for anything else, which the door refuses."""
    return whole_number(data.get(field, ""), 4) or 0


def _confirmed(now: Phone, data: Mapping[str, str]) -> Doing | None:
    if lines_seen(now.table.lines) != data.get("seen", ""):
        raise HallError("stale")
    if now.table.state == CONFIRMED:
        return None
    return "table.confirmed", {"table": now.key, "place": now.place}


def _decide(hall: Hall, phone: Phone, data: Mapping[str, str], make: Making) -> None:
    """Let happen what `make` says for the table as it is at that very moment (`door.decide`)."""

    def decided(state: State) -> list[Doing]:
        hall.state = veiled(state)
        now = phone_of(hall.tournament, hall.state, phone.code)
        if now is None:
            raise TournamentError("not-allowed")
        doing = make(now)
        if doing is None:
            raise Answered(None)
        return [doing]

    sent = sorted((name, value) for name, value in data.items() if name != "request_id")
    same = json.dumps([hall.request.path, sent])
    with suppress(Answered):
        receipt = log.decide(hall.tournament, decided, by=phone.actor, request_id=hall.sent, same=same)
        hall.state = veiled(receipt.state)
