"""Rounds that are played online by correspondence: their deadlines, the games of their tables, and what these brought.

Nothing is written at such a table: its game reports, and the director may settle it otherwise (`sheets.settle`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from domain.errors import DomainError
from domain.tournament.payload import Given
from domain.tournament.registering import put_round
from domain.tournament.rounds import round_of
from domain.tournament.score_sheets import DESK, check_lines, lines_from, put_table, table_of
from domain.tournament.state import (
    ABANDONED,
    CLOSED,
    CONFIRMED,
    DRAFT,
    OUT,
    PLAYING,
    Board,
    Change,
    Online,
    Round,
    State,
    Table,
)

MOST_BOARDS: Final = 100
HIGHEST_BOARD: Final = 10_000
LONGEST_GAME: Final = 40
POSTPONED: Final = "postponed"
FORFEITED: Final = "forfeited"


def set_deadline(state: State, given: Given, at: str, by: str) -> State:
    """``deadline.set`` {round, deadline, reason}: the director gives a round more time, or less."""
    round = round_of(state, given)
    _online(state, round)
    given.text("reason")
    if round.status != OUT:
        raise DomainError("not-out" if round.status == DRAFT else "round-closed", "round", round=round.number)
    return put_round(state, replace(round, deadline=given.moment("deadline")))


def lay_boards(state: State, given: Given, at: str, by: str) -> State:
    """``boards.laid`` {round, set, boards: [{number, commitment}]}: the deals that all tables of a duplicate round play were
    promised, before the first game is laid. Once (``boards-already``)."""
    round = round_of(state, given)
    if not _online(state, round).duplicate:
        raise DomainError("not-duplicate", "round")
    if round.boards:
        raise DomainError("boards-already", "round", round=round.number)
    if round.status == CLOSED:
        raise DomainError("round-closed", "round", round=round.number)
    if any(table.game for table in round.tables.values()):
        raise DomainError("has-games", "round", round=round.number)
    boards = tuple(
        Board(each.whole("number", 1, HIGHEST_BOARD), each.text("commitment", most=200))
        for each in given.groups("boards", most=MOST_BOARDS)
    )
    if not boards:
        raise DomainError("missing", "boards")
    if len({each.number for each in boards}) != len(boards):
        raise DomainError("twice", "boards")
    ordered = tuple(sorted(boards, key=lambda each: each.number))
    return put_round(state, replace(round, boards=ordered, board_set=given.text("set", most=100)))


def begin(state: State, given: Given, at: str, by: str) -> State:
    """``table.begun`` {table, game, turn}: a game was laid for this table; the place `turn` deals first.

    Once (``begun-already``), unless the game was let go; a table that is decided needs none (``corrected-already``).
    """
    round, table = table_of(state, given)
    online = _online(state, round)
    game = given.text("game", most=LONGEST_GAME)
    turn = given.whole("turn", 0, len(table.people) - 1)
    if round.status != OUT and not table.late:
        raise DomainError("not-out" if round.status == DRAFT else "round-closed", "round", round=round.number)
    if table.game:
        raise DomainError("begun-already", "table")
    if table.state != PLAYING:
        raise DomainError("corrected-already", "table")
    if online.duplicate and not round.boards:
        raise DomainError("no-boards", "round", round=round.number)
    if any(other.game == game for other in _tables(state)):
        raise DomainError("twice", "game")
    return put_table(state, round, replace(table, game=game, turn=turn))


def abandon(state: State, given: Given, at: str, by: str) -> State:
    """``table.abandoned`` {table, reason}: its game is let go, before anything counts (``has-results``); another may be laid."""
    round, table = table_of(state, given)
    _online(state, round)
    reason = given.text("reason")
    if not table.game:
        raise DomainError("not-begun", "table")
    if table.lines:
        raise DomainError("has-results", "table")
    change = Change(at, by, reason, (), ABANDONED, table.game)
    return put_table(state, round, replace(table, game="", turn=0, changes=(*table.changes, change)))


def report(state: State, given: Given, at: str, by: str) -> State:
    """``table.reported`` {table, game, lines: [{deal, scores}], short?}: the game is over, and this is what it brought.

    It counts at once, in a closed round too. Refused: a game that is not this table's (any more) (``another-game``), and
    whatever comes after the director, or a forfeit, has decided (``corrected-already``). With fewer deals than agreed,
    `short` says it is meant.
    """
    round, table = table_of(state, given)
    _online(state, round)
    game = given.text("game", most=LONGEST_GAME)
    if table.game != game:
        raise DomainError("another-game", "game")
    if table.state != PLAYING or table.touched:
        raise DomainError("corrected-already", "table")
    lines = lines_from(given, table, DESK)
    if not lines:
        raise DomainError("empty-sheet", "lines")
    written = check_lines(state.phases[round.phase - 1], table, lines, False)
    if written < table.deals and not given.flag("short"):
        raise DomainError("deals-missing", "table", played=written, deals=table.deals)
    done = replace(table, lines=lines, state=CONFIRMED, confirmed_by=by, short=written < table.deals)
    return put_table(state, round, done)


def overdue(state: State, given: Given, at: str, by: str) -> State:
    """``table.overdue`` {table, how: postponed|forfeited, who: [entrants]}: the deadline has passed.

    * ``postponed``: it holds up neither the next draw nor the end of the round, and counts when it comes. A forfeit is taken
      back by it.
    * ``forfeited``: it counts as decided without lines, lost for `who`: those of this table who kept it waiting.

    Refused: a result is there (``has-results``); it is postponed already (``late-already``); `who` sits elsewhere
    (``not-at-this-table``) or is the house's (``is-house``).
    """
    round, table = table_of(state, given)
    _online(state, round)
    how = given.word("how", (POSTPONED, FORFEITED))
    who = tuple(dict.fromkeys(given.texts("who", most=len(table.seats))))
    if round.status == DRAFT:
        raise DomainError("not-out", "round", round=round.number)
    if table.lines:
        raise DomainError("has-results", "table")
    if not set(who) <= set(table.seats):
        raise DomainError("not-at-this-table", "who")
    if any(state.entrants[id].house for id in who):
        raise DomainError("is-house", "who")
    if how == POSTPONED:
        if table.late and not table.forfeit:
            raise DomainError("late-already", "table")
        return put_table(state, round, replace(table, late=True, forfeit=(), state=PLAYING, confirmed_by=""))
    if not who:
        raise DomainError("missing", "who")
    return put_table(state, round, replace(table, forfeit=who, state=CONFIRMED, confirmed_by=by))


def _online(state: State, round: Round) -> Online:
    found = state.phases[round.phase - 1].plan.online
    if found is None:
        raise DomainError("in-the-hall", "round")
    return found


def _tables(state: State) -> list[Table]:
    return [table for phase in state.phases for round in phase.rounds for table in round.tables.values()]


HANDLERS: Final[dict[str, Callable[[State, Given, str, str], State]]] = {
    "deadline.set": set_deadline,
    "boards.laid": lay_boards,
    "table.begun": begin,
    "table.abandoned": abandon,
    "table.reported": report,
    "table.overdue": overdue,
}
