"""How fast the page of somebody with many games opens: `python benchmarks/my_games.py [--own 500] [--games 20000] [--repeats 30]`.

A site is made in a folder of its own (or in the empty database that DATABASE_URL names), with so many games between 400
people, of which one person sits in `--own`: half of them unfinished, half over. Each is a row of its own with its seats, as
the door leaves them; their logs are left out, since the page does not read them. Measured is the
whole answer to a request, in milliseconds of wall time and of work (what a busy machine does in between left out), and how
many queries it took.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from accounts.models import Player
    from games.models import Game

PEOPLE = 400
SEATS = 4
BATCH = 2000


def prepare() -> None:
    """An empty site in a folder of its own that goes when the program ends."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)


def lay(count: int, own: int) -> Player:
    """So many games; the first `own` are those of the person who is returned."""
    from django.utils import timezone

    from accounts.models import Player
    from domain.pace import Kind, Terms
    from games.models import Game, Seat
    from games.services import play

    chance = random.Random(1)
    people = [Player.objects.create(name=f"Person {number}") for number in range(PEOPLE)]
    day = timedelta(days=1)
    model = play.start("troccas", people[:SEATS], pace=Terms(Kind.DAYS, day, 3 * day))
    now = timezone.now()
    for first in range(0, count, BATCH):
        games = [_like(model, number, now, chance) for number in range(first, min(first + BATCH, count))]
        Game.objects.bulk_create(games)
        seats = []
        for number, game in enumerate(games, first):
            at_table = chance.sample(people[1:], SEATS)
            if number < own:
                at_table[chance.randrange(SEATS)] = people[0]
            seats += [Seat(game=game, number=at, player=player) for at, player in enumerate(at_table)]
        Seat.objects.bulk_create(seats, batch_size=BATCH)
    return people[0]


def _like(model: Game, number: int, now: datetime, chance: random.Random) -> Game:
    from games.models import Game

    assert isinstance(model, Game)
    asked = chance.randrange(SEATS)
    over = number % 2 == 1
    score = chance.randint(-20, 20)
    return Game(
        ruleset=model.ruleset,
        ruleset_version=model.ruleset_version,
        options=model.options,
        pace=model.pace,
        clock=model.clock,
        totals=[score, -score, score, -score],
        status=Game.Status.FINISHED if over else Game.Status.PLAYING,
        number=200,
        hand_number=2,
        hands_played=1,
        to_act=None if over else asked,
        asked="" if over else "play",
        waits_for=0 if over else 1 << asked,
        acted_at=now - timedelta(minutes=number),
        ended_at=now - timedelta(hours=number) if over else None,
        deadline_at=None if over else now + timedelta(minutes=chance.randrange(9000)),
    )


def measure(player: Player, path: str, repeats: int) -> tuple[list[float], float, int]:
    """How long the answers took, how much work the middle one was, and how many queries one takes."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from accounts import tokens

    client = Client(SERVER_NAME="127.0.0.1")
    client.cookies["guest"] = tokens.issue_guest_token(player)
    client.get(path)
    taken, worked = [], []
    for _each in range(repeats):
        begun, at_work = time.perf_counter(), time.process_time()
        answer = client.get(path)
        taken.append((time.perf_counter() - begun) * 1000)
        worked.append((time.process_time() - at_work) * 1000)
        assert answer.status_code == 200, answer.status_code
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return sorted(taken), statistics.median(worked), len(queries)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--own", type=int, default=500)
    options.add_argument("--games", type=int, default=20_000)
    options.add_argument("--repeats", type=int, default=30)
    asked = options.parse_args()
    prepare()
    player = lay(asked.games, asked.own)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"{asked.games} games, {asked.own} of one person, {connection.vendor}")
    print(f"{'page':<44}{'median':>8}{'slowest':>9}{'work':>8}  (ms) {'queries':>8}")
    for path in (
        "/en/my-games/",
        "/en/my-games/?page=5",
        "/en/my-games/finished/",
        "/en/my-games/finished/?person=person+7&result=won",
        "/my-games/waiting.json?count",
        "/my-games/waiting.json",
    ):
        taken, work, queries = measure(player, path, asked.repeats)
        print(f"{path:<44}{statistics.median(taken):>8.1f}{taken[-1]:>9.1f}{work:>8.1f}       {queries:>8}")


if __name__ == "__main__":
    main()
