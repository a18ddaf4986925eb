"""The encyclopedia as it is stored: entries that people edit, and rows derived from their published revisions.

An `Entry` is one thing with a history of its own: an article in one language, a concept with all its terms, a source, a
place. Its `Revision` rows are the truth: each holds the whole document, written once. `Article`, `Concept`,
`Definition`, `Term`, `Source` and `Place` are projections of the published revisions, written in the same transaction
by `rules.services`; `manage.py content --rebuild` rebuilds them.

`SearchEntry` has one row for each name, definition, section … of a published entry; `rules.search.index` keeps them up
to date. A migration creates the full-text indexes beside the tables (FTS5 on SQLite, GIN on PostgreSQL).
"""

from __future__ import annotations

from typing import Any, Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Player

SOURCE_LANGUAGE: Final = "en"
"""Articles are written in it and translated from it; a word missing in another language is shown in it."""
NAME_LENGTH: Final = 120
WORD_LENGTH: Final = 60
"""Longer words are cut, in stored rows and in queries alike."""


class SearchEntry(models.Model):
    """One text of an entry, as it is shown (`text`) and as it is looked up (`folded`, `skeleton`, `words`)."""

    class Kind(models.TextChoices):
        ARTICLE = "article"
        WORD = "word"
        PHRASE = "phrase"
        SOURCE = "source"
        PLACE = "place"

    entry = models.ForeignKey("rules.Entry", on_delete=models.CASCADE, related_name="search_rows")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    part = models.CharField(max_length=10)
    """Which text of the entry it is: one of `rules.search.index.WEIGHTS`."""
    language = models.CharField(max_length=12, blank=True)
    """The language of the text; empty if it belongs to none."""
    weight = models.PositiveSmallIntegerField()
    length = models.PositiveIntegerField()
    """The length of `folded`."""
    anchor = models.CharField(max_length=80, blank=True)
    """The section of an article, as the id of its heading."""
    skeleton = models.CharField(max_length=NAME_LENGTH, blank=True)
    """For a name: finds all its spellings at once. Empty for texts."""
    folded = models.TextField()
    words = models.TextField()
    """Every word once, folded and as skeleton, separated by single spaces: the content of the full-text index."""
    text = models.TextField()
    """As it is shown. Sections and look-up forms have two lines, see `rules.search.index.HEADING_END`."""

    class Meta:
        verbose_name_plural = "search entries"
        indexes = [models.Index(fields=["skeleton"], name="search_by_skeleton")]

    def __str__(self) -> str:
        return f"{self.part} {self.text[:40]!r} of {self.entry_id}"


class SearchWord(models.Model):
    """Every word that occurs, folded and as skeleton, for comparison with mistyped words.

    Words that no longer occur may stay for a while.
    """

    text = models.CharField(max_length=WORD_LENGTH, unique=True)
    length = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return self.text


KEY_LENGTH = 80
SLUG_LENGTH = 80
COMMENT_LENGTH = 300


def args_of(kind: str, key: str, language: str) -> list[str]:
    """The arguments of the addresses at which an entry is edited; only articles have a language."""
    return [kind, key, *([language] if language else [])]


