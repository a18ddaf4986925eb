"""Whether ratings find out who plays well: `python benchmarks/ratings.py [--clubs 4] [--deals 30]`; three minutes of the processor.

Simulates clubs of 40 members, of whom half come to each of 24 evenings of 5 rounds of 8 deals, some nearly always and some
seldom, with partners drawn anew for each round, and compares ways to rate them by

* Spearman's correlation of the ratings with the true skill, after 6, 12 and 24 evenings;
* log-loss of the probability given to the winner of each match of the last four evenings, each evening predicted
  from those before it (a coin: 0.693; lower is better; a draw counts half for both).

The worlds: skill and luck normal with free deals, the same with duplicate deals (every table plays the same ones),
tables of three to eight where each plays alone; and real deals of Troccas and Troggu, played by computer players who err
more or less often, out of a stock (`--deals` packs, each played by all sixteen mixtures of good and bad players).
"The truth" knows the skill and the luck. Ours gets the log and nothing else. Exit status 1 if, in the mean over the clubs
of a world, ours predicts no better than a coin or stock OpenSkill, or orders no better than the plain average. Two worlds are
shown again with members who all come equally often, where nothing is left to know better than the average does; there
its order is shown and not judged.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import log, prod, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Protocol, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from openskill.models import PlackettLuce, PlackettLuceRating

from domain.rating.fitting import fit
from domain.rating.rate import Pool, rate
from domain.rating.results import EACH, PARTNERS, Model, Result, datum, gains, others
from domain.rating.skills import first

MEMBERS, EVENINGS, ROUNDS, DEALS = 40, 24, 5, 8
JUDGED = 4  # the last evenings, which are predicted
LOOKS = (6, 12, 24)
WEEK = 7
# Points above the mean of the table. Luck as with computer players in Troccas; skill is assumed.
SKILL, DEALT, PLAYED = 0.5, 7.6, 5.0

Sides: TypeAlias = tuple[tuple[str, ...], ...]
Table: TypeAlias = tuple[Result, ...]  # what one table played in one round: one result, or one for each board
Night: TypeAlias = tuple[Table, ...]
Compare: TypeAlias = Callable[[Result], tuple[float, ...]]


@dataclass(frozen=True)
class Club:
    """A world: its evenings, who is how good, and the probabilities somebody who knows everything would give."""

    nights: tuple[Night, ...]
    skill: dict[str, float]
    truth: Callable[[Table], tuple[float, ...]]

    @cached_property
    def compare(self) -> Compare:
        """What each side made of a result: over the datum where the deals were played elsewhere, else over the mean of
        the table."""
        everything = [result for night in self.nights for table in night for result in table]
        elsewhere = others(everything)
        made = {each.id: gains(each, datum(each, elsewhere.get(each.id, ()))) for each in everything}
        return lambda result: made[result.id]


class Method(Protocol):
    """A way to rate. Gets the evenings one after the other."""

    def learn(self, night: Night) -> None: ...

    def skills(self) -> dict[str, float]: ...

    def chances(self, table: Table) -> tuple[float, ...] | None: ...


def outcome(table: Table, compare: Compare) -> tuple[float, ...]:
    """1 for the winner of the round, shared by equals."""
    gained = [sum(column) for column in zip(*(compare(result) for result in table), strict=True)]
    best = max(gained)
    first = [abs(each - best) < 1e-9 for each in gained]
    return tuple(each / sum(first) for each in first)


# --- the ways to rate -------------------------------------------------------------------------------------------------


class Coin:
    def learn(self, night: Night) -> None: ...

    def skills(self) -> dict[str, float]:
        return {}

    def chances(self, table: Table) -> tuple[float, ...] | None:
        return (1 / len(table[0].sides),) * len(table[0].sides)


class Average:
    """The mean of one's gains per deal; it predicts nothing."""

    def __init__(self, compare: Compare) -> None:
        self.compare = compare
        self.gained: dict[str, float] = defaultdict(float)
        self.deals: dict[str, int] = defaultdict(int)

    def learn(self, night: Night) -> None:
        for table in night:
            for result in table:
                for (players, _), gain in zip(result.sides, self.compare(result), strict=True):
                    for player in players:
                        self.gained[player] += gain * result.deals
                        self.deals[player] += result.deals

    def skills(self) -> dict[str, float]:
        return {player: gain / self.deals[player] for player, gain in self.gained.items()}

    def chances(self, table: Table) -> tuple[float, ...] | None:
        return None


