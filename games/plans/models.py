"""Plans of a player in a game, and actions that are due for them. Nobody else may know them."""

from __future__ import annotations

from django.db import models

from accounts.models import Player


class Plans(models.Model):
    """The plans of one player in one game. `games.plans` stores and interprets them.

    They belong to the player, not to the seat: whoever takes over a seat does not take over the plans of the player
    before.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    plan = models.JSONField(default=dict, blank=True)
    """Which card to play in which case (`games.plans.language.Plan`); empty if there is no plan."""
    plan_hand = models.PositiveSmallIntegerField(default=0)
    """The deal the plan is for; 0 for every deal of the game."""
    plan_cards = models.PositiveSmallIntegerField(default=0)
    """How many cards its owner held when they made it; a plan for the next card is over when that card is played."""
    plan_ended = models.CharField(max_length=12, blank=True, default="")
    """Why the last plan is over, for its owner to read; empty while a plan is in force."""
    talk = models.JSONField(default=dict, blank=True)
    """What to say after each round of the deal (`games.plans.language.Talk`); empty to be asked."""
    talk_hand = models.PositiveSmallIntegerField(default=0)
    """The deal the talk is for; 0 for every deal of the game."""

    class Meta:
        verbose_name_plural = "plans"
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="plans_once_for_each")]

    def __str__(self) -> str:
        return f"the plans of player {self.player_id} in game {self.game_id}"


class Scheduled(models.Model):
    """An action is due for the player whose turn it is, at a random moment.

    The action is only decided at that moment.
    """

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    hand_number = models.PositiveSmallIntegerField()
    after = models.PositiveIntegerField()
    """How many actions the deal had when it became their turn; this identifies the position."""
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "scheduled"

    def __str__(self) -> str:
        return f"for seat {self.seat} of game {self.game_id}, due {self.due_at:%Y-%m-%d %H:%M:%S}"
