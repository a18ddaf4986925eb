"""Events of the score sheets: writing, handing in, confirming, disputing, settling and correcting. Everything is kept.

A person at the table writes the deals; another side confirms the sheet, or gives its own version. After that, and
whenever the round is closed, only the director can change anything, with a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from domain.errors import DomainError, refuse_if, require
from domain.standings.results import MOST_IN_A_DEAL
from domain.tournament.payload import Given
from domain.tournament.state import (
    CLOSED,
    CONFIRMED,
    DISPUTED,
    DRAFT,
    HANDED_IN,
    OUT,
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
    """``deal.entered`` {table, deal, scores, place, of?, extra?, wrong?}: write a line of the sheet, or overwrite it.

    `scores` are in order of the sides that play this deal. A wrong sum is refused (``wrong-sum``) if the house rules
    want a recount; if they split or strike it, `wrong` must say that it is intended.
    """
    round, table = written_at(state, given)
    _check_open(round, table)
    place = _place(given, table)
    deal = given.whole("deal", 1, MOST_DEALS)
    line = line_from(given, table, deal, place)
    phase = state.phases[round.phase - 1]
    check_total(phase, table, line, deal, given.flag("wrong"))
    lines = {**table.sheet, deal: line}
    written = sum(each.of for each in lines.values() if not each.extra)
    refuse_if(written > table.deals, "too-many-deals", "deal", deals=table.deals)
    return put_table(state, round, replace(table, lines=tuple(sorted(lines.items()))))


def erase(state: State, given: Given, at: str, by: str) -> State:
    """``deal.erased`` {table, deal}: remove a line of the sheet."""
    round, table = written_at(state, given)
    _check_open(round, table)
    lines = table.sheet
    require(lines.pop(given.whole("deal", 1, MOST_DEALS), None), "no-such-deal", "deal")
    return put_table(state, round, replace(table, lines=tuple(sorted(lines.items()))))


def hand_in(state: State, given: Given, at: str, by: str) -> State:
    """``table.handed-in`` {table, place, short?}: the sheet is finished.

    It counts at once if nobody needs to confirm it. If there are fewer deals than agreed, `short` must say that this is
    intended.
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
    """``table.taken-back`` {table, place}: the writers take the sheet back to change it."""
    round, table = written_at(state, given)
    _check_handed_in(round, table)
    return put_table(state, round, replace(table, state=PLAYING, handed_in_by=-1, dispute=None))


