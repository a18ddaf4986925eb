"""Shared deals: the same pack, cut and packets at every table, promised and provable; sealed until all have played them."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from domain.engine import cards_in, shuffle
from domain.engine.rulesets import ruleset
from games import packs
from games import permissions as game_permissions
from games.exceptions import MetAlready, NotNow
from games.models import BoardSet, Deal, Game, GameHand, PlayedSeat
from games.selectors import log, replay
from games.selectors import table as table_selector
from games.services import boards, computers, play, promises
from games.services.rebuilding import rebuild
from tests.games.boards import kit
from tests.games.table_kit import person
from tests.long import quick

pytestmark = pytest.mark.django_db


def hands_at(game: Game, number: int) -> list[frozenset[int]]:
    """What was dealt, by how far the seat is from the dealer."""
    table = log.open_table(game)
    row = table.hands[number - 1]
    hand = log.replay_hand(table, row, log.moves_of(game, number))
    return [frozenset(cards_in(hand.start[(row.dealer + place) % hand.seats])) for place in range(hand.seats)]


def test_all_tables_are_dealt_the_same_however_they_are_turned():
    board_set = kit.laid(2)
    games = [kit.table(board_set, dealer) for dealer in (0, 1, 3)]
    for game in games:
        kit.play_out(game)
    for number in (1, 2):
        dealt = [hands_at(game, number) for game in games]
        assert dealt[0] == dealt[1] == dealt[2]
    assert hands_at(games[0], 1) != hands_at(games[0], 2)
    assert [game.hands.get(number=2).dealer for game in games] == [1, 2, 0]


def test_each_side_holds_both_ways_when_tables_are_turned():
    board_set = kit.laid(1)
    straight, turned = kit.table(board_set, 0), kit.table(board_set, 1)
    kit.play_out(straight)
    kit.play_out(turned)
    first, second = hands_at(straight, 1), hands_at(turned, 1)
    assert [first[(seat - 0) % 4] for seat in (0, 2)] != [second[(seat - 1) % 4] for seat in (0, 2)]
    assert {first[0], first[2]} == {second[(seat - 1) % 4] for seat in (1, 3)}


@pytest.mark.parametrize(
    ("game", "size"),
    quick({"troccas-4", "troggu-5"}, [("troccas", 4), ("troccas-3", 3), ("troggu", 5), ("troggu-graechen", 4)]),
)
def test_every_game_can_be_shared(game, size):
    board_set = kit.laid(1, game, size)
    one, other = kit.table(board_set, 0), kit.table(board_set, size - 1)
    # Computer players see the same and have the same whims: where the cards are the same, so is what they make of them.
    for each in (one, other):
        kit.begin(each)
        for _ in range(MOVES_BY_THE_WORKER):
            each.refresh_from_db()
            # Where all pass, the deal is over sooner.
            assert computers.act_for(each) or each.status == Game.Status.FINISHED
    assert [turned_move(one, move) for move in moves_of(one)] == [turned_move(other, move) for move in moves_of(other)]
    kit.play_out(one)
    kit.play_out(other)
    assert hands_at(one, 1) == hands_at(other, 1)
    rows = [each.hands.get(number=1) for each in (one, other)]
    turned = [[row.scores[(row.dealer + place) % size] for place in range(size)] for row in rows]
    assert turned[0] == turned[1]


MOVES_BY_THE_WORKER = 5


def moves_of(game: Game) -> list[log.Move]:
    return log.moves_of(game, 1)


def turned_move(game: Game, move: log.Move) -> tuple[int, str]:
    """A move by how far its seat is from the dealer."""
    return (move.seat - game.hands.get(number=1).dealer) % game.table_size, move.text


def test_what_makes_tables_different_is_off():
    board_set = boards.create_set("test:off", "troccas", size=4, count=3, options={"demands": True, "throw_in": True})
    assert board_set.options["hands"] == 3
    assert not board_set.options["demands"]
    assert not board_set.options["throw_in"]
    assert boards.create_set("test:off", "troccas", size=4, count=3) == board_set
    assert Deal.objects.filter(table=board_set.public_id).count() == 3


def test_the_pack_and_the_cut_follow_from_what_was_promised():
    board_set = kit.laid(1)
    deal = boards.deals(board_set)[0]
    secret = bytes(deal.secret)
    assert deal.commitment == shuffle.commitment(secret, table=board_set.public_id, hand=1)
    facts = {"table": board_set.public_id, "hand": 1, "ruleset": "troccas", "ruleset_version": 1}
    pack = shuffle.shuffled(list(shuffle.CANONICAL_78), shuffle.seed(secret, entropy={}, **facts))
    assert deal.pack.split() == list(pack)
    assert deal.cut == shuffle.shuffled(range(1, 78), shuffle.seed(secret, entropy={}, **facts), label="cut")[0]
    game = kit.table(board_set)
    kit.play_out(game)
    assert game.actions.get(text__startswith="cut").text == f"cut {deal.cut}"
    boards.complete(board_set)
    boards.open_due(10)
    game = Game.objects.get(pk=game.pk)
    row = game.hands.select_related("deal").get()
    proof = packs.proof_of(row.deal, ruleset("troccas"), log.replay_hand(log.open_table(game), row, ()))
    assert proof is not None
    assert proof["table"] == board_set.public_id


def test_a_deal_opens_when_the_last_table_has_played_it_and_no_sooner():
    board_set = kit.laid(2)
    early, late = kit.table(board_set, 0), kit.table(board_set, 1)
    kit.play_out(early)
    assert boards.open_due(10) == 0  # more tables may come
    boards.complete(board_set)
    assert boards.open_due(10) == 0
    assert not PlayedSeat.objects.exists()
    with pytest.raises(replay.NotOpen):
        replay.replay(early, 1, None, None)
    kit.play_hand(late)
    boards.open_due(10)
    assert [deal.is_sealed for deal in boards.deals(board_set)] == [False, True]
    assert PlayedSeat.objects.count() == 8
    assert replay.replay(Game.objects.get(pk=early.pk), 1, None, None).hand == 1
    with pytest.raises(replay.NotOpen):
        replay.replay(Game.objects.get(pk=early.pk), 2, None, None)
    kit.play_hand(late)
    boards.open_due(10)
    assert not any(deal.is_sealed for deal in boards.deals(board_set))
    assert BoardSet.objects.get().opened_at is not None
    assert PlayedSeat.objects.count() == 16


def test_a_table_that_ends_early_keeps_nobody_waiting():
    board_set = kit.laid(2)
    whole, broken = kit.table(board_set), kit.table(board_set, 1)
    boards.complete(board_set)
    kit.play_out(whole)
    kit.play_hand(broken)
    play.expire(broken.pk)
    boards.open_due(10)
    assert BoardSet.objects.get().opened_at is not None
    assert GameHand.objects.filter(deal__ordinal=2, status=GameHand.Status.PLAYED).count() == 1


def test_while_sealed_only_those_who_sit_there_see_anything():
    board_set = kit.laid(1)
    anna, stranger = person(), person()
    game = kit.table(board_set, players=[anna, *(kit.computer() for _ in range(3))])
    assert table_selector.sight_of(game, anna).public_id == game.public_id
    for viewer in (stranger, None):
        with pytest.raises(game_permissions.ClosedTable):
            table_selector.sight_of(game, viewer)
    assert Client().get(f"/g/{game.public_id}/").status_code == 403


def test_nobody_meets_a_deal_twice():
    board_set = kit.laid(1)
    anna = person()
    kit.table(board_set, players=[anna, *(kit.computer() for _ in range(3))])
    with pytest.raises(MetAlready):
        kit.table(board_set, 1, players=[*(kit.computer() for _ in range(3)), anna])
    assert Game.objects.count() == 1


def test_nobody_comes_late_to_a_set_that_is_complete():
    board_set = kit.laid(1)
    boards.complete(board_set)
    with pytest.raises(ValueError, match="not played any more"):
        kit.table(board_set)


def test_nobody_adds_chance_to_a_shared_deal():
    board_set = kit.laid(1)
    anna = person()
    game = kit.table(board_set, players=[anna, *(kit.computer() for _ in range(3))])
    with pytest.raises(NotNow):
        promises.add_entropy(game.pk, 1, "0" * 32, by=anna)
    before = boards.deals(board_set)[0]
    play.ready(game.pk, 0, entropy="ab" * 16, expected=game.number, request_id=uuid.uuid4(), by=anna)
    after = boards.deals(board_set)[0]
    assert (after.entropy, after.pack) == ({}, before.pack)


def test_rebuilding_finds_nothing_to_mend_sealed_or_open():
    board_set = kit.laid(2)
    anna = person()
    game = kit.table(board_set, 2, players=[anna, *(kit.computer() for _ in range(3))])
    kit.play_out(game)
    assert rebuild(game.pk) == []
    boards.complete(board_set)
    boards.open_due(10)
    assert rebuild(game.pk) == []
    assert PlayedSeat.objects.count() == 8
