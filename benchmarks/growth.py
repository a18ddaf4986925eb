"""What grows with the games that are stored: `python benchmarks/growth.py [--games 1000,10000,100000] [--own 500] [--repeats 20]`.

A site is made in a folder of its own (or in the empty database that DATABASE_URL names), with so many games between 400
people, of which one person sits in `--own`: of these half are over, of the others nineteen in twenty, and of what goes on a
tenth may be watched. Each is a row of its own with its seats and, where it is over, the row of each seat that statistics count,
as the door leaves them; their logs are left out, since no page but their own reads them. What is more than the first 10,000 is
copied from these by the database, with their people and moments: a site of a hundred times the games has a hundred times as many
a day. Measured at each size are an action with its fragment at a table of four, pages, a look of the worker with nothing due, and
the cleaning of each hour: milliseconds of work (what a busy machine does in between left out), the middle of `--repeats`, and how
many queries it took.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from django.test import Client

    from accounts.models import Player
    from games.models import Game, GameHand, PlayedSeat

PEOPLE = 400
SEATS = 4
BATCH = 2000
MODELS = 10_000
"""So many games are laid one by one; the others are copies of those of them that are not the one person's."""
LAID = 200
"""The number of a game that was laid here; no other has so many actions."""


def prepare() -> None:
    """An empty site in a folder of its own that goes when the program ends."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)


def lay(upto: int, stored: int, own: int, somebody: Player | None) -> Player:
    """Games until there are `upto`, where `stored` were laid; the first `own` are those of the person who is returned."""
    if stored < MODELS < upto:
        somebody = lay(MODELS, stored, own, somebody)
        stored = MODELS
    if stored >= MODELS and somebody is not None:
        copy(upto - stored, somebody)
        return somebody
    from django.utils import timezone

    from accounts.models import Player
    from domain.pace import Kind, Terms
    from games.models import Game, GameHand, PlayedSeat, Seat, TableWatching, WatchMode
    from games.services import play

    chance = random.Random(stored)
    if somebody is None:
        Player.objects.bulk_create(Player(name=f"Person {number}") for number in range(PEOPLE))
    people = list(Player.objects.order_by("pk")[:PEOPLE])
    day = timedelta(days=1)
    model = play.start("troccas", people[:SEATS], pace=Terms(Kind.DAYS, day, 3 * day))
    deal = model.hands.get().deal
    now = timezone.now()
    for first in range(stored, upto, BATCH):
        games = [
            _like(model, number, now, chance, is_own=number < own) for number in range(first, min(first + BATCH, upto))
        ]
        Game.objects.bulk_create(games)
        seats, hands, played = [], [], []
        for number, game in enumerate(games, first):
            at_table = chance.sample(people[1:], SEATS)
            if number < own:
                at_table[chance.randrange(SEATS)] = people[0]
            seats += [Seat(game=game, number=at, player=player) for at, player in enumerate(at_table)]
            if game.ended_at is not None:
                hands.append(GameHand(game=game, number=1, deal=deal, dealer=0, status=GameHand.Status.PLAYED))
                played.append((game, at_table))
        Seat.objects.bulk_create(seats, batch_size=BATCH)
        watched = [game for game in games if game.ended_at is None][::10]
        TableWatching.objects.bulk_create(TableWatching(game=game, mode=WatchMode.OPEN) for game in watched)
        GameHand.objects.bulk_create(hands, batch_size=BATCH)
        rows = [
            played_seat(hand, seat, player, game.totals[0], game.ended_at, chance)
            for hand, (game, at_table) in zip(hands, played, strict=True)
            if game.ended_at is not None
            for seat, player in enumerate(at_table)
        ]
        PlayedSeat.objects.bulk_create(rows, batch_size=BATCH)
    return people[0]


def copy(count: int, somebody: Player) -> None:
    """So many more games like those that were laid first and are not somebody's, a statement for all of them at once."""
    from django.core.management.color import no_style
    from django.db import connection, models

    from games.models import Game, GameHand, PlayedSeat, Seat, TableWatching

    def columns(model: type[models.Model]) -> dict[str, str]:
        fields = model._meta.local_concrete_fields
        return {str(field.column): str(field.column) for field in fields if not (field.primary_key or field.generated)}

    def last(model: type[models.Model]) -> int:
        return model._default_manager.aggregate(last=models.Max("pk"))["last"] or 0

    public_id = "lower(hex(randomblob(12)))" if connection.vendor == "sqlite" else "left(md5(random()::text), 24)"
    of_games = "game_id IN (SELECT id FROM laid)"
    of_hands = f"hand_id IN (SELECT id FROM {GameHand._meta.db_table} WHERE {of_games})"  # noqa: S608  # made of our own names
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMPORARY TABLE laid AS SELECT id FROM {Game._meta.db_table} WHERE number = {LAID} AND id NOT IN"  # noqa: S608  # made of our own names
            f" (SELECT game_id FROM {Seat._meta.db_table} WHERE player_id = {somebody.pk}) ORDER BY id LIMIT {MODELS // 2}"
        )
        while count > 0:
            cursor.execute(f"DELETE FROM laid WHERE id NOT IN (SELECT id FROM laid ORDER BY id LIMIT {count})")  # noqa: S608  # made of our own names
            games, hands = last(Game), last(GameHand)
            game = {"game_id": f"game_id + {games}"}
            rows: dict[type[models.Model], tuple[dict[str, str], str]] = {
                Game: ({"id": f"id + {games}", "public_id": public_id}, "id IN (SELECT id FROM laid)"),
                Seat: (game, of_games),
                TableWatching: (game, of_games),
                GameHand: ({"id": f"id + {hands}"} | game, of_games),
                PlayedSeat: ({"hand_id": f"hand_id + {hands}"}, of_hands),
            }
            for model, (other, chosen) in rows.items():
                values = columns(model) | other
                cursor.execute(
                    f"INSERT INTO {model._meta.db_table} ({', '.join(values)})"  # noqa: S608  # made of our own names
                    f" SELECT {', '.join(values.values())} FROM {model._meta.db_table} WHERE {chosen}"
                )
                count -= cursor.rowcount if model is Game else 0
        cursor.execute("DROP TABLE laid")
        for statement in connection.ops.sequence_reset_sql(no_style(), [Game, GameHand]):
            cursor.execute(statement)


