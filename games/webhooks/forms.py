"""The form to register a webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from accounts.names import LineField
from core.forms import Form
from games.models import Game
from games.webhooks.models import URL_LENGTH


class WebhookForm(Form):
    """An address, and the games about which it is called."""

    url = LineField(
        label=_("Address"),
        help_text=_("It begins with https:// and lies on the public internet."),
        max_length=URL_LENGTH,
        error_messages={"required": _("Write the address that is to be called.")},
    )
    game = forms.ChoiceField(label=_("About"), required=False)

    def __init__(self, data: Any, player: Player) -> None:
        super().__init__(data)
        games = Game.objects.filter(seats__player=player, status=Game.Status.PLAYING, kind=Game.Kind.PLAY)
        self.games = {game.public_id: game for game in games.order_by("-created_at")[:50]}
        self.offer("game", [("", _("all my games")), *((key, key) for key in self.games)])

    def chosen(self) -> Game | None:
        """The chosen game; None for all games."""
        return self.games.get(self.cleaned_data["game"])
