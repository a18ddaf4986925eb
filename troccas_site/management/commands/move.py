"""`manage.py move postgres://…`: move the site from SQLite to PostgreSQL."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from troccas_site import moving


class Command(BaseCommand):
    """Copies all rows into an empty database, compares every row of both, and says what to set.

    The SQLite file is not changed.
    """

    help = "Move the site from SQLite into an empty database of PostgreSQL, and prove that both hold the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", metavar="postgres://user:password@host:5432/name")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        """Move the site. Raises CommandError if that fails; the site then stays where it was."""
        try:
            tables = moving.move(address)
        except moving.MoveError as error:
            raise CommandError(str(error)) from error
        rows = sum(tables.values())
        self.stdout.write(f"The same in both: {rows} rows in {len(tables)} tables.")
        self.stdout.write("Set DATABASE_URL to that address and start the site. The SQLite file is left as it was.")
