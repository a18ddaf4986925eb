"""Online rounds as they are stored: projections of the log of their tournament, by which the worker finds what is due.

The log says which game belongs to which table and when a round ends; `clubs.online.projecting` writes these rows with it,
and `manage.py rebuild_tournaments` makes them anew. Who was invited is kept here alone.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Player
from clubs.tournament_models import Tournament
from games.board_models import BoardSet
from games.models import Game

KEY_LENGTH = 20


class OnlineRound(models.Model):
    """A round that is out and played online, and when the worker has to look at it next."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="online_rounds")
    key = models.CharField(max_length=KEY_LENGTH)
    published_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    remind_at = models.DateTimeField(null=True, blank=True)
    """When those who are asked are reminded of the deadline; empty once they were."""
    due_at = models.DateTimeField(null=True, blank=True)
    """When something may be due: games to be laid, reminders, the deadline, the next round."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="online_round_once")]
        indexes = [
            models.Index(fields=["due_at"], name="online_round_due", condition=Q(due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"round {self.key} of tournament {self.tournament_id}"


class OnlineTable(models.Model):
    """A table of an online round and the game that is laid for it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="online_tables")
    key = models.CharField(max_length=KEY_LENGTH)
    game = models.OneToOneField(Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="online_table")
    board_set = models.ForeignKey(BoardSet, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    """The deals that all tables of its round play; empty where each plays its own."""
    deadline_at = models.DateTimeField(null=True, blank=True)
    begun_at = models.DateTimeField(null=True, blank=True)
    reported_at = models.DateTimeField(null=True, blank=True)
    """Since when it counts: its game has reported, or the director, or a forfeit, has decided it."""
    late = models.BooleanField(default=False)
    late_at = models.DateTimeField(null=True, blank=True)
    """Since when it is postponed."""
    again_at = models.DateTimeField(null=True, blank=True)
    """No projection: its report was refused, and is not tried again before."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="online_table_once")]
        indexes = [
            models.Index(fields=["game"], name="online_table_open", condition=Q(reported_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"table {self.key} of tournament {self.tournament_id}"


class TournamentInvitation(models.Model):
    """Somebody was invited to enter: told once."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "player"], name="invited_to_tournament_once")]

    def __str__(self) -> str:
        return f"player {self.player_id} invited to tournament {self.tournament_id}"
