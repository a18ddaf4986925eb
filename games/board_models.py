"""Deals that several tables play: which belong together, and whether more tables are still to come.

The deals themselves are `games.models.Deal` rows of origin "shared", whose `table` is the public id of their set. Each is
sealed until every table of its set has played it (`games.boards`, `games.unsealing`).
"""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import PUBLIC_ID_LENGTH, new_public_id

SHARED: Final = "shared"
"""The origin of a deal that several tables play."""


def sealed(deal: str = "deal") -> Q:
    """Of rows that lead to a deal by this path: those whose deal is shared, and not open yet."""
    return Q(**{f"{deal}__origin": SHARED, f"{deal}__opened_at": None})


class BoardSet(models.Model):
    """Deals that are played at several tables, each as the hand with its number: a round of an event, or a day's deal."""

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    owner = models.CharField(max_length=80, unique=True)
    """Whose they are, in the words of who laid them: a round of a tournament, a day."""
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.PositiveSmallIntegerField()
    table_size = models.PositiveSmallIntegerField()
    options = models.JSONField()
    boards = models.PositiveSmallIntegerField()
    """How many deals there are."""
    awaits = models.BooleanField(default=True)
    """Whether more tables may still begin with these deals: until then none of them opens."""
    changed = models.BooleanField(default=False)
    """Whether a table has played one, or is over, since it was last looked which of them may open."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """Since when all of them are open."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["changed"], name="boards_to_open", condition=Q(changed=True, opened_at=None))]

    def __str__(self) -> str:
        return f"{self.boards} boards of {self.owner}"
