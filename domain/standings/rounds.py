"""Counting one table: checking every sum, and the score of each player or pair.

Also the score of every entrant in each round: played, given for a bye or an absence, or dropped as one of the worst.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from domain.standings.criteria import (
    ABSENT,
    BYE,
    LATE,
    LEFT,
    PENDING,
    PLAYED,
    Meeting,
    RoundScore,
    Sheet,
    mean,
    rounded,
)
from domain.standings.profile import Given, HouseRules
from domain.standings.results import CONFIRMED, Deal, Entrant, Evening, Round, Side, Table


@dataclass(frozen=True, slots=True)
class Problem:
    """An error at a table.

    ``wrong-sum`` and ``too-many-deals`` keep the table from counting; ``split`` and ``struck`` were settled by the
    house rules and are only reported. `deal` counts from 1; 0 is the table as a whole.
    """

    code: str
    deal: int
    found: int
    expected: int

    @property
    def blocks(self) -> bool:
        """Whether the table cannot count until somebody corrects the error."""
        return self.code in ("wrong-sum", "too-many-deals")


@dataclass(frozen=True, slots=True)
class TableScore:
    """A counted table: the deals as they count, the errors, and the score of each of its entrants.

    `scores` is empty while the table is not confirmed or a problem blocks it.
    """

    deals: tuple[Deal, ...]
    problems: tuple[Problem, ...]
    scores: dict[str, RoundScore]

    @property
    def counts(self) -> bool:
        return bool(self.scores)


def count(table: Table, round: int, rules: HouseRules) -> TableScore:
    """Count a table by the house rules, independently of the rest of the evening."""
    deals, problems = _checked(table, rules)
    size = rules.at(table.people or len(table.ids))
    length = table.length or size.deals
    counting = [deal for deal in deals if not deal.extra]
    written = sum(deal.of for deal in counting)
    if written > length:
        problems.append(Problem("too-many-deals", 0, written, length))
    if table.state != CONFIRMED or any(each.blocks for each in problems):
        return TableScore(tuple(deals), tuple(problems), {})
    if rules.unfinished == "strike" and written < length:
        zeros = {who: RoundScore(round, PLAYED, table=table.number) for who in table.ids}
        return TableScore(tuple(deals), tuple(problems), zeros)
    factor = Fraction(size.percent, 100)
    if rules.unfinished == "full-length" and counting:
        factor *= Fraction(length, written)
    points = dict.fromkeys(table.ids, 0)
    differences = dict.fromkeys(table.ids, Fraction(0))
    played = dict.fromkeys(table.ids, 0)
    won = dict.fromkeys(table.ids, 0)
    for deal in counting:
        whole = sum(deal.scores)
        for side, score in zip(deal.sides or table.sides, deal.scores, strict=True):
            others = len(deal.scores) - 1
            for who in side:
                points[who] += score
                differences[who] += score - Fraction(whole - score, others)
                played[who] += deal.of
                won[who] += deal.of == 1 and deal.scores.count(score) == 1 and score == max(deal.scores)
    match, winners = _match(table, deals, points, rules)
    scores = {
        who: RoundScore(
            round,
            PLAYED,
            points=rounded(points[who] * factor) + size.per_deal * played[who],
            match=match[who],
            difference=rounded(differences[who] * factor),
            deals=played[who],
            deals_won=won[who],
            won=who in winners,
            table=table.number,
            meetings=tuple(Meeting(other, points[who], points[other]) for other in table.ids if other not in own),
        )
        for own in _units(table)
        for who in own
    }
    return TableScore(tuple(deals), tuple(problems), scores)


def split(scores: tuple[int, ...], total: int, writer: int) -> tuple[int, ...]:
    """Correct a wrong sum by giving every side the same share of the missing or surplus points.

    A remainder is at the expense of the side that wrote the sheet: it is the last to get a missing point and the first
    to lose a surplus one. The other sides follow in their order.
    """
    missing = total - sum(scores)
    each, rest = divmod(abs(missing), len(scores))
    order = [(writer + step) % len(scores) for step in range(len(scores))]
    turns = [*order[1:], writer] if missing > 0 else order
    sign = 1 if missing > 0 else -1
    one_more = set(turns[:rest])
    return tuple(score + sign * (each + (index in one_more)) for index, score in enumerate(scores))


def _checked(table: Table, rules: HouseRules) -> tuple[list[Deal], list[Problem]]:
    deals: list[Deal] = []
    problems: list[Problem] = []
    code = {"split": "split", "strike": "struck"}.get(rules.wrong_sum, "wrong-sum")
    for number, deal in enumerate(table.deals, 1):
        written, expected = sum(deal.scores), (table.total or 0) * deal.of
        if table.total is not None and written != expected:
            problems.append(Problem(code, number, written, expected))
            if code == "split":
                deal = replace(deal, scores=split(deal.scores, expected, table.writer))
            elif code == "struck":
                deal = replace(deal, scores=(0,) * len(deal.scores))
        deals.append(deal)
    return deals, problems


def _units(table: Table) -> tuple[Side, ...]:
    """The groups that win or lose together: the sides, or everybody alone if the sides change from deal to deal."""
    usual = set(map(frozenset, table.sides))
    if any(deal.sides and set(map(frozenset, deal.sides)) != usual for deal in table.deals):
        return tuple((who,) for who in table.ids)
    return table.sides


def _match(
    table: Table, deals: list[Deal], points: dict[str, int], rules: HouseRules
) -> tuple[dict[str, int], frozenset[str]]:
    """Everybody's match points, and the winners."""
    if not any(not deal.extra for deal in deals):
        return dict.fromkeys(table.ids, 0), frozenset()
    units = _units(table)
    marks = [(points[side[0]], 0) for side in units]
    if rules.drawn == "extra-deal" and len(units) == 2:
        for deal in deals:
            if deal.extra:
                by_side = dict(zip(map(frozenset, deal.sides or table.sides), deal.scores, strict=True))
                marks = [(points[side[0]], by_side[frozenset(side)]) for side in units]
    order = sorted(marks, reverse=True)
    row = next((row for row in rules.match.places if len(row) == len(units)), None) if len(units) > 2 else None
    match: dict[str, int] = {}
    winners: set[str] = set()
    for side, mark in zip(units, marks, strict=True):
        first, equal = order.index(mark), order.count(mark)
        if row:
            value = sum(row[first : first + equal]) // equal
        elif first:
            value = rules.match.loss
        else:
            value = rules.match.draw if equal > 1 else rules.match.win
        match |= dict.fromkeys(side, value)
        if first == 0 and equal == 1:
            winners |= set(side)
    return match, frozenset(winners)


