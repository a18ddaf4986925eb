"""`manage.py expire_guests`: remove guests who have stayed away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.services import expire_guests


class Command(BaseCommand):
    """For running daily. Running it twice does no harm."""

    help = "Let go of guests who have not been here for a while, with their unfinished games."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=30, help="idle for this many days (30)")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        days: int = options["days"]
        if days < 1:
            raise CommandError("--days must be at least 1.")
        self.stdout.write(f"{expire_guests(timedelta(days=days))} guests let go.")
