"""Recent changes, as a page and as a feed."""

from __future__ import annotations

import feedparser
import pytest
from django.test import Client

from rules import services
from tests.rules import door_kit as kit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()
    gion = kit.editor("gion")
    kit.publish(kit.changed_article("One line", "A <b>new</b> line"), gion, comment="Newer & better")
    kit.publish(kit.changed_article("One line", "Eine Linie", language="de"), gion, language="de", comment="Deutsch")
    row = kit.entry("place", "breil")
    services.publish(row, {**row.published.document, "sort": "valley"}, by=gion, base=row.published, comment="A valley")


def titles(query: str = "") -> list[str]:
    return [title for _row, title in Client().get(f"/en/changes/{query}").context["rows"]]


def feed(query: str = ""):
    answer = Client().get(f"/changes.atom{query}")
    assert answer.status_code == 200
    return feedparser.parse(answer.content)


def test_the_page_lists_what_people_changed_the_newest_first():
    assert titles() == ["Breil", "Das Geben", "The deal"]


def test_what_came_with_the_program_is_shown_where_it_is_asked_for():
    assert len(titles("?files=1")) == 11


def test_the_filters_narrow_it_down():
    assert titles("?kind=place") == ["Breil"]
    assert titles("?language=de") == ["Breil", "Das Geben"]
    assert titles("?language=de&kind=article") == ["Das Geben"]
    assert titles("?language=xx&kind=yy&page=zz") == ["Breil", "Das Geben", "The deal"]


def test_the_feed_is_sound_and_has_absolute_addresses():
    found = feed()
    assert not found.bozo
    assert found.version == "atom10"
    assert [entry.title for entry in found.entries] == ["Breil", "Das Geben (Deutsch)", "The deal (English)"]
    for entry in found.entries:
        assert entry.link.startswith("http://127.0.0.1")
        assert Client().get(entry.link.removeprefix("http://127.0.0.1:8000")).status_code == 200
    assert found.entries[2].summary == "Newer &amp; better" or found.entries[2].summary == "Newer & better"
    assert found.entries[2].author == "gion"


def test_a_feed_of_which_nothing_has_changed_is_the_same_whenever_it_is_read():
    first, again = (Client().get("/changes.atom?kind=article&language=rm-sursilv").content for _ in range(2))
    assert first == again
    assert feedparser.parse(first).entries == []


def test_ids_stay_when_a_page_is_renamed():
    before = [entry.id for entry in feed().entries]
    services.rename(kit.entry("article", "deal", "en"), "dealing", by=kit.administrator())
    assert [entry.id for entry in feed().entries] == before
    assert len(set(before)) == 3
    assert before[2].endswith(":article/deal/en/2")


def test_the_feed_has_the_filters_of_the_page_and_speaks_its_language():
    found = feed("?kind=place&in=de")
    assert [entry.title for entry in found.entries] == ["Brigels"]
    assert found.feed.link.endswith("/de/changes/?kind=place")


def test_the_page_names_its_feed():
    page = Client().get("/de/changes/?kind=place").content.decode()
    assert 'type="application/atom+xml"' in page
    assert "/changes.atom?kind=place&amp;in=de" in page
