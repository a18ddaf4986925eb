"""`manage.py expire_guests`: remove guests who have stayed away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.services import expire_guests

_MOST_DAYS: Final = 36_500
"""A hundred years: much more is no date any more."""


class Command(BaseCommand):
    """For running daily. Running it twice does no harm."""

    help = "Let go of guests who have not been here for a while, with their unfinished games."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=30, help="idle for this many days (30)")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        days: int = options["days"]
        if not 1 <= days <= _MOST_DAYS:
            raise CommandError(f"--days must be from 1 to {_MOST_DAYS}.")
        self.stdout.write(f"{expire_guests(timedelta(days=days))} guests let go.")
