"""The smaller forms of planning: the dry run, categories, one entrant, the till."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.names import clean_line
from clubs.evening.door import MOST_GROUPS
from clubs.evening.given import Plain
from clubs.evening.state import Entrant
from clubs.planning.forms import MoneyField
from clubs.planning.worded import Worded
from clubs.standings.till import COINS
from clubs.tournaments import money


class OutlookForm(Worded):
    """What a dry run is made for: several numbers side by side, and how long things take."""

    numbers = forms.CharField(max_length=60)
    rounds = forms.IntegerField(min_value=1, max_value=20)
    deals = forms.IntegerField(min_value=1, max_value=100)
    minutes_per_deal = forms.IntegerField(min_value=1, max_value=120)
    between = forms.IntegerField(min_value=0, max_value=240)
    start = forms.TimeField(widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))

    MOST_NUMBERS: Final = 5
    MOST_ENTRANTS: Final = 400

    def say(self) -> None:
        """Put the words on the fields."""
        self.call("numbers", _("How many come"), _("Up to five numbers, as 22, 23, 24; for pairs, how many pairs."))
        self.call("rounds", _("Rounds"))
        self.call("deals", _("Deals in a round"))
        self.call("minutes_per_deal", _("Minutes for a deal"))
        self.call("between", _("Minutes between rounds"))
        self.call("start", _("Begins at"))

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


class CategoryForm(Worded):
    """A category for everybody of certain birth years."""

    category = forms.CharField(max_length=40)
    born_from = forms.IntegerField(required=False, min_value=1900, max_value=2100)
    born_until = forms.IntegerField(required=False, min_value=1900, max_value=2100)

    def say(self) -> None:
        """Put the words on the fields."""
        self.call("category", _("Category"), _("Your own word, as “Juniors”; prizes can be given by it."))
        self.call("born_from", _("Born in or after"))
        self.call("born_until", _("Born in or before"))

    def clean_category(self) -> str:
        """On one line."""
        return clean_line(self.cleaned_data["category"])

    def fits(self, years: list[int | None]) -> bool:
        """Whether all persons of an entrant were born in these years; of whom nobody knows it, not. Only for a valid form."""
        low, high = self.cleaned_data["born_from"], self.cleaned_data["born_until"]
        if low is None and high is None:
            return True
        return bool(years) and all(
            year is not None and (low is None or year >= low) and (high is None or year <= high) for year in years
        )


class EntrantForm(Worded):
    """What is different for one entrant."""

    fee = MoneyField(required=False)
    seed = forms.IntegerField(required=False, min_value=0, max_value=2000)
    categories = forms.CharField(required=False, max_length=200)

    def __init__(self, data: Mapping[str, Any] | None = None, *, entrant: Entrant) -> None:
        initial = {
            "fee": money.field(entrant.fee),
            "seed": entrant.seed,
            "categories": ", ".join(entrant.categories),
        }
        super().__init__(data, initial=initial)

    def say(self) -> None:
        """Put the words on the fields."""
        self.call("fee", _("Fee"), _("In francs; 0: free. For a pair, of both together."))
        self.call("seed", _("Seed"), _("1 for the strongest; 0 for none. Knock-outs and the first Swiss round use it."))
        self.call("categories", _("Categories"), _("With commas between them."))

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


class TillForm(Worded):
    """Money that changed hands without being a fee of somebody in the list."""

    kind = forms.ChoiceField(widget=forms.RadioSelect)
    amount = MoneyField()
    note = forms.CharField(required=False, max_length=200)

    def say(self) -> None:
        """Put the words on the fields."""
        self.call("kind", _("What it is"))
        self.choose(
            "kind",
            [
                ("expense", _("expense: rent, food, cards")),
                ("income", _("income: sold, donated")),
                ("deposit", _("from the club’s purse into the till")),
                ("payout", _("from the till to the club’s purse")),
            ],
        )
        self.call("amount", _("Amount in francs"))
        self.call("note", _("What for"), _("So that the treasurer knows it next year."))

    def clean_amount(self) -> int:
        """Something."""
        amount = int(self.cleaned_data["amount"])
        if amount < 1:
            raise ValidationError(_("Write how much."))
        return amount

    def clean_note(self) -> str:
        """On one line."""
        return clean_line(self.cleaned_data["note"])


class CountForm(Worded):
    """How many of each coin and note lie in the till, and what lay in it at first."""

    opening = MoneyField(required=False)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, opening: int, counted: Mapping[int, int] | None
    ) -> None:
        initial: dict[str, Any] = {"opening": money.field(opening)}
        initial |= {f"coin_{coin}": number for coin, number in (counted or {}).items()}
        super().__init__(data, initial=initial)

    def say(self) -> None:
        """Put the words on the fields, one for each coin."""
        self.call("opening", _("In the till before the evening"), _("In francs."))
        for coin in COINS:
            name = f"coin_{coin}"
            self.fields[name] = forms.IntegerField(
                required=False, min_value=0, max_value=10_000, widget=forms.NumberInput(attrs={"inputmode": "numeric"})
            )
            self.call(name, money.shown(coin) if coin < 100 else f"CHF {coin // 100}")

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
