"""At the tables: what is written, handed in, confirmed, disputed, settled and corrected. Everything is kept.

A deal is written by a place of the table; another side confirms, or says what it has instead. After that, and whenever
the round is closed, only the director changes anything, with a reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from domain.errors import DomainError, found, refuse_if
from domain.standings.results import MOST_IN_A_DEAL
from domain.tournament.payload import Given
from domain.tournament.state import (
    CLOSED,
    CONFIRMED,
    DISPUTED,
    DRAFT,
    HANDED_IN,
    PLAYING,
    Change,
    Line,
    Phase,
    Round,
    State,
    Table,
    Version,
    put_table,
    sides_of,
)

DESK: Final = -1
MOST_DEALS: Final = 200


def enter(state: State, given: Given, at: str, by: str) -> State:
    """``deal.entered`` {table, deal, scores, place, of?, extra?, wrong?}: a line of the sheet, new or written over.

    `scores` in order of the sides that play this deal. A sum that is not the game's is refused (``wrong-sum``) where the
    house rules want a recount; where they split or strike it, `wrong` says that it is meant.
    """
    round, table = written_at(state, given)
    _check_open(round, table)
    place = _place(given, table)
    deal = given.whole("deal", 1, MOST_DEALS)
    line = line_from(given, table, deal, place)
    phase = state.phases[round.phase - 1]
    check_sum(phase, table, line, deal, given.flag("wrong"))
    lines = {**table.sheet, deal: line}
    written = sum(each.of for each in lines.values() if not each.extra)
    refuse_if(written > table.deals, "too-many-deals", "deal", deals=table.deals)
    return put_table(state, round, replace(table, lines=tuple(sorted(lines.items()))))


def erase(state: State, given: Given, at: str, by: str) -> State:
    """``deal.erased`` {table, deal}: a line that should not be there."""
    round, table = written_at(state, given)
    _check_open(round, table)
    lines = table.sheet
    found(lines.pop(given.whole("deal", 1, MOST_DEALS), None), "no-such-deal", "deal")
    return put_table(state, round, replace(table, lines=tuple(sorted(lines.items()))))


def hand_in(state: State, given: Given, at: str, by: str) -> State:
    """``table.handed-in`` {table, place, short?}: the sheet is done. With fewer deals than agreed, `short` says it is meant.

    Where nobody needs to confirm, it counts at once.
    """
    round, table = written_at(state, given)
    _check_open(round, table)
    place = _place(given, table)
    refuse_if(not table.lines, "empty-sheet", "table")
    short = check_complete(given, table, table.played)
    handed_in = replace(table, state=HANDED_IN, handed_in_by=place, confirmed_by="", short=short)
    if not state.phases[round.phase - 1].plan.confirm:
        handed_in = replace(handed_in, state=CONFIRMED, confirmed_by=by)
    return put_table(state, round, handed_in)


def take_back(state: State, given: Given, at: str, by: str) -> State:
    """``table.taken-back`` {table, place}: there is still something to write."""
    round, table = written_at(state, given)
    _check_handed_in(round, table)
    return put_table(state, round, replace(table, state=PLAYING, handed_in_by=-1, dispute=None))


def confirm(state: State, given: Given, at: str, by: str) -> State:
    """``table.confirmed`` {table, place}: another side says that the sheet is right. The side that wrote cannot.

    Once a side has it otherwise, only that side can (``disputed-already``); of a table of more than two sides no third one.
    """
    round, table = written_at(state, given)
    if table.state == CONFIRMED:
        return state
    _check_handed_in(round, table)
    place = _place(given, table)
    refuse_if(place == DESK, "not-at-the-table", "place")
    refuse_if(same_side(table, place, table.handed_in_by), "own-sheet", "place")
    _check_dispute(table, place)
    return put_table(state, round, replace(table, state=CONFIRMED, confirmed_by=by, dispute=None))


def dispute(state: State, given: Given, at: str, by: str) -> State:
    """``table.disputed`` {table, place, lines: [{deal, scores, …}], note}: another side has it otherwise.

    Both versions stand until the director settles it, or the side agrees or the writers take the sheet back; a third side
    neither agrees for it nor puts another one in its place (``disputed-already``).
    """
    round, table = written_at(state, given)
    _check_handed_in(round, table)
    place = _place(given, table)
    refuse_if(place == DESK or same_side(table, place, table.handed_in_by), "own-sheet", "place")
    _check_dispute(table, place)
    version = Version(place, lines_from(given, table, place), given.text("note", ""))
    return put_table(state, round, replace(table, state=DISPUTED, dispute=version))


def settle(state: State, given: Given, at: str, by: str) -> State:
    """``table.settled`` {table, lines, reason?}: the director says what counts: a dispute, a paper slip, a correction.

    A reason is needed wherever something stood there before that is changed (``reason-needed``), a forfeit too. Sums are
    checked as at the table. Where all tables play the same deals, each stands by itself (``deal-by-deal``).
    """
    round, table = table_of(state, given)
    refuse_if(round.status == DRAFT, "not-out", "round")
    lines = lines_from(given, table, DESK)
    refuse_if(not lines, "empty-sheet", "lines")
    phase = state.phases[round.phase - 1]
    written = check_lines(phase, table, lines, given.flag("wrong"))
    otherwise = table.lines and _said(table.lines) != _said(lines)
    reason = given.text("reason", "")
    refuse_if(not reason and (otherwise or table.forfeit or table.state == DISPUTED), "reason-needed", "reason")
    before = table.lines or table.forfeit
    kind = "settled" if table.state == DISPUTED else "corrected" if before else "written"
    changes = (*table.changes, Change(at, by, reason, table.lines, kind))
    short = written < table.deals
    counts = replace(table, lines=lines, state=CONFIRMED, confirmed_by=by, dispute=None, forfeit=(), short=short)
    return put_table(state, round, replace(counts, changes=changes))


def reopen(state: State, given: Given, at: str, by: str) -> State:
    """``table.reopened`` {table, reason}: the table itself may write again."""
    round, table = written_at(state, given)
    if table.state == PLAYING or round.status != "out":
        raise DomainError("round-closed" if round.status == CLOSED else "not-handed-in", "table")
    changes = (*table.changes, Change(at, by, given.text("reason"), table.lines, "reopened"))
    opened = replace(table, state=PLAYING, handed_in_by=-1, confirmed_by="", dispute=None, changes=changes)
    return put_table(state, round, opened)


def renew_key(state: State, given: Given, at: str, by: str) -> State:
    """``key.renewed`` {table}: codes of the table that were given out open nothing any more."""
    round, table = written_at(state, given)
    generation = round.generation + 1
    return put_table(state, replace(round, generation=generation), replace(table, key=generation))


def remark(state: State, given: Given, at: str, by: str) -> State:
    """``table.noted`` {table, note}: a remark for the director."""
    round, table = table_of(state, given)
    return put_table(state, round, replace(table, note=given.text("note", "")))


def written_at(state: State, given: Given) -> tuple[Round, Table]:
    """As `table_of`, for what is written at the table itself. Raises DomainError (``plays-online``) where nothing is."""
    round, table = table_of(state, given)
    refuse_if(state.phases[round.phase - 1].plan.online, "plays-online", "table")
    return round, table


def table_of(state: State, given: Given) -> tuple[Round, Table]:
    """The table that is named by its key, with its round. Raises DomainError (``no-such-table``)."""
    key = given.text("table", most=30)
    table = found(state.table(key), "no-such-table", "table")
    return found(state.round(key.rpartition(".")[0]), "no-such-table", "table"), table


def same_side(table: Table, one: int, other: int) -> bool:
    return any(one in side and other in side for side in table.sides)


def line_from(given: Given, table: Table, deal: int, place: int) -> Line:
    """A line as data holds it. Raises DomainError: ``bad-count`` where a side has no score, ``one-by-one`` for deals added
    up at a table where somebody looks on in turn (nobody could say whose points they are)."""
    sides = sides_of(table, deal)
    scores = given.numbers("scores", -MOST_IN_A_DEAL, MOST_IN_A_DEAL)
    of = given.whole("of", 1, MOST_DEALS, 1)
    refuse_if(of > 1 and table.in_turn, "one-by-one", "of")
    refuse_if(len(scores) != len(sides), "bad-count", "scores", expected=len(sides))
    return Line(scores, of, given.flag("extra"), place)


def lines_from(given: Given, table: Table, place: int) -> tuple[tuple[int, Line], ...]:
    """A whole sheet as data holds it, each deal once."""
    lines: dict[int, Line] = {}
    for each in given.groups("lines", most=MOST_DEALS):
        deal = each.whole("deal", 1, MOST_DEALS)
        refuse_if(deal in lines, "twice", "lines")
        lines[deal] = line_from(each, table, deal, place)
    return tuple(sorted(lines.items()))


def check_lines(phase: Phase, table: Table, lines: tuple[tuple[int, Line], ...], meant: bool) -> int:
    """How many deals a whole sheet has. Raises DomainError: ``wrong-sum``, ``too-many-deals``; ``deal-by-deal`` where all
    tables play the same deals, and one is not one of them or stands for several."""
    online = phase.plan.online
    for deal, line in lines:
        check_sum(phase, table, line, deal, meant)
        if online and online.duplicate and (line.of > 1 or line.extra or deal > table.deals):
            raise DomainError("deal-by-deal", "lines", deal=deal)
    written = sum(line.of for _, line in lines if not line.extra)
    refuse_if(written > table.deals, "too-many-deals", "lines", deals=table.deals)
    return written


def check_sum(phase: Phase, table: Table, line: Line, deal: int, meant: bool) -> None:
    """Raises DomainError (``wrong-sum``) for a deal that does not add up, unless the house rules settle it and it is
    meant."""
    if table.total is None or (phase.plan.rules.wrong_sum != "recount" and meant):
        return
    found, expected, rule = sum(line.scores), table.total * line.of, phase.plan.rules.wrong_sum
    refuse_if(
        found != expected, "wrong-sum", "scores", deal=deal, of=line.of, found=found, expected=expected, rule=rule
    )


def _said(lines: tuple[tuple[int, Line], ...]) -> list[tuple[int, Line]]:
    """What a sheet says, whoever wrote it."""
    return [(number, replace(line, writer=DESK)) for number, line in lines]


def check_complete(given: Given, table: Table, played: int) -> bool:
    """Whether a sheet with so many deals is `short`. Raises DomainError (``deals-missing``) where that is not meant."""
    missing = played < table.deals
    refuse_if(missing and not given.flag("short"), "deals-missing", "table", played=played, deals=table.deals)
    return missing


def _check_dispute(table: Table, place: int) -> None:
    if table.dispute is not None and not same_side(table, place, table.dispute.place):
        raise DomainError("disputed-already", "place")


def _place(given: Given, table: Table) -> int:
    return given.whole("place", DESK, len(table.people) - 1, 0)


def check_out(round: Round) -> None:
    """Raises DomainError (``not-out``, ``round-closed``) for a round whose tables are not played at."""
    refuse_if(round.status == DRAFT, "not-out", "round", round=round.number)
    refuse_if(round.status == CLOSED, "round-closed", "round", round=round.number)


def _check_handed_in(round: Round, table: Table) -> None:
    refuse_if(table.state not in (HANDED_IN, DISPUTED) or round.status == CLOSED, "not-handed-in", "table")


def _check_open(round: Round, table: Table) -> None:
    check_out(round)
    refuse_if(table.state != PLAYING, "handed-in-already", "table")
