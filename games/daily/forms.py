"""The form of a member's preferences for the daily deal."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import availability
from accounts.models import Player
from core.forms import Form
from games.daily.models import DailyWishes
from notices import preferences


class WishesForm(Form):
    """Whether to show the name and the replay, and the hour of the reminder."""

    shows_name = forms.BooleanField(label=gettext_lazy("Show my name in the daily deal"), required=False)
    shows_play = forms.BooleanField(
        label=gettext_lazy("Let others see how I played"),
        required=False,
        help_text=gettext_lazy(
            "A link to the replay of your game, once the day is open. The replay names you, so it needs your name."
        ),
    )
    remind_hour = forms.TypedChoiceField(
        label=gettext_lazy("Remind me once a day"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=gettext_lazy("By the clock where you live, and only if you have not begun the day’s deal by then."),
    )

    def __init__(self, data: Any, player: Player) -> None:
        row = DailyWishes.objects.filter(player=player).first() or DailyWishes(player=player)
        initial = {"shows_name": row.shows_name, "shows_play": row.shows_play, "remind_hour": row.remind_hour}
        super().__init__(data, initial=initial)
        self.player = player
        hours = ((hour, _("at %(hour)d:00") % {"hour": hour}) for hour in range(24))
        self.offer("remind_hour", [("", _("not at all")), *hours])

    def clean(self) -> dict[str, Any]:
        """Add an error if the replay is to be shown but not the name, since the replay names the player."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("shows_play") and not data.get("shows_name"):
            self.add_error(
                "shows_play", ValidationError(_("The replay names you: show your name as well."), code="name")
            )
        return data

    def write(self, now: datetime) -> None:
        """Save the preferences, with the moment of the next reminder. Only for a valid form."""
        hour = self.cleaned_data["remind_hour"]
        at = preferences.next_digest(now, hour, availability.zone_of(self.player)) if hour is not None else None
        DailyWishes.objects.update_or_create(player=self.player, defaults={**self.cleaned_data, "remind_at": at})
