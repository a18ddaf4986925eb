"""Personal tokens: the right of a program to act for somebody. `accounts.personal_tokens` makes and finds them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from accounts.models import Player

TOKEN_NAME_LENGTH = 60


class PersonalToken(models.Model):
    """One program's right to act for a member. The token itself is shown once and never stored: here is its SHA-256."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="personal_tokens")
    name = models.CharField(gettext_lazy("name"), max_length=TOKEN_NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=4)
    """The last signs of the token, by which its owner knows it again."""
    scopes = models.JSONField(default=list)
    """Names of what it may do (`personal_tokens.SCOPES`), in their order."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    """Null: until it is revoked."""
    last_used_at = models.DateTimeField(null=True, blank=True)
    """Exact to a minute."""
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"token {self.name} of player {self.player_id}"

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= timezone.now()
