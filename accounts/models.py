"""Users, players and the tokens by which a browser is known as a guest.

A `User` can log in. A `Player` sits at tables, edits and writes: every seat and every entry points to a Player, never to
a User. A player without a user is a guest, or a computer player.
"""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.managers import UserManager

PUBLIC_ID_LENGTH = 11
# No vowels and no look-alikes: no word arises by chance, and an id can be read aloud.
PUBLIC_ID_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
NAME_LENGTH = 40


def new_public_id() -> str:
    """A random id for addresses: 11 characters, 52 bits, letters and digits that cannot be confused."""
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _position in range(PUBLIC_ID_LENGTH))


def new_number() -> int:
    """The four-digit number that tells players without a name apart; it need not be unique."""
    return 1000 + secrets.randbelow(9000)


class User(AbstractBaseUser, PermissionsMixin):
    """Someone who can log in, by e-mail address and password."""

    email = models.EmailField(
        gettext_lazy("e-mail address"),
        max_length=254,
        unique=True,
        error_messages={"unique": gettext_lazy("There is already an account with this e-mail address.")},
    )
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            # `save` stores lower case; this holds against writers that do not go through it.
            models.UniqueConstraint(Lower("email"), name="user_email_unique_case_aside")
        ]

    def __str__(self) -> str:
        return self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save, with the address in lower case."""
        self.email = self.email.strip().lower()
        super().save(*args, **kwargs)


class HandOrder(models.TextChoices):
    """How a player's own hand is laid out; groups are the suits, then the trumps."""

    HIGH_FIRST = "high", gettext_lazy("highest first")
    LOW_FIRST = "low", gettext_lazy("lowest first")


class Player(models.Model):
    """Someone who can sit at a table: a member (with a user), a guest, or a computer player."""

    user = models.OneToOneField(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="player")
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    number = models.PositiveSmallIntegerField(default=new_number, editable=False)
    computer = models.CharField(max_length=20, blank=True)
    """The level of a computer player, as `level-1`; blank for people."""
    public_id = models.SlugField(max_length=12, unique=True, default=new_public_id, editable=False)

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_seen_at = models.DateTimeField(default=timezone.now, db_index=True)
    """When this player last asked for a page, exact to a few minutes; see `accounts.middleware`."""
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="merged")
    """The member this guest became by logging in. Such a row stays so that late references resolve."""
    retired_at = models.DateTimeField(null=True, blank=True)
    """When a guest was let go (idle, or by their own wish); the row stays where finished games name it."""

    bot_pause = models.BooleanField(gettext_lazy("computer players take a moment to think"), default=True)
    one_tap = models.BooleanField(gettext_lazy("one tap plays a card"), default=False)
    hand_order = models.CharField(
        gettext_lazy("order of the cards in your hand"),
        max_length=8,
        choices=HandOrder.choices,
        default=HandOrder.HIGH_FIRST,
    )
    guided_done_at = models.DateTimeField(null=True, blank=True)
    """When the guided hand was finished or dismissed; until then it is offered."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="player_computer_has_no_user", condition=models.Q(computer="") | models.Q(user__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.name or self.number} ({self.public_id})"

    @property
    def is_computer(self) -> bool:
        """Whether the site plays for this player."""
        return self.computer != ""

    @property
    def is_member(self) -> bool:
        """Whether this player can log in."""
        return self.user_id is not None

    @property
    def is_guest(self) -> bool:
        """Whether this is a person without an account."""
        return not self.is_member and not self.is_computer

    @property
    def current(self) -> Player:
        """Who this player is now: the member a merged guest became, else the player itself."""
        return self.merged_into or self

    @property
    def display_name(self) -> str:
        """The name on screen, in the reader's language where the player chose none; a merged guest has the member's."""
        if self.merged_into is not None:
            return self.merged_into.display_name
        if self.name:
            return self.name
        if self.is_computer:
            return _("Computer")
        numbered = {"number": self.number}
        if self.is_member:
            return _("Player %(number)d") % numbered
        if self.retired_at is not None:
            return _("Former guest %(number)d") % numbered
        return _("Guest %(number)d") % numbered

    def note_guided_done(self) -> None:
        """The guided hand was finished or dismissed: it is not offered any more. The first time stands."""
        if self.guided_done_at is None:
            self.guided_done_at = timezone.now()
            self.save(update_fields=["guided_done_at"])


class GuestToken(models.Model):
    """The right of one browser to act as a guest. The token itself is only in its cookie; here is its SHA-256."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="guest_tokens")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"token {self.pk} of player {self.player_id}"
