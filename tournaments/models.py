"""Tournaments as they are stored: the announcement, the log, who takes part, and the tables of rounds played online.

Only `tournaments.services.log` writes rows of the log, holding the lock on the tournament. They contain no names:
persons are recorded by the public id of their entry in the club's list. Participations, and the rows by which the
worker finds what is due online, are projections of the log, which `manage.py rebuild_tournaments` rebuilds. Invitations
are not in the log; they are stored only here.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, Player, new_public_id
from clubs.models import Club, HouseRulesVersion, Member, Season
from games.models import BoardSet, Game

SECRET_BYTES = 32


def new_secret() -> bytes:
    """A new secret from which a tournament's draws, or its codes, are derived."""
    return secrets.token_bytes(SECRET_BYTES)


class Tournament(models.Model):
    """An evening, or several days, of a club. Everything that happens is in its log (`TournamentEvent`)."""

    class Status(models.TextChoices):
        """How far it has got. Derived from the log, for lists."""

        PLANNED = "planned", _("announced")
        RUNNING = "running", _("running")
        CLOSED = "closed", _("over")
        CANCELLED = "cancelled", _("cancelled")

    class Entry(models.TextChoices):
        """Who may enter themselves before it begins."""

        DESK = "desk", _("only the club enters people")
        MEMBERS = "members", _("members of the club")
        EVERYBODY = "everybody", _("everybody with an account")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=100)
    place = models.CharField(max_length=120, blank=True)
    text = models.TextField(max_length=2000, blank=True)
    starts = models.DateTimeField()
    ends = models.DateTimeField(null=True, blank=True)
    language = models.CharField(max_length=12, blank=True)
    """The language of its printed papers and its big screen; the club's if empty."""
    is_public = models.BooleanField(default=True)
    """Whether it is in the calendar and everybody can read its page; otherwise only members of the club can."""
    entry = models.CharField(max_length=9, choices=Entry.choices, default=Entry.DESK)
    most = models.PositiveSmallIntegerField(default=0)
    """How many people may enter themselves; 0 for no limit."""
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.PLANNED)
    house_rules = models.ForeignKey(HouseRulesVersion, null=True, blank=True, on_delete=models.PROTECT)
    """The version the plan was made from; the rules themselves are in the log."""
    draw_secret = models.BinaryField(max_length=SECRET_BYTES, default=new_secret, editable=False)
    """The source of all draws: committed to when the tournament opens, published when it is closed."""
    key_secret = models.BinaryField(max_length=SECRET_BYTES, default=new_secret, editable=False)
    """The source of the codes on paper; never published."""
    number = models.PositiveIntegerField(default=0)
    """The number of the last event."""
    sequence = models.PositiveIntegerField(default=0)
    """How often the announcement was changed, for calendars to compare."""
    elsewhere_since = models.DateTimeField(null=True, blank=True, editable=False)
    """Since when it is continued at another site, from its file (`tournaments.handover`).

    Until then nothing is written here.
    """
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When it was opened here from a file."""
    opened_from = models.CharField(max_length=200, blank=True, editable=False)
    """The address of the site that this file comes from."""
    earlier = models.JSONField(null=True, editable=False)
    """Who sat together on earlier evenings, which took place at that site (`services.log.evenings_before`)."""
    changed_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-starts", "-pk"]
        indexes = [models.Index(fields=["club", "starts"], name="tournament_of_club")]

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the announcement.

        The columns derived from the log are written by `services.log`, which names them itself.
        """
        if not self._state.adding and kwargs.get("update_fields") is None:
            kwargs["update_fields"] = {field.name for field in self._meta.concrete_fields if not field.primary_key} - {
                "number",
                "status",
            }
        super().save(*args, **kwargs)


class TournamentEvent(models.Model):
    """One entry of a tournament's log (`domain.tournament.events`).

    Never changed, and deleted only with the tournament.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    by = models.CharField(max_length=60)
    """Who did it: `player:…`, `table:1.3.7/0`, `door`, `screen`; see `tournaments.permissions`."""
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    request_id = models.UUIDField(null=True)
    """The request that caused it; if a request causes several events, only the first has it."""
    digest = models.CharField(max_length=64, blank=True)
    """A digest of that request, to notice another request with the same id."""

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournament_event_numbered_once"),
            models.UniqueConstraint(
                fields=["tournament", "request_id"],
                name="tournament_event_requested_once",
                condition=Q(request_id__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.kind} of tournament {self.tournament_id}"


class Participation(models.Model):
    """A member of a club's list takes part. A projection of the log, to find the tournaments of a person."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="participations")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="participations")
    entrant = models.CharField(max_length=10)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "member"], name="takes_part_once")]

    def __str__(self) -> str:
        return f"member {self.member_id} in tournament {self.tournament_id} as {self.entrant}"


class SeasonEvening(models.Model):
    """A tournament, of any club, that counts for a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="evenings")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="seasons")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "tournament"], name="counts_once_for_a_season")]

    def __str__(self) -> str:
        return f"tournament {self.tournament_id} in season {self.season_id}"


KEY_LENGTH = 20


class OnlineRound(models.Model):
    """A published round that is played online, and when the worker has to look at it next."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="online_rounds")
    key = models.CharField(max_length=KEY_LENGTH)
    published_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    remind_at = models.DateTimeField(null=True, blank=True)
    """When players who still have to play are reminded of the deadline; empty once they were."""
    due_at = models.DateTimeField(null=True, blank=True)
    """When something may be due: games to create, reminders, the deadline, the next round."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="online_round_once")]
        indexes = [
            models.Index(fields=["due_at"], name="online_round_due", condition=Q(due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"round {self.key} of tournament {self.tournament_id}"


class OnlineTable(models.Model):
    """A table of an online round and the game created for it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="online_tables")
    key = models.CharField(max_length=KEY_LENGTH)
    game = models.OneToOneField(Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="online_table")
    board_set = models.ForeignKey(BoardSet, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    """The deals that all tables of its round play; empty if each plays its own."""
    deadline_at = models.DateTimeField(null=True, blank=True)
    begun_at = models.DateTimeField(null=True, blank=True)
    reported_at = models.DateTimeField(null=True, blank=True)
    """Since when it counts: when its game reported, or when the director or a forfeit decided it."""
    late = models.BooleanField(default=False)
    late_at = models.DateTimeField(null=True, blank=True)
    """Since when it is postponed."""
    again_at = models.DateTimeField(null=True, blank=True)
    """Not a projection: the report was refused and is not tried again before this time."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="online_table_once")]
        indexes = [
            models.Index(fields=["game"], name="online_table_open", condition=Q(reported_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"table {self.key} of tournament {self.tournament_id}"


class TournamentInvitation(models.Model):
    """An invitation to enter, sent once."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "player"], name="invited_to_tournament_once")]

    def __str__(self) -> str:
        return f"player {self.player_id} invited to tournament {self.tournament_id}"
