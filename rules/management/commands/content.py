"""`manage.py content`: load the program's files into the encyclopedia, check them, or rebuild derived rows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules import content_files
from rules.content_files import CONTENT, Flaw
from rules.templatetags.deck import SPRITE


def _cards_are_there() -> bool:
    """Whether the collected static files include the pictures of the cards, without which no example can be shown."""
    try:
        staticfiles_storage.url(SPRITE)
    except ValueError:
        return False
    return True


class Command(BaseCommand):
    """Load what has changed; edits made on the site are never overwritten. Running it again does nothing."""

    help = "Load the articles and words of the program’s files; edits made on the site stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check",
            action="store_true",
            help="only check the files, every article and every example (on a prepared site)",
        )
        parser.add_argument(
            "--rebuild", action="store_true", help="make projections and search anew from the revisions"
        )
        parser.add_argument("--folder", type=Path, default=CONTENT, help="read the files of this folder")
        parser.add_argument("--again", action="store_true", help="read all files even if none has changed")

    def handle(self, *args: Any, check: bool, rebuild: bool, again: bool, folder: Path, **options: Any) -> None:
        """Do it, and report what was done. Raises CommandError if a check finds flaws.

        A folder without sources is refused: what the program itself brings would be published without them.
        """
        if not (rebuild or (folder / "sources.toml").is_file()):
            raise CommandError(f"{folder} holds no content: it has no file sources.toml.")
        if check:
            if not _cards_are_there():
                raise CommandError("The examples show cards: run `manage.py prepare` first.")
            flaws = content_files.flaws(folder)
            self._tell(flaws)
            if flaws:
                raise CommandError(f"{len(flaws)} things to mend.")
            self.stdout.write("All files are good.")
            return
        if rebuild:
            self.stdout.write(f"{content_files.rebuild()} entries rebuilt.")
            return
        done = content_files.load(folder, again=again)
        if done.current:
            if options["verbosity"] > 1:
                self.stdout.write("No file has changed.")
            return
        self._tell(done.flaws)
        for kept in done.kept:
            self.stderr.write(f"kept: {kept.entry} was edited by {kept.editor}; its file says something else now")
        if options["verbosity"] > 0:
            self.stdout.write(
                f"{done.added} added, {done.updated} updated, {done.unchanged} unchanged, {len(done.kept)} kept as edited."
            )

    def _tell(self, flaws: Iterable[Flaw]) -> None:
        for flaw in flaws:
            self.stderr.write(str(flaw))
