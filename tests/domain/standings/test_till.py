"""The till of an evening."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from domain.errors import DomainError
from domain.standings.till import COINS, TillEntry, till_balance


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: till_balance(-1, ()), "negative"),
        (lambda: till_balance(0, (TillEntry("1", "gift", 5),)), "not-a-choice"),
        (lambda: till_balance(0, (TillEntry("1", "fee", 0, "ada"),)), "out-of-range"),
        (lambda: till_balance(0, (TillEntry("1", "fee", 5),)), "missing"),
        (lambda: till_balance(0, (TillEntry("1", "income", 5), TillEntry("1", "income", 5))), "twice"),
        (lambda: till_balance(0, (), ("1",)), "unknown-id"),
        (lambda: till_balance(0, (), counted={7: 1}), "no-such-coin"),
        (lambda: till_balance(0, (), counted={5: -1}), "negative"),
    ],
)
def test_an_entry_that_makes_no_sense_is_refused(make, code):
    with pytest.raises(DomainError) as refused:
        make()
    assert refused.value.code == code


def test_the_till_of_an_evening():
    entries = (
        TillEntry("1", "fee", 2000, "ada"),
        TillEntry("2", "fee", 2000, "leo"),
        TillEntry("3", "fee", 2000, "leo", "twice by mistake"),
        TillEntry("4", "fee", 1500, "mia"),
        TillEntry("5", "fee", 2000, "noe"),
        TillEntry("6", "refund", 2000, "noe"),
        TillEntry("7", "expense", 1205, note="Cards"),
        TillEntry("8", "prize", 3000, "ada"),
        TillEntry("9", "deposit", 5000),
    )
    found = till_balance(
        10000,
        entries,
        ("3",),
        {"ada": 2000, "leo": 2000, "mia": 2000},
        {"ada": 3000, "leo": 1500},
        {10000: 1, 1000: 6, 200: 1, 50: 1, 20: 2, 5: 0},
    )
    assert found.expected == 10000 + 2000 + 2000 + 1500 + 2000 - 2000 - 1205 - 3000 + 5000
    assert (found.counted, found.difference) == (16290, -5)
    assert (found.owed, found.prizes_due) == ((("mia", 500),), (("leo", 1500),))
    assert dict(found.sums)["fee"] == 7500
    assert till_balance(0, ()).counted is None


@given(
    some.lists(
        some.tuples(
            some.sampled_from(("fee", "deposit", "income", "refund", "prize", "expense", "payout")),
            some.integers(1, 10**5),
        )
    )
)
def test_the_till_balances(moves):
    entries = [TillEntry(str(place), kind, amount, "ada") for place, (kind, amount) in enumerate(moves)]
    found = till_balance(0, entries, counted=dict.fromkeys(COINS, 1))
    assert found.expected == sum(amount if kind in ("fee", "deposit", "income") else -amount for kind, amount in moves)
    assert found.difference == sum(COINS) - found.expected
