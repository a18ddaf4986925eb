"""The outbox: what is to be told, written in the same transaction as the event it tells of."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Outbox(models.Model):
    """One notice on its way to one player: the event and its parameters, worded only when it is told.

    A row is delivered when `done_at` is set. `lease_until` belongs to the worker that is telling it now; a worker that
    died loses it, so a notice arrives at least once.
    """

    event = models.CharField(max_length=40)
    """Dotted, in the past tense where something happened: `game.turn`, `game.finished`."""
    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="+")
    params = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = "outbox"
        indexes = [models.Index(fields=["due_at"], name="outbox_due", condition=models.Q(done_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.event} for player {self.player_id}"
