"""Who may not begin or write anything for a while, because moderators said so."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

REASON_LENGTH = 300


class Suspension(models.Model):
    """A person is kept from new tables, from chats and from the encyclopedia. `accounts.suspending` keeps it."""

    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="suspensions")
    by = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=REASON_LENGTH)
    """Why, as the person reads it."""
    at = models.DateTimeField(default=timezone.now, editable=False)
    until = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        indexes = [
            models.Index(fields=["player", "until"], name="suspension_open", condition=models.Q(lifted_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} until {self.until:%Y-%m-%d}"
