"""Somebody goes, or becomes a member, while the door is at work at one of their tables: neither waits for the other for ever.

On SQLite there is one lock for all, and the other simply comes later; on PostgreSQL each row has its own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts import services
from accounts.models import Player
from games import projections
from games.lobby.services import common as lobby
from games.models import Game, Punctuality
from games.services import common
from games.services.rebuilding import rebuild
from notices import outbox
from tests.games import lobby_kit
from tests.games.pace_kit import DAY, asked, people, table
from tests.live import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)
MONTH = 30 * DAY


class Meanwhile:
    """Something done in a thread with a connection of its own."""

    def __init__(self, what: Callable[[], object]) -> None:
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._run, args=(what,))
        self.thread.start()
        if connection.vendor == "postgresql":
            self._until_it_waits()

    def _run(self, what: Callable[[], object]) -> None:
        try:
            what()
        except Exception as error:
            self.error = error
        finally:
            connection.close()

    def _until_it_waits(self) -> None:
        end = time.monotonic() + PATIENCE
        while self.thread.is_alive() and time.monotonic() < end:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_stat_clear_snapshot()")  # or it stays as it was for the whole transaction
                cursor.execute(
                    "SELECT count(*) FROM pg_stat_activity"
                    " WHERE wait_event_type = 'Lock' AND datname = current_database()"
                )
                if cursor.fetchone()[0]:
                    return
            time.sleep(0.01)

    def join(self) -> None:
        """Wait for its end. Raises what it raised."""
        self.thread.join(PATIENCE)
        if self.error is not None:
            raise self.error


def letting_go() -> object:
    return services.expire_guests(MONTH, timezone.now() + 2 * MONTH)


def time_runs_out(game: Game, player: Player) -> None:
    """What the door writes about a player when their time is out; the game's row is locked."""
    projections.count_punctuality(player, timezone.now(), timeouts=1)
    outbox.put("game.timeout", player, {"game": game.public_id})


def test_a_guest_is_let_go_while_their_time_runs_out():
    players = people()
    game = table(players)
    with transaction.atomic():
        common.locked(game.pk)
        gone = Meanwhile(letting_go)
        time_runs_out(game, players[0])
    gone.join()
    assert not Player.objects.filter(retired_at=None, computer="").exists()
    assert rebuild(game.pk) == []


def test_a_guest_with_two_tables_is_let_go_while_their_time_runs_out_at_the_second():
    players = people()
    first, second = table(players), table(players)
    with transaction.atomic():
        common.locked(second.pk)
        gone = Meanwhile(letting_go)
        time_runs_out(second, players[0])
    gone.join()
    assert Player.objects.get(pk=players[0].pk).retired_at is not None
    assert rebuild(first.pk) == rebuild(second.pk) == []


def test_a_guest_becomes_a_member_while_they_act_in_another_window():
    game, member = table(people()), lobby_kit.member("Mengia")
    guest = asked(game)
    projections.count_punctuality(guest, timezone.now(), actions=1)
    outbox.tell_due(timezone.now() + timedelta(seconds=1))
    with transaction.atomic():
        common.locked(game.pk)
        assert outbox.settle(guest, game.public_id)
        merged = Meanwhile(lambda: services.claim(guest, member))
        projections.count_punctuality(guest, timezone.now(), actions=1)
    merged.join()
    assert [row.actions for row in Punctuality.objects.filter(player=member)] == [2]
    assert game.seats.filter(player=member).exists()


def test_a_guest_becomes_a_member_while_they_get_up_from_their_own_table():
    guest, member = lobby_kit.guest("Onna"), lobby_kit.member("Mengia")
    waiting = lobby_kit.lay(guest)
    with transaction.atomic():
        row = lobby.locked(waiting.pk)
        chair = row.chairs.select_related("player").get(player=guest)
        merged = Meanwhile(lambda: services.claim(guest, member))
        lobby.leave_chair(row, chair)
        lobby.done(row)
    merged.join()
    waiting.refresh_from_db()
    assert waiting.state == waiting.State.CLOSED
    assert waiting.host == member
