"""`manage.py rate`: recompute all ratings from the logs, and print what changed."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ratings.services import run


class Command(BaseCommand):
    """Recompute all ratings and replace the stored ones."""

    help = "Compute all ratings anew from the logs of tournaments and games."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--luck", action="store_true", help="estimate the luck of each game anew, too, though it is kept for a year"
        )

    def handle(self, *args: Any, luck: bool, **options: Any) -> None:
        outcome = run(luck_anew=luck)
        for line in outcome.changes:
            self.stdout.write(line)
        self.stdout.write(
            f"{outcome.results} results ({outcome.deals} deals) of {outcome.people} people read; "
            f"{outcome.shown} want to be shown; {len(outcome.changes)} changes."
        )
