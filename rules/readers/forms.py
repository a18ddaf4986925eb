"""The short forms of readers."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Player, Profile
from core.forms import Form
from rules.readers.models import NAME_LENGTH, VILLAGE_LENGTH, WORD_LENGTH, Saying


class SayingForm(Form):
    """How you say it, where, how sure, and your name or nothing."""

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


def village_of(player: Player | None) -> str:
    """The village a member has named, so that they need not write it again; only they see the form."""
    if player is None or not player.is_member:
        return ""
    return Profile.objects.filter(player=player).values_list("village", flat=True).first() or ""
