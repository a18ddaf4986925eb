"""Clubs: their members and roles, joining, house rules, dates, news and seasons.

Rows are only changed by the services of `clubs`, which hold the lock on the club.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.choices import CANTONS
from accounts.models import PUBLIC_ID_LENGTH, Player, new_public_id
from core.text import fold

NAME_LENGTH = 80
PERSON_NAME_LENGTH = 60
ABOUT_LENGTH = 5000
NEWS_LENGTH = 5000
MESSAGE_LENGTH = 300
SLUG_LENGTH = 40
TOKEN_BYTES = 16
KEEPS_MONTHS = 24
"""How long a club keeps names in results by default."""


def new_token() -> str:
    """A token of 128 bits that makes the address of an invitation secret."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Club(models.Model):
    """A club. A closed one is kept as a name only, for the results in which it appears."""

    class Joining(models.TextChoices):
        REQUEST = "request", _("whoever wishes may ask")
        INVITATION = "invitation", _("only people we invite")

    class ListFor(models.TextChoices):
        """Who may read the list of members."""

        STAFF = "staff", _("president, secretary and directors")
        MEMBERS = "members", _("all members with an account")

    slug = models.SlugField(max_length=SLUG_LENGTH, unique=True)
    """The club's part of its addresses: `/c/<slug>/`."""
    name = models.CharField(max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=2 * NAME_LENGTH, db_index=True, editable=False)
    """The folded name and village, for searching and sorting; written by `save`."""
    village = models.CharField(max_length=60, blank=True)
    canton = models.CharField(max_length=2, choices=CANTONS, blank=True)
    about = models.TextField(max_length=ABOUT_LENGTH, blank=True)
    """The site's markup, without directives (`clubs.text`)."""
    language = models.CharField(max_length=12, default=settings.LANGUAGE_CODE)
    """The language of its feeds, and of papers that are printed when no reader is there."""
    joining = models.CharField(max_length=10, choices=Joining.choices, default=Joining.REQUEST)
    list_for = models.CharField(max_length=7, choices=ListFor.choices, default=ListFor.STAFF)
    found_by_search = models.BooleanField(default=False)
    """Whether search engines may index its public pages."""
    keeps_months = models.PositiveSmallIntegerField(default=KEEPS_MONTHS)
    """After how many months the names in results, and the names of people who left, are reduced to initials."""
    demands_second_factor = models.BooleanField(default=False, db_default=False)
    """Whether a role in the club rests until its holder has a second factor (`clubs.permissions.standing`)."""
    provisional = models.BooleanField(default=False, editable=False)
    """Whether it only holds somebody's evenings without a club. It is in no list until they turn it into a club."""
    created_by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="founded_clubs")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name_key"]
        indexes = [models.Index(fields=["canton", "name_key"], name="club_open", condition=Q(closed_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key = fold(f"{self.name} {self.village}")[: 2 * NAME_LENGTH]
        update = kwargs.get("update_fields")
        if update is not None and {"name", "village"} & set(update):
            kwargs["update_fields"] = {*update, "name_key"}
        super().save(*args, **kwargs)


class Member(models.Model):
    """An entry in a club's list: a member, or a guest who walked in.

    With `player`, the person has an account and knows of the entry; without, the club has entered them. `clubs.naming`
    alone decides how much of the name is shown to whom.
    """

    class Role(models.TextChoices):
        """What the member may do for the club; see `clubs.permissions`."""

        PRESIDENT = "president", _("president")
        SECRETARY = "secretary", _("secretary")
        DIRECTOR = "director", _("tournament director")
        MEMBER = "member", _("member")

    class Kind(models.TextChoices):
        """Whether they belong to the club or came for an evening."""

        MEMBER = "member", _("member")
        GUEST = "guest", _("guest")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="club_entries")
    first_name = models.CharField(max_length=PERSON_NAME_LENGTH, blank=True)
    last_name = models.CharField(max_length=PERSON_NAME_LENGTH, blank=True)
    sort_key = models.CharField(max_length=4 * PERSON_NAME_LENGTH, blank=True, editable=False)
    """The folded last name, then the folded first name (without accents, in small letters); written by `save`."""
    email = models.EmailField(max_length=254, blank=True)
    birth_year = models.PositiveSmallIntegerField(null=True, blank=True)
    groups = models.JSONField(default=list, blank=True)
    """Names of families and sub-clubs. Where possible, the draw keeps people of the same group apart."""
    role = models.CharField(max_length=9, choices=Role.choices, default=Role.MEMBER)
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.MEMBER)
    named = models.BooleanField(default=False)
    """Whether they agreed to be named on public pages."""
    consent_at = models.DateTimeField(null=True, blank=True)
    """When they last agreed to that or refused it …"""
    consent_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """… and who wrote it down: they themselves, or somebody of the staff who has it on paper."""
    joined_on = models.DateField(default=timezone.localdate)
    left_on = models.DateField(null=True, blank=True)
    reduced_at = models.DateTimeField(null=True, blank=True)
    """When the names were reduced to initials for good."""

    class Meta:
        ordering = ["sort_key", "pk"]
        indexes = [
            models.Index(fields=["club", "sort_key"], name="member_list"),
            models.Index(fields=["club", "left_on"], name="member_left", condition=Q(left_on__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "player"], name="one_entry_each", condition=Q(player__isnull=False)
            ),
            models.CheckConstraint(
                name="only_members_have_roles", condition=Q(role="member") | Q(kind="member", left_on__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id} ({self.role} of club {self.club_id})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.sort_key = f"{fold(self.last_name)}, {fold(self.first_name)}"[: 4 * PERSON_NAME_LENGTH]
        update = kwargs.get("update_fields")
        if update is not None and {"first_name", "last_name"} & set(update):
            kwargs["update_fields"] = {*update, "sort_key"}
        super().save(*args, **kwargs)


class JoinRequest(models.Model):
    """The request of somebody with an account to become a member."""

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="requests")
    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="club_requests")
    first_name = models.CharField(max_length=PERSON_NAME_LENGTH)
    last_name = models.CharField(max_length=PERSON_NAME_LENGTH)
    named = models.BooleanField(default=False)
    message = models.CharField(max_length=MESSAGE_LENGTH, blank=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN)
    at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="asked_once_at_a_time", condition=Q(state="open"))
        ]

    def __str__(self) -> str:
        return f"player {self.player_id} asks to join club {self.club_id} ({self.state})"


