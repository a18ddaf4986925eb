"""What the judge takes for known: a losing player is shown their own tricks before they arrange them, and nobody else is."""

from __future__ import annotations

import random

import pytest

from domain.engine import CODES
from games.models import Game
from games.selectors import table
from games.services import play
from tests.games.boards import kit
from tests.games.table_kit import person, submit
from tests.judging.truth import Reading

pytestmark = pytest.mark.django_db


def test_the_cards_of_the_own_tricks_are_known_while_they_are_arranged():
    people = [person() for _ in range(4)]
    pack = [*CODES]
    random.Random(1).shuffle(pack)  # of a hundred packs, one leaves who arranges first without a trick
    game = play.start("troccas", people, options={"demands": True, "throw_in": False, "hands": 2}, pack=pack)
    kit.play_hand(game)
    losing = [-20, 20, -20, 20]
    game.hands.filter(number=1).update(scores=losing)
    Game.objects.filter(pk=game.pk).update(totals=losing)
    kit.begin(game)
    game.refresh_from_db()
    while game.asked == "deal":
        submit(game, people[game.to_act or 0], "deal 1")
        game.refresh_from_db()
    assert game.asked == "arrange"
    assert game.to_act is not None
    pile = set(table.sight_of(game, people[game.to_act]).question.pile)
    assert pile
    number, seat = game.number, game.to_act
    while game.asked == "arrange":
        submit(game, people[game.to_act or 0], "arrange")
        game.refresh_from_db()
    reading = Reading(game)  # the pack lies ready by now, which it did not at that number
    assert not pile & reading.forbidden(number, seat)
    assert pile <= reading.forbidden(number, (seat + 1) % 4)
