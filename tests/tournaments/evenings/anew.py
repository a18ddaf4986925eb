"""Standings once more, from nothing but a published file: `python -m tests.tournaments.evenings.anew results.json`.

Shares no line with the site. Knows the rules that a club begins with and those of docs/standings.md that the file names:
match points, places, points for each deal at tables of another size, byes, penalties, a knock-out's bracket, and a final
in which points count on.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

Data = dict[str, Any]
CRITERIA = ("match-points", "card-points", "difference", "best-round")


def nearest(value: Fraction) -> int:
    """The nearest whole number, halves away from zero."""
    whole, rest = divmod(abs(value), 1)
    size = int(whole) + (rest >= Fraction(1, 2))
    return size if value >= 0 else -size


def shares(match: Data, totals: list[int]) -> list[int]:
    """The match points of each side, by all its points at the table."""
    listed = {len(row): row for row in match["places"]}
    if len(totals) == 2 or len(totals) not in listed:
        best = max(totals)
        first = match["draw"] if totals.count(best) > 1 else match["win"]
        return [first if total == best else match["loss"] for total in totals]
    row = listed[len(totals)]
    found = []
    for total in totals:
        before, equal = sum(other > total for other in totals), totals.count(total)
        found.append(sum(row[before : before + equal]) // equal)
    return found


def of_table(rules: Data, table: Data) -> dict[str, tuple[int, int, int]]:
    """Points, match points and difference of each entrant at a table."""
    owner = {seat["place"]: seat["entrant"] for seat in table["seats"]}
    parties = [tuple(dict.fromkeys(owner[place] for place in side)) for side in table["sides"]]
    points: dict[str, int] = defaultdict(int)
    difference: dict[str, Fraction] = defaultdict(Fraction)
    deals: dict[str, int] = defaultdict(int)
    for deal in table["deals"]:
        if deal["extra"]:
            continue
        for side, score in zip(deal["sides"], deal["scores"], strict=True):
            for who in dict.fromkeys(owner[place] for place in side):
                points[who] += score
                difference[who] += score - Fraction(sum(deal["scores"]) - score, len(deal["scores"]) - 1)
                deals[who] += deal["of"]
    sizes = {size["size"]: size for size in rules["table_sizes"]}
    more = sizes.get(len(table["seats"]), {"per_deal": 0, "percent": 100})
    match = dict(zip(parties, shares(rules["match"], [points[party[0]] for party in parties]), strict=True))
    return {
        who: (
            nearest(Fraction(points[who] * more["percent"], 100)) + more["per_deal"] * deals[who],
            match[party],
            nearest(difference[who] * Fraction(more["percent"], 100)),
        )
        for party in parties
        for who in party
    }


def far(rounds: list[Data], scores: list[dict[str, tuple[int, int, int]]]) -> dict[str, int]:
    """How far everybody came in a knock-out: two for each step, one for a match for third place that was won."""
    found: dict[str, int] = defaultdict(int)
    lost: set[str] = set()
    for turn, counted in zip(rounds, scores, strict=True):
        fell = set()
        for table in turn["tables"]:
            pair = list(dict.fromkeys(seat["entrant"] for seat in table["seats"]))
            winner, loser = sorted(pair, key=lambda who: -counted[who][1])
            found[winner] += 1 if winner in lost else 2
            fell.add(loser)
        for who in turn["byes"]:
            found[who] += 2
        lost |= fell
    return found


def faults(results: Data) -> list[str]:
    """The parts of the standings in the file that do not follow from its deals."""
    wrong: list[str] = []
    for phase in results["phases"]:
        wrong += _phase(results, phase)
    places = [(place["rank"], place["entrant"]) for place in results["ranking"]["places"] if place["rank"]]
    if places != sorted(places, key=lambda each: each[0]):
        wrong.append("the ranking is out of order")
    told: dict[str, int] = {}
    for phase in reversed(results["phases"]):  # the last part first; behind it those who did not play in it
        rest = [row["rank"] for row in phase["standings"] if row["entrant"] not in told and row["rank"]]
        before = len(told)
        told |= {
            row["entrant"]: before + 1 + sum(rank < row["rank"] for rank in rest)
            for row in phase["standings"]
            if row["entrant"] not in told and row["rank"]
        }
    wrong += [f"{who} is {rank} over all and {told[who]} by the parts" for rank, who in places if told[who] != rank]
    return wrong


def counted_with(results: Data, phase: Data) -> list[Data]:
    """The parts whose rounds count in this one, the earliest first: in a final that counts on, those before it too."""
    before = next((each for each in results["phases"] if each["number"] == phase["after"]), None)
    return [*(counted_with(results, before) if before and phase["carries_on"] else []), phase]


def _phase(results: Data, phase: Data) -> list[str]:
    wrong: list[str] = []
    parts = counted_with(results, phase)
    rules_of = {each["number"]: each["rules"] for each in parts}
    rounds = [turn for part in parts for turn in results["rounds"] if turn["phase"] == part["number"]]
    scores = []
    for turn in rounds:
        found: dict[str, tuple[int, int, int]] = {}
        for table in turn["tables"]:
            if table["state"] == "confirmed":
                found |= of_table(rules_of[turn["phase"]], table)
        scores.append(found)
    taken: dict[str, int] = defaultdict(int)
    for each in results["penalties"]:
        if not each.get("cancelled") and each["phase"] in rules_of:
            taken[each["entrant"]] += each["points"]
    reached = far(rounds, scores) if phase["method"] == "knock-out" else defaultdict(int)
    keys: dict[str, tuple[int, ...]] = {}
    for row in phase["standings"]:
        who = row["entrant"]
        own = [counted[who] for counted in scores if who in counted]
        lines = []
        for turn, counted in zip(rounds, scores, strict=True):
            if who in counted:
                lines.append(counted[who])
            elif who in turn["byes"] and own:
                lines.append(tuple(nearest(Fraction(sum(column), len(own))) for column in zip(*own, strict=True)))
            else:
                lines.append((0, 0, 0))
        told = [(line["points"], line["match"], line["difference"]) for line in row["rounds"]]
        numbers = [line["round"] for line in row["rounds"]]
        if numbers != list(range(1, len(rounds) + 1)):
            wrong.append(f"{who} in part {phase['number']}: rounds are numbered {numbers}")
        if told != lines:
            wrong.append(f"{who} in part {phase['number']}: rounds {told}, by the deals {lines}")
        values = {
            "match-points": sum(line[1] for line in lines),
            "card-points": sum(line[0] for line in lines) - taken[who],
            "difference": sum(line[2] for line in lines),
            "best-round": max((line[0] for line in own), default=None),
        }
        said = {name: row["values"][name] for name in CRITERIA if name in row["values"]}
        if said != {name: values[name] for name in said}:
            wrong.append(f"{who} in part {phase['number']}: {said}, by the deals {values}")
        order = [values[name] for name in phase["criteria"] if name in values]
        keys[who] = (reached[who], *(-(10**9) if value is None else value for value in order))
    for row in phase["standings"]:
        better = sum(key > keys[row["entrant"]] for key in keys.values())
        equal = sum(key == keys[row["entrant"]] for key in keys.values())
        if not better < row["rank"] <= better + equal:
            wrong.append(f"{row['entrant']} in part {phase['number']} is {row['rank']}., by the deals {better + 1}.")
    return wrong


if __name__ == "__main__":
    found = faults(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    print("\n".join(found) or "It adds up.")
    sys.exit(1 if found else 0)
