"""What computer players made of the same cards is told to whoever has played them, at once; and nobody plays them twice."""

from __future__ import annotations

import html
from math import sqrt
from statistics import mean, stdev

import pytest
from django.test import Client
from django.utils import timezone

from games.daily import services as daily_services
from games.daily import tasks
from games.daily.models import DailyDay, DailyEntry
from games.daily.text import in_rappen
from games.models import Game
from games.services import computers
from games.text.figures import signed
from tests.games import table_kit
from tests.games.daily import kit
from tests.games.table_kit import person

pytestmark = pytest.mark.django_db

SAID = "Computer players in your seat made "


def read(player, path: str = "/en/daily/") -> str:
    return html.unescape(kit.text_of(kit.browser(player), path))


def reference_game_played(day: DailyDay) -> Game:
    """The worker has laid the computer player's table, and it came to its end."""
    assert tasks.do_due(timezone.now()) == 1
    game = Game.objects.get(daily_yardstick=day)
    table_kit.rush(game)
    assert game.status == Game.Status.FINISHED
    return game


@pytest.mark.slow
def test_whoever_has_played_sees_at_once_what_computer_players_made_and_how_sure_that_is():
    now, anna, playing = timezone.now(), person(), person()
    mine = kit.begun(anna, now)
    kit.begun(playing, now)
    table_kit.sit(mine.game, anna)
    table_kit.rush(mine.game)
    assert SAID not in read(anna), "they have not played yet"
    reference_game_played(mine.day)
    assert tasks.do_due(timezone.now()) == daily_services.PLAYS_IN_ONE_LOOK
    assert f"{daily_services.PLAYS_IN_ONE_LOOK} times" in read(anna), "told while they play on"
    while tasks.do_due(timezone.now()):
        pass
    day = DailyDay.objects.get()
    dealer, size = daily_services.dealer_for(day.lane, day.board_set.table_size), day.board_set.table_size
    made = [computers.scores_of(day.board_set, dealer, number) for number in range(daily_services.PLAYS)]
    assert {len(scores) for scores in made} == {size}
    own = [scores[0] for scores in made]
    assert len(set(own)) > 1, "a few cards are played otherwise each time"
    error = stdev(own) / sqrt(len(own))
    said = (
        f"{SAID}{signed(mean(own))} {'Rappen' if in_rappen(day) else 'points'} on average, give or take {error:.1f}. "
    )
    for path in ("/en/daily/", f"/g/{mine.game.public_id}/"):
        assert f"{said}They played these cards 40 times, each time a little differently;" in read(anna, path)
    for other in (playing, None, person()):
        assert SAID not in read(other)
    game = DailyEntry.objects.get(player=playing).game
    assert SAID not in read(playing, f"/g/{game.public_id}/")


def test_two_workers_that_play_it_at_once_count_it_once():
    day = kit.begun(person(), timezone.now()).day
    for _worker in range(2):
        assert daily_services.play_par(day) == daily_services.PLAYS_IN_ONE_LOOK
    assert DailyDay.objects.get().par_plays == daily_services.PLAYS_IN_ONE_LOOK


def test_its_table_is_sealed_like_every_other():
    now, anna = timezone.now(), person()
    entry = kit.played(anna, now, 3)
    game = reference_game_played(entry.day)
    for viewer in (anna, None):
        client = kit.browser(viewer)
        assert client.get(f"/g/{game.public_id}/").status_code == 403
        assert client.get(f"/g/{game.public_id}/hand/1/").status_code in (403, 404)
        assert game.public_id not in client.get("/en/daily/").content.decode()


def play(client: Client):
    today = daily_services.day_at(timezone.now()).isoformat()
    return client.post("/en/daily/play/", {"day": today})


def test_a_browser_in_which_a_guest_began_the_deal_begins_it_for_nobody_else():
    client = Client()
    assert play(client).status_code == 303
    del client.cookies["guest"]
    refused = play(client)
    assert refused.status_code == 422
    assert "Nobody plays a deal twice" in refused.content.decode()
    assert "guest" not in client.cookies, "nobody was made for it"
    client.force_login(kit.member("Anna").user)
    DailyEntry.objects.get()  # the guest was not taken over: their token is gone
    assert play(client).status_code == 422
    assert DailyEntry.objects.count() == 1


def test_who_signs_out_does_not_begin_it_again_as_a_guest():
    anna = kit.member("Anna")
    client = kit.browser(anna)
    assert play(client).status_code == 303
    client.get("/en/daily/")
    del client.cookies["sessionid"]
    assert play(client).status_code == 422
    assert DailyEntry.objects.get().player == anna


def test_two_members_may_share_a_device_and_one_goes_on_where_they_were():
    anna, beat = kit.member("Anna"), kit.member("Beat")
    client = kit.browser(anna)
    first = play(client)
    client.force_login(beat.user)
    assert play(client).status_code == 303
    client.force_login(anna.user)
    assert play(client)["Location"] == first["Location"]
    assert DailyEntry.objects.count() == 2


@pytest.mark.parametrize("cookie", ["", "nonsense", "17:bad-signature"])
def test_a_cookie_that_is_none_of_ours_says_nothing(cookie):
    client = Client()
    client.cookies["daily"] = cookie
    assert play(client).status_code == 303
