"""The analysis of a finished hand: what was asked for, how far it is, and what was found. Kept for ever; it names nobody."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models import GameHand

WORLDS: Final = 160


class Analysis(models.Model):
    """The analysis of one hand, made once: by which players of the site is said by `players`."""

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
    """In how many distributions of the hidden cards a decision is tried."""
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    """Until when a worker has it; after that another may take it."""
    attempts = models.PositiveSmallIntegerField(default=0)
    """How often something went wrong with the part that is next."""
    parts = models.PositiveSmallIntegerField(default=0)
    """Into how many parts it is divided; 0 before it has begun."""
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
    """One decision: after `step` actions of the hand `seat` did `action`."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="judged")
    step = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    asked = models.CharField(max_length=12)
    trick = models.PositiveSmallIntegerField()
    """Of which trick; 0 before the play."""
    action = models.CharField(max_length=120)
    """As it is valued: without a knock, cards that are laid away in their order."""
    cost = models.FloatField()
    """What it brought less than the best, as its seat could know: points, or Rappen where the game counts these."""
    error = models.FloatField()
    exact = models.BooleanField()
    options = models.JSONField()
    """The best actions and the one that was done, best first, each as [action, points, standard error]."""
    reason = models.CharField(max_length=24, blank=True)
    """Why the best is good (`domain.bots.common.Reason`); empty where no computer player says it in words."""
    facts = models.JSONField(default=list)
    """What could be proven (`domain.bots.reviewing.Fact`), each as [kind, seat, card, suit, number]."""
    prospects = models.JSONField(default=list)
    """What comes of the best and of the action (`domain.bots.prospects.Prospects`), where the best is better and a card is played."""
    chances = models.JSONField(default=list)
    """Where the hidden cards could lie, as [cards, hundredths]: of each seat, and of lying where nobody holds them."""

    class Meta:
        ordering = ["step"]
        constraints = [models.UniqueConstraint(fields=["analysis", "step"], name="judged_once")]

    def __str__(self) -> str:
        return f"{self.action} at step {self.step}: {self.cost:.1f}"


class Outlook(models.Model):
    """How the result stood with the cards as they really lay after `step` actions, if computer players played on: per seat the
    sum of its scores, and of their squares, in so many plays."""

    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="outlooks")
    step = models.PositiveSmallIntegerField()
    trick = models.PositiveSmallIntegerField()
    """The trick that is led then; 0 for when all cards have been dealt and nothing is decided."""
    plays = models.PositiveSmallIntegerField()
    totals = models.JSONField()
    squares = models.JSONField()

    class Meta:
        ordering = ["step"]
        constraints = [models.UniqueConstraint(fields=["analysis", "step"], name="outlook_once")]

    def __str__(self) -> str:
        return f"outlook at step {self.step}"
