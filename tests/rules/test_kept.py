"""Rules and words to take along: one file for each language, with everything in it and nothing of a person."""

from __future__ import annotations

from datetime import timedelta
from email.utils import parsedate_to_datetime

import pytest
from django.test import Client
from django.utils import timezone

from rules import services
from tests.rules import door_kit as kit
from tests.rules.editing_kit import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()


def pages(language: str = "en") -> dict[str, dict]:
    answer = Client().get(f"/kept/{language}.json")
    assert answer.status_code == 200
    return {each["address"]: each for each in answer.json()["pages"]}


def test_every_article_and_every_word_is_in_it():
    found = pages()
    assert set(found) == {"/en/rules/deal/", "/en/words/scart/", "/en/words/tapp/"}
    assert "Another line." in found["/en/rules/deal/"]["html"]
    word = found["/en/words/scart/"]
    assert {"discard", "scart", "Scart"} <= set(word["names"])
    assert "Three cards laid away." in word["html"]


def test_it_is_in_the_language_of_its_address():
    assert pages("de")["/de/rules/deal/"]["title"] == "Das Geben"
    assert Client().get("/kept/xx.json").status_code == 404


def test_what_has_not_changed_is_not_sent_again():
    first = Client().get("/kept/en.json")
    again = Client().get("/kept/en.json", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    row = kit.entry("concept", "words.scart")
    services.publish(row, {**row.published.document, "note": {"en": "New."}}, by=kit.editor(), base=row.published)
    assert Client().get("/kept/en.json", headers={"if-none-match": first["ETag"]}).status_code == 200


def test_it_says_of_which_moment_it_is_as_the_page_that_keeps_it_reads():
    """The server before the site need not: daphne sends no such header."""
    assert abs(parsedate_to_datetime(Client().get("/kept/en.json")["Date"]) - timezone.now()) < timedelta(minutes=5)


def test_nothing_of_a_person_is_in_it():
    stranger, member = Client().get("/kept/en.json"), signed_in(kit.member()).get("/kept/en.json")
    assert stranger.content == member.content
    assert "Cookie" not in member.get("Vary", "")


def test_the_page_that_keeps_it_says_where_it_lies():
    assert 'data-file="/kept/de.json"' in Client().get("/de/kept/").content.decode()
