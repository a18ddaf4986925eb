"""Prizes: which contender gets which prize, and how money is shared among tied contenders. All money is in Rappen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from domain.errors import refuse_if
from domain.standings.criteria import equal_shares, proportional_shares
from domain.standings.profile import once

BY_RANK: Final = "by-rank"
EQUAL: Final = "equal"
HORT: Final = "hort"
TIES: Final = (BY_RANK, EQUAL, HORT)
FIRST: Final = "first"
TILL: Final = "till"


@dataclass(frozen=True, slots=True)
class Contender:
    """An entry of the ranking of a category: a player, or a pair with its `people`.

    `rank` is the place in the final ranking, `score` the value of the first criterion, by which ties are found.
    """

    id: str
    rank: int
    score: int
    people: tuple[str, ...] = ()

    @property
    def persons(self) -> tuple[str, ...]:
        """The people who receive a prize that is won here."""
        return self.people or (self.id,)


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize of a category: the first prize listed for a category goes to the first of its ranking, and so on.

    `amount` is money, `thing` a prize in kind (a ham), which is never divided; `worth` is its value when prizes of
    several categories are compared. `last` prizes are given from the end of the ranking, the first one listed to the last.
    """

    code: str
    category: str
    amount: int = 0
    thing: str = ""
    worth: int = 0
    last: bool = False


@dataclass(frozen=True, slots=True)
class PrizeRules:
    """`one_each`: nobody gets two prizes; people get the most valuable one they can have, and the next in line moves up.

    `ties`: ``by-rank`` shares only among contenders of the same rank; ``equal`` shares among all tied on the score;
    ``hort`` gives half of each prize by rank and shares the other half among those tied on the score. `unit` is the
    smallest coin, in Rappen. A remainder that cannot be shared goes to the first by rank (`rest` ``first``) or stays in
    the ``till``.
    """

    one_each: bool = True
    ties: str = BY_RANK
    unit: int = 5
    rest: str = FIRST

    def __post_init__(self) -> None:
        refuse_if(self.ties not in TIES, "not-a-choice", "ties", choices=", ".join(TIES))
        refuse_if(self.rest not in (FIRST, TILL), "not-a-choice", "rest", choices=f"{FIRST}, {TILL}")
        refuse_if(self.unit < 1, "out-of-range", "unit", low=1, high=1000)


@dataclass(frozen=True, slots=True)
class Award:
    """What one contender gets: the prizes won by rank (`codes`), the money after sharing, and prizes in kind.

    `shared_with` are the other contenders with whom the money was shared. A contender who only shares has no codes.
    """

    category: str
    id: str
    codes: tuple[str, ...]
    amount: int
    things: tuple[str, ...]
    shared_with: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Awards:
    """All awards: `given` in order of category and rank, `kept` the money that stays in the till because nobody was entitled
    to it or it could not be shared, and the codes that nobody won. `given` and `kept` add up to all prize money."""

    given: tuple[Award, ...]
    kept: int
    nobody: tuple[str, ...]


def fund(amount: int, weights: Sequence[int], unit: int = 5) -> tuple[tuple[int, ...], int]:
    """A sum (of fees, for example) divided into prizes by weight, in multiples of `unit`, and the remainder.

    Raises DomainError unless the weights are positive and the amount is not negative.
    """
    refuse_if(amount < 0, "negative", "amount")
    refuse_if(not weights or min(weights) < 1, "out-of-range", "weights", low=1, high=1_000_000)
    refuse_if(unit < 1, "out-of-range", "unit", low=1, high=1000)
    return proportional_shares(amount, weights, unit)


def award(prizes: Sequence[Prize], lists: Mapping[str, Sequence[Contender]], rules: PrizeRules) -> Awards:
    """Award the prizes. `lists` has the final ranking of every category (all, juniors, pairs). Raises DomainError.

    Each category gives its prizes in the order listed; among the next prizes of all categories the most valuable (money and
    worth) is given first, among equal ones the one listed first. It goes to the best of its category (from the end for
    `last`) who can still have it. Among contenders of the same rank, the one listed first is first in line, so draw lots for
    prizes in kind beforehand. Then the money of tied contenders is pooled and shared within the category; under `one_each`
    a contender with a prize of another category takes no part in that.
    """
    _check(prizes, lists)
    winners = _winners(prizes, lists, rules.one_each)
    taken: dict[str, set[str]] = defaultdict(set)
    for prize, winner in winners.items():
        for person in winner.persons:
            taken[person].add(prize.category)
    given: list[Award] = []
    kept = sum(prize.amount for prize in prizes if prize not in winners)
    for category, contenders in lists.items():
        for last in (False, True):
            won = {prize: who for prize, who in winners.items() if prize.category == category and prize.last == last}
            blocked = {
                each.id
                for each in contenders
                if rules.one_each and each not in won.values() and any(taken[person] for person in each.persons)
            }
            in_line = [each for each in _line(contenders, last) if each.id not in blocked]
            shares, rest = _shared(in_line, won, rules)
            given += [share for each in shares if (share := _named(each, category, won))]
            kept += rest
    nobody = tuple(prize.code for prize in prizes if prize not in winners)
    return Awards(tuple(given), kept, nobody)


