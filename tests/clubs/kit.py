"""Clubs for tests: people with accounts, a club with somebody in every role, entries, browsers."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from accounts.models import Player
from clubs.models import Club, Member
from clubs.services import common, joining, members
from clubs.services.common import Person
from clubs.services.members import Details
from tests.games import lobby_kit


def rid() -> uuid.UUID:
    """A request id nobody has used."""
    return uuid.uuid4()


def person(name: str = "Anna Alig") -> Player:
    """Somebody with an account."""
    return lobby_kit.member(name)


def club_of(president: Player, name: str = "Troccas Trun", **words: Any) -> Club:
    """A club with its president."""
    fields = {"village": "Trun", "canton": "GR", "language": "en"} | words
    first, _blank, last = president.name.partition(" ")
    return common.create_club(president, Club(name=name, **fields), Person(first, last), request_id=rid())


def enter(club: Club, by: Player, first: str, last: str, **details: Any) -> Member:
    """An entry the club makes."""
    return members.enter(club, by, Details(first, last, **details), request_id=rid())


def join(club: Club, by: Player, player: Player, role: str = Member.Role.MEMBER, *, named: bool = False) -> Member:
    """Let somebody with an account become a member, in a role."""
    first, _blank, last = player.name.partition(" ")
    asked = joining.ask(club, player, Person(first, last, named), "", request_id=rid())
    member = joining.accept(club, by, asked.public_id, request_id=rid())
    if role != Member.Role.MEMBER:
        member = members.give_role(club, by, member.public_id, role, request_id=rid())
    return member


@dataclass
class People:
    """A club with somebody in every role, by role; `stranger` has an account and no part in it."""

    club: Club
    president: Player
    secretary: Player
    director: Player
    member: Player
    stranger: Player
    entries: dict[str, Member] = field(default_factory=dict)

    def of(self, role: str) -> Player | None:
        """Who is this; None for a guest without an account."""
        return None if role == "nobody" else getattr(self, role)


def staffed(name: str = "Troccas Trun", **words: Any) -> People:
    """A club with everybody."""
    president = person("Petra Pfister")
    club = club_of(president, name, **words)
    found = People(
        club, president, person("Sep Seeli"), person("Dario Demont"), person("Mia Maissen"), person("Stina Solèr")
    )
    for role in ("secretary", "director", "member"):
        found.entries[role] = join(club, president, getattr(found, role), role)
    found.entries["president"] = Member.objects.get(club=club, player=president)
    return found


def browser(player: Player | None) -> Client:
    """A browser in which somebody is signed in."""
    client = Client()
    if player is not None:
        client.force_login(player.user)
    return client


def post(client: Client, path: str, **data: Any) -> Any:
    """A form that is sent, with a fresh request id."""
    return client.post(path, {"request_id": str(rid())} | data)


_ONCE = re.compile(r"\b[0-9A-Za-z]{64}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|<updated>[^<]*</updated>")
"""What no test can know of an answer: the token against forged forms, the ids of requests, and the moments in a feed, to the
microsecond."""


def told(client: Client, path: str) -> str:
    """What is answered, without tokens and moments: they may hold any short word or year by chance."""
    return _ONCE.sub("", client.get(path).content.decode())
