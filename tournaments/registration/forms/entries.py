"""The smaller forms of planning: the dry run, categories, one entrant, the till."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.names import LineField, clean_line
from core.forms import Form
from domain.standings.prizes import COINS
from domain.tournament.payload import Plain
from domain.tournament.registering import MOST_GROUPS
from domain.tournament.state import Entrant
from tournaments import money
from tournaments.registration.forms.plan import MoneyField


class OutlookForm(Form):
    """What a dry run is made for: several numbers side by side, and how long things take."""

    numbers = forms.CharField(
        label=_("How many come"),
        max_length=60,
        help_text=_("Up to five numbers, as 22, 23, 24; for pairs, how many pairs."),
    )
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=20)
    deals = forms.IntegerField(label=_("Deals in a round"), min_value=1, max_value=100)
    minutes_per_deal = forms.IntegerField(label=_("Minutes for a deal"), min_value=1, max_value=120)
    between = forms.IntegerField(label=_("Minutes between rounds"), min_value=0, max_value=240)
    start = forms.TimeField(label=_("Begins at"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))

    MOST_NUMBERS: Final = 5
    MOST_ENTRANTS: Final = 400

    def clean_numbers(self) -> list[int]:
        """The numbers, each once, in order."""
        parts = self.cleaned_data["numbers"].replace(",", " ").replace(";", " ").split()
        if not parts or not all(part.isdecimal() and 2 <= int(part) <= self.MOST_ENTRANTS for part in parts):
            raise ValidationError(
                _("Write numbers from 2 to %(most)s, with commas between them.") % {"most": self.MOST_ENTRANTS}
            )
        numbers = sorted({int(part) for part in parts})
        if len(numbers) > self.MOST_NUMBERS:
            raise ValidationError(
                ngettext("At most %(most)s number at once.", "At most %(most)s numbers at once.", self.MOST_NUMBERS)
                % {"most": self.MOST_NUMBERS}
            )
        return numbers


class CategoryForm(Form):
    """A category for everybody of certain birth years."""

    category = LineField(
        label=_("Category"), max_length=40, help_text=_("Your own word, as “Juniors”; prizes can be given by it.")
    )
    born_from = forms.IntegerField(label=_("Born in or after"), required=False, min_value=1900, max_value=2100)
    born_until = forms.IntegerField(label=_("Born in or before"), required=False, min_value=1900, max_value=2100)

    def fits(self, years: list[int | None]) -> bool:
        """Whether all persons of an entrant were born in these years; of whom nobody knows it, not. Only for a valid form."""
        low, high = self.cleaned_data["born_from"], self.cleaned_data["born_until"]
        if low is None and high is None:
            return True
        return bool(years) and all(
            year is not None and (low is None or year >= low) and (high is None or year <= high) for year in years
        )


class EntrantForm(Form):
    """What is different for one entrant."""

    fee = MoneyField(label=_("Fee"), required=False, help_text=_("In francs; 0: free. For a pair, of both together."))
    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=0,
        max_value=2000,
        help_text=_("1 for the strongest; 0 for none. Knock-outs and the first Swiss round use it."),
    )
    categories = forms.CharField(
        label=_("Categories"), required=False, max_length=200, help_text=_("With commas between them.")
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, entrant: Entrant) -> None:
        initial = {
            "fee": money.field(entrant.fee),
            "seed": entrant.seed,
            "categories": ", ".join(entrant.categories),
        }
        super().__init__(data, initial=initial)

    def clean_categories(self) -> list[str]:
        """The single categories, each once."""
        names = [clean_line(part) for part in self.cleaned_data["categories"].split(",")]
        found = list(dict.fromkeys(name for name in names if name))
        if len(found) > MOST_GROUPS or any(len(name) > 40 for name in found):
            raise ValidationError(_("At most ten categories, of 40 characters each."))
        return found

    def changes(self) -> dict[str, Plain]:
        """What the event says. Only for a valid form."""
        data = self.cleaned_data
        return {"fee": data["fee"], "seed": data["seed"] or 0, "categories": list(data["categories"])}


class TillForm(Form):
    """Money that changed hands without being a fee of somebody in the list."""

    kind = forms.ChoiceField(
        label=_("What it is"),
        choices=[
            ("expense", _("expense: rent, food, cards")),
            ("income", _("income: sold, donated")),
            ("deposit", _("from the club’s purse into the till")),
            ("payout", _("from the till to the club’s purse")),
        ],
        widget=forms.RadioSelect,
    )
    amount = MoneyField(label=_("Amount in francs"))
    note = LineField(
        label=_("What for"),
        required=False,
        max_length=200,
        help_text=_("So that the treasurer knows it next year."),
    )

    def clean_amount(self) -> int:
        """Something."""
        amount = int(self.cleaned_data["amount"])
        if amount < 1:
            raise ValidationError(_("Write how much."))
        return amount


class CountForm(Form):
    """How many of each coin and note lie in the till, and what lay in it at first."""

    opening = MoneyField(label=_("In the till before the evening"), required=False, help_text=_("In francs."))

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, opening: int, counted: Mapping[int, int] | None
    ) -> None:
        initial: dict[str, Any] = {"opening": money.field(opening)}
        initial |= {f"coin_{coin}": number for coin, number in (counted or {}).items()}
        super().__init__(data, initial=initial)
        for coin in COINS:
            self.fields[f"coin_{coin}"] = forms.IntegerField(
                label=money.money_text(coin) if coin < 100 else f"CHF {coin // 100}",
                required=False,
                min_value=0,
                max_value=10_000,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    @property
    def coins(self) -> list[forms.BoundField]:
        """The fields of the coins and notes, smallest first."""
        return [self[name] for name in self.fields if name.startswith("coin_")]

    def counted(self) -> dict[str, Plain]:
        """What the event says; without coins where nothing was counted. Only for a valid form."""
        numbers = {coin: self.cleaned_data.get(f"coin_{coin}") for coin in COINS}
        found: dict[str, Plain] = {"opening": self.cleaned_data["opening"]}
        if any(number is not None for number in numbers.values()):
            coins: list[Plain] = [{"coin": coin, "number": number or 0} for coin, number in numbers.items()]
            found["coins"] = coins
        return found
