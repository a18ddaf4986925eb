"""A club, a tournament and its people, made for tests in a few lines; everything happens through the door."""

from __future__ import annotations

import math
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

import pytest

from accounts.models import Player, User
from clubs.models import Club, Member
from domain.tournament.payload import Plain
from domain.tournament.state import State, Table
from rules import terms
from tournaments import permissions as tournaments_permissions
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.services import draws, log
from tournaments.services.log import Receipt

STARTS = datetime(2026, 11, 27, 18, 30, tzinfo=UTC)


def member_player(name: str) -> Player:
    """Somebody with an account."""
    user = User.objects.create_user(email=f"{name.lower()}@example.org", password="sontga-onna")
    return Player.objects.create(user=user, name=name)


def words_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page of the test asks whether words were published, and no later one: where queries are counted, one
    more of them would come after three seconds, so on a slow machine.
    """
    monkeypatch.setattr(terms, "EVERY", math.inf)


def step_aside() -> None:
    """The club and the director of the evening before make room: on a site of several tests each has one of its own."""
    mark = uuid.uuid4().hex[:8]
    Club.objects.filter(slug="troccas-cuera").update(slug=f"c-{mark}")
    User.objects.filter(email="dirigenta@example.org").update(email=f"{mark}@example.org")
    Player.objects.filter(name="Dirigenta").update(name=f"D{mark}")


@dataclass
class Night:
    """A tournament with its club and its director; methods act through the door and answer with receipts."""

    club: Club
    tournament: Tournament
    director: Player
    people: list[Member] = field(default_factory=list)

    @classmethod
    def at(cls, number: int = 0, **plan: Any) -> Self:
        """A tournament that is open, with `number` people here. `plan` is a plan's data, `rules` among it."""
        director = member_player("Dirigenta")
        club = Club.objects.create(slug="troccas-cuera", name="Troccas Cuera", created_by=director)
        Member.objects.create(
            club=club, player=director, first_name="Dora", last_name="Director", role=Member.Role.PRESIDENT
        )
        tournament = Tournament.objects.create(club=club, name="Sera da troccas", starts=STARTS)
        night = cls(club, tournament, director)
        night.do("tournament.planned", plan={"rules": {"rounds": 4, "deals": 2}} | plan, fee=1000)
        draws.open_tournament(tournament, by=tournaments_permissions.director(director), request_id=uuid.uuid4())
        for _person in range(number):
            night.walk_in()
        return night

    @property
    def state(self) -> State:
        """How it stands."""
        self.tournament.refresh_from_db()
        return selectors.state_of(self.tournament)

    def do(self, kind: str, /, **data: Any) -> Receipt:
        """One thing, done by the director."""
        return log.act(
            self.tournament.pk,
            [(kind, data)],
            by=tournaments_permissions.director(self.director),
            request_id=uuid.uuid4(),
        )

    def person(self) -> Member:
        """One more entry in the club's list."""
        number = len(self.people) + 1
        member = Member.objects.create(
            club=self.club, first_name=f"Vorname{number}", last_name=f"Nachname{number}", kind=Member.Kind.GUEST
        )
        self.people.append(member)
        return member

    def walk_in(self, *, pair: bool = False) -> str:
        """Somebody (or a pair) comes in at the door; their id."""
        members: list[Plain] = [self.person().public_id for _each in range(2 if pair else 1)]
        self.do("entrant.added", members=members, here=True)
        return f"e{len(self.state.entrants)}"

    def begin(self, name: str = "", **data: Any) -> None:
        """A phase begins."""
        self.do("phase.started", name=name, **data)

    def draw(self, phase: int = 1, *, out: bool = True) -> None:
        """The next round is drawn, and published."""
        receipt = draws.draw(
            self.tournament, phase, by=tournaments_permissions.director(self.director), request_id=uuid.uuid4()
        )
        if out:
            self.do("round.published", round=receipt.state.phases[phase - 1].rounds[-1].key)

    def play(self, key: str, *scores: int) -> None:
        """A whole sheet is written by place 0, every deal alike, handed in and confirmed by the other side."""
        table = self.table(key)
        self.write(key, *scores)
        self.do("table.handed-in", table=key, place=0)
        self.do("table.confirmed", table=key, place=table.sides[1][0])

    def write(self, key: str, *scores: int) -> None:
        """Every deal of a table is written, alike."""
        table = self.table(key)
        given: list[Plain] = list(scores) or even(table)
        for deal in range(1, table.deals + 1):
            self.do("deal.entered", table=key, deal=deal, place=0, scores=given)

    def play_round(self, key: str) -> None:
        """All tables of a round are played, and the round is closed."""
        found = self.state.round(key)
        assert found is not None
        for number in found.tables:
            self.play(f"{key}.{number}")
        self.do("round.closed", round=key)

    def table(self, key: str) -> Table:
        """A table."""
        found = self.state.table(key)
        assert found is not None
        return found


def even(table: Table) -> list[Plain]:
    """Scores that add up, the first side a little better."""
    sides = 2 if table.in_turn else len(table.sides)
    total = table.total or 0
    share = total // sides
    scores = [share] * sides
    scores[0] += total - share * sides + 1
    scores[-1] -= 1
    return list(scores)
