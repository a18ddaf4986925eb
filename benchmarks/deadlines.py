"""How fast deadlines are reckoned and found: `python benchmarks/deadlines.py [--games 1000000]`.

Reckoned: microseconds for a deadline of two and of five days in somebody's waking hours, with weekends and holidays left
out, with nothing kept in memory and once it is. Found: milliseconds for the worker's two questions, what is out of time
and whom to remind, among so many games in a database of its own (SQLite in a folder that goes when the program ends; with
DATABASE_URL in an empty PostgreSQL database), with nothing due and with a thousand games due; and how the database goes
about it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
DAY = timedelta(days=1)


def microseconds(call: Callable[[], object], repeats: int) -> float:
    """The median time of one call."""
    taken = []
    for _each in range(repeats):
        begun = time.perf_counter()
        call()
        taken.append((time.perf_counter() - begun) * 1e6)
    return statistics.median(taken)


def reckon() -> None:
    """Measure the arithmetic."""
    from domain.pace import Kind, Rhythm, Terms
    from domain.pace.counting import Calendar, calendar_of

    terms = Terms(Kind.DAYS, 2 * DAY, 3 * DAY, weekends=False, holidays="GR", vacation=7)
    rhythm = Rhythm("Europe/Zurich", ((420, 1350),) * 7, ((date(2026, 4, 10), date(2026, 4, 12)),))
    start = datetime(2026, 3, 26, 19, tzinfo=UTC)  # before a change of the clocks, and before Easter
    for days in (2, 5):
        until = calendar_of(terms, rhythm).deadline(start, days * DAY)
        cold = microseconds(lambda days=days: Calendar(terms, rhythm).deadline(start, days * DAY), 2000)
        warm = microseconds(lambda days=days: calendar_of(terms, rhythm).deadline(start, days * DAY), 2000)
        back = microseconds(lambda until=until: calendar_of(terms, rhythm).spent(start, until), 2000)
        print(f"a deadline of {days} days: {cold:.0f} µs anew, {warm:.0f} µs known; the time spent: {back:.0f} µs")


def prepare(games: int) -> None:
    """A database with so many games, each fifth of them with a clock that runs out in days to come."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django
    from django.core.management import call_command

    django.setup()
    from django.db import connection
    from django.utils import timezone

    from games.models import Game

    call_command("migrate", verbosity=0)
    if Game.objects.exists():
        sys.exit("this database is not empty")
    model = Game(ruleset="troccas", ruleset_version=1, options={"hands": 4}, totals=[0] * 4)
    fields = [field for field in Game._meta.concrete_fields if not field.primary_key]
    names = ", ".join(connection.ops.quote_name(field.column) for field in fields)
    chosen, values = [], []
    for field in fields:
        if field.name == "public_id":
            chosen.append("'g' || n")
        elif field.name in ("deadline_at", "remind_at"):
            chosen.append(f"CASE WHEN n %% 5 = 0 THEN {_later(connection.vendor)} ELSE NULL END")
            values.append(timezone.now() + (DAY if field.name == "deadline_at" else DAY / 2))
        else:
            chosen.append("%s")
            values.append(field.get_db_prep_save(field.pre_save(model, add=True), connection))
    if connection.vendor == "postgresql":
        values = [value.isoformat() if isinstance(value, datetime) else value for value in values]
        numbers = f"generate_series(1, {games}) AS numbers(n)"
        casts = [field.db_type(connection).split(" GENERATED")[0] for field in fields]
        chosen = [f"{one}::{kind}" if one == "%s" else one for one, kind in zip(chosen, casts, strict=True)]
        statement = f"INSERT INTO games_game ({names}) SELECT {', '.join(chosen)} FROM {numbers}"  # noqa: S608  # made of our own names
    else:
        numbers = f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {games})"  # noqa: S608  # made of our own names
        statement = f"INSERT INTO games_game ({names}) {numbers} SELECT {', '.join(chosen)} FROM numbers"  # noqa: S608  # made of our own names
        values = [str(value) if isinstance(value, datetime) else value for value in values]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        cursor.execute("ANALYZE")


def _later(vendor: str) -> str:
    """A moment given as parameter, and up to thirty days more, by the number of the row."""
    if vendor == "postgresql":
        return "%s::timestamptz + (n %% 43200) * interval '1 minute'"
    return "strftime('%%Y-%%m-%%d %%H:%%M:%%f000', %s, '+' || (n %% 43200) || ' minutes')"


def find(games: int) -> None:
    """Measure the two questions."""
    from django.utils import timezone

    from games import projections
    from games.models import Game
    from games.table import tasks

    for name, field in (("out of time", "deadline_at"), ("to be reminded", "remind_at")):
        ask = partial(projections.due_games, field)
        nothing = microseconds(lambda ask=ask: list(ask(timezone.now(), tasks.AT_ONCE)), 300) / 1000
        due = list(Game.objects.filter(pk__lte=1000).values_list("pk", flat=True))
        Game.objects.filter(pk__in=due).update(**{field: timezone.now() - DAY})
        some = microseconds(lambda ask=ask: list(ask(timezone.now(), tasks.AT_ONCE)), 300) / 1000
        print(f"{name}, among {games:,} games: {nothing:.2f} ms for none, {some:.2f} ms for {tasks.AT_ONCE} of 1,000")
        print("    " + ask(timezone.now(), tasks.AT_ONCE).explain().replace("\n", "\n    "))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    asked = parser.parse_args()
    prepare(asked.games)
    reckon()
    find(asked.games)


if __name__ == "__main__":
    main()
