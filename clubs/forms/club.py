"""The forms of clubs: finding and founding one, joining it, its dates, news and seasons, its list of members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import model_to_dict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.choices import canton_choices
from accounts.names import LineField, LinesField
from clubs import text
from clubs.models import MESSAGE_LENGTH, PERSON_NAME_LENGTH, Club, ClubDate, Member, News, Season
from clubs.services import calendar, members, seasons
from clubs.services.common import FIELDS, Person
from clubs.services.joining import HOLDS
from clubs.services.members import Details, MemberSearch
from core.forms import NOT_WHOLE, Form, LocalTimeField, ModelForm
from domain.errors import DomainError
from domain.standings.season import PLACE, SeasonRules

KEEPS: Final = (6, 12, 24, 36, 60, 120)
"""The choices, in months, for how long a club keeps names."""


class SearchForm(Form):
    q = forms.CharField(
        label=_("Name or village"), required=False, max_length=80, widget=forms.TextInput(attrs={"type": "search"})
    )
    canton = forms.ChoiceField(label=_("Canton"), required=False, choices=partial(canton_choices, _("any")))


class PersonNameField(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=PERSON_NAME_LENGTH, **kwargs)

    def to_python(self, value: Any) -> str:
        """The name on one line. Raises ValidationError."""
        return members.clean_name(super().to_python(value) or "")


class TakeOverForm(Form):
    """The form for taking over an entry, whose name the club has written down already."""

    named = forms.BooleanField(
        label=_("I may be named on public pages"),
        required=False,
        help_text=_(
            "Otherwise results show your initials to everybody but the people in the hall. You can change this at any time."
        ),
    )

    def person(self) -> Person:
        """The person that the form describes. Only for a valid form."""
        data = self.cleaned_data
        return Person(data.get("first_name", ""), data.get("last_name", ""), data["named"])


class PersonForm(TakeOverForm):
    first_name = PersonNameField(label=_("First name"))
    last_name = PersonNameField(label=_("Last name"))

    field_order = ("first_name", "last_name", "named")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not (data["first_name"] or data["last_name"]):
            self.add_error("first_name", _("Write at least a first name or a last name."))
        return data


class AskForm(PersonForm):
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
    """What a club says about itself, and how it deals with names."""

    canton = forms.ChoiceField(label=_("Canton"), required=False, choices=canton_choices)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=settings.INTERFACE_LANGUAGES,
        help_text=_("The language in which other programs receive its calendar and news."),
    )
    keeps_months = forms.TypedChoiceField(
        label=_("How long names are kept"),
        coerce=int,
        choices=_keeps,
        help_text=_(
            "After that, results show initials, and the entries of people who have left are reduced to initials too."
        ),
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
            "demands_second_factor": _("Roles in the club need a second factor"),
        }
        help_texts = {
            "about": _(
                "When you meet, where, who is welcome. *Italics*, **bold**, lists and [links](https://…) are possible."
            ),
            "found_by_search": _("Otherwise search engines are asked to stay away."),
            "demands_second_factor": _(
                "The role of a president, secretary or director then rests until they have set up a passkey or an app, so that nobody gets at the list of members by a password alone."
            ),
        }
        error_messages = {"name": {"required": _("Write the name of the club.")}}
        widgets = {
            "about": forms.Textarea(attrs={"rows": 8}),
            "joining": forms.RadioSelect,
            "list_for": forms.RadioSelect,
        }

    def clean_name(self) -> str:
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


class DateForm(ModelForm[ClubDate]):
    """A date of the club. Times are in the time zone of the hall."""

    class Meta:
        model = ClubDate
        fields = calendar.FIELDS
        field_classes = {
            "title": LineField,
            "starts": LocalTimeField,
            "ends": LocalTimeField,
            "place": LineField,
            "text": LinesField,
        }
        labels = {
            "title": _("What"),
            "starts": _("Begins"),
            "ends": _("Ends"),
            "place": _("Where"),
            "text": _("More about it"),
        }
        help_texts = {"ends": _("May be left empty.")}
        error_messages = {
            "title": {"required": _("Write what is happening.")},
            "starts": {"required": _("Say when it begins.")},
        }
        widgets = {"text": forms.Textarea(attrs={"rows": 5})}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("starts") and data.get("ends") and data["ends"] < data["starts"]:
            self.add_error("ends", _("It would end before it begins."))
        return data


class NewsForm(ModelForm[News]):
    class Meta:
        model = News
        fields = ("title", "text")
        field_classes = {"title": LineField, "text": LinesField}
        labels = {"title": _("Title"), "text": _("Text")}
        help_texts = {
            "text": _("Everybody can read it. *Italics*, **bold**, lists and [links](https://…) are possible.")
        }
        error_messages = {
            "title": {"required": _("Write a title.")},
            "text": {"required": _("Write what there is to tell.")},
        }


class SeasonForm(Form):
    """A season and how its evenings are added up."""

    season_name = LineField(
        label=_("Name"),
        max_length=80,
        help_text=_("Such as “Winter 2026/27”."),
        error_messages={"required": _("Write the name of the season.")},
    )
    by = forms.ChoiceField(
        label=_("What an evening brings"), choices=lambda: text.choices("by"), widget=forms.RadioSelect
    )
    place_points = forms.CharField(
        label=_("Points for places"),
        required=False,
        max_length=600,
        help_text=_(
            "The first place first, with blanks between the numbers. Later places get nothing; equals get the average."
        ),
    )
    best = forms.IntegerField(
        label=_("How many evenings count"),
        min_value=0,
        max_value=100,
        help_text=_("The best ones of each person. 0: all of them."),
        error_messages=NOT_WHOLE,
    )
    attendance = forms.IntegerField(
        label=_("Points for being there"),
        min_value=0,
        max_value=10_000,
        help_text=_("For every evening, counted or not."),
        error_messages=NOT_WHOLE,
    )
    fewest = forms.IntegerField(
        label=_("Evenings needed for a rank"),
        min_value=0,
        max_value=100,
        help_text=_("0: no such rule."),
        error_messages=NOT_WHOLE,
    )

    rules: SeasonRules

    def __init__(self, data: Any = None, *, season: Season | None = None) -> None:
        rules = seasons.rules_of(season) if season is not None else SeasonRules()
        initial = {"season_name": season.name if season is not None else "", **asdict(rules)}
        super().__init__(data, initial=initial | {"place_points": " ".join(map(str, rules.place_points))})

    def clean_place_points(self) -> list[int]:
        parts = self.cleaned_data["place_points"].replace(",", " ").split()
        if not all(part.isascii() and part.isdigit() and len(part) <= 5 for part in parts):
            raise ValidationError(_("Write whole numbers with blanks between them."))
        points = [int(part) for part in parts]
        if self.cleaned_data.get("by") == PLACE and not any(points):
            raise ValidationError(_("Write at least the points for the first place."))
        return points

    def clean(self) -> dict[str, Any]:
        """Make `rules` of the data; an error is shown at the field it names."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            self.rules = seasons.SHAPE.read({name: data[name] for name in seasons.SHAPE.fields})
        except DomainError as error:
            field = error.field.partition("[")[0]
            self.add_error(field if field in self.fields else None, text.standings_refusal(error))
        return data


