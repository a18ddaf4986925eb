"""Finding people by name: only those who agreed, never all of them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts import names
from accounts import permissions as account_permissions
from accounts.privacy import erase
from core import limits
from people import selectors, services
from tests.people.kit import browser, guest, member

pytestmark = pytest.mark.django_db


def findable(name: str):
    player = member(name)
    services.keep_preference(player, found_by_name=True)
    return player


def found(viewer, name: str) -> set[str]:
    return {player.name for player in selectors.people_found(name, viewer)}


def test_only_who_agreed_is_found_and_look_alikes_are():
    anna = member("Anna")
    findable("Beat Caduff")
    member("Beatrice")
    assert found(anna, "beat") == found(anna, "BÉAT") == found(anna, "caduff") == {"Beat Caduff"}
    assert found(anna, "urs") == set()


def test_nobody_is_found_before_they_have_said_yes_or_after_they_said_no():
    anna, beat = member("Anna"), member("Beat")
    assert not services.preference_of(beat).found_by_name
    assert found(anna, "beat") == set()
    services.keep_preference(beat, found_by_name=True)
    assert found(anna, "beat") == {"Beat"}
    services.keep_preference(beat, found_by_name=False)
    assert found(anna, "beat") == set()


@pytest.mark.parametrize("query", ["", "b", " b ", "b.", "%", "__", "…"])
def test_less_than_two_letters_find_nobody(query: str):
    anna = member("Anna")
    findable("Beat")
    assert found(anna, query) == set()
    assert ">Beat<" not in browser(anna).get(reverse("people:list"), {"find": query}).content.decode()


def test_neither_oneself_nor_guests_the_blocked_the_deleted_nor_accounts_that_are_closed():
    anna = findable("Beata Anna")
    by_me, by_them, gone, closed = (findable(f"Beat {name}") for name in ("Mia", "Theo", "Gon", "Clo"))
    visitor = guest("Beat Gast")
    services.keep_preference(visitor, found_by_name=True)
    account_permissions.block(anna, by_me)
    account_permissions.block(by_them, anna)
    erase(gone.user)
    closed.user.is_active = False
    closed.user.save()
    assert found(anna, "beat") == set()
    assert found(by_me, "beat") >= {"Beat Theo"}
    assert "Beata Anna" not in found(by_me, "beat") | found(by_them, "beat")


def test_the_page_asks_plainly_once_and_keeps_the_answer():
    anna = member("Anna")
    client, page = browser(anna), reverse("people:list")
    question = "May people find you by your name?"
    assert question in client.get(page).content.decode()
    client.post(reverse("people:preferences"), {"answer": "no"})
    assert not services.preference_of(anna).found_by_name
    assert question not in client.get(page).content.decode()
    client.post(reverse("people:preferences"), {"found_by_name": "on"})
    wanted = services.preference_of(anna)
    assert (wanted.found_by_name, wanted.told_of_followers) == (True, False)


def test_the_preferences_have_it_too():
    anna = member("Anna")
    client, page = browser(anna), reverse("accounts:preferences")
    assert "People may find me by my name" in client.get(page).content.decode()
    client.post(page, {"section": "people", "found_by_name": "on", "told_of_followers": "on"})
    assert services.preference_of(anna).found_by_name


def test_searching_is_limited(monkeypatch: pytest.MonkeyPatch):
    anna = member("Anna")
    findable("Beat")
    client, page = browser(anna), reverse("people:list")
    assert ">Beat<" in client.get(page, {"find": "beat"}).content.decode()
    for _again in range(30):
        limits.take(f"find-people:{anna.pk}", rate=60, per=600, burst=30)
    answer = client.get(page, {"find": "beat"})
    assert answer.status_code == 429
    assert ">Beat<" not in answer.content.decode()
    assert 'value="beat"' in answer.content.decode()


def test_a_name_that_is_given_up_is_not_found():
    anna, beat = member("Anna"), findable("Beat")
    names.give(beat, "")
    assert found(anna, "beat") == set()
