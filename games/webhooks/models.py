"""Addresses that players have registered, and the calls that are on their way to them."""

from __future__ import annotations

import secrets

from django.db import models
from django.utils import timezone

from accounts.models import Player

URL_LENGTH = 500


def new_nonce() -> str:
    """What the secret of a webhook is made from, together with the key of the site."""
    return secrets.token_urlsafe(24)


class Webhook(models.Model):
    """An address of a player's own that is called about one game, or (`game` empty) about all their games."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey("games.Game", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    url = models.CharField(max_length=URL_LENGTH)
    nonce = models.CharField(max_length=32, default=new_nonce)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    called_at = models.DateTimeField(null=True, blank=True)
    """When it last answered that it was told."""
    failures = models.PositiveSmallIntegerField(default=0)
    """How many calls in a row came to nothing."""
    problem = models.CharField(max_length=60, blank=True)
    """What the last of them came to: a short English phrase."""
    off_at = models.DateTimeField(null=True, blank=True)
    """Since when it is not called any more, because it never answered."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of player {self.player_id}"


class Call(models.Model):
    """One call that is due. What it says is found when it is made, so that one for each game is enough."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="calls")
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    events = models.PositiveIntegerField(default=1)
    """How often something has happened: what came while a call was made is told by another one."""
    due_at = models.DateTimeField(db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["webhook", "game"], name="one_call_for_a_game")]

    def __str__(self) -> str:
        return f"call of webhook {self.webhook_id} about game {self.game_id}"
