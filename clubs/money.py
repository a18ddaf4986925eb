"""Money as the Swiss write it: Rappen in the program, "CHF 10.50" and "10.–" for people."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from domain.tournament.directing import MOST_MONEY

SMALLEST_COIN: Final = 5
"""There is no coin below five Rappen."""
_WRITTEN: Final = re.compile(r"(?:CHF|Fr\.?)?\s*(\d{1,7})(?:[.,](\d{1,2}|-|–|—)?)?(?:\s*(?:CHF|Fr\.?))?", re.IGNORECASE)


def money_text(rappen: int) -> str:
    """An amount with its currency: "CHF 10.00", "CHF −2.50"."""
    return f"CHF {short_money(rappen) if rappen % 100 else _whole_francs(rappen) + '.00'}"


def short_money(rappen: int) -> str:
    """An amount without its currency, for narrow places: "10.–", "2.50"."""
    return f"{_whole_francs(rappen)}.–" if rappen % 100 == 0 else f"{_whole_francs(rappen)}.{abs(rappen) % 100:02}"


def read_money(text: str) -> int:
    """A written amount ("10", "10.50", "10.–", "CHF 10.-", "1'000") in Rappen.

    Raises ValueError if it is not an amount, above `MOST_MONEY`, or not a multiple of the smallest coin.
    """
    match = _WRITTEN.fullmatch(text.strip().replace("'", "").replace("’", ""))
    if match is None:
        raise ValueError(text)
    francs, rest = match[1], match[2] or "00"
    amount = 100 * int(francs) + (int(rest.ljust(2, "0")) if rest.isdecimal() else 0)
    if amount % SMALLEST_COIN or amount > MOST_MONEY:
        raise ValueError(text)
    return amount


def money_field(rappen: int) -> str:
    """The initial value of a `MoneyField`: "10" or "10.50"."""
    return f"{rappen // 100}.{rappen % 100:02}" if rappen % 100 else str(rappen // 100)


def _whole_francs(rappen: int) -> str:
    francs = f"{abs(rappen) // 100:,}".replace(",", "’")
    return f"−{francs}" if rappen < 0 else francs


class MoneyField(forms.Field):
    """An amount in francs; its value is in Rappen, 0 for an empty field."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "maxlength": 20})

    def to_python(self, value: Any) -> int:
        """The amount in Rappen. Raises ValidationError."""
        text = str(value or "").strip()
        try:
            return read_money(text) if text else 0
        except ValueError:
            raise ValidationError(
                _("Write an amount in francs, such as 10 or 12.50. The smallest coin is five Rappen.")
            ) from None

    def validate(self, value: Any) -> None:
        """Accept any amount that could be read, including 0."""
