"""What a player plans in a game, and what is due to be done for them: known to nobody else."""

from __future__ import annotations

from django.db import models

from accounts.models import Player


class Plans(models.Model):
    """What one player plans in one game. `games.plans` keeps it and says what it means.

    By player and not by seat: who takes a seat over does not take over what another had in mind.
    """

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    plan = models.JSONField(default=dict, blank=True)
    """Which card to play in which case (`games.plans.language.Plan`); empty for none."""
    plan_hand = models.PositiveSmallIntegerField(default=0)
    """The deal the plan is for; 0 for every deal of the game."""
    plan_cards = models.PositiveSmallIntegerField(default=0)
    """How many cards its owner held when it was made: a plan for the next card is over when that one is played."""
    plan_ended = models.CharField(max_length=12, blank=True, default="")
    """Why the last plan holds no more, for its owner to read; empty while one holds, or once a new one was made."""
    talk = models.JSONField(default=dict, blank=True)
    """What to say after which round of the deal (`games.plans.language.Talk`); empty to be asked."""
    talk_hand = models.PositiveSmallIntegerField(default=0)
    """The deal the talk is for; 0 for every deal of the game."""

    class Meta:
        verbose_name_plural = "plans"
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="plans_once_for_each")]

    def __str__(self) -> str:
        return f"the plans of player {self.player_id} in game {self.game_id}"


class Scheduled(models.Model):
    """Something is to be done for the player who is asked, at a moment drawn by chance. What, is decided anew then."""

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    hand_number = models.PositiveSmallIntegerField()
    after = models.PositiveIntegerField()
    """How many actions the deal had when they were asked: the position it is for."""
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "scheduled"

    def __str__(self) -> str:
        return f"for seat {self.seat} of game {self.game_id}, due {self.due_at:%Y-%m-%d %H:%M:%S}"
