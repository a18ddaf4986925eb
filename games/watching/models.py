"""Who may watch a table, who watches it just now, and what its pages remember of the cards that were played.

Rows are only ever changed by the services of this app. None of this is part of a game's log: no rule of play depends on
it.
"""

from __future__ import annotations

from django.db import models

from accounts.models import Player


class Watcher(models.Model):
    """One open page of somebody who watches: the server that holds its socket says so again and again."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="watchers")
    socket = models.CharField(max_length=120, unique=True)
    """The channel of the socket."""
    player = models.ForeignKey(Player, null=True, on_delete=models.CASCADE, related_name="+")
    """Who it is; empty for a stranger."""
    who = models.CharField(max_length=40)
    """The same for all pages of one person, or of one address of strangers, at this game: they count once."""
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
