"""Rounds in which all tables play the same deals: one set, tables turned against each other, nothing told before all have
played."""

from __future__ import annotations

import pytest

from domain.tournament.scoring import gains, lane_of
from domain.tournament.state import CONFIRMED, PLAYING
from games.models import BoardSet, Deal
from games.services import boards
from tests.tournaments.online.kit import PASSING, League
from tournaments.online import services

pytestmark = pytest.mark.django_db


def league(people: int, **rules: object) -> League:
    """The first round of a duplicate is out."""
    found = League.of(people, rules={"deals": 2} | rules, online={"duplicate": True, "days": 1})
    found.round()
    return found


def test_one_set_of_deals_is_promised_for_a_round_and_laid_at_all_its_tables():
    found = league(12, **PASSING)
    drawn = found.at_key("1.1")
    laid = BoardSet.objects.get()
    assert drawn.board_set == laid.public_id
    assert laid.owner == f"tournament:{found.tournament.pk}:1.1"
    assert [(each.number, each.commitment) for each in drawn.boards] == [
        (deal.ordinal, deal.commitment) for deal in boards.deals(laid)
    ]
    assert {found.game(f"1.1.{number}").board_set for number in drawn.tables} == {laid}
    assert not laid.awaits
    # Each alone: one further from table to table.
    assert [found.table(f"1.1.{number}").turn for number in sorted(drawn.tables)] == [0, 1, 2]
    for number in drawn.tables:
        assert found.game(f"1.1.{number}").hands.get(number=1).dealer == found.table(f"1.1.{number}").turn
    kinds = [event.kind for event in found.tournament.events.order_by("number")]
    assert kinds.index("boards.laid") < kinds.index("table.begun")


def test_two_sides_are_turned_alternately_so_that_each_hand_is_played_both_ways():
    found = league(16)
    turns = [found.table(f"1.1.{number}").turn for number in (1, 2, 3, 4)]
    assert turns == [0, 1, 0, 1]
    lanes = [lane_of(found.table(f"1.1.{number}"), 0, 1) for number in (1, 2, 3, 4)]
    assert sorted(lanes) == [0, 0, 1, 1]


def test_a_table_counts_when_every_table_has_played():
    found = league(8, **PASSING)
    found.play_out("1.1.1")
    found.look()
    assert found.table("1.1.1").state == PLAYING
    assert not found.table("1.1.1").lines
    found.play_out("1.1.2")
    found.look()
    for key in ("1.1.1", "1.1.2"):
        assert found.table(key).state == CONFIRMED
        assert [line.scores for _deal, line in found.table(key).lines] == [(0, 0, 0, 0)] * 2
        table = found.table(key)
        assert all(each == (0, 0, 0, 0) for _deal, each in gains(found.at_key("1.1"), table))


@pytest.mark.parametrize("overdue", ["forfeit", "as-played"])
def test_a_table_that_has_played_waits_for_the_others_and_then_counts(overdue: str):
    found = league(8, **PASSING, overdue=overdue)
    found.play_out("1.1.1")
    guilty = found.asked("1.1.2")
    found.run(found.deadline("1.1"))
    assert found.table("1.1.2").forfeit == (guilty,)
    assert not Deal.objects.filter(origin="shared", opened_at=None).exists()
    assert found.table("1.1.1").state == CONFIRMED
    assert len(found.table("1.1.1").lines) == 2


def test_postponed_are_all_tables_that_wait_for_the_late_one():
    found = league(8, **PASSING, overdue="postpone")
    found.play_out("1.1.1")
    found.asked("1.1.2")
    found.run(found.deadline("1.1"))
    assert found.table("1.1.1").late
    assert found.table("1.1.2").late
    found.round()
    found.play_out("1.1.2")
    found.look()
    assert found.table("1.1.1").state == CONFIRMED
    assert found.table("1.1.2").state == CONFIRMED


def test_a_table_whose_game_is_let_go_holds_up_nobody_and_knows_its_deals():
    found = league(8, **PASSING)
    found.play_out("1.1.1")
    found.do("table.abandoned", table="1.1.2", reason="they could not agree")
    found.look()
    assert not found.table("1.1.2").game
    assert found.table("1.1.1").state == CONFIRMED


def test_a_round_that_is_drawn_again_has_other_deals():
    found = league(4, **PASSING)
    first = found.at_key("1.1").board_set
    found.do("table.abandoned", table="1.1.1", reason="somebody is missing")
    found.do("draw.undone", phase=1, round=1, reason="somebody is missing")
    found.round()
    assert found.at_key("1.1").board_set not in ("", first)
    assert found.table("1.1.1").game


def test_a_worker_that_dies_between_the_deals_and_the_games_is_followed_by_another():
    found = League.of(8, rules=PASSING, online={"duplicate": True})
    found.round(begun=False)
    services._lay_boards(found.tournament.pk, "1.1", found.now)
    services._begin_table(found.tournament.pk, "1.1.1", found.now)
    assert BoardSet.objects.get().awaits
    found.look()
    assert found.table("1.1.2").game
    assert BoardSet.objects.count() == 1
    assert not BoardSet.objects.get().awaits
