"""What all forms of the site have in common: no colon after a label, and one sentence for a choice that is not offered.

Labels, help texts and errors are lazy: they stand on the fields once, and each reader gets them in their own language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from django import forms
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

LOCAL_TIME: Final = "%Y-%m-%dT%H:%M"
"""How browsers send and want a day and time, without a zone."""
NOT_OFFERED: Final = _("Choose one of the options in the list.")
NOT_WHOLE: Final = {"invalid": _("Write a whole number.")}

M = TypeVar("M", bound=Model)

if TYPE_CHECKING:
    _Base = forms.BaseForm
    _ModelForm = forms.ModelForm
else:
    _Base = object

    class _ModelForm(forms.ModelForm):
        def __class_getitem__(cls, model: type[Model]) -> type:
            return cls


class _Common(_Base):
    sent_as: ClassVar[Mapping[str, str]] = {}
    """What browsers call a field, where that is not its own name: in a field called `name` they offer the reader's own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # type: ignore[explicit-any]  # as Django has it
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                field.error_messages["invalid_choice"] = NOT_OFFERED

    def add_prefix(self, field_name: str) -> str:
        return super().add_prefix(self.sent_as.get(field_name, field_name))

    def offer(self, name: str, choices: Iterable[tuple[object, object]]) -> None:
        """What a field lets one choose, where that is only known now."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    def part(self, *names: str) -> Iterator[forms.BoundField]:
        return (self[name] for name in names if name in self.fields)


class Form(_Common, forms.Form):
    """A form of fields of its own."""


class ModelForm(_Common, _ModelForm[M]):
    """A form of some fields of a model, which begins with a row or with the model's defaults.

    It only fills in `instance`, a copy of the row; services write what they allow of it.
    """

    def __init__(  # type: ignore[explicit-any]  # as Django has it
        self, *args: Any, instance: M | None = None, **kwargs: Any
    ) -> None:
        given = self._meta.model() if instance is None else copy(instance)
        super().__init__(*args, instance=given, **kwargs)


class LanguageSelect(forms.Select):
    """A choice of languages, each called by its own name and in itself."""

    def create_option(  # type: ignore[explicit-any]  # as Django has it
        self, name: str, value: Any, *args: Any, **kwargs: Any
    ) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value:
            option["attrs"]["lang"] = str(value)
        return option


class LocalTimeField(forms.DateTimeField):
    default_error_messages = {"invalid": _("Write day and time, as 2026-12-31 19:30.")}

    def __init__(self, **kwargs: Any) -> None:  # type: ignore[explicit-any]  # as Django has it
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME)
        super().__init__(**{"widget": widget, **kwargs})
