"""One's own tables in an online tournament: which games one plays, with whom, against whom, until when.

What a game of a tournament is called in lists of games: the tournament, the round, the table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from accounts import availability
from accounts.models import Player
from clubs.models import Member
from domain.tournament.state import CONFIRMED, DRAFT, Round, State, Table
from games.models import Game, Seat
from tournaments.models import OnlineTable, Tournament
from tournaments.read_models import Names


@dataclass(frozen=True, slots=True)
class MyTable:
    """A table that does not count yet. `game` is empty while it is being laid; `turn`: one is asked now; `over`: it is played
    to its end, and counts as soon as all tables have played its deals."""

    round_key: str
    round: int
    phase_name: str
    number: int
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    game: str
    turn: bool
    over: bool
    played: int
    deals: int
    until: datetime | None
    late: bool


@dataclass(frozen=True, slots=True)
class Mine:
    """Whoever looks, if they take part: their entry, their open tables, the time zone they live in."""

    entrant: str
    tables: tuple[MyTable, ...]
    zone: ZoneInfo


def is_online(state: State) -> bool:
    """Whether any part of it is played online, or is going to be."""
    return any(phase.plan.online for phase in state.phases) or (not state.phases and state.plan.online is not None)


def mine(tournament: Tournament, state: State, player: Player | None) -> Mine | None:
    """The tables of somebody who takes part; None for others, and where nothing is played online. Five queries at most."""
    if player is None or not is_online(state):
        return None
    people = set(
        Member.objects.filter(player=player.current, participations__tournament=tournament).values_list(
            "public_id", flat=True
        )
    )
    if not people:
        return None
    names = Names(tournament, "hall")
    own = Seat.objects.filter(player=player.current)
    seats = {
        row.game.public_id: row.number
        for row in own.filter(game__online_table__in=OnlineTable.objects.filter(tournament=tournament)).select_related(
            "game"
        )
    }
    games = {game.public_id: game for game in Game.objects.filter(public_id__in=seats)}
    found = []
    for phase in state.phases:
        for round in phase.rounds:
            if phase.plan.online is None or round.status == DRAFT:
                continue
            for _number, table in sorted(round.tables.items()):
                place = _place(table, seats, people)
                if place is not None and table.state != CONFIRMED:
                    found.append(_table(phase.name, round, table, place, games.get(table.game), names))
    entrant = next(
        (
            each.id
            for each in state.entrants.values()
            if people & {*each.members, *(one.new for one in each.substitutions)}
        ),
        "",
    )
    return Mine(entrant, tuple(reversed(found)), availability.zone_of(player))


def _place(table: Table, seats: dict[str, int], people: set[str]) -> int | None:
    """Where somebody sits: by their seat in its game, which may have come to them later, else as it was drawn."""
    if table.game:
        return seats.get(table.game)
    return next((place for place, person in enumerate(table.people) if person in people), None)


def _table(phase_name: str, round: Round, table: Table, place: int, game: Game | None, names: Names) -> MyTable:
    side = next(each for each in table.sides if place in each)
    goes_on = game is not None and game.status == Game.Status.PLAYING
    return MyTable(
        round_key=round.key,
        round=round.number,
        phase_name=phase_name,
        number=table.number,
        partners=tuple(names.person(table.people[other]) for other in side if other != place),
        opponents=tuple(names.person(person) for other, person in enumerate(table.people) if other not in side),
        game=table.game,
        turn=game is not None and goes_on and bool(game.waits_for >> place & 1),
        over=game is not None and not goes_on,
        played=game.hands_played if game is not None else 0,
        deals=table.deals,
        until=datetime.fromisoformat(round.deadline) if round.deadline and not table.late else None,
        late=table.late,
    )


def occasions(games: Collection[Game]) -> Mapping[int, str]:
    """ "Winter league, round 2, table 3" for games of tournaments. One query."""
    rows = OnlineTable.objects.filter(game__in=[game.pk for game in games]).select_related("tournament")
    return {row.game_id: _words(row) for row in rows if row.game_id is not None}


def _words(row: OnlineTable) -> str:
    _phase, number, table = row.key.split(".")
    facts = {"tournament": row.tournament.name, "round": number, "table": table}
    return _("%(tournament)s, round %(round)s, table %(table)s") % facts
