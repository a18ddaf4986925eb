"""Small logs for tests of ratings, and a plain second computation of them."""

from __future__ import annotations

import random
from collections.abc import Iterable

from domain.rating.results import EACH, PARTNERS, Datum, Model, Result

LONG = 1e9  # months: nothing fades
# Round numbers: a deal has the standard deviation 10, of whose variance the cards are 64 %.
TROCCAS = Model(skill=0.6, deal=8.0, play=6.0, memory=LONG)
TROGGU = Model(skill=3.0, deal=12.0, play=16.0, memory=LONG, table=4)


def pairs(name: str, sides: str, margin: int, deals: int = 8, day: int = 0, board: str = "", **more) -> Result:
    """``ada leo - mia noe``, and how many points more than the second the first side made."""
    first, second = (tuple(side.split()) for side in sides.split(" - "))
    middle = 36 * deals
    return Result(
        name, day, more.pop("ruleset", "troccas"), PARTNERS, deals,
        ((first, middle + margin), (second, middle)), board, **more
    )  # fmt: skip


def table(name: str, scores: str, deals: int = 8, day: int = 0, board: str = "", **more) -> Result:
    """``ada 20, leo -10, mia -10``: each for themselves."""
    sides = tuple(((who,), int(points)) for who, points in (each.split() for each in scores.split(", ")))
    return Result(name, day, "troggu", EACH, deals, sides, board, **more)


def random_pairs(chance: random.Random, members: int, nights: int, model: Model, *, duplicate: bool = False):
    """Members with normal skills, tables of four with partners drawn anew, three rounds of eight deals a night: skills
    and results. With `duplicate` every table of a round plays the same deals, one result for each."""
    names = [f"m{number:02}" for number in range(members)]
    skill = {name: chance.gauss(0, model.skill) for name in names}
    log: list[Result] = []
    for night in range(nights):
        for number in range(3):
            here = chance.sample(names, members)
            worths = [chance.gauss(0, model.deal) for _ in range(8)]
            for place in range(members // 4):
                a, b, c, d = here[4 * place : 4 * place + 4]
                better = skill[a] + skill[b] - skill[c] - skill[d]
                if not duplicate:
                    worths = [chance.gauss(0, model.deal) for _ in range(8)]
                made = [2 * (better + worth + chance.gauss(0, model.play)) for worth in worths]
                where, sides = f"{night:03}-{number}-{place}", f"{a} {b} - {c} {d}"
                if duplicate:
                    log += [
                        pairs(f"{where}-{deal}", sides, round(margin), 1, 7 * night, f"{night}-{number}-{deal}")
                        for deal, margin in enumerate(made)
                    ]
                else:
                    log.append(pairs(where, sides, round(sum(made)), 8, 7 * night))
    return skill, log


def random_tables(chance: random.Random, members: int, tables: int, model: Model):
    """Members with normal skills, tables of three to six one after the other, eight deals each, a table a day: skills
    and results."""
    names = [f"m{number:02}" for number in range(members)]
    skill = {name: chance.gauss(0, model.skill) for name in names}
    log: list[Result] = []
    for number in range(tables):
        here = chance.sample(names, chance.randint(3, 6))
        scores = [8 * skill[who] + chance.gauss(0, model.luck) * 8**0.5 for who in here]
        text = ", ".join(f"{who} {round(score)}" for who, score in zip(here, scores, strict=True))
        log.append(table(f"t{number:04}", text, 8, number))
    return skill, log


class Bayes:
    """Normal distributions with the whole covariance matrix, in lists: every skill, and the worth of every board, is an
    unknown of its own; what lies back is observed with more luck. No cap. Written apart from the product, from the model's description alone."""

    def __init__(self, results: Iterable[Result], model: Model) -> None:
        self.places: dict[str, int] = {}
        self.mean: list[float] = []
        self.covariance: list[list[float]] = []
        log = list(results)
        for result in log:
            old = 2.0 ** ((log[-1].when - result.when) / (30 * model.memory))
            seen: dict[int, float] = {}
            for (players, _), sign in zip(result.sides, (1.0, -1.0), strict=True):
                for player in players:
                    seen[self.place(player, model.skill**2)] = sign
            cards = f"cards {result.board or result.id}"
            seen[self.place(cards, old * model.deal**2 / result.deals)] = 1.0
            (_, first), (_, second) = result.sides
            self.observe(seen, (first - second) / 2 / result.deals, old * model.play**2 / result.deals)

    def place(self, name: str, variance: float) -> int:
        if name not in self.places:
            self.places[name] = len(self.mean)
            self.mean.append(0.0)
            for row in self.covariance:
                row.append(0.0)
            self.covariance.append([0.0] * len(self.mean))
            self.covariance[-1][-1] = variance
        return self.places[name]

    def observe(self, seen: dict[int, float], value: float, noise: float) -> None:
        along = [sum(row[place] * sign for place, sign in seen.items()) for row in self.covariance]
        total = noise + sum(along[place] * sign for place, sign in seen.items())
        off = value - sum(self.mean[place] * sign for place, sign in seen.items())
        for one in range(len(self.mean)):
            self.mean[one] += along[one] / total * off
            for other in range(len(self.mean)):
                self.covariance[one][other] -= along[one] * along[other] / total

    def of(self, *names: str) -> tuple[float, float]:
        """Mean and variance of the sum of these skills."""
        places = [self.places[name] for name in names]
        return (
            sum(self.mean[place] for place in places),
            sum(self.covariance[one][other] for one in places for other in places),
        )


class Field(Bayes):
    """The same where each plays alone: what everybody at a table makes of nothing is an unknown of its own, of which
    nothing is known before. Every score is observed by itself."""

    def __init__(self, results: Iterable[Result], model: Model) -> None:
        self.places = {}
        self.mean = []
        self.covariance = []
        log = list(results)
        for result in log:
            old = 2.0 ** ((log[-1].when - result.when) / (30 * model.memory))
            middle = self.place(f"table {result.id}", 1e7)
            for players, score in result.sides:
                seen = {middle: 1.0} | {self.place(player, model.skill**2): 1.0 for player in players}
                self.observe(seen, score / result.deals, old * model.luck**2 / result.deals)


__all__ = ["TROCCAS", "TROGGU", "Bayes", "Datum", "Field", "pairs", "random_pairs", "random_tables", "table"]
