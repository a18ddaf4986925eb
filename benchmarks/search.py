"""How fast the search is: `python benchmarks/search.py [--terms 50000] [--queries 100] [--database sqlite|postgres]`.

A scratch database is made on SQLite, and on PostgreSQL where TEST_DATABASE_URL or DATABASE_URL names a server (a database of
its own, dropped afterwards). It holds the site's own content and, as published concepts like any other, as many terms as
asked for: five to a concept, with a definition. The words of the names are made letter by letter, as frequent as in the
site's own texts in English, German, Romansh and Walliser German, so that they share beginnings and endings as real words do;
definitions are made of the words of those texts.

Measured is what the page does, by the clock on the wall: `lookup.look_up`, with the twenty best answers ready to show, and
`lookup.nearest` where nothing is found. Each kind of question is asked with many words; one round warms up. The aim is
30 ms on a machine with nothing else to do. The exit status tells whether 95 of 100 questions of every kind kept to it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

AIM = 0.030
SEED = 78
TERMS_EACH = 5
LANGUAGES = ("en", "de", "rm-sursilv", "gsw", "fr")
STATUSES = ("preferred", "admitted", "admitted", "deprecated", "proposed")


class Words:
    """Makes words that look like the site's own."""

    def __init__(self, texts: str, rng: random.Random) -> None:
        self.rng = rng
        self.follow: defaultdict[str, list[str]] = defaultdict(list)
        self.spoken = re.findall(r"[^\W\d_]+", texts.lower())
        for known in sorted({word for word in self.spoken if len(word) > 2}):
            framed = f"^^{known}$"
            for at in range(len(framed) - 2):
                self.follow[framed[at : at + 2]].append(framed[at + 2])

    def word(self) -> str:
        """A word of 3 to 16 letters."""
        while True:
            made = "^^"
            while not made.endswith("$") and len(made) < 20:
                made += self.rng.choice(self.follow[made[-2:]])
            if 3 <= len(made) - 3 <= 16 and made.endswith("$"):
                return made[2:-1]

    def name(self) -> str:
        """What a term is called: mostly one word, sometimes two or three."""
        return " ".join(self.word() for _ in range(self.rng.choice((1, 1, 1, 1, 2, 2, 3))))

    def mistyped(self, word: str) -> str:
        """The word with a slip: two letters exchanged, one lost, one too many, or a wrong one; two slips in a long one."""
        for _ in range(2 if len(word) > 8 else 1):
            at = self.rng.randrange(len(word) - 1)
            other = self.rng.choice("aeinrst")
            word = self.rng.choice(
                (
                    word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                    word[:at] + word[at + 1 :],
                    word[:at] + other + word[at:],
                    word[:at] + other + word[at + 1 :],
                )
            )
        return word


def texts() -> str:
    """The site's own texts: articles, terms, phrases."""
    files = [*(ROOT / "rules/content").rglob("*.md"), *(ROOT / "rules/content").rglob("*.toml")]
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(files))


