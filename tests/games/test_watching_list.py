"""The list of tables worth watching: which are in it, in what order, and what is said of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from games.models import Action, ChatMode, Game, Seat
from games.services import play
from games.services.agreements import agree_at_start
from games.watching import selectors
from games.watching import services as watching_services
from games.watching.selectors import WatchSearch
from tests.games.lobby_kit import DAYS, LIVE, guest, join, lay, member

pytestmark = pytest.mark.django_db


def running(
    ruleset: str = "troccas-3", mode: str = "open", names: tuple[str, ...] = ("Anna", "Beat", "Clau"), **how
) -> Game:
    """A game that goes on."""
    game = play.start(ruleset, [guest(name) for name in names], **how)
    agree_at_start(game, chat=ChatMode.BETWEEN, watching=mode)
    return game


def listed(viewer: Player | None = None, **sought: str) -> list[str]:
    return [row.public_id for row in selectors.tables(WatchSearch(**sought), viewer)[1]]


def reasons(game: Game) -> tuple[str, ...]:
    return next(row.reasons for row in selectors.tables(WatchSearch(), None)[1] if row.public_id == game.public_id)


def test_only_games_that_go_on_and_are_open_to_everybody_are_listed():
    here = running()
    running(mode="link")
    running(mode="closed")
    over, lesson = running(), running()
    play.expire(over.pk)
    Game.objects.filter(pk=lesson.pk).update(kind=Game.Kind.GUIDED)
    assert listed() == [here.public_id]


def test_a_table_from_the_lobby_is_listed_when_it_begins_and_goes_when_it_closes_itself():
    host, friend = member("Anna"), member("Beat")
    game = join(lay(host, "troccas-3", computers=1, watchers="open"), friend).game
    assert listed() == [game.public_id]
    watching_services.propose(game.pk, host, "closed")
    assert listed() == [game.public_id]
    watching_services.answer(game.pk, friend, agree=True)
    assert listed() == []


def test_ones_own_games_and_those_of_people_one_does_not_meet_are_left_out():
    game = running()
    seats = [seat.player for seat in Seat.objects.filter(game=game).select_related("player")]
    assert listed(seats[0]) == []
    stranger = member("Duri")
    assert listed(stranger) == [game.public_id]
    account_permissions.block(stranger, seats[1])
    assert listed(stranger) == []


def test_it_is_narrowed_down_by_game_and_pace():
    days, live = running(pace=DAYS), running("troccas-5", names=("A", "B", "C", "D", "E"), pace=LIVE)
    unhurried = running()
    assert set(listed()) == {days.public_id, live.public_id, unhurried.public_id}
    assert listed(pace="none") == [unhurried.public_id]
    assert listed(game="troccas-5") == [live.public_id]
    assert listed(game="troccas") == []
    assert listed(pace="live") == [live.public_id]
    assert listed(pace="days") == [days.public_id]


def test_live_tables_come_first_then_those_that_many_watch_then_the_liveliest():
    now = timezone.now()
    still, watched, lively = running(), running(), running()
    live = running(pace=LIVE)
    for game, ago in ((still, 5), (watched, 9), (lively, 1), (live, 3)):
        Game.objects.filter(pk=game.pk).update(acted_at=now - timedelta(hours=ago))
    for socket in "abc":
        watching_services.open_page(watched.pk, socket, None)
    assert listed() == [game.public_id for game in (live, watched, lively, still)]


def test_a_game_played_on_live_counts_as_live():
    game = running()
    Game.objects.filter(pk=game.pk).update(clock={"live": True})
    assert listed(pace="live") == [game.public_id]


def test_it_is_said_what_makes_a_table_worth_watching():
    game = running(options={"hands": 3})
    assert "just-now" in reasons(game)
    Game.objects.filter(pk=game.pk).update(acted_at=timezone.now() - timedelta(hours=1))
    assert reasons(game) == ()
    Game.objects.filter(pk=game.pk).update(hands_played=1, totals=[4, 0, -4])
    assert reasons(game) == ("close",)
    Game.objects.filter(pk=game.pk).update(hands_played=2, totals=[20, 0, -20])
    assert reasons(game) == ("last-hand",)
    watching_services.open_page(game.pk, "a", None)
    watching_services.open_page(game.pk, "b", None)
    assert reasons(game) == ("watched", "last-hand")


def test_the_last_tricks_of_a_hand_are_announced_and_not_those_of_the_hand_before():
    game = running()
    Game.objects.filter(pk=game.pk).update(acted_at=timezone.now() - timedelta(hours=1))
    start = game.number

    def play_cards(count: int, hand: int) -> None:
        first = Action.objects.filter(game=game).order_by("-number").values_list("number", flat=True)[0]
        for number in range(count):
            Action.objects.create(game=game, number=first + 1 + number, hand_number=hand, kind="move", text="play C1")

    play_cards(3 * 20, 1)
    assert reasons(game) == ()
    play_cards(3 * 1, 1)
    assert reasons(game) == ("last-tricks",)
    Game.objects.filter(pk=game.pk).update(hand_number=2)
    assert reasons(game) == ()
    assert game.number == start


def test_people_who_have_finished_many_games_are_told_of():
    game = running()
    Game.objects.filter(pk=game.pk).update(acted_at=timezone.now() - timedelta(hours=1))
    people = list(Player.objects.filter(seats__game=game))
    for _ in range(selectors.REGULAR):
        over = play.start("troccas-3", people)
        Game.objects.filter(pk=over.pk).update(status=Game.Status.FINISHED)
    assert reasons(game) == ("regulars",)


def test_the_page_costs_the_same_for_many_tables_as_for_two(django_assert_max_num_queries):
    client = Client()
    for _ in range(2):
        running()
    with django_assert_max_num_queries(8):
        client.get("/en/watch/")
    for _ in range(selectors.PER_PAGE + 3):
        running()
    with django_assert_max_num_queries(8):
        page = client.get("/en/watch/").content.decode()
    assert page.count('<li class="offer row">') == selectors.PER_PAGE
    assert 'href="?page=2"' in page


def test_the_pages_have_every_table_once_in_one_order(monkeypatch):
    monkeypatch.setattr(selectors, "PER_PAGE", 2)
    games = [running() for _ in range(5)]
    live = running(pace=LIVE)
    for socket in ("a", "b"):
        watching_services.open_page(games[1].pk, socket, None, socket)
    watching_services.open_page(games[3].pk, "c", None)
    order = [live, games[1], games[3], games[4], games[2], games[0]]
    listed = [row.public_id for number in "123" for row in selectors.tables(WatchSearch(), None, number)[1]]
    assert listed == [game.public_id for game in order]


def test_an_empty_list_says_what_to_do():
    client = Client()
    page = client.get("/en/watch/")
    assert page["Cache-Control"] == "private, no-store"
    assert "Open a table" in page.content.decode()
    assert "Show all tables" in client.get("/en/watch/?game=troggu").content.decode()
    assert client.get("/en/watch/?game=nonsense&pace=never&page=x").status_code == 200


def test_a_row_names_the_players_the_score_and_the_watchers():
    game = running("troggu", names=("Anna", "Beat", "Clau"), options={"hands": 3, "stake": 10})
    Game.objects.filter(pk=game.pk).update(totals=[20, -10, -10], hands_played=1)
    watching_services.open_page(game.pk, "a", None)
    page = Client().get("/en/watch/").content.decode()
    for words in ("Troggu of Visp", "Anna", "+20 Rappen", "−10 Rappen", "2 of 3", f"/g/{game.public_id}/"):
        assert words in page, words


def test_more_tables_than_anybody_looks_through_are_not_counted(monkeypatch):
    monkeypatch.setattr(selectors, "MOST", 3)
    monkeypatch.setattr(selectors, "PER_PAGE", 2)
    newest = [running().public_id for _ in range(5)][::-1]
    pages = [selectors.tables(WatchSearch(), None, number) for number in "12"]
    assert [row.public_id for _page, rows in pages for row in rows] == newest[:3]
    assert pages[1][0].paginator.num_pages == 2