def confirm(state: State, given: Given, at: str, by: str) -> State:
    """``table.confirmed`` {table, place}: another side than the writers' says that the sheet is right.

    Once a side has disputed the sheet, only that side can confirm it (``disputed-already``), not a third one.
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
    """``table.disputed`` {table, place, lines: [{deal, scores, …}], note}: another side gives its own version.

    Both versions are kept until the director settles the table, the side agrees after all, or the writers take the
    sheet back. A third side can neither agree nor dispute it (``disputed-already``).
    """
    round, table = written_at(state, given)
    _check_handed_in(round, table)
    place = _place(given, table)
    refuse_if(place == DESK or same_side(table, place, table.handed_in_by), "own-sheet", "place")
    _check_dispute(table, place)
    version = Version(place, lines_from(given, table, place), given.text("note", ""))
    return put_table(state, round, replace(table, state=DISPUTED, dispute=version))


def settle(state: State, given: Given, at: str, by: str) -> State:
    """``table.settled`` {table, lines, reason?}: the director decides what counts.

    For example in a dispute, from a paper slip, or as a correction. A reason is required (``reason-needed``) if this
    changes lines or a forfeit, or settles a dispute. Sums are checked as at the table. If all tables play the same
    deals, each deal needs its own line (``deal-by-deal``).
    """
    round, table = table_of(state, given)
    refuse_if(round.status == DRAFT, "not-out", "round")
    lines = lines_from(given, table, DESK)
    refuse_if(not lines, "empty-sheet", "lines")
    phase = state.phases[round.phase - 1]
    written = check_lines(phase, table, lines, given.flag("wrong"))
    changed = table.lines and _without_writers(table.lines) != _without_writers(lines)
    reason = given.text("reason", "")
    refuse_if(not reason and (changed or table.forfeit or table.state == DISPUTED), "reason-needed", "reason")
    kind = "corrected" if table.lines or table.forfeit else "written"
    if table.state == DISPUTED:
        kind = "settled"
    changes = (*table.changes, Change(at, by, reason, table.lines, kind))
    short = written < table.deals
    settled = replace(table, lines=lines, state=CONFIRMED, confirmed_by=by, dispute=None, forfeit=(), short=short)
    return put_table(state, round, replace(settled, changes=changes))


def reopen(state: State, given: Given, at: str, by: str) -> State:
    """``table.reopened`` {table, reason}: the people at the table may write again."""
    round, table = written_at(state, given)
    if table.state == PLAYING or round.status != OUT:
        raise DomainError("round-closed" if round.status == CLOSED else "not-handed-in", "table")
    changes = (*table.changes, Change(at, by, given.text("reason"), table.lines, "reopened"))
    opened = replace(table, state=PLAYING, handed_in_by=-1, confirmed_by="", dispute=None, changes=changes)
    return put_table(state, round, opened)


def renew_key(state: State, given: Given, at: str, by: str) -> State:
    """``key.renewed`` {table}: invalidate the codes of the table that were given out."""
    round, table = written_at(state, given)
    generation = round.generation + 1
    return put_table(state, replace(round, generation=generation), replace(table, key=generation))


def remark(state: State, given: Given, at: str, by: str) -> State:
    """``table.noted`` {table, note}: a remark for the director."""
    round, table = table_of(state, given)
    return put_table(state, round, replace(table, note=given.text("note", "")))


def written_at(state: State, given: Given) -> tuple[Round, Table]:
    """The table whose key the data names, with its round, if a sheet is written at it.

    Raises DomainError (``no-such-table``, ``plays-online``).
    """
    round, table = table_of(state, given)
    refuse_if(state.phases[round.phase - 1].plan.online, "plays-online", "table")
    return round, table


def table_of(state: State, given: Given) -> tuple[Round, Table]:
    """The table whose key the data names, with its round. Raises DomainError (``no-such-table``)."""
    key = given.text("table", most=30)
    table = require(state.table(key), "no-such-table", "table")
    return require(state.round(key.rpartition(".")[0]), "no-such-table", "table"), table


def same_side(table: Table, one: int, other: int) -> bool:
    return any(one in side and other in side for side in table.sides)


def line_from(given: Given, table: Table, deal: int, place: int) -> Line:
    """The line in the data.

    Raises DomainError: ``bad-count`` unless each side has a score, ``one-by-one`` for deals that were added up at a
    table where players look on in turn (nobody could say whose points they are).
    """
    sides = sides_of(table, deal)
    scores = given.numbers("scores", -MOST_IN_A_DEAL, MOST_IN_A_DEAL)
    of = given.whole("of", 1, MOST_DEALS, 1)
    refuse_if(of > 1 and table.in_turn, "one-by-one", "of")
    refuse_if(len(scores) != len(sides), "bad-count", "scores", expected=len(sides))
    return Line(scores, of, given.flag("extra"), place)


def lines_from(given: Given, table: Table, place: int) -> tuple[tuple[int, Line], ...]:
    """The whole sheet in the data. Raises DomainError, also (``twice``) if a deal occurs twice."""
    lines: dict[int, Line] = {}
    for each in given.groups("lines", most=MOST_DEALS):
        deal = each.whole("deal", 1, MOST_DEALS)
        refuse_if(deal in lines, "twice", "lines")
        lines[deal] = line_from(each, table, deal, place)
    return tuple(sorted(lines.items()))


def check_lines(phase: Phase, table: Table, lines: tuple[tuple[int, Line], ...], meant: bool) -> int:
    """The number of deals of a whole sheet.

    Raises DomainError: ``wrong-sum``, ``too-many-deals``; ``deal-by-deal`` if all tables play the same deals and a line
    is not for exactly one of them.
    """
    online = phase.plan.online
    for deal, line in lines:
        check_total(phase, table, line, deal, meant)
        if online and online.duplicate and (line.of > 1 or line.extra or deal > table.deals):
            raise DomainError("deal-by-deal", "lines", deal=deal)
    written = sum(line.of for _, line in lines if not line.extra)
    refuse_if(written > table.deals, "too-many-deals", "lines", deals=table.deals)
    return written


def check_total(phase: Phase, table: Table, line: Line, deal: int, meant: bool) -> None:
    """Raise DomainError (``wrong-sum``) for a wrong sum, unless it is `meant` and the house rules settle it."""
    if table.total is None or (phase.plan.rules.wrong_sum != "recount" and meant):
        return
    found, expected, rule = sum(line.scores), table.total * line.of, phase.plan.rules.wrong_sum
    refuse_if(
        found != expected, "wrong-sum", "scores", deal=deal, of=line.of, found=found, expected=expected, rule=rule
    )


def check_possible(table: Table, scores: Sequence[int], of: int = 1) -> None:
    """Raise DomainError (``impossible-points``) if a side has less than nothing, or more than all points of `of` deals.

    Only where a deal has a fixed sum above 0. For what is written at the tables and from slips: the log may say it, since
    the director may add or take away what the house rules say.
    """
    most = (table.total or 0) * of
    for points in scores:
        refuse_if(most > 0 and not 0 <= points <= most, "impossible-points", "scores", points=points, most=most)


def _without_writers(lines: tuple[tuple[int, Line], ...]) -> list[tuple[int, Line]]:
    return [(number, replace(line, writer=DESK)) for number, line in lines]


def check_complete(given: Given, table: Table, played: int) -> bool:
    """Whether a sheet with this many deals is short. Raises DomainError (``deals-missing``) if that is not intended."""
    missing = played < table.deals
    refuse_if(missing and not given.flag("short"), "deals-missing", "table", played=played, deals=table.deals)
    return missing


def _check_dispute(table: Table, place: int) -> None:
    if table.dispute is not None and not same_side(table, place, table.dispute.place):
        raise DomainError("disputed-already", "place")


def _place(given: Given, table: Table) -> int:
    return given.whole("place", DESK, len(table.people) - 1, 0)


def check_out(round: Round) -> None:
    """Raise DomainError (``not-out``, ``round-closed``) unless the round is being played."""
    refuse_if(round.status == DRAFT, "not-out", "round", round=round.number)
    refuse_if(round.status == CLOSED, "round-closed", "round", round=round.number)


def _check_handed_in(round: Round, table: Table) -> None:
    refuse_if(table.state not in (HANDED_IN, DISPUTED) or round.status == CLOSED, "not-handed-in", "table")


def _check_open(round: Round, table: Table) -> None:
    check_out(round)
    refuse_if(table.state != PLAYING, "handed-in-already", "table")