class OpenSkill:
    """Plackett–Luce on who won the round; `beta` times the usual one (1: as it comes)."""

    def __init__(self, compare: Compare, times: float = 1.0) -> None:
        self.compare = compare
        self.rule = PlackettLuce(beta=25 / 6 * times)
        self.ratings: dict[str, PlackettLuceRating] = defaultdict(self.rule.rating)

    def learn(self, night: Night) -> None:
        for table in night:
            gained = [round(sum(column), 9) for column in zip(*(self.compare(each) for each in table), strict=True)]
            teams = [[self.ratings[player] for player in players] for players, _ in table[0].sides]
            after = self.rule.rate(teams, ranks=[float(sum(other > each for other in gained)) for each in gained])
            for (players, _), team in zip(table[0].sides, after, strict=True):
                self.ratings.update(zip(players, team, strict=True))

    def skills(self) -> dict[str, float]:
        return {player: rating.mu for player, rating in self.ratings.items()}

    def chances(self, table: Table) -> tuple[float, ...] | None:
        return tuple(self.rule.predict_win([[self.ratings[one] for one in players] for players, _ in table[0].sides]))


class FittedOpenSkill(OpenSkill):
    """OpenSkill whose `beta` is chosen, every evening, so that it would have predicted the evenings before best."""

    TIMES = (1.0, 3.0, 6.0, 9.0, 13.0)

    def __init__(self, compare: Compare) -> None:
        super().__init__(compare)
        self.tried = [OpenSkill(compare, times) for times in self.TIMES]
        self.losses = [0.0] * len(self.tried)

    def learn(self, night: Night) -> None:
        for place, method in enumerate(self.tried):
            self.losses[place] += sum(loss(method.chances(table), outcome(table, self.compare)) for table in night)
            method.learn(night)
        best = self.tried[self.losses.index(min(self.losses))]
        self.rule, self.ratings = best.rule, best.ratings


class Ours:
    """The site's ratings, from the log and nothing else; the luck is estimated anew every fourth evening."""

    def __init__(self) -> None:
        self.log: list[Result] = []
        self.nights = 0
        self.pool: Pool | None = None
        self.model: tuple[int, Model] | None = None

    def learn(self, night: Night) -> None:
        self.log += [result for table in night for result in table]
        self.nights += 1
        self.pool = None

    def rated(self) -> Pool:
        if self.model is None or self.nights - self.model[0] >= JUDGED:
            self.model = (self.nights, fit(self.log))
        if self.pool is None:
            (self.pool,) = rate(self.log, {self.log[0].ruleset: self.model[1]}).values()
        return self.pool

    def skills(self) -> dict[str, float]:
        return {player: rating.mean for player, rating in self.rated().players.items()}

    def chances(self, table: Table) -> tuple[float, ...] | None:
        deals = sum(result.deals for result in table)
        sides = tuple(players for players, _ in table[0].sides)
        return self.rated().chances(sides, deals, TABLES_ELSEWHERE if table[0].board else 0)


# --- the worlds -------------------------------------------------------------------------------------------------------

TABLES_ELSEWHERE = MEMBERS // 2 // 4 - 1


def draw(luck: Random, sizes: Sequence[int], members: Sequence[str]) -> list[list[str]]:
    """Who sits where in one round: tables of these sizes."""
    here = list(members)
    luck.shuffle(here)
    return [[here.pop() for _ in range(size)] for size in sizes]


