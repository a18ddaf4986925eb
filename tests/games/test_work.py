"""The worker: does what is due through the door, once, and goes on after anything."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Player, User
from accounts.services import claim
from domain.pace import State
from games import projections
from games.models import Action, Game
from games.services import computers, play
from games.table import tasks
from tests.games import chat_kit, pace_kit
from tests.games.pace_kit import turned
from tests.games.table_kit import laid, person, play_hand, sit, wait_for_worker
from tests.live import PATIENCE

pytestmark = pytest.mark.django_db


def waiting_for_a_computer(**fields):
    """A game in which a computer player is to cut."""
    player = person(**fields)
    game = laid(player)
    sit(game, player)
    game.refresh_from_db()
    assert game.to_act is not None
    assert game.seats.get(number=game.to_act).player.is_computer
    return game, player


def test_a_computer_player_answers_at_once_without_pause():
    game, _ = waiting_for_a_computer(bot_speed="at-once")
    assert game.due_at <= timezone.now()
    assert tasks.do_due() > 0


def test_a_computer_player_seems_to_think_where_that_is_wanted(monkeypatch):
    with turned(monkeypatch) as clock:  # on a slow machine the moment of thinking may be over before anybody looks
        game, _ = waiting_for_a_computer(bot_speed="normal")
        before = game.number
        assert timedelta(0) < game.due_at - clock.now <= play.LOOKING
        tasks.do_due(clock.now)
        game.refresh_from_db()
        assert game.number == before
        tasks.do_due(game.due_at)
        game.refresh_from_db()
        assert game.number == before + 1


def test_the_slowest_of_the_people_says_how_fast_computer_players_are(monkeypatch):
    with turned(monkeypatch) as clock:
        waits = []
        for speed in ("at-once", "quick", "normal", "slow"):
            game, _ = waiting_for_a_computer(bot_speed=speed)
            waits.append(game.due_at - clock.now)
        assert waits == [timedelta(0), play.THINKING * 0.4, play.THINKING, play.THINKING * 2]


def test_two_workers_on_the_same_position_act_once():
    game, _ = waiting_for_a_computer()
    before = game.number
    seen = [Game.objects.get(pk=game.pk), Game.objects.get(pk=game.pk)]
    assert [computers.act_for(one) for one in seen].count(True) >= 1
    assert Action.objects.filter(game=game, number__gt=before, seat=seen[0].to_act).count() == 1


def test_a_broken_game_does_not_hold_up_the_others(caplog):
    broken, _ = waiting_for_a_computer()
    whole, player = waiting_for_a_computer()
    deal = broken.hands.get().deal
    deal.pack = "CK CK"
    deal.save()
    tasks.do_due()
    broken.refresh_from_db()
    assert broken.due_at > timezone.now()
    assert f"could not act in game {broken.public_id}" in caplog.text
    wait_for_worker(whole, player)


def test_nothing_of_a_hand_is_in_the_log_of_the_server(caplog):
    broken, _ = waiting_for_a_computer()
    deal = broken.hands.get().deal
    secret, deal.pack = bytes(deal.secret).hex(), "CK " + deal.pack
    deal.save()
    tasks.do_due()
    assert secret not in caplog.text
    assert "CK T" not in caplog.text


def test_games_nobody_comes_back_to_expire():
    game, _ = waiting_for_a_computer()
    tasks.clean(game.acted_at + tasks.IDLE_GAME + timedelta(minutes=1))
    game.refresh_from_db()
    assert game.status == Game.Status.EXPIRED
    assert game.due_at is None


def test_an_idle_guest_goes_with_unfinished_games_and_finished_ones_keep_a_name():
    player = person()
    game = laid(player)
    play_hand(game, player)
    Player.objects.filter(pk=player.pk).update(last_seen_at=timezone.now() - timedelta(days=31))
    tasks.clean()
    game.refresh_from_db()
    player.refresh_from_db()
    assert game.status == Game.Status.EXPIRED
    assert player.retired_at is not None
    assert not player.guest_tokens.exists()


def test_a_member_takes_over_the_guests_seats_but_none_twice():
    guest, member = person(), Player.objects.create(user=User.objects.create(email="anna@example.ch"))
    mine = laid(guest)
    both = play.start("troccas", [guest, member, *computers.computer_players(2)])
    claim(guest, member)
    assert mine.seats.filter(player=member).count() == 1
    assert sorted(both.seats.filter(player__computer="").values_list("player", flat=True)) == sorted(
        [guest.pk, member.pk]
    )


@pytest.mark.parametrize("slow", [True, False])
def test_nobody_waits_for_the_seat_of_a_guest_whose_member_sits_at_the_same_table(slow):
    """Signing in leaves that seat to a computer player; without a clock the game ends, as when somebody leaves."""
    _anna, beat, clau, guest = pace_kit.people()
    member = chat_kit.member("Mia")
    game = play.start("troccas", [member, beat, clau, guest], pace=pace_kit.DAYS if slow else None)
    claim(guest, member)
    game.refresh_from_db()
    left = game.seats.get(player=guest).number
    assert game.seats.filter(player=member).count() == 1
    if slow:
        assert game.status == Game.Status.PLAYING
        assert projections.state_of(game, left) is State.AWAY
    else:
        assert game.status == Game.Status.RESIGNED


@pytest.mark.django_db(transaction=True)
def test_the_worker_plays_on_by_itself_until_it_is_stopped():
    game, player = waiting_for_a_computer()
    stop = threading.Event()
    thread = threading.Thread(target=tasks.run_supervised, args=(stop,))
    thread.start()
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            game.refresh_from_db()
            if game.to_act is not None and game.seats.get(number=game.to_act).player == player:
                break
            threading.Event().wait(0.05)
        else:
            pytest.fail("the worker did not play")
    finally:
        stop.set()
        thread.join(timeout=PATIENCE)
    assert not thread.is_alive()
