"""The forms of what a club plans and tells: dates, news, seasons."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.names import clean_line, clean_text
from clubs import words
from clubs.room import seasons
from clubs.room.calendar import Plan
from clubs.room.forms_kit import WordedForm
from clubs.room_models import NEWS_LENGTH, Season
from clubs.standings.refused import StandingsRefused
from clubs.standings.season import SeasonRules

_LOCAL: Final = "%Y-%m-%dT%H:%M"


class DateForm(WordedForm):
    """A date of the club. Times are those of the hall."""

    title = forms.CharField(max_length=100)
    starts = forms.DateTimeField(widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_LOCAL))
    ends = forms.DateTimeField(
        required=False, widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_LOCAL)
    )
    place = forms.CharField(required=False, max_length=120)
    text = forms.CharField(required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 5}))

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("title", _("What"), required=_("Write what takes place."))
        self.name("starts", _("Begins"), required=_("Say when it begins."))
        self.name("ends", _("Ends"), _("May be left empty."))
        self.name("place", _("Where"))
        self.name("text", _("More about it"))
        for field in ("starts", "ends"):
            self.fields[field].error_messages["invalid"] = _("Write day and time, as 2026-12-31 19:30.")

    def clean_title(self) -> str:
        """On one line."""
        return clean_line(self.cleaned_data["title"])

    def clean_place(self) -> str:
        """On one line."""
        return clean_line(self.cleaned_data["place"])

    def clean_text(self) -> str:
        """Without what one cannot see."""
        return clean_text(self.cleaned_data["text"])

    def clean(self) -> dict[str, Any]:
        """It ends after it began."""
        data = super().clean() or {}
        if data.get("starts") and data.get("ends") and data["ends"] < data["starts"]:
            self.add_error("ends", _("It would end before it begins."))
        return data

    def plan(self) -> Plan:
        """What was written. Only for a valid form."""
        data = self.cleaned_data
        return Plan(data["title"], data["starts"], data["ends"], data["place"], data["text"])


class NewsForm(WordedForm):
    """A piece of news."""

    title = forms.CharField(max_length=100)
    text = forms.CharField(max_length=NEWS_LENGTH, widget=forms.Textarea(attrs={"rows": 10}))

    def say(self) -> None:
        """Put the words on the fields."""
        self.name("title", _("Title"), required=_("Write a title."))
        self.name(
            "text",
            _("Text"),
            _("Everybody can read it. *Italics*, **bold**, lists and [links](https://…) are possible."),
            required=_("Write what there is to tell."),
        )

    def clean_title(self) -> str:
        """On one line."""
        return clean_line(self.cleaned_data["title"])

    def clean_text(self) -> str:
        """Without what one cannot see."""
        return clean_text(self.cleaned_data["text"])


class SeasonForm(WordedForm):
    """A season and how its evenings are added up."""

    season_name = forms.CharField(max_length=80)
    by = forms.ChoiceField(widget=forms.RadioSelect)
    place_points = forms.CharField(required=False, max_length=600)
    best = forms.IntegerField(min_value=0, max_value=100)
    attendance = forms.IntegerField(min_value=0, max_value=10_000)
    fewest = forms.IntegerField(min_value=0, max_value=100)

    rules: SeasonRules

    def say(self) -> None:
        """Put the words on the fields."""
        self.name(
            "season_name", _("Name"), _("Such as “Winter 2026/27”."), required=_("Write what the season is called.")
        )
        self.name("by", _("What an evening brings"))
        self.name(
            "place_points",
            _("Points for places"),
            _(
                "The first place first, with blanks between the numbers. Later places get nothing; equals get the average."
            ),
        )
        self.name("best", _("How many evenings count"), _("The best ones of each person. 0: all of them."))
        self.name("attendance", _("Points for being there"), _("For every evening, counted or not."))
        self.name("fewest", _("Evenings needed for a rank"), _("0: no such rule."))
        self.choose("by", words.choices("by"))
        for field in ("best", "attendance", "fewest"):
            self.fields[field].error_messages["invalid"] = _("Write a whole number.")

    def clean_season_name(self) -> str:
        """On one line."""
        return clean_line(self.cleaned_data["season_name"])

    def clean_place_points(self) -> list[int]:
        """The single numbers."""
        parts = self.cleaned_data["place_points"].replace(",", " ").split()
        if not all(part.isascii() and part.isdigit() and len(part) <= 5 for part in parts):
            raise ValidationError(_("Write whole numbers with blanks between them."))
        return [int(part) for part in parts]

    def clean(self) -> dict[str, Any]:
        """The rules of what was written; what they refuse is told at the field."""
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            self.rules = seasons.from_plain(data)
        except StandingsRefused as refused:
            field = refused.field.partition("[")[0]
            self.add_error(field if field in self.fields else None, words.refusal(refused))
        return data

    @staticmethod
    def initial_of(season: Season | None) -> dict[str, Any]:
        """What the form begins with."""
        rules = seasons.rules_of(season) if season is not None else SeasonRules()
        return {
            "season_name": season.name if season is not None else "",
            "by": rules.by,
            "place_points": " ".join(map(str, rules.place_points)),
            "best": rules.best,
            "attendance": rules.attendance,
            "fewest": rules.fewest,
        }
