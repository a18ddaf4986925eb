"""What pages show of rounds played online: shared deals, the progress of the tables, and one’s own tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from accounts import availability
from accounts.models import Player
from clubs.models import Member
from domain.pace import State as SeatState
from domain.tournament.state import CONFIRMED, DRAFT, GONE, PLAYING, Line, Phase, Round, State, Table
from games import permissions as game_permissions
from games import projections
from games.models import Game, GameHand, Seat
from games.services import boards, seats
from tournaments.models import OnlineTable, Tournament
from tournaments.online import services, substitutes
from tournaments.read_models import Names

ENDED: Final = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """A shared deal of a round.

    `played` of `tables` have played it; it opens (`opened_at`) when no table has it left.
    """

    number: int
    commitment: str
    played: int
    tables: int
    opened_at: datetime | None

    @property
    def is_open(self) -> bool:
        return self.opened_at is not None


@dataclass(frozen=True, slots=True)
class Shared:
    """The shared deals of a round, and the round with the lines of open deals only.

    `games` by table number, in order.
    """

    deals: tuple[SharedDeal, ...]
    round: Round
    games: Mapping[int, Game] = field(default_factory=dict)

    def deal(self, number: int) -> SharedDeal | None:
        return next((each for each in self.deals if each.number == number), None)

    @property
    def open_numbers(self) -> frozenset[int]:
        return frozenset(each.number for each in self.deals if each.is_open)


def shared_deals_of(round: Round) -> Shared:
    """What may be shown of the deals of a duplicate round. Three queries; none if there are no deals yet."""
    if not round.board_set:
        return Shared((), _bare(round))
    opened = boards.opened(round.board_set)
    numbers = {table.game: number for number, table in round.tables.items() if table.game}
    rows = Game.objects.filter(public_id__in=numbers).select_related("board_set")
    games = {numbers[game.public_id]: game for game in sorted(rows, key=lambda game: numbers[game.public_id])}
    ended_by_deal: dict[int, set[int]] = {deal: set() for deal in opened}
    hands = GameHand.objects.filter(game__in=games.values(), status__in=ENDED)
    for game_pk, deal in hands.values_list("game", "number"):
        if deal in ended_by_deal:
            ended_by_deal[deal].add(game_pk)
    playing = {game.pk for game in games.values() if game.status == Game.Status.PLAYING}
    open_numbers = {deal for deal, opened_at in opened.items() if opened_at is not None}
    return Shared(
        deals=tuple(
            SharedDeal(
                board.number,
                board.commitment,
                len(ended_by_deal.get(board.number, ())),
                len(playing | ended_by_deal.get(board.number, set())),
                opened.get(board.number),
            )
            for board in round.boards
        ),
        round=_opened(round, games, open_numbers),
        games=games,
    )


def sealed_sets(rounds: Collection[Round]) -> frozenset[str]:
    """The keys of those rounds that still have sealed deals. One query; none without shared deals."""
    sets = {each.board_set: each.key for each in rounds if each.board_set}
    if not sets:
        return frozenset()
    return frozenset(sets[name] for name in boards.with_sealed(sets))


def _opened(round: Round, games: Mapping[int, Game], open_numbers: Collection[int]) -> Round:
    """The round with the lines of open deals only: the reported ones or, if there are none yet, those of the game."""
    unreported: dict[int, tuple[tuple[int, Line], ...]] = {}
    for number, game in games.items():
        table = round.tables[number]
        if open_numbers and table.state != CONFIRMED and not table.lines:
            unreported[number] = tuple(each for each in _played(game, table) if each[0] in open_numbers)
    tables = {}
    for number, table in round.tables.items():
        if unreported.get(number):
            tables[number] = replace(table, lines=unreported[number], state=CONFIRMED)
        else:
            tables[number] = replace(table, lines=tuple(each for each in table.lines if each[0] in open_numbers))
    return replace(round, tables=tables)


def _played(game: Game, table: Table) -> Iterator[tuple[int, Line]]:
    """The deals that a game has played so far, as it will report them."""
    for line in services.lines_of(game, table):
        data = cast("Mapping[str, Any]", line)
        yield int(data["deal"]), Line(tuple(data["scores"]), writer=-1)


def _bare(round: Round) -> Round:
    return replace(round, tables={number: replace(table, lines=()) for number, table in round.tables.items()})


@dataclass(frozen=True, slots=True)
class Waits:
    """A person that a table waits for.

    `away`: their time ran out, and a computer player acts; `sought`: a substitute is being looked for.
    """

    name: str
    away: bool
    sought: bool


@dataclass(frozen=True, slots=True)
class TableRunning:
    """A table: its game, if the reader may see it, `played` of `deals`, and whom it waits for since when.

    `decided`: it counts. `forfeit`: the names of those who kept it waiting; `corrected`: the director has changed it.
    """

    key: str
    number: int
    people: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    begun: bool
    game: str
    sealed: bool
    over: bool
    played: int
    deals: int
    waits: tuple[Waits, ...]
    since: datetime | None
    decided: bool
    late: bool
    short: bool
    forfeit: tuple[str, ...]
    corrected: bool


def running(
    state: State, round: Round, names: Names, viewer: Player | None, games: Mapping[int, Game] | None = None
) -> tuple[TableRunning, ...]:
    """The tables of a round, ordered by number. Six queries, two if its `games` are given."""
    games = games_of(round) if games is None else games
    accounts = substitutes.players_of(person for table in round.tables.values() for person in state.sitting(table))
    return tuple(
        _table(state, round, table, games.get(number), names, viewer, accounts)
        for number, table in sorted(round.tables.items())
    )


def games_of(round: Round) -> dict[int, Game]:
    """The games of a round by the numbers of their tables, with their seats and who sits there. Four queries at most."""
    numbers = {table.game: number for number, table in round.tables.items() if table.game}
    rows = (
        Game.objects.filter(public_id__in=numbers)
        .select_related("board_set")
        .prefetch_related("seats__player__merged_into")
    )
    return {numbers[game.public_id]: game for game in rows}


def waiting(state: State, table: Table, game: Game | None) -> list[str]:
    """The entrants that a table waits for (`services.who_keeps_waiting`); none if it is decided or its game is over."""
    if game is None or game.status != Game.Status.PLAYING or table.state == CONFIRMED:
        return []
    return services.who_keeps_waiting(state, table, game)


def _table(
    state: State,
    round: Round,
    table: Table,
    game: Game | None,
    names: Names,
    viewer: Player | None,
    accounts: Mapping[str, Player],
) -> TableRunning:
    goes_on = game is not None and game.status == Game.Status.PLAYING and table.state != CONFIRMED
    named = state.named(table)
    people = tuple(names.person(person) for person in named)
    return TableRunning(
        key=f"{round.key}.{table.number}",
        number=table.number,
        people=people,
        sides=tuple(tuple(people[place] for place in side) for side in table.sides),
        begun=bool(table.game),
        game=game.public_id if game is not None and game_permissions.may_see(game, viewer) else "",
        sealed=game is not None and game.is_sealed,
        over=game is not None and game.status != Game.Status.PLAYING,
        played=game.hands_played if game is not None else table.played,
        deals=table.deals,
        waits=_waits(game, people, [accounts.get(person) for person in named]) if game is not None and goes_on else (),
        since=game.acted_at if game is not None and goes_on else None,
        decided=table.state == CONFIRMED,
        late=table.late and table.state != CONFIRMED,
        short=table.short,
        forfeit=tuple(names.entrant(state.entrants[id]) for id in table.forfeit),
        corrected=table.corrected,
    )


def _waits(game: Game, people: Sequence[str], accounts: Sequence[Player | None]) -> tuple[Waits, ...]:
    """Whom a table waits for: who took over a seat by themselves under their own name, with that of whose seat they have."""
    sitting = {seat.number: seat.player.current for seat in game.seats.all()}
    clock = projections.clock_of(game)
    if clock is None:
        return ()
    return tuple(
        Waits(
            _sitting(people[seat], sitting[seat], accounts[seat]),
            away=clock.seats[seat].state is SeatState.AWAY,
            sought=clock.seats[seat].state is SeatState.SOUGHT,
        )
        for seat in seats.waiting_seats(game)
        if seat < len(people)
    )


def _sitting(name: str, player: Player, account: Player | None) -> str:
    if player.is_computer or account is None or account == player:
        return name
    return _("%(substitute)s (for %(name)s)") % {"substitute": player.display_name, "name": name}


def veiled(state: State) -> State:
    """The state without what would reveal a sealed deal. One query if deals are shared, none otherwise."""
    rounds = [
        each
        for phase in state.phases
        for each in phase.rounds
        if each.board_set and each.status != DRAFT and any(table.lines for table in each.tables.values())
    ]
    sealed = sealed_sets(rounds)
    if not sealed:
        return state
    return replace(state, phases=tuple(_phase(phase, sealed) for phase in state.phases))


def _phase(phase: Phase, sealed: Collection[str]) -> Phase:
    return replace(
        phase,
        rounds=tuple(
            replace(each, tables={number: _redacted_table(table) for number, table in each.tables.items()})
            if each.key in sealed
            else each
            for each in phase.rounds
        ),
    )


def _redacted_table(table: Table) -> Table:
    if not table.lines:
        return table
    return replace(table, lines=(), state=PLAYING, confirmed_by="", short=False, dispute=None, changes=(), note="")


@dataclass(frozen=True, slots=True)
class MyTable:
    """One's own table that does not count yet. `game` is empty until it is created; `turn`: it is one's turn.

    `over`: the game is finished, and counts as soon as all tables have played its deals.
    """

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
    """A visitor who takes part: their open tables, their time zone, and whether they have left or are replaced."""

    tables: tuple[MyTable, ...]
    zone: ZoneInfo
    gone: bool


def is_online(state: State) -> bool:
    """Whether any part of the tournament is played online, or is going to be."""
    return any(phase.plan.online for phase in state.phases) or (not state.phases and state.plan.online is not None)


def my_tables(tournament: Tournament, state: State, player: Player | None) -> Mine | None:
    """The open tables of a player who takes part; None for others, and if nothing is played online.

    Four queries at most.
    """
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
    own = Seat.objects.filter(player=player.current, game__online_table__tournament=tournament).select_related("game")
    seats = {row.game.public_id: row for row in own}
    tables = []
    for phase in state.phases:
        for round in phase.rounds:
            if phase.plan.online is None or round.status == DRAFT:
                continue
            for _number, table in sorted(round.tables.items()):
                seat = seats.get(table.game)
                place = _place(table, seat, people)
                if place is not None and table.state != CONFIRMED:
                    game = seat.game if seat is not None else None
                    tables.append(_my_table(state, phase.name, round, table, place, game, names))
    own_entries = [(each, person) for each in state.entrants.values() for person in people & set(each.members)]
    gone = any(each.status == GONE or each.playing_for(person)[0] != person for each, person in own_entries)
    return Mine(tuple(reversed(tables)), availability.zone_of(player), gone)


def _place(table: Table, seat: Seat | None, people: set[str]) -> int | None:
    """A person's place at a table: their `seat` in its game, even if taken over later; without a game, as drawn."""
    if table.game:
        return seat.number if seat is not None else None
    return next((place for place, person in enumerate(table.people) if person in people), None)


