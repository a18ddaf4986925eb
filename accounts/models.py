"""Users, players, their preferences and profiles, and the tokens of guests and of programs.

A `User` can log in. A `Player` sits at tables, edits and writes: every seat and every entry points to a Player, never
to a User. A player without a user is a guest or a computer player.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any, ClassVar, Final

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class UserManager(BaseUserManager["User"]):
    """Creates users without a user name. Addresses are stored in lower case."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create and save a user. Without a password, they cannot log in with one.

        Raises `ValueError` for an empty address.
        """
        address = email.strip().lower()
        if not address:
            raise ValueError("A user needs an e-mail address.")
        user = self.model(email=address, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create a user who may do everything (`manage.py createsuperuser`)."""
        return self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})

    def get_by_natural_key(self, username: str | None) -> User:
        """Find a user by address, regardless of case. Raises `User.DoesNotExist`."""
        return self.get(email=(username or "").strip().lower())


PUBLIC_ID_LENGTH = 11
# No vowels, so that no words arise by chance, and no look-alikes, so that an id can be read aloud.
PUBLIC_ID_ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
NAME_LENGTH = 40


def new_public_id() -> str:
    """A random id for URLs: 11 characters (52 bits) of letters and digits that cannot be confused."""
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _position in range(PUBLIC_ID_LENGTH))


def new_number() -> int:
    """A four-digit number that tells players without a name apart. It need not be unique."""
    return 1000 + secrets.randbelow(9000)


class User(AbstractBaseUser, PermissionsMixin):
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
            # `save` stores lower case; this is for writers that do not use it.
            models.UniqueConstraint(Lower("email"), name="user_email_unique_case_aside")
        ]

    def __str__(self) -> str:
        return self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = self.email.strip().lower()
        super().save(*args, **kwargs)


SUITS: Final = "COSB"
"""The letters of the suits (cups, coins, swords, batons), in the default order of a hand."""


class Session(AbstractBaseSession):
    """The session of one browser. `accounts.sessions` reads and writes it; `session_key` is a digest of its cookie."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="+")
    """The user who is signed in, as in `session_data`; kept here too, so that one query reads both."""

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        from accounts.sessions import SessionStore  # noqa: PLC0415  # it needs this model

        return SessionStore


class HandOrder(models.TextChoices):
    """The order of the cards within each suit, and within the trumps, of a player's own hand."""

    HIGH_FIRST = "high", gettext_lazy("highest first")
    LOW_FIRST = "low", gettext_lazy("lowest first")


class ForcedCards(models.TextChoices):
    """When the site plays a card for somebody who has no other choice.

    At tables with moves by the day it then also cuts.
    """

    ASK = "ask", gettext_lazy("ask me each time")
    DAYS = "days", gettext_lazy("play them for me at tables with days for each move")
    ALWAYS = "always", gettext_lazy("always play them for me")


class SmallCards(models.TextChoices):
    """What to do, with moves by the day, if none of somebody's cards takes the trick and all are worth the same."""

    LATER = "", gettext_lazy("play the lowest as if I were awake")
    """After the time that they usually take, like forced cards. Players who are asked for forced cards are asked for
    these too."""
    ASK = "ask", gettext_lazy("ask me each time")
    SELF = "self", gettext_lazy("play the lowest at once; the others may guess why")


class BotSpeed(models.TextChoices):
    """How long computer players seem to think, and how long a finished trick stays on the table before they go on."""

    SLOW = "slow", gettext_lazy("slow")
    NORMAL = "normal", gettext_lazy("normal")
    QUICK = "quick", gettext_lazy("quick")
    AT_ONCE = "at-once", gettext_lazy("at once")