_Share = tuple[Contender, int, tuple[str, ...]]


def _named(share: _Share, category: str, won: Mapping[Prize, Contender]) -> Award | None:
    who, amount, others = share
    own = [prize for prize, winner in won.items() if winner == who]
    if not own and not amount:
        return None
    things = tuple(prize.thing for prize in own if prize.thing)
    return Award(category, who.id, tuple(prize.code for prize in own), amount, things, others)


def _winners(
    prizes: Sequence[Prize], lists: Mapping[str, Sequence[Contender]], one_each: bool
) -> dict[Prize, Contender]:
    """The winner of each prize by rank alone, before sharing."""
    winners: dict[Prize, Contender] = {}
    have: set[str] = set()
    had: dict[tuple[str, bool], set[str]] = defaultdict(set)
    waiting: dict[tuple[str, bool], list[Prize]] = defaultdict(list)
    for prize in prizes:
        waiting[prize.category, prize.last].append(prize)
    while any(waiting.values()):
        key = max(
            (key for key in waiting if waiting[key]), key=lambda key: waiting[key][0].amount + waiting[key][0].worth
        )
        prize = waiting[key].pop(0)
        for who in _line(lists[prize.category], prize.last):
            if who.id in had[key] or (one_each and have & set(who.persons)):
                continue
            winners[prize] = who
            have |= set(who.persons)
            had[key].add(who.id)
            break
    return winners


def _line(contenders: Sequence[Contender], last: bool) -> list[Contender]:
    return sorted(contenders, key=lambda each: -each.rank if last else each.rank)


def _shared(
    in_line: Sequence[Contender], won: Mapping[Prize, Contender], rules: PrizeRules
) -> tuple[list[_Share], int]:
    own = {who.id: sum(prize.amount for prize, winner in won.items() if winner == who) for who in in_line}
    groups: dict[int, list[Contender]] = defaultdict(list)
    for who in in_line:
        groups[who.rank if rules.ties == BY_RANK else who.score].append(who)
    shares: list[_Share] = []
    kept = 0
    for group in groups.values():
        pool = sum(own[who.id] for who in group)
        if len(group) == 1 or not pool:
            shares += [(who, own[who.id], ()) for who in group]
            continue
        fixed = [own[who.id] // 2 // rules.unit * rules.unit if rules.ties == HORT else 0 for who in group]
        parts, rest = equal_shares(pool - sum(fixed), len(group), rules.unit)
        amounts = [half + part for half, part in zip(fixed, parts, strict=True)]
        if rules.rest == TILL:
            even = min(parts)
            amounts = [half + even for half in fixed]
            kept += pool - sum(amounts)
        else:
            amounts[0] += rest
        names = [who.id for who in group]
        for who, amount in zip(group, amounts, strict=True):
            shares.append((who, amount, tuple(name for name in names if name != who.id)))
    return shares, kept


def _check(prizes: Sequence[Prize], lists: Mapping[str, Sequence[Contender]]) -> None:
    once("prizes", tuple(each.code for each in prizes))
    for place, prize in enumerate(prizes):
        refuse_if(prize.category not in lists, "unknown-category", f"prizes[{place}].category", category=prize.category)
        refuse_if(prize.amount < 0 or prize.worth < 0, "negative", f"prizes[{place}]", prize=prize.code)
        refuse_if(not prize.amount and not prize.thing, "empty", f"prizes[{place}]", prize=prize.code)
    for category, contenders in lists.items():
        once(f"lists[{category}]", tuple(each.id for each in contenders))
        refuse_if(any(each.rank < 1 for each in contenders), "not-ranked", f"lists[{category}]")
