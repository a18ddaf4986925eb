"""What the forms of a club have in common: words for each reader, and what fields offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _


class WordedForm(forms.Form):
    """Words are looked up for each reader, not once when the class is made."""

    def __init__(
        self, data: Mapping[str, Any] | None = None, files: Any = None, *, initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, files, label_suffix="", initial=dict(initial or {}))
        self.say()

    def say(self) -> None:
        """Put the words on the fields."""

    def name(self, field: str, label: str, help_text: str = "", *, required: str = "") -> None:
        """What a field is called, what is to be said about it, and what if it is left empty."""
        one = self.fields[field]
        one.label, one.help_text = label, help_text
        if required:
            one.error_messages["required"] = required

    def choose(self, field: str, choices: Iterable[tuple[Any, Any]]) -> None:
        """What a field offers."""
        one = self.fields[field]
        assert isinstance(one, forms.ChoiceField)
        one.choices = list(choices)
        one.error_messages["invalid_choice"] = _("Choose one of the ways in the list.")
