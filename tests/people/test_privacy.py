"""What is kept about somebody: taken along, and gone with the account."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from accounts.privacy import erase, export_of
from people import services
from people.models import Follow, Message, PeoplePreference, Thread
from tests.people.kit import browser, friends, write

pytestmark = pytest.mark.django_db


def test_the_export_has_whom_one_follows_and_all_messages():
    anna, beat = friends("Anna", "Beat")
    services.keep_preference(anna, found_by_name=True)
    write(anna, beat, "Hin")
    write(beat, anna, "Her")
    own: Any = export_of(anna)["people"]
    assert own["preferences"] == {"found_by_name": True, "told_of_followers": True}
    assert [row["name"] for row in own["following"]] == [row["name"] for row in own["followers"]] == ["Beat"]
    assert [(row["text"], row["own"]) for row in own["messages"]] == [("Hin", True), ("Her", False)]


def test_the_export_says_when_one_read_and_of_others_only_whether():
    """No page says more."""
    anna, beat = friends("Anna", "Beat")
    services.read(write(anna, beat, "Hin").thread, beat)
    (sent,), (received,) = (export_of(player)["people"]["messages"] for player in (anna, beat))  # type: ignore[index]  # plain data
    assert (sent["read"], "read_at" in sent) == (True, False)
    assert received["read_at"] is not None


def test_with_the_account_go_the_words_and_what_others_wrote_stays_for_them():
    anna, beat = friends("Anna", "Beat")
    services.keep_preference(anna, found_by_name=True)
    write(anna, beat, "Mein Geheimnis")
    write(beat, anna, "Meine Antwort")
    erase(anna.user)
    assert not Follow.objects.exists()
    assert not PeoplePreference.objects.filter(player=anna).exists()
    assert not Message.objects.filter(text="Mein Geheimnis").exists()
    page = browser(beat).get(reverse("people:thread", args=[anna.public_id])).content.decode()
    assert "Meine Antwort" in page
    assert "The author has deleted the account, and with it the words." in page
    assert "has deleted their account" in page
    assert "Former player" in browser(beat).get(reverse("people:threads")).content.decode()
    erase(beat.user)
    assert not Thread.objects.exists()


def test_a_thread_in_which_only_the_one_who_goes_wrote_goes_too():
    anna, beat = friends("Anna", "Beat")
    write(anna, beat, "Hallo?")
    erase(anna.user)
    assert not Thread.objects.exists()
