"""Addresses that players have registered, and pending calls to them."""

from __future__ import annotations

import secrets
from typing import Final

from django.db import models
from django.utils import timezone

from accounts.models import Player

URL_LENGTH = 500
GONE: Final = 410
"""The status by which an address says that it wants no more calls."""


def status_problem(status: int) -> str:
    """The problem of a call that was answered with `status`."""
    return f"status {status}"


def new_nonce() -> str:
    """A random value from which the secret of a webhook is made, together with the key of the site."""
    return secrets.token_urlsafe(24)


class Webhook(models.Model):
    """An address of a player that is called about one game or, without `game`, about all their games."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey("games.Game", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    url = models.CharField(max_length=URL_LENGTH)
    nonce = models.CharField(max_length=32, default=new_nonce)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    called_at = models.DateTimeField(null=True, blank=True)
    """The last successful call."""
    failures = models.PositiveSmallIntegerField(default=0)
    """How many calls in a row have failed."""
    problem = models.CharField(max_length=60, blank=True)
    """Why the last call failed, as a short English phrase."""
    off_at = models.DateTimeField(null=True, blank=True)
    """When it was turned off after too many failures; None while it is called."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of player {self.player_id}"

    @property
    def is_gone(self) -> bool:
        """Whether the address has answered that it wants no more calls."""
        return self.problem == status_problem(GONE)


class Call(models.Model):
    """A pending call. Its content is only made when it is sent, so one for each game is enough."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="calls")
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    events = models.PositiveIntegerField(default=1)
    """The number of notices for this call. If it grows while the call is being made, another call follows."""
    due_at = models.DateTimeField(db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["webhook", "game"], name="one_call_for_a_game")]

    def __str__(self) -> str:
        return f"call of webhook {self.webhook_id} about game {self.game_id}"
