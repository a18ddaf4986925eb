"""Where somebody wishes it, a card is asked about once more before it is played; with script and without alike."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse

from games.services import agreements
from games.table import services
from tests.games.pace_kit import fresh, people, request, table
from tests.games.plans_kit import QUIET, at_position, client_of, view_of
from tests.games.table_kit import laid, person, seat_of, sit, wait_for_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def player():
    return person(name="Anna", confirm_plays=True)


@pytest.fixture
def game(player):
    """A table of days where Anna is asked for a card and has a choice."""
    others = people(4)[1:]
    return at_position([player, *others], lambda hand: hand.turn == 0 and hand.asked == "play" and len(hand.legal) > 3)


def post(game, player, action, *, fetch=False, **more):
    sent = {"action": action, "expected": fresh(game).number, "request_id": uuid.uuid4(), **more}
    headers = {"HX-Request": "true"} if fetch else {}
    return client_of(player).post(reverse("games:act", args=[game.public_id]), sent, headers=headers)


def a_card(game, player):
    return next(str(action) for action in view_of(game, player).legal if len(str(action).split()) == 2)


@pytest.mark.parametrize("fetch", [True, False])
def test_the_first_time_it_asks_and_the_second_it_plays(game, player, fetch):
    action = a_card(game, player)
    answer = post(game, player, action, fetch=fetch)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert f'<input type="hidden" name="action" value="{action}">' in page
    assert fresh(game).number == game.number
    assert "no-store" in answer["Cache-Control"]
    assert post(game, player, action, fetch=fetch, sure="1").status_code == (200 if fetch else 303)
    assert game.actions.get(number=game.number + 1).text == action


def test_who_does_not_wish_it_is_not_asked(game, player):
    player.confirm_plays = False
    player.save()
    assert post(game, player, a_card(game, player)).status_code == 303
    assert fresh(game).number == game.number + 1


def test_a_card_that_may_not_be_played_is_refused_at_once(game, player):
    others = [
        code
        for code in ("CK", "OK", "SK", "BK", "T21", "T20", "T2")
        if f"play {code}" not in map(str, view_of(game, player).legal)
    ]
    answer = post(game, player, f"play {others[0]}")
    assert answer.status_code == 422
    assert "data-confirms" not in answer.content.decode()


def test_a_page_that_is_out_of_date_gets_the_present_table_and_no_question(game, player):
    action = a_card(game, player)
    assert services.asked_about(game, player, action, game.number - 1) is None
    assert post(game, player, action, expected=game.number - 1).status_code == 409


def test_nonsense_is_left_to_the_door(game, player):
    assert services.asked_about(game, player, "play nothing", game.number) is None
    assert post(game, player, "play nothing").status_code == 400


def test_only_cards_are_asked_about(player):
    others = people(4)[1:]
    game = at_position(
        [player, *others], lambda hand: hand.turn == 0 and hand.asked == "cut", {"throw_in": False, "hands": 1}
    )
    assert post(game, player, "cut 3").status_code == 303


def test_knocking_and_a_pair_are_part_of_the_question(player):
    others = people(4)[1:]
    game = at_position(
        [player, *others],
        lambda hand: hand.turn == 0 and hand.asked == "play" and bool(getattr(hand.legal, "pairs", 0)),
    )
    pair = next(str(action) for action in view_of(game, player).legal if len(action.cards) == 2)
    found = services.asked_about(game, player, pair, game.number)
    assert found.action == pair
    assert " and " in found.question


def test_where_seconds_count_nobody_asks(player):
    alone = laid(player, options=QUIET)
    sit(alone, player)
    wait_for_worker(alone, player)
    assert not services.wished(fresh(alone), player)
    game = table([player, *people(4)[1:]], options=QUIET)
    assert services.wished(game, player)
    agreements.offer_live(game.pk, seat_of(game, player), request_id=request(), by=player)
    for seat in game.seats.exclude(player=player).select_related("player"):
        agreements.answer(game.pk, seat.number, agree=True, request_id=request(), by=seat.player)
    assert not services.wished(fresh(game), player)


def test_the_question_is_put_to_nobody_else_and_leaves_no_trace(game, player):
    before = fresh(game).number
    post(game, player, a_card(game, player))
    other = game.seats.exclude(player=player).select_related("player")[0].player
    page = client_of(other).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "data-confirms" not in page
    assert fresh(game).number == before
