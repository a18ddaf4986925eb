"""Clocks in games: they run for who is asked, and what follows when time is out happens once and stands in the log."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts import availability
from accounts.models import Absence
from domain.pace import Kind, Level, State, Terms, level_of
from games import privacy, projections
from games.exceptions import MayNotMeet, NotNow, NotYourSeat
from games.models import Game, Punctuality
from games.services import agreements, computers, play, timing
from games.services.rebuilding import rebuild
from games.table import notifications, tasks
from notices import selectors
from notices.models import Outbox
from tests.games.lobby_kit import member
from tests.games.pace_kit import (
    DAY,
    DAYS,
    LIVE,
    MONDAY,
    RESTING,
    SUBSTITUTE,
    act,
    asked,
    due,
    fresh,
    people,
    request,
    table,
    texts,
    turned,
    until,
    wall,
    work_at,
)
from tests.games.table_kit import advised, laid, person, play_out, seat_of, submit
from tests.long import LONG
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch):
    with turned(monkeypatch) as wall_clock:
        yield wall_clock


def bank(game: Game, player) -> timedelta:
    state = projections.clock_of(fresh(game))
    assert state is not None
    return state.seats[seat_of(game, player)].bank


def state(game: Game, player) -> State | None:
    return projections.state_of(fresh(game), seat_of(game, player))


def test_without_a_pace_nothing_is_timed():
    game = laid(person())
    assert (game.pace, game.clock, game.deadline_at, game.remind_at) == ({}, {}, None, None)


def test_with_a_pace_the_deal_begins_by_itself_after_its_promise_has_stood(clock):
    game = play.start("troccas", people(), pace=DAYS, draws_partners=True)
    assert game.hands.get().deal.commitment
    assert game.hands.get().deal.pack is None
    assert work_at(clock.now + timedelta(seconds=9)) == 0
    assert work_at(clock.now + timedelta(seconds=10)) > 0
    game = fresh(game)
    assert game.to_act is not None
    ready = game.actions.filter(text="ready")
    assert [entry.data for entry in ready] == [{"agreed": True}] * 4
    assert game.deadline_at is not None


def test_who_is_there_may_add_chance_before_the_deal_begins(clock):
    players = people(2)
    game = play.start("troccas", [*players, *computers.computer_players(2)], pace=DAYS)
    play.ready(game.pk, 0, entropy="00" * 16, expected=game.number, request_id=request(), by=players[0])
    assert work_at(clock.now + timedelta(minutes=1)) > 0
    assert fresh(game).hands.get().deal.entropy == {"0": "00" * 16}


def test_the_clock_runs_for_who_is_asked_and_the_reserve_only_after_it(clock):
    game = table(people())
    first = asked(game)
    assert wall(game.deadline_at) == "Sat 06 12:01:00"  # two days and three
    clock.to(MONDAY + 3 * DAY)
    act(game)
    game = fresh(game)
    assert bank(game, first) == pytest.approx(2 * DAY, abs=timedelta(hours=1))
    assert wall(game.deadline_at) == "Tue 09 12:00:00"
    second = asked(game)
    clock.on(days=1)
    act(game)
    assert bank(game, second) == 3 * DAY


def test_time_is_counted_in_the_days_of_who_is_asked(clock):
    players = people()
    for player in players:
        availability.keep_week(player, ((16 * 60, 22 * 60),) * 5 + (None, None))
        player.time_zone = "Asia/Tokyo"
        player.save()
    game = table(players)
    shown = (due(game) + timedelta(milliseconds=500)).astimezone(availability.zone_of(players[0]))
    assert (
        f"{shown:%a %d %H:%M}" == "Mon 08 19:01"
    )  # asked on Monday at 19:01 of that zone; weekends are their days off


def test_whose_turn_it_is_is_told_once_more_after_a_sixth_of_the_time(clock):
    game = table(people())
    player = asked(game)
    assert wall(game.remind_at) == "Mon 01 16:41:00"  # a third of a day of fourteen hours
    clock.to(game.remind_at)
    for _look in range(2):
        work_at(clock.now)
    again = Outbox.objects.get(event="game.turn", params__again=True)
    assert (again.player, again.kind, again.topic) == (player, "turn", game.public_id)
    assert again.expires_at == game.deadline_at
    assert selectors.unread(player) == 1, "the second stands for both"
    act(game)
    again.refresh_from_db()
    assert again.read_at is not None, "acting settles it"
    assert not Outbox.objects.filter(event="game.deadline").exists()


def test_a_turn_is_told_again_once_though_days_off_begin_its_time_anew(clock):
    game = table(people(), replace(DAYS, announced=True))
    player = asked(game)
    clock.to(game.remind_at)
    work_at(clock.now)
    today = timezone.localdate()
    Absence.objects.create(player=player, first_day=today, last_day=today + 9 * DAY)
    clock.to(due(game) + timedelta(seconds=1))
    work_at(clock.now)
    game = fresh(game)
    assert asked(game) == player
    sixth = game.remind_at
    assert sixth is not None
    assert sixth > clock.now
    work_at(sixth)
    assert fresh(game).remind_at not in (None, sixth)
    assert Outbox.objects.filter(event="game.turn", params__again=True).count() == 1


def test_nobody_is_told_again_in_their_night(clock):
    game = table(people())
    clock.to(MONDAY.replace(hour=19, minute=30))  # 21:30 where they live
    act(game)
    assert wall(fresh(game).remind_at) == "Tue 02 12:10:00"  # half an hour on Monday, the rest of 4:40 from 8:00


def test_reminders_come_at_half_and_at_a_fifth_and_once(clock):
    game = table(people())
    player = asked(game)
    work_at(game.remind_at)  # the turn, once more
    game = fresh(game)
    assert wall(game.remind_at) == "Tue 02 12:01:00"  # half of the two days for the move
    for moment in (game.remind_at, game.remind_at):
        work_at(moment)
    reminders = Outbox.objects.filter(event="game.deadline")
    assert [row.params["share"] for row in reminders] == ["half"]
    game = fresh(game)
    work_at(game.remind_at)
    assert [row.params["share"] for row in reminders.order_by("pk")] == ["half", "fifth"]
    assert {row.player for row in reminders} == {player}
    assert all(row.expires_at == game.deadline_at for row in reminders)
    assert fresh(game).remind_at is None
    assert fresh(game).number == game.number


def test_no_reminder_for_who_has_acted(clock):
    game = table(people())
    seen = fresh(game)
    act(game)
    assert not timing.remind(game.pk, expected=seen.number, now=seen.remind_at)


def test_when_time_is_out_a_computer_player_acts_until_the_person_is_back(clock):
    game = table(people())
    player = asked(game)
    seat = seat_of(game, player)
    clock.to(due(game) + timedelta(seconds=1))
    assert work_at(clock.now) > 0
    game = fresh(game)
    assert texts(game) == ["absent"]
    assert state(game, player) is State.AWAY
    assert game.seats.get(number=seat).player == player
    told = Outbox.objects.filter(event="game.timeout")
    assert [row.params.get("by") for row in told.order_by("pk")] == [None] + [player.public_id] * 3
    assert told.get(player=player).params == {"game": game.public_id}
    work_at(clock.now)
    game = fresh(game)
    done = game.actions.get(kind="move", seat=seat, number__gt=game.number - 3)
    assert done.player.is_computer
    assert done.player.name == ""
    # By acting again, or by saying so, the seat is theirs as before.
    timing.come_back(game.pk, seat, request_id=request(), by=player)
    assert state(game, player) is State.HERE
    until(game, player)
    act(game)
    assert texts(game) == ["absent", "returned"]


def test_acting_is_coming_back(clock):
    game = table(people())
    player = asked(game)
    action = advised(game, player)
    clock.to(due(game))
    timing.time_out(game.pk, expected=game.number)
    submit(game, player, action)
    assert texts(fresh(game)) == ["absent", "returned"]
    assert state(game, player) is State.HERE


def test_who_acts_before_the_worker_comes_has_acted_in_time(clock):
    game = table(people())
    seen = fresh(game)
    player = asked(game)
    clock.to(due(game) + timedelta(minutes=5))
    act(game)
    assert not timing.time_out(game.pk, expected=seen.number)
    assert texts(fresh(game)) == []
    assert bank(game, player) == timedelta(0)


def test_two_workers_let_time_run_out_once(clock):
    game = table(people())
    clock.to(due(game))
    number = game.number
    assert [timing.time_out(game.pk, expected=number) for _ in range(2)] == [True, False]


def test_opening_the_page_lets_time_run_out_as_well(clock):
    game = table(people())
    clock.to(due(game) - timedelta(seconds=1))
    assert tasks.catch_up(fresh(game)).number == game.number
    clock.on(seconds=2)
    assert texts(tasks.catch_up(fresh(game))) == ["absent"]


@pytest.mark.slow
def test_a_game_whose_people_have_all_gone_comes_to_its_end(clock):
    game = table(people(2) + computers.computer_players(2), options={"hands": 1})
    for _ in range(400):
        game = fresh(game)
        if game.status != Game.Status.PLAYING:
            break
        due = [moment for moment in (game.due_at, game.deadline_at) if moment is not None]
        clock.to(max(clock.now, *due))
        assert work_at(clock.now) > 0
    assert game.status == Game.Status.FINISHED
    assert texts(game).count("absent") == 2
    assert rebuild(game.pk) == []


def test_vacation_is_taken_before_time_is_out_and_once_for_all_games(clock):
    players = people()
    games = [table(players, RESTING), table(players, RESTING)]
    player = asked(games[0])
    other = next(game for game in games[1:])
    until(other, player)
    for game in (games[0], other):
        seen = fresh(game)
        assert timing.time_out(game.pk, expected=seen.number, now=seen.deadline_at)
        # The other game hears of the day that was taken already.
        assert texts(fresh(game)) == (["vacation"] if game == games[0] else ["rhythm"])
        assert fresh(game).deadline_at == pytest.approx(due(seen) + DAY, abs=timedelta(seconds=1))
    assert Absence.objects.filter(player=player, automatic=True).count() == 1
    assert availability.vacation_left(player, 2026) == availability.VACATION_DAYS - 1


def test_so_much_vacation_is_taken_as_the_table_agreed_and_then_time_is_out(clock):
    game = table(people(), RESTING)
    for _ in range(4):
        game = fresh(game)
        timing.time_out(game.pk, expected=game.number, now=game.deadline_at)
    assert texts(game) == ["vacation"] * 3 + ["absent"]


def test_who_planned_to_be_away_is_not_out_of_time(clock):
    game = table(people(), RESTING)
    player = asked(game)
    availability.plan(player, (MONDAY + DAY).date(), (MONDAY + 9 * DAY).date())
    assert timing.time_out(game.pk, expected=game.number, now=game.deadline_at)
    game = fresh(game)
    assert texts(game) == ["rhythm"]
    assert wall(game.deadline_at) == "Fri 12 12:01:00"
    assert rebuild(game.pk) == []


def test_a_substitute_is_looked_for_where_the_table_agreed_so_and_takes_the_seat(clock):
    players = people(5)
    game = table(players[:4], SUBSTITUTE)
    gone, newcomer = asked(game), players[4]
    seat = seat_of(game, gone)
    with refuses("seat-taken"):
        timing.substitute(game.pk, seat, request_id=request(), by=newcomer)
    clock.to(due(game))
    work_at(clock.now)
    assert texts(fresh(game)) == ["substitute-asked"]
    asked_by = request()
    first = timing.substitute(game.pk, seat, request_id=asked_by, by=newcomer)
    assert timing.substitute(game.pk, seat, request_id=asked_by, by=newcomer) == first
    game = fresh(game)
    assert game.seats.get(number=seat).player == newcomer
    assert asked(game) == newcomer
    with pytest.raises(NotYourSeat):
        play.submit(game.pk, seat, "veto", expected=game.number, request_id=request(), by=gone)
    act(game)
    assert rebuild(game.pk) == []


def test_who_gave_up_a_seat_takes_no_other_one_of_the_same_game_but_may_have_their_own_again(clock):
    players = people(6)
    game = table(players[:4], SUBSTITUTE)
    gone = asked(game)
    seat = seat_of(game, gone)
    clock.to(due(game))
    work_at(clock.now)
    timing.substitute(game.pk, seat, request_id=request(), by=players[4])
    play.resign(game.pk, seat, request_id=request(), by=players[4])
    timing.ask_substitute(game.pk, seat, request_id=request(), by=next(each for each in players[:4] if each != gone))
    other = (seat + 1) % 4
    leaving = game.seats.get(number=other).player
    play.resign(game.pk, other, request_id=request(), by=leaving)
    asking = next(each for each in players[:4] if each not in (gone, leaving))
    timing.ask_substitute(game.pk, other, request_id=request(), by=asking)
    before = fresh(game).number
    with pytest.raises(MayNotMeet):
        timing.substitute(game.pk, other, request_id=request(), by=gone)
    assert fresh(game).number == before
    timing.substitute(game.pk, seat, request_id=request(), by=gone)
    timing.substitute(game.pk, other, request_id=request(), by=players[5])
    assert rebuild(game.pk) == []


def test_if_nobody_comes_as_a_substitute_a_computer_player_acts(clock):
    game = table(people(), SUBSTITUTE)
    for _ in range(2):
        game = fresh(game)
        clock.to(due(game))
        assert timing.time_out(game.pk, expected=game.number)
    assert texts(game) == ["substitute-asked", "absent"]
    assert fresh(game).due_at is not None
    late = Punctuality.objects.get(timeouts__gt=0)
    assert late.timeouts == 1
    play.resign(
        game.pk, seat_of(game, late.player), request_id=request(), by=late.player
    )  # who is away may still leave
    assert not projections.recount_punctuality(late.player)
    assert rebuild(game.pk) == []


def test_the_others_may_ask_for_a_substitute_in_place_of_the_computer_player(clock):
    players = people(5)
    game = table(players[:4])
    gone = asked(game)
    clock.to(due(game))
    work_at(clock.now)
    other = next(player for player in players[:4] if player != gone)
    timing.ask_substitute(game.pk, seat_of(game, gone), request_id=request(), by=other)
    assert state(game, gone) is State.SOUGHT
    assert rebuild(game.pk) == []
    timing.substitute(game.pk, seat_of(game, gone), request_id=request(), by=players[4])
    assert rebuild(game.pk) == []
    with pytest.raises(NotNow):
        timing.substitute(game.pk, 0, request_id=request(), by=players[4])


def test_who_leaves_a_table_with_a_clock_leaves_the_seat_to_a_computer_player_and_the_game_goes_on(clock):
    players = people()
    game = table(players)
    again = request()
    for _ in range(2):
        play.resign(game.pk, seat_of(game, players[1]), request_id=again, by=players[1])
    game = fresh(game)
    assert game.status == Game.Status.PLAYING
    assert state(game, players[1]) is State.AWAY
    for player in (players[0], players[2]):
        play.resign(game.pk, seat_of(game, player), request_id=request(), by=player)
    play.resign(game.pk, seat_of(game, players[3]), request_id=request(), by=players[3])
    assert fresh(game).status == Game.Status.RESIGNED
    assert fresh(game).deadline_at is None
    assert rebuild(game.pk) == []


def test_a_notice_tells_the_deadline_as_it_is_by_now(clock):
    game = table(people())
    player, seat = asked(game), fresh(game).to_act
    other = next(one.player for one in game.seats.all() if one.player != player)
    told = Outbox.objects.filter(player=player, event="game.turn").latest("pk")

    def line():
        words = notifications.words(told.event, told.params, player, "en")
        assert words is not None
        return words.line, words.until

    before = line()
    assert before[1] == due(fresh(game))
    agreements.more_time(game.pk, seat, 2 * DAY, request_id=request(), by=other)
    after = line()
    assert after[1] == due(fresh(game)) == before[1] + 2 * DAY
    assert after[0] != before[0]
    everybody = [one.player for one in game.seats.order_by("number")]
    agreements.propose_pause(game.pk, 0, clock.now + 20 * DAY, request_id=request(), by=everybody[0])
    for number in (1, 2, 3):
        agreements.answer(game.pk, number, agree=True, request_id=request(), by=everybody[number])
    assert line() == ("It is your turn.", None), "nobody's time runs"
    agreements.resume(game.pk, seat, request_id=request(), by=player)
    clock.on(minutes=1)
    act(game)
    until(game, player)
    assert line() == before, "what was said of an earlier turn stays as it was said"


def test_others_give_more_time_and_nobody_to_themselves(clock):
    game = table(people())
    player = asked(game)
    seat, before = seat_of(game, player), due(game)
    other = next(one.player for one in game.seats.select_related("player") if one.player != player)
    agreements.more_time(game.pk, seat, 2 * DAY, request_id=request(), by=other)
    assert bank(game, player) == 5 * DAY
    assert fresh(game).deadline_at == pytest.approx(before + 2 * DAY, abs=timedelta(seconds=1))
    with refuses("own-time"):
        agreements.more_time(game.pk, seat, DAY, request_id=request(), by=player)
    with refuses("too-much-time"):
        agreements.more_time(game.pk, seat, 8 * DAY, request_id=request(), by=other)
    with pytest.raises(NotYourSeat):
        agreements.more_time(game.pk, seat, DAY, request_id=request(), by=person())
    assert rebuild(game.pk) == []


def test_a_pause_begins_when_all_have_agreed_and_time_stands_still(clock):
    players = people(2)
    game = table([*players, *computers.computer_players(2)])
    while fresh(game).to_act is None or asked(game).is_computer:
        work_at(clock.now)
    before = due(fresh(game))
    clock.on(days=1)
    one, other = players
    agreements.propose_pause(game.pk, seat_of(game, one), clock.now + 9 * DAY, request_id=request(), by=one)
    assert fresh(game).deadline_at == before
    assert [row.player for row in Outbox.objects.filter(event="game.asked")] == [other]
    with pytest.raises(NotNow):
        agreements.answer(game.pk, seat_of(game, one), agree=True, request_id=request(), by=one)
    agreements.answer(game.pk, seat_of(game, other), agree=True, request_id=request(), by=other)
    assert texts(fresh(game)) == ["pause-proposed", "pause-agreed", "paused"]
    assert fresh(game).deadline_at == clock.now + 9 * DAY
    assert fresh(game).remind_at is None
    clock.on(days=4)
    assert rebuild(game.pk) == []
    agreements.resume(game.pk, seat_of(game, other), request_id=request(), by=other)
    assert fresh(game).deadline_at == pytest.approx(before + 4 * DAY, abs=timedelta(seconds=1))
    assert rebuild(game.pk) == []


def test_a_pause_ends_by_itself_at_its_date(clock):
    players = people(1)
    game = table([*players, *computers.computer_players(3)])
    agreements.propose_pause(game.pk, seat_of(game, players[0]), clock.now + DAY, request_id=request(), by=players[0])
    assert texts(fresh(game)) == ["pause-proposed", "paused"]  # nobody else has to agree
    clock.on(days=1)
    work_at(clock.now)
    assert texts(fresh(game))[-1] == "resumed"


def test_a_pause_is_declined_by_one_and_cannot_last_for_ever(clock):
    game = table(people())
    one, other = (seat.player for seat in game.seats.select_related("player")[:2])
    with refuses("too-much-time"):
        agreements.propose_pause(game.pk, 0, clock.now + 61 * DAY, request_id=request(), by=one)
    agreements.propose_pause(game.pk, 0, clock.now + DAY, request_id=request(), by=one)
    agreements.answer(game.pk, 1, agree=False, request_id=request(), by=other)
    with pytest.raises(NotNow):
        agreements.answer(game.pk, 1, agree=True, request_id=request(), by=other)
    assert projections.clock_of(fresh(game)).proposal is None
    assert rebuild(game.pk) == []


def test_playing_on_live_lasts_until_somebody_is_gone_and_costs_nobody_time(clock):
    game = table(people())
    seats = list(game.seats.select_related("player"))
    before = due(game)
    agreements.offer_live(game.pk, 0, request_id=request(), by=seats[0].player)
    for seat in seats[1:]:
        agreements.answer(game.pk, seat.number, agree=True, request_id=request(), by=seat.player)
    game = fresh(game)
    assert texts(game)[-1] == "live-begun"
    assert game.deadline_at == game.acted_at + timedelta(minutes=2)
    assert game.remind_at is None
    act(game)
    clock.on(minutes=5)
    work_at(clock.now)
    game = fresh(game)
    assert texts(game)[-1] == "live-ended"
    assert due(game) > before
    assert rebuild(game.pk) == []


def test_live_play_that_is_offered_hours_after_the_turn_arose_lasts(clock):
    game = table(people())
    clock.on(hours=4)
    seats = list(game.seats.select_related("player"))
    agreements.offer_live(game.pk, 0, request_id=request(), by=seats[0].player)
    for seat in seats[1:]:
        agreements.answer(game.pk, seat.number, agree=True, request_id=request(), by=seat.player)
    clock.on(seconds=119)
    work_at(clock.now)
    assert texts(game)[-1] == "live-begun"
    clock.on(seconds=2)
    work_at(clock.now)
    assert texts(game)[-1] == "live-ended"
    assert rebuild(game.pk) == []


def test_live_time_is_counted_in_seconds_day_and_night(clock):
    clock.to(MONDAY.replace(hour=1))
    game = table(people(), LIVE)
    begun = fresh(game).acted_at
    assert game.deadline_at == begun + timedelta(seconds=150)
    assert game.remind_at is None
    clock.to(begun + timedelta(seconds=50))
    player = act(game)
    assert bank(game, player) == timedelta(seconds=100)


def test_punctuality_counts_actions_and_timeouts_and_can_be_counted_anew(clock):
    game = table(people())
    for _ in range(20):
        if fresh(game).to_act is None:
            break
        act(game)
    if fresh(game).to_act is None:
        timing.begin(game.pk, expected=fresh(game).number, now=clock.now + timedelta(minutes=1))
    game = fresh(game)
    late = asked(game)
    today = clock.now.date() + 9 * DAY
    clock.to(due(game))
    timing.time_out(game.pk, expected=game.number)
    assert level_of(projections.punctuality_of([late], today)[late.current.pk]) in (
        Level.NEW,
        Level.MOSTLY,
        Level.RARELY,
    )
    kept = sorted(Punctuality.objects.values_list("player", "day", "actions", "timeouts"))
    assert sum(row[3] for row in kept) == 1
    assert not any(projections.recount_punctuality(seat.player) for seat in game.seats.select_related("player"))
    Punctuality.objects.all().delete()
    for seat in game.seats.select_related("player"):
        projections.recount_punctuality(seat.player)
    assert sorted(Punctuality.objects.values_list("player", "day", "actions", "timeouts")) == kept


def test_games_with_a_clock_are_not_closed_as_idle(clock):
    game = table(people())
    player = next(one.player for one in game.seats.select_related("player") if one.player != asked(game))
    for _ in range(6):
        agreements.more_time(game.pk, fresh(game).to_act, 7 * DAY, request_id=request(), by=player)
    clock.on(days=31)
    tasks.clean(clock.now)
    assert fresh(game).status == Game.Status.PLAYING


def test_a_site_that_was_off_for_months_goes_on_with_its_games(clock):
    """The first thing a worker does is to clean; what the clock has to say of games comes after it."""
    players = [member(name) for name in ("Anna", "Beat", "Clau", "Dora")]
    running, between = table(players), play.start("troccas", players, pace=DAYS)
    clock.on(days=90)
    tasks.clean(clock.now)
    assert fresh(running).status == fresh(between).status == Game.Status.PLAYING
    player = asked(running)
    assert work_at(clock.now)
    assert projections.state_of(fresh(running), running.seats.get(player=player).number) is State.AWAY
    assert fresh(between).to_act is not None


@pytest.mark.slow
def test_a_whole_game_with_a_clock_is_rebuilt_as_it_was_played(clock):
    players = people(1)
    game = play.start(
        "troccas", [*players, *computers.computer_players(3)], pace=DAYS, draws_partners=True, options={"hands": 2}
    )
    for step in itertools.count():
        clock.on(hours=2)
        game = fresh(game)
        if game.status != Game.Status.PLAYING:
            break
        if game.due_at is not None:
            work_at(max(clock.now, game.due_at))
        else:
            act(game)
        if LONG or step % 10 == 0:  # it goes through the whole log
            assert rebuild(game.pk) == []
    assert rebuild(game.pk) == []
    assert fresh(game).deadline_at is None


def test_rebuilding_mends_clocks_that_were_damaged(clock):
    game = table(people())
    clock.on(days=3)
    act(game)
    right = fresh(game)
    Game.objects.filter(pk=game.pk).update(clock={}, deadline_at=None, remind_at=timezone.now())
    assert rebuild(game.pk) == ["game: clock", "game: deadline_at", "game: remind_at"]
    mended = fresh(game)
    assert (mended.clock, mended.deadline_at) == (right.clock, right.deadline_at)
    assert mended.remind_at == right.remind_at


def test_without_a_clock_games_are_played_as_before():
    player = person()
    game = laid(player, options={"hands": 1})
    play_out(game, player)
    assert fresh(game).clock == {}
    assert not Punctuality.objects.exists()


def test_a_guest_who_signs_up_keeps_their_punctuality(clock):
    guest, member = people(2)
    projections.count_punctuality(guest, clock.now, actions=12, timeouts=1)
    projections.count_punctuality(member, clock.now, actions=3)
    projections.give_punctuality(guest, member)
    projections.give_punctuality(guest, member)
    assert Punctuality.objects.values_list("player", "actions", "timeouts").get() == (member.pk, 15, 1)


def test_the_command_that_rebuilds_counts_punctuality_anew(clock, capsys):
    game = table(people())
    act(game)
    call_command("rebuild")
    assert "1 games read, 0 mended." in capsys.readouterr().out
    Punctuality.objects.all().delete()
    call_command("rebuild")
    assert "1 games read, 1 mended." in capsys.readouterr().out
    assert Punctuality.objects.get().actions == 1


def test_a_guest_who_is_let_go_leaves_the_seat_and_not_the_game(clock):
    players = people()
    game = table(players)
    gone = asked(game)
    privacy.release(gone)
    assert fresh(game).status == Game.Status.PLAYING
    assert state(game, gone) is State.AWAY
    assert fresh(game).due_at is not None


def test_the_others_need_not_wait_for_a_substitute(clock):
    game = table(people(), SUBSTITUTE)
    gone = asked(game)
    seat = seat_of(game, gone)
    other = next(each.player for each in game.seats.select_related("player") if each.number != seat)
    with pytest.raises(NotNow):
        timing.play_on(game.pk, seat, request_id=request(), by=other)
    clock.to(due(game))
    work_at(clock.now)
    assert state(game, gone) is State.SOUGHT
    timing.play_on(game.pk, seat, request_id=request(), by=other)
    assert state(game, gone) is State.AWAY
    assert projections.clock_of(fresh(game)).seats[seat].missed == 1
    counted = Punctuality.objects.filter(player=gone).values_list("timeouts", flat=True)
    assert sum(counted) == 1
    assert rebuild(game.pk) == []
    assert not projections.recount_punctuality(gone)
    with pytest.raises(NotYourSeat):
        timing.play_on(game.pk, seat, request_id=request(), by=gone)
    timing.come_back(game.pk, seat, request_id=request(), by=gone)
    assert state(game, gone) is State.HERE


def test_days_of_vacation_are_taken_by_themselves_only_before_the_first_missed_turn(clock):
    game = table(people(), RESTING)
    player = asked(game)
    for _day in range(4):
        clock.to(due(fresh(game)))
        work_at(clock.now)
    assert texts(game) == ["vacation"] * 3 + ["absent"]
    timing.come_back(game.pk, seat_of(game, player), request_id=request(), by=player)
    game = until(game, player)
    clock.to(due(game))
    work_at(clock.now)
    assert texts(fresh(game))[-1] == "absent"


def test_a_reserve_for_each_hand_is_full_again_when_the_next_begins(clock):
    terms = Terms(Kind.DAYS, DAY / 2, DAY, refills=True)
    game = table(people(), terms, options={"hands": 2, "throw_in": False})
    player = asked(game)
    clock.on(days=1)
    act(game)
    assert bank(game, player) < DAY
    assert projections.clock_of(fresh(game)).terms.refills
    play_out_hand(game)
    assert timing.begin(game.pk, expected=fresh(game).number, now=clock.now + timedelta(minutes=1))
    assert bank(game, player) == DAY
    assert rebuild(game.pk) == []


def play_out_hand(game):
    """The rest of the deal, by its people."""
    while fresh(game).to_act is not None:
        act(game)


def test_what_becomes_of_clocks_that_were_read_is_not_stored_and_nobody_else_sees_it(clock):
    game = table(people())
    read = projections.clock_of(game)
    read.ask(None, clock())
    read.seats[0].bank = timedelta(0)
    assert projections.clock_of(game) == projections.clock_of(fresh(game)) != read
    game.clock = read.to_json()
    assert projections.clock_of(game) == read
