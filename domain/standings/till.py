"""The till of an evening: fees, prizes, expenses, and what should be in it. All money is in Rappen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from domain.errors import refuse_if
from domain.standings.profile import once

IN: Final = ("fee", "deposit", "income")
OUT: Final = ("refund", "prize", "expense", "payout")
COINS: Final = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 100000)
"""Swiss coins and notes."""


@dataclass(frozen=True, slots=True)
class TillEntry:
    """Money that changed hands. Entries are never changed or deleted: a mistake is cancelled and stays.

    Money comes in as a fee, deposit (put into the till by the club) or income; it goes out as a refund, prize, expense or
    payout (to the club). `amount` is always positive.
    """

    id: str
    kind: str
    amount: int
    who: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TillBalance:
    """The till in numbers: `sums` by kind, the `expected` amount in it, the `counted` one (None if nobody counted), the
    `difference` of the two, and what people still owe (positive) or are owed (negative)."""

    opening: int
    sums: tuple[tuple[str, int], ...]
    expected: int
    counted: int | None
    difference: int | None
    owed: tuple[tuple[str, int], ...]
    prizes_due: tuple[tuple[str, int], ...]


def till_balance(
    opening: int,
    entries: Sequence[TillEntry],
    cancelled: Sequence[str] = (),
    fees: Mapping[str, int] | None = None,
    prizes: Mapping[str, int] | None = None,
    counted: Mapping[int, int] | None = None,
) -> TillBalance:
    """Add up the till.

    `opening` is the amount it began with; `cancelled` the ids of entries that were mistakes and do not count; `fees` the fee
    of each person, `prizes` the prize money of each person; `counted` the number of each coin or note found in it. People
    whose balance is zero are left out of `owed` and `prizes_due`. Raises DomainError, naming the entry.
    """
    _check_entries(entries, cancelled)
    refuse_if(opening < 0, "negative", "opening")
    sums = dict.fromkeys((*IN, *OUT), 0)
    fees_paid: dict[str, int] = defaultdict(int)
    prizes_paid: dict[str, int] = defaultdict(int)
    for entry in entries:
        if entry.id in cancelled:
            continue
        sums[entry.kind] += entry.amount
        if entry.kind == "fee":
            fees_paid[entry.who] += entry.amount
        elif entry.kind == "refund":
            fees_paid[entry.who] -= entry.amount
        elif entry.kind == "prize":
            prizes_paid[entry.who] += entry.amount
    expected = opening + sum(sums[kind] for kind in IN) - sum(sums[kind] for kind in OUT)
    total = None if counted is None else _counted_total(counted)
    return TillBalance(
        opening,
        tuple(sums.items()),
        expected,
        total,
        difference=None if total is None else total - expected,
        owed=_outstanding(fees or {}, fees_paid),
        prizes_due=_outstanding(prizes or {}, prizes_paid),
    )


def _check_entries(entries: Sequence[TillEntry], cancelled: Collection[str]) -> None:
    once("entries", tuple(entry.id for entry in entries))
    for index, entry in enumerate(entries):
        field = f"entries[{index}]"
        refuse_if(entry.kind not in IN + OUT, "not-a-choice", f"{field}.kind", choices=", ".join((*IN, *OUT)))
        refuse_if(entry.amount < 1, "out-of-range", f"{field}.amount", id=entry.id)
        is_personal = entry.kind in ("fee", "refund", "prize")
        refuse_if(is_personal and not entry.who, "missing", f"{field}.who", id=entry.id)
    ids = {entry.id for entry in entries}
    for index, mistake in enumerate(cancelled):
        refuse_if(mistake not in ids, "unknown-id", f"cancelled[{index}]", id=mistake)


def _outstanding(due: Mapping[str, int], paid: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    left = {who: due.get(who, 0) - paid.get(who, 0) for who in sorted({*due, *paid})}
    return tuple((who, amount) for who, amount in left.items() if amount)


def _counted_total(counted: Mapping[int, int]) -> int:
    for coin, number in counted.items():
        refuse_if(coin not in COINS, "no-such-coin", "counted", coin=coin)
        refuse_if(number < 0, "negative", "counted", coin=coin)
    return sum(coin * number for coin, number in counted.items())
