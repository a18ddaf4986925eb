"""The deals that all tables of a round play: which of them are open, and what each table made of those.

This is the one way by which pages and files come to know anything of such a deal. What is sealed is not read here: of a deal
that some table has still to play nothing is told but that, and how many tables have played it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, cast

from clubs.evening.state import CONFIRMED, Line, Round, Table
from clubs.online import reporting
from games import boards
from games.models import Game, GameHand

ENDED: Final = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """A deal of a round. `played` of `tables` have played it; it is open (`opened_at`) once there is none left to."""

    number: int
    commitment: str
    played: int
    tables: int
    opened_at: datetime | None

    @property
    def is_open(self) -> bool:
        """Whether everybody may see it."""
        return self.opened_at is not None


@dataclass(frozen=True, slots=True)
class Shared:
    """The deals of a round, and the round as it may be seen: lines of open deals only. `games` by the table's number, in its order."""

    deals: tuple[SharedDeal, ...]
    round: Round
    games: Mapping[int, Game] = field(default_factory=dict)

    def deal(self, number: int) -> SharedDeal | None:
        """One of them."""
        return next((each for each in self.deals if each.number == number), None)

    @property
    def open_numbers(self) -> frozenset[int]:
        """The numbers of the deals that are open."""
        return frozenset(each.number for each in self.deals if each.is_open)


def shared_of(round: Round) -> Shared:
    """What may be known of the deals of a duplicate round. Three queries; none where no deals were laid yet."""
    if not round.board_set:
        return Shared((), _bare(round))
    laid = boards.opened(round.board_set)
    tables = {table.game: number for number, table in round.tables.items() if table.game}
    found = Game.objects.filter(public_id__in=tables).select_related("board_set")
    games = dict(sorted((tables[game.public_id], game) for game in found))  # no two share a number
    ended: dict[int, set[int]] = {number: set() for number in laid}
    rows = GameHand.objects.filter(game__in=games.values(), status__in=ENDED)
    for game, number in rows.values_list("game", "number"):
        if number in ended:
            ended[number].add(game)
    playing = {game.pk for game in games.values() if game.status == Game.Status.PLAYING}
    open_ = {number for number, opened_at in laid.items() if opened_at is not None}
    return Shared(
        deals=tuple(
            SharedDeal(
                board.number,
                board.commitment,
                len(ended.get(board.number, ())),
                len(playing | ended.get(board.number, set())),
                laid.get(board.number),
            )
            for board in round.boards
        ),
        round=_opened(round, games, open_),
        games=games,
    )


def sealed_sets(rounds: Collection[Round]) -> frozenset[str]:
    """Which of these rounds have deals that are not all open yet, by their keys. One query; none without shared deals."""
    sets = {each.board_set: each.key for each in rounds if each.board_set}
    if not sets:
        return frozenset()
    return frozenset(sets[name] for name in boards.with_sealed(sets))


def _opened(round: Round, games: Mapping[int, Game], open_: Collection[int]) -> Round:
    """The round with lines of open deals only: those reported, or, where nothing is yet, those of the table's game."""
    found: dict[int, tuple[tuple[int, Line], ...]] = {}
    for number, game in games.items():
        table = round.tables[number]
        if open_ and table.state != CONFIRMED and not table.lines:
            found[number] = tuple(each for each in _played(game, table) if each[0] in open_)
    tables = {}
    for number, table in round.tables.items():
        if found.get(number):
            tables[number] = replace(table, lines=found[number], state=CONFIRMED)
        else:
            tables[number] = replace(table, lines=tuple(each for each in table.lines if each[0] in open_))
    return replace(round, tables=tables)


def _played(game: Game, table: Table) -> Iterator[tuple[int, Line]]:
    """The deals a game has played so far, as it will report them."""
    for line in reporting.lines_of(game, table):
        said = cast("Mapping[str, Any]", line)
        yield int(said["deal"]), Line(tuple(said["scores"]), writer=-1)


def _bare(round: Round) -> Round:
    return replace(round, tables={number: replace(table, lines=()) for number, table in round.tables.items()})
