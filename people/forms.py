"""The forms of this app: preferences about other people, and a message."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from core.forms import Form, ModelForm
from people import services
from people.models import MESSAGE_LENGTH, PeoplePreference


class PreferenceForm(ModelForm[PeoplePreference]):
    """A player's preferences about other people: a section of the preferences page."""

    class Meta:
        model = PeoplePreference
        fields = ("found_by_name", "told_of_followers")
        help_texts: ClassVar = {
            "found_by_name": _(
                "Otherwise only those find you who sit at a table with you, or who write your whole name to invite you."
            )
        }

    def __init__(self, data: Any, player: Player) -> None:
        self.player = player
        super().__init__(data, instance=services.preference_of(player))

    def write(self) -> None:
        services.keep_preference(self.player, **self.cleaned_data)


class MessageForm(Form):
    """A message. The service checks its length, and says by how much it is too long."""

    text = forms.CharField(
        label=_("Your message"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": MESSAGE_LENGTH, "dir": "auto"}),
    )
