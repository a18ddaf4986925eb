"""Saying at the entrance that one is here: finding one's name without a list to read, and coming in without being on it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import Final

from clubs.models import Member
from clubs.services import members as room_members
from core.text import fold
from domain.errors import DomainError
from domain.tournament.registering import entrant_of
from domain.tournament.state import GONE, HERE, WITHDRAWN, Entrant, State
from tournaments import permissions as tournaments_permissions
from tournaments.exceptions import Refused
from tournaments.live.exceptions import HallError
from tournaments.models import Tournament, TournamentEvent
from tournaments.permissions import Actor
from tournaments.read_models import Names, entrants
from tournaments.registration import services
from tournaments.registration.services import WalkIn
from tournaments.services import log

FEWEST_LETTERS: Final = 2
MOST_FOUND: Final = 8
ENTRANCE: Final = Actor(tournaments_permissions.PERSON, "entrance")
"""Whoever comes in without being on the list, for themselves."""


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody (or a pair) the typed letters fit."""

    entrant: str
    name: str
    here: bool
    pair: bool


@dataclass(frozen=True, slots=True)
class Search:
    """What was found; `short`: too few letters to look for, `more`: there are others, type on."""

    found: tuple[Found, ...] = ()
    short: bool = False
    more: bool = False


def search(state: State, names: Names, typed: str) -> Search:
    """Who takes part and has words in their name beginning with what was typed. Never everybody: two letters at least."""
    words = fold(typed).split()
    if sum(map(len, words)) < FEWEST_LETTERS:
        return Search(short=True)
    hits = [each for each in entrants(state) if each.status not in (WITHDRAWN, GONE) and _fits(each, names, words)]
    rows = sorted(
        (Found(each.id, names.entrant(each), each.status == HERE, len(each.members) > 1) for each in hits),
        key=lambda row: fold(row.name),
    )
    return Search(tuple(rows[:MOST_FOUND]), more=len(rows) > MOST_FOUND)


@dataclass(frozen=True, slots=True)
class Arrived:
    """Somebody is in: the public id of their entry in the club's list. `by_this`: it was this tap that let them in.

    Who is here already may be tapped by anybody who has the sheet at the entrance, the other side of their table too: that
    opens no page from which one writes and confirms for them.
    """

    person: str
    by_this: bool


def arrive(tournament: Tournament, state: State, entrant_id: str, *, request_id: uuid.UUID) -> Arrived:
    """Somebody of the list is here. Raises ``door-shut``, Refused, ``cancelled``, ``request-reused``."""
    _check_open(state)
    try:
        entrant = entrant_of(state, entrant_id)
    except DomainError as why:
        raise Refused.of(why) from None
    if entrant.status in (WITHDRAWN, GONE):
        raise Refused("unknown-entrant", "id", id=entrant.id)
    person = entrant.members[0]
    if entrant.status == HERE:
        return Arrived(person, _same_tap(tournament, request_id))
    by = tournaments_permissions.oneself(None, person)
    log.act(tournament.pk, [("entrant.arrived", {"id": entrant.id})], by=by, request_id=request_id)
    return Arrived(person, by_this=True)


def come_in(tournament: Tournament, state: State, first_name: str, last_name: str, *, request_id: uuid.UUID) -> Arrived:
    """Somebody who is not on the list comes in.

    A name the club knows is that entry and not a second one. Raises ``door-shut``, ``name-needed``, ``two-of-that-name``,
    and as `entering.walk_in`.
    """
    _check_open(state)
    if not first_name or not last_name:
        raise HallError("name-needed")
    known = room_members.alike(tournament.club, first_name, last_name)
    if len(known) > 1:
        raise HallError("two-of-that-name")
    if known:
        return _known(tournament, state, known[0], request_id)
    receipt, member = services.walk_in(
        tournament, WalkIn(first_name, last_name, sure=True), by=ENTRANCE, request_id=request_id
    )
    if member is not None:
        return Arrived(member.public_id, by_this=True)
    people = receipt.events[0].data["members"]
    assert isinstance(people, list)
    return Arrived(str(people[0]), by_this=True)


def _known(tournament: Tournament, state: State, member: Member, request_id: uuid.UUID) -> Arrived:
    person = member.public_id
    entrant = next((each for each in entrants(state) if each.status != WITHDRAWN and person in each.members), None)
    if entrant is not None:
        return replace(arrive(tournament, state, entrant.id, request_id=request_id), person=person)
    services.enter_here(
        tournament, member, pay=0, by=tournaments_permissions.oneself(None, person), request_id=request_id
    )
    return Arrived(person, by_this=True)


def _same_tap(tournament: Tournament, request_id: uuid.UUID) -> bool:
    """Whether this very request let them in before: sent again, it gets its first answer."""
    return TournamentEvent.objects.filter(tournament=tournament, request_id=request_id).exists()


def _check_open(state: State) -> None:
    if not state.open or state.closed:
        raise HallError("door-shut")


def _fits(entrant: Entrant, names: Names, words: list[str]) -> bool:
    """Whether every word typed begins one of the names of one of them."""
    for person in entrant.members:
        parts = fold(names.person(person)).split()
        if all(any(part.startswith(word) for part in parts) for word in words):
            return True
    return False
