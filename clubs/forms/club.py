"""The forms of a club itself: finding one, what it says, how people enter it."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.choices import CANTONS
from accounts.names import LineField, LinesField
from clubs import columns
from clubs.models import MESSAGE_LENGTH, PERSON_NAME_LENGTH, Club
from clubs.services.common import FIELDS, Person
from core.forms import Form, ModelForm

KEEPS: Final = (6, 12, 24, 36, 60, 120)
"""Months from which a club chooses how long it keeps names."""


class SearchForm(Form):
    """Which clubs one looks for."""

    q = forms.CharField(
        label=_("Name or village"), required=False, max_length=80, widget=forms.TextInput(attrs={"type": "search"})
    )
    canton = forms.ChoiceField(label=_("Canton"), required=False, choices=[("", _("any")), *CANTONS])


class PersonNameField(forms.CharField):
    """A first or last name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=PERSON_NAME_LENGTH, **kwargs)

    def to_python(self, value: Any) -> str:
        """The name on one line. Raises ValidationError."""
        return columns.clean_name(super().to_python(value) or "")


class TakeOverForm(Form):
    """Taking over an entry: the club knows the name already."""

    named = forms.BooleanField(
        label=_("I may be named on public pages"),
        required=False,
        help_text=_(
            "Otherwise results show your initials to everybody but the people in the hall. You can change it at any time."
        ),
    )

    def person(self) -> Person:
        """Who they are. Only for a valid form."""
        data = self.cleaned_data
        return Person(data.get("first_name", ""), data.get("last_name", ""), data["named"])


class PersonForm(TakeOverForm):
    """How somebody enters a club themselves."""

    first_name = PersonNameField(label=_("First name"))
    last_name = PersonNameField(label=_("Last name"))

    field_order = ("first_name", "last_name", "named")

    def clean(self) -> dict[str, Any]:
        """One name at least."""
        data = super().clean() or {}
        if not self.errors and not (data["first_name"] or data["last_name"]):
            self.add_error("first_name", _("Write at least a first name or a last name."))
        return data


class AskForm(PersonForm):
    """A request to become a member."""

    message = LinesField(
        label=_("A word to the club"),
        required=False,
        max_length=MESSAGE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Who you are, or whom you know there."),
    )


def _keeps() -> list[tuple[int, str]]:
    return [(months, span(months)) for months in KEEPS]


class ClubForm(ModelForm[Club]):
    """What a club says, and how it deals with names."""

    canton = forms.ChoiceField(label=_("Canton"), required=False, choices=[("", _("none")), *CANTONS])
    language = forms.ChoiceField(
        label=_("Language"),
        choices=settings.LANGUAGES,
        help_text=_("In which its calendar and news are announced to other programs."),
    )
    keeps_months = forms.TypedChoiceField(
        label=_("How long names are kept"),
        coerce=int,
        choices=_keeps,
        help_text=_("After that, results show initials, and entries of people who left are cut down to theirs."),
    )

    sent_as = {"name": "club_name"}

    class Meta:
        model = Club
        fields = FIELDS
        field_classes = {"name": LineField, "village": LineField, "about": LinesField}
        labels = {
            "name": _("Name of the club"),
            "village": _("Village or town"),
            "about": _("About the club"),
            "joining": _("How people become members"),
            "list_for": _("Who may read the list of members"),
            "found_by_search": _("Search engines may show the club’s public pages"),
        }
        help_texts = {
            "about": _(
                "When you meet, where, who is welcome. *Italics*, **bold**, lists and [links](https://…) are possible."
            ),
            "found_by_search": _("Without it they are asked to stay away."),
        }
        error_messages = {"name": {"required": _("Write what the club is called.")}}
        widgets = {
            "about": forms.Textarea(attrs={"rows": 8}),
            "joining": forms.RadioSelect,
            "list_for": forms.RadioSelect,
        }

    def clean_name(self) -> str:
        """With a letter in it."""
        name = str(self.cleaned_data["name"])
        if not any(letter.isalpha() for letter in name):
            raise ValidationError(_("A name needs at least one letter."))
        return name


def span(months: int) -> str:
    """ "six months", "2 years"."""
    if months % 12:
        return ngettext("%(months)d month", "%(months)d months", months) % {"months": months}
    years = months // 12
    return ngettext("%(years)d year", "%(years)d years", years) % {"years": years}
