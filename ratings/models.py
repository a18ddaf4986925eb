"""Stored ratings: who wants to be shown, the ratings of these people, and how much luck is in each game.

Everything but the choice to be shown is derived: `manage.py rate` recomputes it from the logs of tournaments and games.
A rating belongs to a `RatedPerson`, so nobody can have one without asking for it.
"""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils import timezone

from accounts.models import NAME_LENGTH, Player, new_public_id

RULESET_LENGTH: Final = 50
PUBLIC_ID_LENGTH: Final = 12


class RatedPerson(models.Model):
    """A player who wants their ratings to be shown. Without this row nothing is shown, and no rating is stored."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="rated")
    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    """The id in addresses: the player's own or, under a pseudonym, a random one that changes with each pseudonym."""
    pseudonym = models.CharField(max_length=NAME_LENGTH, blank=True)
    """Shown instead of the name."""
    pseudonym_key = models.CharField(max_length=120, blank=True, db_index=True, editable=False)
    """The pseudonym reduced to what it looks like (`accounts.names.key_of`)."""
    since = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"rated person {self.public_id}"

    @property
    def shown_name(self) -> str:
        """The name on the pages of ratings: the pseudonym, or their own name."""
        return self.pseudonym or self.player.display_name


class RatingLuck(models.Model):
    """The estimated luck in a game for one year, and what the estimate rests on. Kept so that ratings do not jump."""

    ruleset = models.CharField(max_length=RULESET_LENGTH)
    year = models.PositiveSmallIntegerField()
    data = models.JSONField()
    """`domain.rating.results.Model`, field by field."""
    results = models.PositiveIntegerField()
    """The number of results of earlier years it was estimated from; 0 if it comes from games of computer players."""
    deals = models.PositiveIntegerField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "rating luck"
        constraints = [models.UniqueConstraint(fields=["ruleset", "year"], name="luck_once_a_year")]

    def __str__(self) -> str:
        return f"luck of {self.ruleset} in {self.year}"


class RatingPool(models.Model):
    """The ratings of one game, as last computed."""

    ruleset = models.CharField(max_length=RULESET_LENGTH, unique=True)
    """A ruleset, or `<ruleset>@<people>` if it was played in a form that the rules do not describe."""
    kind = models.CharField(max_length=10)
    """`domain.rating.results.KINDS`."""
    model = models.JSONField()
    """The `Model` behind the ratings, field by field."""
    computed_at = models.DateTimeField(default=timezone.now)
    until = models.DateField()
    """The day of the last result."""
    results = models.PositiveIntegerField()
    deals = models.PositiveIntegerField()
    people = models.PositiveIntegerField()
    """How many took part, shown or not."""

    def __str__(self) -> str:
        return f"ratings in {self.ruleset}"


class PlayerRating(models.Model):
    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="ratings")
    person = models.ForeignKey(RatedPerson, on_delete=models.CASCADE, related_name="ratings")
    mean = models.FloatField()
    variance = models.FloatField()
    cautious = models.FloatField()
    """The number by which lists are ordered."""
    deals = models.PositiveIntegerField()
    provisional = models.BooleanField()
    inseparable = models.JSONField(default=dict)
    """The partners they never played without: `people` are keys of rated persons, `others` the number not shown."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "person"], name="rated_once_in_a_game")]
        indexes = [models.Index(fields=["pool", "provisional", "-cautious"], name="rating_list")]

    def __str__(self) -> str:
        return f"rating of person {self.person_id} in pool {self.pool_id}"


class PairRating(models.Model):
    """The rating of two people as partners; both want to be shown. `one` has the lower key."""

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="pairs")
    one = models.ForeignKey(RatedPerson, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(RatedPerson, on_delete=models.CASCADE, related_name="+")
    mean = models.FloatField()
    variance = models.FloatField()
    cautious = models.FloatField()
    deals = models.PositiveIntegerField()
    provisional = models.BooleanField()
    inseparable = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pool", "one", "other"], name="pair_rated_once_in_a_game"),
            models.CheckConstraint(name="pair_in_order", condition=models.Q(one__lt=models.F("other"))),
        ]
        indexes = [models.Index(fields=["pool", "provisional", "-cautious"], name="pair_rating_list")]

    def __str__(self) -> str:
        return f"rating of persons {self.one_id} and {self.other_id} in pool {self.pool_id}"


class RatingRun(models.Model):
    """A single row: when the ratings were computed and from what. Locked by whoever replaces them."""

    at = models.DateTimeField(null=True)
    marks = models.JSONField(default=dict)
    """How far the logs were read (`ratings.services.due_marks`)."""

    def __str__(self) -> str:
        return f"ratings of {self.at}"