class GroupsField(forms.CharField):
    """Groups that are written with commas between them; the value is a tuple."""

    def clean(self, value: Any) -> Any:
        """The groups. Raises ValidationError."""
        return tuple(members.clean_groups(super().clean(value)))

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else ", ".join(value or ())


class MemberForm(Form):
    """An entry as the staff write it.

    People with an account decide themselves whether they may be named, so then `named` is left out.
    """

    first_name = PersonNameField(label=_("First name"))
    last_name = PersonNameField(label=_("Last name"))
    kind = forms.ChoiceField(label=_("Kind"), choices=Member.Kind.choices)
    email = forms.EmailField(
        label=_("E-mail"), required=False, max_length=254, help_text=_("Seen only by those who keep the list.")
    )
    birth_year = forms.IntegerField(
        label=_("Year of birth"),
        required=False,
        help_text=_("For categories such as juniors; seen only by those who keep the list."),
        error_messages={"invalid": _("Write the year with four figures.")},
    )
    groups = GroupsField(
        label=_("Groups"),
        required=False,
        max_length=300,
        help_text=_(
            "Families and sub-clubs, separated by commas: people who share one are kept apart by the draw where possible."
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
        year = self.cleaned_data["birth_year"]
        return members.clean_year(year) if year is not None else None

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def details(self) -> Details:
        """The details that were entered. Only for a valid form."""
        return Details(**self.cleaned_data)


class ListForm(Form):
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

    def sought(self) -> MemberSearch:
        """The search, without the fields that are invalid."""
        self.is_valid()
        data = self.cleaned_data
        return MemberSearch(data.get("q", ""), data.get("who", ""), data.get("group", ""))


def _holds() -> list[tuple[int, str]]:
    return [(hold.days, gettext("%(days)d days") % {"days": hold.days}) for hold in HOLDS]


class InviteForm(Form):
    holds = forms.TypedChoiceField(label=_("The link is valid for"), coerce=int, choices=_holds)

    def duration(self) -> timedelta:
        """How long the link is valid; the shortest time if the choice is invalid."""
        return timedelta(days=self.cleaned_data["holds"]) if self.is_valid() else HOLDS[0]


class FileForm(Form):
    file = forms.FileField(
        label=_("List of members (CSV or xlsx)"),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx"}),
        error_messages={"required": _("Choose a file first.")},
    )
