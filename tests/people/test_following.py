"""Following: who may follow whom, who is told, what a block ends."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts import permissions as account_permissions
from accounts import services as account_services
from accounts.privacy import erase
from notices import outbox, selectors
from people import permissions, services
from people.exceptions import PeopleError
from people.models import Follow
from tests.people.kit import browser, friends, guest, member, told

pytestmark = pytest.mark.django_db


def test_following_from_a_persons_page_and_no_more():
    anna, beat = member("Anna"), member("Beat")
    client, page = browser(anna), reverse("accounts:person", args=[beat.public_id])
    assert "Follow<" in client.get(page).content.decode()
    assert client.post(reverse("people:follow", args=[beat.public_id]))["Location"] == page
    assert Follow.objects.get().followed == beat
    assert "Unfollow" in client.get(page).content.decode()
    client.post(reverse("people:follow", args=[beat.public_id]), {"stop": "1"})
    assert not Follow.objects.exists()


@pytest.mark.parametrize("back", ["", "list"])
def test_htmx_gets_the_other_button_and_what_follows_from_it(back: str):
    anna, beat = member("Anna"), member("Beat")
    services.follow(beat, anna)
    client, address = browser(anna), reverse("people:follow", args=[beat.public_id])
    for how, both in (("begin", True), ("stop", False)):
        answer = client.post(address, {how: "1", "back": back}, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        page = answer.content.decode()
        assert ("Unfollow" in page, "You follow each other" in page, "Write" in page) == (both, both, both)
        assert "<html" not in page


def test_looking_at_a_page_follows_nobody():
    anna, beat = member("Anna"), member("Beat")
    assert browser(anna).get(reverse("people:follow", args=[beat.public_id])).status_code == 405
    assert not Follow.objects.exists()


def test_guests_strangers_and_oneself_neither_follow_nor_are_followed():
    anna, stranger = member("Anna"), guest()
    for player, other in ((anna, anna), (anna, stranger), (stranger, anna)):
        with pytest.raises(PeopleError):
            services.follow(player, other)
    assert not Follow.objects.exists()
    answer = Client().post(reverse("people:follow", args=[anna.public_id]))
    assert answer["Location"].startswith(reverse("account_login"))
    own = reverse("accounts:person", args=[anna.public_id])
    assert "Follow<" not in browser(anna).get(own).content.decode()


def test_a_block_ends_following_both_ways_and_forbids_it():
    anna, beat = friends("Anna", "Beat")
    account_permissions.block(anna, beat)
    assert not Follow.objects.exists()
    for player, other in ((anna, beat), (beat, anna)):
        with pytest.raises(PeopleError) as refused:
            services.follow(player, other)
        assert refused.value.code == "cannot-follow"
    account_permissions.unblock(anna, beat)
    assert not Follow.objects.exists()
    services.follow(anna, beat)


def test_a_guest_who_blocked_somebody_parts_from_them_with_the_account():
    anna, beat = friends("Anna", "Beat")
    visitor = guest()
    account_permissions.block(visitor, beat)
    account_services.claim(visitor, anna)
    assert not Follow.objects.exists()


def test_being_followed_is_told_once_and_only_while_it_is_so():
    anna, beat = member("Anna"), member("Beat")
    services.follow(anna, beat)
    services.follow(anna, beat)
    services.unfollow(anna, beat)
    services.follow(anna, beat)
    assert len(told(beat, services.FOLLOWED)) == 1
    outbox.tell_due()
    (line,), _more = selectors.lines(beat)
    assert line.words.subject == "Anna follows you"
    assert line.words.line == "Anna follows you. If you follow them too, you can write to each other."
    assert line.words.url == reverse("accounts:person", args=[anna.public_id])
    services.follow(beat, anna)
    (line,), _more = selectors.lines(beat)
    assert line.words.line == "You follow each other, and can write to each other."
    services.unfollow(anna, beat)
    assert not selectors.lines(beat)[0]


def test_who_does_not_want_to_be_told_is_not():
    anna, beat = member("Anna"), member("Beat")
    services.keep_preference(beat, told_of_followers=False)
    services.follow(anna, beat)
    assert not told(beat, services.FOLLOWED)


def test_one_follows_five_hundred_at_most(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(services, "MOST_FOLLOWED", 1)
    anna, beat, carla = member("Anna"), member("Beat"), member("Carla")
    services.follow(anna, beat)
    with pytest.raises(PeopleError) as refused:
        services.follow(anna, carla)
    assert refused.value.code == "too-many-followed"


def test_the_page_lists_both_and_costs_no_more_for_many(django_assert_max_num_queries):
    anna = member("Anna")
    for name in ("Beat", "Carla", "Dario", "Eva", "Flurin"):
        other = member(name)
        services.follow(anna, other)
        services.follow(other, anna)
    client = browser(anna)
    client.get(reverse("people:list"))
    with django_assert_max_num_queries(25):
        page = client.get(reverse("people:list")).content.decode()
    assert page.count("You follow each other") == 10


def test_strangers_are_asked_to_sign_in():
    assert Client().get(reverse("people:list"))["Location"].startswith(reverse("account_login"))


def test_who_is_gone_is_followed_by_nobody():
    anna, beat = friends("Anna", "Beat")
    assert permissions.follow_each_other(anna, beat)
    erase(beat.user)
    assert not Follow.objects.exists()
    beat.refresh_from_db()
    with pytest.raises(PeopleError):
        services.follow(anna, beat)
