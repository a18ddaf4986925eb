"""The forms of the list of members: an entry, looking through the list, inviting, a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.forms import model_to_dict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs import columns
from clubs.forms.club import PersonNameField
from clubs.models import Member
from clubs.services.joining import HOLDS
from clubs.services.members import Details, Sought
from core.forms import Form


class GroupsField(forms.CharField):
    """Groups with commas between them, as a tuple."""

    def clean(self, value: Any) -> Any:
        """The single groups. Raises ValidationError."""
        return tuple(columns.clean_groups(super().clean(value)))

    def prepare_value(self, value: Any) -> Any:
        """As it is typed."""
        return value if isinstance(value, str) else ", ".join(value or ())


class MemberForm(Form):
    """An entry as who keeps the list writes it; about being named, who has an account decides for themselves."""

    first_name = PersonNameField(label=_("First name"))
    last_name = PersonNameField(label=_("Last name"))
    kind = forms.ChoiceField(label=_("Kind"), choices=Member.Kind.choices)
    email = forms.EmailField(
        label=_("E-mail"), required=False, max_length=254, help_text=_("Seen only by who keeps the list.")
    )
    birth_year = forms.IntegerField(
        label=_("Year of birth"),
        required=False,
        help_text=_("For categories such as juniors; seen only by who keeps the list."),
        error_messages={"invalid": _("Write the year with four figures.")},
    )
    groups = GroupsField(
        label=_("Groups"),
        required=False,
        max_length=300,
        help_text=_(
            "Families and sub-clubs, with commas between them: who shares one is kept apart by the draw where possible."
        ),
    )
    joined_on = forms.DateField(
        label=_("Member since"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    named = forms.BooleanField(
        label=_("May be named on public pages"),
        required=False,
        help_text=_("Only if the person has agreed. Otherwise their initials are shown."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, entry: Member | None = None) -> None:
        initial = {"kind": Member.Kind.MEMBER} if entry is None else model_to_dict(entry, list(self.base_fields))
        super().__init__(data, initial=initial)
        if entry is not None and entry.player_id is not None:
            del self.fields["named"]

    def clean_birth_year(self) -> int | None:
        """A year in which somebody may have been born."""
        year = self.cleaned_data["birth_year"]
        return columns.clean_year(year) if year is not None else None

    def clean_email(self) -> str:
        """In small letters, so that it is found again."""
        return str(self.cleaned_data["email"]).lower()

    def details(self) -> Details:
        """What was written. Only for a valid form."""
        return Details(**self.cleaned_data)


class ListForm(Form):
    """What is looked for in the list of members."""

    q = forms.CharField(
        label=_("Name"), required=False, max_length=80, widget=forms.TextInput(attrs={"type": "search"})
    )
    who = forms.ChoiceField(
        label=_("Who"),
        required=False,
        choices=[
            ("", _("everybody")),
            ("members", _("members")),
            ("guests", _("guests")),
            ("staff", _("with a role")),
            ("account", _("with an account")),
            ("left", _("who left")),
        ],
    )
    group = forms.ChoiceField(label=_("Group"), required=False)

    def __init__(self, data: Mapping[str, Any], groups: Iterable[str]) -> None:
        super().__init__(data)
        self.offer("group", [("", _("any")), *((group, group) for group in groups)])

    def sought(self) -> Sought:
        """What was asked for; what makes no sense asks for nothing."""
        self.is_valid()
        data = self.cleaned_data
        return Sought(data.get("q", ""), data.get("who", ""), data.get("group", ""))


def _holds() -> list[tuple[int, str]]:
    return [(hold.days, gettext("%(days)d days") % {"days": hold.days}) for hold in HOLDS]


class InviteForm(Form):
    """For how long an invitation holds."""

    holds = forms.TypedChoiceField(label=_("The link holds"), coerce=int, choices=_holds)

    def duration(self) -> timedelta:
        """How long; the shortest where nothing sensible was chosen."""
        return timedelta(days=self.cleaned_data["holds"]) if self.is_valid() else HOLDS[0]


class FileForm(Form):
    """A list of members in a file."""

    file = forms.FileField(
        label=_("List of members (CSV or xlsx)"),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx"}),
        error_messages={"required": _("Choose a file first.")},
    )
