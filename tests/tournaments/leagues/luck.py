"""Ratings once more, from docs/ratings.md: who played what in the logs of the games, then plain normal equations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import sqrt
from typing import Any
from zoneinfo import ZoneInfo

from accounts.models import Player
from tests.tournaments.leagues.books import Books
from tests.tournaments.leagues.counting import Sheet
from tests.tournaments.leagues.replay import Played

MONTH = 30
SURPRISE = 2.5
ZURICH = ZoneInfo("Europe/Zurich")


@dataclass(frozen=True, slots=True)
class Match:
    """So many deals of the same four: the dealer's side of a shared deal first. `margin` is half of what the first side
    had more, in one deal."""

    order: tuple[int, str, int]
    day: int
    sides: tuple[tuple[str, str], tuple[str, str]]
    deals: int
    margin: float
    board: str = ""


def matches(books: Books) -> list[Match]:
    """Everything that counts, in the order of days."""
    found: list[Match] = []
    names: dict[int, str] = {}
    for turn in books.rounds:
        for number, sheet in turn.sheets.items():
            if sheet.counts and not sheet.forfeit:
                found += _of_table(books, turn.key, number, sheet, names)
    return sorted(found, key=lambda each: each.order)


def _of_table(books: Books, key: str, number: int, sheet: Sheet, names: dict[int, str]) -> list[Match]:
    played = books.replay(sheet.game).counted
    sums: dict[Any, list[tuple[int, int, int]]] = defaultdict(list)
    for place, each in enumerate(played, 1):
        deal = each.number if books.duplicate else place
        who = _who(each, names)
        if deal not in sheet.lines or who is None:
            continue
        first = (sheet.turn + deal - 1) % 2 if books.duplicate else 0
        line = sheet.lines[deal]
        sides = ((who[first], who[first + 2]), (who[1 - first], who[3 - first]))
        board = f"{key}/{deal}" if books.duplicate else ""
        sums[sides, board].append((deal, line[first] - line[1 - first], _day(each)))
    return [
        Match(
            (max(day for _, _, day in them), f"{key}.{number:03}", them[0][0]),
            max(day for _, _, day in them),
            sides,
            len(them),
            sum(margin for _, margin, _ in them) / 2 / len(them),
            board,
        )
        for (sides, board), them in sums.items()
    ]


def _who(each: Played, names: dict[int, str]) -> tuple[str, ...] | None:
    """Who played each seat; None where two have made moves of one seat, or nothing was played."""
    if each.result.status != "played":
        return None
    found = []
    for seat, sitting in enumerate(each.sitting):
        actors = each.actors.get(seat) or {sitting: 1}
        if len(actors) > 1:
            return None
        (key,) = actors
        if key not in names:
            player = Player.objects.get(pk=key)
            names[key] = f"computer:{player.computer} {player.name}" if player.is_computer else f"player:{key}"
        found.append(names[key])
    return tuple(found)


def _day(each: Played) -> int:
    return (each.at.astimezone(ZURICH).date() - date(1970, 1, 1)).days


@dataclass
class Ratings:
    """Means, variances and deals by player, after all matches."""

    mean: Mapping[str, float]
    variance: Mapping[str, float]
    deals: Mapping[str, int]


def rate(log: Sequence[Match], model: Mapping[str, Any]) -> Ratings:
    """One after the other, so that no match surprises too much; then all skills at once."""
    skill, deal, play = model["skill"] ** 2, model["deal"] ** 2, model["play"] ** 2
    memory = model["memory"] * MONTH
    believed: dict[str, tuple[float, float, int]] = {}
    deals: dict[str, int] = defaultdict(int)
    seen: list[tuple[Match, float, float]] = []

    def known(player: str) -> tuple[float, float]:
        mean, variance, _ = believed.get(player, (0.0, skill, 0))
        return mean, variance

    for match in log:
        signed = [(who, sign) for side, sign in zip(match.sides, (1.0, -1.0), strict=True) for who in side]
        for who, _ in signed:
            mean, variance, since = believed.get(who, (0.0, skill, match.day))
            left = 0.5 ** ((match.day - since) / memory)
            certain = 1 / skill + left * (1 / variance - 1 / skill)
            believed[who] = (mean * left / variance / certain, 1 / certain, match.day)
            deals[who] += match.deals
        dealt, played = deal / match.deals, play / match.deals
        certainty, told = 1 / dealt, 0.0
        for other in log:
            if match.board and other.board == match.board and other is not match:
                four = [(who, sign) for side, sign in zip(other.sides, (1.0, -1.0), strict=True) for who in side]
                unsure = played + sum(known(who)[1] for who, _ in four)
                worth = other.margin - sum(sign * known(who)[0] for who, sign in four)
                bound = SURPRISE * sqrt(dealt + unsure)
                certainty += 1 / unsure
                told += max(-bound, min(bound, worth)) / unsure
        noise = played + 1 / certainty
        whole = noise + sum(known(who)[1] for who, _ in signed)
        expected = sum(sign * known(who)[0] for who, sign in signed)
        bound = SURPRISE * sqrt(whole)
        surprise = max(-bound, min(bound, match.margin - told / certainty - expected))
        for who, sign in signed:
            mean, variance, since = believed[who]
            part = variance / whole
            believed[who] = (mean + sign * part * surprise, variance * (1 - part), since)
        seen.append((match, expected + surprise, noise))
    return _together(seen, skill, memory, deals)


def _together(
    seen: Sequence[tuple[Match, float, float]], skill: float, memory: float, deals: Mapping[str, int]
) -> Ratings:
    people = sorted(deals)
    place = {who: number for number, who in enumerate(people)}
    size = len(people)
    matrix = [[0.0] * size for _ in people]
    told = [0.0] * size
    for number in range(size):
        matrix[number][number] = 1 / skill
    for match, gained, noise in seen:
        weight = 0.5 ** ((seen[-1][0].day - match.day) / memory) / noise
        signed = [(place[who], sign) for side, sign in zip(match.sides, (1.0, -1.0), strict=True) for who in side]
        for one, sign in signed:
            told[one] += sign * gained * weight
            for other, of_other in signed:
                matrix[one][other] += sign * of_other * weight
    inverse = inverted(matrix)
    means = [sum(value * known for value, known in zip(row, told, strict=True)) for row in inverse]
    return Ratings(
        dict(zip(people, means, strict=True)),
        {who: inverse[number][number] for who, number in place.items()},
        deals,
    )


def inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a symmetric positive matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(1.0 if place == number else 0.0 for place in range(size))] for number, row in enumerate(matrix)]
    for pivot in range(size):
        factor = rows[pivot][pivot]
        rows[pivot] = [value / factor for value in rows[pivot]]
        for number in range(size):
            if number != pivot and rows[number][pivot]:
                part = rows[number][pivot]
                rows[number] = [value - part * upper for value, upper in zip(rows[number], rows[pivot], strict=True)]
    return [row[size:] for row in rows]
