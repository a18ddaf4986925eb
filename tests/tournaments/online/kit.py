"""A tournament that is played online, made for tests in a few lines: its people have accounts, its clock is turned.

Games are played through the door as computer players advise, or ended by it; what is due is done by the worker's own look.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Player
from clubs.models import Member
from domain.bots import advice
from domain.tournament.state import HERE, Round, Table
from games.models import Game
from games.selectors import table as table_selector
from games.services import play
from games.table import tasks
from tests.tournaments.services.kit import Night, member_player
from tournaments import permissions as tournaments_permissions
from tournaments.online import services
from tournaments.services import draws

PACE: dict[str, Any] = {"kind": "days", "action": 86400, "bank": 86400}
SEEKING = PACE | {"out": "substitute"}
PASSING: dict[str, Any] = {"ruleset": "troggu-graechen", "tie_breaks": ["card-points"]}
"""House rules of a game in which a deal that everybody passes is over at once, and brings nothing: quick for tests."""
BEGINS = datetime(2026, 12, 1, 13, 30, tzinfo=UTC)
"""When every test begins: a Tuesday, half past two in Zurich."""
LATER = timedelta(seconds=11)
"""How long a deal waits before it begins by itself."""


@dataclass
class Clock:
    """How far the clock is turned on."""

    ahead: timedelta = timedelta(0)


CLOCK = Clock()


class League(Night):
    """A tournament online."""

    @classmethod
    def of(cls, people: int, *, rules: dict[str, Any] | None = None, online: dict[str, Any] | None = None, **plan: Any):
        """A tournament online with so many people, its phase begun, and no round drawn."""
        played = {"pace": PACE, "days": 7, "auto": False} | (online or {})
        league = cls.at(0, **({"rules": {"rounds": 2, "deals": 1} | (rules or {}), "online": played, "odd": []} | plan))
        for _each in range(people):
            league.join()
        league.begin()
        return league

    def join(self) -> str:
        """Somebody with an account enters; their id."""
        member = self.person()
        member.player = member_player(f"Player{len(self.people)}")
        member.player.bot_speed = "at-once"
        member.player.save()
        member.save()
        self.do("entrant.added", members=[member.public_id], here=True)
        return f"e{len(self.state.entrants)}"

    def stranger(self, name: str) -> Member:
        """Somebody with an account in the club's list who does not take part."""
        return Member.objects.create(club=self.club, first_name=name, last_name="Caduff", player=member_player(name))

    def round(self, *, out: bool = True, begun: bool = True) -> Round:
        """The next round is drawn, published, and its games are laid by the worker."""
        by = tournaments_permissions.director(self.director)
        receipt = draws.draw(self.tournament, 1, by=by, request_id=uuid.uuid4())
        key = receipt.state.phases[0].rounds[-1].key
        if out:
            services.publish_round(self.tournament, key, by=by, request_id=uuid.uuid4())
        if begun:
            self.look()
        return self.at_key(key)

    @property
    def now(self) -> datetime:
        """The time by the turned clock."""
        return timezone.now()

    def turn_to(self, moment: datetime) -> None:
        """Turn the clock on to a moment."""
        CLOCK.ahead += max(timedelta(0), moment - timezone.now())

    def run(self, until: datetime) -> None:
        """Turn the clock to a moment and let the worker look."""
        self.turn_to(until)
        self.look()

    def deadline(self, key: str) -> datetime:
        """When a round ends."""
        return datetime.fromisoformat(self.at_key(key).deadline)

    def asked(self, key: str) -> str:
        """The entrant whose person is asked at a table; the next deal begins if none is yet, and what the site does by itself is
        done."""
        game = self.game(key)
        while game.to_act is None or game.asked == "cut":
            self.step(game)
            game.refresh_from_db()
        return self.table(key).owners[game.to_act]

    def at_key(self, key: str) -> Round:
        """A round as it stands."""
        found = self.state.round(key)
        assert found is not None
        return found

    def look(self, by: timedelta = timedelta(0)) -> int:
        """Turn the clock, and let the worker look until nothing is left to be done at that moment; how much was done."""
        CLOCK.ahead += by
        total = 0
        for _each in range(200):
            done = tasks.do_due()
            if not done:
                return total
            total += done
        raise AssertionError("the worker never comes to an end")

    def game(self, key: str) -> Game:
        """The game of a table."""
        return Game.objects.get(public_id=self.table(key).game)

    def player(self, person: str) -> Player:
        """The account of a person."""
        found = Member.objects.get(public_id=person).player
        assert found is not None
        return found

    def play_out(self, key: str) -> Game:
        """Play the game of a table to its end, people choosing as computer players would."""
        return self.play_deals(key, 100)

    def play_deals(self, key: str, deals: int) -> Game:
        """Play so many deals of a table."""
        game = self.game(key)
        until = game.hands_played + deals
        while game.status == Game.Status.PLAYING and game.hands_played < until:
            self.step(game)
            game.refresh_from_db()
        return game

    def step(self, game: Game) -> None:
        """One step further at a table."""
        game.refresh_from_db()
        seat = game.seats.select_related("player").get(number=game.to_act) if game.to_act is not None else None
        view = table_selector.view_for(game, seat.number) if seat is not None else None
        if seat is None or seat.player.is_computer or view is None or is_away(game, seat.number):
            CLOCK.ahead += LATER
            assert tasks.do_due() > 0
            return
        action = "pass" if game.asked == "bid" else str(advice.choose(view))
        play.submit(game.pk, seat.number, action, expected=game.number, request_id=uuid.uuid4(), by=seat.player)


def is_away(game: Game, seat: int) -> bool:
    """Whether somebody else acts for a seat."""
    return str(game.clock["seats"][seat]["state"]) != "here"


def here(league: League) -> Sequence[str]:
    """Everybody who is here."""
    return [each.id for each in league.state.entrants.values() if each.status == HERE]


def places(table: Table, entrant: str) -> list[int]:
    """Where an entrant sits."""
    return [place for place, owner in enumerate(table.owners) if owner == entrant]
