"""The head of every page: how many games and notices wait for its reader, and nothing for a stranger."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from notices import outbox, selectors
from tests.games import pace_kit, plans_kit, table_kit
from tests.games.lobby_kit import member

pytestmark = pytest.mark.django_db
PAGES = ("/en/fair/", "/en/games/", "/en/", "/en/rules/", "/en/my-games/", "/en/notices/", "/en/tables/")


def counts(page: str) -> list[str]:
    """What stands in the head: of games, of notices; empty for a number that is not shown."""
    head = page[page.index('<header class="site-header">') : page.index("</header>")]
    found = re.findall(r'<span class="count"( hidden)?><span data-count>([^<]*)</span>', head)
    return ["" if hidden else number for hidden, number in found]


def test_a_stranger_sees_neither_and_is_asked_nothing_about(django_assert_num_queries):
    client = Client()
    client.get("/en/fair/")
    with django_assert_num_queries(0):
        page = client.get("/en/fair/").content.decode()
    assert counts(page) == []
    assert "my_games.js" not in page


@pytest.mark.parametrize("address", PAGES)
def test_every_page_says_how_many_wait(address):
    people = pace_kit.people()
    games = [pace_kit.table(people) for _ in range(3)]
    asked = pace_kit.asked(games[0])
    outbox.tell_due()
    page = plans_kit.client_of(asked).get(address).content.decode()
    assert counts(page) == ["3", "3"]
    outbox.settle(asked, games[0].public_id)
    page = plans_kit.client_of(asked).get(address).content.decode()
    assert counts(page) == ["3", "2"]


def test_a_table_says_it_too_and_who_has_nothing_to_do_sees_no_number():
    people = pace_kit.people()
    game = pace_kit.table(people)
    other = next(player for player in people if player != pace_kit.asked(game))
    address = reverse("games:table", args=[game.public_id])
    outbox.tell_due()
    assert counts(plans_kit.client_of(pace_kit.asked(game)).get(address).content.decode()) == ["1", "1"]
    assert counts(plans_kit.client_of(other).get(address).content.decode()) == ["", ""]


def test_it_costs_one_query_each():
    people = pace_kit.people()
    for _ in range(4):
        pace_kit.table(people)
    client = plans_kit.client_of(people[0])
    client.get("/en/fair/")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get("/en/fair/")
    said = [query["sql"] for query in queries.captured_queries]
    assert len([sql for sql in said if 'FROM "games_seat"' in sql]) == 1
    assert len([sql for sql in said if 'FROM "notices_outbox"' in sql]) == 1
    assert len(said) == 3  # and the guest's own


def test_many_are_said_to_be_many():
    anna = member("Anna")
    for number in range(101):
        outbox.put("game.finished", anna, {"game": f"g{number}"})
    from notices.models import Outbox

    Outbox.objects.update(shown=True)
    client = Client()
    client.force_login(anna.user)
    assert counts(client.get("/en/fair/").content.decode()) == ["", "99+"]


def test_scripts_may_ask_for_the_number_alone_in_one_query(django_assert_num_queries):
    people = pace_kit.people()
    game = pace_kit.table(people)
    asked = pace_kit.asked(game)
    outbox.tell_due()
    client = plans_kit.client_of(asked)
    client.get("/notices/bell.json?count")
    with django_assert_num_queries(2):  # who it is, and how many
        answer = client.get("/notices/bell.json?count")
    assert answer.json() == {"unread": 1, "newest": []}
    assert selectors.unread(asked) == 1


def test_the_front_page_opens_no_game_and_names_the_urgent_ones_first():
    anna = table_kit.person(name="Anna")
    others = pace_kit.people(3)
    for _ in range(10):
        pace_kit.table([anna, *others])
    client = plans_kit.client_of(anna)
    client.get("/en/")
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/en/").content.decode()
    said = [query["sql"] for query in queries.captured_queries]
    assert not [sql for sql in said if 'FROM "games_action"' in sql or 'FROM "games_gamehand"' in sql]
    assert len(re.findall(r'class="[^"]*\btitle\b', page)) == 8
    assert "All my games" in page
    assert client.get("/en/")["Cache-Control"] == "private, no-store"
