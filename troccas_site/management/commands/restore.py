"""`manage.py restore`: restore a backup into an empty data folder and database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from troccas_site import backups


class Command(BaseCommand):
    help = "Restore a backup into an empty DATA_DIR (and an empty DATABASE_URL). Overwrites nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="only check that the backup is complete")

    def handle(self, *args: Any, file: Path, check: bool, **options: Any) -> None:
        """Restore or check the backup. Raises CommandError if it is broken, or if there is a database already."""
        operation = backups.check if check else backups.restore
        try:
            tables = operation(file, key=settings.BACKUP_KEY)
        except backups.BackupError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or settings.DATA_DIR} cannot be used: {error.strerror}.") from error
        rows = sum(tables.values())
        result, next_step = ("The backup is whole", "") if check else ("Restored", " Start the site.")
        self.stdout.write(f"{result}: {rows} rows in {len(tables)} tables.{next_step}")