class Player(models.Model):
    """Somebody who can sit at a table: a member (with a user), a guest, or a computer player."""

    user = models.OneToOneField(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="player")
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    number = models.PositiveSmallIntegerField(default=new_number, editable=False)
    computer = models.CharField(max_length=20, blank=True)
    """The level of a computer player, such as `beginner`; blank for people."""
    public_id = models.SlugField(max_length=12, unique=True, default=new_public_id, editable=False)

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_seen_at = models.DateTimeField(default=timezone.now, db_index=True)
    """When this player last requested a page, to within a few minutes; see `accounts.middleware`."""
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="merged")
    """The member that this guest became by logging in. The guest's row is kept, so that late references resolve."""
    retired_at = models.DateTimeField(null=True, blank=True)
    """When a guest was removed (idle, or by their own wish), or a member's account was deleted. The row is kept if
    finished games name it."""
    was_member = models.BooleanField(default=False, editable=False)
    """Whether this is the rest of a deleted account: a number without a name."""
    name_key = models.CharField(max_length=120, blank=True, db_index=True, editable=False)
    """What the name looks like: two names with the same key are easily confused. Written by `accounts.names.give`."""

    program_since = models.DateTimeField(null=True, blank=True)
    """Since when a program has played under this account, as everybody reads beside its name. It is never reset."""

    bot_speed = models.CharField(
        gettext_lazy("how fast computer players play"), max_length=7, choices=BotSpeed.choices, default=BotSpeed.NORMAL
    )
    waits_after_trick = models.BooleanField(gettext_lazy("wait for me after each trick"), default=False)
    """Whether, alone with computer players, a finished trick stays on the table until the player goes on."""
    one_tap = models.BooleanField(gettext_lazy("one tap plays a card"), default=False)
    hand_order = models.CharField(
        gettext_lazy("order of the cards in your hand"),
        max_length=8,
        choices=HandOrder.choices,
        default=HandOrder.HIGH_FIRST,
    )
    suit_order = models.CharField(gettext_lazy("order of the suits in your hand"), max_length=4, default=SUITS)
    """The letters of `SUITS` in the player's order."""
    trumps_first = models.BooleanField(gettext_lazy("trumps before the suits"), default=False)
    sounds = models.BooleanField(gettext_lazy("sounds"), default=False)
    vibrates = models.BooleanField(gettext_lazy("vibrate when it is my turn"), default=False)
    confirm_plays = models.BooleanField(gettext_lazy("ask once more before a card is played"), default=False)
    """Whether the tap that plays a card asks for confirmation, in games with days for each move."""
    forced_cards = models.CharField(
        gettext_lazy("forced cards"), max_length=6, choices=ForcedCards.choices, default=ForcedCards.DAYS
    )
    """When the worker acts for this player if the rules leave exactly one thing to do."""
    small_cards = models.CharField(
        gettext_lazy("small cards at tables with days for each move"),
        max_length=4,
        choices=SmallCards.choices,
        default=SmallCards.LATER,
        blank=True,
    )
    """Whether and when the lowest card is played if the choice hardly matters. A plan in a game takes precedence."""
    next_game = models.BooleanField(gettext_lazy("go on to the next game after playing"), default=False)
    """Whether the next game in which it is this player's turn opens after an action."""
    language = models.CharField(gettext_lazy("language of e-mails and messages"), max_length=12, blank=True)
    """One of the site's languages; if empty, the one last used here."""
    time_zone = models.CharField(gettext_lazy("time zone"), max_length=64, blank=True)
    """The name of an IANA zone; if empty, the site's. Read it with `accounts.availability.zone_of`."""
    guided_done_at = models.DateTimeField(null=True, blank=True)
    """When the guided hand was finished or dismissed. Until then it is offered."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="player_computer_has_no_user", condition=models.Q(computer="") | models.Q(user__isnull=True)
            ),
            # A computer player is created by whoever needs it first, and several may at the same time.
            models.UniqueConstraint(
                fields=["computer", "name"], condition=~models.Q(computer=""), name="player_computer_made_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name or self.number} ({self.public_id})"

    @property
    def is_computer(self) -> bool:
        return self.computer != ""

    @property
    def is_program(self) -> bool:
        """Whether a program plays under this account: somebody's own, not a computer player of the site."""
        return self.current.program_since is not None

    @property
    def is_member(self) -> bool:
        return self.user_id is not None

    @property
    def is_guest(self) -> bool:
        """Whether this is a person without an account, even if they had one before."""
        return not self.is_member and not self.is_computer

    @property
    def current(self) -> Player:
        """Who this player is now: the member a merged guest became, else the player itself."""
        return self.merged_into or self

    @property
    def page(self) -> str:
        """The public id of their page for others; empty for computer players and for people who are gone."""
        gone = self.is_computer or self.current.retired_at is not None
        return "" if gone else self.current.public_id

    @property
    def display_name(self) -> str:
        """The name on screen; if the player chose none, a description in the reader's language.

        A merged guest has the member's.
        """
        if self.merged_into is not None:
            return self.merged_into.display_name
        if self.name and self.program_since is not None:
            return _("Program %(name)s") % {"name": self.name}
        if self.name:
            return self.name
        if self.is_computer:
            return _("Computer")
        numbered = {"number": self.number}
        if self.is_member:
            return _("Player %(number)d") % numbered
        if self.was_member:
            return _("Former player %(number)d") % numbered
        if self.retired_at is not None:
            return _("Former guest %(number)d") % numbered
        return _("Guest %(number)d") % numbered

    def note_guided_done(self) -> None:
        """Note that the guided hand was finished or dismissed, so that it is not offered any more.

        The first time is kept.
        """
        if self.guided_done_at is None:
            self.guided_done_at = timezone.now()
            self.save(update_fields=["guided_done_at"])


