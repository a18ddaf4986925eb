"""Registering webhooks, and noting that one must be called. `games.webhooks.tasks` makes the calls."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Player
from core.prepared_queries import prepared
from games.models import Game
from games.webhooks.exceptions import WebhookError
from games.webhooks.models import URL_LENGTH, Call, Webhook, new_nonce
from notices import push
from notices.models import Outbox

MOST: Final = 10
"""Webhooks of one person."""
_SALT: Final = "games.webhooks"


def secret_of(webhook: Webhook) -> str:
    """The secret with which its calls are signed: 64 hexadecimal digits, which are not stored anywhere."""
    return salted_hmac(_SALT, webhook.nonce, algorithm="sha256").hexdigest()


def register(player: Player, url: str, game: Game | None = None) -> Webhook:
    """Register `url` to be called about `game`, or about all games of the player.

    Raises ``members-only-webhooks``, ``no-address``, ``too-many-webhooks``. Locks the player's row.
    """
    if not player.is_member:
        raise WebhookError("members-only-webhooks")
    _check(url)
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)  # the count of webhooks must be exact
        if webhooks_of(player).count() >= MOST:
            raise WebhookError("too-many-webhooks")
        return Webhook.objects.create(player=player, game=game, url=url)


def _check(url: str) -> None:
    try:
        push.check_endpoint(url)
    except push.Refused:
        raise WebhookError("no-address") from None
    if len(url) > URL_LENGTH:
        raise WebhookError("no-address")


def webhooks_of(player: Player) -> QuerySet[Webhook]:
    return Webhook.objects.filter(player=player).select_related("game")


def find(player: Player, key: int) -> Webhook:
    """A webhook of the player. Raises ``no-such-webhook``."""
    webhook = webhooks_of(player).filter(pk=key).first()
    if webhook is None:
        raise WebhookError("no-such-webhook")
    return webhook


def remove(player: Player, key: int) -> None:
    """Delete a webhook of the player, with its pending calls. Raises ``no-such-webhook``."""
    find(player, key).delete()


def renew(player: Player, key: int) -> Webhook:
    """Give a webhook another secret, and turn it on again if it was off. Raises ``no-such-webhook``."""
    webhook = find(player, key)
    webhook.nonce, webhook.off_at, webhook.failures, webhook.problem = new_nonce(), None, 0, ""
    webhook.save(update_fields=["nonce", "off_at", "failures", "problem"])
    return webhook


@prepared
def _webhooks_for(player: int, public_id: str) -> QuerySet[Webhook]:
    concerned = Q(game__isnull=True) | Q(game__public_id=public_id)
    return Webhook.objects.filter(concerned, player=player, off_at__isnull=True)


def note(row: Outbox) -> None:
    """Note that the webhooks of a player must be called about a game, because of a notice to them.

    Called with every notice that is due. Notices about the same game share one pending call. One query without
    webhooks.
    """
    public_id = row.params.get("game")
    if not isinstance(public_id, str) or not row.event.startswith("game."):
        return
    webhooks = _webhooks_for(row.player.current.pk, public_id)
    game = Game.objects.filter(public_id=public_id).first() if webhooks else None
    if game is None:
        return
    for webhook in webhooks:
        _call, created = Call.objects.get_or_create(webhook=webhook, game=game, defaults={"due_at": timezone.now()})
        if not created:
            Call.objects.filter(webhook=webhook, game=game).update(events=F("events") + 1)
