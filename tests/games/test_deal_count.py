"""The account of the deal that is just over: it adds up in every game, and tells nothing before its time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.permissions import ClosedTable
from games.read_models import Line
from games.selectors import replay, table
from games.text import deal_count
from games.text.table import title
from tests.games.boards import kit
from tests.games.daily.kit import begun, browser, member
from tests.games.replay_kit import FEW, RULESETS, stored
from tests.games.table_kit import laid, person, play_hand, play_out, rush, sit
from tests.long import quick

pytestmark = pytest.mark.django_db


def page(game: Game, player) -> str:
    return browser(player).get(reverse("games:table", args=[game.public_id])).content.decode()


@pytest.mark.parametrize("id", quick({*FEW, "troccas-6", "troccas-3-singles"}, RULESETS))
def test_tricks_scart_fool_and_rest_make_the_points_of_every_game(id):
    player = person(name="Ursina")
    game = stored(id, player=player)
    sight = table.sight_of(game, player)
    assert sight.counted is not None
    sheet = sight.sheets[-1]
    for at, side in enumerate(sight.counted.sides):
        assert side.tricks + side.scart + side.fool + side.rest == side.points == sheet.points[at]
        if side.par is not None:
            assert side.points - side.par == sheet.scores[sheet.parties[at][0]]
    honours = [code for side in sight.counted.sides for code in side.honours]
    assert sorted(honours) == sorted(set(honours))
    assert len(honours) == 7 or sheet.points == () or id.startswith("troggu")
    assert 'class="data deal-count"' in page(game, player)
    again = replay.replay(game, 1, None, player)
    assert again.count == sight.counted.sides
    assert [seat.points for seat in again.seats] == [
        next(points for points, party in zip(sheet.points, sheet.parties, strict=True) if seat.number in party)
        for seat in again.seats
    ]


def test_of_a_game_for_rappen_it_is_told_how_many_stakes_were_settled():
    player = person()
    sight = table.sight_of(stored("troggu", player=player), player)
    assert sight.counted is not None
    sheet = replace(sight.sheets[-1], parties=((0,), (1, 2, 3, 4, 5)), scores=(-300, 60, 60, 60, 60, 60))
    told = deal_count.stakes_settled(sight.counted, replace(sight, sheets=(sheet,)))
    assert told.startswith(
        "Each opponent settles 6 stakes of 10 Rappen. One counts double if the losers have at most 30 "
    )
    once = replace(sheet, scores=(50, -10, -10, -10, -10, -10))
    told = deal_count.stakes_settled(sight.counted, replace(sight, sheets=(once,)))
    assert told.startswith("Each opponent settles 1 stake of 10 Rappen. It counts double")
    assert "partner" not in told
    called = replace(sheet, parties=((0, 3), (1, 2, 4, 5)), scores=(20, -10, -10, 20, -10, -10))
    told = deal_count.stakes_settled(sight.counted, replace(sight, sheets=(called,)))
    assert told.endswith(
        "twice as much again in a Solo. The Tappist’s partner settles twice as much as an opponent, the Tappist the rest."
    )
    for nothing in (
        replace(sheet, scores=(0,) * 6),
        replace(sheet, parties=tuple((seat,) for seat in range(6))),
    ):
        assert deal_count.stakes_settled(sight.counted, replace(sight, sheets=(nothing,))) == ""
    troccas = table.sight_of(stored("troccas", player=player), player)
    assert troccas.counted is not None
    assert deal_count.stakes_settled(troccas.counted, troccas) == ""


@pytest.mark.parametrize(
    ("id", "told"),
    [
        (
            "troggu",
            "In a Misere, whoever has the most points pays a stake of 10 Rappen to each of the others; players with equally many pay each other nothing.",
        ),
        (
            "troggu-st-niklaus",
            "In a Misere, whoever has the fewest points gets a stake of 5 Rappen from each of the others; players with equally few pay each other nothing.",
        ),
    ],
)
def test_of_a_misere_it_is_told_who_pays_whom(id, told):
    player = person()
    sight = table.sight_of(stored(id, player=player), player)
    assert sight.counted is not None
    misere = replace(sight.counted, told=(Line(1, "misere"),))
    alone = tuple((seat,) for seat in range(len(sight.seats)))
    sheet = replace(sight.sheets[-1], parties=alone, scores=(0,) * len(alone))
    assert deal_count.stakes_settled(misere, replace(sight, sheets=(sheet,))) == told


def test_in_troccas_nothing_is_left_to_explain():
    for seed in range(4):
        game = stored("troccas", seed)
        seen = replay.replay(game, 1, None, None)
        assert [side.rest for side in seen.count] == [0, 0]
        assert sum(row.points for row in seen.tricks) + sum(side.scart for side in seen.count) == 72


def test_between_two_hands_the_table_tells_of_the_one_that_is_over_and_then_no_more():
    player = person(name="Ursina")
    game = laid(player, options={"throw_in": False, "demands": False})
    assert title(table.sight_of(game, player)) == "Hand 1 of 4"
    play_hand(game, player)
    sight = table.sight_of(game, player)
    assert title(sight) == "Hand 1 of 4"
    assert sight.counted is not None
    assert sight.counted.hand == 1
    assert len(sight.counted.scart) == 2
    assert '<a href="/en/rules/counting/#par">par</a>' in page(game, player)
    sit(game, player)
    sight = table.sight_of(game, player)
    assert title(sight) == "Hand 2 of 4"
    assert sight.counted is None


def test_while_the_deal_is_closed_neither_the_scart_nor_what_was_called_is_told():
    player = person(name="Ursina")
    game = laid(player, options={"throw_in": False})
    play_hand(game, player)
    Game.objects.filter(pk=game.pk).update(totals=[-20, 20, -20, 20])
    game.refresh_from_db()
    sight = table.sight_of(game, player)
    assert not sight.sheets[-1].open
    assert sight.counted is not None
    assert (sight.counted.scart, sight.counted.told) == ((), ())
    assert sum(side.points for side in sight.counted.sides) == 72


def test_the_hand_that_decided_a_game_is_named():
    player = person(name="Ursina")
    game = laid(player, options={"throw_in": False, "demands": False})
    play_out(game, player)
    sight = table.sight_of(game, player)
    first = sight.sheets[0]
    scores = [(10, -10, 10, -10), (-4, 4, -4, 4), (2, -2, 2, -2), (0, 0, 0, 0)]
    told = replace(
        sight,
        sheets=tuple(replace(first, number=number, scores=each) for number, each in enumerate(scores, 1)),
        totals=(8, -8, 8, -8),
        winners=(0, 2),
    )
    assert deal_count.deciding_deal(told).startswith("Hand 1 decided it: ")
    assert deal_count.deciding_deal(told).endswith("+10.")
    even = replace(told, sheets=tuple(replace(first, scores=(2, -2, 2, -2)) for _ in range(4)))
    assert deal_count.deciding_deal(even).startswith("Hand 1 weighed most: ")
    assert deal_count.deciding_deal(replace(told, status="playing")) == ""
    assert deal_count.deciding_deal(replace(told, winners=())) == ""
    alone = replace(told, parties=((0,), (1,), (2,), (3,)))
    assert deal_count.deciding_deal(alone) == "", "two players share the first place"
    assert deal_count.deciding_deal(sight) in page(game, player).replace("&#x27;", "'")


def test_of_a_sealed_deal_the_table_is_told_what_was_seen_there_and_each_the_cards_they_laid_away():
    board_set = kit.laid(2)
    anna, beat = member("Anna"), member("Beat")
    kit.table(board_set, 1, [member("Dora")])
    game = kit.table(board_set, 0, [anna, beat])
    kit.play_hand(game)
    for player, own in ((anna, 2), (beat, 0)):
        counted = table.sight_of(game, player).counted
        assert counted is not None
        assert sum(side.points for side in counted.sides) == 72
        assert len(counted.scart) == own
        assert 'class="data deal-count"' in page(game, player)
    with pytest.raises(ClosedTable):
        table.sight_of(game, None)


def test_after_the_deal_of_a_day_its_points_are_explained_before_the_day_is_open():
    anna = person(name="Anna")
    entry = begun(anna, timezone.now())
    sit(entry.game, anna)
    rush(entry.game)
    sight = table.sight_of(entry.game, anna)
    assert sight.shared == "sealed"
    assert sight.counted is not None
    assert [side.points for side in sight.counted.sides] == list(sight.sheets[0].points)
    assert 'class="data deal-count"' in page(entry.game, anna)
