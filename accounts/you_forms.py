"""Forms in which people say how the table behaves, when they can be expected, and what others may know of them."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts import names, rhythms
from accounts.choices import CANTONS, LANGUAGES_SPOKEN, time_zone_choices
from accounts.models import NAME_LENGTH, Player, Profile, Report

if TYPE_CHECKING:
    from accounts.rhythms import Span

    _PlayerForm = forms.ModelForm[Player]
    _ProfileForm = forms.ModelForm[Profile]
    _ReportForm = forms.ModelForm[Report]
else:
    _PlayerForm = forms.ModelForm
    _ProfileForm = forms.ModelForm
    _ReportForm = forms.ModelForm

STEP: Final = 30
"""Waking hours are chosen in steps of so many minutes."""

SHOWN_PARTS: Final = (
    ("languages", _("languages")),
    ("village", _("village or town")),
    ("canton", _("canton")),
    ("text", _("what you write about yourself")),
    ("time", _("what time it is where you are")),
)


class _OneSection(_PlayerForm):
    """A part of the preferences: saves its own fields only, since the row may have changed elsewhere meanwhile."""

    def __init__(self, data: Any = None, *, instance: Player) -> None:
        super().__init__(data, instance=instance, label_suffix="", prefix=None)

    def write(self) -> Player:
        """Save what this form holds, and nothing else."""
        player = self.save(commit=False)
        player.save(update_fields=list(self.fields))
        return player


class TableForm(_OneSection):
    """How the table behaves."""

    class Meta:
        model = Player
        fields = ("hand_order", "one_tap", "confirm_plays", "bot_pause", "plays_forced", "next_game")
        help_texts: ClassVar = {
            "one_tap": _("Otherwise the first tap lifts a card and the second plays it."),
            "confirm_plays": _("At tables with days for each card, where a slip of the finger costs more."),
            "bot_pause": _("Without it they play at once."),
            "plays_forced": _(
                "Where there are days for each card and the rules leave exactly one, the site plays it for you, after "
                "a while of its own choice, so that nobody learns anything from it."
            ),
            "next_game": _("Otherwise you stay at the table where you have just played."),
        }


def _usual_zone() -> str:
    """What the choice of no zone of one's own is called. Messages stand outside of f-strings, where they are not found."""
    usual = gettext("the usual one here")
    return f"{settings.TIME_ZONE} ({usual})"


class PlaceForm(_OneSection):
    """Which language we write to them in, and by which clock they live."""

    language = forms.ChoiceField(
        label=_("Language of letters and messages"),
        required=False,
        choices=lambda: [("", gettext("the one I last used here")), *settings.LANGUAGES],
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        choices=lambda: [("", _usual_zone()), *time_zone_choices()],
        help_text=_("Times and deadlines are told in it, and your waking hours are counted in it."),
    )

    class Meta:
        model = Player
        fields = ("language", "time_zone")


