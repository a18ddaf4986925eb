"""What phones in the hall do: write, hand in, confirm and dispute a sheet, and report at the entrance that one is here.

A code of a table opens one side of it. Every action says what its page showed (`seen`). If that has changed, ``stale``
is raised and nothing happens, unless the sheet already is as it was to become: that counts as done. A request that was
accepted before is not checked again.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from clubs.models import Member
from clubs.services import members as club_members
from core.commands import Answered
from core.http import typed_number, whole_number
from core.limits import take
from core.text import fold
from domain.errors import DomainError
from domain.tournament.payload import Plain
from domain.tournament.registering import entrant_of, next_round
from domain.tournament.score_sheets import check_possible, check_total
from domain.tournament.state import (
    CONFIRMED,
    DRAFT,
    GONE,
    HANDED_IN,
    HERE,
    OUT,
    PLAYING,
    WITHDRAWN,
    Phase,
    Round,
    State,
    Table,
    sides_of,
)
from tournaments import permissions
from tournaments.exceptions import HallError, Refused, TournamentError
from tournaments.live.base import Hall
from tournaments.live.selectors import line_seen, lines_seen
from tournaments.models import Tournament, TournamentEvent
from tournaments.online.selectors import veiled
from tournaments.permissions import Actor
from tournaments.read_models import Names, entrants
from tournaments.registration import services
from tournaments.registration.services import WalkIn
from tournaments.services import codes, log
from tournaments.services.log import NewEvent


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
        return permissions.at_table(self.key, self.places)

    @property
    def is_draft(self) -> bool:
        return self.round.status == DRAFT

    @property
    def may_write(self) -> bool:
        """Whether tables of this round still write, confirm and dispute."""
        return self.round.status == OUT

    @property
    def handed_in(self) -> bool:
        """Whether this side handed the sheet in."""
        return self.table.handed_in_by in self.places

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(self.table.people[place] for place in sorted(self.places))

    @property
    def entrants(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.table.owners[place] for place in sorted(self.places)))


def phone_of(tournament: Tournament, state: State, code: str) -> Phone | None:
    """The phone that a code stands for; None if the code is wrong or has expired."""
    place = codes.read_table(tournament, state, code)
    return phone_at(state, place.table, place.place, code) if place else None


def phone_at(state: State, key: str, place: int, code: str = "") -> Phone:
    """The phone of the side that `place` of a table belongs to. The table must exist."""
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
    """The first place of the side with these digits on its slip; None if no side has them."""
    slips = codes.confirm_codes(tournament, state, phone.key)
    return next((place for place, code in slips.items() if code == digits), None)


GUESSES: Final = 5
GUESSES_AN_HOUR: Final = 6
Making = Callable[[Phone], "NewEvent | None"]
"""Decides what to do at the table in its current state; None if it is done already. Raises Refusal."""


def write(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """Write a deal, or overwrite it. Raises Refused (``wrong-sum``, ``impossible-points`` …), ``not-numbers``, ``stale``."""
    deal = whole(data, "deal")
    scores = scores_of(data, len(sides_of(phone.table, max(deal, 1))))
    seen = data.get("seen", "")

    def make(now: Phone) -> NewEvent | None:
        there = now.table.sheet.get(deal)
        if there is not None and there.scores == tuple(scores) and now.table.state == PLAYING:
            return None
        if line_seen(there) != seen:
            raise HallError("stale")
        check_possible(now.table, scores, there.of if there is not None else 1)
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
    """Erase a deal. Raises Refused, ``stale``."""
    deal, seen = whole(data, "deal"), data.get("seen", "")

    def make(now: Phone) -> NewEvent | None:
        there = now.table.sheet.get(deal)
        if there is None and now.table.state == PLAYING:
            return None
        if line_seen(there) != seen:
            raise HallError("stale")
        return "deal.erased", {"table": now.key, "deal": deal, "place": now.place}

    _decide(hall, phone, data, make)


def hand_in(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """Hand in the finished sheet. Raises Refused (``deals-missing`` unless `short` says it is intended), ``stale``."""

    def make(now: Phone) -> NewEvent | None:
        _check_seen(now, data)
        if now.handed_in and now.table.state == HANDED_IN:
            return None
        event: dict[str, Plain] = {"table": now.key, "place": now.place}
        if data.get("short") == "1":
            event["short"] = True
        return "table.handed-in", event

    _decide(hall, phone, data, make)


def take_back(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """Take the sheet back to write on. Raises Refused, and ``not-allowed`` if another side handed it in."""

    def make(now: Phone) -> NewEvent | None:
        if now.table.state == PLAYING and now.may_write:
            return None
        if now.table.state != CONFIRMED and not now.handed_in:
            raise TournamentError("not-allowed")
        return "table.taken-back", {"table": now.key, "place": now.place}

    _decide(hall, phone, data, make)


def confirm(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """Confirm the sheet, as a side that did not hand it in. Raises Refused, ``stale``."""
    _decide(hall, phone, data, lambda now: _confirmed(now, data))


def confirm_by_digits(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """Confirm the sheet for another side, which types its digits on this phone.

    Raises ``wrong-digits``, ``own-digits``, ``too-many-guesses``, Refused, ``stale``.
    """
    if not take(f"digits:{phone.key}:{phone.code}", rate=GUESSES_AN_HOUR, per=3600, burst=GUESSES):
        raise HallError("too-many-guesses")
    digits = "".join(data.get("digits", "").split())
    place = side_by_digits(hall.tournament, hall.state, phone, digits)
    if place is None:
        raise HallError("wrong-digits")
    if place == phone.place:
        raise HallError("own-digits")
    other = phone_at(hall.state, phone.key, place, codes.table_code(hall.tournament, hall.state, phone.key, place))
    _decide(hall, other, data, lambda now: _confirmed(now, data))


def dispute(hall: Hall, phone: Phone, data: Mapping[str, str]) -> None:
    """Dispute the sheet with this side's own version, deal by deal, whose sums must be right.

    Raises ``not-numbers``, ``no-difference``, Refused (``wrong-sum``, ``impossible-points``), ``stale``.
    """
    lines: list[Plain] = []
    same = True
    for number, line in phone.table.lines:
        scores = scores_of(data, len(line.scores), f"d{number}-")
        same = same and tuple(scores) == line.scores
        try:
            check_total(phone.phase, phone.table, replace(line, scores=tuple(scores)), number, meant=True)
            check_possible(phone.table, scores, line.of)
        except DomainError as error:
            raise Refused.of(error) from None
        plain: dict[str, Plain] = {"deal": number, "scores": list[Plain](scores), "of": line.of, "extra": line.extra}
        lines.append(plain)
    note = data.get("note", "").strip()[:300]
    if same and not note:
        raise HallError("no-difference")

    def make(now: Phone) -> NewEvent | None:
        _check_seen(now, data)
        return "table.disputed", {"table": now.key, "place": now.place, "lines": lines, "note": note}

    _decide(hall, phone, data, make)


def scores_of(data: Mapping[str, str], sides: int, prefix: str = "s") -> list[int]:
    """The points of every side, as typed. Raises ``not-numbers``."""
    return [number_of(data.get(f"{prefix}{side}", "")) for side in range(sides)]


def number_of(text: str) -> int:
    """A whole number as people type it. Raises ``not-numbers``."""
    number = typed_number(text)
    if number is None:
        raise HallError("not-numbers")
    return number


def whole(data: Mapping[str, str], field: str) -> int:
    """A small number that the page itself wrote; 0 for anything else, which is refused later."""
    return whole_number(data.get(field, ""), 4) or 0


def _check_seen(now: Phone, data: Mapping[str, str]) -> None:
    """Raise ``stale`` unless the sheet is as the page showed it."""
    if lines_seen(now.table.lines) != data.get("seen", ""):
        raise HallError("stale")


def _confirmed(now: Phone, data: Mapping[str, str]) -> NewEvent | None:
    _check_seen(now, data)
    if now.table.state == CONFIRMED:
        return None
    return "table.confirmed", {"table": now.key, "place": now.place}


def _decide(hall: Hall, phone: Phone, data: Mapping[str, str], make: Making) -> None:
    """Write to the log what `make` returns for the current state of the table (`log.decide`)."""

    def doings_for(state: State) -> list[NewEvent]:
        hall.state = veiled(state)
        now = phone_of(hall.tournament, hall.state, phone.code)
        if now is None:
            raise TournamentError("not-allowed")
        doing = make(now)
        if doing is None:
            raise Answered(None)
        return [doing]

    fields = sorted((name, value) for name, value in data.items() if name != "request_id")
    same = json.dumps([hall.request.path, fields])
    with suppress(Answered):
        receipt = log.decide(hall.tournament, doings_for, by=phone.actor, request_id=hall.request_id, same=same)
        hall.state = veiled(receipt.state)


FEWEST_LETTERS: Final = 2
MOST_FOUND: Final = 8
ENTRANCE: Final = Actor(permissions.PERSON, "entrance")
"""Somebody who is not on the list and comes in by themselves."""


@dataclass(frozen=True, slots=True)
class Found:
    """A person or a pair that matches the typed letters."""

    entrant: str
    name: str
    here: bool
    pair: bool


@dataclass(frozen=True, slots=True)
class Search:
    """The result of a search. `short`: too few letters were typed; `more`: there are more matches than those found."""

    found: tuple[Found, ...] = ()
    short: bool = False
    more: bool = False


def search(state: State, names: Names, typed: str) -> Search:
    """Find participants with names that begin with the typed words: at least two letters, so never everybody."""
    words = fold(typed).split()
    if sum(map(len, words)) < FEWEST_LETTERS:
        return Search(short=True)
    rows = []
    for each in names.in_order(each for each in entrants(state) if each.status not in (WITHDRAWN, GONE)):
        people = [names.person(person) for person in each.people(*next_round(state))]
        if any(_fits(name, words) for name in people):
            rows.append(Found(each.id, " & ".join(people), each.status == HERE, len(people) > 1))
    return Search(tuple(rows[:MOST_FOUND]), more=len(rows) > MOST_FOUND)


@dataclass(frozen=True, slots=True)
class Arrived:
    """A person who is here, by the public id of their entry in the club's list. `by_this`: this tap let them in.

    Anybody who has the sheet at the entrance can tap a person who is here already, even the other side of their table.
    Such a tap opens no page from which one could write or confirm for them.
    """

    person: str
    by_this: bool


def arrive(tournament: Tournament, state: State, entrant_id: str, *, request_id: uuid.UUID) -> Arrived:
    """Mark somebody on the list as here. Raises ``door-shut``, Refused, ``cancelled``, ``request-reused``."""
    _check_open(state)
    try:
        entrant = entrant_of(state, entrant_id)
    except DomainError as error:
        raise Refused.of(error) from None
    if entrant.status in (WITHDRAWN, GONE):
        raise Refused("unknown-entrant", "id", id=entrant.id)
    person = entrant.people(*next_round(state))[0]
    if entrant.status == HERE or entrant.by_phone:
        return Arrived(person, _same_tap(tournament, request_id))
    by = permissions.oneself(None, person)
    log.act(tournament.pk, [("entrant.arrived", {"id": entrant.id})], by=by, request_id=request_id)
    return Arrived(person, by_this=True)


def come_in(tournament: Tournament, state: State, first_name: str, last_name: str, *, request_id: uuid.UUID) -> Arrived:
    """Enter somebody who is not on the list. They are seated once somebody at the entrance has seen them.

    A name in the club's list means that entry, not a second one. Raises ``door-shut``, ``name-needed``,
    ``two-of-that-name``, and what `registration.services.walk_in` raises.
    """
    _check_open(state)
    if not first_name or not last_name:
        raise HallError("name-needed")
    members = club_members.alike(tournament.club, first_name, last_name)
    if len(members) > 1:
        raise HallError("two-of-that-name")
    if members:
        return _come_in_as_member(tournament, state, members[0], request_id)
    receipt, member = services.walk_in(
        tournament, WalkIn(first_name, last_name, sure=True, by_phone=True), by=ENTRANCE, request_id=request_id
    )
    if member is not None:
        return Arrived(member.public_id, by_this=True)
    people = receipt.events[0].data["members"]
    assert isinstance(people, list)
    return Arrived(str(people[0]), by_this=True)


def _come_in_as_member(tournament: Tournament, state: State, member: Member, request_id: uuid.UUID) -> Arrived:
    person = member.public_id
    own = (each for each in entrants(state) if each.status != WITHDRAWN)
    entrant = next((each for each in own if person in (*each.members, *each.people(*next_round(state)))), None)
    if entrant is not None:
        return replace(arrive(tournament, state, entrant.id, request_id=request_id), person=person)
    services.enter_here(
        tournament, member, pay=0, by=permissions.oneself(None, person), request_id=request_id, by_phone=True
    )
    return Arrived(person, by_this=True)


def _same_tap(tournament: Tournament, request_id: uuid.UUID) -> bool:
    """Whether this is a repeated request that let them in the first time; it then gets the same response again."""
    return TournamentEvent.objects.filter(tournament=tournament, request_id=request_id).exists()


def _check_open(state: State) -> None:
    if not state.open or state.closed:
        raise HallError("door-shut")


def _fits(name: str, words: list[str]) -> bool:
    """Whether the name has, for every typed word, a part that begins with it."""
    parts = fold(name).split()
    return all(any(part.startswith(word) for part in parts) for word in words)
