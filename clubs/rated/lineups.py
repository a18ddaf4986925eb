"""From deals to results: what the same people played together, in the same sides, is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clubs.rated.kinds import Kind
from clubs.ratings.results import Result

Lineup = tuple[tuple[str, ...], ...]
"""Who sat on which side, by the ids of `clubs.rated.people`."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal as it was written down, or several added up (`of`). `when`: the day, from 1970-01-01.

    `board`: names the deal where other tables play the same one; then `sides` are in the order of the cards.
    """

    number: int
    kind: Kind
    sides: Lineup
    scores: tuple[int, ...]
    when: int
    of: int = 1
    board: str = ""


@dataclass(slots=True)
class _Sum:
    first: int
    scores: list[int]
    deals: int = 0
    when: int = 0


def results(key: str, deals: Iterable[Deal]) -> list[Result]:
    """The results of one table or game, whose id begins with `key`: one for each lineup, and one for each shared deal.

    Deals in which one person sat at two places (as a guest and with their account) are left out.
    """
    sums: dict[tuple[Kind, Lineup, str], _Sum] = {}
    for deal in sorted(deals, key=lambda each: each.number):
        people = [who for side in deal.sides for who in side]
        if len(set(people)) < len(people):
            continue
        found = sums.setdefault((deal.kind, deal.sides, deal.board), _Sum(deal.number, [0] * len(deal.scores)))
        found.scores = [have + more for have, more in zip(found.scores, deal.scores, strict=True)]
        found.deals += deal.of
        found.when = max(found.when, deal.when)
    return [
        Result(
            id=f"{key}/{found.first:03}",
            when=found.when,
            ruleset=kind.name,
            kind=kind.kind,
            deals=found.deals,
            sides=tuple(zip(lineup, found.scores, strict=True)),
            board=board,
        )
        for (kind, lineup, board), found in sums.items()
    ]
