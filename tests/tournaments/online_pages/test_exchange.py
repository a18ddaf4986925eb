"""A sealed deal tells nothing: with other points at other tables every page, file and feed stays byte for byte the same."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Game, GameHand
from tests.tournaments.online_pages import kit
from tests.tournaments.online_pages.kit import League
from tournaments import selectors
from tournaments.models import TournamentEvent
from tournaments.services import codes

pytestmark = pytest.mark.django_db

PUBLIC = (
    "", "seating/1.1/", "standings/", "standings/1/", "entrant/e1/", "draws/", "draws/draws.json", "results.json",
    "results/ranking.csv", "results/rounds.csv", "results/deals.csv", "results/tables.csv", "results/travellers.csv",
    "news.atom", "rounds/1.1/boards/", "rounds/1.1/boards/1/", "rounds/1.1/boards/2/", "rounds/1.1/boards/tables/1/",
    "rounds/1.1/boards/tables/2/", "paper/result/", "paper/ranking/", "enter/",
)  # fmt: skip
DESK = ("rounds/", "rounds/1.1/", "tables/1.1.1/", "tables/1.1.2/")
_ONCE = re.compile(rb'name="(?:csrfmiddlewaretoken|request_id)" value="[^"]*"|"X-CSRFToken": "[^"]*"|nonce="[^"]*"')


def answers(night: League, client: Client, paths: tuple[str, ...]) -> dict[str, tuple[int, bytes]]:
    """What is answered under these addresses, without what is new in every answer."""
    found = {}
    for path in paths:
        answer = client.get(night.address(path))
        found[path] = (answer.status_code, _ONCE.sub(b"", answer.content))
    return found


def difference(one: bytes, other: bytes) -> tuple[bytes, bytes]:
    """Where two answers begin to differ."""
    place = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[max(0, place - 60) : place + 60], other[max(0, place - 60) : place + 60]


def viewers(night: League) -> dict[str, tuple[Client, tuple[str, ...]]]:
    """A stranger; somebody who plays at the first table; the director, at the desk too."""
    player, director = Client(), Client()
    player.force_login(kit.player_of(night, night.table("1.1.1").seats[0]).user)
    director.force_login(night.director.user)
    own = f"p/{codes.person_code(night.tournament, night.table('1.1.1').people[0])}/"
    return {
        "stranger": (Client(), PUBLIC),
        "player": (player, (*PUBLIC, own)),
        "director": (director, (*PUBLIC, *DESK)),
    }


def test_points_of_a_sealed_deal_change_nothing_anywhere():
    night = kit.duplicate(8)
    night.lay("1.1")
    night.made("1.1.2", 1, 40, 32)
    night.made("1.1.2", 2, 30, 42)
    night.made("1.1.1", 1, 20, 52)
    before = {name: answers(night, client, paths) for name, (client, paths) in viewers(night).items()}
    assert all(status == 200 for each in before.values() for status, _body in each.values()), {
        (name, path): status for name, each in before.items() for path, (status, _body) in each.items() if status != 200
    }
    other = night.game("1.1.2")
    GameHand.objects.filter(game=other).update(points=[71, 1], scores=[35, -35, 35, -35])
    Game.objects.filter(pk=other.pk).update(totals=[12, -12, 12, -12])
    after = {name: answers(night, client, paths) for name, (client, paths) in viewers(night).items()}
    for name, each in before.items():
        for path, answer in each.items():
            assert answer == after[name][path], (name, path, difference(answer[1], after[name][path][1]))


def test_what_the_director_has_written_waits_till_the_deals_are_open():
    night = kit.duplicate(8)
    laid = night.lay("1.1")
    lines = [{"deal": 1, "scores": [40, 32]}, {"deal": 2, "scores": [30, 42]}]
    night.do("table.settled", table="1.1.2", lines=lines, reason="the game was called off")
    both = {name: seen for name, seen in viewers(night).items() if name != "director"}
    before = {name: answers(night, client, paths) for name, (client, paths) in both.items()}
    row = TournamentEvent.objects.get(tournament=night.tournament, kind="table.settled")
    changed = {**row.data, "lines": [{"deal": 1, "scores": [72, 0]}, {"deal": 2, "scores": [1, 71]}]}
    TournamentEvent.objects.filter(pk=row.pk).update(data=changed)
    selectors._kept.clear()
    after = {name: answers(night, client, paths) for name, (client, paths) in both.items()}
    for name, each in before.items():
        for path, answer in each.items():
            assert answer == after[name][path], (name, path, difference(answer[1], after[name][path][1]))
    night.made("1.1.1", 1, 20, 52)
    night.made("1.1.1", 2, 20, 52)
    night.open(laid, 1)
    assert b"72" not in Client().get(night.address("results/deals.csv")).content, "the second deal is sealed still"
    night.open(laid, 2)
    assert b"72" in Client().get(night.address("results/deals.csv")).content


def test_an_open_deal_does_change_them():
    """So that the comparison above is known to see what it looks for."""
    night = kit.duplicate(8)
    laid = night.lay("1.1")
    for table in ("1.1.1", "1.1.2"):
        night.made(table, 1, 40, 32)
        night.made(table, 2, 40, 32)
    night.open(laid, 1)
    paths = ("results.json", "results/travellers.csv", "rounds/1.1/boards/tables/2/")
    before = answers(night, Client(), paths)
    GameHand.objects.filter(game=night.game("1.1.2")).update(points=[71, 1], scores=[71, 1, 71, 1])
    after = answers(night, Client(), paths)
    assert all(before[path] != after[path] for path in paths)
