"""What all forms of the site share: no colon after a label, and one message for an invalid choice.

Labels, help texts and errors are lazy: fields hold them once, and each reader gets them in their own language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from datetime import MAXYEAR, MINYEAR, date
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from django import forms
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

LOCAL_TIME: Final = "%Y-%m-%dT%H:%M"
"""The format in which browsers send and expect a local date and time."""
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
    """The HTML names of fields, where they differ: in a field called `name`, browsers offer the reader's own name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # type: ignore[explicit-any]  # as Django has it
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField):
                field.error_messages["invalid_choice"] = NOT_OFFERED

    def add_prefix(self, field_name: str) -> str:
        return super().add_prefix(self.sent_as.get(field_name, field_name))

    def offer(self, name: str, choices: Iterable[tuple[object, object]]) -> None:
        """Set the choices of a field that are only known at run time."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    def part(self, *names: str) -> Iterator[forms.BoundField]:
        """The fields with these names, as far as the form has them."""
        return (self[name] for name in names if name in self.fields)


class Form(_Common, forms.Form):
    """A form with fields of its own."""


class ModelForm(_Common, _ModelForm[M]):
    """A form for some fields of a model, which starts with a row or with the model's defaults.

    It only fills in `instance`, a copy of the row. Services then save the fields that they allow.
    """

    def __init__(  # type: ignore[explicit-any]  # as Django has it
        self, *args: Any, instance: M | None = None, **kwargs: Any
    ) -> None:
        given = self._meta.model() if instance is None else copy(instance)
        super().__init__(*args, instance=given, **kwargs)


class LanguageSelect(forms.Select):
    """A choice of languages, each named in itself and marked with its `lang`."""

    def create_option(  # type: ignore[explicit-any]  # as Django has it
        self, name: str, value: Any, *args: Any, **kwargs: Any
    ) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value:
            option["attrs"]["lang"] = str(value)
        return option


def refuse_ends_of_calendar(day: date) -> None:
    """A validator: the first and the last year are invalid, as at their ends there is no time in other time zones."""
    if not MINYEAR < day.year < MAXYEAR:
        raise forms.ValidationError("", code="invalid")  # the field has words for that code


class LocalTimeField(forms.DateTimeField):
    default_error_messages = {"invalid": _("Write day and time, as 2026-12-31 19:30.")}
    default_validators = [refuse_ends_of_calendar]

    def __init__(self, **kwargs: Any) -> None:  # type: ignore[explicit-any]  # as Django has it
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME)
        super().__init__(**{"widget": widget, **kwargs})
