"""A substitute is looked for at a sealed table: whoever comes is told the game and the people, and sees the rest when they sit."""

from __future__ import annotations

import asyncio
import json
import uuid

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games import broadcast
from games.exceptions import MetAlready
from games.lobby.selectors import open_tables
from games.models import Game
from games.selectors import table as table_selector
from games.services import boards, timing
from games.table.consumers import CLOSED
from tests.games.api_kit import member
from tests.games.boards import kit, seal_kit
from tests.games.test_secrets import CHANGING
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> seal_kit.Scene:
    """Clau's seat at table B is to be taken over."""
    found = seal_kit.scene()
    kit.seek(found.table, 1)
    return found


def form(game: Game, seat: int = 1) -> dict[str, str]:
    return {"do": "substitute", "seat": str(seat), "request_id": str(uuid.uuid4())}


def page(client: Client, game: Game) -> tuple[int, str]:
    answer = client.get(reverse("games:table", args=[game.public_id]))
    return answer.status_code, CHANGING.sub("", answer.content.decode())


def test_the_list_leads_to_a_page_where_the_seat_can_be_taken(scene: seal_kit.Scene):
    client = seal_kit.browser(scene.dario)
    listed = client.get(reverse("tables:list")).content.decode()
    assert "Take over a seat" in listed
    status, shown = page(client, scene.table)
    assert status == 200
    assert "Take the seat of Clau" in shown
    taken = client.post(reverse("games:time", args=[scene.table.public_id]), form(scene.table))
    assert taken.status_code == 303
    assert scene.table.seats.get(number=1).player == scene.dario
    assert page(client, scene.table)[0] == 200
    assert table_selector.sight_of(Game.objects.get(pk=scene.table.pk), scene.dario).cards


def test_the_page_tells_nothing_of_the_deal(scene: seal_kit.Scene):
    viewers = [None, scene.dora, scene.beat, scene.dario]
    clients = [seal_kit.browser(player) for player in viewers]
    lists = [client.get(reverse("tables:list")).content for client in clients]
    before = [page(client, scene.table) for client in clients]
    for seed, number in ((1, 1), (2, 2)):
        kit.exchange_deal(scene.table, number, seed)
        assert [page(client, scene.table) for client in clients] == before
        after = [client.get(reverse("tables:list")).content for client in clients]
        assert [CHANGING.sub("", text.decode()) for text in after] == [
            CHANGING.sub("", text.decode()) for text in lists
        ]


def test_who_knows_the_deals_is_told_so_and_gets_no_seat(scene: seal_kit.Scene):
    for player in (scene.dora, scene.beat):
        client = seal_kit.browser(player)
        assert "Take over a seat" not in client.get(reverse("tables:list")).content.decode()
        status, shown = page(client, scene.table)
        assert (status, "Take the seat" in shown) == (200, False)
        assert str(MetAlready().message) in shown
        refused = client.post(reverse("games:time", args=[scene.table.public_id]), form(scene.table))
        assert refused.status_code == 422
        assert str(MetAlready().message) in refused.content.decode()
    assert scene.table.seats.get(number=1).player == scene.clau


def test_nothing_else_can_be_done_from_outside(scene: seal_kit.Scene):
    client = seal_kit.browser(scene.dario)
    for what in ("back", "more", "pause", "agree", "live", "ask-substitute"):
        answer = client.post(reverse("games:time", args=[scene.table.public_id]), form(scene.table) | {"do": what})
        assert answer.status_code == 403
    wrong = client.post(reverse("games:time", args=[scene.table.public_id]), form(scene.table, 0))
    assert wrong.status_code == 422
    assert not scene.table.seats.filter(player=scene.dario).exists()


def test_a_table_that_looks_for_nobody_is_closed(scene: seal_kit.Scene):
    timing.come_back(scene.table.pk, 1, request_id=uuid.uuid4(), by=scene.clau)
    client = seal_kit.browser(scene.dario)
    status, shown = page(client, scene.table)
    assert (status, "This table is sealed" in shown) == (403, True)
    late = client.post(reverse("games:time", args=[scene.table.public_id]), form(scene.table))
    assert late.status_code == 422
    assert "This seat is no longer open." in late.content.decode()


def test_who_gave_up_the_seat_sees_the_table_no_more_and_their_open_page_is_hung_up():
    scene = seal_kit.scene()
    substitute = member("Emma")
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in seal_kit.browser(scene.clau).cookies.items())

    async def listen() -> list[dict[str, object]]:
        socket = seal_kit.listening(scene.table.public_id, cookies)
        await socket.send_input({"type": "websocket.connect"})
        heard = [await socket.receive_output(timeout=10), await socket.receive_output(timeout=10)]
        await sync_to_async(kit.take_seat)(scene.table, 1, substitute)
        await bell_rings(scene.table.public_id)
        while heard[-1]["type"] != "websocket.close":
            heard.append(await socket.receive_output(timeout=10))
        await socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await socket.wait(timeout=10)
        return heard

    with seal_kit.connections_left_open():
        heard = async_to_sync(listen)()
    assert heard[-1]["code"] == CLOSED
    assert "number" in json.loads(str(heard[1]["text"]))
    with refuses("closed-table", match="Others have still to play"):
        table_selector.sight_of(Game.objects.get(pk=scene.table.pk), scene.clau)


async def bell_rings(public_id: str) -> None:
    """What is rung when a transaction has come to its end: the test's own never does."""
    await sync_to_async(broadcast.ring_watching)(public_id)
    await asyncio.sleep(0)


def test_the_ring_that_hangs_up_goes_out_with_the_seat(django_capture_on_commit_callbacks):
    scene = seal_kit.scene()
    rung: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(broadcast, "ring_watching", rung.append)
        with django_capture_on_commit_callbacks(execute=True):
            kit.take_seat(scene.table, 1, member("Emma"))
    assert rung == [scene.table.public_id]


def test_nobody_takes_seats_at_two_tables_of_a_set():
    board_set = kit.laid(2)
    anna, beat = member("Anna"), member("Beat")
    tables = [kit.table(board_set, turn, [anna, beat][turn : turn + 1], pace=kit.DAYS) for turn in (0, 1)]
    for table in tables:
        kit.play_hand(table, 8)
        kit.seek(table, 0)
    emma = member("Emma")
    timing.substitute(tables[0].pk, 0, request_id=uuid.uuid4(), by=emma)
    with pytest.raises(MetAlready), transaction.atomic():
        timing.substitute(tables[1].pk, 0, request_id=uuid.uuid4(), by=emma)
    assert boards.has_met(emma, board_set)
    assert [row.public_id for row in open_tables.games_seeking(emma)] == []
    assert [row.public_id for row in open_tables.games_seeking(Player.objects.create())] == [tables[1].public_id]