def _my_table(
    state: State, phase_name: str, round: Round, table: Table, place: int, game: Game | None, names: Names
) -> MyTable:
    side, people = next(each for each in table.sides if place in each), state.sitting(table)
    goes_on = game is not None and game.status == Game.Status.PLAYING
    return MyTable(
        round_key=round.key,
        round=round.number,
        phase_name=phase_name,
        number=table.number,
        partners=tuple(names.person(people[other]) for other in side if other != place),
        opponents=tuple(names.person(person) for other, person in enumerate(people) if other not in side),
        game=table.game,
        turn=game is not None and goes_on and game.waits_for_seat(place),
        over=game is not None and not goes_on,
        played=game.hands_played if game is not None else 0,
        deals=table.deals,
        until=datetime.fromisoformat(round.deadline) if round.deadline and not table.late else None,
        late=table.late,
    )


def occasions(games: Collection[Game]) -> Mapping[int, str]:
    """ "Winter league, round 2, table 3" for games of tournaments. One query."""
    rows = OnlineTable.objects.filter(game__in=[game.pk for game in games]).select_related("tournament")
    return {row.game_id: _occasion(row) for row in rows if row.game_id is not None}


def _occasion(row: OnlineTable) -> str:
    _phase, number, table = row.key.split(".")
    facts = {"tournament": row.tournament.name, "round": number, "table": table}
    return _("%(tournament)s, round %(round)s, table %(table)s") % facts
