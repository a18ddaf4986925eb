"""What the site remembers for a player about their games: how far they have seen them, and the address of their
calendar."""

from __future__ import annotations

import secrets

from django.db import models
from django.utils import timezone

from accounts.models import Player


def new_nonce() -> str:
    """A random part of the address of a calendar. It keeps the address secret, and a new one makes a new address."""
    return secrets.token_hex(16)


class Seen(models.Model):
    """How far a player has seen a game in which they sit. Written by `games.mygames.services`.

    It belongs to the player, not to the seat: people change seats when partners are drawn, and a substitute takes over
    a seat.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(default=0)
    """The number of the last action that was shown to them."""
    at = models.DateTimeField(default=timezone.now)
    """When they last looked."""
    since = models.PositiveIntegerField(default=0)
    """The number of the last action that they had seen when the present visit began."""
    until = models.PositiveIntegerField(default=0)
    """The number of the game's last action at that time. Actions after `since` are news; equal once these are
    dismissed."""
    away_since = models.DateTimeField(null=True, blank=True)
    """When the visit before the present one ended."""

    class Meta:
        verbose_name_plural = "seen"
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="seen_once_by_each")]

    def __str__(self) -> str:
        return f"player {self.player_id} has seen game {self.game_id} up to {self.number}"


class CalendarAddress(models.Model):
    """The calendar of a player who asked for one; without a row there is none.

    `games.mygames.calendar` makes its address.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="calendar_address")
    nonce = models.CharField(max_length=32, default=new_nonce, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"calendar of player {self.player_id}"
