"""The daily deal: which deal belongs to a day, who has played it, and what people wish about it.

The deal itself is a set of one shared deal (`games.models`). Points are written only when the day is open: until then
a result is nowhere but in the game that brought it.
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
    """Which cards the person holds: those that are dealt so many seats after the dealer's."""
    computer = models.OneToOneField(
        "games.Game", null=True, blank=True, on_delete=models.PROTECT, related_name="daily_yardstick"
    )
    """The table at which a computer player holds the person's cards, laid when somebody has begun; to be looked at when the day
    is open."""
    closed_at = models.DateTimeField(null=True, blank=True)
    """When the last games of the day were ended."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """Since when the day can be compared: its deal is open, and what follows is written."""
    players = models.PositiveIntegerField(default=0)
    """How many with an account have a result."""
    datum = models.IntegerField(null=True, blank=True)
    """What they made of it on average, in whole points; empty where nobody has a result."""
    computer_points = models.IntegerField(null=True, blank=True)
    par_plays = models.PositiveSmallIntegerField(default=0)
    """So many times computer players have played the deal among themselves; with the sum of what the person's seat made, and
    that of its squares."""
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
    """Whether it was begun without an account: then nobody knows whether the same person has met these cards in another browser,
    and the result is compared with nobody's, also if an account takes it over."""
    points = models.IntegerField(null=True, blank=True)
    """What it brought; empty while the day is not open, and for a game that was not played to its end in time."""

    class Meta:
        verbose_name_plural = "daily entries"
        constraints = [models.UniqueConstraint(fields=["day", "player"], name="daily_once")]
        indexes = [models.Index(fields=["day", "points"], name="daily_results")]

    def __str__(self) -> str:
        return f"player {self.player_id} on day {self.day_id}"


class DailyWishes(models.Model):
    """What a member wishes about the daily deal; without a row: no name, no link, no reminder."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="daily_wishes")
    shows_name = models.BooleanField(default=False)
    shows_play = models.BooleanField(default=False)
    """Whether others find the way to the replay, which names who played: only together with the name."""
    remind_hour = models.PositiveSmallIntegerField(null=True, blank=True)
    """The hour of their own day at which they are reminded; empty: not at all."""
    remind_at = models.DateTimeField(null=True, blank=True)
    """When that is next."""

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
