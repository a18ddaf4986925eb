"""History, comparisons and going back: nothing that was published is ever gone."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.rules import door_kit as kit
from tests.rules.editing_kit import signed_in

pytestmark = pytest.mark.django_db

HISTORY = "/en/history/article/deal/en/"


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()
    gion = kit.editor("gion")
    kit.publish(kit.changed_article("One line", "A new line"), gion, comment="Newer")
    kit.publish(kit.changed_article("Another line", "One more line"), gion, comment="A misprint", minor=True)


def test_the_history_says_who_when_and_why():
    page = Client().get(HISTORY).content.decode()
    assert page.count("<tr>") == 4
    for said in ("gion", "Newer", "A misprint", "small", "from the files"):
        assert said in page


def test_a_revision_shows_the_page_as_it_was():
    page = Client().get(f"{HISTORY}1/").content.decode()
    assert "an earlier version of the page" in page
    assert "One line." in page
    assert "A new line." not in page
    assert "what is published now" in Client().get(f"{HISTORY}3/").content.decode()


def test_any_two_revisions_are_compared_whichever_comes_first():
    for query in ("from=1&to=3", "from=3&to=1"):
        page = Client().get(f"{HISTORY}compare/?{query}").content.decode()
        assert page.count("<del>") == 2
        assert page.index("Revision 1") < page.index("Revision 3")


def test_a_comparison_without_numbers_shows_the_last_change():
    page = Client().get(f"{HISTORY}compare/").content.decode()
    assert page.index("Revision 2") < page.index("Revision 3")


def test_the_first_revision_is_compared_with_nothing():
    assert "was not there yet" in Client().get(f"{HISTORY}compare/?to=1").content.decode()


def test_what_was_removed_and_added_is_told_to_who_listens():
    page = Client().get(f"{HISTORY}compare/?to=2").content.decode()
    assert '<del><span class="visually-hidden">[removed: </span>One' in page
    assert '<ins><span class="visually-hidden">[added: </span>A new' in page


@pytest.mark.services
@pytest.mark.parametrize("query", ["from=x&to=y", "from=&to=", "from=-1", "from=9999999999999999999&to=1"])
def test_numbers_that_are_none_are_passed_over(query):
    assert Client().get(f"{HISTORY}compare/?{query}").status_code == 200


@pytest.mark.parametrize("tail", ["99/", "compare/?to=99", "0/"])
def test_what_is_not_there_is_not_found(tail):
    assert Client().get(f"{HISTORY}{tail}").status_code == 404


def test_an_editor_goes_back_with_a_reason():
    client = signed_in(kit.editor("maria"))
    assert client.post(f"{HISTORY}1/revert/", {"comment": ""}).status_code == 422
    assert client.post(f"{HISTORY}1/revert/", {"comment": "It was right"}).status_code == 302
    now = kit.published(kit.entry("article", "deal", "en"))
    assert (now.number, now.reverts_to.number, now.comment) == (4, 1, "It was right")
    assert "back to 1" in client.get(HISTORY).content.decode()


def test_a_member_does_not_go_back():
    client = signed_in(kit.member())
    assert "Publish again" not in client.get(f"{HISTORY}1/").content.decode()
    assert client.post(f"{HISTORY}1/revert/", {"comment": "I want it"}).status_code == 403
    assert kit.published(kit.entry("article", "deal", "en")).number == 3


def test_a_word_has_its_history_without_a_language():
    assert Client().get("/en/history/concept/words.scart/").status_code == 200
    page = Client().get("/en/history/concept/words.scart/1/").content.decode()
    assert "Sursilvan › scart › gender" in page


def test_long_histories_are_leafed_through():
    editor = kit.editor("ursina")
    for number in range(45):
        kit.publish({**kit.published(kit.entry("article", "deal", "en")).document, "order": number + 10}, editor)
    first = Client().get(HISTORY).content.decode()
    assert "Page 1 of 2" in first
    assert "from the files" not in first
    assert "from the files" in Client().get(f"{HISTORY}?page=2").content.decode()
    assert Client().get(f"{HISTORY}?page=9999999").status_code == 200


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_tabs_lead_to_the_page_in_its_own_language_whatever_that_of_the_reader(language):
    for start in (f"/{language}/edit/article/deal/de/", f"/{language}/history/article/deal/de/"):
        page = Client().get(start).content.decode()
        for room in ("edit", "history"):
            assert f'href="/{language}/{room}/article/deal/de/"' in page
    word = Client().get(f"/{language}/edit/concept/words.scart/").content.decode()
    assert f'href="/{language}/history/concept/words.scart/"' in word
