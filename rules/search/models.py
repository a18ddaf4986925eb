"""What is searched, as rows: one for each name, definition, section … of a published entry.

The rows follow from the published documents; `rules.search.index` keeps them. What makes them quick to find (FTS5 on SQLite,
GIN on PostgreSQL) stands beside the tables and is made by a migration.
"""

from __future__ import annotations

from typing import Final

from django.db import models

NAME_LENGTH: Final = 120
WORD_LENGTH: Final = 60
"""Longer words are cut, in rows and in questions alike."""


class SearchEntry(models.Model):
    """One text of an entry, as it is shown (`text`) and as it is looked up (`folded`, `skeleton`, `words`)."""

    class Kind(models.TextChoices):
        """What the entry is to a reader."""

        ARTICLE = "article"
        WORD = "word"
        PHRASE = "phrase"
        SOURCE = "source"
        PLACE = "place"

    entry = models.ForeignKey("rules.Entry", on_delete=models.CASCADE, related_name="search_rows")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    part = models.CharField(max_length=10)
    """Which text of the entry, one of `rules.search.indexing.WEIGHTS`."""
    language = models.CharField(max_length=12, blank=True)
    """The language of the text; empty where it belongs to none."""
    weight = models.PositiveSmallIntegerField()
    length = models.PositiveIntegerField()
    """Letters of `folded`."""
    anchor = models.CharField(max_length=80, blank=True)
    """The section of an article, as its heading's id."""
    skeleton = models.CharField(max_length=NAME_LENGTH, blank=True)
    """Of a name, for finding all its spellings at once; empty for texts."""
    folded = models.TextField()
    words = models.TextField()
    """Every word once, folded and as skeleton, one blank between them: what the full-text index holds."""
    text = models.TextField()
    """As it is shown; of sections and look-up forms two lines, see `rules.search.indexing.HEADING_END`."""

    class Meta:
        verbose_name_plural = "search entries"
        indexes = [models.Index(fields=["skeleton"], name="search_by_skeleton")]

    def __str__(self) -> str:
        return f"{self.part} {self.text[:40]!r} of {self.entry_id}"


class SearchWord(models.Model):
    """Every word that occurs, folded and as skeleton: what a mistyped one is compared with. Words that are gone may stay a while."""

    text = models.CharField(max_length=WORD_LENGTH, unique=True)
    length = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return self.text
