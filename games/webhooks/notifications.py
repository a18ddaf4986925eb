"""The words of the notice that a webhook was turned off."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from games.webhooks.models import Webhook
from notices.registry import Key, Kind, Lookup, Params, Words, numbers

kinds: Final = {"webhooks.off": Kind.OTHER}
"""Its parameter `webhook` is the key."""


def still_true(event: str, params: Params, player: Player) -> bool:
    """True while the webhook is off."""
    return _off(params, player) is not None


def words(event: str, params: Params, player: Player, language: str) -> Words | None:
    webhook = _off(params, player)
    if webhook is None:
        return None
    line = (
        _("%(host)s answered that it wants no more calls, so it is not called any more. You can turn it on again.")
        if webhook.is_gone
        else _("%(host)s did not answer for a long time, so it is not called any more. You can turn it on again.")
    )
    return Words(
        _("A webhook of yours was turned off"),
        line % {"host": urlsplit(webhook.url).hostname or ""},
        reverse("webhooks:list"),
        f"webhook-{webhook.pk}",
    )


def _turned_off(keys: Collection[Key], player: Player) -> Mapping[Key, Webhook]:
    return Webhook.objects.filter(player=player, off_at__isnull=False).in_bulk(numbers(keys))


_off: Final = Lookup("webhook", _turned_off)