class Entry(models.Model):
    """One editable thing. `key` never changes; `slug` is its address and may change, then the old one redirects."""

    class Kind(models.TextChoices):
        ARTICLE = "article", _("article")
        CONCEPT = "concept", _("word")
        SOURCE = "source", _("source")
        PLACE = "place", _("place")

    class Protection(models.TextChoices):
        """Who may suggest and publish changes."""

        OPEN = "open", _("editors publish, everybody suggests")
        EDITORS = "editors", _("only editors")
        ADMINISTRATORS = "admins", _("only administrators")

    kind = models.CharField(max_length=8, choices=Kind.choices)
    key = models.CharField(max_length=KEY_LENGTH)
    language = models.CharField(max_length=12, blank=True)
    """The language of an article; empty for kinds that have all languages in one document."""
    slug = models.SlugField(max_length=SLUG_LENGTH)
    protection = models.CharField(max_length=8, choices=Protection.choices, default=Protection.OPEN)
    published = models.OneToOneField(
        "Revision", null=True, blank=True, on_delete=models.PROTECT, related_name="publishes"
    )
    """The revision that readers see; null while the entry is only suggested, or after it was withdrawn."""
    revisions_made = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["kind", "key", "language"], name="entry_once"),
            models.UniqueConstraint(fields=["kind", "slug", "language"], name="entry_addressed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}{f' ({self.language})' if self.language else ''}"

    @property
    def args(self) -> list[str]:
        return args_of(self.kind, self.key, self.language)

    @property
    def is_translation(self) -> bool:
        return self.kind == self.Kind.ARTICLE and self.language != SOURCE_LANGUAGE


class WrittenOnce(models.QuerySet["Revision"]):
    def update(self, **changes: Any) -> int:
        raise TypeError("history is never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("history is never shortened")


class Revision(models.Model):
    """One published state of an entry: the whole document, by whom, when and why. Written once, never changed."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    document = models.JSONField()
    """In canonical form, as `rules.documents` makes it; its shape depends on the entry's kind."""
    author = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    """Null for revisions that came from the program's files."""
    published_by = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    """The editor who accepted the suggestion; null if the author published it."""
    comment = models.CharField(max_length=COMMENT_LENGTH, blank=True)
    minor = models.BooleanField(default=False)
    """Whether the change leaves translations valid."""
    follows = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="translations")
    """For a translated article: the revision of its source article that it corresponds to."""
    reverts_to = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    file_digest = models.CharField(max_length=64, blank=True)
    """SHA-256 of the document as it was in its file, for revisions that came from a file."""
    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    objects = WrittenOnce.as_manager()

    class Meta:
        ordering = ["entry", "-number"]
        constraints = [models.UniqueConstraint(fields=["entry", "number"], name="revision_numbered_once")]

    def __str__(self) -> str:
        return f"{self.entry} r{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the revision. Raises TypeError if it is stored already."""
        if not self._state.adding:
            raise TypeError("history is never changed")
        super().save(*args, **kwargs)


class Suggestion(models.Model):
    """A change somebody proposes; an editor accepts or declines it."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="suggestions")
    base = models.ForeignKey(Revision, null=True, on_delete=models.PROTECT, related_name="+")
    """What the author saw; null for an entry that does not exist yet."""
    document = models.JSONField()
    author = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="suggestions")
    comment = models.CharField(max_length=COMMENT_LENGTH, blank=True)
    follows = models.ForeignKey(Revision, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    """For a translation: the revision of the source article that the suggested text corresponds to."""
    language = models.CharField(max_length=12, blank=True, db_index=True)
    """The language the change concerns, for the queue; empty if it concerns several."""
    at = models.DateTimeField(default=timezone.now, editable=False)
    state = models.CharField(max_length=9, choices=State.choices, default=State.OPEN, db_index=True)
    decided_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=COMMENT_LENGTH, blank=True)
    became = models.ForeignKey(Revision, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["at"]

    def __str__(self) -> str:
        return f"suggestion {self.pk} for {self.entry}"


class Remark(models.Model):
    """One contribution to the discussion of an entry (for an article: of all its languages together)."""

    kind = models.CharField(max_length=8, choices=Entry.Kind.choices)
    key = models.CharField(max_length=KEY_LENGTH)
    author = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(max_length=4000)
    question = models.CharField(max_length=KEY_LENGTH, blank=True)
    """The id of the question box that it answers, if any."""
    at = models.DateTimeField(default=timezone.now, editable=False)
    hidden_by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_why = models.CharField(max_length=COMMENT_LENGTH, blank=True)

    class Meta:
        ordering = ["at"]
        indexes = [models.Index(fields=["kind", "key", "at"], name="remark_of_entry")]

    def __str__(self) -> str:
        return f"remark {self.pk} on {self.kind} {self.key}"


class Redirect(models.Model):
    kind = models.CharField(max_length=8, choices=Entry.Kind.choices)
    slug = models.SlugField(max_length=SLUG_LENGTH)
    key = models.CharField(max_length=KEY_LENGTH)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "slug"], name="redirect_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.slug} -> {self.key}"


class Catalogue(models.Model):
    """A single row: which state of the words and of the program's files is published, to check with one small query."""

    words = models.PositiveBigIntegerField(default=0)
    """Raised whenever a word, source or place is published; `rules.terms` then reads the names again."""
    files = models.CharField(max_length=64, blank=True)
    """SHA-256 of all content files as last loaded."""

    def __str__(self) -> str:
        return f"words {self.words}"


# --- Projections of the published revisions -------------------------------------------------------------------------------


class Article(models.Model):
    """What lists need to know about a published article; its text is in the revision."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="article")
    key = models.CharField(max_length=KEY_LENGTH)
    language = models.CharField(max_length=12)
    slug = models.SlugField(max_length=SLUG_LENGTH)
    title = models.CharField(max_length=120)
    summary = models.CharField(max_length=400, blank=True)
    section = models.CharField(max_length=20)
    """Where the contents page lists it: `games`, `table`, `world`."""
    order = models.PositiveSmallIntegerField(default=0)
    ruleset = models.CharField(max_length=40, blank=True)
    """The engine's ruleset that this article is about, if any."""
    draft = models.BooleanField(default=False)

    class Meta:
        ordering = ["section", "order", "title"]
        constraints = [models.UniqueConstraint(fields=["key", "language"], name="article_once")]

    def __str__(self) -> str:
        return f"{self.title} ({self.language})"


class Place(models.Model):
    """A village, valley, region or canton; `parent` is the larger one it lies in."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="place")
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    names = models.JSONField()
    """By language; `""` is the name for all languages not listed."""
    sort = models.CharField(max_length=10)
    """`village`, `valley`, `region`, `canton` or `country`."""
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="parts")

    def __str__(self) -> str:
        return self.key


class Source(models.Model):
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="source")
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    document = models.JSONField()
    """author, title, container, place, year, url, note: as in the revision, for citing without a join."""

    def __str__(self) -> str:
        return self.key


class Concept(models.Model):
    """One idea, whatever it is called: a card, a move, a payment, or a phrase of the talk."""

    class Sort(models.TextChoices):
        WORD = "word"
        PHRASE = "phrase"

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="concept")
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    slug = models.SlugField(max_length=SLUG_LENGTH, unique=True)
    sort = models.CharField(max_length=6, choices=Sort.choices, default=Sort.WORD)
    theme = models.CharField(max_length=20, db_index=True)
    order = models.PositiveIntegerField(default=0)
    troccas = models.BooleanField(default=False)
    troggu = models.BooleanField(default=False)
    document = models.JSONField()
    """The published document, for pages that show all of it."""

    class Meta:
        ordering = ["theme", "order", "key"]

    def __str__(self) -> str:
        return self.key


class Definition(models.Model):
    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="definitions")
    language = models.CharField(max_length=12)
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["concept", "language"], name="defined_once")]

    def __str__(self) -> str:
        return f"{self.concept} ({self.language})"


class Term(models.Model):
    """One word for a concept in one language, in the order of the document: of each language, we use the first."""

    class Status(models.TextChoices):
        """How far the word should be used; the names are those of TBX."""

        PREFERRED = "preferred", _("preferred")
        ADMITTED = "admitted", _("admitted")
        DEPRECATED = "deprecated", _("deprecated")
        PROPOSED = "proposed", _("proposed")

    concept = models.ForeignKey(Concept, on_delete=models.CASCADE, related_name="terms")
    order = models.PositiveSmallIntegerField()
    language = models.CharField(max_length=12)
    text = models.CharField(max_length=120)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ADMITTED)
    place = models.ForeignKey(Place, null=True, blank=True, on_delete=models.SET_NULL, related_name="terms")
    folded = models.TextField(default="", db_default="")
    """`text` as `core.text.fold` makes it, for filtering lists."""
    letter = models.CharField(max_length=4, default="", db_default="")
    """The letter it is filed under (`rules.documents.sorting`)."""
    filed = models.BinaryField(default=b"", db_default=b"")
    """Its sort key."""
    document = models.JSONField()
    """The whole term: part of speech, gender, register, sources, examples, look-up forms, pronunciation, notes."""

    class Meta:
        ordering = ["concept", "order"]
        indexes = [
            models.Index(fields=["language", "text"], name="term_by_text"),
            models.Index(fields=["language", "filed"], name="term_as_filed"),
            # These two contain all that counting and filtering a list needs.
            models.Index(fields=["language", "letter", "concept", "folded"], name="term_by_letter"),
            models.Index(fields=["language", "concept", "status"], name="term_of_concept"),
        ]

    def __str__(self) -> str:
        return f"{self.text} ({self.language})"
