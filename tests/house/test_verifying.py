"""`manage.py verify` finds every projection that does not say what its log says, and changes nothing."""

from __future__ import annotations

import sqlite3
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from core.models import LastRun
from games.models import Action, Game, GameHand
from games.services import rebuilding
from rules.models import Article, Concept, Entry, SearchEntry, Term
from tests.games.table_kit import laid, person, play_hand, sit
from tests.rules import door_kit
from tests.tournaments.services.kit import Night
from tournaments.models import Participation, Tournament
from troccas_site import verifying

pytestmark = pytest.mark.django_db

verify_alone = verifying._verify_alone  # elsewhere tests are spared it


@pytest.fixture
def game(db: None) -> Game:
    anna = person()
    game = laid(anna)
    sit(game, anna)
    play_hand(game, anna)
    game.refresh_from_db()
    return game


def found() -> list[str]:
    return list(verifying.differences())


def test_what_was_played_and_written_is_right(game, capsys):
    door_kit.world()
    assert found() == []
    call_command("verify")
    assert capsys.readouterr().out == "0 differences.\n"
    assert LastRun.objects.get(name="verify").problems == 0


def test_a_changed_total_is_found_and_left_as_it_is(game, capsys):
    Game.objects.update(totals=[99, 0, 0, 0])
    assert found() == [f"game {game.public_id}: game: totals"]
    with pytest.raises(SystemExit):
        call_command("verify")
    assert "1 differences" in capsys.readouterr().out
    assert Game.objects.get().totals == [99, 0, 0, 0]
    assert LastRun.objects.get(name="verify").problems == 1


def test_a_lost_and_a_doubled_action_are_found(game):
    last = game.actions.order_by("-number").first()
    Action.objects.filter(pk=last.pk)._raw_delete("default")
    assert f"game {game.public_id}: numbers of the log" in found()
    Game.objects.update(number=F("number") - 1)
    assert f"game {game.public_id}: numbers of the log" not in found()


def test_a_log_that_cannot_be_read_is_found_and_the_others_are_still_looked_at(game):
    GameHand.objects.filter(game=game, number=1).delete()
    other = laid(person())
    Game.objects.filter(pk=other.pk).update(hands_played=3)
    said = found()
    assert [each for each in said if "cannot be read" in each]
    assert f"game {other.public_id}: game: hands_played" in said


@pytest.mark.parametrize(
    ("table", "change"),
    [
        (Article, {"title": "Wrong"}),
        (Concept, {"theme": "trumps", "sort": "zzz"}),
        (Term, {"text": "wrong"}),
        (SearchEntry, {"text": "wrong"}),
        (Entry, {"revisions_made": 77}),
    ],
)
def test_what_the_encyclopedia_shows_is_compared_with_its_history(table, change):
    door_kit.world()
    row = table.objects.order_by("pk").first()
    table.objects.filter(pk=row.pk).update(**change)
    said = found()
    assert said
    assert all(each.startswith("encyclopedia: ") for each in said)
    assert table.objects.filter(pk=row.pk, **change).exists()


def test_a_tournament_is_compared_with_its_log():
    night = Night.at(4)
    night.begin()
    assert found() == []
    evening = night.tournament
    Tournament.objects.update(status=Tournament.Status.CLOSED)
    Participation.objects.all().delete()
    said = [f"tournament {evening.public_id}: status", f"tournament {evening.public_id}: who takes part"]
    assert found() == said
    assert not Participation.objects.exists()
    Tournament.objects.update(number=F("number") + 1)
    assert f"tournament {evening.public_id}: numbers of the log" in found()


def test_by_night_what_moved_lately_and_a_share_of_the_rest_is_looked_at_and_an_alarm_goes_out(
    game, settings, mailoutbox
):
    settings.ADMINS = [("", "ida@example.org")]
    now = timezone.now()
    Game.objects.update(totals=[99, 0, 0, 0], acted_at=now - timedelta(days=40))
    nights = [verifying.verify_tonight(now + timedelta(days=day)) for day in range(verifying.SHARES)]
    assert sum(bool(night) for night in nights) == 1
    assert game.public_id in mailoutbox[0].body
    Game.objects.update(acted_at=now)
    assert verifying.verify_tonight(now)


def test_by_night_it_rests_after_each_lock_so_that_others_get_theirs(game, monkeypatch):
    door_kit.world()
    rests: list[float] = []
    monkeypatch.setattr(time, "sleep", rests.append)
    assert verifying.verify_tonight(timezone.now()) == []
    locks = 1 + -(-Entry.objects.exclude(published=None).count() // 10)  # of the game, and of ten entries each
    assert rests == [verifying.REST] * locks


def test_it_begins_once_a_night_and_not_by_day(monkeypatch):
    begun: list[datetime] = []
    monkeypatch.setattr(verifying, "_verify_alone", begun.append)
    monkeypatch.setattr(threading, "Thread", _AtOnce)
    for hour in (0, 12, 20, 23):
        verifying.nightly(datetime(2026, 3, 2, hour, 30, tzinfo=UTC))
    for minute in (0, 30):
        verifying.nightly(datetime(2026, 3, 3, 1, minute, tzinfo=UTC))  # two o'clock here
    verifying.nightly(datetime(2026, 3, 4, 2, 0, tzinfo=UTC))
    assert len(begun) == 2


def test_it_does_not_begin_while_the_night_before_is_still_verified(monkeypatch):
    begun: list[datetime] = []
    monkeypatch.setattr(threading, "Thread", _AtOnce)

    def slow(now: datetime) -> list[str]:
        begun.append(now)
        verifying.nightly(now + timedelta(days=1))
        return []

    monkeypatch.setattr(verifying, "_verify_alone", verify_alone)
    monkeypatch.setattr(verifying, "close_old_connections", lambda: None)
    monkeypatch.setattr(verifying, "verify_tonight", slow)
    for day in (3, 5):
        verifying.nightly(datetime(2026, 3, day, 1, 30, tzinfo=UTC))
    assert [now.day for now in begun] == [3, 5]


def away() -> OperationalError:
    """What Django raises where another holds the lock of SQLite for too long."""
    cause = sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
    error = OperationalError("database is locked")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(("times", "problems"), [(2, 0), (99, 1)])
def test_a_database_that_is_away_says_nothing_of_a_log(game, monkeypatch, times, problems):
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    rebuild, tried = rebuilding.rebuild, []

    def rebuilt(pk: int) -> list[str]:
        tried.append(pk)
        if len(tried) <= times:
            raise away()
        return rebuild(pk)

    monkeypatch.setattr(rebuilding, "rebuild", rebuilt)
    assert len(found()) == problems
    assert tried == [game.pk] * min(times + 1, verifying.TRIES)


class _AtOnce:
    """A thread that has done its work when it is started."""

    def __init__(self, target, args, **_named) -> None:
        self.target, self.args = target, args

    def start(self) -> None:
        self.target(*self.args)
