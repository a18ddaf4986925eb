"""How fast the statistics of somebody with many hands open: `python benchmarks/played_hands.py [--own 5000] [--others 20000] [--repeats 20]`.

A site is made in a folder of its own (or in the empty database that DATABASE_URL names): one person has played `--own` hands
of Troccas with 60 others, who have played `--others` more without them. Rows of hands are as the door leaves them; logs are
left out, since no page of statistics reads one. Measured is the whole answer to a request, in milliseconds of work (what a busy
machine does in between left out), and how many queries it took.

It is not called `statistics`: the library's module of that name would not be found beside it.
"""

from __future__ import annotations

import argparse
import random
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.growth import measure, played_seat, prepare, reading  # noqa: E402  # only once the project is on the path

if TYPE_CHECKING:
    from datetime import datetime

    from accounts.models import Player
    from games.models import Game

PEOPLE = 60
SEATS = 4
HANDS = 4
BATCH = 500


def lay(own: int, others: int, *, days: int = 900) -> Player:
    """So many hands over so many days; the first `own` are (also) those of the person who is returned."""
    from django.utils import timezone

    from accounts import names
    from accounts.models import Player
    from games.models import Deal, Game, GameHand, PlayedSeat, Seat

    chance = random.Random(1)
    people = [Player.objects.create() for _number in range(PEOPLE)]
    for player, name in zip(people, ("Anna", "Beat", "Clau", "Duri", "Emil", "Flurina", "Gion Antoni"), strict=False):
        names.give(player, name)
    deal = Deal.objects.create(table="measured", ordinal=1)
    now = timezone.now()
    count = (own + others) // HANDS
    for first in range(0, count, BATCH):
        games = [_game(now) for _number in range(first, min(first + BATCH, count))]
        Game.objects.bulk_create(games)
        seats, hands, rows = [], [], []
        for number, game in enumerate(games, first):
            table = chance.sample(people[1:], SEATS)
            if number * HANDS < own:
                table[chance.randrange(SEATS)] = people[0]
            seats += [Seat(game=game, number=seat, player=player) for seat, player in enumerate(table)]
            at = now - timedelta(days=days * (number % (own // HANDS or 1)) / (own // HANDS or 1))
            for hand in range(1, HANDS + 1):
                row = GameHand(game=game, number=hand, deal=deal, dealer=hand % SEATS, status=GameHand.Status.PLAYED)
                hands.append(row)
                score = round(chance.gauss(0, 11))
                rows += [played_seat(row, seat, player, score, at, chance) for seat, player in enumerate(table)]
        Seat.objects.bulk_create(seats)
        GameHand.objects.bulk_create(hands)
        PlayedSeat.objects.bulk_create(rows)
    return people[0]


def _game(now: datetime) -> Game:
    from games.models import Game

    return Game(
        ruleset="troccas", ruleset_version=1, options={"hands": HANDS}, totals=[0] * SEATS, status=Game.Status.FINISHED,
        hands_played=HANDS, ended_at=now,
    )  # fmt: skip


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--own", type=int, default=5000)
    options.add_argument("--others", type=int, default=20_000)
    options.add_argument("--repeats", type=int, default=20)
    asked = options.parse_args()
    prepare()
    player = lay(asked.own, asked.others)
    from django.db import connection

    from accounts import sessions
    from games.models import PlayedSeat

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    partner = PlayedSeat.objects.filter(hand__played_seats__player=player).exclude(player=player).first()
    assert partner is not None
    page = f"/en/people/{player.public_id}/statistics/"
    print(f"{asked.own} hands of one person, {asked.others} of others, {connection.vendor}")
    print(f"{'page':<28}{'work':>8}  (ms) {'queries':>8}")
    guest = sessions.issue_guest_token(player)
    for name, path in (
        ("one person", page),
        ("one person, a year", f"{page}?period=year"),
        ("two people", f"{page}with/{partner.player.public_id}/"),
        ("hands.csv", f"{page}hands.csv"),
    ):
        work, queries = measure(reading(path, guest=guest), asked.repeats)
        print(f"{name:<28}{work:>8.1f}       {queries:>8}")


if __name__ == "__main__":
    main()
