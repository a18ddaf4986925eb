"""The treasurer's books of an evening: fees, prizes and what is in the till, in Rappen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from clubs.standings.profile import once
from clubs.standings.refused import StandingsRefused

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
    open is left out of `owed` and `prizes_due`. Raises StandingsRefused, naming the entry.
    """
    once("entries", tuple(each.id for each in entries))
    known = {each.id for each in entries}
    for place, mistake in enumerate(cancelled):
        if mistake not in known:
            raise StandingsRefused("unknown-id", f"cancelled[{place}]", id=mistake)
    if opening < 0:
        raise StandingsRefused("negative", "opening")
    sums = dict.fromkeys((*IN, *OUT), 0)
    paid: dict[str, int] = defaultdict(int)
    handed: dict[str, int] = defaultdict(int)
    for place, entry in enumerate(entries):
        _check(entry, f"entries[{place}]")
        if entry.id in cancelled:
            continue
        sums[entry.kind] += entry.amount
        paid[entry.who] += {"fee": entry.amount, "refund": -entry.amount}.get(entry.kind, 0)
        handed[entry.who] += entry.amount if entry.kind == "prize" else 0
    expected = opening + sum(sums[kind] for kind in IN) - sum(sums[kind] for kind in OUT)
    found = None if counted is None else _count(counted)
    return Books(
        opening,
        tuple(sums.items()),
        expected,
        found,
        None if found is None else found - expected,
        _open(fees or {}, paid),
        _open(prizes or {}, handed),
    )


def _open(due: Mapping[str, int], done: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    left = {who: due.get(who, 0) - done.get(who, 0) for who in sorted({*due, *done})}
    return tuple((who, amount) for who, amount in left.items() if amount)


def _count(counted: Mapping[int, int]) -> int:
    for coin, number in counted.items():
        if coin not in COINS:
            raise StandingsRefused("no-such-coin", "counted", coin=coin)
        if number < 0:
            raise StandingsRefused("negative", "counted", coin=coin)
    return sum(coin * number for coin, number in counted.items())


def _check(entry: Entry, field: str) -> None:
    if entry.kind not in IN + OUT:
        raise StandingsRefused("not-a-choice", f"{field}.kind", choices=", ".join((*IN, *OUT)))
    if entry.amount < 1:
        raise StandingsRefused("out-of-range", f"{field}.amount", id=entry.id)
    if entry.kind in ("fee", "refund", "prize") and not entry.who:
        raise StandingsRefused("missing", f"{field}.who", id=entry.id)
