"""What those who sit at a table with shared deals are told of it, and the proof that all were dealt the same."""

from __future__ import annotations

import html
import importlib.util
import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from domain.engine import shuffle
from games.exceptions import NotNow
from games.lobby.services import tables
from games.models import Game
from games.selectors import replay
from games.services import boards
from tests.games.api_kit import Program, member
from tests.games.boards import kit, seal_kit

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Game:
    """A table of Anna's and Beat's that has played the first of two deals; another has still to begin."""
    board_set = kit.laid(2)
    kit.table(board_set, 1, [member("Dora")], pace=kit.DAYS)
    game = kit.table(board_set, 0, [member("Anna"), member("Beat")], pace=kit.DAYS)
    kit.play_hand(game)
    return game


def read(game: Game, what: str = "", status: int = 200) -> str:
    """A page of the game for its first player."""
    answer = seal_kit.browser(game.seats.get(number=0).player).get(f"/g/{game.public_id}/{what}")
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def test_the_table_says_plainly_that_its_deals_are_shared(table: Game):
    for shown in (read(table), read(table, "since/0/")):
        assert "The same deal at every table." in shown
        assert "It stays sealed until all have played it: no looking back, no watchers." in shown
        assert "/fair/#shared" in shown
        assert "The traveller comes when the last table has played it" in shown
        assert "data-adds-to" not in shown
        assert 'name="entropy"' not in shown
        assert f"/g/{table.public_id}/hand/1/" not in shown
        assert f"/g/{table.public_id}/watching/" not in shown


def test_programs_are_told_too(table: Game):
    seen = Program(table.seats.get(number=0).player).ask(f"/games/{table.public_id}")
    assert seen["shared"] == "sealed"
    assert [(sheet["number"], sheet["sealed"], sheet["open"]) for sheet in seen["sheets"]] == [(1, True, False)]
    assert json.loads(read(table, "state.json"))["shared"] == "sealed"


def test_a_table_with_cards_of_its_own_says_nothing_of_it():
    anna = member("Anna")
    client = seal_kit.browser(anna)
    page = client.post("/g/play/", follow=True).content.decode()
    assert "The same deal at every table." not in page
    assert Program(anna).ask("/games")["results"][0]["status"] == "playing"


def test_looking_back_is_explained_instead_of_offered(table: Game):
    assert "It stays sealed for everybody until the last of them has played it" in read(table, "hand/1/", 404)
    hands = read(table, "hands/")
    assert "sealed" in hands
    assert "record.json" not in hands
    kit.play_out(table)
    over = read(table)
    assert "Download the record" not in over
    assert "Rematch" not in over
    listed = seal_kit.browser(table.seats.get(number=0).player).get("/en/my-games/finished/").content.decode()
    assert table.public_id in listed
    assert f"/g/{table.public_id}/hand/" not in listed
    with pytest.raises(NotNow):
        tables.rematch(table.pk, table.seats.get(number=0).player, request_id=uuid.uuid4())


def test_the_page_of_a_sealed_table_asks_the_database_hardly_more_than_any_other(table: Game):
    anna = table.seats.get(number=0).player
    client = seal_kit.browser(anna)
    client.get(f"/g/{table.public_id}/")
    with CaptureQueriesContext(
        connection,
    ) as sealed:
        client.get(f"/g/{table.public_id}/")
    Game.objects.filter(pk=table.pk).update(board_set=None)
    with CaptureQueriesContext(connection) as own:
        client.get(f"/g/{table.public_id}/")
    assert len(sealed) <= len(own) + 6


def opened(game: Game) -> Game:
    """The same when all is open."""
    board_set = game.board_set
    assert board_set is not None
    kit.play_out(game)
    for other in board_set.games.exclude(pk=game.pk):
        kit.play_out(other)
    boards.complete(board_set)
    assert boards.open_due(10) == 2
    return Game.objects.get(pk=game.pk)


def test_pack_and_cut_are_proved_by_all_three_when_the_deal_is_open(table: Game):
    game = opened(table)
    page = read(game, "hand/1/")
    found = re.search(r'data-proof="([^"]+)"', page)
    assert found is not None
    given = json.loads(html.unescape(found[1]))
    lifted = int(game.actions.get(hand_number=1, text__startswith="cut ").text.split()[1])
    assert given["lifted"] == given["proof"]["cut"] == lifted
    assert f"{lifted} cards lifted at every table, as the secret says" in page or lifted == 1
    proof = shuffle.Proof.from_json(given["proof"])
    assert shuffle.verify(proof, given["pack"].split(), lifted=lifted) == []
    assert shuffle.verify(proof, given["pack"].split(), lifted=lifted % 77 + 1) == ["wrong-cut"]
    record: dict[str, Any] = replay.record(game).to_json()
    assert len(record["hands"]) == 2
    script = verifier()
    for _name, each, pack, arranged, cut in script.dealt(json.loads(json.dumps(record))):
        assert script.problems(each, pack, arranged, cut) == []
    record["hands"][0]["actions"] = [
        f"{action.split()[0]} cut {lifted % 77 + 1}" if " cut " in action else action
        for action in record["hands"][0]["actions"]
    ]
    first = next(script.dealt(json.loads(json.dumps(record))))
    assert script.problems(*first[1:]) == ["the secret leads to another cut than the one that was made"]


def verifier():
    """The program for one's own computer, which shares no code with the site."""
    where = Path(__file__).resolve().parents[3] / "docs" / "verify_shuffle.py"
    spec = importlib.util.spec_from_file_location("verify_shuffle", where)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_when_all_have_played_the_table_says_that_it_is_open(table: Game):
    game = opened(table)
    shown = read(game)
    assert "All have played it: it is open." in shown
    assert f"/g/{game.public_id}/hand/1/" in shown
    assert "Download the record" in shown
    stranger = seal_kit.browser(None).get(f"/g/{game.public_id}/state.json")
    assert stranger.json()["shared"] == "open"
