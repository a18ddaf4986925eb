"""The forms of the statistics: which hands are counted, and who may see the figures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from core.forms import Form, ModelForm
from games.charts import Variant
from games.statistics.models import StatisticsAudience
from games.statistics.selectors import Scope
from games.text import figures

_PERIODS: Final = {"": None, "quarter": timedelta(days=90), "year": timedelta(days=365)}


class ScopeForm(Form):
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
        super().__init__(data)
        named = ((key_of(one), figures.variant_name(one)) for one in variants)
        self.offer("game", [("", _("the one played most")), *named])

    def scope(self, now: datetime) -> Scope:
        """The hands to count, apart from the game. Only for a valid form."""
        period = _PERIODS[self.cleaned_data["period"]]
        return Scope(None, now - period if period else None, self.cleaned_data["company"] == "people")


def key_of(variant: Variant) -> str:
    """A variant in a URL: `troggu_5`."""
    return f"{variant[0]}_{variant[1]}"


class AudienceForm(ModelForm[StatisticsAudience]):
    """Who may see the player's statistics: a section of the preferences."""

    def __init__(self, data: Any, player: Player) -> None:
        row = StatisticsAudience.objects.filter(player=player).first() or StatisticsAudience(player=player)
        super().__init__(data, instance=row)

    def write(self) -> None:
        chosen = self.cleaned_data["audience"]
        StatisticsAudience.objects.update_or_create(player=self.instance.player, defaults={"audience": chosen})

    class Meta:
        model = StatisticsAudience
        fields = ("audience",)
        labels = {"audience": _("Who may see your statistics")}
        help_texts = {"audience": _("Whoever has blocked you, or whom you have blocked, never sees them.")}
