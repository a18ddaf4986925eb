"""The form in which moderators say what they do about a report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import names, suspending


class SettleForm(forms.Form):
    """What a moderator does about a report: a measure, what the person is told of it, and a word for other moderators."""

    TAKE_DOWN = "take-down"

    measure = forms.ChoiceField(label=_("Measure"), required=False)
    told = forms.CharField(
        label=_("Reason, as the person reads it"),
        help_text=_("Needed for a suspension. They also read until when it holds."),
        max_length=300,
        required=False,
        widget=forms.TextInput,
    )
    outcome = forms.CharField(
        label=_("What was done"),
        help_text=_("For moderators only."),
        max_length=300,
        widget=forms.TextInput,
        error_messages={"required": _("Please say in a few words what was done.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        days = [length.days for length in suspending.LENGTHS]
        self.fields["measure"].choices = [  # type: ignore[attr-defined]  # a choice field
            ("", _("none")),
            (self.TAKE_DOWN, _("take down the name and what the page tells")),
            *(
                (str(each), ngettext("suspend for %(n)d day", "suspend for %(n)d days", each) % {"n": each})
                for each in days
            ),
        ]

    @property
    def length(self) -> timedelta | None:
        """How long the person is suspended; None for not at all. Of a form that is valid."""
        measure = self.cleaned_data["measure"]
        return timedelta(days=int(measure)) if measure.isdecimal() else None

    def clean(self) -> None:
        """A suspension needs a reason that the person can read."""
        given = self.cleaned_data
        if str(given.get("measure") or "").isdecimal() and "told" in given and not given["told"]:
            self.add_error("told", _("Please write why: the person reads it."))

    def clean_told(self) -> str:
        """The reason, in one line of visible characters."""
        return names.clean_line(self.cleaned_data["told"])

    def clean_outcome(self) -> str:
        """The outcome, in one line of visible characters."""
        return names.clean_line(self.cleaned_data["outcome"])
