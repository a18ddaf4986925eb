"""The forms of the list of members: an entry, looking through the list, inviting, a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from clubs.room import columns
from clubs.room.forms_kit import WordedForm
from clubs.room.joining import HOLDS
from clubs.room.members import Details, Sought
from clubs.room_models import PERSON_NAME_LENGTH, Member


class MemberForm(WordedForm):
    """An entry as who keeps the list writes it. `own_affair`: whether their person decides about being named."""

    first_name = forms.CharField(required=False, max_length=PERSON_NAME_LENGTH)
    last_name = forms.CharField(required=False, max_length=PERSON_NAME_LENGTH)
    kind = forms.ChoiceField()
    email = forms.EmailField(required=False, max_length=254)
    birth_year = forms.IntegerField(required=False)
    groups = forms.CharField(required=False, max_length=300)
    joined_on = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    named = forms.BooleanField(required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, *, entry: Member | None = None) -> None:
        super().__init__(data, initial=_initial(entry))
        if entry is not None and entry.player_id is not None:
            del self.fields["named"]

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("first_name", _("First name"))
        self.name("last_name", _("Last name"))
        self.name("kind", _("Kind"))
        self.name("email", _("E-mail"), _("Seen only by who keeps the list."))
        self.name(
            "birth_year", _("Year of birth"), _("For categories such as juniors; seen only by who keeps the list.")
        )
        self.name(
            "groups",
            _("Groups"),
            _(
                "Families and sub-clubs, with commas between them: who shares one is kept apart by the draw where possible."
            ),
        )
        self.name("joined_on", _("Member since"))
        self.name(
            "named",
            _("May be named on public pages"),
            _("Only if the person has agreed. Otherwise their initials are shown."),
        )
        self.choose("kind", Member.Kind.choices)
        self.fields["birth_year"].error_messages["invalid"] = _("Write the year with four figures.")

    def clean_first_name(self) -> str:
        """On one line."""
        return columns.clean_name(self.cleaned_data["first_name"])

    def clean_last_name(self) -> str:
        """On one line."""
        return columns.clean_name(self.cleaned_data["last_name"])

    def clean_birth_year(self) -> int | None:
        """A year in which somebody may have been born."""
        year = self.cleaned_data["birth_year"]
        return columns.clean_year(year) if year is not None else None

    def clean_groups(self) -> list[str]:
        """The single groups."""
        return columns.clean_groups(self.cleaned_data["groups"])

    def clean_email(self) -> str:
        """In small letters, so that it is found again."""
        return str(self.cleaned_data["email"]).lower()

    def details(self) -> Details:
        """What was written. Only for a valid form."""
        data = self.cleaned_data
        return Details(
            first_name=data["first_name"],
            last_name=data["last_name"],
            email=data["email"],
            birth_year=data["birth_year"],
            groups=tuple(data["groups"]),
            kind=data["kind"],
            named=data.get("named"),
            joined_on=data["joined_on"],
        )


def _initial(entry: Member | None) -> dict[str, Any]:
    if entry is None:
        return {"kind": Member.Kind.MEMBER}
    return {
        "first_name": entry.first_name,
        "last_name": entry.last_name,
        "kind": entry.kind,
        "email": entry.email,
        "birth_year": entry.birth_year,
        "groups": ", ".join(entry.groups),
        "joined_on": entry.joined_on,
        "named": entry.named,
    }


class ListForm(WordedForm):
    """What is looked for in the list of members."""

    q = forms.CharField(required=False, max_length=80, widget=forms.TextInput(attrs={"type": "search"}))
    who = forms.ChoiceField(required=False)
    group = forms.ChoiceField(required=False)

    def __init__(self, data: Mapping[str, Any], groups: Iterable[str]) -> None:
        super().__init__(data)
        self.choose("group", [("", _("any")), *((group, group) for group in groups)])

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("q", _("Name"))
        self.name("who", _("Who"))
        self.name("group", _("Group"))
        self.choose(
            "who",
            [
                ("", _("everybody")),
                ("members", _("members")),
                ("guests", _("guests")),
                ("staff", _("with a role")),
                ("account", _("with an account")),
                ("left", _("who left")),
            ],
        )

    def sought(self) -> Sought:
        """What was asked for; what makes no sense asks for nothing."""
        self.is_valid()
        data = self.cleaned_data
        return Sought(data.get("q", ""), data.get("who", ""), data.get("group", ""))


class InviteForm(WordedForm):
    """For how long an invitation holds."""

    holds = forms.TypedChoiceField(coerce=int)

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("holds", _("The link holds"))
        self.choose("holds", [(hold.days, _("%(days)d days") % {"days": hold.days}) for hold in HOLDS])

    def duration(self) -> timedelta:
        """How long; the shortest where nothing sensible was chosen."""
        return timedelta(days=self.cleaned_data["holds"]) if self.is_valid() else HOLDS[0]


class FileForm(WordedForm):
    """A list of members in a file."""

    file = forms.FileField(widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx"}))

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("file", _("List of members (CSV or xlsx)"), required=_("Choose a file first."))
