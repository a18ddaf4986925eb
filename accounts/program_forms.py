"""The form in which a member makes a token for a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import personal_tokens
from accounts.names import clean_line
from accounts.token_models import TOKEN_NAME_LENGTH


class TokenForm(forms.Form):
    """What the program is called, what it may do, and for how long."""

    name = forms.CharField(max_length=TOKEN_NAME_LENGTH)
    scopes = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    days = forms.TypedChoiceField(required=False, coerce=int, empty_value=None, initial=90)

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, label_suffix="")
        # Words are looked up for each reader, not once when the class is made.
        name, scopes, days = self.fields["name"], self.fields["scopes"], self.fields["days"]
        assert isinstance(scopes, forms.ChoiceField)
        assert isinstance(days, forms.ChoiceField)
        name.label = _("Name of the program")
        name.help_text = _("So that you know later which one it is.")
        scopes.label = _("What it may do")
        scopes.help_text = _("It may always see what you see: your games, the open tables, games that may be watched.")
        scopes.choices = [
            (scope, words) for scope, words in personal_tokens.SCOPES.items() if scope != personal_tokens.READ
        ]
        days.label = _("How long")
        days.choices = [
            *((n, ngettext("%(n)d day", "%(n)d days", n) % {"n": n}) for n in personal_tokens.LIFETIMES),
            ("", _("until I revoke it")),
        ]

    def clean_name(self) -> str:
        """The name as one visible line. Raises ValidationError."""
        name = clean_line(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError(_("Write a name, for example what the program does."))
        return name
