"""The notice that people send to themselves, to see whether mails and messages arrive."""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from notices.registry import Kind, Params, Words

EVENT: Final = "notices.test"
CHANNELS: Final = ("mail", "push")
kinds: Final = {EVENT: Kind.TEST}
"""The parameter `channel` says by which channel it is sent."""


def still_true(event: str, params: Params, player: Player) -> bool:
    return event == EVENT and params.get("channel") in CHANNELS


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    return Words(
        subject=_("It works"),
        line=_("This is the test message you asked for. Whatever you want to be told will arrive here."),
        url=reverse("notices:preferences"),
        tag="trial",
    )
