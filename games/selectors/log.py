"""A stored game as the engine's own state, read from its log. Only services and selectors do this."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db.models import Q

from domain.engine.actions import SAY, parse_action
from domain.engine.cards import card_of
from domain.engine.hand import Hand
from domain.engine.match import Gathered, gathered_from
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import ruleset
from games.models import Action, Game, GameHand, Seat

UNDONE: Final = "undone"
"""The event that takes back a move, which does not count from then on; `taken_back` reads its data."""


class Move(NamedTuple):
    """A move, or what was said unasked, as the log holds it: its number in the game, the seat, and the record's words."""

    number: int
    seat: int
    text: str

    @property
    def said(self) -> bool:
        """Whether it was said unasked: no answer to anything, it stands and hinders nothing."""
        return self.text.startswith(f"{SAY} ")


@dataclass(slots=True)
class Table:
    """A game as it stands: its rows, and the open hand in the engine with its moves (None while the next deal waits for
    players)."""

    game: Game
    rules: Ruleset
    seats: list[Seat]
    hands: list[GameHand]
    hand: Hand | None
    moves: list[Move] = field(default_factory=list)

    @property
    def row(self) -> GameHand:
        return self.hands[-1]

    def seat_of(self, player_id: int) -> int | None:
        """The seat where a player sits, None if nowhere."""
        return next((seat.number for seat in self.seats if seat.player_id == player_id), None)


def open_table(game: Game, known: Game | None = None) -> Table:
    """The table of `game` at its last action, in three queries; one fewer where the seats were read with the game.

    `known` is the same game read before, with its seats: who sits where does not change without an entry in the log.
    """
    rules = rules_of(game)
    if known is None or known.number != game.number:
        known = game
    seats = known.read_seats()
    game.have_seats_of(known)
    hands = sorted(game.hands.order_by().select_related("deal"), key=attrgetter("number"))
    table = Table(game, rules, seats, hands, None)
    if hands[-1].status == GameHand.Status.OPEN:
        lay_open(table)
    return table


def lay_open(table: Table) -> Hand:
    """Read the open hand from the log as it stands now."""
    table.moves = moves_of(table.game, table.row.number)
    table.hand = hand = replay_hand(table, table.row, table.moves)
    return hand


def steady_table(game: Game) -> Table:
    """The table with all its rows read at one number: if somebody acts in the meantime, it is read again."""
    while True:
        table = open_table(game)
        now = Game.objects.get(pk=game.pk)
        if now.number == game.number:
            return table
        game = now


def rules_of(game: Game) -> Ruleset:
    """The ruleset of a game for the size of its table, in the version it began with."""
    return ruleset(game.ruleset, game.ruleset_version, game.table_size)


_PLAYED: Final = (Action.Kind.MOVE, Action.Kind.SAID)


def moves_of(game: Game, hand_number: int) -> list[Move]:
    """The moves of one deal that count, in order, with what was said unasked: without those that were taken back.

    The one place that says which do.
    """
    moves = Q(kind__in=_PLAYED) | Q(kind=Action.Kind.EVENT, text=UNDONE)
    entries = game.actions.filter(moves, hand_number=hand_number).order_by("number")
    rows = list(entries.values_list("number", "kind", "seat", "text", "data"))
    undone = {number for _, kind, _, _, data in rows if kind == Action.Kind.EVENT for number in taken_back(data)}
    return [
        Move(number, seat, text)
        for number, kind, seat, text, _ in rows
        if kind in _PLAYED and seat is not None and number not in undone
    ]


def taken_back(data: Mapping[str, Any]) -> list[int]:
    """The numbers of the moves that an event UNDONE takes back, from its data: one; or `moves`, where one person is alone with
    computer players and takes back what these did since as well."""
    return data.get("moves") or [data["move"]]


def ready_seats(game: Game) -> set[int]:
    """The seats whose players are ready for the deal that waits."""
    events = game.actions.filter(hand_number=game.hand_number, kind=Action.Kind.EVENT, text="ready")
    return {seat for seat in events.values_list("seat", flat=True) if seat is not None}


def running_before(table: Table, number: int) -> list[int]:
    """The totals per seat before deal `number`."""
    totals = [0] * table.rules.seats
    for row in table.hands:
        if row.number < number:
            for seat, score in enumerate(row.scores):
                totals[seat] += score
    return totals


def replay_hand(table: Table, row: GameHand, moves: Iterable[Move]) -> Hand:
    """The hand of one deal after `moves`."""
    running = running_before(table, row.number)
    hand = Hand(
        table.rules,
        row.dealer,
        pack_of(row),
        options=table.game.options,
        running=running,
        gathered=_gathered_before(table, row) if table.game.options.get("demands") and min(running) < 0 else None,
    )
    for move in moves:
        hand.push_of(move.seat, parse_action(move.text))
    return hand


def pack_of(row: GameHand) -> tuple[int, ...] | None:
    """The pack of a deal before the cut, None until it lies ready."""
    return None if row.deal.pack is None else tuple(card_of(code) for code in row.deal.pack.split())


def _gathered_before(table: Table, row: GameHand) -> Gathered | None:
    """The cards of the deal before, if it was played to its end."""
    before = next((other for other in table.hands if other.number == row.number - 1), None)
    if before is None or before.status != GameHand.Status.PLAYED:
        return None
    return gathered_from(replay_hand(table, before, moves_of(table.game, before.number)))