class Grant(models.Model):
    """A role that somebody has. Check it with `accounts.permissions`."""

    class Role(models.TextChoices):
        EDITOR = "editor", gettext_lazy("editor")
        MODERATOR = "moderator", gettext_lazy("moderator")
        ADMINISTRATOR = "administrator", gettext_lazy("administrator")

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=13, choices=Role.choices)
    language = models.CharField(max_length=12, blank=True)
    """The language that an editor looks after; empty for all of them."""
    given_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """Null if it was given on the command line."""
    given_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "role", "language"], name="granted_once")]

    def __str__(self) -> str:
        return f"{self.role}{f' ({self.language})' if self.language else ''} of {self.player}"


class Profile(models.Model):
    """What a member tells others about themselves. Only the parts that are named in `shows` are shown."""

    class Audience(models.TextChoices):
        EVERYBODY = "everybody", gettext_lazy("everybody")
        MEMBERS = "members", gettext_lazy("people who are signed in")

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="profile")
    languages = models.JSONField(default=list)
    """Codes from `accounts.choices.LANGUAGES_SPOKEN`, in its order."""
    village = models.CharField(gettext_lazy("village or town"), max_length=60, blank=True)
    canton = models.CharField(gettext_lazy("canton"), max_length=2, blank=True)
    text = models.TextField(gettext_lazy("about you"), max_length=500, blank=True)
    shows = models.JSONField(default=list)
    """The parts that others may see: languages, village, canton, text, time."""
    audience = models.CharField(
        gettext_lazy("who may open your page"), max_length=9, choices=Audience.choices, default=Audience.MEMBERS
    )

    def __str__(self) -> str:
        return f"profile of player {self.player_id}"


