"""What readers contribute and follow: what a thing is called where they live, and which pages they want news about.

Contributions wait for an editor. Only `rules.readers.services` writes these rows.
"""

from __future__ import annotations

from typing import Final
from uuid import uuid4

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Player

WORD_LENGTH: Final = 120
VILLAGE_LENGTH: Final = 60
NAME_LENGTH: Final = 60
MEANING_LENGTH: Final = 300


class Contribution(models.Model):
    """What a reader, with or without an account, has told us about a concept."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    entry = models.ForeignKey("rules.Entry", on_delete=models.CASCADE, related_name="%(class)ss")
    """The concept."""
    language = models.CharField(max_length=12)
    """The language of the word, one of `rules.documents.kinds.LANGUAGES`: guessed until an editor has reviewed it."""
    text = models.CharField(max_length=WORD_LENGTH)
    village = models.CharField(max_length=VILLAGE_LENGTH)
    """As the reader wrote it."""
    place = models.CharField(max_length=80, blank=True, db_index=True)
    """The key of the published place that is meant; empty as long as there is none."""
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    """The name to publish with it; empty for none."""
    player = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """The contributor; null for a stranger or a deleted account."""
    at = models.DateTimeField(default=timezone.now, editable=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN, db_index=True)
    decided_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.text} ({self.village})"


class Saying(Contribution):
    """“We say it differently”: a word or phrase for a concept, as said in one village."""

    class Sure(models.TextChoices):
        OWN = "own", _("I say it so myself")
        HEARD = "heard", _("I have heard it there")
        UNSURE = "unsure", _("I am not certain")

    entry = models.ForeignKey(  # type: ignore[assignment]  # a recording always has one
        "rules.Entry", null=True, on_delete=models.CASCADE, related_name="sayings"
    )
    """The concept. It may be unpublished if the glossary lacked the word when it was told.

    Null if such a word was declined and nothing else is told about it.
    """
    sure = models.CharField(max_length=6, choices=Sure.choices, default=Sure.OWN)
    meaning = models.CharField(max_length=MEANING_LENGTH, blank=True)
    """The meaning of the word, if the glossary lacked it."""
    meaning_language = models.CharField(max_length=12, blank=True)
    """The language of the form that asked for the meaning; empty if there is no meaning."""
    became = models.ForeignKey("rules.Revision", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    """The revision that added the word to the entry; null if the word was there already."""

    class Meta:
        ordering = ["at", "pk"]


class Recording(Contribution):
    """A word or phrase, spoken by somebody from a village. The audio is in its `Sound`."""

    public_id = models.UUIDField(default=uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=4)
    """One of `rules.readers.sounds.TYPES`."""
    seconds = models.FloatField()

    class Meta:
        ordering = ["at", "pk"]

    @property
    def address(self) -> str:
        return reverse("recording", args=[self.public_id, self.kind])


class Sound(models.Model):
    """The bytes of a recording, in the database, so that backups, erasure and several servers need nothing extra."""

    recording = models.OneToOneField(Recording, primary_key=True, on_delete=models.CASCADE, related_name="sound")
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"sound of recording {self.recording_id}"


class FollowedPage(models.Model):
    """A member wants to be told when this page changes."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="followed_pages")
    entry = models.ForeignKey("rules.Entry", on_delete=models.CASCADE, related_name="followers")
    since = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [models.UniqueConstraint(fields=["player", "entry"], name="page_followed_once")]

    def __str__(self) -> str:
        return f"player {self.player_id} follows {self.entry_id}"


class CheckedDefinition(models.Model):
    """An editor has found that a definition says the same as the English one as of revision `number`."""

    entry = models.ForeignKey("rules.Entry", on_delete=models.CASCADE, related_name="+")
    language = models.CharField(max_length=12)
    number = models.PositiveIntegerField()
    by = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "language"], name="definition_checked_once")]

    def __str__(self) -> str:
        return f"{self.language} of {self.entry_id} is as r{self.number}"
