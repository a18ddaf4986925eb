"""Who wishes so looks at each trick as long as they like: alone with computer players, nobody leads before they go on."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sessions
from accounts.models import Player
from games.exceptions import NotYourSeat
from games.models import Game
from games.mygames import selectors as mygames
from games.selectors import table
from games.services import computers, play
from games.services.rebuilding import rebuild
from games.table import tasks
from tests.games.table_kit import advised, laid, person, seat_of, sit, submit

pytestmark = pytest.mark.django_db

QUICK = {"hands": 1, "throw_in": False, "demands": False}


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def at_rest(**fields) -> tuple[Game, Player]:
    """A table at which a computer player has won a trick and the person looks at it."""
    player = person(waits_after_trick=True, **fields)
    game = laid(player, options=QUICK)
    sit(game, player)
    while not table.sight_of(fresh(game), player).rests:
        if fresh(game).to_act == seat_of(game, player):
            submit(game, player, advised(game, player))
        else:
            computers.act_for(fresh(game))  # on a site with a worker, that may have been quicker
    return fresh(game), player


def test_nothing_happens_after_a_trick_until_its_player_goes_on():
    game, player = at_rest()
    seen = table.sight_of(game, player)
    assert (seen.trick, seen.question.asked, seen.question.mine) == (None, "play", False)
    assert seen.last_trick is not None
    tasks.do_due(timezone.now())
    assert not computers.act_for(game)
    assert rebuild(game.pk) == []
    assert mygames.waiting(player) == 1
    assert fresh(game).number == game.number
    play.go_on(game.pk, seat_of(game, player), by=player)
    assert rebuild(game.pk) == []
    assert mygames.waiting(player) == 0
    assert tasks.do_due(timezone.now())
    assert fresh(game).number > game.number
    play.go_on(game.pk, seat_of(game, player), by=player)  # pressed twice: nothing more


@pytest.mark.slow
def test_a_whole_hand_is_played_so():
    player = person(waits_after_trick=True, forced_cards="always")
    game = laid(player, options=QUICK)
    sit(game, player)
    rests = 0
    while fresh(game).status == Game.Status.PLAYING:
        if table.sight_of(fresh(game), player).rests:
            rests += 1
            play.go_on(game.pk, seat_of(game, player), by=player)
        elif fresh(game).to_act == seat_of(game, player):
            submit(game, player, advised(game, player))
        else:
            assert tasks.do_due(timezone.now())
    assert rests > 3


def test_only_who_sits_there_goes_on():
    game, player = at_rest()
    for stranger in (person(), game.seats.exclude(player=player).first().player):
        with pytest.raises(NotYourSeat):
            play.go_on(game.pk, seat_of(game, player), by=stranger)
    assert table.sight_of(fresh(game), None).rests is False


def test_taking_back_a_card_ends_the_look_at_its_trick():
    game, player = at_rest()
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    undo = table.sight_of(game, player).undo
    form = {"do": "ask", "move": undo.move, "request_id": "5f3f7d9c-3a90-4b3c-9d41-2f5a0e7b1c11"}
    assert client.post(reverse("games:undo", args=[game.public_id]), form).status_code == 303
    seen = table.sight_of(fresh(game), player)
    assert (seen.rests, seen.question.mine) == (False, True)


def test_the_page_has_a_button_and_switching_the_wish_off_goes_on():
    game, player = at_rest()
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    address = reverse("games:table", args=[game.public_id])
    assert "Look at the trick, then go on." in client.get(address).content.decode()
    assert client.post(reverse("games:go_on", args=[game.public_id])).status_code == 303
    assert not table.sight_of(fresh(game), player).rests
    game, player = at_rest()
    client.cookies["guest"] = sessions.issue_guest_token(player)
    client.post(
        reverse("games:settings", args=[game.public_id]),
        {"bot_speed": "at-once", "hand_order": "high", "waits_after_trick": "on"},
    )
    assert table.sight_of(fresh(game), player).rests
    client.post(reverse("games:settings", args=[game.public_id]), {"bot_speed": "at-once", "hand_order": "high"})
    assert not table.sight_of(fresh(game), player).rests
