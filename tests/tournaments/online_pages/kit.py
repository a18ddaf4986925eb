"""A tournament that is played online, its tables' games written in a few lines: results stand in their rows without being played."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import Player
from clubs.models import HouseRulesVersion, Member
from domain.standings.profile import HouseRules, to_plain
from domain.tournament.payload import Plain
from domain.tournament.state import Table
from games.lobby import text
from games.models import BoardSet, Deal, Game, GameHand
from games.services import boards
from tests.games.boards import kit as boards_kit
from tests.tournaments.services.kit import Night, member_player
from tournaments import permissions as tournaments_permissions
from tournaments.models import Tournament
from tournaments.online import services
from tournaments.services import draws

DAYS = 14


class League(Night):
    """A night whose people have accounts. `pending` rounds are published with a deadline."""

    @classmethod
    def open_for(cls, number: int = 0, **plan: Any) -> League:
        """As `Night.at`, by people with accounts."""
        made = cls.at(number, **plan)
        assert isinstance(made, cls)
        return made

    def person(self) -> Member:
        """One more entry in the club's list, with an account."""
        member = super().person()
        member.player = member_player(f"Person{len(self.people)}")
        member.save(update_fields=["player"])
        return member

    def draw(self, phase: int = 1, *, out: bool = True) -> None:
        """The next round is drawn, and published with its deadline."""
        super().draw(phase, out=False)
        if out:
            self.publish(self.state.phases[phase - 1].rounds[-1].key)

    def publish(self, key: str, days: float = DAYS) -> None:
        """A round is out."""
        self.do("round.published", round=key, deadline=(timezone.now() + timedelta(days=days)).isoformat())

    def lay(self, key: str) -> BoardSet:
        """The deals of a duplicate round, and a game of computer players for each table, turned against each other."""
        found = self.state.round(key)
        assert found is not None
        tables = list(found.tables.values())
        size = len(tables[0].people)
        laid = boards.create_set(
            f"test:{self.tournament.pk}:{key}", tables[0].ruleset, size=size, count=tables[0].deals
        )
        promised: list[Plain] = [{"number": deal.ordinal, "commitment": deal.commitment} for deal in boards.deals(laid)]
        self.do("boards.laid", round=key, set=laid.public_id, boards=promised)
        for place, table in enumerate(tables):
            turn = place % len(table.sides)
            game = boards_kit.table(laid, turn)
            self.do("table.begun", table=f"{key}.{table.number}", game=game.public_id, turn=turn)
        boards.complete(laid)
        return laid

    def begin_games(self, key: str) -> None:
        """The site lays the games of a round."""
        services.begin_round(self.tournament, key)

    def game(self, key: str) -> Game:
        """The game of a table."""
        return Game.objects.get(public_id=self.table(key).game)

    def made(self, key: str, deal: int, *scores: int) -> None:
        """A table has played a deal, and its sides made this of it."""
        table, game = self.table(key), self.game(key)
        shared = boards.deal_of(game, deal)
        assert shared is not None
        seats = [0] * len(table.people)
        for side, score in zip(table.sides, scores, strict=True):
            for place in side:
                seats[place] = score
        GameHand.objects.update_or_create(
            game=game,
            number=deal,
            defaults={
                "deal": shared,
                "dealer": (table.turn + deal - 1) % len(table.people),
                "status": GameHand.Status.PLAYED,
                "points": list(scores),
                "scores": seats,
                "parties": [list(side) for side in table.sides],
            },
        )

    def open(self, laid: BoardSet, *numbers: int) -> None:
        """These deals are open; of a set, once none is sealed, all is."""
        now = timezone.now()
        Deal.objects.filter(table=laid.public_id, ordinal__in=numbers).update(opened_at=now)
        if not Deal.objects.filter(table=laid.public_id, opened_at=None).exists():
            BoardSet.objects.filter(pk=laid.pk).update(opened_at=now)

    def address(self, rest: str = "") -> str:
        """A page of the tournament."""
        return f"/e/{self.tournament.public_id}/{rest}"


def online(**more: Any) -> dict[str, Any]:
    """What a plan says of playing online."""
    pace = text.pace_of("day")
    assert pace is not None
    return {"pace": pace.terms.to_json(), "days": DAYS, **more}


def duplicate(people: int = 8, deals: int = 2, *, out: bool = True, **plan: Any) -> League:
    """A duplicate whose first round is out; its games are not laid yet."""
    night = League.open_for(
        people, **({"rules": {"rounds": 3, "deals": deals}, "online": online(duplicate=True), "odd": ["bye"]} | plan)
    )
    night.begin()
    night.draw(out=out)
    return night


def duplicate_beside(night: League) -> League:
    """Another tournament of the same club, with deals of its own: two tables play, one of them late, and the next round is a
    draft."""
    # As every founded club has them.
    HouseRulesVersion.objects.create(club=night.club, version=1, data=to_plain(HouseRules()))
    tournament = Tournament.objects.create(
        club=night.club, name="Liga d’unviern", starts=timezone.now(), entry="everybody"
    )
    other = League(night.club, tournament, night.director)
    other.do("tournament.planned", plan={"rules": {"rounds": 3, "deals": 2}, "online": online()}, fee=0)
    draws.open_tournament(tournament, by=tournaments_permissions.director(night.director), request_id=uuid.uuid4())
    for member in night.people:
        other.do("entrant.added", members=[member.public_id], here=True)
    other.people = night.people
    other.begin()
    other.draw()
    other.begin_games("1.1")
    other.do("table.overdue", table="1.1.2", how="postponed", who=[])
    other.draw(out=False)
    return other


def sides_by_lane(table: Table, deal: int) -> list[int]:
    """The sides of a table from the dealer's on, worked out from who deals."""
    people = len(table.people)
    dealer = (table.turn + deal - 1) % people
    return sorted(
        range(len(table.sides)), key=lambda side: min((place - dealer) % people for place in table.sides[side])
    )


def player_of(night: League, entrant: str) -> Player:
    """The account of an entrant's first person."""
    member = Member.objects.get(public_id=night.state.entrants[entrant].members[0])
    assert member.player is not None
    return member.player
