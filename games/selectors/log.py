"""A stored game as the engine's own state, read from its log. Only services and selectors do this.

Each process caches what it last read from the log of a game, so that the next step need not read it again. Nothing
depends on the cache: its entries follow from the log alone, and one is used only for a game whose row, just read, has
the same number and moment. Rows that do not follow from the log alone (seats, people, deals) are read each time. A
miss reads the log. The effects of a transaction are cached after its commit, never before.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery

from core.prepared_queries import prepared
from domain.engine.actions import SAY, parse_action
from domain.engine.cards import card_of
from domain.engine.hand import Hand
from domain.engine.match import Gathered, gathered_from
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import ruleset
from games.models import Action, Deal, Game, GameHand, Seat

UNDONE: Final = "undone"
"""The event that takes back a move, so that it does not count any more; `taken_back` reads its data."""


class Move(NamedTuple):
    """A move or unprompted talk in the log: its number in the game, the seat, and its text as in a record."""

    number: int
    seat: int
    text: str

    @property
    def said(self) -> bool:
        """Whether it is unprompted talk, which answers no question, is never taken back and prevents nothing."""
        return self.text.startswith(f"{SAY} ")


class Promise(NamedTuple):
    """The promise of a pack that is not made yet: the number of its deal, its commitment, and the entropy by seats.

    Who has added entropy must not be shown while a hand goes on.
    """

    deal: int
    commitment: str
    entropy: Mapping[str, str]


Entry: TypeAlias = tuple[Any, ...]
"""The values of a row of the log, in the order of the model's columns."""
Inputs: TypeAlias = tuple[Any, ...]
"""What an open hand is played from, apart from its moves in the log: values of the rows of the game and its deals."""


@dataclass(frozen=True, slots=True)
class Read:
    """What the log of a game says up to `number`, whose entry was written `at`.

    Shared by threads: never change anything in it. `entries` are the events, the last move of every deal, and the
    last move of every seat in the open hand. `hand` is the open hand after `moves`, played from `inputs`; `before` is
    the hand without the last move, if it is available. Both are copied before use.
    """

    number: int
    at: datetime
    entries: tuple[Entry, ...]
    moves: tuple[Move, ...] = ()
    inputs: Inputs | None = None
    hand: Hand | None = None
    before: Hand | None = None


@dataclass(slots=True)
class Table:
    """The present state of a game: its rows, and the open hand in the engine (None while the next deal waits for
    players) with its moves. `next_promise` is the promise of the deal after the last of `hands`, if there is one. `read`
    is what the log said when the table was opened; None once it may be out of date."""

    game: Game
    rules: Ruleset
    seats: list[Seat]
    hands: list[GameHand]
    hand: Hand | None
    moves: list[Move] = field(default_factory=list)
    read: Read | None = None
    next_promise: Promise | None = None

    @property
    def row(self) -> GameHand:
        return self.hands[-1]

    @property
    def coming(self) -> Promise | None:
        """The promise of the coming deal: the one that waits to begin, or else the one after the running deal.

        None without a pace, for shared deals (to which nobody adds entropy), and when the game is over.
        """
        game, deal = self.game, self.row.deal
        if not game.pace or game.board_set_id is not None or game.status != Game.Status.PLAYING:
            return None
        if game.to_act is not None:
            return self.next_promise
        return Promise(deal.ordinal, deal.commitment, deal.entropy) if deal.pack is None else None

    def seat_of(self, player_id: int) -> int | None:
        """The seat of a player; None if they do not sit here."""
        return next((seat.number for seat in self.seats if seat.player_id == player_id), None)


def open_table(game: Game, known: Game | None = None) -> Table:
    """The table of `game` after its last action.

    Three queries; one fewer if the seats were read with the game, and one fewer if the log is cached. `known` is the
    same game as read before, with its seats: they do not change without an entry in the log.
    """
    table = _rows_of(game, known)
    _play_through(table)
    return table


def _rows_of(game: Game, known: Game | None = None) -> Table:
    """The table without what the log says. `stands_at` of each hand is the game's number when the hand was read."""
    rules = rules_of(game)
    if known is None or known.number != game.number:
        known = game
    seats = known.read_seats()
    game.have_seats_of(known)
    rows = sorted(_hands_of(game.pk), key=attrgetter("number"))
    for row in rows:
        row.game = game
    return Table(game, rules, seats, rows, None, next_promise=_next_promise(rows[-1]) if rows else None)


def _next_promise(row: GameHand) -> Promise | None:
    commitment, entropy = row.next_commitment, row.next_entropy  # type: ignore[attr-defined]  # annotated by _hands_of
    return Promise(row.number + 1, commitment, entropy) if commitment else None


