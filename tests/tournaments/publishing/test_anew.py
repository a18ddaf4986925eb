"""Seven evenings of all kinds, whose published files add up for somebody who shares no line with the site."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest

from domain.tournament.state import Table
from tests.tournaments.evenings.anew import faults
from tests.tournaments.services.kit import Night
from tournaments.publishing import exports
from tournaments.read_models import Names

pytestmark = pytest.mark.django_db
FAIR = {
    "match": {"win": 2, "draw": 1, "loss": 0, "places": [[2, 1, 0]]},
    "table_sizes": [{"size": 3, "deals": 0, "percent": 100, "per_deal": 10}],
}


def results(night: Night) -> dict[str, Any]:
    """The file, as somebody fetches it."""
    return json.loads(exports.results_as_json(night.tournament, night.state, Names(night.tournament, "hall")))


def scores(table: Table, luck: random.Random) -> list[int]:
    """Scores of a deal that add up, never a draw of two."""
    sides = 2 if table.in_turn else len(table.sides)
    total = table.total or 0
    if not total:
        found = [luck.randint(-300, 300) for _ in range(sides - 1)]
        return [*found, -sum(found)]
    cuts = sorted(luck.sample(range(1, total), sides - 1))
    found = [end - start for start, end in zip([0, *cuts], [*cuts, total], strict=True)]
    return found if len(set(found)) == sides else scores(table, luck)


def play(night: Night, key: str, luck: random.Random) -> None:
    """All tables of a round, each deal another score; of two sides one is ahead."""
    for number, table in sorted(night.state.round(key).tables.items()):
        while True:
            lines = [scores(table, luck) for _ in range(table.deals)]
            if table.in_turn or len({sum(column) for column in zip(*lines, strict=True)}) > 1:
                break
        for deal, line in enumerate(lines, 1):
            night.do("deal.entered", table=f"{key}.{number}", deal=deal, place=0, scores=line)
        night.do("table.handed-in", table=f"{key}.{number}", place=0)
        night.do("table.confirmed", table=f"{key}.{number}", place=table.sides[1][0])


def rounds(night: Night, count: int, seed: int) -> None:
    luck = random.Random(seed)
    for number in range(1, count + 1):
        night.draw()
        play(night, f"1.{number}", luck)


def odd_tables() -> Night:
    """Tables of three and five; one comes late, one leaves, a sheet is corrected, points are taken away."""
    night = Night.at(21, rules={"rounds": 4, "deals": 2} | FAIR, odd=["five", "three"])
    night.begin()
    rounds(night, 1, 1)
    for _late in range(3):
        night.walk_in()
    night.do("entrant.left", id="e3")
    luck = random.Random(2)
    for number in (2, 3):
        night.draw()
        play(night, f"1.{number}", luck)
    table = next(t for t in night.state.round("1.1").tables.values() if len(t.people) == 4)
    lines = [{"deal": 1, "scores": [70, 2]}, {"deal": 2, "scores": [1, 71]}]
    night.do("table.settled", table=f"1.1.{table.number}", lines=lines, reason="the slip says so")
    night.do("penalty.given", phase=1, entrant="e4", reason="late", points=7)
    sizes = Counter(len(t.people) for each in night.state.phases[0].rounds for t in each.tables.values())
    assert set(sizes) == {3, 4, 5}
    return night


def troggu() -> Night:
    night = Night.at(23, rules={"ruleset": "troggu", "rounds": 3, "deals": 3}, usual=5, odd=[])
    night.begin()
    rounds(night, 3, 3)
    return night


def swiss(odd: str) -> Night:
    night = Night.at(kind="pair", method="swiss", odd=[odd], rules={"rounds": 5, "deals": 2})
    for _pair in range(17):
        night.walk_in(pair=True)
    night.begin()
    rounds(night, 5, 4)
    return night


def round_robin() -> Night:
    night = Night.at(kind="pair", method="round-robin", odd=["bye"], rules={"rounds": 5, "deals": 2})
    for _pair in range(5):
        night.walk_in(pair=True)
    night.begin()
    rounds(night, 5, 5)
    return night


def knock_out() -> Night:
    night = Night.at(kind="pair", method="knock-out", odd=["bye"], third=True, rules={"rounds": 3, "deals": 2})
    for _pair in range(7):
        night.walk_in(pair=True)
    night.begin()
    rounds(night, 3, 6)
    assert len(night.state.phases[0].rounds[-1].tables) == 2
    return night


def final_that_counts_on() -> Night:
    night = Night.at(13, rules={"rounds": 2, "deals": 2} | FAIR, odd=["three"])
    night.begin()
    rounds(night, 2, 7)
    night.do("phase.finished", phase=1)
    first = [row["entrant"] for row in results(night)["phases"][0]["standings"][:8]]
    night.begin("Final", after=1, entrants=first, carry=True)
    luck = random.Random(8)
    for number in (1, 2):
        night.draw(2)
        play(night, f"2.{number}", luck)
    return night


EVENINGS = {
    "tables of three and five, a late-comer, a leaver, a correction": odd_tables,
    "Troggu": troggu,
    "Swiss of 17 pairs, three of them at one table": lambda: swiss("three-pairs"),
    "Swiss of 17 pairs with a bye": lambda: swiss("bye"),
    "a round robin of five pairs": round_robin,
    "a final of eight in which points count on": final_that_counts_on,
    "a knock-out with a match for third place": knock_out,
}


@pytest.mark.parametrize("name", EVENINGS)
@pytest.mark.slow(but="tables of three and five, a late-comer, a leaver, a correction")
def test_the_published_standings_follow_from_the_published_deals(name):
    assert faults(results(EVENINGS[name]())) == []


def test_a_wrong_figure_is_found():
    night = knock_out()
    told = results(night)
    for change in (
        lambda file: file["phases"][0]["standings"][0]["values"].update({"card-points": 1}),
        lambda file: file["phases"][0]["standings"][2].update(rank=4),
        lambda file: file["rounds"][0]["tables"][0]["deals"][0]["scores"].reverse(),
    ):
        broken = copy.deepcopy(told)
        change(broken)
        assert faults(broken)
