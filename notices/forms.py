"""The forms of the preferences."""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from notices.models import GamePreference, Preference
from notices.registry import Kind, TurnMail, TurnPush

if TYPE_CHECKING:
    _PreferenceForm = forms.ModelForm[Preference]
    _GameForm = forms.ModelForm[GamePreference]
else:
    _PreferenceForm = _GameForm = forms.ModelForm


class _Hour(forms.TypedChoiceField):
    """A full hour of the day.

    With `no_hour`, the label of an empty choice, the field is optional and its value is a time; else it is a number.
    """

    def __init__(self, *, no_hour: Any = None, **kwargs: Any) -> None:
        hours = [(str(hour), f"{hour:02d}:00") for hour in range(24)]
        super().__init__(
            choices=hours if no_hour is None else [("", no_hour), *hours],
            coerce=int if no_hour is None else lambda hour: time(int(hour)),
            empty_value=None,
            required=no_hour is None,
            **kwargs,
        )


ROWS: Final = (
    (
        "turn",
        _("My turn"),
        _(
            "It is your turn, or the table asks you something. When time runs short you are told at once, unless you choose "
            "“not at all”."
        ),
    ),
    ("game", _("My games"), _("A game has ended, was paused, goes on; your time ran out; somebody took your seat.")),
    ("table", _("Tables"), _("You are invited; a table you wait at fills up, begins, or is given up.")),
    (
        "meeting",
        _("Finding people"),
        _("Appointments: when one is near, cancelled or proposed to you; new tables of which you want to hear."),
    ),
    ("talk", _("Chat"), _("Somebody wrote to you at a table where each move takes days, while you were not there.")),
    (
        "message",
        _("Messages"),
        _("Somebody whom you follow and who follows you wrote to you. The e-mail contains the text."),
    ),
    (
        "club",
        _("E-mails from my clubs"),
        _("One of your clubs announces an evening, or sends its result or the standings of the season."),
    ),
    ("other", _("Everything else"), _("Answers to your remarks, for example.")),
)
"""The rows of the preferences, in the order of the page: the prefix of the field names, the title, an explanation."""


KINDS: Final = {
    Kind.TURN: _("your turn"),
    Kind.DEADLINE: _("your time runs short"),
    Kind.QUESTION: _("questions at the table"),
    Kind.GAME: _("how your games go on"),
    Kind.TABLE: _("tables and invitations"),
    Kind.MEETING: _("appointments and new tables"),
    Kind.TALK: _("chat"),
    Kind.MESSAGE: _("messages"),
    Kind.CLUB: _("e-mails from clubs"),
    Kind.OTHER: _("everything else"),
    Kind.TEST: _("test messages"),
}
"""What mails are about, for a sentence."""


class PreferenceForm(_PreferenceForm):
    digest_hour = _Hour(label=_("The daily mail comes at"))
    quiet_from = _Hour(label=_("Quiet from"), no_hour=_("never"))
    quiet_to = _Hour(label=_("until"), no_hour=_("never"))

    class Meta:
        model = Preference
        fields = (
            *(f"{row}_{way}" for row, _title, _about in ROWS for way in ("mail", "push")),
            *("mail_off", "digest_hour", "quiet_from", "quiet_to"),
        )
        labels: ClassVar = {"mail_off": _("No notices by mail at all")}

    def __init__(self, data: Any = None, *, instance: Preference) -> None:
        super().__init__(data, instance=instance, label_suffix="")
        for name in ("quiet_from", "quiet_to"):
            saved: time | None = getattr(instance, name)
            self.initial[name] = None if saved is None else saved.hour

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if (data.get("quiet_from") is None) != (data.get("quiet_to") is None) and not self.errors:
            self.add_error("quiet_to", _("Give both hours, or choose “never” for both."))
        return data

    def rows(self) -> list[tuple[Promise, Promise, Any, Any]]:
        """The rows of the table: the title, an explanation, and the fields for mail and for devices."""
        return [(title, about, self[f"{row}_mail"], self[f"{row}_push"]) for row, title, about in ROWS]


class GameForm(_GameForm):
    """Preferences for one game, where they differ from the general ones."""

    class Meta:
        model = GamePreference
        fields = ("mail", "push")
        labels: ClassVar = {"mail": _("By mail"), "push": _("On my devices")}

    def __init__(self, data: Any = None, *, instance: GamePreference) -> None:
        super().__init__(data, instance=instance, label_suffix="")
        usual = ("", _("as in all my games"))
        for name, choices in (("mail", TurnMail.choices), ("push", TurnPush.choices)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [usual, *choices]
