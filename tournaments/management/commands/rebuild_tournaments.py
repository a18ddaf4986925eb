"""`manage.py rebuild_tournaments`: rebuild the projections of the logs of tournaments, and print what was different."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Tournament
from tournaments.services.log import rebuild


class Command(BaseCommand):
    """Rebuild the projections of all tournaments, or of those named."""

    help = "Rebuild status and participants of tournaments from their logs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("public_ids", nargs="*", metavar="TOURNAMENT")

    def handle(self, *args: Any, public_ids: list[str], **options: Any) -> None:
        """Rebuild the projections. Raises CommandError for a tournament that does not exist."""
        tournaments = Tournament.objects.order_by("pk")
        if public_ids:
            tournaments = tournaments.filter(public_id__in=public_ids)
            missing = set(public_ids) - set(tournaments.values_list("public_id", flat=True))
            if missing:
                raise CommandError(f"no such tournament: {', '.join(sorted(missing))}")
        mended = 0
        for pk, public_id in tournaments.values_list("pk", "public_id"):
            if changed := rebuild(pk):
                mended += 1
                self.stdout.write(f"{public_id}: {'; '.join(changed)}")
        self.stdout.write(f"{tournaments.count()} tournaments read, {mended} mended.")
