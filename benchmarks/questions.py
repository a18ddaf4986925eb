"""How many questions of players the search answers: `python benchmarks/questions.py [--wrong] [--terms 50000]`.

The questions stand in `questions.toml`, in several languages, each with the places that answer it and the fact that has to be
in the sentence shown. A question is answered by the first hit if that leads to such a place and shows the fact, by the first
three if one of them does. `--wrong` lists those that are not; `--file` asks the questions of another file: those that others
wrote without looking at the search (`questions_of_others.toml`), those written from the sources alone
(`questions_from_sources.toml`, `questions_unseen.toml`, `questions_asked_last.toml`), those of many kinds of people (`questions_seen.toml`,
`questions_asked_once.toml`), those of players (`questions_learned_from.toml`, `questions_kept.toml`,
`questions_november.toml`, `questions_november_again.toml`). With `--terms` so many made-up terms are published beside the
site's own content, and the time of a question is measured as well.

The content of the files is loaded into a database of its own in memory. The exit status tells whether the aims are met: nine of
ten questions answered by the first hit, ninety-seven of a hundred by the first three.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.search.presentation import Found

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
FIRST, THREE = 0.90, 0.97
READERS = {"fr": "en", "it": "en"}
"""In which language somebody reads who asks in a language that is not theirs; a file may name another as `reader`."""


def answers(found: Found, pages: list[str], fact: str) -> bool:
    """Whether one answer leads to one of the pages and shows the fact."""
    from django.utils.html import strip_tags

    key, kind = found.key, found.kind
    anchor = found.address.partition("#")[2]
    for page in pages:
        wanted, _hash, section = page.partition("#")
        if kind in ("article", "word", "phrase") and key == wanted and (not section or section == anchor):
            shown = f"{strip_tags(found.excerpt)} {found.gist} {strip_tags(found.title)} {strip_tags(found.own)}"
            return not fact or re.search(fact, shown, re.IGNORECASE) is not None
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="list the questions that the first hit does not answer")
    parser.add_argument("--terms", type=int, default=0, help="so many made-up terms beside the site's own")
    parser.add_argument("--file", type=Path, default=Path(__file__).with_name("questions.toml"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        os.environ.pop("DATABASE_URL", None)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "troccas_site.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        from rules import content_files

        content_files.load()
        if given.terms:
            from benchmarks import search

            search.fill(search.Words(search.texts(), random.Random(search.SEED)), given.terms)
        return measure(given.file, wrong=given.wrong)


def measure(file: Path, *, wrong: bool) -> int:
    from django.utils.translation import override

    from rules.search import lookup

    asked = tomllib.loads(file.read_text(encoding="utf-8"))
    first = three = count = 0
    times: list[float] = []
    for language, table in asked.items():
        questions: list[list[str]] = table["questions"]
        reader = table.get("reader", READERS.get(language, language))
        ones = threes = 0
        with override(reader):
            lookup.look_up(questions[0][0], language=reader)
            for text, pages, fact in questions:
                started = time.perf_counter()
                found = lookup.look_up(text, language=reader).found
                times.append(time.perf_counter() - started)
                right = [answers(each, pages.split(), fact) for each in found[:3]]
                ones += right[:1] == [True]
                threes += any(right)
                if wrong and right[:1] != [True]:
                    print(f"  {'2-3' if any(right) else 'no '} [{language}] {text}   ({pages} / {fact})")
                    for each in found[:3]:
                        print(
                            f"        {each.key}{each.address[each.address.find('#') :] if '#' in each.address else ''}: {each.excerpt or each.gist}"[
                                :230
                            ]
                        )
        print(f"{language}: {ones} of {len(questions)} by the first hit, {threes} by the first three")
        first, three, count = first + ones, three + threes, count + len(questions)
    times.sort()
    print(f"all {count}: first hit {first / count:.1%}, first three {three / count:.1%}")
    print(
        f"time: middle {statistics.median(times) * 1000:.1f} ms, 95 of 100 within {times[int(len(times) * 0.95)] * 1000:.1f} ms"
    )
    return 0 if first / count >= FIRST and three / count >= THREE else 1


if __name__ == "__main__":
    sys.exit(main())
