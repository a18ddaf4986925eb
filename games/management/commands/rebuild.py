"""`manage.py rebuild`: rebuild everything that is derived from the logs, and print what was different."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from accounts.models import Player
from games.models import Game, Punctuality
from games.projections import recount_punctuality
from games.services.rebuilding import rebuild


class Command(BaseCommand):
    """Rebuild the projections of all games and the punctuality of their players, or only the given games."""

    help = "Rebuild whose turn it is, totals and results of games from their logs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("public_ids", nargs="*", metavar="GAME")

    def handle(self, *args: Any, public_ids: list[str], **options: Any) -> None:
        """Rebuild. Raises CommandError for a game that does not exist."""
        games = Game.objects.order_by("pk")
        if public_ids:
            games = games.filter(public_id__in=public_ids)
            missing = set(public_ids) - set(games.values_list("public_id", flat=True))
            if missing:
                raise CommandError(f"no such game: {', '.join(sorted(missing))}")
        mended = 0
        for pk, public_id in games.values_list("pk", "public_id"):
            changed = rebuild(pk)
            mended += bool(changed)
            if changed:
                self.stdout.write(f"{public_id}: {'; '.join(changed)}")
        if not public_ids:
            # Punctuality is derived from the logs of all games together.
            timed = Player.objects.filter(merged_into=None, computer="").filter(
                Q(seats__game__in=Game.objects.exclude(pace={})) | Q(pk__in=Punctuality.objects.values("player"))
            )
            for player in timed.distinct():
                if recount_punctuality(player):
                    mended += 1
                    self.stdout.write(f"player {player.public_id}: punctuality")
        self.stdout.write(f"{games.count()} games read, {mended} mended.")
