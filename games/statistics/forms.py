"""The form above the figures, which selects the hands that are counted."""

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
    """The game, the period and the company; every field may be empty."""

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
        """The hands to count, apart from the game. Only for a valid form."""
        period = _PERIODS[self.cleaned_data["period"]]
        return Scope(None, now - period if period else None, self.cleaned_data["company"] == "people")


def key_of(variant: Variant) -> str:
    """A variant in a URL: `troggu_5`."""
    return f"{variant[0]}_{variant[1]}"
