"""Tables of computer players alone: one for each game, played while somebody watches, with open hands and reasons; nowhere else."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from domain.bots.common import Reason
from games.models import Deal, Game, PlayedSeat
from games.selectors import rulesets
from games.services import computers, timing
from games.services.rebuilding import rebuild
from games.table import tasks
from games.text.advice import because
from games.watching import services as watching_services
from games.watching.computers import KEPT, forget, join, look_in
from games.watching.selectors import WatchSearch, tables
from tests.games.table_kit import laid, person, rush, sit
from tests.long import quick

pytestmark = pytest.mark.django_db

PRESS = "/en/watch/computers/"


def act(game: Game, times: int) -> Game:
    """Let the worker look so often, each time a while later, but while the last look at the page still counts."""
    for _time in range(times):
        game.refresh_from_db()
        if game.due_at is not None:
            tasks.do_due(game.due_at)
    game.refresh_from_db()
    return game


@pytest.mark.parametrize("id", quick({"troccas", "troggu"}, rulesets.ORDER))
def test_a_press_leads_to_the_one_table_of_a_game_and_it_plays(id):
    client = Client()
    first = client.post(PRESS, {"game": id})
    assert first.status_code == 303
    assert client.post(PRESS, {"game": id})["Location"] == first["Location"]
    game = Game.objects.get(kind=Game.Kind.COMPUTERS)
    watching_services.open_page(game.pk, "socket", None)
    game = act(game, 12)
    assert game.number > game.table_size + 6
    assert rebuild(game.pk) == []
    page = client.get(first["Location"]).content.decode()
    assert "All hands" in page
    assert "Why?" in page
    shown = computers.open_hands(game)
    assert shown is not None
    told = re.findall(r'id="why-(\d+)"', page)
    assert len(told) == len(set(told))
    assert all(because(shown.reasons[int(number)], id) in page for number in told)


def test_only_games_that_are_offered_have_one():
    assert Client().post(PRESS, {"game": "skat"}).status_code == 404
    assert Client().post(PRESS).status_code == 404
    assert Client().get(PRESS).status_code == 405
    assert not Game.objects.exists()


def test_a_deal_that_has_begun_has_begun_by_its_log_too_before_anything_is_played():
    """The log of a table of computer players has nobody who got ready."""
    game = join("troccas")
    assert game.due_at is not None
    assert timing.begin(game.pk, expected=game.number, now=game.due_at)
    game.refresh_from_db()
    assert game.to_act is not None
    assert rebuild(game.pk) == []
    game.refresh_from_db()
    assert game.to_act is not None


@pytest.mark.parametrize("actions", [0, 3])
def test_a_table_that_rests_is_as_its_log_says(monkeypatch, actions):
    """Before a deal, too, which begins by itself here."""
    game = act(join("troccas"), actions)
    later = timezone.now() + timedelta(seconds=watching_services.HOLDS_SECONDS + 60)
    assert rebuild(game.pk) == []
    tasks.do_due(later)
    game.refresh_from_db()
    assert game.due_at is None
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert rebuild(game.pk) == []
    game.refresh_from_db()
    assert game.due_at is None
    look_in(game)
    assert rebuild(game.pk) == []


def test_a_table_that_somebody_looks_at_and_that_is_not_due_is_put_right():
    game = join("troccas")
    Game.objects.filter(pk=game.pk).update(due_at=None)
    assert "game: due_at" in rebuild(game.pk)
    game.refresh_from_db()
    assert game.due_at is not None


def test_where_nobody_looks_they_rest_and_play_on_when_somebody_comes():
    game = act(join("troccas"), 3)
    later = timezone.now() + timedelta(seconds=watching_services.HOLDS_SECONDS + 60)
    before = game.number
    tasks.do_due(later)
    game.refresh_from_db()
    assert (game.number, game.due_at) == (before, None)
    look_in(game)
    assert act(game, 2).number > before
    game.refresh_from_db()
    tasks.do_due(later)
    game.refresh_from_db()
    assert game.due_at is None
    watching_services.open_page(game.pk, "socket", None)
    game.refresh_from_db()
    assert game.due_at is not None


def test_they_take_their_time():
    game = act(join("troccas-6"), 1)
    watching_services.open_page(game.pk, "socket", None)
    game = act(game, 4)
    assert game.due_at is not None
    assert game.due_at - game.acted_at >= timedelta(seconds=1.5)


def test_a_whole_game_is_played_deal_after_deal_and_counts_nowhere():
    game = act(join("troccas-3"), 1)
    watching_services.open_page(game.pk, "socket", None)
    for _deal in range(game.options["hands"]):
        rush(game)
        game.refresh_from_db()
        if game.status == Game.Status.PLAYING:
            assert game.to_act is None
            assert "Why?" not in Client().get(f"/g/{game.public_id}/").content.decode()
            game = act(game, 1)
    assert game.status == Game.Status.FINISHED
    assert not PlayedSeat.objects.exists()
    assert "Watch another game" in Client().get(f"/g/{game.public_id}/").content.decode()
    assert join("troccas-3") != game


def test_reasons_are_those_for_which_it_was_done():
    game = act(join("troccas-6"), 1)
    watching_services.open_page(game.pk, "socket", None)
    game = act(game, 20)
    shown = computers.open_hands(game)
    assert shown is not None
    assert len(shown.reasons) == computers.SHOWN
    assert set(shown.reasons.values()) <= set(Reason)
    assert sum(len(codes) for _seat, codes in shown.hands) < 78


def test_nobody_sees_the_hands_where_a_person_plays():
    player = person()
    game = laid(player)
    sit(game, player)
    game.refresh_from_db()
    assert computers.open_hands(game) is None
    page = Client().get(f"/g/{game.public_id}/").content.decode()
    assert "All hands" not in page
    Game.objects.filter(pk=game.pk).update(kind=Game.Kind.COMPUTERS)
    game.refresh_from_db()
    assert computers.open_hands(game) is None


def test_old_tables_go_with_their_deals():
    for _time in range(KEPT + 2):
        game = join("troccas-6")
        Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    running = join("troccas-6")
    deals = Deal.objects.count()
    assert forget(timezone.now()) == 2
    assert Game.objects.filter(kind=Game.Kind.COMPUTERS).count() == KEPT + 1
    assert Deal.objects.count() < deals
    forget(timezone.now() + timedelta(days=2))
    running.refresh_from_db()
    assert running.status == Game.Status.EXPIRED


def test_the_list_offers_them_and_does_not_name_them_among_people():
    join("troccas")
    assert tables(WatchSearch(), None)[1] == []
    page = Client().get("/en/watch/").content.decode()
    assert "Watch computer players play" in page
    assert page.count("<option") >= len(rulesets.ORDER)
