"""Tables that have not begun: who opened them, who sits there, who is invited, and what has happened.

A row of `OpenTable` is only ever changed through `games.lobby.services.tables`, which holds the lock on it.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, Player, new_public_id
from games.models import ChatMode, Level, Memory, WatchMode, pace_kind_column

NOTE_LENGTH = 200


class OpenTable(models.Model):
    """A table that waits for players; once it has begun, the way to its game."""

    class State(models.TextChoices):
        WAITING = "waiting"
        STARTED = "started"
        EXPIRED = "expired"
        CLOSED = "closed"

    class Entry(models.TextChoices):
        """Who may sit down. Whoever is invited by name always may."""

        EVERYONE = "everyone", _("everybody, guests too")
        MEMBERS = "members", _("people with an account")
        LINK = "link", _("whoever has the link")
        INVITED = "invited", _("only people I invite by name")
        CLUB = "club", _("members of a club")

    class Seating(models.TextChoices):
        CHOICE = "choice", _("everybody chooses a seat")
        DRAW = "draw", _("cards are drawn for partners")

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    host = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="hosted_tables")
    """Who may change the table: the person who opened it; after they leave, whoever has been there longest."""
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.PositiveSmallIntegerField()
    table_size = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    pace = models.JSONField(default=dict, blank=True)
    """`domain.pace.Terms`; empty if there is no clock."""
    pace_kind = pace_kind_column()
    entry = models.CharField(max_length=8, choices=Entry.choices, default=Entry.EVERYONE)
    seating = models.CharField(max_length=6, choices=Seating.choices, default=Seating.CHOICE)
    language = models.CharField(max_length=12, blank=True)
    """A code of `accounts.choices.LANGUAGES_SPOKEN`; empty: any."""
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    chat = models.CharField(max_length=7, choices=ChatMode.choices, default=ChatMode.BETWEEN)
    """When the players may write to each other during the game."""
    watchers = models.CharField(max_length=6, choices=WatchMode.choices, default=WatchMode.LINK)
    """Who may watch the game."""
    memory = models.CharField(max_length=4, choices=Memory.choices, default=Memory.LAST)
    """Which tricks of the current hand the game's pages show."""
    level = models.CharField(max_length=8, choices=Level.choices, default=Level.BEGINNER)
    """How well computer players play, both those who sit here and those who act for people who are away."""
    host_starts = models.BooleanField(default=False)
    """Whether a full table waits until its host begins the game, instead of beginning by itself."""
    first_dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat that deals first; empty: the host's, or the dealer by the draw."""
    club = models.CharField(max_length=40, blank=True)
    """The slug of the club if only its members may sit down."""
    rematch_of = models.ForeignKey("games.Game", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    free = models.PositiveSmallIntegerField(default=0)
    """How many seats are free; derived from the chairs."""
    number = models.PositiveIntegerField(default=0)
    """The number of its last event; pages compare it to see whether they are up to date."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    """Until when it waits."""
    ended_at = models.DateTimeField(null=True, blank=True)
    game = models.OneToOneField("games.Game", null=True, blank=True, on_delete=models.SET_NULL, related_name="laid_as")

    class Meta:
        indexes = [
            models.Index(fields=["expires_at"], name="table_expires", condition=Q(state="waiting")),
            models.Index(fields=["-created_at"], name="table_waiting", condition=Q(state="waiting")),
            models.Index(fields=["club"], name="table_of_club", condition=Q(state="waiting", entry="club")),
            models.Index(fields=["ended_at"], name="table_over", condition=Q(state__in=["expired", "closed"])),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["rematch_of"], name="one_rematch_at_a_time", condition=Q(state__in=["waiting", "started"])
            )
        ]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.ruleset}, {self.state})"


class Chair(models.Model):
    """A taken seat at a waiting table; if partners are drawn, the number is only the order of arrival."""

    table = models.ForeignKey(OpenTable, on_delete=models.CASCADE, related_name="chairs")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="chairs")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="chair_taken_once"),
            models.UniqueConstraint(fields=["table", "player"], name="one_chair_each"),
        ]

    def __str__(self) -> str:
        return f"chair {self.number} of table {self.table_id}"


class Invitation(models.Model):
    """An invitation of one person to a table, or the note that they were sent away from it."""

    class State(models.TextChoices):
        """What became of it. `barred`: the host sent them away, and they can come back only if invited again."""

        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        BARRED = "barred"

    table = models.ForeignKey(OpenTable, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invitations")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    """The seat that is kept for them while the invitation is open."""
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    by_address = models.BooleanField(default=False)
    """Whether they were invited by e-mail address. The host must not learn whose it is, so the table does not name them
    before they sit there, nor say that they declined."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "player"], name="invited_once")]
        indexes = [models.Index(fields=["player"], name="invitation_open", condition=Q(state="open"))]

    def __str__(self) -> str:
        return f"invitation of player {self.player_id} to table {self.table_id}"


class AddressInvitation(models.Model):
    """An invitation of an e-mail address to a table; deleted as soon as the table no longer waits.

    The row does not show whether the address has an account: such an account has an `Invitation` besides.
    """

    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    table = models.ForeignKey(OpenTable, on_delete=models.CASCADE, related_name="letters")
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    address = models.EmailField(max_length=254, blank=True)
    """Kept only until the mail is sent; empty if none is sent."""
    digest = models.CharField(max_length=64)
    language = models.CharField(max_length=12)
    at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    """When somebody sat down by the link in the mail, which lets in one person."""
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "digest"], name="address_invited_once")]
        indexes = [models.Index(fields=["due_at"], name="letter_due", condition=~Q(address=""))]

    def __str__(self) -> str:
        return f"letter {self.pk} about table {self.table_id}"


class TableEvent(models.Model):
    """An event at a table before it began. `actor` caused it; `player` is the person it happened to, if another."""

    table = models.ForeignKey(OpenTable, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    text = models.CharField(max_length=20)
    """laid, joined, moved, left, removed, computer, invited, letter, declined, full, host (the table passed to
    `player`), extended, started, expired, closed."""
    actor = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    request_id = models.UUIDField(null=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="table_event_numbered_once"),
            models.UniqueConstraint(fields=["actor", "request_id"], name="table_event_requested_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.text} at table {self.table_id}"
