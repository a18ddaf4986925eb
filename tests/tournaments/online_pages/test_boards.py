"""Travellers: what each table made of a deal, once all have played it; nothing at all before."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Member
from games.models import Game, GameHand
from tests.games.boards import kit as boards_kit
from tests.tournaments.online_pages import kit
from tests.tournaments.online_pages.kit import League

pytestmark = pytest.mark.django_db

SCORES = {1: [(40, 32), (30, 42), (45, 27)], 2: [(36, 36), (50, 22), (20, 52)]}
"""Deal -> what the first and the second side made at tables 1, 2, 3."""


@pytest.fixture
def night() -> League:
    """Three tables with two deals."""
    return kit.duplicate(12)


@pytest.fixture(autouse=True)
def no_log(request, monkeypatch):
    """Results that stand in their rows without being played have no log from which a hand could be shown; the last test here
    plays a real one."""
    if request.node.name != "test_the_hands_are_shown_as_they_were_dealt_and_can_be_replayed":
        monkeypatch.setattr("tournaments.publishing.views.public.dealt_hands", lambda games, number: None)


def played(night: League, numbers: tuple[int, ...] = (1, 2)) -> None:
    for deal in numbers:
        for table, scores in enumerate(SCORES[deal], 1):
            night.made(f"1.1.{table}", deal, *scores)


def text_of(html: str) -> str:
    """What one reads, on one line."""
    main = html[html.index("<main") : html.index("</main>")]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def rows_of(html: str) -> list[tuple[int, list[tuple[int, int]]]]:
    """The tables of a traveller as shown: number, then points and gain of each side."""
    found = []
    for part in re.split(r"<li>\s*<h3[^>]*>", html)[1:]:
        number = int(part.partition(">Table ")[2].partition("<")[0])
        cells = re.findall(r'<td class="number[^"]*"[^>]*>([^<]+)</td>', part)
        values = [int(cell.replace("−", "-")) for cell in cells]
        found.append((number, list(zip(values[::2], values[1::2], strict=True))))
    return found


def test_of_a_sealed_deal_it_says_only_that(night, client):
    laid = night.lay("1.1")
    night.made("1.1.1", 1, 40, 32)
    night.made("1.1.3", 1, 45, 27)
    seen = text_of(client.get(night.address("rounds/1.1/boards/1/")).content.decode())
    assert "This deal is sealed: 2 of 3 tables have played it." in seen
    assert "Datum" not in seen
    assert "hands as dealt" not in seen
    listed = text_of(client.get(night.address("rounds/1.1/boards/")).content.decode())
    assert "0 of 2 deals are open." in listed
    assert "Deal 1 sealed: 2 of 3 tables have played it" in listed
    assert laid.public_id not in listed


def test_a_deal_opens_before_the_table_has_reported(night, client):
    laid = night.lay("1.1")
    played(night)
    night.open(laid, 1)
    html = client.get(night.address("rounds/1.1/boards/1/")).content.decode()
    shown = rows_of(html)
    dealers = {}
    for number, scores in enumerate(SCORES[1], 1):
        table = night.table(f"1.1.{number}")
        assert not table.lines
        first = kit.sides_by_lane(table, 1)
        dealers[number] = [scores[side] for side in first]
    sums = [sum(of_lane) for of_lane in zip(*dealers.values(), strict=True)]
    datum = [f"{each / 3:.1f}".removesuffix(".0") for each in sums]
    assert f"dealer’s side {datum[0]} , other side {datum[1]}" in text_of(html)
    wanted = [
        (number, [(score, 3 * score - sums[lane]) for lane, score in enumerate(scores)])
        for number, scores in sorted(dealers.items(), key=lambda each: (-each[1][0], each[0]))
    ]
    assert shown == wanted
    assert all(sum(gain for _score, gain in sides) == 0 for _number, sides in shown)
    assert "sealed" in text_of(client.get(night.address("rounds/1.1/boards/2/")).content.decode())
    assert "/hand/1/" not in html, "no table can be replayed before the last deal is open"


def test_one_table_shows_its_open_deals_and_their_sum(night, client):
    laid = night.lay("1.1")
    played(night)
    night.open(laid, 1)
    address = night.address("rounds/1.1/boards/tables/2/")
    before = text_of(client.get(address).content.decode())
    assert "1 deal is still sealed" in before
    assert "30" in before
    assert "50" not in before
    night.open(laid, 2)
    html = client.get(address).content.decode()
    points = re.findall(r'<td class="number">([^<]+)</td>', html)[:2]
    assert points == ["80", "64"]
    by_deal = [
        dict(rows_of(client.get(night.address(f"rounds/1.1/boards/{deal}/")).content.decode()))[2] for deal in (1, 2)
    ]
    order = [kit.sides_by_lane(night.table("1.1.2"), deal) for deal in (1, 2)]
    gains = [sum(by_deal[deal][order[deal].index(side)][1] for deal in (0, 1)) for side in (0, 1)]
    shown = re.findall(r'<td class="number gain[^"]*"[^>]*>([^<]+)</td>', html)[:2]
    assert [int(each.replace("−", "-")) for each in shown] == gains


PROMISE = re.compile(r"[0-9a-f]{64}")


def test_what_the_director_has_decided_wins_and_is_marked(night, client):
    laid = night.lay("1.1")
    played(night)
    lines = [{"deal": 1, "scores": [60, 12]}, {"deal": 2, "scores": [36, 36]}]
    night.do("table.settled", table="1.1.1", lines=lines, reason="counted again")
    sealed = client.get(night.address("rounds/1.1/boards/1/")).content.decode()
    assert "60" not in PROMISE.sub("", text_of(sealed))
    night.open(laid, 1, 2)
    html = client.get(night.address("rounds/1.1/boards/1/")).content.decode()
    first = [60, 12][kit.sides_by_lane(night.table("1.1.1"), 1)[0]]
    assert dict(rows_of(html))[1][0][0] == first
    assert text_of(html).count("corrected by the director") == 1


def test_a_forfeited_table_stands_in_no_traveller(night, client):
    laid = night.lay("1.1")
    played(night)
    night.do("table.overdue", table="1.1.3", how="forfeited", who=[night.table("1.1.3").seats[0]])
    night.open(laid, 1, 2)
    shown = rows_of(client.get(night.address("rounds/1.1/boards/1/")).content.decode())
    assert sorted(number for number, _sides in shown) == [1, 2]


def test_names_are_those_of_public_pages(night, client):
    laid = night.lay("1.1")
    played(night)
    night.open(laid, 1, 2)
    address = night.address("rounds/1.1/boards/1/")
    assert "Nachname" not in client.get(address).content.decode()
    Member.objects.filter(pk__in=[each.pk for each in night.people]).update(named=True)
    assert "Nachname" in client.get(address).content.decode()


def test_only_who_may_read_the_tournament_may_read_them(night):
    night.lay("1.1")
    night.tournament.is_public = False
    night.tournament.save(update_fields=["is_public"])
    director = Client()
    director.force_login(night.director.user)
    for path in ("rounds/1.1/boards/", "rounds/1.1/boards/1/", "rounds/1.1/boards/tables/1/"):
        assert Client().get(night.address(path)).status_code == 404
        assert director.get(night.address(path)).status_code == 200


@pytest.mark.parametrize(
    "path", ["rounds/1.2/boards/", "rounds/1.1/boards/9/", "rounds/1.1/boards/tables/9/", "rounds/x/boards/"]
)
def test_what_is_not_there_is_not_found(night, client, path):
    night.lay("1.1")
    assert client.get(night.address(path)).status_code == 404


def test_a_round_with_deals_of_its_own_has_no_travellers(client):
    night = kit.duplicate(8, online=kit.online())
    assert client.get(night.address("rounds/1.1/boards/")).status_code == 404


def test_the_hands_are_shown_as_they_were_dealt_and_can_be_replayed(client):
    night = kit.duplicate(8, deals=1)
    laid = night.lay("1.1")
    games = [night.game(f"1.1.{number}") for number in (1, 2)]
    boards_kit.play_hand(games[0])
    assert "sealed" in text_of(client.get(night.address("rounds/1.1/boards/1/")).content.decode())
    # The other table is called off, so that nobody has still to play the deal.
    Game.objects.filter(pk=games[1].pk).update(status=Game.Status.RESIGNED)
    GameHand.objects.filter(game=games[1]).delete()
    night.open(laid, 1)
    html = client.get(night.address("rounds/1.1/boards/1/")).content.decode()
    hands = html[html.index('class="dealt ') :]
    assert len(re.findall(r'<svg class="card', hands)) == 78
    assert re.findall(r'<h3 id="hand-\d"[^>]*>([^<]+)', hands)[0] == "Dealer"
    replay = reverse("games:replay", args=[games[0].public_id, 1])
    assert replay in html
    assert client.get(replay).status_code == 200
