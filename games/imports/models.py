"""Records that players brought along to look at. `games.imports` reads, keeps and shows them."""

from __future__ import annotations

import secrets

from django.db import models
from django.utils import timezone

from accounts.models import PUBLIC_ID_ALPHABET as LETTERS
from accounts.models import Player

ADDRESS_LENGTH = 24
TITLE_LENGTH = 60


def new_address() -> str:
    """What makes the address of an imported record secret: 24 letters and digits, more than 110 bits."""
    return "".join(secrets.choice(LETTERS) for _position in range(ADDRESS_LENGTH))


class ImportedGame(models.Model):
    """A record as its owner brought it, checked by the rules. Whoever has its address may look at it; nothing lists it but
    its owner's own page."""

    public_id = models.SlugField(max_length=ADDRESS_LENGTH, unique=True, default=new_address, editable=False)
    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=TITLE_LENGTH, blank=True, default="")
    """What the owner calls it; empty for none."""
    ruleset = models.CharField(max_length=40)
    record = models.JSONField()
    """The record in its own format, without what this site does not know."""
    digest = models.CharField(max_length=64)
    """Of the record, so that the same one is not kept twice."""
    hands = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    keep_until = models.DateTimeField(null=True, blank=True)
    """When it goes by itself; empty for one that is kept."""

    class Meta:
        indexes = [
            models.Index(fields=["keep_until"], name="imported_goes", condition=models.Q(keep_until__isnull=False)),
        ]
        constraints = [models.UniqueConstraint(fields=["owner", "digest"], name="imported_once_by_each")]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.ruleset})"