@prepared
def _hands_of(game: int) -> QuerySet[GameHand]:
    promised = Deal.objects.filter(table=OuterRef("game__public_id"), ordinal=OuterRef("number") + 1, pack=None)
    return (
        GameHand.objects.filter(game=game)
        .order_by()
        .select_related("deal")
        .annotate(
            stands_at=F("game__number"),
            next_commitment=Subquery(promised.order_by().values("commitment")[:1]),
            next_entropy=Subquery(promised.order_by().values("entropy")[:1]),
        )
    )


def _play_through(table: Table) -> None:
    """Add what the log says, from the cache or the database."""
    game, is_open = table.game, table.row.status == GameHand.Status.OPEN
    read = read_of(game)
    if read is not None and is_open and read.inputs != _inputs_of(table):
        read = None
    table.read = read = read or _read_log(table)
    if is_open and read.hand is not None:
        table.moves, table.hand = list(read.moves), read.hand.copy()


_COLUMNS: Final = [column.attname for column in Action._meta.concrete_fields]
_NUMBER, _HAND, _KIND, _SEAT, _TEXT, _DATA = map(
    _COLUMNS.index, ("number", "hand_number", "kind", "seat", "text", "data")
)


def _read_log(table: Table) -> Read:
    """What the log says up to the game's number. One query."""
    game, is_open = table.game, table.row.status == GameHand.Status.OPEN
    moves = game.actions.filter(kind=Action.Kind.MOVE).order_by()
    needed = Q(kind=Action.Kind.EVENT) | Q(
        number__in=moves.values("hand_number").annotate(last=Max("number")).values("last")
    )
    if is_open:
        needed |= Q(hand_number=table.row.number)
    entries = list(game.actions.filter(needed, number__lte=game.number).order_by("number").values_list(*_COLUMNS))
    if not is_open:
        return Read(game.number, game.acted_at, tuple(entries))
    valid_moves = _valid_moves(
        [(e[_NUMBER], e[_KIND], e[_SEAT], e[_TEXT], e[_DATA]) for e in entries if e[_HAND] == table.row.number]
    )
    before = replay_hand(table, table.row, valid_moves[:-1])
    hand = before.copy()
    for move in valid_moves[-1:]:
        hand.push_of(move.seat, parse_action(move.text))
    latest = _latest(entries, valid_moves)
    return Read(game.number, game.acted_at, latest, tuple(valid_moves), _inputs_of(table), hand, before)


def _latest(entries: Iterable[Entry], moves: Iterable[Move]) -> tuple[Entry, ...]:
    """Those of `entries` that are events, the last move of a deal, or the last of `moves` by a seat."""
    last_of_seats = {move.seat: move.number for move in moves if not move.said}.values()
    last_of_deals = {e[_HAND]: e[_NUMBER] for e in entries if e[_KIND] == Action.Kind.MOVE}.values()
    numbers = {*last_of_seats, *last_of_deals}
    return tuple(e for e in entries if e[_KIND] == Action.Kind.EVENT or e[_NUMBER] in numbers)


def _inputs_of(table: Table) -> Inputs:
    """What the open hand is played from, apart from its moves."""
    row = table.row
    before = table.hands[-2] if len(table.hands) > 1 else None
    return (
        *(table.game.ruleset, table.game.ruleset_version, table.game.table_size, tuple(table.game.options.items())),
        *(row.number, row.dealer, row.deal.pack, tuple(totals_before(table, row.number))),
        *((before.number, before.dealer, before.status, before.deal.pack) if before is not None else ()),
    )


MOST_KEPT: Final = 256
"""How many games are cached, with about a hundred kilobytes each; the least recently used are dropped first."""
_kept: Final[OrderedDict[str, Read]] = OrderedDict()
_lock: Final = threading.Lock()


def read_of(game: Game) -> Read | None:
    """The cached state of `game`; None if it is not cached, or with another number or moment than this row has."""
    with _lock:
        read = _kept.get(game.public_id)
        if read is None or (read.number, read.at) != (game.number, game.acted_at):
            return None
        _kept.move_to_end(game.public_id)
        return read


