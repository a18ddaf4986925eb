"""What happens to tables that are not over at the deadline, as the house rules say: never before it, and once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from domain.tournament.scoring import standing_of
from domain.tournament.state import CONFIRMED, PLAYING, Online, Plan
from games.models import Game
from games.services import seats
from notices.models import Outbox
from tests.tournaments.online.kit import PASSING, League
from tournaments.director.log_text import Teller
from tournaments.models import OnlineTable
from tournaments.online import notifications
from tournaments.online.services import deadline_for
from tournaments.read_models import Names

pytestmark = pytest.mark.django_db
BEFORE = timedelta(seconds=1)
ZURICH = ZoneInfo("Europe/Zurich")


def league(overdue: str, **rules: object) -> League:
    """Four people at one table, two deals, the first round out for a day or two: nobody's own time runs out in it."""
    found = League.of(4, rules=PASSING | {"deals": 2, "overdue": overdue} | rules, online={"days": 1})
    found.round()
    return found


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        (datetime(2026, 12, 1, 9, tzinfo=ZURICH), datetime(2026, 12, 8, 20, tzinfo=ZURICH)),
        (datetime(2026, 12, 1, 22, tzinfo=ZURICH), datetime(2026, 12, 9, 20, tzinfo=ZURICH)),
        (datetime(2027, 3, 25, 18, tzinfo=UTC), datetime(2027, 4, 1, 20, tzinfo=ZURICH)),
    ],
)
def test_a_round_ends_in_the_evening_and_is_never_shorter_than_was_said(now: datetime, ends: datetime):
    found = deadline_for(Plan(online=Online({}, 7)), now)
    assert found == ends
    assert timedelta(days=7) <= found - now < timedelta(days=8)


def test_nothing_is_done_before_the_deadline():
    found = league("forfeit")
    found.asked("1.1.1")
    found.run(found.deadline("1.1") - timedelta(minutes=1))
    table = found.table("1.1.1")
    assert (table.state, table.late, table.forfeit) == (PLAYING, False, ())


def test_a_table_that_is_postponed_plays_on_and_counts_when_it_is_over():
    found = league("postpone")
    found.asked("1.1.1")
    found.run(found.deadline("1.1"))
    assert found.table("1.1.1").late
    assert found.game("1.1.1").status == Game.Status.PLAYING
    assert OnlineTable.objects.get().late_at is not None
    found.round()  # a late table does not block the next round
    assert found.game("1.2.1").status == Game.Status.PLAYING
    found.play_out("1.1.1")
    found.look()
    assert found.table("1.1.1").state == CONFIRMED
    assert [deal for deal, _line in found.table("1.1.1").lines] == [1, 2]


def test_who_keeps_a_table_waiting_forfeits_and_the_game_ends():
    found = league("forfeit", absent={"points": -20})
    guilty = found.asked("1.1.1")
    found.run(found.deadline("1.1"))
    table = found.table("1.1.1")
    assert table.forfeit == (guilty,)
    assert table.state == CONFIRMED
    game = found.game("1.1.1")
    assert game.status == Game.Status.EXPIRED
    assert game.actions.order_by("number").last().text == "called-off"
    assert OnlineTable.objects.get().reported_at is not None
    told = Outbox.objects.filter(event="tournament.forfeited")
    assert {row.player for row in told} == {found.player(person) for person in table.people}
    lines = {row.player: notifications.words(row.event, row.params, row.player, "en").line for row in told}
    for person, owner in zip(table.people, table.owners, strict=True):
        own = (
            "you kept it waiting, and count as absent"
            if owner == guilty
            else "others kept it waiting, and you have a bye"
        )
        assert lines[found.player(person)] == f"Table 1 is decided without a result: {own}."
    standing = standing_of(found.state, found.state.phases[0])
    points = {row.entrant: dict(row.values)["card-points"] for row in standing.rows}
    assert points[guilty] == -20
    before = found.state.number
    found.look(timedelta(hours=1))
    assert found.state.number == before


def test_who_is_played_for_by_a_computer_player_keeps_the_table_waiting():
    found = league("forfeit")
    away = found.asked("1.1.1")
    game = found.game("1.1.1")
    seats.give_up(game.pk, game.to_act)
    found.look()
    asked = found.asked("1.1.1")
    assert asked != away
    found.run(found.deadline("1.1"))
    assert set(found.table("1.1.1").forfeit) == {asked, away}


def test_what_was_played_by_the_deadline_counts():
    found = league("as-played")
    found.play_deals("1.1.1", 1)
    found.asked("1.1.1")
    found.run(found.deadline("1.1"))
    table = found.table("1.1.1")
    assert (table.state, table.short) == (CONFIRMED, True)
    assert [deal for deal, _line in table.lines] == [1]
    assert found.game("1.1.1").status == Game.Status.EXPIRED


def test_where_not_one_deal_was_played_who_kept_it_waiting_forfeits():
    found = league("as-played")
    guilty = found.asked("1.1.1")
    found.run(found.deadline("1.1"))
    assert found.table("1.1.1").forfeit == (guilty,)
    assert not found.table("1.1.1").lines


def test_a_table_that_is_over_is_reported_not_forfeited():
    found = league("forfeit")
    found.play_out("1.1.1")
    found.run(found.deadline("1.1"))
    assert found.table("1.1.1").state == CONFIRMED
    assert not found.table("1.1.1").forfeit


def test_the_director_moves_a_deadline():
    found = league("forfeit")
    found.asked("1.1.1")
    first = found.deadline("1.1")
    later = first + timedelta(days=3)
    found.do("deadline.set", round="1.1", deadline=later.isoformat(), reason="holidays")
    found.run(first + timedelta(hours=1))
    assert found.table("1.1.1").state == PLAYING
    found.run(later)
    assert found.table("1.1.1").forfeit
    row = found.tournament.events.get(kind="deadline.set")
    with translation.override("de"):
        told = Teller(found.state, Names(found.tournament, "staff")).told(row)
    assert f"{timezone.localtime(later).day}. " in told, "in the reader's way"


def test_what_the_director_settles_is_left_alone():
    found = league("forfeit")
    lines = [{"deal": 1, "scores": [5, -5, 0, 0]}, {"deal": 2, "scores": [0, 0, 5, -5]}]
    found.do("table.settled", table="1.1.1", lines=lines, reason="they met at home")
    found.play_out("1.1.1")
    found.run(found.deadline("1.1"))
    assert [list(line.scores) for _deal, line in found.table("1.1.1").lines] == [[5, -5, 0, 0], [0, 0, 5, -5]]


def test_a_director_who_forfeits_a_table_ends_its_game():
    found = league("postpone")
    who = found.table("1.1.1").seats[0]
    found.do("table.overdue", table="1.1.1", how="forfeited", who=[who])
    assert found.game("1.1.1").status == Game.Status.EXPIRED


def test_a_game_that_is_let_go_ends_and_another_one_is_laid():
    found = league("postpone")
    first = found.game("1.1.1")
    found.do("table.abandoned", table="1.1.1", reason="a wrong pace")
    first.refresh_from_db()
    assert first.status == Game.Status.EXPIRED
    found.look()
    second = found.game("1.1.1")
    assert second != first
    assert OnlineTable.objects.get().game == second
