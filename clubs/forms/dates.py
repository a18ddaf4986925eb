"""The forms of what a club plans and tells: dates, news, seasons."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.names import LineField, LinesField
from clubs.models import ClubDate, News, Season
from clubs.services import calendar, seasons
from clubs.text import standings
from core.forms import NOT_WHOLE, Form, LocalTimeField, ModelForm
from domain.errors import DomainError
from domain.standings.season import SeasonRules


class DateForm(ModelForm[ClubDate]):
    """A date of the club. Times are those of the hall."""

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
            "title": {"required": _("Write what takes place.")},
            "starts": {"required": _("Say when it begins.")},
        }
        widgets = {"text": forms.Textarea(attrs={"rows": 5})}

    def clean(self) -> dict[str, Any]:
        """It ends after it began."""
        data = super().clean() or {}
        if data.get("starts") and data.get("ends") and data["ends"] < data["starts"]:
            self.add_error("ends", _("It would end before it begins."))
        return data


class NewsForm(ModelForm[News]):
    """A piece of news."""

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
        error_messages={"required": _("Write what the season is called.")},
    )
    by = forms.ChoiceField(
        label=_("What an evening brings"), choices=lambda: standings.choices("by"), widget=forms.RadioSelect
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
        except DomainError as refused:
            field = refused.field.partition("[")[0]
            self.add_error(field if field in self.fields else None, standings.refusal(refused))
        return data
