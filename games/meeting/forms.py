"""Forms for finding people: a wish, an appointment, an alert."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.choices import LANGUAGES_SPOKEN
from accounts.names import LineField
from core.forms import Form, LocalTimeField
from domain.engine.rulesets import ruleset
from domain.pace import Kind
from games.lobby import text as lobby
from games.meeting import text
from games.meeting.models import REASON_LENGTH, Alert
from games.meeting.services.appointments import Plan
from games.meeting.services.wishes import WishTerms, is_live
from games.selectors import rulesets

SOONEST: Final = timedelta(minutes=30)
FURTHEST: Final = timedelta(days=60)
USUAL_HOUR: Final = 20
SIZES: Final = range(3, 9)
WEEK: Final = range(7)
_ANY_LANGUAGE: Final = ("", gettext_lazy("any"))


def _games() -> list[tuple[object, object]]:
    return [(game, rulesets.game_name(game)) for game in rulesets.ORDER]


def _paces(kind: Kind | None = None) -> list[tuple[object, object]]:
    offered = [pace for pace in lobby.offered_paces() if pace.terms is not None and kind in (None, pace.kind)]
    return [(pace.id, text.pace_name(pace.id)) for pace in offered]


def _hours() -> list[tuple[object, object]]:
    return [(hour, text.hour_words(hour)) for hour in range(24)]


class _Ticks(forms.TypedMultipleChoiceField):
    """Any number of choices, as checkboxes."""

    widget = forms.CheckboxSelectMultiple


class WishForm(Form):
    """A wish: any of the games, at any of the paces."""

    games = _Ticks(
        label=gettext_lazy("Games"),
        choices=_games,
        initial=["troccas"],
        error_messages={"required": gettext_lazy("Tick at least one game.")},
    )
    sizes = _Ticks(
        label=gettext_lazy("How many players"),
        help_text=gettext_lazy("Only for Troggu, which is played by three to eight."),
        choices=[(size, str(size)) for size in SIZES],
        coerce=int,
        initial=[4, 5],
        required=False,
    )
    paces = _Ticks(
        label=gettext_lazy("Paces"),
        choices=_paces,
        initial=[lobby.USUAL],
        error_messages={"required": gettext_lazy("Tick at least one pace.")},
    )
    weekdays = _Ticks(
        label=gettext_lazy("Evenings"),
        help_text=gettext_lazy(
            "Only if you would also play live. You are asked whether you come before anything is fixed."
        ),
        choices=lambda: [(day, text.weekday_name(day)) for day in WEEK],
        coerce=int,
        required=False,
    )
    hour = forms.TypedChoiceField(
        label=gettext_lazy("From"),
        choices=_hours,
        coerce=int,
        initial=USUAL_HOUR,
        required=False,
        empty_value=str(USUAL_HOUR),
    )
    languages = _Ticks(
        label=gettext_lazy("Languages"),
        help_text=gettext_lazy("Tick none if any will do."),
        choices=LANGUAGES_SPOKEN,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Add errors for a live pace without an evening, and for games that cannot be played at a chosen size."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        live = any(is_live(pace) for pace in data.get("paces", ()))
        if live and not data.get("weekdays") and "weekdays" not in self.errors:
            self.add_error("weekdays", ValidationError(_("Tick the evenings on which you can play live.")))
        if not live:
            data["weekdays"] = []
        games = data.get("games", ())
        unplayable = [
            rulesets.game_name(game)
            for game in games
            if len(ruleset(game).sizes) > 1 and not set(ruleset(game).sizes) & set(data.get("sizes", ()))
        ]
        if unplayable and "sizes" not in self.errors:
            names = ", ".join(unplayable)
            self.add_error("sizes", ValidationError(_("Tick how many should play %(games)s.") % {"games": names}))
        if all(len(ruleset(game).sizes) == 1 for game in games):
            data["sizes"] = []
        return data

    def terms(self) -> WishTerms:
        """Only for a valid form."""
        data = self.cleaned_data
        names = ("games", "paces", "sizes", "weekdays", "languages")
        return WishTerms(**{name: data[name] for name in names}, hour=int(data["hour"]))


def _next_sunday() -> datetime:
    """The next Sunday evening in the reader's time zone, when most people can play."""
    now = timezone.localtime()
    day = now.date() + timedelta(days=(6 - now.weekday()) or 7)
    return timezone.make_aware(datetime.combine(day, time(USUAL_HOUR)))


class AppointmentForm(Form):
    """A live game at a future time."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), choices=lambda: list(_variants()))
    starts_at = LocalTimeField(label=gettext_lazy("When"), initial=_next_sunday)
    hands = forms.IntegerField(
        label=gettext_lazy("Hands"),
        help_text=gettext_lazy("How many hands make the game."),
        initial=4,
        min_value=1,
        error_messages={"invalid": gettext_lazy("Write a whole number.")},
    )
    pace = forms.ChoiceField(label=gettext_lazy("Pace"), choices=lambda: _paces(Kind.LIVE))
    language = forms.ChoiceField(
        label=gettext_lazy("Language at the table"), choices=[_ANY_LANGUAGE, *LANGUAGES_SPOKEN], required=False
    )
    note = LineField(label=gettext_lazy("A word to the others"), max_length=REASON_LENGTH, required=False)

    def clean_starts_at(self) -> datetime:
        """The time. Raises ValidationError if it is too soon for others to hear of it, or too far away."""
        at: datetime = self.cleaned_data["starts_at"]
        if at < timezone.now() + SOONEST:
            raise ValidationError(_("Choose a time that is at least half an hour away, so that others learn of it."))
        if at > timezone.now() + FURTHEST:
            raise ValidationError(_("Choose a day within the next two months."))
        return at

    def clean(self) -> dict[str, Any]:
        """Add an error if the game cannot have that number of hands."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "game" in data and "hands" in data:
            game, size = _variant(data["game"])
            rules = ruleset(game, ruleset(game).version, size)
            option = next(option for option in rules.options if option.name == "hands")
            if not option.low <= data["hands"] <= option.high:
                between = {"low": option.low, "high": option.high}
                self.add_error("hands", ValidationError(_("Write a number from %(low)d to %(high)d.") % between))
        return data

    def plan(self) -> Plan:
        """Only for a valid form."""
        data = self.cleaned_data
        game, size = _variant(data["game"])
        return Plan(game, size, data["hands"], data["pace"], data["starts_at"], data["language"], data["note"])


def _variants() -> Iterable[tuple[str, str]]:
    for game in rulesets.ORDER:
        for size in ruleset(game).sizes:
            yield f"{game}:{size}", text.game_of(game, size)


def _variant(code: str) -> tuple[str, int]:
    game, _colon, size = code.partition(":")
    return game, int(size)


class CancelForm(Form):
    reason = LineField(
        label=gettext_lazy("Why"),
        help_text=gettext_lazy("Whoever said yes reads it."),
        max_length=REASON_LENGTH,
        error_messages={"required": gettext_lazy("Say in a few words why, so that the others know.")},
    )


class AlertForm(Form):
    """The kind of new tables to be told of; empty fields match every table."""

    games = _Ticks(
        label=gettext_lazy("Games"), help_text=gettext_lazy("Tick none for any game."), choices=_games, required=False
    )
    pace = forms.ChoiceField(
        label=gettext_lazy("Pace"),
        required=False,
        choices=[
            ("", gettext_lazy("any")),
            (Alert.Pace.DAYS, gettext_lazy("days")),
            (Alert.Pace.LIVE, gettext_lazy("live")),
        ],
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"), choices=[_ANY_LANGUAGE, *LANGUAGES_SPOKEN], required=False
    )
