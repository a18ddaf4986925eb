"""The database fails in the middle of an action: all of it was written or nothing, and the same request can be sent again."""

from __future__ import annotations

import itertools
import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client

from accounts import sessions
from games import projections
from games.models import Action, Game, GameHand, Seat
from games.services import play
from games.table import tasks
from notices import delivery
from tests.games.table_kit import advised, laid, person, seat_of, sit, submit, wait
from tests.live import PATIENCE
from tests.refusals import refuses
from troccas_site import verifying

pytestmark = pytest.mark.django_db(transaction=True)

sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="is about SQLite")
postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="is about PostgreSQL")


@pytest.fixture
def game() -> Game:
    anna = person(name="Anna")
    game = laid(anna)
    sit(game, anna)
    wait(game, anna)
    game.refresh_from_db()
    return game


def log_of(game: Game) -> list[tuple[object, ...]]:
    return list(Action.objects.filter(game=game).order_by("number").values_list("number", "seat", "text"))


@pytest.mark.services
@postgresql
def test_a_connection_that_is_cut_in_the_middle_of_an_action_loses_nothing_and_doubles_nothing(game, monkeypatch):
    import psycopg

    anna = game.seats.get(player__name="Anna").player
    action, before, request_id = advised(game, anna), log_of(game), uuid.uuid4()
    settled: Callable[[Any], None] = projections.settle_turn

    def cut(changed: Game) -> None:
        """The log is written, the game is not yet: now the server ends this connection."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (backend,) = cursor.fetchone()
        with psycopg.connect(**{**connection.get_connection_params(), "context": None}, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", (backend,))
        settled(changed)

    ask = {"expected": game.number, "request_id": request_id, "by": anna}
    with monkeypatch.context() as patch:
        patch.setattr(projections, "settle_turn", cut)
        with pytest.raises((OperationalError, InterfaceError)):
            play.submit(game.pk, seat_of(game, anna), action, **ask)
    connection.close()
    assert log_of(game) == before
    seat = seat_of(game, anna)
    first = play.submit(game.pk, seat, action, **ask)
    assert play.submit(game.pk, seat, action, **ask) == first
    assert len(log_of(game)) == len(before) + 1
    assert list(verifying.differences()) == []


@pytest.mark.services
@postgresql
def test_a_worker_whose_connection_was_cut_takes_another_one(monkeypatch):
    """It begins with writing down that it is there, and did so on what was cut, again and again."""
    import psycopg

    stop, cleaned = threading.Event(), threading.Event()
    looks = itertools.count()

    def clean(_now: object) -> None:
        if next(looks):
            cleaned.set()
            stop.set()
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (backend,) = cursor.fetchone()
        with psycopg.connect(**{**connection.get_connection_params(), "context": None}, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", (backend,))
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    monkeypatch.setattr(tasks, "clean", clean)
    monkeypatch.setattr(delivery, "start", lambda _stop: None)
    worker = threading.Thread(target=tasks.run_supervised, args=(stop,), daemon=True)
    worker.start()
    try:
        assert cleaned.wait(PATIENCE)
    finally:
        stop.set()
        worker.join(PATIENCE)


@sqlite
def test_on_a_full_disk_nothing_is_half_written_pages_are_read_and_it_goes_on_when_there_is_room(game):
    anna = game.seats.get(player__name="Anna").player
    client = Client(raise_request_exception=False)
    client.cookies["guest"] = sessions.issue_guest_token(anna)
    path, action, before = f"/g/{game.public_id}/", advised(game, anna), log_of(game)
    ask = {"action": action, "expected": str(game.number), "request_id": str(uuid.uuid4())}
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # no free page is left in it
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    try:
        while _fits():
            pass
        assert client.get(path).status_code == 200
        for number in range(200):
            counts = counted()
            newcomer = Client(raise_request_exception=False, REMOTE_ADDR=f"10.0.0.{number}")
            status = newcomer.post("/g/play/").status_code
            if status != 303:
                break
        assert status == 503
        assert counted() == counts
        assert client.get(path).status_code == 200
        assert log_of(game) == before
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1073741823")
    assert client.post(f"{path}act/", ask).status_code == 303
    assert client.post(f"{path}act/", ask).status_code == 303
    assert len([entry for entry in log_of(game) if entry not in before and entry[2] == action]) == 1
    assert list(verifying.differences()) == []


def counted() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Game, Action, GameHand, Seat))


def _fits() -> bool:
    """Fill what room is left."""
    from core.models import TokenBucket

    try:
        TokenBucket.objects.bulk_create(TokenBucket(key=uuid.uuid4().hex, full_at=0) for _row in range(200))
    except OperationalError:
        return False
    return True


def test_to_be_ready_twice_gets_the_first_answer_also_where_seats_were_drawn_meanwhile():
    """The second request was on its way when the first began the deal: by now the player sits elsewhere."""
    anna, moved = person(name="Anna"), 0
    for _table in range(20):
        game = laid(anna, draws_partners=True)
        seat = seat_of(game, anna)
        ask = {"expected": game.number, "request_id": uuid.uuid4(), "by": anna}
        first = play.ready(game.pk, seat, **ask)
        now = seat_of(game, anna)
        moved += now != seat
        before = log_of(game)
        for place in {seat, now}:
            again = play.ready(game.pk, place, **ask)
            assert (again.number, again.at) == (first.number, first.at)
        assert log_of(game) == before
        with refuses("request-reused"):
            play.ready(game.pk, now, **ask, entropy="00" * 16)
    assert moved


def test_requests_that_come_twice_late_and_out_of_order_do_what_they_did_once(game):
    """A deal by forms, each sent twice; then all of them again, backwards."""
    anna = game.seats.get(player__name="Anna").player
    client = Client()
    client.cookies["guest"] = sessions.issue_guest_token(anna)
    sent: list[dict[str, str]] = []
    for _card in range(5):
        wait(game, anna)
        game.refresh_from_db()
        if game.to_act != seat_of(game, anna):
            break
        ask = {
            "action": advised(game, anna).replace("throw-in", "go"),  # the deal is to be played
            "expected": str(game.number),
            "request_id": str(uuid.uuid4()),
            "sure": "1",
        }
        sent.append(ask)
        answers = [client.post(f"/g/{game.public_id}/act/", ask).status_code for _time in range(2)]
        assert answers == [303, 303]
    assert len(sent) > 2
    after = log_of(game)
    requested = list(Action.objects.filter(game=game, seat=seat_of(game, anna)).values_list("request_id", flat=True))
    assert {str(each) for each in requested} >= {ask["request_id"] for ask in sent}
    for ask in reversed(sent):
        assert client.post(f"/g/{game.public_id}/act/", ask).status_code == 303
    for ask in sent:
        assert client.post(f"/g/{game.public_id}/act/", ask | {"request_id": str(uuid.uuid4())}).status_code == 409
    assert log_of(game) == after
    assert list(verifying.differences()) == []
    wait(game, anna)
    game.refresh_from_db()
    if game.to_act == seat_of(game, anna):
        assert submit(game, anna, advised(game, anna)).number > int(sent[-1]["expected"])  # and so it goes on
