"""Writing beside the game: messages, private notes, how far each player has read, and who may not write.

Rows are only ever changed by the services of this app. None of this is part of a game's log: no rule of play depends on
it, and removing or deleting something here does not change the game.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from accounts.models import Player

MESSAGE_LENGTH = 400
NOTE_LENGTH = 2000
REASON_LENGTH = 200


class Message(models.Model):
    """One message of a chat, written in deal `hand` after action `number` of the game."""

    class Channel(models.TextChoices):
        """Its readers: people who sit at the table, or people who watch."""

        TABLE = "table"
        WATCHERS = "watchers"

    class Kind(models.TextChoices):
        """What `text` holds: words, the id of a greeting, or the mode that was agreed on.

        It is empty if the author's account was deleted (`gone`).
        """

        SAID = "said"
        GREETING = "greeting"
        MODE = "mode"
        GONE = "gone"

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="messages")
    channel = models.CharField(max_length=8, choices=Channel.choices)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.SAID)
    author = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=MESSAGE_LENGTH, blank=True)
    hand = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    held = models.BooleanField(default=False)
    """Whether it was written during a hand at a table whose chat is for the time between hands: only its author reads
    it before that hand is over."""
    at = models.DateTimeField(default=timezone.now)
    request_id = models.UUIDField(null=True)

    removed_at = models.DateTimeField(null=True, blank=True)
    """When a moderator removed it. Moderators and its author can still read the words."""
    removed_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    """Why it was removed; everybody reads it."""

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["author", "request_id"], name="message_requested_once")]
        indexes = [models.Index(fields=["game", "channel", "id"], name="message_of_chat")]

    def __str__(self) -> str:
        return f"message {self.pk} of game {self.game_id}"


class Note(models.Model):
    """A private note of a player: about a game (`hand` 0), or about one trick of a deal (`trick` 0: before the play).

    `number` is the action of the game after which the note was begun; a replay shows it there.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    hand = models.PositiveSmallIntegerField(default=0)
    trick = models.PositiveSmallIntegerField(default=0)
    number = models.PositiveIntegerField(default=0)
    text = models.TextField(max_length=NOTE_LENGTH)
    written_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["hand", "trick"]
        constraints = [models.UniqueConstraint(fields=["game", "player", "hand", "trick"], name="one_note_a_place")]

    def __str__(self) -> str:
        return f"note of player {self.player_id} in game {self.game_id}"


class ChatPlace(models.Model):
    """How far a player has read the chats of a game, and whether they have closed them for themselves."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    read = models.PositiveBigIntegerField(default=0)
    """The key of the last message they have read."""
    closed = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="one_place_in_a_chat")]

    def __str__(self) -> str:
        return f"player {self.player_id} in the chat of game {self.game_id}"


class Muted(models.Model):
    """`player` does not want to read what `muted` writes, at any table. `muted` is not told."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    muted = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "muted"
        constraints = [
            models.UniqueConstraint(fields=["player", "muted"], name="muted_once"),
            models.CheckConstraint(name="nobody_mutes_themselves", condition=~models.Q(player=models.F("muted"))),
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} mutes {self.muted_id}"


class ChatBan(models.Model):
    """A ban: the player may not write in any chat until a moment. Lifting it sets that moment to now; the row stays."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()
    reason = models.CharField(max_length=REASON_LENGTH)
    by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["player", "until"], name="ban_in_force")]

    def __str__(self) -> str:
        return f"player {self.player_id} does not write until {self.until:%Y-%m-%d}"