class WakingHours(models.Model):
    """When a player can be expected to act, in their own time zone. Without a row: from 8 to 22, every day."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="waking_hours")
    days = models.JSONField()
    """Seven days, Monday first: `[from, to]` in minutes after midnight (at most 1440), or null for a day off."""

    def __str__(self) -> str:
        return f"waking hours of player {self.player_id}"


class Absence(models.Model):
    """Days of vacation, planned by the player or taken (`automatic`) before a clock ran out. Absences never overlap."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="absences")
    first_day = models.DateField()
    last_day = models.DateField()
    """The last day away, not the first day back; in the player's own time zone."""
    automatic = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["first_day"]
        constraints = [
            models.CheckConstraint(
                name="absence_ends_after_it_began", condition=models.Q(last_day__gte=models.F("first_day"))
            ),
            models.UniqueConstraint(fields=["player", "first_day"], name="absence_begins_once"),
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} away {self.first_day} to {self.last_day}"


class Block(models.Model):
    """`player` wants nothing to do with `blocked`. Check it with `accounts.permissions`."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="blocked_by")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "blocked"], name="blocked_once"),
            models.CheckConstraint(name="nobody_blocks_themselves", condition=~models.Q(player=models.F("blocked"))),
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} blocks {self.blocked_id}"


class Report(models.Model):
    """A report that somebody behaves badly, read and settled by moderators."""

    class Reason(models.TextChoices):
        NAME = "name", gettext_lazy("the name or what is told on the page")
        WORDS = "words", gettext_lazy("insults or threats")
        CHEATING = "cheating", gettext_lazy("cheating, or telling cards outside of the game")
        LEAVING = "leaving", gettext_lazy("keeps others waiting, or leaves again and again")
        OTHER = "other", gettext_lazy("something else")

    about = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="reports_made")
    """Null once the account of the person who reported is deleted."""
    reason = models.CharField(max_length=8, choices=Reason.choices)
    text = models.TextField(max_length=1000, blank=True)
    context = models.CharField(max_length=200, blank=True)
    """The path on this site where it was noticed, such as `/g/…/`."""
    subject = models.CharField(max_length=60, blank=True)
    """What exactly it is about, as `what:key`. The app that owns it shows it to moderators (`accounts.registry`)."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    outcome = models.CharField(max_length=300, blank=True)
    """What was done about it; for moderators only."""

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="report_open", condition=models.Q(settled_at__isnull=True))]

    def __str__(self) -> str:
        return f"report {self.pk} about player {self.about_id}"


def read_current(players: Iterable[Player]) -> None:
    """Load the members that the merged guests among these players became, so that `current` makes no queries.

    One query if there are any merged guests."""
    models.prefetch_related_objects([player for player in players if player.merged_into_id is not None], "merged_into")


class GuestToken(models.Model):
    """The right of one browser to act as a guest. The token itself is only in its cookie; the row has its SHA-256."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="guest_tokens")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"token {self.pk} of player {self.player_id}"


REASON_LENGTH = 300


class Suspension(models.Model):
    """A person may not sit down at new tables, chat, or edit the encyclopedia. `accounts.permissions` enforces it."""

    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="suspensions")
    by = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=REASON_LENGTH)
    """The reason as the person reads it."""
    at = models.DateTimeField(default=timezone.now, editable=False)
    until = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey("accounts.Player", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        indexes = [
            models.Index(fields=["player", "until"], name="suspension_open", condition=models.Q(lifted_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} until {self.until:%Y-%m-%d}"


TOKEN_NAME_LENGTH = 60


class PersonalToken(models.Model):
    """The right of one program to act for a member.

    The token itself is shown once and never stored; the row has its SHA-256.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="personal_tokens")
    name = models.CharField(gettext_lazy("name"), max_length=TOKEN_NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=4)
    """The last characters of the token, by which its owner recognises it."""
    scopes = models.JSONField(default=list)
    """Names of what it may do (`accounts.tokens.SCOPES`), in their order."""
    by_hand = models.BooleanField(default=False)
    """Whether the person plays themselves with this app. Otherwise a program decides, and the account is marked when it
    plays."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    """Null if it is valid until it is revoked."""
    last_used_at = models.DateTimeField(null=True, blank=True)
    """To within a minute."""
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"token {self.name} of player {self.player_id}"

    @property
    def expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()
