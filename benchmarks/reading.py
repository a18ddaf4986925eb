"""How fast pages of the encyclopedia are: `python benchmarks/reading.py [--terms 300] [--repeats 30]`.

A site is made in a folder of its own, with all the content of the program, and an article is published that mentions so
many terms, each in a sentence of its own with a citation now and then. Measured is the whole answer to a request, in
milliseconds of wall time: *cold*, with nothing rendered yet, and *warm*; then the same for the longest articles. The first
request after a change of the words is told apart: it also reads the words anew.
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


def prepare() -> None:
    """A site with the program's content, in a folder of its own that goes when the program ends."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("content", verbosity=0)


def publish_article(terms: int) -> int:
    """An article that mentions so many terms; how many it really does."""
    from rules import documents, projections
    from rules.models import Entry, Revision, Term

    # Every concept once, in English if it has an English name; then their other names.
    rows = list(Term.objects.order_by("concept__key", "order").values_list("concept__key", "language", "text"))
    first = {key: text for key, language, text in reversed(rows) if language == "en"}
    first |= {key: text for key, _language, text in reversed(rows) if key not in first}
    mentions = [*first.items(), *((key, text) for key, _language, text in rows if first[key] != text)]
    sentences = [
        f"Here one reads of [[{key}|{text}]], and of what the others at the table make of it"
        f"{' [@pagat: The Deal]' if number % 5 == 0 else ''}."
        for number, (key, text) in enumerate(mentions[:terms])
    ]
    paragraphs = [" ".join(sentences[at : at + 6]) for at in range(0, len(sentences), 6)]
    text = "\n\n".join(
        [*paragraphs, "## Words {#words}\n\n::: words\n:::", "## Sources {#sources}\n\n::: sources\n:::"]
    )
    document = documents.check("article", {"title": "Measured", "section": "world", "text": text})
    entry = Entry.objects.create(kind="article", key="measured", language="en", slug="measured", revisions_made=1)
    entry.published = Revision.objects.create(entry=entry, number=1, document=document)
    entry.save()
    projections.project([(entry, document)])
    return len(sentences)


def milliseconds(path: str, repeats: int, *, cold: bool) -> list[float]:
    """How long the answers took."""
    from django.core.cache import caches
    from django.test import Client

    client = Client(SERVER_NAME="127.0.0.1")
    client.get(path)
    taken = []
    for _each in range(repeats):
        if cold:
            caches["pages"].clear()
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
    from django.test import Client

    from rules import terms as termbase

    really = publish_article(asked.terms)
    Client(SERVER_NAME="127.0.0.1").get("/en/rules/troccas/")
    termbase.note_change()
    termbase.refresh(force=True)
    begun = time.perf_counter()
    size = len(Client(SERVER_NAME="127.0.0.1").get("/en/rules/measured/").content)
    print(f"first request after the words changed: {(time.perf_counter() - begun) * 1000:.0f} ms")
    print(f"page of {really} terms: {size / 1000:.0f} kB")
    print(f"{'page':<34}{'median':>8}{'slowest':>9}  (ms)")
    for path in ("/en/rules/measured/", "/en/rules/troccas/", "/de/rules/troggu/", "/en/rules/", "/en/sources/"):
        for cold in (True, False):
            taken = milliseconds(path, asked.repeats, cold=cold)
            name = f"{path} {'cold' if cold else 'warm'}"
            print(f"{name:<34}{statistics.median(taken):>8.1f}{taken[-1]:>9.1f}")


if __name__ == "__main__":
    main()
