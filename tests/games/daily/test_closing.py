"""The end of a day: what the worker does at midnight and at three, and what a day comes to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Player
from games import hooks
from games.daily import selectors
from games.daily import services as daily_services
from games.daily import tasks as daily_tasks
from games.daily.models import DailyDay
from games.models import Deal, Game, GameHand, PlayedSeat
from games.selectors import replay
from games.services import boards, play
from tests.games import table_kit
from tests.games.daily import kit
from tests.games.table_kit import person

pytestmark = pytest.mark.django_db


def test_a_whole_day_played_for_real():
    """Somebody plays as the computer would, somebody leaves, somebody does not come to an end; then the worker."""
    now = timezone.now()
    anna, leaving, slow = (kit.member(name) for name in ("Anna", "Beat", "Clau"))
    mine, left, late = (kit.begun(player, now) for player in (anna, leaving, slow))
    table_kit.play_out(mine.game, anna)
    table_kit.sit(late.game, slow)
    left.game.refresh_from_db()
    play.resign(left.game_id, 0, request_id="0" * 32, by=leaving)
    assert not PlayedSeat.objects.exists()  # sealed: no statistics yet
    day = kit.run_to_the_end(mine.day)
    assert day.opened_at is not None
    assert not boards.deals(day.board_set)[0].is_sealed
    hand = GameHand.objects.get(game=mine.game)
    assert day.players == 1
    assert day.datum == hand.scores[0]
    assert [entry.points for entry in day.entries.order_by("pk")] == [hand.scores[0], None, None]
    assert Game.objects.get(pk=late.game_id).status == Game.Status.EXPIRED
    assert Game.objects.get(pk=left.game_id).status == Game.Status.RESIGNED
    reference_game = day.computer
    assert reference_game is not None
    assert all(seat.player.is_computer for seat in reference_game.seats.select_related("player"))
    assert reference_game.status == Game.Status.FINISHED
    assert day.computer_points == GameHand.objects.get(game=reference_game).scores[0]
    # Both tables were dealt alike: the person's cards lay at the same seat, and the proof is that of the promise.
    replays = [replay.replay(game, 1, 0, None) for game in (mine.game, reference_game)]
    assert replays[0].pack == replays[1].pack
    proof = selectors.replay_of(day, None)
    assert proof is not None
    assert proof.proof is not None
    assert proof.proof["commitment"] == selectors.promise_of(day)
    assert PlayedSeat.objects.filter(hand__game=mine.game).exists()
    assert PlayedSeat.objects.filter(hand__game=mine.game, people_only=True).count() == 0  # no rating


def test_the_computer_player_begins_after_the_first_person_and_nothing_opens_before_three():
    now = timezone.now()
    daily_services.today(now)
    assert daily_tasks.do_due(now) == 0
    entry = kit.begun(person(), now)
    day = entry.day
    assert daily_tasks.do_due(now) == 1
    assert Game.objects.get(daily_yardstick=day).to_act is not None
    kit.play_par()
    assert daily_tasks.do_due(daily_services.ends(day.date) - timedelta(microseconds=1)) == 0
    assert daily_tasks.do_due(daily_services.ends(day.date)) == 0
    almost = daily_services.closes(day.date) - timedelta(microseconds=1)
    assert daily_tasks.do_due(almost) == 0
    assert Game.objects.get(pk=entry.game_id).status == Game.Status.PLAYING
    assert daily_tasks.do_due(daily_services.closes(day.date)) > 0
    assert Game.objects.get(pk=entry.game_id).status == Game.Status.EXPIRED
    day.board_set.refresh_from_db()
    assert not day.board_set.awaits


def test_the_deal_stays_sealed_while_the_computer_player_plays_but_not_for_ever():
    entry = kit.played(person(), timezone.now(), 3)
    day = entry.day
    after = daily_services.closes(day.date)
    daily_tasks.do_due(after)  # the worker was not there at midnight: the table is laid now
    daily_tasks.do_due(after)
    day.refresh_from_db()
    assert day.closed_at == after
    assert boards.open_due(10, after) == 0
    assert Deal.objects.get(table=day.board_set.public_id).is_sealed
    assert daily_tasks.do_due(after + daily_tasks.PATIENCE - timedelta(seconds=1)) == 0
    assert daily_tasks.do_due(after + daily_tasks.PATIENCE) == 1
    assert Game.objects.get(daily_yardstick=day).status == Game.Status.EXPIRED


def test_many_games_are_ended_a_few_at_a_time(monkeypatch):
    monkeypatch.setattr(daily_tasks, "AT_ONCE", 2)
    now = timezone.now()
    entries = [kit.begun(person(), now) for _ in range(5)]
    day = entries[0].day
    daily_tasks.do_due(daily_services.ends(day.date))
    looks = 0
    while DailyDay.objects.get().closed_at is None:
        looks += 1
        assert daily_tasks.do_due(daily_services.closes(day.date)) > 0
    assert looks == 3
    assert Game.objects.filter(status=Game.Status.EXPIRED).count() == 5


@pytest.mark.parametrize(
    "noon",
    [
        datetime(2026, 3, 28, 11, tzinfo=UTC),
        datetime(2026, 3, 29, 10, tzinfo=UTC),
        datetime(2026, 10, 24, 10, tzinfo=UTC),
        datetime(2026, 10, 25, 11, tzinfo=UTC),
    ],
)
def test_days_on_which_clocks_change_close_at_three_by_the_clock(noon):
    player = person()
    entry = kit.begun(player, noon)
    day = entry.day
    assert day.date == noon.date()
    closes = daily_services.closes(day.date)
    assert closes.astimezone(daily_services.ZONE).strftime("%H:%M") == "03:00"
    daily_tasks.do_due(daily_services.ends(day.date))
    kit.play_par()
    assert daily_tasks.do_due(closes - timedelta(seconds=1)) == 0
    assert Game.objects.get(pk=entry.game_id).status == Game.Status.PLAYING
    assert daily_tasks.do_due(closes) > 0
    assert Game.objects.get(pk=entry.game_id).status == Game.Status.EXPIRED


def test_what_is_played_after_three_does_not_count():
    now = timezone.now()
    in_time, late = kit.begun(kit.member("Anna"), now), kit.begun(kit.member("Beat"), now)
    closes = daily_services.closes(in_time.day.date)
    kit.bring(in_time, 5, closes - timedelta(microseconds=1))
    kit.bring(late, 50, closes)
    day = kit.opened(in_time.day)
    assert [entry.points for entry in day.entries.order_by("pk")] == [5, None]
    assert (day.players, day.datum) == (1, 5)


def test_settling_twice_changes_nothing():
    kit.played(kit.member("Anna"), timezone.now(), 5)
    day = kit.opened(DailyDay.objects.get(), computer=2)
    assert daily_tasks.open_day(day, timezone.now()) == 0
    assert daily_tasks.do_due(timezone.now() + timedelta(days=9)) == 0
    day.refresh_from_db()
    assert (day.players, day.datum, day.computer_points) == (1, 5, 2)


@given(st.lists(st.integers(-72, 72), min_size=1, max_size=40))
def test_the_average_is_a_whole_point_half_to_even(points):
    found = daily_tasks.datum(points)
    assert found is not None
    exact = Fraction(sum(points), len(points))
    assert abs(found - exact) <= Fraction(1, 2)
    if abs(found - exact) == Fraction(1, 2):
        assert found % 2 == 0


def test_of_nobody_there_is_no_average():
    assert daily_tasks.datum([]) is None
    kit.begun(person(), timezone.now())
    day = kit.opened(DailyDay.objects.get())
    assert (day.players, day.datum) == (0, None)
    assert selectors.distribution(day) == []


def test_the_worker_knows_of_the_daily_deal_and_asks_little(django_assert_num_queries):
    assert daily_tasks.do_due in list(hooks.due_tasks)
    kit.begun(person(), timezone.now())
    assert daily_tasks.do_due(timezone.now()) == 1
    while daily_tasks.do_due(timezone.now()):
        assert DailyDay.objects.get().par_plays <= daily_services.PLAYS
    with django_assert_num_queries(1):
        assert daily_tasks.do_due(timezone.now()) == 0


def test_the_places_of_results():
    counted = [(9, 2), (4, 3), (-6, 1)]
    assert selectors.place(counted, 9) == selectors.Place(better_than=4, equal=1, others=5)
    assert selectors.place(counted, 4) == selectors.Place(better_than=1, equal=2, others=5)
    assert selectors.place(counted, -6) == selectors.Place(better_than=0, equal=0, others=5)


def test_every_game_of_the_week_is_laid_begun_and_closed():
    first = datetime(2026, 11, 23, 12, tzinfo=UTC)
    seen = set()
    for number in range(21):
        now = first + timedelta(days=number)
        choice = daily_services.choice_on(now.date())
        if choice in seen:
            continue
        seen.add(choice)
        player = Player.objects.create(bot_speed="at-once")
        entry = kit.begun(player, now)
        assert (entry.game.ruleset, entry.game.table_size) == (choice.ruleset, choice.size)
        table_kit.sit(entry.game, player)
        assert daily_services.start_reference_game(entry.day) is not None
        assert daily_services.start_reference_game(entry.day) is None
    assert len(seen) == 7
