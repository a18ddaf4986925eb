"""What those who run the site can ask it: whether it is ready, and what it counts."""

from __future__ import annotations

import re
import shutil
import socket
import threading
from datetime import datetime, timedelta

import pytest
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from core import last_runs, limits, metrics
from core.exceptions import Refusal
from games.services import computers, play
from games.table import tasks
from notices import outbox
from troccas_site import monitoring

pytestmark = pytest.mark.django_db

TOKEN = {"Authorization": "Bearer four-words-for-the-collector"}


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer of an earlier test is given again."""
    monkeypatch.setattr(monitoring, "_last", (float("-inf"), {}))
    monkeypatch.setattr(monitoring, "_migrated", False)


@pytest.fixture
def token(settings) -> None:
    settings.METRICS_TOKEN = "four-words-for-the-collector"


def failed(client: Client) -> set[str]:
    answer = client.get("/readyz")
    found = {name for name, state in answer.json().items() if state == "failed"}
    assert answer.status_code == (503 if found else 200)
    return found


def measured(client: Client) -> dict[str, float]:
    answer = client.get("/metrics", headers=TOKEN)
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _blank, value in (line.rpartition(" ") for line in lines)}


def test_a_site_with_a_worker_is_ready(client):
    last_runs.note(last_runs.WORKER, timezone.now())
    assert failed(client) == set()


@pytest.mark.parametrize("silent_for", [None, timedelta(minutes=3), timedelta(minutes=-3)])
def test_without_a_worker_it_is_not(client, silent_for):
    if silent_for is not None:
        last_runs.note(last_runs.WORKER, timezone.now() - silent_for)
    assert failed(client) == {"worker"}


def test_a_full_disk_a_missing_migration_and_a_database_that_takes_nothing_are_seen(client, monkeypatch):
    last_runs.note(last_runs.WORKER, timezone.now())
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: _Usage())
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_arguments: ["one"])
    monkeypatch.setattr(last_runs, "note", _refuse)
    assert failed(client) == {"disk", "migrations", "database"}


class _Usage:
    free = 10**6


def _refuse(*_arguments: object) -> None:
    raise OperationalError("database or disk is full")


def test_redis_that_keeps_nothing_is_seen(client, settings, monkeypatch):
    last_runs.note(last_runs.WORKER, timezone.now())
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(cache, "get", lambda _key: None, raising=False)
    assert failed(client) == {"redis"}


def test_whoever_asks_all_the_time_makes_the_site_write_once(client, monkeypatch):
    asked: list[int] = []
    monkeypatch.setattr(monitoring, "CHECKS", {"database": lambda: asked.append(1)})
    for _time in range(5):
        client.get("/readyz")
    assert asked == [1]


def test_a_probe_may_call_the_site_by_any_name_without_https(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    last_runs.note(last_runs.WORKER, timezone.now())
    assert client.get("/readyz", headers={"host": "web-1:8000"}).status_code == 200


@pytest.mark.parametrize("given", [{}, {"Authorization": "Bearer something-else"}, {"Authorization": "Bearer é"}])
def test_numbers_are_for_who_brings_the_token(client, token, given):
    assert client.get("/metrics", headers=given).status_code == 404


def test_without_a_token_in_the_settings_there_are_no_numbers(client, settings):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_requests_are_counted_by_view_and_status(client, token):
    name = 'troccas_requests_total{status="404",view="none"}'
    before = measured(client).get(name, 0)
    client.get("/en/no-such-page/")
    after = measured(client)
    assert after[name] == before + 1
    assert after['troccas_request_seconds_count{part="none"}'] >= 1


def test_refusals_and_what_comes_too_often_are_counted(client, token):
    before = measured(client)
    Refusal("request-reused")
    assert limits.take("mine", rate=1, per=60)
    assert not limits.take("mine", rate=1, per=60)
    after = measured(client)
    assert after["troccas_limited_total"] == before["troccas_limited_total"] + 1
    name = 'troccas_refusals_total{code="request-reused"}'
    assert after[name] == before.get(name, 0) + 1


def test_actions_and_the_time_of_computer_players_are_counted(client, token, django_capture_on_commit_callbacks):
    before = measured(client)
    with django_capture_on_commit_callbacks(execute=True):
        game = play.start("troccas", computers.computer_players(4))
        play.begin_alone(game.pk)
        game.refresh_from_db()
        assert computers.act_for(game)
    after = measured(client)
    assert after["troccas_computer_seconds_count"] == before["troccas_computer_seconds_count"] + 1
    assert after['troccas_actions_total{kind="move"}'] > before.get('troccas_actions_total{kind="move"}', 0)


def test_what_is_late_shows_by_its_age(client, token):
    outbox.put("notices.test", Player.objects.create(), {}, due_at=timezone.now() - timedelta(minutes=10))
    found = measured(client)
    assert found['troccas_oldest_due_seconds{what="notice"}'] == pytest.approx(600, abs=60)
    assert found['troccas_oldest_due_seconds{what="deadline"}'] == 0


def test_the_worker_says_that_it_works(monkeypatch):
    stop = threading.Event()

    def last_look(_now: datetime, **_options: object) -> int:
        stop.set()
        return 1

    monkeypatch.setattr(tasks, "do_due", last_look)
    monkeypatch.setattr(tasks, "clean", lambda _now: None)
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)  # the test is in a transaction
    tasks.run(stop)
    monitoring.check_worker()


@pytest.mark.parametrize("port", ["taken", "99999"])
def test_a_worker_that_cannot_give_out_its_numbers_says_so(settings, port):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings.METRICS_LISTEN = f"127.0.0.1:{taken.getsockname()[1] if port == 'taken' else port}"
        with pytest.raises(CommandError, match=f"METRICS_LISTEN={settings.METRICS_LISTEN}"):
            call_command("work", skip_checks=True)


def test_an_alarm_goes_to_the_log_and_once_a_day_by_mail(settings, mailoutbox, caplog):
    settings.ADMINS = [("", "ida@example.org")]
    for _time in range(3):
        monitoring.alarm("No backup could be made", "The disk is full.")
    assert [letter.subject for letter in mailoutbox] == ["No backup could be made"]
    assert caplog.text.count("The disk is full.") == 3


def test_an_alarm_that_could_not_be_sent_is_sent_the_next_time(settings, mailoutbox, monkeypatch):
    settings.ADMINS = [("", "ida@example.org")]
    with monkeypatch.context() as away:
        away.setattr(EmailMessage, "send", lambda *_args, **_named: 1 / 0)
        monitoring.alarm("No backup could be made", "The disk is full.")
    assert mailoutbox == []
    for _time in range(2):
        monitoring.alarm("No backup could be made", "The disk is full.")
    assert len(mailoutbox) == 1


def test_labels_hold_names_of_the_program_only(client, token):
    client.get("/g/secret-game/")
    client.get("/en/people/onna/")
    text = client.get("/metrics", headers=TOKEN).content.decode()
    assert not re.search(r"secret-game|onna", text)
    assert metrics.sockets.collect()
