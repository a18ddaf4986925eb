"""Who may watch a table, who watches it just now, and what its pages remember of the cards that were played.

Rows are only ever changed through `games.watching` (`door`, `presence`). None of this is part of a game's log: no rule of
play depends on it.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Player


class Memory(models.TextChoices):
    """What the pages of a table show of the tricks gathered in the hand that is played. Settled before the game begins."""

    LAST = "last", _("the last trick only")
    ALL = "all", _("all that was played")


class WatchMode(models.TextChoices):
    """Who may watch a game while it goes on."""

    OPEN = "open", _("everybody: the table is in the list of tables to watch")
    LINK = "link", _("whoever has the link")
    CLOSED = "closed", _("nobody but those who play")


class TableWatching(models.Model):
    """What is agreed about who may watch one game, and what somebody proposes instead.

    Without a row: `WatchMode.LINK`, and nothing is proposed.
    """

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, related_name="watching")
    mode = models.CharField(max_length=6, choices=WatchMode.choices, default=WatchMode.LINK)
    wish = models.CharField(max_length=6, choices=WatchMode.choices, blank=True, default="")
    """The mode that is proposed; empty while nothing is."""
    wished_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    agreed = models.JSONField(default=list, blank=True)
    """The keys of the players who have agreed to what is proposed."""

    class Meta:
        verbose_name_plural = "tables watching"
        indexes = [models.Index(fields=["game"], name="listed_to_watch", condition=models.Q(mode="open"))]

    def __str__(self) -> str:
        return f"watching game {self.game_id}: {self.mode}"


class Watcher(models.Model):
    """One open page of somebody who watches: the server that holds its socket says so again and again."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="watchers")
    socket = models.CharField(max_length=120, unique=True)
    """The channel of the socket."""
    player = models.ForeignKey(Player, null=True, on_delete=models.CASCADE, related_name="+")
    """Who it is; empty for a stranger."""
    until = models.DateTimeField(db_index=True)
    """How long it counts if nothing more is heard of it."""

    def __str__(self) -> str:
        return f"watcher {self.pk} of game {self.game_id}"


class NamedWatcher(models.Model):
    """Somebody has chosen that those at this table may know them as a watcher."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="watcher_named_once")]

    def __str__(self) -> str:
        return f"player {self.player_id} watches game {self.game_id} by name"