@dataclass(frozen=True, slots=True)
class Open:
    """A table that does not count yet, because it is not confirmed (`state`) or a problem blocks it."""

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
        scores, open_tables = _round(each_round, evening)
        waiting += open_tables
        for who, score in scores.items():
            rows[who].append(score)
        fields[each_round.number] = [
            score for who, score in scores.items() if score.kind == PLAYED and who not in house
        ]
    rules = evening.rules
    result: dict[str, Sheet] = {}
    for who, row in rows.items():
        own = [each for each in row if each.kind == PLAYED]
        filled = [_filled(each, own, fields[each.round], rules) for each in row]
        entries = [entry for entry in evening.penalties if entry.entrant == who]
        points, match = sum(entry.points for entry in entries), sum(entry.match for entry in entries)
        result[who] = Sheet(who, drop(filled, rules), points, match)
    return result, tuple(waiting)


def drop(row: Sequence[RoundScore], rules: HouseRules) -> tuple[RoundScore, ...]:
    """The same rounds, with the worst marked as dropped.

    The first criterion of the house rules decides which rounds are worst, then the other of match points and points,
    then the difference; among equals the earlier round. One round is always kept, so that a standing after the first
    round says something. A table that is still open is never dropped; missed rounds are dropped only if the house rules
    say so.
    """
    done = [each for each in row if each.kind != PENDING]
    droppable = [each for each in done if rules.drop_missed or each.kind in (PLAYED, BYE)]
    worst = sorted(droppable, key=lambda each: (*_measure(each, rules.tie_breaks[0]), each.round))
    dropped = {each.round for each in worst[: max(0, min(rules.dropped, len(done) - 1))]}
    return tuple(replace(each, dropped=each.round in dropped) for each in row)


def _measure(score: RoundScore, first: str) -> tuple[int, int, int]:
    match, points, difference = score.match, score.points, score.difference
    by_first = {"match-points": (match, points, difference), "difference": (difference, match, points)}
    return by_first.get(first, (points, match, difference))


def _round(round: Round, evening: Evening) -> tuple[dict[str, RoundScore], list[Open]]:
    scores: dict[str, RoundScore] = {}
    waiting: list[Open] = []
    for table in sorted(round.tables, key=lambda each: each.number):
        counted = count(table, round.number, evening.rules)
        if counted.counts:
            scores |= counted.scores
        else:
            problems = tuple(each for each in counted.problems if each.blocks)
            waiting.append(Open(round.number, table.number, table.state, problems))
            scores |= {who: RoundScore(round.number, PENDING, table=table.number) for who in table.ids}
    for entrant in evening.entrants:
        if entrant.id not in scores:
            scores[entrant.id] = RoundScore(round.number, _kind_of_absence(entrant, round))
    return scores, waiting


def _kind_of_absence(entrant: Entrant, round: Round) -> str:
    if entrant.id in round.byes:
        return BYE
    if round.number < entrant.first:
        return LATE
    return LEFT if entrant.last and round.number > entrant.last else ABSENT


def _filled(score: RoundScore, own: list[RoundScore], field: list[RoundScore], rules: HouseRules) -> RoundScore:
    """The score, filled in by the house rules if the round was not played.

    A round after the entrant has left counts as an absence.
    """
    if score.kind in (PLAYED, PENDING):
        return score
    given = {BYE: rules.bye, LATE: rules.late}.get(score.kind, rules.absent)
    points, match, difference = _given_result(given, own, field)
    return replace(score, points=points, match=match, difference=difference)


def _given_result(given: Given, own: list[RoundScore], field: list[RoundScore]) -> tuple[int, int, int]:
    """Points, match points and difference for a round that was not played, by the method of `given` (see `Given`).

    `own` are the rounds that the entrant played, `field` the scores of everybody who played this round.
    """
    scores = own if given.method == "own-average" and own else field
    if given.method == "fixed" or not scores:
        return given.points, given.match, 0
    summary = min if given.method == "lowest" else mean
    return (
        summary([each.points for each in scores]),
        summary([each.match for each in scores]),
        summary([each.difference for each in scores]),
    )
