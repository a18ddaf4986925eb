"""Which hands are to be counted: the form above the figures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.charts import Variant
from games.statistics.selectors import Scope
from games.text import figures

_PERIODS: Final = {"": None, "quarter": timedelta(days=90), "year": timedelta(days=365)}


class ScopeForm(forms.Form):
    """The game, the time, and the company; every part may stay empty."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    period = forms.ChoiceField(label=gettext_lazy("Time"), required=False)
    company = forms.ChoiceField(label=gettext_lazy("Company"), required=False)

    def __init__(self, data: Any, variants: Sequence[Variant]) -> None:
        super().__init__(data, label_suffix="")
        choices = {
            "game": [("", _("the one played most")), *((key_of(one), figures.variant_name(one)) for one in variants)],
            "period": [("", _("always")), ("year", _("the last 365 days")), ("quarter", _("the last 90 days"))],
            "company": [("", _("all hands")), ("people", _("hands among people only"))],
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = offered

    def scope(self, now: datetime) -> Scope:
        """What is asked for, but for the game. Only for a valid form."""
        reach = _PERIODS[self.cleaned_data["period"]]
        return Scope(None, now - reach if reach else None, self.cleaned_data["company"] == "people")


def key_of(variant: Variant) -> str:
    """A variant as it stands in an address: `troggu_5`."""
    return f"{variant[0]}_{variant[1]}"
