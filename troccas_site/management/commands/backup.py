"""`manage.py backup`: back up the whole site to one file, while it keeps running."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from troccas_site import backups


class Command(BaseCommand):
    help = "Write a backup of the database and the site's keys into a folder, and check it; encrypted if BACKUP_KEY is set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", type=_path, default=settings.BACKUP_DIR)

    def handle(self, *args: Any, folder: Path | None, **options: Any) -> None:
        """Make the backup. Raises CommandError if no folder is given or the backup fails."""
        if folder is None:
            raise CommandError("Name a folder, here or in BACKUP_DIR.")
        try:
            path = backups.make(folder, key=settings.BACKUP_KEY)
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or folder} cannot be used: {error.strerror}.") from error
        self.stdout.write(f"{path}: {path.stat().st_size} bytes, checked.")


def _path(text: str) -> Path | None:
    """None for an empty text, which a script may pass without meaning the working directory."""
    return Path(text) if text else None
