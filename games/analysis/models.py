"""The analysis of a finished hand: its status, its progress and its results. Kept forever; it names nobody."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models import GameHand

WORLDS: Final = 160


class Analysis(models.Model):
    """The analysis of one hand, which is made once, by the computer players of the version in `players`."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    hand = models.OneToOneField(GameHand, on_delete=models.CASCADE, related_name="analysis")
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.WAITING)
    players = models.CharField(max_length=20)
    """The version of the computer players that judge."""
    worlds = models.PositiveSmallIntegerField(default=WORLDS)
    """The number of distributions of the hidden cards in which a decision is tried."""
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    """Until when a worker has it; after that, another may take it."""
    attempts = models.PositiveSmallIntegerField(default=0)
    """The number of failed attempts at the next part."""
    parts = models.PositiveSmallIntegerField(default=0)
    """The number of its parts; 0 before it has begun."""
    parts_done = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = "analyses"
        indexes = [
            models.Index(fields=["asked_at"], name="analysis_to_do", condition=Q(status__in=["waiting", "running"]))
        ]

    def __str__(self) -> str:
        return f"analysis of hand {self.hand_id}: {self.status}"

    @property
    def is_over(self) -> bool:
        return self.status in (self.Status.DONE, self.Status.FAILED)


class JudgedAction(models.Model):
    """One decision: after `step` actions of the hand, `seat` did `action`."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="judged")
    step = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    asked = models.CharField(max_length=12)
    trick = models.PositiveSmallIntegerField()
    """The number of the trick; 0 before the play."""
    action = models.CharField(max_length=120)
    """The action in the form in which it is judged: without a knock, and with discards in order."""
    cost = models.FloatField()
    """How much worse it was than the best action, as far as its seat could know: in points, or Rappen if the game has
    these."""
    error = models.FloatField()
    exact = models.BooleanField()
    options = models.JSONField()
    """The best actions and the chosen one, best first, each as [action, points, standard error]."""
    reason = models.CharField(max_length=24, blank=True)
    """Why the best action is good (`domain.bots.common.Reason`); empty if the computer player has no reason in
    words."""
    facts = models.JSONField(default=list)
    """Proven facts (`domain.bots.reviewing.Fact`), each as [kind, seat, card, suit, number]."""
    prospects = models.JSONField(default=list)
    """The consequences of the best and of the chosen action (`domain.bots.evaluating.Prospects`), if the best is better
    and a card is played."""
    chances = models.JSONField(default=list)
    """Where the hidden cards could be, each as [cards, percentages]: of each seat, and last of being held by nobody."""

    class Meta:
        ordering = ["step"]
        constraints = [models.UniqueConstraint(fields=["analysis", "step"], name="judged_once")]

    def __str__(self) -> str:
        return f"{self.action} at step {self.step}: {self.cost:.1f}"


class Outlook(models.Model):
    """The expected result after `step` actions, with the cards as they really lay, if computer players played on.

    For each seat, the sum of its scores and of their squares in that number of `plays`.
    """

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="outlooks")
    step = models.PositiveSmallIntegerField()
    trick = models.PositiveSmallIntegerField()
    """The number of the trick that begins then; 0 for the moment when all cards are dealt and nothing is decided."""
    plays = models.PositiveSmallIntegerField()
    totals = models.JSONField()
    squares = models.JSONField()

    class Meta:
        ordering = ["step"]
        constraints = [models.UniqueConstraint(fields=["analysis", "step"], name="outlook_once")]

    def __str__(self) -> str:
        return f"outlook at step {self.step}"
