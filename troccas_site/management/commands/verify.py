"""`manage.py verify`: compare everything that is derived from the logs with the logs."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from core import last_runs
from troccas_site import verifying


class Command(BaseCommand):
    """Prints each difference, and exits with status 1 if there are any.

    Changes nothing: `rebuild`, `rebuild_tournaments` and `content --rebuild` repair.
    """

    help = "Compare games, tournaments and the encyclopedia with their logs; change nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare everything."""
        count = 0
        for difference in verifying.differences():
            count += 1
            self.stdout.write(difference)
        last_runs.note(last_runs.VERIFY, timezone.now(), problems=count)
        self.stdout.write(f"{count} differences.")
        if count:
            raise SystemExit(1)
