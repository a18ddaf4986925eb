"""The till: fees, other money, mistakes, counting."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.services.kit import Night
from tournaments.registration import services

pytestmark = pytest.mark.django_db


def do(client: Client, night: Night, what: str, **fields: str) -> Any:
    address = reverse("tournament:till", args=[night.tournament.public_id])
    return client.post(address, {"do": what, "request_id": str(uuid.uuid4()), **fields})


def test_fees_add_up(desk, night):
    one, two = night.walk_in(), night.walk_in()
    night.do("entrant.added", members=[night.person().public_id])
    assert services.owed(night.state) == {one: 1000, two: 1000}, "who is only expected owes nothing yet"
    do(desk, night, f"fee:{one}", **{f"amount_{one}": "10.–"})
    do(desk, night, f"fee:{two}", **{f"amount_{two}": "4.50"})
    books = services.books_of(night.state)
    assert dict(books.sums)["fee"] == 1450
    assert dict(books.owed) == {two: 550}
    assert books.expected == 1450


def test_buttons_of_the_till_say_whose_money_they_are_about(desk, night):
    night.walk_in()
    night.walk_in()
    page = desk.get(reverse("tournament:till", args=[night.tournament.public_id])).content.decode()
    for number in (1, 2):
        assert f'>paid<span class="visually-hidden">: Vorname{number} Nachname{number}</span>' in page


def test_who_has_paid_and_does_not_come_gets_it_back(desk, night):
    who = night.walk_in()
    night.do("money.entered", kind="fee", amount=1000, who=who)
    night.do("entrant.withdrawn", id=who)
    assert services.owed(night.state) == {who: -1000}
    do(desk, night, f"refund:{who}", **{f"amount_{who}": "10"})
    assert services.owed(night.state) == {}
    assert services.books_of(night.state).expected == 0


def test_who_paid_beforehand_is_owed_nothing_while_they_are_expected(night):
    night.do("entrant.added", members=[night.person().public_id])
    night.do("money.entered", kind="fee", amount=1000, who="e1")
    assert services.owed(night.state) == {}


def test_income_and_expenses_and_what_the_club_puts_in(desk, night):
    do(desk, night, "enter", kind="deposit", amount="100", note="Coins")
    do(desk, night, "enter", kind="income", amount="35.50", note="Soup")
    do(desk, night, "enter", kind="expense", amount="60", note="Hall")
    assert services.books_of(night.state).expected == 7550


@pytest.mark.parametrize("amount", ["", "0", "many", "-3", "1.03"])
def test_nonsense_is_refused_and_stays_to_be_put_right(desk, night, amount):
    answer = do(desk, night, "enter", kind="expense", amount=amount, note="Hall rent")
    assert answer.status_code == 422
    assert "Hall rent" in answer.content.decode()
    assert not night.state.money


def test_a_mistake_is_cancelled_with_a_reason_and_stays_to_be_read(desk, night):
    do(desk, night, "enter", kind="income", amount="50", note="Sold")
    assert do(desk, night, "cancel:m1").status_code == 422, "without a reason nothing is cancelled"
    do(desk, night, "cancel:m1", reason_m1="counted twice")
    page = desk.get(reverse("tournament:till", args=[night.tournament.public_id])).content.decode()
    assert "cancelled: counted twice" in page
    assert services.books_of(night.state).expected == 0


def test_coins_and_notes_are_counted_against_what_should_be_there(desk, night):
    do(desk, night, "enter", kind="income", amount="50")
    do(desk, night, "count", opening="20", coin_2000="3", coin_500="1", coin_50="2")
    books = services.books_of(night.state)
    assert (books.opening, books.expected, books.counted, books.difference) == (2000, 7000, 6600, -400)


def test_what_is_written_down_twice_by_the_same_form_is_written_once(desk, night):
    address = reverse("tournament:till", args=[night.tournament.public_id])
    sent = {"do": "enter", "kind": "income", "amount": "5", "request_id": str(uuid.uuid4())}
    for _again in range(2):
        desk.post(address, sent)
    assert len(night.state.money) == 1


def test_the_till_may_still_be_put_right_when_the_tournament_is_closed(client):
    night = Night.at(4, rules={"rounds": 1, "deals": 1})
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.do("tournament.closed", despite="the lots are left out")
    client.force_login(night.director.user)
    assert do(client, night, "enter", kind="expense", amount="12", note="Cards").status_code == 303