def fill(words: Words, terms: int) -> list[str]:
    """Publish concepts with so many terms between them; all their names."""
    from django.db import transaction

    from rules.models import Entry, Revision
    from rules.search import index

    names: list[str] = []
    with transaction.atomic():
        for first in range(0, terms // TERMS_EACH, 1000):
            numbers = range(first, min(first + 1000, terms // TERMS_EACH))
            entries = Entry.objects.bulk_create(
                Entry(kind="concept", key=f"bench.{number}", slug=f"bench-{number}", revisions_made=1)
                for number in numbers
            )
            revisions = []
            for entry in entries:
                called = [words.name() for _ in range(TERMS_EACH)]
                names.extend(called)
                told = " ".join(words.rng.choices(words.spoken, k=20))
                document = {
                    "sort": "word",
                    "theme": "play",
                    "definitions": {words.rng.choice(("en", "de")): {"text": told}},
                    "terms": [
                        {"lang": language, "text": name, "status": status}
                        for language, name, status in zip(LANGUAGES, called, STATUSES, strict=True)
                    ],
                }
                revisions.append(Revision(entry=entry, number=1, document=document))
            for entry, revision in zip(entries, Revision.objects.bulk_create(revisions), strict=True):
                entry.published = revision
            Entry.objects.bulk_update(entries, ["published"], batch_size=500)
        started = time.perf_counter()
        rows = index.rebuild()
    print(f"  {rows} rows indexed in {time.perf_counter() - started:.1f} s")
    return names


def questions(words: Words, names: list[str], count: int) -> Iterator[tuple[str, list[str]]]:
    """Each kind of question with its texts."""
    from core.text import fold

    rng = words.rng
    single = [name for name in names if " " not in name and len(name) >= 5]
    accented = [name for name in names if not name.isascii()]
    three = [name for name in names if name.count(" ") == 2]
    yield "exact", rng.sample(single, count)
    yield "prefix", [name[: rng.randint(2, 4)] for name in rng.sample(single, count)]
    yield "accent-free", [fold(name) for name in rng.sample(accented, count)]
    yield "typo", [words.mistyped(name) for name in rng.sample(single, count)]
    yield "three words", rng.sample(three, count)
    yield (
        "three words, typos",
        [" ".join(words.mistyped(word) for word in name.split()) for name in rng.sample(three, count)],
    )
    yield "hopeless", ["".join(rng.choices("bcdfghjklmnpqrstvwxz", k=rng.randint(6, 14))) for _ in range(count)]
    own = [
        "buob sche",
        "schwaerti",
        "scart",
        "naked fool",
        "bättler",
        "Tappist",
        "wer gibt",
        "counting",
        "tschintschar",
    ]
    yield "of the site", (own * count)[:count]


def measure(terms: int, count: int) -> bool:
    """Fill the database that the settings name, ask, and print; whether the aim was reached."""
    import django

    django.setup()

    from django.core.management import call_command
    from django.db import connection

    from rules.search import lookup

    call_command("prepare", verbosity=0, stdout=(ROOT / os.devnull).open("w"))
    words = Words(texts(), random.Random(SEED))
    names = fill(words, terms)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")

    def ask(text: str) -> int:
        answer = lookup.look_up(text, language="en")
        if not answer.total:
            lookup.nearest(answer.question)
        return answer.total

    reached = True
    for kind, asked in questions(words, names, count):
        for text in asked[:10]:
            ask(text)
        times, found = [], 0
        for text in asked:
            seconds, answers = timed(ask, text)
            times.append(seconds)
            found += bool(answers)
        median, high = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        reached &= high < AIM
        late = "" if high < AIM else "  above the aim"
        print(f"  {kind:20} median {median * 1e3:6.1f} ms   95 % {high * 1e3:6.1f} ms   found {found}/{count}{late}")
    return reached


def timed(ask: Callable[[str], int], text: str) -> tuple[float, int]:
    """Seconds it took, and how many answers there were."""
    started = time.perf_counter()
    answers = ask(text)
    return time.perf_counter() - started, answers


def run(database: str, terms: int, count: int) -> bool:
    """Measure on one database in a process of its own, on scratch data."""
    print(
        f"{database}, {terms} terms; load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True
    )
    with tempfile.TemporaryDirectory(prefix="bench-search-") as folder:
        name = f"bench_search_{os.getpid()}"
        environment = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
        environment |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "troccas_site.settings", "LOG_LEVEL": "WARNING"}
        if database == "postgres":
            environment["DATABASE_URL"] = urlunsplit(urlsplit(server())._replace(path=f"/{name}"))
            administer(f'CREATE DATABASE "{name}"')
        try:
            task = json.dumps({"terms": terms, "count": count})
            done = subprocess.run([sys.executable, __file__, "--task", task], env=environment, check=False)
            return done.returncode == 0
        finally:
            if database == "postgres":
                administer(f'DROP DATABASE "{name}" WITH (FORCE)')


def server() -> str:
    """The address of a PostgreSQL server, or an empty text."""
    return os.environ.get("TEST_DATABASE_URL") or os.environ.get("DATABASE_URL") or ""


def administer(statement: str) -> None:
    """Run one statement outside of a transaction."""
    import psycopg

    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(statement.encode())


def main() -> int:
    """Measure on every database there is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--terms", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--database", choices=["sqlite", "postgres"])
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        return 0 if measure(**json.loads(arguments.task)) else 1
    databases = [arguments.database] if arguments.database else ["sqlite", *(["postgres"] if server() else [])]
    if "postgres" in databases and not server():
        parser.error("set TEST_DATABASE_URL or DATABASE_URL to a PostgreSQL server")
    kept = [run(database, arguments.terms, arguments.queries) for database in databases]  # all, whatever the first says
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
