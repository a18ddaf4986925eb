"""Who watches a table now, and which watchers are named.

Rows are only ever changed by the services of this app. None of this is part of a game's log: no rule of play depends on
it.
"""

from __future__ import annotations

from django.db import models

from accounts.models import Player


class Watcher(models.Model):
    """One open page of a watcher. The server that holds its socket renews the row regularly."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="watchers")
    socket = models.CharField(max_length=120, unique=True)
    """The channel of the socket."""
    player = models.ForeignKey(Player, null=True, on_delete=models.CASCADE, related_name="+")
    """The player; None for a stranger."""
    who = models.CharField(max_length=40)
    """The same for all pages of one player, or of strangers at one IP address, at this game, so that they count
    once."""
    until = models.DateTimeField(db_index=True)
    """Until when the row counts if it is not renewed."""

    def __str__(self) -> str:
        return f"watcher {self.pk} of game {self.game_id}"


class NamedWatcher(models.Model):
    """A watcher who chose to show their name to the people at this table."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="watcher_named_once")]

    def __str__(self) -> str:
        return f"player {self.player_id} watches game {self.game_id} by name"
