"""Prizes: who gets which, one for each person if the club wants it so, money shared among equals to the Rappen.

Money is in Rappen throughout.

The treasurer's books of an evening: fees, prizes and what is in the till, in Rappen.
"""

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
    """Somebody in the list of a category: a player, or a pair with its `people`.

    `rank` in the final list, and the `score` they are tied on: the value of the first criterion.
    """

    id: str
    rank: int
    score: int
    people: tuple[str, ...] = ()

    @property
    def persons(self) -> tuple[str, ...]:
        """Whom a prize given here goes to."""
        return self.people or (self.id,)


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize of a category: the first of a category in the list goes to its first, and so on.

    `amount` in money, `thing` in words (a ham); a thing is never divided, `worth` says what it is worth where prizes of
    several categories are compared. `last` prizes go from the end of the list: the first one named to the very last.
    """

    code: str
    category: str
    amount: int = 0
    thing: str = ""
    worth: int = 0
    last: bool = False


@dataclass(frozen=True, slots=True)
class PrizeRules:
    """`one_each`: nobody gets two prizes; the next one moves up, and people get the dearest they can have.

    `ties`: ``by-rank`` shares only among those who share a rank; ``equal`` shares among all tied on the score;
    ``hort`` gives half of each prize by rank and shares the other half among those tied on the score. `unit` is the
    smallest coin: 5 Rappen. What does not go round goes to the first by rank (`rest` ``first``) or stays in the ``till``.
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
    """What one contender gets: the prizes their place earned (`codes`), money after sharing, things.

    `shared_with` are the others the money was shared with; who only shares has no code of their own.
    """

    category: str
    id: str
    codes: tuple[str, ...]
    amount: int
    things: tuple[str, ...]
    shared_with: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Awards:
    """All prizes given: `given` in order of category and rank, `kept` money that stays in the till because nobody was
    entitled or it did not go round, and the codes nobody got. Given and kept add up to all prizes."""

    given: tuple[Award, ...]
    kept: int
    nobody: tuple[str, ...]


def fund(amount: int, weights: Sequence[int], unit: int = 5) -> tuple[tuple[int, ...], int]:
    """A sum (the fees, say) made into prizes by weight, in coins of `unit`, and what is left over.

    Raises DomainError unless the weights are positive and the amount is not negative.
    """
    refuse_if(amount < 0, "negative", "amount")
    refuse_if(not weights or min(weights) < 1, "out-of-range", "weights", low=1, high=1_000_000)
    refuse_if(unit < 1, "out-of-range", "unit", low=1, high=1000)
    return proportional_shares(amount, weights, unit)


def award(prizes: Sequence[Prize], lists: Mapping[str, Sequence[Contender]], rules: PrizeRules) -> Awards:
    """Gives the prizes. `lists` has the final list of every category (all, juniors, pairs).

    Each category gives its prizes in the order named; of the next ones of all categories the dearest (money and worth)
    goes first, of equal ones that named first. It goes to the best of its category (from the end for `last`) who can
    still have it. Of contenders who share a rank, that named first in the list is first in line:
    for things, draw the lot before. Then the money of those tied is put together and shared, within one category;
    who has a prize of another category under `one_each` takes no part.
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


IN: Final = ("fee", "deposit", "income")
OUT: Final = ("refund", "prize", "expense", "payout")
COINS: Final = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 100000)
"""Swiss coins and notes, in Rappen."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Money that changed hands. Never changed or deleted: a mistake is named among the cancelled ones and stays.

    `kind` fee, deposit (into the till by the club) and income come in; refund, prize, expense and payout (to the club)
    go out. `amount` is always positive.
    """

    id: str
    kind: str
    amount: int
    who: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Books:
    """The till in numbers: `sums` by kind, what should be in it (`expected`), what is (`counted`, None if nobody
    counted), the `difference` of these, and what people still owe (positive) or are owed (negative)."""

    opening: int
    sums: tuple[tuple[str, int], ...]
    expected: int
    counted: int | None
    difference: int | None
    owed: tuple[tuple[str, int], ...]
    prizes_due: tuple[tuple[str, int], ...]


def books(
    opening: int,
    entries: Sequence[Entry],
    cancelled: Sequence[str] = (),
    fees: Mapping[str, int] | None = None,
    prizes: Mapping[str, int] | None = None,
    counted: Mapping[int, int] | None = None,
) -> Books:
    """Adds up a till.

    `opening` is what was in it before; `cancelled` ids of entries that were mistakes and count for nothing; `fees` what
    each is to pay; `prizes` what each is to get; `counted` how many of each coin or note lie there now. Who has nothing
    open is left out of `owed` and `prizes_due`. Raises DomainError, naming the entry.
    """
    once("entries", tuple(each.id for each in entries))
    known = {each.id for each in entries}
    for place, mistake in enumerate(cancelled):
        refuse_if(mistake not in known, "unknown-id", f"cancelled[{place}]", id=mistake)
    refuse_if(opening < 0, "negative", "opening")
    sums = dict.fromkeys((*IN, *OUT), 0)
    paid: dict[str, int] = defaultdict(int)
    handed: dict[str, int] = defaultdict(int)
    for place, entry in enumerate(entries):
        field = f"entries[{place}]"
        refuse_if(entry.kind not in IN + OUT, "not-a-choice", f"{field}.kind", choices=", ".join((*IN, *OUT)))
        refuse_if(entry.amount < 1, "out-of-range", f"{field}.amount", id=entry.id)
        named = entry.who or entry.kind not in ("fee", "refund", "prize")
        refuse_if(not named, "missing", f"{field}.who", id=entry.id)
        if entry.id in cancelled:
            continue
        sums[entry.kind] += entry.amount
        paid[entry.who] += {"fee": entry.amount, "refund": -entry.amount}.get(entry.kind, 0)
        handed[entry.who] += entry.amount if entry.kind == "prize" else 0
    expected = opening + sum(sums[kind] for kind in IN) - sum(sums[kind] for kind in OUT)
    found = None if counted is None else _count(counted)
    difference = None if found is None else found - expected
    owed, prizes_due = _open(fees or {}, paid), _open(prizes or {}, handed)
    return Books(opening, tuple(sums.items()), expected, found, difference, owed, prizes_due)


def _open(due: Mapping[str, int], done: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    left = {who: due.get(who, 0) - done.get(who, 0) for who in sorted({*due, *done})}
    return tuple((who, amount) for who, amount in left.items() if amount)


def _count(counted: Mapping[int, int]) -> int:
    for coin, number in counted.items():
        refuse_if(coin not in COINS, "no-such-coin", "counted", coin=coin)
        refuse_if(number < 0, "negative", "counted", coin=coin)
    return sum(coin * number for coin, number in counted.items())