class WakingHoursForm(forms.Form):
    """From when to when, on each day of the week. A day without hours is off."""

    def __init__(self, data: Any = None, *, player: Player) -> None:
        self.player = player
        super().__init__(data, label_suffix="")
        choices = [("", gettext("off")), *((str(minute), clock(minute)) for minute in range(0, rhythms.DAY + 1, STEP))]
        for day, span in enumerate(rhythms.of(player).waking):
            start, end = span or ("", "")
            for part, value, label in (("from", start, _("from")), ("to", end, pgettext_lazy("hour", "to"))):
                self.fields[f"{part}_{day}"] = forms.ChoiceField(
                    label=label, required=False, choices=choices, initial=str(value)
                )

    def days(self) -> list[tuple[str, forms.BoundField, forms.BoundField]]:
        """Name of the day, its two fields; Monday first."""
        return [(str(WEEKDAYS[day]), self[f"from_{day}"], self[f"to_{day}"]) for day in range(7)]

    def clean(self) -> dict[str, Any]:
        """The week. Raises ValidationError for a day with one end only, or hours that `rhythms.check_week` refuses."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        week: list[Span | None] = []
        for day in range(7):
            start, end = cleaned[f"from_{day}"], cleaned[f"to_{day}"]
            if (start == "") != (end == ""):
                raise ValidationError(_("A day needs both a beginning and an end, or neither."), code="half")
            week.append((int(start), int(end)) if start else None)
        rhythms.check_week(week)
        cleaned["week"] = tuple(week)
        return cleaned

    def write(self) -> None:
        """Store the week."""
        rhythms.keep_week(self.player, self.cleaned_data["week"])


class AbsenceForm(forms.Form):
    """From which day to which day somebody will be away."""

    first_day = forms.DateField(label=_("first day away"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))
    last_day = forms.DateField(label=_("last day away"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))

    def __init__(self, data: Any = None, *, player: Player, today: date) -> None:
        self.player = player
        super().__init__(data, label_suffix="")
        for name in self.fields:
            self.fields[name].widget.attrs |= {"min": str(today), "max": str(today + rhythms.AHEAD)}

    def clean(self) -> dict[str, Any]:
        """Plan the absence: what is refused is said here. Saves, since only the days that are left can tell."""
        cleaned = super().clean() or {}
        if not self.errors:
            rhythms.plan(self.player, cleaned["first_day"], cleaned["last_day"])
        return cleaned


class ProfileForm(_ProfileForm):
    """What a member is called, and what others may know."""

    name = forms.CharField(
        label=_("Your name at the table"),
        required=False,
        max_length=NAME_LENGTH,
        help_text=_("Everybody at the table sees it. Without one you are called by your number."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    languages = forms.MultipleChoiceField(
        label=_("Languages you speak"),
        required=False,
        choices=LANGUAGES_SPOKEN,
        widget=forms.CheckboxSelectMultiple,
    )
    canton = forms.ChoiceField(label=_("Canton"), required=False, choices=(("", "–"), *CANTONS))
    shows = forms.MultipleChoiceField(
        label=_("What others may see"),
        required=False,
        choices=SHOWN_PARTS,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Profile
        fields = ("languages", "village", "canton", "text", "shows", "audience")
        labels: ClassVar = {
            "village": _("Village or town"),
            "text": _("About you"),
            "audience": _("Who may open your page"),
        }
        help_texts: ClassVar = {"text": _("Five hundred characters at most.")}
        widgets: ClassVar = {
            "text": forms.Textarea(attrs={"rows": 4}),
            "village": forms.TextInput(attrs={"autocomplete": "address-level2"}),
            "audience": forms.RadioSelect,
        }

    field_order = ["name", "languages", "village", "canton", "text", "shows", "audience"]

    def __init__(self, data: Any = None, *, instance: Profile) -> None:
        super().__init__(data, instance=instance, label_suffix="", initial={"name": instance.player.name})

    def clean_name(self) -> str:
        """The name as it is stored; nothing brings back the number the site gave."""
        name: str = self.cleaned_data["name"]
        return names.clean_name(name) if name else ""

    def clean_village(self) -> str:
        """The village, in one line of visible characters."""
        return names.clean_line(self.cleaned_data["village"])

    def clean_text(self) -> str:
        """The text, of visible characters."""
        return names.clean_text(self.cleaned_data["text"])

    def write(self) -> Profile:
        """Save the profile, and the name on the player's row."""
        profile: Profile = self.save()
        names.give(profile.player, self.cleaned_data["name"])
        return profile


class ReportForm(_ReportForm):
    """What somebody finds wrong with somebody."""

    class Meta:
        model = Report
        fields = ("reason", "text", "context")
        labels: ClassVar = {"reason": _("What is the matter?"), "text": _("What happened?")}
        help_texts: ClassVar = {"text": _("A few sentences are enough; say where and when.")}
        widgets: ClassVar = {
            "reason": forms.RadioSelect,
            "text": forms.Textarea(attrs={"rows": 5}),
            "context": forms.HiddenInput,
        }

    def __init__(self, data: Any = None, *, context: str = "") -> None:
        super().__init__(data, label_suffix="", initial={"context": context})
        # No "---------" among the reasons.
        self.fields["reason"].choices = Report.Reason.choices  # type: ignore[attr-defined]  # a choice field

    def clean_text(self) -> str:
        """The text, of visible characters. Raises ValidationError where "something else" is left without words."""
        text = names.clean_text(self.cleaned_data["text"])
        if not text and self.cleaned_data.get("reason") == Report.Reason.OTHER:
            raise ValidationError(_("Please say what happened."), code="required")
        return text

    def clean_context(self) -> str:
        """The page it is about, if it is one of ours; else nothing."""
        path: str = self.cleaned_data["context"]
        return path if path.startswith("/") and not path.startswith("//") and path.isprintable() else ""


def clock(minute: int) -> str:
    """Minutes after midnight as they are written: 480 is 08:00, 1440 is 24:00."""
    return f"{minute // 60:02}:{minute % 60:02}"