def season(
    luck: Random,
    skill: dict[str, float],
    play: Callable[[str, int, list[list[str]]], Night],
    sizes: Callable[[], Sequence[int]],
    *,
    evenly: bool = False,
) -> tuple[Night, ...]:
    """24 evenings; half of the members come to each, some often and some seldom, or `evenly`."""
    keen = {name: 1.0 if evenly else luck.uniform(0.05, 1.0) for name in sorted(skill)}
    nights = []
    for evening in range(EVENINGS):
        wish = {name: luck.random() ** (1 / often) for name, often in keen.items()}
        here = sorted(wish, key=lambda name: -wish[name])[: MEMBERS // 2]
        night: list[Table] = []
        for number in range(ROUNDS):
            night += play(f"e{evening:02}r{number}", evening * WEEK, draw(luck, sizes(), here))
        nights.append(tuple(night))
    return tuple(nights)


def pairs_result(name: str, when: int, deals: int, four: list[str], margin: float, board: str = "") -> Result:
    """`margin`: what the first side made above the mean of the table, in all deals."""
    a, b, c, d = four
    return Result(name, when, "troccas", PARTNERS, deals, (((a, b), round(margin)), ((c, d), -round(margin))), board)


def margin_of(skill: dict[str, float], four: list[str]) -> float:
    a, b, c, d = four
    return skill[a] + skill[b] - skill[c] - skill[d]


def normal_pairs(seed: int, *, duplicate: bool, evenly: bool = False) -> Club:
    """Skill and luck as the model has them."""
    luck = Random(f"pairs {seed}")
    skill = {f"m{number:02}": luck.gauss(0, SKILL) for number in range(MEMBERS)}

    def play(name: str, when: int, tables: list[list[str]]) -> Night:
        worths = [luck.gauss(0, DEALT) for _ in range(DEALS)]
        night = []
        for number, four in enumerate(tables):
            if not duplicate:
                worths = [luck.gauss(0, DEALT) for _ in range(DEALS)]
            made = [margin_of(skill, four) + worth + luck.gauss(0, PLAYED) for worth in worths]
            if duplicate:
                night.append(
                    tuple(
                        pairs_result(f"{name}t{number}d{deal}", when, 1, four, margin, f"{name}d{deal}")
                        for deal, margin in enumerate(made)
                    )
                )
            else:
                night.append((pairs_result(f"{name}t{number}", when, DEALS, four, sum(made)),))
        return tuple(night)

    tables = MEMBERS // 2 // 4
    left = PLAYED**2 * (1 + 1 / (tables - 1)) if duplicate else DEALT**2 + PLAYED**2

    def truth(table: Table) -> tuple[float, ...]:
        four = [player for players, _ in table[0].sides for player in players]
        first = NormalDist().cdf(margin_of(skill, four) / sqrt(left / DEALS))
        return (first, 1 - first)

    return Club(season(luck, skill, play, lambda: (4,) * tables, evenly=evenly), skill, truth)


def normal_tables(seed: int, *, evenly: bool = False) -> Club:
    """Each for themselves at tables of three to eight; luck in points as in Troggu, skill in the same proportion."""
    luck = Random(f"tables {seed}")
    spread, chance = 2.5, 31.0
    skill = {f"m{number:02}": luck.gauss(0, spread) for number in range(MEMBERS)}
    choices = ((8, 8, 4), (4,) * 5, (5,) * 4, (7, 7, 6), (3, 3, 3, 3, 4, 4), (6, 6, 8))

    def play(name: str, when: int, tables: list[list[str]]) -> Night:
        night = []
        for number, people in enumerate(tables):
            made = [DEALS * skill[one] + luck.gauss(0, chance) * sqrt(DEALS) for one in people]
            sides = tuple(((one,), round(score)) for one, score in zip(people, made, strict=True))
            night.append((Result(f"{name}t{number}", when, "troggu", EACH, DEALS, sides),))
        return tuple(night)

    def truth(table: Table) -> tuple[float, ...]:
        return first([skill[one] for (one,), _ in table[0].sides], [chance**2 / DEALS] * len(table[0].sides))

    return Club(season(luck, skill, play, lambda: luck.choice(choices), evenly=evenly), skill, truth)


Mixture: TypeAlias = tuple[bool, ...]
Stock: TypeAlias = list[dict[Mixture, tuple[float, ...]]]
MIXTURES = tuple(product((True, False), repeat=4))
GOOD, BAD = 0.02, 0.6  # how often they play at random


def stock_of_hands(name: str, deals: int) -> Stock:
    """For each pack what the four seats made above the mean of the table, for every mixture of good and bad players."""
    from benchmarks.bots import Chooser, at_random, play_hand, player_of
    from domain.engine import ruleset

    rules, well = ruleset(name, seats=4), player_of("beginner")

    def player(errs: float) -> Chooser:
        return lambda view, luck: (at_random if luck.random() < errs else well)(view, luck)

    good, bad = player(GOOD), player(BAD)
    stock: Stock = []
    for deal in range(deals):
        made = {}
        for mixture in MIXTURES:
            scores = play_hand(rules, deal % 4, f"stock {deal}", tuple(good if each else bad for each in mixture))
            made[mixture] = tuple(score - fmean(scores) for score in scores)
        stock.append(made)
    return stock


def weights(skills: Sequence[float]) -> dict[Mixture, float]:
    """How likely each mixture is at a table of people who play a hand well with these probabilities."""
    return {
        mixture: prod(skill if well else 1 - skill for well, skill in zip(mixture, skills, strict=True))
        for mixture in MIXTURES
    }


def real_tables(seed: int, stock: Stock) -> Club:
    """Real hands of Troggu with four, each for themselves."""
    luck = Random(f"real tables {seed}")
    skill = {f"m{number:02}": luck.random() for number in range(MEMBERS)}

    def play(name: str, when: int, tables: list[list[str]]) -> Night:
        night = []
        for number, four in enumerate(tables):
            total = [0.0] * 4
            for deal in range(DEALS):
                turned = four[deal % 4 :] + four[: deal % 4]  # everybody deals as often
                made = luck.choice(stock)[tuple(luck.random() < skill[one] for one in turned)]
                for one, points in zip(turned, made, strict=True):
                    total[four.index(one)] += points
            sides = tuple(((one,), round(points)) for one, points in zip(four, total, strict=True))
            night.append((Result(f"{name}t{number}", when, "troggu", EACH, DEALS, sides),))
        return tuple(night)

    mean = {mixture: [fmean(made[mixture][seat] for made in stock) for seat in range(4)] for mixture in MIXTURES}
    spread = sqrt(fmean(points**2 for made in stock for row in made.values() for points in row) * 4 / 3)

    def truth(table: Table) -> tuple[float, ...]:
        four = [player for players, _ in table[0].sides for player in players]
        expected = [0.0] * 4
        for turn in range(4):
            turned = four[turn:] + four[:turn]
            for mixture, weight in weights([skill[one] for one in turned]).items():
                for seat in range(4):
                    expected[(turn + seat) % 4] += weight * mean[mixture][seat] / 4
        return first(expected, [spread**2 / DEALS] * 4)

    return Club(season(luck, skill, play, lambda: (4,) * (MEMBERS // 2 // 4)), skill, truth)


def real_deals(seed: int, stock: Stock, *, duplicate: bool) -> Club:
    """Members who play each hand well with a probability of their own, which is their skill."""
    luck = Random(f"real {seed}")
    skill = {f"m{number:02}": luck.random() for number in range(MEMBERS)}

    def play(name: str, when: int, tables: list[list[str]]) -> Night:
        packs = [luck.randrange(len(stock)) for _ in range(DEALS)]
        night = []
        for number, (a, b, c, d) in enumerate(tables):
            four = [a, b, c, d]
            made = []
            for deal in range(DEALS):
                pack = packs[deal] if duplicate else luck.randrange(len(stock))
                turned = not duplicate and deal % 2  # so that the stock favours nobody; where compared, it cannot
                seated = (c, a, d, b) if turned else (a, c, b, d)  # seats 0 and 2 are partners
                margin = stock[pack][tuple(luck.random() < skill[one] for one in seated)][0]
                made.append(-margin if turned else margin)
            if duplicate:
                night.append(
                    tuple(
                        pairs_result(f"{name}t{number}d{deal}", when, 1, four, margin, f"{name}d{deal}")
                        for deal, margin in enumerate(made)
                    )
                )
            else:
                night.append((pairs_result(f"{name}t{number}", when, DEALS, four, sum(made)),))
        return tuple(night)

    mean = {mixture: fmean(made[mixture][0] for made in stock) for mixture in MIXTURES}
    square = {mixture: fmean(made[mixture][0] ** 2 for made in stock) for mixture in MIXTURES}

    def truth(table: Table) -> tuple[float, ...]:
        a, b, c, d = (skill[player] for players, _ in table[0].sides for player in players)
        weight, turned = weights((a, c, b, d)), weights((c, a, d, b))
        middle = sum(weight[each] * mean[each] for each in MIXTURES)
        if duplicate:
            spread = fmean(
                sum(weight[each] * made[each][0] ** 2 for each in MIXTURES)
                - sum(weight[each] * made[each][0] for each in MIXTURES) ** 2
                for made in stock
            ) * (1 + 1 / TABLES_ELSEWHERE)
        else:
            spread = sum((weight[each] + turned[each]) / 2 * square[each] for each in MIXTURES)
            middle = (middle - sum(turned[each] * mean[each] for each in MIXTURES)) / 2
            spread -= middle**2
        first = NormalDist().cdf((middle - of_the_seat) / sqrt(spread / DEALS))
        return (first, 1 - first)

    # Where a board is compared, the advantage of the seat falls away; free deals keep it, but who sits where is drawn.
    of_the_seat = fmean(mean.values()) if duplicate else 0.0
    return Club(season(luck, skill, play, lambda: (4,) * (MEMBERS // 2 // 4)), skill, truth)


# --- the judging ------------------------------------------------------------------------------------------------------


def loss(chances: Sequence[float] | None, won: Sequence[float]) -> float:
    assert chances is not None
    return -sum(each * log(max(chance, 1e-12)) for chance, each in zip(chances, won, strict=True) if each)


def spearman(found: dict[str, float], skill: dict[str, float]) -> float:
    """Correlation of the ranks, among those who came at least once."""
    names = sorted(found)
    a, b = ranks([found[name] for name in names]), ranks([skill[name] for name in names])
    middle = fmean(a)
    both = sum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    return both / sqrt(sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b))


def ranks(values: Sequence[float]) -> list[float]:
    return [sum(other < value for other in values) + sum(other == value for other in values) / 2 for value in values]


@dataclass
class Judged:
    """Of one way: correlation after each look, and log-loss (None: predicts nothing)."""

    order: tuple[float, ...] | None
    loss: float | None


def judge(club: Club, method: Method) -> Judged:
    compare = club.compare
    order: list[float] = []
    losses: list[float] = []
    for number, night in enumerate(club.nights, 1):
        if number > EVENINGS - JUDGED:
            for table in night:
                chances = method.chances(table)
                if chances is not None:
                    losses.append(loss(chances, outcome(table, compare)))
        method.learn(night)
        if number in LOOKS and method.skills():
            order.append(spearman(method.skills(), club.skill))
    return Judged(tuple(order) or None, fmean(losses) if losses else None)


def judge_truth(club: Club) -> Judged:
    compare = club.compare
    tables = [table for night in club.nights[-JUDGED:] for table in night]
    return Judged(None, fmean(loss(club.truth(table), outcome(table, compare)) for table in tables))


def show(title: str, clubs: Sequence[Club], *, order_counts: bool = True) -> bool:
    """Print the table of one world; whether ours is as good as is asked."""
    begun = time.perf_counter()
    ways: dict[str, Callable[[Club], Judged]] = {
        "a coin": lambda club: judge(club, Coin()),
        "plain average": lambda club: judge(club, Average(club.compare)),
        "OpenSkill as it comes": lambda club: judge(club, OpenSkill(club.compare)),
        "OpenSkill, beta chosen": lambda club: judge(club, FittedOpenSkill(club.compare)),
        "ours": lambda club: judge(club, Ours()),
    }
    ways["the truth"] = judge_truth
    found = {name: [way(club) for club in clubs] for name, way in ways.items()}
    print(f"\n{title}: {len(clubs)} clubs")
    print(f"{'':26}" + "".join(f"{f'{look} ev.':>8}" for look in LOOKS) + f"{'log-loss':>10}")
    order: dict[str, float] = {}
    losses: dict[str, float] = {}
    for name, judged in found.items():
        line = f"{name:26}"
        orders = [each.order for each in judged if each.order]
        for place in range(len(LOOKS)):
            line += f"{fmean(each[place] for each in orders):8.2f}" if orders else f"{'':8}"
        if orders:
            order[name] = fmean(each[-1] for each in orders)
        told = [each.loss for each in judged if each.loss is not None]
        if told:
            losses[name] = fmean(told)
            line += f"{losses[name]:10.3f}"
        print(line)
    good = (
        (order["ours"] > order["plain average"] or not order_counts)
        and losses["ours"] < losses["a coin"]
        and losses["ours"] < losses["OpenSkill as it comes"]
    )
    apart = [
        ours.order[-1] - other.order[-1]
        for ours, other in zip(found["ours"], found["plain average"], strict=True)
        if ours.order and other.order
    ]
    if len(apart) > 1:
        unsure = stdev(apart) / sqrt(len(apart))
        print(f"ours orders better than the plain average by {fmean(apart):+.3f} ± {unsure:.3f} (one standard error)")
    print(f"{'as asked' if good else 'NOT AS ASKED'}, {time.perf_counter() - begun:.0f} s", flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clubs", type=int, default=4)
    parser.add_argument("--deals", type=int, default=30, help="packs of real deals; 0: none")
    given = parser.parse_args()
    seeds, many = range(given.clubs), range(6 * given.clubs)  # free deals differ most, and are quickly rated
    good = [
        show("Free deals", [normal_pairs(seed, duplicate=False) for seed in many]),
        show("Duplicate deals", [normal_pairs(seed, duplicate=True) for seed in seeds]),
        show("Each alone, tables of 3 to 8", [normal_tables(seed) for seed in many]),
    ]
    if given.deals:
        begun = time.perf_counter()
        troccas, troggu = stock_of_hands("troccas", given.deals), stock_of_hands("troggu", given.deals)
        print(f"\n{32 * given.deals} hands played in {time.perf_counter() - begun:.0f} s")
        good += [
            show("Real Troccas, free deals", [real_deals(seed, troccas, duplicate=False) for seed in many]),
            show("Real Troccas, duplicate", [real_deals(seed, troccas, duplicate=True) for seed in seeds]),
            show("Real Troggu, each alone", [real_tables(seed, troggu) for seed in many]),
        ]
    good += [
        show(
            "Free deals, all come equally often",
            [normal_pairs(seed, duplicate=False, evenly=True) for seed in many],
            order_counts=False,
        ),
        show(
            "Each alone, tables of 3 to 8, all come equally often",
            [normal_tables(seed, evenly=True) for seed in many],
            order_counts=False,
        ),
    ]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
