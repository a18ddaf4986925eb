"""Division of whole numbers: rounding that favours nobody, and shares that add up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def rounded(value: Fraction) -> int:
    """The nearest whole number; halves go away from zero, so that what one side gains the other loses."""
    doubled = 2 * abs(value.numerator)
    size = (doubled + value.denominator) // (2 * value.denominator)
    return size if value >= 0 else -size


def mean(values: Sequence[int]) -> int:
    """The average of at least one number, rounded."""
    return rounded(Fraction(sum(values), len(values)))


def equal_shares(amount: int, count: int, unit: int) -> tuple[tuple[int, ...], int]:
    """`amount` divided among `count`, each share a multiple of `unit`, and what is left over (less than one unit).

    Units that do not go round go one each to the first ones: 100 among three in units of 5 is 35, 35, 30.
    """
    units, left = divmod(amount, unit)
    each, more = divmod(units, count)
    return tuple((each + (place < more)) * unit for place in range(count)), left


def proportional_shares(amount: int, weights: Sequence[int], unit: int) -> tuple[tuple[int, ...], int]:
    """`amount` divided by weight in multiples of `unit`, and what is left over.

    Largest remainder first, earlier ones first among equals.
    """
    units, left = divmod(amount, unit)
    whole = sum(weights)
    shares = [units * weight // whole for weight in weights]
    rest = [units * weight % whole for weight in weights]
    for place in sorted(range(len(weights)), key=lambda each: (-rest[each], each))[: units - sum(shares)]:
        shares[place] += 1
    return tuple(share * unit for share in shares), left
