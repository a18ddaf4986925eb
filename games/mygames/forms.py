"""What the search in finished games takes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import NAME_LENGTH
from games.mygames.selectors import Wanted


class SearchForm(forms.Form):
    """Narrows the list of finished games; every part may stay empty."""

    person = forms.CharField(label=gettext_lazy("With"), max_length=NAME_LENGTH, required=False)
    ruleset = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    first = forms.DateField(
        label=gettext_lazy("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    last = forms.DateField(
        label=gettext_lazy("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    result = forms.ChoiceField(label=gettext_lazy("Result"), required=False)

    def __init__(self, data: Any, rulesets: list[tuple[str, str]]) -> None:
        super().__init__(data)
        for name in ("first", "last"):
            field = self.fields[name]
            assert isinstance(field, forms.DateField)
            field.input_formats = ["%Y-%m-%d"]  # what a date field sends, in every language
        choices = {
            "ruleset": [("", _("all games")), *rulesets],
            "result": [
                ("", _("all results")),
                ("won", _("won")),
                ("lost", _("lost")),
                ("draw", _("drawn")),
                ("unfinished", _("ended early")),
            ],
        }
        for name, offered in choices.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = offered

    def clean(self) -> dict[str, Any]:
        """The days must be in order."""
        given = super().clean() or {}
        first, last = given.get("first"), given.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day must not come before the first."))
        return given

    def wanted(self) -> Wanted:
        """What is looked for. Only for a valid form."""
        given = self.cleaned_data
        return Wanted(given["person"], given["ruleset"], given["first"], given["last"], given["result"])
