"""Two people publish at the same moment, each in a thread with a connection of their own."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts.models import Player
from core.exceptions import Refusal
from rules import exceptions as rules_exceptions
from rules import services
from rules.models import Entry, Revision, Term
from rules.readers import services as readers
from rules.readers.models import Saying
from tests.live import PATIENCE
from tests.rules import door_kit
from tests.rules.door_kit import changed_article, entry, published

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(row: Entry, changes: list[tuple[Player, dict[str, Any]]]) -> list[Revision | Refusal]:
    """What each of the publications, all from the present revision and begun together, came to."""
    base = row.published
    together = threading.Barrier(len(changes))
    results: list[Revision | Refusal | None] = [None] * len(changes)

    def publish(number: int, by: Player, document: dict[str, Any]) -> None:
        try:
            together.wait(timeout=PATIENCE)
            results[number] = services.publish(row, document, by=by, base=base)
        except Refusal as refusal:
            results[number] = refusal
        finally:
            connection.close()

    threads = [threading.Thread(target=publish, args=(number, *change)) for number, change in enumerate(changes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=2 * PATIENCE)
    assert None not in results
    return [result for result in results if result is not None]


def test_different_lines_both_survive() -> None:
    door_kit.world()
    row = entry("article", "deal", "en")
    changes = [
        (door_kit.editor("gion"), changed_article("One line", "Line of Gion")),
        (door_kit.editor("maria"), changed_article("A third line", "Line of Maria")),
    ]
    assert all(isinstance(result, Revision) for result in at_once(row, changes))
    text = published(row).document["text"]
    assert "Line of Gion" in text
    assert "Line of Maria" in text
    assert row.revisions_made == 3


def test_of_the_same_line_one_is_published_and_the_other_gets_both_texts_back() -> None:
    door_kit.world()
    row = entry("article", "deal", "en")
    mine = [changed_article("One line", "Line of Gion"), changed_article("One line", "Line of Maria")]
    results = at_once(row, [(door_kit.editor("gion"), mine[0]), (door_kit.editor("maria"), mine[1])])
    (conflict,) = [result for result in results if isinstance(result, rules_exceptions.Conflict)]
    (revision,) = [result for result in results if isinstance(result, Revision)]
    assert {conflict.mine["text"], conflict.theirs.document["text"]} == {document["text"] for document in mine}
    assert published(row) == revision


def test_many_words_added_at_once_are_all_there() -> None:
    door_kit.world()
    row = entry("concept", "words.scart")
    document = published(row).document
    words = [f"word {number}" for number in range(6)]
    changes = [
        (door_kit.editor(f"editor{number}"), {**document, "terms": [*document["terms"], {"lang": "en", "text": text}]})
        for number, text in enumerate(words)
    ]
    assert all(isinstance(result, Revision) for result in at_once(row, changes))
    there = set(Term.objects.filter(concept__key="words.scart").values_list("text", flat=True))
    assert set(words) <= there


def test_a_new_word_that_is_sent_twice_at_once_is_told_once() -> None:
    together = threading.Barrier(4)
    refused: list[str] = []

    def tell(number: int) -> None:
        try:
            together.wait(timeout=PATIENCE)
            readers.tell_new_word(
                text="il tgau",
                meaning="the last trick",
                language="en",
                village="Breil",
                sure="own",
                address=f"{number}",
            )
        except Refusal as refusal:
            refused.append(refusal.code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(tell, range(4)))
    assert refused == ["unchanged"] * 3
    assert Saying.objects.get().entry == Entry.objects.get(key="words.il-tgau")
