"""Small evenings for tests of standings."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace

from domain.standings.profile import Given, HouseRules
from domain.standings.ranking import Standings
from domain.standings.results import Deal, Entrant, Evening, Round, Table

ONE_DEAL = HouseRules(deals=1, rounds=3, tie_breaks=("match-points", "card-points"))


def rules(*tie_breaks: str, **changes) -> HouseRules:
    """House rules with one deal a round, three rounds, and these criteria."""
    return replace(ONE_DEAL, **({"tie_breaks": tie_breaks} if tie_breaks else {}), **changes)


def by_rank(standings: Standings) -> tuple[tuple[str, ...], ...]:
    """The ranked entrants as groups that share a rank, best first."""
    groups = defaultdict(list)
    for row in standings.rows:
        if row.rank:
            groups[row.rank].append(row.entrant)
    return tuple(tuple(groups[place]) for place in sorted(groups))


def pair_table(number: int, first: str, second: str, points: int, **more) -> Table:
    """Two fixed pairs, one deal of 72 points of which the first has `points`."""
    return Table(number, ((first,), (second,)), (Deal((points, 72 - points)),), 72, people=4, **more)


def evening(house: HouseRules, *rounds: str, **more) -> Evening:
    """Pairs named by single letters. A round is written ``a-b 40, c-d 36, bye e``: who met, the first one's points."""
    made: list[Round] = []
    names: set[str] = set()
    for number, text in enumerate(rounds, 1):
        tables: list[Table] = []
        byes: list[str] = []
        for place, word in enumerate(part.strip() for part in text.split(",")):
            if word.startswith("bye "):
                byes.append(word[4:])
            else:
                who, points = word.split()
                first, second = who.split("-")
                tables.append(pair_table(place + 1, first, second, int(points)))
        names |= {who for table in tables for who in table.ids} | set(byes)
        made.append(Round(number, tuple(tables), tuple(byes)))
    entrants = more.pop("entrants", tuple(Entrant(name) for name in sorted(names)))
    return Evening(house, entrants, tuple(made), **more)


def random_evening(chance: random.Random, house: HouseRules | None = None) -> Evening:
    """Individuals with changing partners, tables of four, byes, somebody late, somebody leaving, penalties free."""
    count = chance.randrange(6, 16)
    house = house or HouseRules(
        deals=chance.randrange(1, 4),
        rounds=chance.randrange(2, 6),
        dropped=chance.randrange(0, 2),
        bye=Given(chance.choice(("fixed", "own-average", "field-average", "lowest")), 36, 1),
        tie_breaks=tuple(
            chance.sample(["match-points", "card-points"], 2)
            + chance.sample(["difference", "best-round", "head-to-head", "opponents-strength", "without-worst"], 3)
        ),
        head_to_head=chance.choice(("all-met", "mini-table")),
    )
    entrants = [Entrant(f"p{number:02}") for number in range(count)]
    entrants[0] = replace(entrants[0], first=2)
    entrants[1] = replace(entrants[1], last=1)
    made: list[Round] = []
    for number in range(1, house.rounds + 1):
        here = [each.id for each in entrants if each.first <= number and (not each.last or number <= each.last)]
        chance.shuffle(here)
        tables: list[Table] = []
        while len(here) >= 4:
            a, b, c, d = (here.pop() for _ in range(4))
            deals = tuple(
                Deal((points, 72 - points)) for points in (chance.randrange(30, 43) for _ in range(house.deals))
            )
            tables.append(Table(len(tables) + 1, ((a, c), (b, d)), deals, 72))
        made.append(Round(number, tuple(tables), tuple(here)))
    return Evening(house, tuple(entrants), tuple(made))
