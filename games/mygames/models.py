"""What the site remembers for a player about their games: how far they have looked, and the address of their calendar."""

from __future__ import annotations

import secrets

from django.db import models
from django.utils import timezone

from accounts.models import Player


def new_nonce() -> str:
    """What makes the address of a calendar secret, and another after it was renewed."""
    return secrets.token_hex(16)


class Seen(models.Model):
    """How far a player has looked at a game they sit in. `games.mygames.services` keeps it.

    By player and not by seat: people change seats when partners are drawn, and seats change people when a substitute comes.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(default=0)
    """The number of the last action that was shown to them."""
    at = models.DateTimeField(default=timezone.now)
    """When they last looked."""
    since = models.PositiveIntegerField(default=0)
    """What was the last action shown to them when the present visit began …"""
    until = models.PositiveIntegerField(default=0)
    """… and where the game stood then: what lies between is told to them. Equal once they have taken note."""
    away_since = models.DateTimeField(null=True, blank=True)
    """When the visit before the present one ended."""

    class Meta:
        verbose_name_plural = "seen"
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="seen_once_by_each")]

    def __str__(self) -> str:
        return f"player {self.player_id} has seen game {self.game_id} up to {self.number}"


class CalendarAddress(models.Model):
    """A player has asked for the calendar of their deadlines; without a row there is none. The address is in `games.mygames.calendar`."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="calendar_address")
    nonce = models.CharField(max_length=32, default=new_nonce, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"calendar of player {self.player_id}"