class MemberInvitation(models.Model):
    """An invitation into a club: for anybody who has the link, for one player, or for the person of an entry."""

    class State(models.TextChoices):
        """What became of it. A link for several people stays open until it is revoked or expires."""

        OPEN = "open"
        USED = "used"
        DECLINED = "declined"
        REVOKED = "revoked"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    member = models.ForeignKey(Member, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations")
    """The entry that whoever follows the link takes over. Such a link works once."""
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="club_invitations")
    """The only player who may follow it. Such a link works once."""
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    used = models.PositiveIntegerField(default=0)
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "player"],
                name="member_invited_once_at_a_time",
                condition=Q(state="open", player__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk} to club {self.club_id} ({self.state})"


class HouseRulesVersion(models.Model):
    """The house rules as they were from `at` until the next version. Never changed."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="house_rules")
    version = models.PositiveIntegerField()
    data = models.JSONField()
    """`domain.standings.profile.HouseRules` as `to_plain` writes it."""
    note = models.CharField(max_length=200, blank=True)
    """What was changed, and why, in the words of the person who did it."""
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-version"]
        constraints = [models.UniqueConstraint(fields=["club", "version"], name="house_rules_numbered_once")]

    def __str__(self) -> str:
        return f"house rules {self.version} of club {self.club_id}"


class ClubDate(models.Model):
    """Something in the club's calendar that is not a tournament of this site."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="dates")
    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    title = models.CharField(max_length=100)
    starts = models.DateTimeField()
    ends = models.DateTimeField(null=True, blank=True)
    place = models.CharField(max_length=120, blank=True)
    text = models.TextField(max_length=2000, blank=True)
    cancelled = models.BooleanField(default=False)
    """Whether it does not take place. The row is kept, so that other people's calendars learn of it."""
    sequence = models.PositiveIntegerField(default=0)
    """How often it was changed; calendars compare this number."""
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["starts", "pk"]
        indexes = [models.Index(fields=["club", "starts"], name="club_calendar")]
        constraints = [
            models.CheckConstraint(
                name="date_ends_after_it_began", condition=Q(ends__isnull=True) | Q(ends__gte=models.F("starts"))
            )
        ]

    def __str__(self) -> str:
        return f"{self.title} of club {self.club_id}"


class News(models.Model):
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="news")
    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    title = models.CharField(max_length=100)
    text = models.TextField(max_length=NEWS_LENGTH)
    at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "news"
        indexes = [models.Index(fields=["club", "-at"], name="club_news")]

    def __str__(self) -> str:
        return f"{self.title} of club {self.club_id}"


class Season(models.Model):
    """Several evenings, of this club and others, that are added up."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    public_id = models.SlugField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=80)
    rules = models.JSONField(default=dict)
    """`domain.standings.season.SeasonRules` as plain data (`clubs.services.seasons`)."""
    same = models.JSONField(default=dict, blank=True)
    """Entries that are the same person: from the public id of an entry to that of the entry it counts for."""
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    """When it was declared final. It is not changed after that."""

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="season_named_once")]

    def __str__(self) -> str:
        return f"{self.name} of club {self.club_id}"


class ImportDraft(models.Model):
    """A list of members that was read from a file and shown, and waits for a yes. Exactly what was shown is applied."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="import_drafts")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    filename = models.CharField(max_length=120, blank=True)
    data = models.JSONField()
    """What each line would do: the fields of `clubs.services.importing.Plan`; once applied, its result (`done`)."""
    at = models.DateTimeField(default=timezone.now)
    applied_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"import {self.pk} of club {self.club_id}"


class ClubEvent(models.Model):
    """Something that was done in a club: who did what to whom, and by which request. Never changed.

    `what` is in dotted past tense: `member.entered`, `role.given`, `club.founded`. `data` never holds names of members.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events")
    what = models.CharField(max_length=40)
    actor = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    member = models.ForeignKey(Member, null=True, on_delete=models.SET_NULL, related_name="+")
    data = models.JSONField(default=dict, blank=True)
    request_id = models.UUIDField(null=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["club", "-at"], name="club_history")]
        constraints = [
            models.UniqueConstraint(fields=["actor", "request_id"], name="club_event_requested_once"),
        ]

    def __str__(self) -> str:
        return f"{self.what} in club {self.club_id}"
