"""Once more with the same people: seats, agreements, the deal passing on; and the draw for partners as it was seen."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from domain.engine import CODES, card_of
from domain.engine.cards import FIRST_TRUMP, FOOL
from games.exceptions import NotNow, NotYourSeat
from games.lobby.models import Invitation, OpenTable
from games.lobby.selectors import waiting_table
from games.lobby.services import tables
from games.models import Game, GameHand
from games.services import computers, play
from notices.models import Outbox
from tests.games.lobby_kit import DAYS, join, member, sitting
from tests.games.table_kit import seat_of, sit
from tests.games.test_lobby_pages import client_of

pytestmark = pytest.mark.django_db


def finished(players, dealer=0, **how) -> Game:
    """A game that is over, the last hand dealt by `dealer`."""
    game = play.start("troccas", players, options={"hands": 2, "talk": "silent"}, dealer=dealer, **how)
    GameHand.objects.filter(game=game).update(status=GameHand.Status.PLAYED)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED, ended_at=timezone.now())
    game.refresh_from_db()
    return game


def company():
    """Two people on one side against two computer players."""
    anna, beat = member("Anna"), member("Beat")
    gion, mengia = computers.computer_players(2)
    return anna, beat, [anna, gion, beat, mengia]


def again(game, player) -> OpenTable:
    return tables.rematch(game.pk, player, request_id=uuid.uuid4())


def test_at_the_table_that_is_over_the_others_are_told_who_waits_for_them():
    anna, beat, players = company()
    game = finished(players, pace=DAYS)
    sentence = "Beat would like to play again with you."

    def page(player, **asked):
        return client_of(player).get(reverse("games:since", args=[game.public_id, game.number]), asked)

    assert page(anna, again="no").status_code == 204
    table = again(game, beat)
    answer = page(anna, again="no")
    assert sentence in answer.content.decode()
    assert "again=yes" in answer.content.decode()
    assert page(anna, again="yes").status_code == 204
    assert page(beat, again="no").status_code == 204
    assert page(member("Clau"), again="").status_code == 204
    tables.close(table.pk, beat, request_id=uuid.uuid4())
    answer = page(anna, again="yes")
    assert sentence not in answer.content.decode()


def test_the_same_people_play_again_at_the_same_seats_and_the_deal_passes_on():
    anna, beat, players = company()
    game = finished(players, dealer=3, pace=DAYS)
    table = again(game, beat)
    assert sitting(table) == {1: "Gion", 2: "Beat", 3: "Mengia"}
    assert Outbox.objects.get(event="table.invited").player == anna
    seated = join(table, anna)
    assert seated.game is not None
    assert seated.game.options == game.options
    assert seated.game.pace == game.pace
    assert [seat.player for seat in seated.game.seats.order_by("number")] == players
    assert seated.game.hands.get().dealer == 0
    assert not seated.game.draws_partners


def test_after_a_hand_that_did_not_count_the_same_dealer_deals_again():
    anna, _beat, players = company()
    game = finished(players, dealer=2)
    GameHand.objects.filter(game=game).update(status=GameHand.Status.THROWN_IN)
    assert again(game, anna).first_dealer == 2


def test_two_who_ask_for_a_rematch_meet_at_one_table():
    anna, beat, players = company()
    game = finished(players)
    first = again(game, anna)
    assert again(game, anna) == first
    second = again(game, beat)
    assert second == first
    assert second.state == "started"
    assert again(game, beat).game == second.game
    assert Game.objects.count() == 2


def test_who_does_not_want_to_leaves_the_seat_to_others():
    anna, beat, players = company()
    table = again(finished(players), anna)
    tables.decline(table.pk, beat, request_id=uuid.uuid4())
    third = member("Clau")
    tables.invite(table.pk, anna, third, request_id=uuid.uuid4())
    assert join(table, third).game is not None


def test_after_a_rematch_came_to_nothing_there_can_be_another():
    anna, _beat, players = company()
    game = finished(players)
    first = again(game, anna)
    tables.close(first.pk, anna, request_id=uuid.uuid4())
    assert again(game, anna) != first


def test_people_who_do_not_meet_any_more_are_not_asked():
    anna, beat, players = company()
    game = finished(players)
    account_permissions.block(beat, anna)
    table = again(game, anna)
    assert not Invitation.objects.filter(player=beat).exists()
    assert table.state == "waiting"


def test_alone_against_computer_players_it_begins_at_once():
    anna = member("Anna")
    game = finished([anna, *computers.computer_players(3)], pace=DAYS)
    assert tables.offers_rematch(game, anna)
    assert again(game, anna).state == "started"


def test_a_rematch_is_for_those_who_played_once_the_game_is_over():
    anna, _beat, players = company()
    game = finished(players)
    with pytest.raises(NotYourSeat):
        again(game, member("Clau"))
    Game.objects.filter(pk=game.pk).update(status=Game.Status.PLAYING)
    with pytest.raises(NotNow):
        again(game, anna)
    assert not OpenTable.objects.exists()


def test_the_page_of_a_finished_game_offers_it():
    anna, _beat, players = company()
    game = finished(players)
    client = client_of(anna)
    address = reverse("games:rematch", args=[game.public_id])
    assert address in client.get(reverse("games:table", args=[game.public_id])).content.decode()
    answer = client.post(address, {"request_id": str(uuid.uuid4())})
    assert answer["Location"] == reverse("lobby:table", args=[OpenTable.objects.get().public_id])
    assert client_of(member("Clau")).post(address, {"request_id": str(uuid.uuid4())}).status_code == 303
    assert OpenTable.objects.count() == 1


# the draw


def test_the_draw_is_shown_as_it_was():
    players = [member(name) for name in ("Anna", "Beat", "Clau", "Dora")]
    game = play.start("troccas", players, draws_partners=True)
    assert waiting_table.draw_of(game, players[0]) is None
    for player in players:
        sit(game, player)
    game.refresh_from_db()
    seen = waiting_table.draw_of(game, players[1])
    assert seen is not None
    assert [(person.name, person.own) for person in seen.people] == [
        ("Anna", False), ("Beat", True), ("Clau", False), ("Dora", False)
    ]  # fmt: skip
    assert [person.seat for person in seen.people] == [seat_of(game, player) for player in players]
    shown = [code for person in seen.people for code in person.cards]
    assert len({seen.middle, *shown}) == len(shown) + 1
    assert set(shown) <= set(CODES)
    last = {person.name: card_of(person.cards[-1]) for person in seen.people}
    assert all(FIRST_TRUMP <= card < FOOL for card in last.values())
    assert not any(FIRST_TRUMP <= card_of(code) < FOOL for person in seen.people for code in person.cards[:-1])
    by_trump = sorted(seen.people, key=lambda person: last[person.name])
    assert by_trump[0].deals
    assert by_trump[0].team == by_trump[1].team != by_trump[2].team == by_trump[3].team
    page = client_of(players[0]).get(reverse("games:draw", args=[game.public_id])).content.decode()
    assert all(f"#{code}" in page for code in shown)


def test_where_nothing_was_drawn_there_is_no_draw_to_see(client):
    game = play.start("troccas-3", [member("Anna"), member("Beat"), member("Clau")])
    assert client.get(reverse("games:draw", args=[game.public_id])).status_code == 404
