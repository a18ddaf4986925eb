"""Wishes to play with others, appointments for live games, and alerts about new tables.

Rows are only changed through `games.meeting.services`.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import PUBLIC_ID_LENGTH, Player, new_public_id
from games.lobby.models import OpenTable

REASON_LENGTH = 200


class StandingWish(models.Model):
    """A wish to play: its player is seated as soon as there are enough people who want the same."""

    class State(models.TextChoices):
        """`seated`: there is a game or, for live play, an appointment."""

        OPEN = "open"
        SEATED = "seated"
        WITHDRAWN = "withdrawn"
        EXPIRED = "expired"

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    games = models.JSONField(default=list)
    """Rulesets, any of which is wanted."""
    sizes = models.JSONField(default=list)
    """Accepted numbers of players, for rulesets with several table sizes."""
    paces = models.JSONField(default=list)
    """Ids of `games.lobby.text.offered_paces`, any of which is wanted."""
    weekdays = models.JSONField(default=list)
    """The weekdays on which the player can play live: 0 is Monday. Empty if no live pace is wanted."""
    hour = models.PositiveSmallIntegerField(default=20)
    """The hour at which they can begin on these days, in the player's time zone."""
    languages = models.JSONField(default=list)
    """Codes of `accounts.choices.LANGUAGES_SPOKEN`, any of which is wanted; empty: any language."""
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    fresh = models.BooleanField(default=True)
    """Whether the wish has not been matched with others yet."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    game = models.ForeignKey("games.Game", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    appointment = models.ForeignKey("Appointment", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["created_at", "pk"]
        indexes = [
            models.Index(fields=["fresh"], name="wish_fresh", condition=Q(state="open", fresh=True)),
            models.Index(fields=["expires_at"], name="wish_open", condition=Q(state="open")),
            models.Index(fields=["player"], name="wish_of_player"),
        ]

    def __str__(self) -> str:
        return f"wish {self.public_id} of player {self.player_id} ({self.state})"


class Appointment(models.Model):
    """A live game at a future time. Its table opens by itself shortly before."""

    class State(models.TextChoices):
        """`open`: there is a table. `failed`: nobody had said yes."""

        PLANNED = "planned"
        OPEN = "open"
        CANCELLED = "cancelled"
        FAILED = "failed"

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    proposer = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """None if the appointment came of wishes that fitted together."""
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.PositiveSmallIntegerField()
    table_size = models.PositiveSmallIntegerField()
    hands = models.PositiveSmallIntegerField()
    pace = models.CharField(max_length=8)
    """The id of a live pace of `games.lobby.text.offered_paces`."""
    language = models.CharField(max_length=12, blank=True)
    note = models.CharField(max_length=REASON_LENGTH, blank=True)
    starts_at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.PLANNED)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    """Why it was cancelled."""
    number = models.PositiveIntegerField(default=0)
    """Increases with every change; calendars use it to detect updates."""
    request_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now)
    table = models.OneToOneField(
        OpenTable, null=True, blank=True, on_delete=models.SET_NULL, related_name="appointment"
    )

    class Meta:
        ordering = ["starts_at", "pk"]
        indexes = [
            models.Index(fields=["starts_at"], name="appointment_planned", condition=Q(state="planned")),
            models.Index(fields=["starts_at"], name="appointment_when"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["proposer", "request_id"], name="appointment_requested_once"),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.ruleset}, {self.state})"


class Reply(models.Model):
    """A player's answer to an appointment; `asked`: a wish of theirs fits it, and they have not answered yet."""

    class Answer(models.TextChoices):
        ASKED = "asked"
        YES = "yes"
        NO = "no"

    appointment = models.ForeignKey(Appointment, on_delete=models.CASCADE, related_name="replies")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    answer = models.CharField(max_length=5, choices=Answer.choices)
    at = models.DateTimeField(default=timezone.now)
    """When they answered: whoever said yes earlier gets a seat first."""

    class Meta:
        ordering = ["at", "pk"]
        verbose_name_plural = "replies"
        constraints = [models.UniqueConstraint(fields=["appointment", "player"], name="one_reply_each")]

    def __str__(self) -> str:
        return f"{self.answer} of player {self.player_id} to appointment {self.appointment_id}"


class Alert(models.Model):
    """A player's request for notices about new tables of a kind. Empty fields match every table."""

    class Pace(models.TextChoices):
        ANY = ""
        DAYS = "days"
        LIVE = "live"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    games = models.JSONField(default=list)
    """Rulesets."""
    pace = models.CharField(max_length=4, choices=Pace.choices, blank=True)
    language = models.CharField(max_length=12, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"alert {self.pk} of player {self.player_id}"
