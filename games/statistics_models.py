"""What players did in hands that are over, as rows one can count, and whom they let see it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Player


class PlayedSeat(models.Model):
    """What one seat did in one hand that was played to its end: a projection of the log, written with the hand's last
    action (`games.counting`), made anew by `manage.py rebuild`.

    Only of games that count: not of lessons and practice tables.
    """

    hand = models.ForeignKey("games.GameHand", on_delete=models.CASCADE, related_name="played_seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="played_seats")
    """Who played it: who made most of the seat's moves. A computer player, where it acted more than the person."""
    shared = models.BooleanField(default=False)
    """Whether somebody else made some of the moves."""
    at = models.DateTimeField()
    month = models.PositiveIntegerField()
    """Of `at`, in UTC, as 202611."""
    ruleset = models.CharField(max_length=40)
    table_size = models.PositiveSmallIntegerField()
    people_only = models.BooleanField()
    """Whether all seats of the hand were played by people."""

    # as `games.engine.tally.SeatTally` has them
    party = models.PositiveSmallIntegerField()
    dealer = models.BooleanField()
    role = models.CharField(max_length=8, blank=True)
    score = models.IntegerField()
    points = models.SmallIntegerField()
    outcome = models.SmallIntegerField()
    tricks = models.PositiveSmallIntegerField()
    honours = models.PositiveSmallIntegerField()
    calls = models.PositiveSmallIntegerField()
    calls_met = models.PositiveSmallIntegerField()
    jacks_called = models.PositiveSmallIntegerField()
    fool = models.CharField(max_length=5, blank=True)
    bagat = models.CharField(max_length=5, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hand", "seat"], name="seat_played_once")]
        indexes = [models.Index(fields=["player", "ruleset", "table_size", "at"], name="played_by")]

    def __str__(self) -> str:
        return f"player {self.player_id} at seat {self.seat} of hand {self.hand_id}: {self.score}"


class Audience(models.TextChoices):
    """Who may see somebody's statistics. Whoever blocked the other, or is blocked by them, never may."""

    EVERYBODY = "everybody", _("everybody")
    COMPANY = "company", _("those I play with")
    ONLY_ME = "only-me", _("only me")


class StatisticsAudience(models.Model):
    """Who may see the statistics of one player; without a row, those they play with."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="statistics_audience")
    audience = models.CharField(max_length=9, choices=Audience.choices, default=Audience.COMPANY)

    def __str__(self) -> str:
        return f"statistics of player {self.player_id}: {self.audience}"
