"""Forms whose words are looked up for each reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _


class Worded(forms.Form):
    """Words are looked up for each reader, not once when the class is made."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, label_suffix="", initial=dict(initial or {}))
        self.say()

    def say(self) -> None:
        """Put the words on the fields."""

    def call(self, field: str, label: str, help_text: str = "") -> None:
        """What a field is called, and what is to be said about it."""
        self.fields[field].label, self.fields[field].help_text = label, help_text

    def choose(self, field: str, choices: Iterable[tuple[Any, Any]]) -> None:
        """What a field offers."""
        one = self.fields[field]
        assert isinstance(one, forms.ChoiceField)
        one.choices = list(choices)
        one.error_messages["invalid_choice"] = _("Choose one of the ways in the list.")

    def part(self, *names: str) -> Iterator[forms.BoundField]:
        """Some of the fields, those that are there."""
        return (self[name] for name in names if name in self.fields)
