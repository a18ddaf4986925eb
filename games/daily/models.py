"""The daily deal: the deal of each day, who has played it, and people's preferences.

The deal itself is a set of one shared deal (`games.models`). Points are only written when the day is open; until then,
a result is only in its game.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import Player
from games.models import BoardSet


class DailyDay(models.Model):
    """The deal of one day in Switzerland."""

    date = models.DateField(unique=True)
    board_set = models.OneToOneField(BoardSet, on_delete=models.PROTECT, related_name="daily")
    lane = models.PositiveSmallIntegerField()
    """The cards that the person gets: those of the seat this many places after the dealer."""
    computer = models.OneToOneField(
        "games.Game", null=True, blank=True, on_delete=models.PROTECT, related_name="daily_yardstick"
    )
    """The game in which a computer player holds the person's cards. It is started once somebody has begun, and can be
    seen when the day is open."""
    closed_at = models.DateTimeField(null=True, blank=True)
    """When the last games of the day were ended."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """When the day was opened: its deal can be seen, results can be compared, and the fields below are filled."""
    players = models.PositiveIntegerField(default=0)
    """How many people with an account have a result."""
    datum = models.IntegerField(null=True, blank=True)
    """Their average result in whole points; None if nobody has a result."""
    computer_points = models.IntegerField(null=True, blank=True)
    par_plays = models.PositiveSmallIntegerField(default=0)
    """How many times computer players have played the deal among themselves. The next two fields are the sum of the
    results of the person's seat, and the sum of their squares."""
    par_total = models.IntegerField(default=0)
    par_squares = models.IntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["date"], name="daily_not_open", condition=Q(opened_at=None))]

    def __str__(self) -> str:
        return f"daily deal of {self.date}"


class DailyEntry(models.Model):
    day = models.ForeignKey(DailyDay, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="daily_entries")
    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, related_name="daily_entry")
    begun_at = models.DateTimeField(default=timezone.now, editable=False)
    as_guest = models.BooleanField(default=False, db_default=False)
    """Whether it was begun without an account. The same person may have seen these cards in another browser, so the
    result is not compared with others, even if an account takes it over."""
    points = models.IntegerField(null=True, blank=True)
    """The result; None until the day is open, and for a game that was not finished in time."""

    class Meta:
        verbose_name_plural = "daily entries"
        constraints = [models.UniqueConstraint(fields=["day", "player"], name="daily_once")]
        indexes = [models.Index(fields=["day", "points"], name="daily_results")]

    def __str__(self) -> str:
        return f"player {self.player_id} on day {self.day_id}"


class DailyWishes(models.Model):
    """A member's preferences for the daily deal; without a row: no name, no link, no reminder."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="daily_wishes")
    shows_name = models.BooleanField(default=False)
    shows_play = models.BooleanField(default=False)
    """Whether others get a link to the replay, which names the player: only together with the name."""
    remind_hour = models.PositiveSmallIntegerField(null=True, blank=True)
    """The hour in their own time zone at which they are reminded; empty: not at all."""
    remind_at = models.DateTimeField(null=True, blank=True)
    """The moment of the next reminder."""

    class Meta:
        verbose_name_plural = "daily wishes"
        constraints = [
            models.CheckConstraint(
                name="daily_hour_and_moment", condition=Q(remind_hour=None, remind_at=None) | Q(remind_hour__lt=24)
            )
        ]
        indexes = [models.Index(fields=["remind_at"], name="daily_remind", condition=Q(remind_at__isnull=False))]

    def __str__(self) -> str:
        return f"daily wishes of player {self.player_id}"
