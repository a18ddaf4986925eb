"""A stored game as the engine's own state, read from its log. Only services and selectors do this.

What the logs say up to one number is kept as this process read it last, so that the next step needs not read it again. Nothing
hangs on it: it follows from the log alone, and is used only for a game whose row, just read, stands at the same number with
the same moment; the rows that do not follow from the log alone (seats, people, deals) are read each time. Every process
keeps its own, and a miss reads the log. What a transaction does is kept after its commit, never before.
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
from django.db.models import F, Max, Q, QuerySet

from core.prepared_queries import prepared
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


Entry: TypeAlias = tuple[Any, ...]
"""The values of a row of the log, in the order of the model's columns."""
Inputs: TypeAlias = tuple[Any, ...]
"""What an open hand is played from beside the moves of the log, as it stands in the rows of its deals."""


@dataclass(frozen=True, slots=True)
class Read:
    """What the log of a game says at `number`, whose entry was written `at`. Shared by threads: nothing in it is ever changed.

    `entries` are the events, the last move of every deal, and the last of every seat in the open hand; `hand` is the open
    hand after `moves`, played from `inputs`, and `before` the same without the last of them, where that is at hand. They are
    copied before anything is done with them.
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
    """A game as it stands: its rows, and the open hand in the engine with its moves (None while the next deal waits for
    players). `read` is what the log said when it was opened; None where it is not known any more."""

    game: Game
    rules: Ruleset
    seats: list[Seat]
    hands: list[GameHand]
    hand: Hand | None
    moves: list[Move] = field(default_factory=list)
    read: Read | None = None

    @property
    def row(self) -> GameHand:
        return self.hands[-1]

    def seat_of(self, player_id: int) -> int | None:
        """The seat where a player sits, None if nowhere."""
        return next((seat.number for seat in self.seats if seat.player_id == player_id), None)


def open_table(game: Game, known: Game | None = None) -> Table:
    """The table of `game` at its last action, in three queries; one fewer where the seats were read with the game, and one
    where the log is kept as it stands.

    `known` is the same game read before, with its seats: who sits where does not change without an entry in the log.
    """
    table = _rows_of(game, known)
    _play_through(table)
    return table


def _rows_of(game: Game, known: Game | None = None) -> Table:
    """The table without what the log says. Each of its `hands` has the `stands_at` of the game when it was read."""
    rules = rules_of(game)
    if known is None or known.number != game.number:
        known = game
    seats = known.read_seats()
    game.have_seats_of(known)
    rows = sorted(_hands_of(game.pk), key=attrgetter("number"))
    for row in rows:
        row.game = game
    return Table(game, rules, seats, rows, None)


@prepared
def _hands_of(game: int) -> QuerySet[GameHand]:
    return GameHand.objects.filter(game=game).order_by().select_related("deal").annotate(stands_at=F("game__number"))


def _play_through(table: Table) -> None:
    """Add what the log says: from what is kept of it, or read now."""
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
    """What the log says at the game's number. One query."""
    game, is_open = table.game, table.row.status == GameHand.Status.OPEN
    moves = game.actions.filter(kind=Action.Kind.MOVE).order_by()
    wanted = Q(kind=Action.Kind.EVENT) | Q(
        number__in=moves.values("hand_number").annotate(last=Max("number")).values("last")
    )
    if is_open:
        wanted |= Q(hand_number=table.row.number)
    entries = list(game.actions.filter(wanted, number__lte=game.number).order_by("number").values_list(*_COLUMNS))
    if not is_open:
        return Read(game.number, game.acted_at, tuple(entries))
    counted = _counting(
        [(e[_NUMBER], e[_KIND], e[_SEAT], e[_TEXT], e[_DATA]) for e in entries if e[_HAND] == table.row.number]
    )
    before = replay_hand(table, table.row, counted[:-1])
    hand = before.copy()
    for move in counted[-1:]:
        hand.push_of(move.seat, parse_action(move.text))
    latest = _latest(entries, counted)
    return Read(game.number, game.acted_at, latest, tuple(counted), _inputs_of(table), hand, before)


