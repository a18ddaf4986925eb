"""Attempts at puzzles, and the ratings of solvers and puzzles. The puzzles themselves are files (`stored`).

A rating is a share of right answers: a solver's mean says how much more than half of average puzzles they find; a
puzzle's mean says how much less than half of average solvers find it. Both are means of estimates, stored with their
variance.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from accounts.models import Player


class Rated(models.Model):
    mean = models.FloatField(default=0.0)
    variance = models.FloatField()
    day = models.IntegerField()
    """The day of the last attempt, counted from 1970-01-01; the estimate grows less certain from then on."""
    attempts = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class RatedPuzzle(Rated):
    """A puzzle that somebody has tried."""

    name = models.CharField(max_length=60, unique=True)

    def __str__(self) -> str:
        return self.name


class Solver(Rated):
    """Somebody who has tried a puzzle."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="solver")

    def __str__(self) -> str:
        return f"solver {self.player_id}"


class Attempt(models.Model):
    """A player's first attempt at a puzzle.

    `mean` and `variance` are the estimate of the puzzle before it, so that a solver's rating follows from their
    attempts alone.
    """

    puzzle = models.ForeignKey(RatedPuzzle, on_delete=models.PROTECT, related_name="tried")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="puzzle_attempts")
    action = models.CharField(max_length=600)
    """As in a record."""
    solved = models.BooleanField()
    mean = models.FloatField()
    variance = models.FloatField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["puzzle", "player"], name="puzzle_first_attempt")]

    def __str__(self) -> str:
        return f"player {self.player_id} at puzzle {self.puzzle_id}"
