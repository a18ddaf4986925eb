"""What every entrant has from each round: played, given for a bye or an absence, dropped as one of the worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clubs.standings.profile import Given, HouseRules
from clubs.standings.results import Entrant, Evening, Round
from clubs.standings.scores import Problem, count
from clubs.standings.shares import mean
from clubs.standings.sheets import ABSENT, BYE, LATE, LEFT, PENDING, PLAYED, RoundScore, Sheet


@dataclass(frozen=True, slots=True)
class Open:
    """A table that does not count yet: it is not confirmed (`state`), or a problem blocks it."""

    round: int
    table: int
    state: str
    problems: tuple[Problem, ...]


def sheets(evening: Evening) -> tuple[dict[str, Sheet], tuple[Open, ...]]:
    """The sheet of every entrant, and the tables that do not count yet."""
    rows: dict[str, list[RoundScore]] = {each.id: [] for each in evening.entrants}
    waiting: list[Open] = []
    fields: dict[int, list[RoundScore]] = {}
    house = {each.id for each in evening.entrants if each.house}
    for each_round in evening.rounds:
        found, still = _round(each_round, evening)
        waiting += still
        for who, score in found.items():
            rows[who].append(score)
        fields[each_round.number] = [score for who, score in found.items() if score.kind == PLAYED and who not in house]
    rules = evening.rules
    result: dict[str, Sheet] = {}
    for who, row in rows.items():
        own = [each for each in row if each.kind == PLAYED]
        filled = [_given(each, own, fields[each.round], rules) for each in row]
        entries = [entry for entry in evening.penalties if entry.entrant == who]
        result[who] = Sheet(
            who,
            drop(filled, rules),
            sum(entry.points for entry in entries),
            sum(entry.match for entry in entries),
        )
    return result, tuple(waiting)


def drop(row: Sequence[RoundScore], rules: HouseRules) -> tuple[RoundScore, ...]:
    """The same rounds with the worst marked as dropped.

    Worst by what the tournament is played for, then by the other of match points and points, then by difference; of
    equals the earlier. One round is always kept, so that a standing after the first round says something. A table that
    is still open is never dropped; rounds missed only if the house rules say so.
    """
    done = [each for each in row if each.kind != PENDING]
    may = [each for each in done if rules.drop_missed or each.kind in (PLAYED, BYE)]
    worst = sorted(may, key=lambda each: (*_measure(each, rules.tie_breaks[0]), each.round))
    out = {each.round for each in worst[: max(0, min(rules.dropped, len(done) - 1))]}
    return tuple(replace(each, dropped=each.round in out) for each in row)


def _measure(score: RoundScore, first: str) -> tuple[int, int, int]:
    if first == "match-points":
        return score.match, score.points, score.difference
    if first == "difference":
        return score.difference, score.match, score.points
    return score.points, score.match, score.difference


def _round(round: Round, evening: Evening) -> tuple[dict[str, RoundScore], list[Open]]:
    found: dict[str, RoundScore] = {}
    waiting: list[Open] = []
    for table in sorted(round.tables, key=lambda each: each.number):
        counted = count(table, round.number, evening.rules)
        if counted.counts:
            found |= counted.scores
        else:
            problems = tuple(each for each in counted.problems if each.blocks)
            waiting.append(Open(round.number, table.number, table.state, problems))
            found |= {who: RoundScore(round.number, PENDING, table=table.number) for who in table.ids}
    for entrant in evening.entrants:
        if entrant.id not in found:
            found[entrant.id] = RoundScore(round.number, _missing(entrant, round))
    return found, waiting


def _missing(entrant: Entrant, round: Round) -> str:
    if entrant.id in round.byes:
        return BYE
    if round.number < entrant.first:
        return LATE
    return LEFT if entrant.last and round.number > entrant.last else ABSENT


def _given(score: RoundScore, own: list[RoundScore], field: list[RoundScore], rules: HouseRules) -> RoundScore:
    """The score of a round that was not played. Who left gets what an absence brings."""
    if score.kind in (PLAYED, PENDING):
        return score
    given = {BYE: rules.bye, LATE: rules.late}.get(score.kind, rules.absent)
    points, match, difference = _amount(given, own, field)
    return replace(score, points=points, match=match, difference=difference)


def _amount(given: Given, own: list[RoundScore], field: list[RoundScore]) -> tuple[int, int, int]:
    of = own if given.method == "own-average" and own else field
    if given.method == "fixed" or not of:
        return given.points, given.match, 0
    columns = [each.points for each in of], [each.match for each in of], [each.difference for each in of]
    choose = min if given.method == "lowest" else mean
    points, match, difference = (choose(column) for column in columns)
    return points, match, difference