def keep(public_id: str, read: Read) -> None:
    """Cache what was read of a game, or written to it and committed. Never replaces an entry with a later number."""
    with _lock:
        before = _kept.get(public_id)
        if before is not None and before.number > read.number:
            return
        _kept[public_id] = read
        _kept.move_to_end(public_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def forget() -> None:
    """Clear the cache."""
    with _lock:
        _kept.clear()


def keep_after_commit(table: Table, entries: Sequence[Action]) -> None:
    """Cache the present state of the table after the commit of the step in which `entries` were written.

    Only if nothing was taken back and a hand is open.
    """
    game, read = table.game, table.read
    if read is None or table.hand is None or table.row.status != GameHand.Status.OPEN:
        return
    new = [entry for entry in entries if entry.number > read.number]
    if [entry.number for entry in new] != list(range(read.number + 1, game.number + 1)):
        return
    if any(entry.text == UNDONE for entry in new):
        return
    values = [tuple(getattr(entry, name) for name in _COLUMNS) for entry in new]
    latest, inputs = _latest([*read.entries, *values], table.moves), _inputs_of(table)
    before = read.hand if read.inputs == inputs and read.moves == tuple(table.moves[:-1]) else None
    hand = table.hand.copy()
    after = Read(game.number, game.acted_at, latest, tuple(table.moves), inputs, hand, before)
    table.read = after
    transaction.on_commit(partial(keep, game.public_id, after), robust=True)


def latest_entries(table: Table) -> list[Action]:
    """The events of the log, the last move of every deal, and the last valid move of every seat in the open hand.

    Their players are not read. One query if the log has moved on since the table was opened.
    """
    if table.read is None or table.read.number != table.game.number:
        table.read = _read_log(table)
    return [Action.from_db(DEFAULT_DB_ALIAS, _COLUMNS, entry) for entry in table.read.entries]


def hand_before(table: Table, move: Move) -> Hand:
    """The open hand as it was before one of its moves."""
    index, read = table.moves.index(move), table.read
    is_last = index == len(table.moves) - 1
    if is_last and read is not None and read.before is not None and read.moves == tuple(table.moves):
        return read.before.copy()
    return replay_hand(table, table.row, table.moves[:index])


def reread_hand(table: Table) -> Hand:
    """Reread the open hand from the log."""
    table.read = None
    table.moves = moves_of(table.game, table.row.number)
    table.hand = hand = replay_hand(table, table.row, table.moves)
    return hand


def steady_table(game: Game) -> Table:
    """The table with all its rows read at the same action number: if somebody acts in the meantime, it is read
    again."""
    while True:
        table = _rows_of(game)
        if all(row.stands_at == game.number for row in table.hands):  # type: ignore[attr-defined]  # annotated by _rows_of
            _play_through(table)
            if table.read is not None and not transaction.get_connection().in_atomic_block:
                keep(game.public_id, table.read)
            return table
        game = Game.objects.get(pk=game.pk)


def rules_of(game: Game) -> Ruleset:
    """The ruleset of a game for the size of its table, in the version with which the game began."""
    return ruleset(game.ruleset, game.ruleset_version, game.table_size)


_PLAYED: Final = (Action.Kind.MOVE, Action.Kind.SAID)


def moves_of(game: Game, hand_number: int) -> list[Move]:
    """The moves and unprompted talk of one deal, in order, without moves that were taken back."""
    moves = Q(kind__in=_PLAYED) | Q(kind=Action.Kind.EVENT, text=UNDONE)
    entries = game.actions.filter(moves, hand_number=hand_number).order_by("number")
    return _valid_moves(list(entries.values_list("number", "kind", "seat", "text", "data")))


def _valid_moves(rows: Sequence[tuple[int, str, int | None, str, Any]]) -> list[Move]:
    """The moves and talk among entries of one deal, without moves that were taken back.

    The only place that decides this. The values of each row are number, kind, seat, text and data.
    """
    undone = {
        number
        for _, kind, _, text, data in rows
        if kind == Action.Kind.EVENT and text == UNDONE
        for number in taken_back(data)
    }
    return [
        Move(number, seat, text)
        for number, kind, seat, text, _ in rows
        if kind in _PLAYED and seat is not None and number not in undone
    ]


def taken_back(data: Mapping[str, Any]) -> list[int]:
    """The numbers of the moves that an UNDONE event takes back, from its data: `move`, or several `moves` if a person
    alone with computer players takes back everything that these did since as well."""
    return data.get("moves") or [data["move"]]


def ready_seats(game: Game) -> set[int]:
    """The seats whose players are ready for the waiting deal."""
    events = game.actions.filter(hand_number=game.hand_number, kind=Action.Kind.EVENT, text="ready")
    return {seat for seat in events.values_list("seat", flat=True) if seat is not None}


def totals_before(table: Table, number: int) -> list[int]:
    """The totals per seat before deal `number`."""
    totals = [0] * table.rules.seats
    for row in table.hands:
        if row.number < number:
            for seat, score in enumerate(row.scores):
                totals[seat] += score
    return totals


def replay_hand(table: Table, row: GameHand, moves: Iterable[Move]) -> Hand:
    """The hand of one deal in the engine, after `moves`."""
    running = totals_before(table, row.number)
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
    """The pack of a deal before the cut; None until it is ready."""
    return None if row.deal.pack is None else tuple(card_of(code) for code in row.deal.pack.split())


def _gathered_before(table: Table, row: GameHand) -> Gathered | None:
    """The gathered cards of the previous deal, if it was played to its end."""
    before = next((other for other in table.hands if other.number == row.number - 1), None)
    if before is None or before.status != GameHand.Status.PLAYED:
        return None
    return gathered_from(replay_hand(table, before, moves_of(table.game, before.number)))