def _latest(entries: Iterable[Entry], moves: Iterable[Move]) -> tuple[Entry, ...]:
    """Of these entries the events, the last move of every deal, and of every seat the last of `moves`."""
    wanted = {move.seat: move.number for move in moves if not move.said}.values()
    last = {e[_HAND]: e[_NUMBER] for e in entries if e[_KIND] == Action.Kind.MOVE}.values()
    numbers = {*wanted, *last}
    return tuple(e for e in entries if e[_KIND] == Action.Kind.EVENT or e[_NUMBER] in numbers)


def _inputs_of(table: Table) -> Inputs:
    """What the open hand is played from, beside its moves."""
    row, before = table.row, table.hands[-2] if len(table.hands) > 1 else None
    return (
        *(table.game.ruleset, table.game.ruleset_version, table.game.table_size, tuple(table.game.options.items())),
        *(row.number, row.dealer, row.deal.pack, tuple(running_before(table, row.number))),
        *((before.number, before.dealer, before.status, before.deal.pack) if before is not None else ()),
    )


MOST_KEPT: Final = 256
"""Games that are kept, of about a hundred kilobytes each; those that nobody has looked at for longest go first."""
_kept: Final[OrderedDict[str, Read]] = OrderedDict()
_lock: Final = threading.Lock()


def read_of(game: Game) -> Read | None:
    """What is kept of `game` as it stands in this row; None if that is nothing, or of another number."""
    with _lock:
        found = _kept.get(game.public_id)
        if found is None or (found.number, found.at) != (game.number, game.acted_at):
            return None
        _kept.move_to_end(game.public_id)
        return found


def keep(public_id: str, read: Read) -> None:
    """Keep what was read of a game, or done there and committed. What is kept of a later number stays."""
    with _lock:
        before = _kept.get(public_id)
        if before is not None and before.number > read.number:
            return
        _kept[public_id] = read
        _kept.move_to_end(public_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def forget() -> None:
    """Keep nothing any more."""
    with _lock:
        _kept.clear()


def keep_after_commit(table: Table, entries: Sequence[Action]) -> None:
    """After the commit of the step in which `entries` were written, keep the table as it stands now: where nothing was taken
    back, and a hand is open."""
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
    """The events of the log, with the last move of every deal, and of every seat the last that counts. Their players are
    not read. One query where the log has moved on since the table was opened."""
    if table.read is None or table.read.number != table.game.number:
        table.read = _read_log(table)
    return [Action.from_db(DEFAULT_DB_ALIAS, _COLUMNS, entry) for entry in table.read.entries]


def hand_before(table: Table, move: Move) -> Hand:
    """The open hand as it was before one of its moves."""
    at, read = table.moves.index(move), table.read
    if read is not None and read.before is not None and read.moves == tuple(table.moves) and at == len(read.moves) - 1:
        return read.before.copy()
    return replay_hand(table, table.row, table.moves[:at])


def lay_open(table: Table) -> Hand:
    """Read the open hand from the log as it stands now."""
    table.read = None
    table.moves = moves_of(table.game, table.row.number)
    table.hand = hand = replay_hand(table, table.row, table.moves)
    return hand


def steady_table(game: Game) -> Table:
    """The table with all its rows read at one number: if somebody acts in the meantime, it is read again."""
    while True:
        table = _rows_of(game)
        if all(row.stands_at == game.number for row in table.hands):  # type: ignore[attr-defined]  # annotated by _rows_of
            _play_through(table)
            if table.read is not None and not transaction.get_connection().in_atomic_block:
                keep(game.public_id, table.read)
            return table
        game = Game.objects.get(pk=game.pk)


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
    return _counting(list(entries.values_list("number", "kind", "seat", "text", "data")))


def _counting(rows: Sequence[tuple[int, str, int | None, str, Any]]) -> list[Move]:
    """Those entries of one deal, of all kinds, that are moves or said, and count."""
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
