"""The deal of the day is laid once, begun once by everybody, and dealt the same to all."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts import services
from accounts.models import Player
from domain.bots.advice import choose
from games.daily import services as daily_services
from games.daily import tasks
from games.daily.models import DailyDay, DailyEntry
from games.exceptions import MetAlready
from games.models import Action, BoardSet, Deal, Game
from games.selectors import table
from games.services import boards, play, undo
from games.table import services as table_services
from tests.games.daily import kit
from tests.games.table_kit import person, seat_of, sit
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_the_deal_of_a_day_is_laid_by_the_first_look_and_no_other():
    now = timezone.now()
    day = daily_services.today(now)
    choice = daily_services.choice_on(day.date)
    assert (day.board_set.ruleset, day.board_set.table_size, day.board_set.boards) == (choice.ruleset, choice.size, 1)
    assert day.board_set.owner == f"daily:{day.date}:{choice.ruleset}"
    assert daily_services.today(now) == day
    assert Client().get("/en/daily/").status_code == 200
    assert (DailyDay.objects.count(), BoardSet.objects.count(), Deal.objects.count()) == (1, 1, 1)
    assert Game.objects.count() == 0


def test_everybody_holds_the_same_cards_and_has_computer_players_for_company():
    now = timezone.now()
    games = [kit.begun(person(), now).game for _ in range(3)]
    day = DailyDay.objects.get()
    for game in games:
        row = game.hands.get()
        assert (0 - row.dealer) % game.table_size == day.lane
        assert row.deal == boards.deals(day.board_set)[0]
        people = [seat.player for seat in game.seats.select_related("player")]
        assert [player.is_computer for player in people] == [False, *([True] * (game.table_size - 1))]
        assert game.board_set == day.board_set
        assert not game.draws_partners


def test_beginning_twice_is_beginning_once():
    now, anna = timezone.now(), person()
    first = kit.begun(anna, now)
    assert kit.begun(anna, now) == first
    assert Game.objects.count() == 1


@pytest.mark.parametrize("who", ["guest", "member"])
def test_the_button_pressed_twice_leads_to_the_same_table(who):
    client = kit.browser(person() if who == "guest" else kit.member("Anna"))
    today = daily_services.day_at(timezone.now()).isoformat()
    first = client.post("/en/daily/play/", {"day": today})
    second = client.post("/en/daily/play/", {"day": today})
    assert first.status_code == second.status_code == 303
    assert first["Location"] == second["Location"]
    assert Game.objects.count() == 1
    assert client.get(first["Location"]).status_code == 200


def test_a_stranger_becomes_a_guest_as_with_play_now():
    client = Client()
    answer = client.post("/en/daily/play/", {"day": daily_services.day_at(timezone.now()).isoformat()})
    assert answer.status_code == 303
    entry = DailyEntry.objects.get()
    assert entry.player.is_guest
    assert client.get(f"/g/{entry.game.public_id}/").status_code == 200
    assert Client().get(f"/g/{entry.game.public_id}/").status_code == 403  # sealed for all others


@pytest.mark.parametrize("text", ["", "2020-01-01", "2999-01-01", "nonsense", "2026-13-45"])
def test_a_day_that_is_not_today_is_refused_and_nothing_is_laid(text):
    answer = Client().post("/en/daily/play/", {"day": text})
    assert answer.status_code == 409
    assert "That day is over" in answer.content.decode()
    assert not Game.objects.exists()
    assert not Player.objects.exists()


def test_the_deal_can_be_begun_until_midnight():
    now = timezone.now()
    day = daily_services.day_at(now)
    daily_services.today(now)
    last = daily_services.ends(day) - timedelta(microseconds=1)
    assert daily_services.begin(person(), day, last).day.date == day
    with refuses("day-over"):
        daily_services.begin(person(), day, daily_services.ends(day))


def test_a_guest_who_becomes_a_member_keeps_the_day():
    now, guest, anna = timezone.now(), person(), kit.member("Anna")
    entry = kit.begun(guest, now)
    services.claim(guest, anna)
    entry.refresh_from_db()
    assert entry.player == anna
    assert kit.begun(anna, now) == entry
    assert Game.objects.count() == 1
    assert entry.game.seats.get(number=0).player == anna


@pytest.mark.parametrize("first", ["guest", "member"])
def test_of_a_guest_and_a_member_who_are_one_person_only_the_first_game_counts(first):
    now, guest, anna = timezone.now(), person(), kit.member("Anna")
    order = [guest, anna] if first == "guest" else [anna, guest]
    kept = kit.played(order[0], now, 7)
    kit.played(order[1], now + timedelta(seconds=5), 30)
    services.claim(guest, anna)
    assert list(DailyEntry.objects.values_list("pk", "player")) == [(kept.pk, anna.pk)]
    assert kit.begun(anna, now) == kept
    day = kit.opened(DailyDay.objects.get())
    assert (day.players, day.datum) == ((1, 7) if first == "member" else (0, None))
    assert kept.as_guest == (first == "guest")


def test_an_open_day_stays_as_it_was_counted_when_two_turn_out_to_be_one():
    now, guest, anna = timezone.now(), person(), kit.member("Anna")
    kit.played(guest, now, 7)
    own = kit.played(anna, now, 9)
    day = kit.opened(DailyDay.objects.get())
    services.claim(guest, anna)
    assert DailyEntry.objects.filter(day=day, points__isnull=False).count() == 2
    assert (day.players, day.datum) == (1, 9)
    assert daily_services.entry_of(day, anna) == own


def test_who_knows_the_deal_from_elsewhere_does_not_begin_it():
    now, anna = timezone.now(), person()
    entry = kit.begun(anna, now)
    DailyEntry.objects.filter(pk=entry.pk).delete()
    assert Action.objects.filter(player=anna).exists()
    with pytest.raises(MetAlready):
        kit.begun(anna, now)
    assert Game.objects.count() == 1
    answer = kit.browser(anna).post("/en/daily/play/", {"day": entry.day.date.isoformat()})
    assert answer.status_code == 422
    assert "Nobody plays a deal twice" in answer.content.decode()


def test_who_is_suspended_begins_nothing():
    now, anna = timezone.now(), kit.member("Anna")
    account_permissions.suspend(anna, timedelta(days=1), "shouting", by=kit.member("Moderator"))
    with pytest.raises(account_permissions.Suspended):
        kit.begun(anna, now)
    assert not Game.objects.exists()


def test_play_now_does_not_lead_into_the_deal_of_the_day():
    anna = person()
    game = kit.begun(anna, timezone.now()).game
    assert table_services.open_table_of(anna, Game.Kind.PLAY) is None
    assert table_services.find_or_start_table(anna, _rules(game), game.options) != game


def _rules(game):
    from domain.engine.rulesets import ruleset

    return ruleset(game.ruleset, game.ruleset_version, game.table_size)


def test_a_day_that_nobody_plays_leaves_nothing():
    now = timezone.now()
    day = daily_services.today(now)
    assert tasks.do_due(daily_services.ends(day.date) - timedelta(seconds=1)) == 0
    assert tasks.do_due(daily_services.ends(day.date)) == 1
    assert not DailyDay.objects.exists()
    assert not BoardSet.objects.exists()
    assert not Deal.objects.exists()
    assert Client().get(f"/en/daily/{day.date}/").status_code in (302, 404)


def test_an_idle_guest_may_go_and_the_result_stays():
    now, guest = timezone.now(), person()
    kit.played(guest, now, 4)
    day = kit.opened(DailyDay.objects.get())
    services.retire(guest, now)
    guest.refresh_from_db()
    assert guest.retired_at is not None
    assert day.entries.get().points == 4


def test_nothing_is_taken_back_in_the_deal_of_a_day():
    entry = kit.begun(person(), timezone.now())
    seat = seat_of(entry.game, entry.player)
    sit(entry.game, entry.player)
    for _ in range(200):
        game = Game.objects.get(pk=entry.game_id)
        view = table.view_for(game, game.to_act)
        by = game.seats.select_related("player").get(number=game.to_act or 0).player
        receipt = play.submit(game.pk, game.to_act, str(choose(view)), expected=game.number, request_id=uuid4(), by=by)
        if view.asked == "play" and game.to_act == seat:
            break
    assert table.sight_of(Game.objects.get(pk=game.pk), entry.player).undo is None
    with refuses("cannot-take-back"):
        undo.propose(game.pk, seat, receipt.number, request_id=uuid4(), by=entry.player)
