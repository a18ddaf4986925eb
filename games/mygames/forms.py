"""The form of the search in finished games."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import NAME_LENGTH
from core.forms import Form, refuse_ends_of_calendar
from games.mygames.selectors import FinishedSearch


class DayField(forms.DateField):
    """A date in the format that browsers send in every language."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    input_formats = ["%Y-%m-%d"]
    default_validators = [refuse_ends_of_calendar]


class SearchForm(Form):
    """Filters of the list of finished games; every field may be empty."""

    person = forms.CharField(label=_("With"), max_length=NAME_LENGTH, required=False)
    ruleset = forms.ChoiceField(label=_("Game"), required=False)
    first = DayField(label=_("From"), required=False)
    last = DayField(label=_("To"), required=False)
    result = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[
            ("", _("all results")),
            ("won", _("won")),
            ("lost", _("lost")),
            ("draw", _("drawn")),
            ("unfinished", _("ended early")),
        ],
    )

    def __init__(self, data: Any, rulesets: list[tuple[str, str]]) -> None:
        super().__init__(data)
        self.offer("ruleset", [("", _("all games")), *rulesets])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day must not come before the first."))
        return data

    def search(self) -> FinishedSearch:
        """The search. Only for a valid form."""
        data = self.cleaned_data
        return FinishedSearch(data["person"], data["ruleset"], data["first"], data["last"], data["result"])
