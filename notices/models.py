"""Notices, written in the transaction of their event; their deliveries; and the preferences of players."""

from __future__ import annotations

from datetime import time

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from notices.registry import Kind, TurnMail, TurnPush, Wish

TOPIC_LENGTH = 60


class Outbox(models.Model):
    """One notice to one player: the event and its parameters. It is put into words only when it is sent or shown.

    When it is due, it is *taken up* (`done_at`): open pages are notified, it enters the player's list, and a `Delivery`
    is made for every mail and device. Then the deliveries are sent. A turn that was played before is done without that. `lease_until` is the lease of the worker that is
    taking it up. A worker that dies loses the lease, so that every notice arrives at least once.
    """

    event = models.CharField(max_length=40)
    """Dotted, and in the past tense if something happened: `game.turn`, `game.finished`."""
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.OTHER)
    """Follows from the event; stored for queries."""
    topic = models.CharField(max_length=TOPIC_LENGTH, blank=True)
    """The public id of the game or table it is about; empty if it is about neither."""
    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="+")
    params = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    """When it becomes pointless, e.g. the deadline that it reminds of."""
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)

    shown = models.BooleanField(default=False)
    """Whether it is in the player's list on the site."""
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "outbox"
        indexes = [
            models.Index(fields=["due_at"], name="outbox_due", condition=Q(done_at__isnull=True)),
            models.Index(fields=["player", "topic"], name="outbox_not_read", condition=Q(read_at__isnull=True)),
            models.Index(fields=["player", "-id"], name="outbox_shown", condition=Q(shown=True)),
        ]

    def __str__(self) -> str:
        return f"{self.event} for player {self.player_id}"


class PushSubscription(models.Model):
    """One browser that shows messages: its address at a push service, and the keys to encrypt messages for it."""

    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.URLField(max_length=1000)
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the endpoint. Unique, so a browser belongs to the last player who subscribed with it."""
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    language = models.CharField(max_length=12, blank=True)
    device = models.CharField(max_length=60, blank=True)
    """The browser and system, by which the person may recognise it."""
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(default=timezone.now)
    """When it was created or renewed, or last accepted a message."""

    def __str__(self) -> str:
        return f"{self.device or 'device'} of player {self.player_id}"


class Delivery(models.Model):
    """One notice on one channel: a mail, a part of a collected mail (digest), or a message to one device."""

    class Channel(models.TextChoices):
        MAIL = "mail"
        DIGEST = "digest"
        PUSH = "push"

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        DROPPED = "dropped"
        GIVEN_UP = "given-up"

    outbox = models.ForeignKey(Outbox, on_delete=models.CASCADE, related_name="deliveries")
    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="+")
    channel = models.CharField(max_length=6, choices=Channel.choices)
    subscription = models.ForeignKey(
        PushSubscription, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    planned_for = models.DateTimeField()
    """When it was planned to go out. All digest rows of a player with the same time make one mail."""
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_by = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    told_before = models.BooleanField(default=False)
    """Whether an earlier digest contained it. It is repeated while it is true, but is no reason for a mail."""
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    ended_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    """Why it was dropped, given up, or not sent yet: a short English phrase without names or texts."""

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(
                fields=["outbox", "channel"], name="delivered_once_by_mail", condition=Q(subscription__isnull=True)
            ),
            models.UniqueConstraint(fields=["outbox", "subscription"], name="delivered_once_to_a_device"),
        ]
        indexes = [
            models.Index(fields=["channel", "due_at"], name="delivery_due", condition=Q(state="waiting")),
            models.Index(fields=["player"], name="delivery_waiting", condition=Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.pk} of notice {self.outbox_id}"


class Preference(models.Model):
    """What one player wants to be told, how and when. A player who never chose has no row and the defaults."""

    player = models.OneToOneField("accounts.Player", on_delete=models.CASCADE, related_name="notice_preference")
    turn_mail = models.CharField(max_length=8, choices=TurnMail.choices, default=TurnMail.HOUR)
    turn_push = models.CharField(max_length=8, choices=TurnPush.choices, default=TurnPush.EACH)
    game_mail = models.CharField(max_length=6, choices=Wish.choices, default=Wish.HOUR)
    game_push = models.BooleanField(default=True)
    table_mail = models.CharField(max_length=6, choices=Wish.choices, default=Wish.HOUR)
    table_push = models.BooleanField(default=True)
    meeting_mail = models.CharField(max_length=6, choices=Wish.choices, default=Wish.HOUR)
    meeting_push = models.BooleanField(default=True)
    talk_mail = models.CharField(max_length=6, choices=Wish.choices, default=Wish.DIGEST)
    talk_push = models.BooleanField(default=False)
    message_mail = models.CharField(max_length=6, choices=Wish.choices, default=Wish.HOUR)
    message_push = models.BooleanField(default=True)
    club_mail = models.CharField(max_length=6, choices=Wish.choices, default=Wish.NEVER)
    """Letters of the player's clubs to their members, which only go to members who ask for them."""
    club_push = models.BooleanField(default=False)
    other_mail = models.CharField(max_length=6, choices=Wish.choices, default=Wish.DIGEST)
    other_push = models.BooleanField(default=False)
    mail_off = models.BooleanField(default=False)
    """Whether to send no notices by mail at all; also set by the one-click unsubscription of old mails."""
    quiet_from = models.TimeField(null=True, blank=True, default=time(22))
    quiet_to = models.TimeField(null=True, blank=True, default=time(7))
    """Nothing is sent between these two, in the player's time zone. If both are empty, there are no quiet hours."""
    digest_hour = models.PositiveSmallIntegerField(
        _("hour of the daily mail"), default=7, validators=[MaxValueValidator(23)]
    )
    language = models.CharField(max_length=12, blank=True)
    """The language in which the player last used the site; empty while unknown."""
    asked_how = models.BooleanField(default=False)
    """Whether the player has answered how to be notified, which is asked at their first table with moves by the day."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="quiet_hours_whole",
                condition=Q(quiet_from__isnull=True, quiet_to__isnull=True)
                | Q(quiet_from__isnull=False, quiet_to__isnull=False),
            ),
            models.CheckConstraint(name="digest_hour_of_the_day", condition=Q(digest_hour__lte=23)),
        ]

    def __str__(self) -> str:
        return f"what player {self.player_id} wants to be told"


class StoppedAddress(models.Model):
    """An address without an account that wants no mails from this site ever again, as a digest
    (`notices.mail.digest_of`)."""

    digest = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "stopped addresses"

    def __str__(self) -> str:
        return self.digest[:8]


class GamePreference(models.Model):
    """A player's preferences for one game. An empty field means "as in all my games"."""

    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=TOPIC_LENGTH)
    mail = models.CharField(max_length=8, choices=TurnMail.choices, blank=True)
    push = models.CharField(max_length=8, choices=TurnPush.choices, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "topic"], name="one_wish_for_a_game")]

    def __str__(self) -> str:
        return f"what player {self.player_id} wants to be told of {self.topic}"