def played_seat(
    hand: GameHand, seat: int, player: Player, score: int, at: datetime, chance: random.Random
) -> PlayedSeat:
    """A row of what one seat did in one hand, by chance but for the score."""
    from games.models import PlayedSeat

    own = score if seat % 2 == 0 else -score
    called = chance.random() < 0.3
    return PlayedSeat(
        hand=hand, seat=seat, player=player, at=at, month=at.year * 100 + at.month, ruleset="troccas",
        table_size=SEATS, people_only=True, party=seat % 2, dealer=seat == hand.dealer, score=own, points=36 + own,
        outcome=(own > 0) - (own < 0), tricks=chance.randint(2, 7), honours=chance.randint(0, 3), calls=called,
        calls_met=called and chance.random() < 0.6, jacks_called=chance.random() < 0.1,
        fool="saved" if chance.random() < 0.25 else "", bagat=chance.choice(("", "", "saved", "lost")),
    )  # fmt: skip


def _like(model: Game, number: int, now: datetime, chance: random.Random, *, is_own: bool) -> Game:
    from games.models import Game

    assert isinstance(model, Game)
    asked = chance.randrange(SEATS)
    over = number % 2 == 1 or (not is_own and number % 20 > 0)
    score = chance.randint(-20, 20)
    return Game(
        ruleset=model.ruleset,
        ruleset_version=model.ruleset_version,
        options=model.options,
        pace=model.pace,
        clock=model.clock,
        totals=[score, -score, score, -score],
        status=Game.Status.FINISHED if over else Game.Status.PLAYING,
        number=LAID,
        hand_number=2,
        hands_played=1,
        to_act=None if over else asked,
        asked="" if over else "play",
        waits_for=0 if over else 1 << asked,
        acted_at=now - timedelta(minutes=number),
        ended_at=now - timedelta(hours=number) if over else None,
        deadline_at=None if over else now + timedelta(minutes=60 + chance.randrange(9000)),
    )


