"""Several people wish at the same moment, each in a thread with a connection of their own: they are seated once, and all of them."""

from __future__ import annotations

from functools import partial

import pytest
from django.utils import timezone

from games.meeting.models import StandingWish
from games.meeting.services import wishes
from games.meeting.services.wishes import WishTerms
from games.models import Game
from tests.games.lobby_kit import member
from tests.games.test_lobby_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_four_who_wish_at_the_same_moment_make_one_game():
    four = [member(name) for name in ("Anna", "Beat", "Carla", "Dario")]
    made = at_once(*(partial(wishes.make, player, WishTerms(["troccas"], ["day"])) for player in four))
    assert all(isinstance(wish, StandingWish) for wish in made)
    wishes.do_due(timezone.now())
    game = Game.objects.get()
    assert {seat.player for seat in game.seats.all()} == set(four)
    assert set(StandingWish.objects.values_list("game", "state")) == {(game.pk, "seated")}


def test_two_workers_seat_nobody_twice():
    four = [member(name) for name in ("Anna", "Beat", "Carla", "Dario")]
    until = timezone.now() + wishes.LASTS
    for player in four:
        StandingWish.objects.create(player=player, games=["troccas"], paces=["day"], expires_at=until)
    at_once(*[partial(wishes.do_due, timezone.now())] * 3)
    assert Game.objects.count() == 1
