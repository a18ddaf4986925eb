"""Who may see a player's statistics."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Player


class Audience(models.TextChoices):
    """Who may see a player's statistics. People whom they blocked, or who blocked them, never may."""

    EVERYBODY = "everybody", _("everybody")
    COMPANY = "company", _("those I play with")
    ONLY_ME = "only-me", _("only me")


class StatisticsAudience(models.Model):
    """Who may see the statistics of one player; without a row, the people they play with."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="statistics_audience")
    audience = models.CharField(max_length=9, choices=Audience.choices, default=Audience.COMPANY)

    def __str__(self) -> str:
        return f"statistics of player {self.player_id}: {self.audience}"
