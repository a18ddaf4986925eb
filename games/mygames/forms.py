"""What the search in finished games takes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import NAME_LENGTH
from games.mygames.selectors import Wanted


class DayField(forms.DateField):
    """A day as browsers send it, in every language."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    input_formats = ["%Y-%m-%d"]


class SearchForm(forms.Form):
    """Narrows the list of finished games; every part may stay empty."""

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
        games = self.fields["ruleset"]
        assert isinstance(games, forms.ChoiceField)
        games.choices = [("", _("all games")), *rulesets]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        first, last = given.get("first"), given.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day must not come before the first."))
        return given

    def wanted(self) -> Wanted:
        """What is looked for. Only for a valid form."""
        given = self.cleaned_data
        return Wanted(given["person"], given["ruleset"], given["first"], given["last"], given["result"])
