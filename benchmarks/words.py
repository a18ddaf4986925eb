"""How fast the pages of words are: `python benchmarks/words.py [--terms 300] [--repeats 30]`.

A site is made in a folder of its own with all the content of the program, and as many more concepts as it takes for the
English word list to hold so many entries. Measured is the whole answer to a request, in
milliseconds of wall time, after the first one; nothing of these pages is kept between requests.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PAGES = (
    "/en/words/",
    "/en/words/list/?from=en&to=own",
    "/en/words/list/?from=en&to=own&page=20",
    "/en/words/list/?from=en&to=de&order=theme&explained=yes",
    "/en/words/list/?from=en&to=own&q=plaid+77",
    "/en/words/list/",
    "/en/words/phrases/",
    "/en/words/elsewhere/",
    "/en/words/trumps-21/",
    "/de/words/buob/",
    "/de/words/phrases-da-muster/",
)


def prepare() -> None:
    """A site with the program's content, in a folder of its own that goes when the program ends."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("content", verbosity=0)


def add_terms(wanted: int) -> int:
    """Add concepts, each with two English words and a Romansh one, until there are so many English terms; how many there are."""
    from rules.documents import sorting
    from rules.models import Concept, Entry, Term

    there = Term.objects.filter(language="en").count()
    numbers = range(max(0, wanted - there + 1) // 2)
    entries = Entry.objects.bulk_create(
        (Entry(kind="concept", key=f"bench.{number}", slug=f"bench-{number}") for number in numbers), batch_size=1000
    )
    concepts = Concept.objects.bulk_create(
        (
            Concept(entry=entry, key=entry.key, slug=entry.slug, theme="play", order=number, document={})
            for number, entry in enumerate(entries, 1000)
        ),
        batch_size=1000,
    )
    Term.objects.bulk_create(
        (
            Term(
                concept=concept,
                order=order,
                language=language,
                text=text,
                status=status,
                document={"lang": language, "text": text, "status": status, "sources": ["pagat: The Deal"]},
                **sorting.columns(text, language),
            )
            for number, concept in enumerate(concepts)
            for order, (language, status, text) in enumerate(
                (
                    ("en", "preferred", f"{chr(97 + number % 26)}word {number}"),
                    ("en", "admitted", f"the {chr(97 + number * 7 % 26)}ther {number}"),
                    ("rm-sursilv", "preferred", f"il {chr(97 + number * 3 % 26)}plaid {number}"),
                )
            )
        ),
        batch_size=1000,
    )
    return there + 2 * len(concepts)


def milliseconds(path: str, repeats: int) -> list[float]:
    """How long the answers took."""
    from django.test import Client

    client = Client(SERVER_NAME="127.0.0.1")
    client.get(path)
    taken = []
    for _each in range(repeats):
        begun = time.perf_counter()
        answer = client.get(path)
        taken.append((time.perf_counter() - begun) * 1000)
        assert answer.status_code == 200, answer.status_code
    return sorted(taken)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--terms", type=int, default=300)
    options.add_argument("--repeats", type=int, default=30)
    asked = options.parse_args()
    prepare()
    print(f"{add_terms(asked.terms)} English terms")
    print(f"{'page':<60}{'median':>8}{'slowest':>9}  (ms)")
    for path in PAGES:
        taken = milliseconds(path, asked.repeats)
        print(f"{path:<60}{statistics.median(taken):>8.1f}{taken[-1]:>9.1f}")


if __name__ == "__main__":
    main()
