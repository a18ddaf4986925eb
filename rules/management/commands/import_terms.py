"""`manage.py import_terms FILE`: show what a file of words would change here; with --apply, change it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Player
from rules.exchange.files import BadFile, check_size
from rules.exchange.importing import FORMATS, Outcome, Plan, apply, format_of, plan


class Command(BaseCommand):
    """`import_terms words.csv` changes nothing; `--apply --as gion@example.org` publishes in the name of that editor."""

    help = "Show what a CSV or TBX file of words would change; --apply publishes it in the name of an editor."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=FORMATS, default="", help="what it is; its name says so if left out")
        parser.add_argument("--apply", action="store_true", help="publish what is new or changed")
        parser.add_argument("--as", dest="email", default="", help="the address the publishing editor logs in with")
        parser.add_argument("--comment", default="", help="the reason that stands in the history")

    def handle(self, *args: Any, file: Path, format: str, email: str, comment: str, **options: Any) -> None:
        """Do it. Raises CommandError for an unreadable file or an unknown editor."""
        editor = self._editor(email) if options["apply"] else None
        try:
            check_size(file.stat().st_size)
            records = FORMATS[format or format_of(file.name)](file.read_bytes())
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except BadFile as error:
            raise CommandError(f"{file} cannot be read; nothing has been changed.\n{error}") from None
        changes = plan(records)
        self._tell(changes, is_verbose=options["verbosity"] > 0)
        if editor is None:
            self.stdout.write("Nothing has been changed. To go ahead: --apply --as EMAIL.")
            return
        done = apply(changes, by=editor, comment=comment or f"from the file {file.name}")
        for key, why in done.refused:
            self.stderr.write(f"refused: {key}: {why}")
        if done.left:
            self.stderr.write(f"{done.left} more were not tried. Run this again later: what is done is not done twice.")
        self.stdout.write(f"{len(done.done)} published.")

    def _editor(self, email: str) -> Player:
        if not email:
            raise CommandError("Say in whose name to publish: --as EMAIL.")
        player = Player.objects.filter(user__email=email.strip().lower()).first()
        if player is None:
            raise CommandError(f"No player logs in with {email}. They must have signed up, and opened a page, first.")
        return player

    def _tell(self, changes: Plan, *, is_verbose: bool) -> None:
        """Print the plan, concept by concept: + for each fact that would be added, - for one that would be removed."""
        for step in changes.steps if is_verbose else ():
            where = f" (line {step.line})" if step.line else ""
            self.stdout.write(f"{step.outcome}: {step.key}{where}")
            for line in step.removed:
                self.stdout.write(f"  - {line}")
            for line in step.added:
                self.stdout.write(f"  + {line}")
            for conflict in step.conflicts:
                self.stdout.write(f"  ! {conflict.label}: was {conflict.base!r}, is {conflict.theirs!r} now")
                self.stdout.write(f"    the file says {conflict.mine!r}")
            for problem in step.problems:
                self.stdout.write(f"  ! {problem}")
        counts = ", ".join(f"{changes.counts[outcome]} {outcome}" for outcome in Outcome)
        self.stdout.write(f"{counts}, {changes.unchanged} unchanged.")