def acting(count: int, first: int) -> Callable[[], None]:
    """Another action at a table of four at each call, at most `count`; its people are numbered from `first` on."""
    from benchmarks import load

    planned = load.lay(1 + count // 40, first)
    clients = {
        (game.key, seat): _client(sessionid=game.sessions[seat]) for game in planned for seat in range(load.SEATS)
    }

    def act() -> None:
        while (step := planned[0].next()) is None:
            planned.pop(0)
        game = planned[0]
        fields = {"action": step.text, "expected": game.number, "request_id": str(uuid.uuid4())}
        answer = clients[game.key, step.seat].post(f"/g/{game.key}/act/", fields, headers={"HX-Request": "true"})
        assert answer.status_code == 200, answer.content[:300]
        game.number = int(answer.headers["X-Number"])

    return act


def _client(**cookies: str) -> Client:
    from django.test import Client

    client = Client(SERVER_NAME="127.0.0.1")
    client.cookies["language"] = "en"
    for name, value in cookies.items():
        client.cookies[name] = value
    return client


def reading(path: str, **cookies: str) -> Callable[[], None]:
    client = _client(**cookies)

    def read() -> None:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)

    return read


def measure(do: Callable[[], None], repeats: int) -> tuple[float, int]:
    """How many milliseconds of work the middle one was, and how many queries one takes."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    do()
    worked = []
    for _each in range(repeats):
        begun = time.process_time()
        do()
        worked.append((time.process_time() - begun) * 1000)
    with CaptureQueriesContext(connection) as queries:
        do()
    return statistics.median(worked), len(queries)


def measures(player: Player, repeats: int, stored: int) -> dict[str, Callable[[], None]]:
    """What is measured where so many games are `stored`."""
    from accounts import sessions
    from games.table import tasks

    def look() -> None:
        tasks.do_due()

    guest = sessions.issue_guest_token(player)
    return {
        "a look of the worker": look,
        "an action with its fragment": acting(repeats + 2, stored),
        "the cleaning of each hour": tasks.clean,
        "home": reading("/en/"),
        "home of the person": reading("/en/", guest=guest),
        "lobby": reading("/en/tables/", guest=guest),
        "watch list": reading("/en/watch/"),
        "daily deal": reading("/en/daily/", guest=guest),
        "statistics": reading(f"/en/people/{player.public_id}/statistics/", guest=guest),
        "my games": reading("/en/my-games/", guest=guest),
        "my games, page 5": reading("/en/my-games/?page=5", guest=guest),
        "finished games": reading("/en/my-games/finished/", guest=guest),
        "finished games with somebody": reading("/en/my-games/finished/?person=person+7&result=won", guest=guest),
        "games that wait": reading("/my-games/waiting.json", guest=guest),
    }


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", default="1000,10000,100000")
    options.add_argument("--own", type=int, default=500)
    options.add_argument("--repeats", type=int, default=20)
    asked = options.parse_args()
    sizes = [int(size) for size in asked.games.split(",")]
    prepare()
    from django.db import connection

    from games.table import tasks

    player, stored = None, 0
    found: dict[str, list[str]] = {}
    for size in sizes:
        player = lay(size, stored, asked.own, player)
        stored = size
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        for name, do in measures(player, asked.repeats, stored).items():
            while tasks.do_due():  # what the measure before has left
                pass
            work, queries = measure(do, asked.repeats)
            found.setdefault(name, []).append(f"{work:9.1f} {queries:3}")
    print(f"{connection.vendor}, {asked.own} games of one person; milliseconds of work, and queries")
    print(f"{'games':32}" + "".join(f"{size:>13,}" for size in sizes))
    for name, cells in found.items():
        print(f"{name:32}" + "".join(cells))


if __name__ == "__main__":
    main()
