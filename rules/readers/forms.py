"""The short forms for readers' contributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Player, Profile
from core.forms import Form
from rules.readers import sounds
from rules.readers.models import MEANING_LENGTH, NAME_LENGTH, VILLAGE_LENGTH, WORD_LENGTH, Saying


class SayingForm(Form):
    """How you say it, where, how sure you are, and optionally your name."""

    sent_as = {"name": "told_by"}

    text = forms.CharField(label=_("How you say it"), max_length=WORD_LENGTH)
    village = forms.CharField(label=_("Village"), max_length=VILLAGE_LENGTH)
    sure = forms.ChoiceField(label=_("How sure are you?"), choices=Saying.Sure.choices, initial=Saying.Sure.OWN)
    name = forms.CharField(label=_("Your name, if it may be shown"), max_length=NAME_LENGTH, required=False)

    def __init__(self, *args: Any, player: Player | None = None, **kwargs: Any) -> None:
        given = {"village": village_of(player), **(kwargs.pop("initial", None) or {})}
        super().__init__(*args, initial=given, **{"auto_id": "say-%s", **kwargs})
        self.fields["text"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        self.fields["village"].widget.attrs |= {"list": "say-villages", "autocomplete": "address-level2"}
        self.fields["name"].widget.attrs |= {"autocomplete": "name"}


class NewWordForm(SayingForm):
    """The form for a word that the glossary lacks, with its meaning.

    If `is_known`, words of the same spelling exist, and the form asks whether this is a different one.
    """

    field_order = ("text", "other", "meaning", "village", "sure", "name")

    meaning = forms.CharField(
        label=_("What it means"), max_length=MEANING_LENGTH, widget=forms.Textarea(attrs={"rows": 2})
    )
    other = forms.BooleanField(label=_("I mean something else by it"), required=False)

    def __init__(self, *args: Any, is_known: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_known:
            del self.fields["other"]


class RecordingForm(Form):
    """Which word was spoken, the sound, the village, optionally a name, and the consent to publish it."""

    sent_as = {"name": "told_by"}

    text = forms.ChoiceField(label=_("Which word"))
    sound = forms.FileField(label=_("Recording"), max_length=200, allow_empty_file=False)
    village = forms.CharField(label=_("Village"), max_length=VILLAGE_LENGTH)
    name = forms.CharField(label=_("Your name, if it may be shown"), max_length=NAME_LENGTH, required=False)
    agreed = forms.BooleanField(
        label=_("My voice may be published here with the village, for everybody to use."),
        error_messages={"required": _("Without this we cannot publish your recording.")},
    )

    def __init__(self, *args: Any, words: Sequence[str], player: Player | None = None, **kwargs: Any) -> None:
        given = {"village": village_of(player), **(kwargs.pop("initial", None) or {})}
        super().__init__(*args, initial=given, **{"auto_id": "record-%s", **kwargs})
        self.offer("text", [(word, word) for word in words])
        self.fields["sound"].widget.attrs |= {"accept": "audio/webm,audio/ogg,.opus", "capture": True}
        self.fields["village"].widget.attrs |= {"list": "say-villages", "autocomplete": "address-level2"}
        self.fields["name"].widget.attrs |= {"autocomplete": "name"}

    def clean_sound(self) -> bytes:
        """Check the file and return its bytes; `services.record` stores what kind of sound they are."""
        file = self.cleaned_data["sound"]
        if file.size > sounds.MOST_BYTES:
            raise forms.ValidationError(SOUND_WORDS["large"])
        data: bytes = file.read()
        try:
            sounds.read(data)
        except sounds.NotASound as error:
            raise forms.ValidationError(SOUND_WORDS[error.code]) from None
        return data


SOUND_WORDS: Final = {
    "kind": _("This is no recording that we can take: send Opus sound in WebM or Ogg."),
    "large": _("The recording is too large: at most 200 kB."),
    "long": _("The recording is too long: at most ten seconds."),
    "short": _("There is nothing in the recording. Speak after pressing the button."),
}


def village_of(player: Player | None) -> str:
    """The village in a member's profile, so that they need not type it again; only they see the form."""
    if player is None or not player.is_member:
        return ""
    return Profile.objects.filter(player=player).values_list("village", flat=True).first() or ""
