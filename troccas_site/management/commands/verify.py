"""`manage.py verify`: whether what follows from the logs says what they say."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from core import last_runs
from troccas_site import verifying


class Command(BaseCommand):
    """Prints each difference and ends with status 1 where there is any; changes nothing. `rebuild`, `rebuild_tournaments` and
    `content --rebuild` mend."""

    help = "Compare games, tournaments and the encyclopedia with their logs; change nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare everything."""
        found = 0
        for difference in verifying.differences():
            found += 1
            self.stdout.write(difference)
        last_runs.note(last_runs.VERIFY, timezone.now(), problems=found)
        self.stdout.write(f"{found} differences.")
        if found:
            raise SystemExit(1)
