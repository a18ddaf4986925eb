"""When all who play look at a table of days, pages that are open already offer to play on live; nobody has to reload."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import projections
from games.services import ending
from notices import preferences
from tests.games.pace_kit import asked, fresh, people, request, table
from tests.games.plans_kit import QUIET, client_of
from tests.games.table_kit import laid, person

pytestmark = pytest.mark.django_db

OFFER = "Propose to play live"


def since(game, player, here):
    return client_of(player).get(reverse("games:since", args=[game.public_id, game.number]), {"here": here})


def test_an_open_page_hears_that_all_have_come_and_that_somebody_has_gone():
    players = people()
    game = table(players, options=QUIET)
    for player in players[:3]:
        preferences.note_looking(player, game.public_id)
    assert since(game, players[0], "no").status_code == 204
    preferences.note_looking(players[3], game.public_id)
    answer = since(game, players[0], "no")
    assert answer.status_code == 200
    assert OFFER in answer.content.decode()
    assert 'data-here="yes"' in answer.content.decode()
    assert since(game, players[0], "yes").status_code == 204
    preferences.forget_looking(players[1], game.public_id)
    answer = since(game, players[0], "yes")
    assert OFFER not in answer.content.decode()
    assert 'data-here="no"' in answer.content.decode()


def test_nothing_is_offered_while_an_answer_is_waited_for():
    players = people()
    game = table(players, options=QUIET)
    for player in players:
        preferences.note_looking(player, game.public_id)
    assert OFFER in since(game, players[1], "no").content.decode()
    number = game.seats.get(player=players[0]).number
    ending.propose(game.pk, number, counts=True, request_id=request(), by=players[0])
    assert OFFER not in since(game, players[1], "no").content.decode()


def test_somebody_who_has_left_is_not_here():
    players = people()
    game = table(players, options=QUIET)
    gone = asked(game)
    for player in players:
        preferences.note_looking(player, game.public_id)
    form = {"confirm": "1", "request_id": str(request())}
    left = client_of(gone).post(reverse("games:leave", args=[game.public_id]), form, follow=True)
    text = left.content.decode()
    assert "You are away, and a computer player acts for your seat." in text
    assert (
        '<p id="prompt" class="prompt no-margin" role="status" tabindex="-1">A computer player acts for your seat.</p>'
        in text
    )
    assert 'data-yours="no"' in text
    assert OFFER not in text
    assert not projections.everybody_here(fresh(game))


def test_who_does_not_sit_there_hears_nothing_of_it():
    players = people()
    game = table(players, options=QUIET)
    for player in players:
        preferences.note_looking(player, game.public_id)
    assert since(game, person(), "no").status_code == 204


def test_without_a_clock_nothing_changes():
    player = person()
    game = laid(player)
    assert since(game, player, "").status_code == 204
    assert since(game, player, "no").status_code == 204
