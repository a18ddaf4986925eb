"""Records that players import to look at. `games.imports` reads, stores and shows them."""

from __future__ import annotations

import secrets

from django.db import models
from django.utils import timezone

from accounts.models import PUBLIC_ID_ALPHABET as LETTERS
from accounts.models import Player

ADDRESS_LENGTH = 24
TITLE_LENGTH = 60


def new_address() -> str:
    """The secret part of the address of an imported record: 24 letters and digits, more than 110 bits."""
    return "".join(secrets.choice(LETTERS) for _position in range(ADDRESS_LENGTH))


class ImportedGame(models.Model):
    """An imported record, checked by the rules.

    Anybody with its address may see it; it is only listed on its owner's page.
    """

    public_id = models.SlugField(max_length=ADDRESS_LENGTH, unique=True, default=new_address, editable=False)
    owner = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=TITLE_LENGTH, blank=True, default="")
    """A title given by the owner; may be empty."""
    ruleset = models.CharField(max_length=40)
    record = models.JSONField()
    """The record in its own format, without parts that this site does not know."""
    digest = models.CharField(max_length=64)
    """A hash of the record, so that the same one is not stored twice."""
    hands = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    keep_until = models.DateTimeField(null=True, blank=True)
    """When it is deleted; None if it is kept."""

    class Meta:
        indexes = [
            models.Index(fields=["keep_until"], name="imported_goes", condition=models.Q(keep_until__isnull=False)),
        ]
        constraints = [models.UniqueConstraint(fields=["owner", "digest"], name="imported_once_by_each")]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.ruleset})"
