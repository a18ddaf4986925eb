"""`manage.py backup`: the whole site in one file, while it goes on."""

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
        parser.add_argument("folder", nargs="?", type=Path, default=settings.BACKUP_DIR)

    def handle(self, *args: Any, folder: Path | None, **options: Any) -> None:
        """Raises CommandError where no folder is named, or no backup could be made."""
        if folder is None:
            raise CommandError("Name a folder, here or in BACKUP_DIR.")
        try:
            path = backups.make(folder, key=settings.BACKUP_KEY)
        except (backups.BackupError, OSError) as wrong:
            raise CommandError(str(wrong)) from wrong
        self.stdout.write(f"{path}: {path.stat().st_size} bytes, checked.")
