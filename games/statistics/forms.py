"""Which hands are to be counted: the form above the figures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from games.charts import Variant
from games.statistics.selectors import Scope
from games.text import figures

_PERIODS: Final = {"": None, "quarter": timedelta(days=90), "year": timedelta(days=365)}


class ScopeForm(forms.Form):
    """The game, the time, and the company; every part may stay empty."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    period = forms.ChoiceField(
        label=_("Time"),
        required=False,
        choices=[("", _("always")), ("year", _("the last 365 days")), ("quarter", _("the last 90 days"))],
    )
    company = forms.ChoiceField(
        label=_("Company"), required=False, choices=[("", _("all hands")), ("people", _("hands among people only"))]
    )

    def __init__(self, data: Any, variants: Sequence[Variant]) -> None:
        super().__init__(data, label_suffix="")
        games = self.fields["game"]
        assert isinstance(games, forms.ChoiceField)
        games.choices = [
            ("", _("the one played most")),
            *((key_of(one), figures.variant_name(one)) for one in variants),
        ]

    def scope(self, now: datetime) -> Scope:
        reach = _PERIODS[self.cleaned_data["period"]]
        return Scope(None, now - reach if reach else None, self.cleaned_data["company"] == "people")


def key_of(variant: Variant) -> str:
    """A variant as it stands in an address: `troggu_5`."""
    return f"{variant[0]}_{variant[1]}"
