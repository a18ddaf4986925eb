"""What the judge takes for known: a losing player is shown their own tricks before they arrange them, and nobody else is."""

from __future__ import annotations

import random

import pytest

from domain.engine import CODES
from games.lobby.services.tables import CORRESPONDENCE
from games.models import Action, Game
from games.selectors import table
from games.services import play, undo
from tests.games import pace_kit
from tests.games.boards import kit
from tests.games.table_kit import person, seat_of, submit
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


def test_what_is_said_unasked_is_read_among_the_moves_and_stands_when_one_of_them_is_taken_back():
    players = pace_kit.people()
    game = pace_kit.table(players, options={**CORRESPONDENCE, "hands": 1})
    while pace_kit.fresh(game).asked != "play":
        pace_kit.act(game)
    game.refresh_from_db()
    leader, speaker = (
        next(one for one in players if seat_of(game, one) == ((game.to_act or 0) + at) % 4) for at in (0, 1)
    )
    pace_kit.act(game)
    card = pace_kit.fresh(game).number
    submit(pace_kit.fresh(game), speaker, "say ina-flur")
    undo.propose(game.pk, seat_of(game, leader), card, request_id=pace_kit.request(), by=leader)
    for player in players:
        if player != leader:
            seat = seat_of(game, player)
            undo.answer(game.pk, seat, card, agree=True, request_id=pace_kit.request(), by=player)
    game.refresh_from_db()
    assert game.to_act == seat_of(game, leader)
    reading = Reading(game)
    assert [entry.text for entry in reading.entries if entry.kind == Action.Kind.SAID] == ["say ina-flur"]
    assert reading.asked[game.number] == seat_of(game, leader)
