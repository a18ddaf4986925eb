"""The notice somebody sends themselves, to see whether letters and messages arrive."""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from notices.telling import Params, Words

EVENT: Final = "notices.test"
CHANNELS: Final = ("mail", "push")


class Trial:
    """Speaks for `notices.test`; its parameter `channel` says which way it goes."""

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """It was asked for."""
        return event == EVENT and params.get("channel") in CHANNELS

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """That it works."""
        return Words(
            subject=_("It works"),
            line=_("This is the trial you asked for. Whatever you want to be told will arrive here."),
            url=reverse("notices:preferences"),
            tag="trial",
        )


TRIAL: Final = Trial()
