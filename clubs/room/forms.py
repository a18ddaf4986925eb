"""The forms of a club itself: finding one, what it says, how people enter it. They check and hand on what doors want."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.choices import CANTONS
from accounts.names import clean_line, clean_text
from clubs.room import columns
from clubs.room.door import Person, Words
from clubs.room.forms_kit import WordedForm
from clubs.room_models import ABOUT_LENGTH, KEEPS_MONTHS, MESSAGE_LENGTH, NAME_LENGTH, PERSON_NAME_LENGTH, Club

KEEPS: Final = (6, 12, 24, 36, 60, 120)
"""Months from which a club chooses how long it keeps names."""


class SearchForm(WordedForm):
    """Which clubs one looks for."""

    q = forms.CharField(required=False, max_length=80, widget=forms.TextInput(attrs={"type": "search"}))
    canton = forms.ChoiceField(required=False)

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("q", _("Name or village"))
        self.name("canton", _("Canton"))
        self.choose("canton", [("", _("any")), *CANTONS])


class PersonForm(WordedForm):
    """How somebody enters a club themselves."""

    first_name = forms.CharField(required=False, max_length=PERSON_NAME_LENGTH)
    last_name = forms.CharField(required=False, max_length=PERSON_NAME_LENGTH)
    named = forms.BooleanField(required=False)

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("first_name", _("First name"))
        self.name("last_name", _("Last name"))
        self.name(
            "named",
            _("I may be named on public pages"),
            _(
                "Otherwise results show your initials to everybody but the people in the hall. You can change it at any time."
            ),
        )

    def clean_first_name(self) -> str:
        """On one line."""
        return columns.clean_name(self.cleaned_data["first_name"])

    def clean_last_name(self) -> str:
        """On one line."""
        return columns.clean_name(self.cleaned_data["last_name"])

    def clean(self) -> dict[str, Any]:
        """One name at least."""
        data = super().clean() or {}
        if not self.errors and "first_name" in self.fields and not (data["first_name"] or data["last_name"]):
            self.add_error("first_name", _("Write at least a first name or a last name."))
        return data

    def person(self) -> Person:
        """Who they are. Only for a valid form."""
        data = self.cleaned_data
        return Person(data.get("first_name", ""), data.get("last_name", ""), data["named"])


class AskForm(PersonForm):
    """A request to become a member."""

    message = forms.CharField(required=False, max_length=MESSAGE_LENGTH, widget=forms.Textarea(attrs={"rows": 3}))

    def say(self) -> None:
        """Put the words on the fields."""
        super().say()
        self.name("message", _("A word to the club"), _("Who you are, or whom you know there."))

    def clean_message(self) -> str:
        """Without what one cannot see."""
        return clean_text(self.cleaned_data["message"])


class TakeOverForm(PersonForm):
    """Taking over an entry: the club knows the name already."""

    def say(self) -> None:
        """Put the words on the fields."""
        super().say()
        del self.fields["first_name"], self.fields["last_name"]

    clean_first_name = None  # type: ignore[assignment]  # there is no such field here
    clean_last_name = None  # type: ignore[assignment]  # nor this one


class ClubForm(WordedForm):
    """What a club says, and how it deals with names."""

    club_name = forms.CharField(max_length=NAME_LENGTH)
    village = forms.CharField(required=False, max_length=60)
    canton = forms.ChoiceField(required=False)
    about = forms.CharField(required=False, max_length=ABOUT_LENGTH, widget=forms.Textarea(attrs={"rows": 8}))
    language = forms.ChoiceField()
    joining = forms.ChoiceField(widget=forms.RadioSelect)
    list_for = forms.ChoiceField(widget=forms.RadioSelect)
    keeps_months = forms.TypedChoiceField(coerce=int)
    found_by_search = forms.BooleanField(required=False)

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("club_name", _("Name of the club"), required=_("Write what the club is called."))
        self.name("village", _("Village or town"))
        self.name("canton", _("Canton"))
        self.name(
            "about",
            _("About the club"),
            _("When you meet, where, who is welcome. *Italics*, **bold**, lists and [links](https://…) are possible."),
        )
        self.name("language", _("Language"), _("In which its calendar and news are announced to other programs."))
        self.name("joining", _("How people become members"))
        self.name("list_for", _("Who may read the list of members"))
        self.name(
            "keeps_months",
            _("How long names are kept"),
            _("After that, results show initials, and entries of people who left are cut down to theirs."),
        )
        self.name(
            "found_by_search",
            _("Search engines may show the club’s public pages"),
            _("Without it they are asked to stay away."),
        )
        self.choose("canton", [("", _("none")), *CANTONS])
        self.choose("language", settings.LANGUAGES)
        self.choose("joining", Club.Joining.choices)
        self.choose("list_for", Club.ListFor.choices)
        self.choose("keeps_months", [(months, span(months)) for months in KEEPS])

    def clean_club_name(self) -> str:
        """On one line, with a letter in it."""
        name = clean_line(self.cleaned_data["club_name"])
        if not any(letter.isalpha() for letter in name):
            raise ValidationError(_("A name needs at least one letter."))
        return name

    def clean_village(self) -> str:
        """On one line."""
        return clean_line(self.cleaned_data["village"])

    def clean_about(self) -> str:
        """Without what one cannot see."""
        return clean_text(self.cleaned_data["about"])

    def words(self) -> Words:
        """What the club says. Only for a valid form."""
        data = self.cleaned_data
        return Words(
            name=data["club_name"],
            village=data["village"],
            canton=data["canton"],
            about=data["about"],
            language=data["language"],
            joining=data["joining"],
            list_for=data["list_for"],
            found_by_search=data["found_by_search"],
            keeps_months=data["keeps_months"],
        )

    @staticmethod
    def initial_of(club: Club | None, language: str = "en") -> dict[str, Any]:
        """What the form begins with."""
        if club is None:
            return {
                "language": language,
                "joining": Club.Joining.REQUEST,
                "list_for": Club.ListFor.STAFF,
                "keeps_months": KEEPS_MONTHS,
            }
        return {
            "club_name": club.name,
            "village": club.village,
            "canton": club.canton,
            "about": club.about,
            "language": club.language,
            "joining": club.joining,
            "list_for": club.list_for,
            "keeps_months": club.keeps_months,
            "found_by_search": club.found_by_search,
        }


def span(months: int) -> str:
    """ "six months", "2 years"."""
    if months % 12:
        return ngettext("%(months)d month", "%(months)d months", months) % {"months": months}
    years = months // 12
    return ngettext("%(years)d year", "%(years)d years", years) % {"years": years}
