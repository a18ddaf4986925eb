"""The form with which a webhook is registered."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.names import LineField
from games.models import Game
from games.webhooks.models import URL_LENGTH


class WebhookForm(forms.Form):
    """An address, and about which games it is called."""

    url = LineField(
        label=_("Address"),
        help_text=_("It begins with https:// and lies on the public internet."),
        max_length=URL_LENGTH,
        error_messages={"required": _("Write the address that is to be called.")},
    )
    game = forms.ChoiceField(label=_("About"), required=False)

    def __init__(self, data: Any, player: Player) -> None:
        super().__init__(data, label_suffix="")
        games = Game.objects.filter(seats__player=player, status=Game.Status.PLAYING, kind=Game.Kind.PLAY)
        self.found = {game.public_id: game for game in games.order_by("-created_at")[:50]}
        field = self.fields["game"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("all my games")), *((key, key) for key in self.found)]

    def chosen(self) -> Game | None:
        """The game that was chosen; None for all."""
        return self.found.get(self.cleaned_data["game"])
