"""A day with two thousand players costs no more queries than one with a few."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from games.daily import selectors, services, tasks
from games.daily.models import DailyDay, DailyEntry, DailyWishes
from games.models import Game, GameHand
from tests.games.daily import kit
from tests.games.table_kit import person

pytestmark = pytest.mark.django_db


def crowd(many: int, first: DailyEntry) -> list[int]:
    """So many more who have played the day of `first`, every second one a member who shows name and game; their points."""
    chance = random.Random(many)
    results = [chance.randint(-36, 36) for _ in range(many)]
    day, game, hand = first.day, first.game, first.game.hands.get()
    users = [get_user_model()(email=f"crowd{many}-{number}@example.org", password="!") for number in range(0, many, 2)]
    users = get_user_model().objects.bulk_create(users)
    players = Player.objects.bulk_create(
        Player(name=f"P{number}", user=users[number // 2] if number % 2 == 0 else None) for number in range(many)
    )
    at = first.begun_at + timedelta(minutes=2)
    games = Game.objects.bulk_create(
        Game(
            ruleset=game.ruleset, ruleset_version=game.ruleset_version, options=game.options,
            table_size=game.table_size, board_set=game.board_set, status=Game.Status.FINISHED, ended_at=at,
            totals=[points, 0, 0, 0], hands_played=1, hand_number=1,
        )
        for points in results
    )  # fmt: skip
    GameHand.objects.bulk_create(
        GameHand(
            game=each, number=1, deal=hand.deal, dealer=hand.dealer, status=GameHand.Status.PLAYED,
            scores=[points, 0, 0, 0],
        )
        for each, points in zip(games, results, strict=True)
    )  # fmt: skip
    DailyEntry.objects.bulk_create(
        DailyEntry(day=day, player=player, game=each, begun_at=at) for player, each in zip(players, games, strict=True)
    )
    DailyWishes.objects.bulk_create(
        DailyWishes(player=player, shows_name=True, shows_play=True) for player in players[::2]
    )
    return results


def cost(client: Client, path: str) -> tuple[int, str]:
    """How many queries a page costs, and the page. What a process reads once, or writes once a minute, is left out."""
    counts = []
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            page = kit.text_of(client, path)
        counts.append(len(queries))
    return min(counts), page


def counted(many: int, at: object) -> dict[str, int]:
    """How many queries each page of a day with so many players costs its reader."""
    anna = kit.member(f"Anna{many}")
    entry = kit.played(anna, at, 3)
    results = [3, *crowd(many, entry)]
    client = kit.browser(anna)
    costs = {}
    costs["waiting"], _page = cost(client, f"/en/daily/{entry.day.date}/")
    day = kit.opened(entry.day)
    assert day.players == many + 1
    assert day.datum == tasks.datum(results)
    found = selectors.distribution(day)
    assert sum(people for _points, people in found) == many + 1
    better = sum(points < 3 for points in results)
    assert selectors.place(found, 3).better_than == better
    for name, path in (("day", f"{day.date}/"), ("second page", f"{day.date}/?page=2"), ("archive", "archive/")):
        costs[name], page = cost(client, f"/en/daily/{path}")
        if name == "day":
            assert f"Better than {better} of {many} others" in page
    costs["feed"], _page = cost(client, "/daily/days.json")
    return costs


@pytest.mark.slow
def test_two_thousand_players_cost_the_same_queries_as_sixty():
    now = timezone.now()
    troccas = [now - timedelta(days=days) for days in range(2, 12)]
    troccas = [each for each in troccas if services.choice_on(services.day_at(each)).ruleset == "troccas"]
    few, many = counted(60, troccas[0]), counted(2000, troccas[1])
    assert many == few
    assert max(many.values()) <= 30
    assert DailyDay.objects.count() == 2


def test_today_costs_the_same_however_many_have_begun():
    entry = kit.played(kit.member("Anna"), timezone.now(), 3)
    client = kit.browser(entry.player)
    few, _page = cost(client, "/en/daily/")
    crowd(300, entry)
    many, _page = cost(client, "/en/daily/")
    assert many == few <= 20


def test_the_front_page_asks_one_thing_more_at_most():
    with CaptureQueriesContext(connection) as queries:
        selectors.card(None)
    assert len(queries) == 0
    anna = person()
    with CaptureQueriesContext(connection) as queries:
        selectors.card(anna)
    assert len(queries) == 1
