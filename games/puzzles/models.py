"""Attempts at puzzles, and how good solvers and how hard puzzles are. The puzzles themselves are files (`stored`).

A rating is a share of right answers: a solver's mean is how much more than half they find of puzzles of the middle, a puzzle's
how much less than half solvers of the middle find of it. Both are means of what is believed, with their variance.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from accounts.models import Player


class Rated(models.Model):
    mean = models.FloatField(default=0.0)
    variance = models.FloatField()
    day = models.IntegerField()
    """The day of the last attempt, counted from 1970-01-01: what was learnt fades from then on."""
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
    """What somebody did when they first saw a puzzle. `mean` and `variance` are what was believed of the puzzle before: a solver's
    rating follows from their attempts alone."""

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
