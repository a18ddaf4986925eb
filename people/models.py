"""Who follows whom, who may be found by name, and what people write to each other.

Rows are only changed by `people.services`, `people.moderation`, `people.tasks` and `people.privacy`. Only members can
follow and write, because a guest may be gone tomorrow.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, Player, new_public_id

MESSAGE_LENGTH = 2000
REASON_LENGTH = 200


class Follow(models.Model):
    """`player` follows `followed`. Two players who follow each other may write to each other."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    followed = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["player", "followed"], name="followed_once"),
            models.CheckConstraint(name="nobody_follows_themselves", condition=~Q(player=F("followed"))),
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} follows {self.followed_id}"


class PeoplePreference(models.Model):
    """A player's preferences about other people.

    A player who never chose has no row and the defaults, and is asked on the page of people.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="+")
    found_by_name = models.BooleanField(_("People may find me by my name"), default=False)
    told_of_followers = models.BooleanField(_("Tell me when somebody follows me"), default=True)

    def __str__(self) -> str:
        return f"what player {self.player_id} wants of others"


class Thread(models.Model):
    """The messages between two people. `first` is the one with the lower key."""

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    first = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    written_at = models.DateTimeField(default=timezone.now)
    """When the last message was written."""

    class Meta:
        ordering = ["-written_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="one_thread_a_pair"),
            models.CheckConstraint(name="thread_in_order", condition=Q(first__lt=F("second"))),
        ]

    def __str__(self) -> str:
        return f"thread {self.pk} of players {self.first_id} and {self.second_id}"

    def other(self, player: Player) -> Player:
        """The person to whom `player` writes in this thread."""
        return self.second if self.first_id == player.pk else self.first


class Message(models.Model):
    """One message.

    Its text is emptied when the account of its author is deleted; a removed text is kept for the moderators.
    """

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="messages")
    author = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(max_length=MESSAGE_LENGTH, blank=True)
    at = models.DateTimeField(default=timezone.now)
    read_at = models.DateTimeField(null=True, blank=True)
    """When the other person saw it."""
    request_id = models.UUIDField(null=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    """Why it was removed; both people can read this."""

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["author", "request_id"], name="letter_requested_once")]
        indexes = [
            models.Index(fields=["thread", "id"], name="message_of_thread"),
            models.Index(fields=["thread", "author"], name="message_unread", condition=Q(read_at__isnull=True)),
            models.Index(fields=["at"], name="message_age"),
        ]

    def __str__(self) -> str:
        return f"message {self.pk} of thread {self.thread_id}"
