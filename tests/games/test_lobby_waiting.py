"""How long a table waits: its host is reminded in time, once, and may let it wait longer."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games.lobby import tasks
from games.lobby.models import OpenTable
from games.lobby.services import common, tables
from notices import outbox, selectors
from tests.games.lobby_kit import WEEK, join, lay, member
from tests.games.pace_kit import DAY, turned
from tests.refusals import refuses

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def clock(monkeypatch):
    with turned(monkeypatch) as turned_clock:
        yield turned_clock


def extend(table: OpenTable, host: Player, request_id: uuid.UUID | None = None) -> OpenTable:
    return common.extend(table.pk, host, request_id=request_id or uuid.uuid4())


def told(player: Player) -> list[str]:
    """What the player reads in their list after the worker has looked."""
    outbox.tell_due()
    return [line.words.subject for line in selectors.lines(player)[0]]


def test_the_host_is_reminded_a_day_before_the_end_and_only_then(clock):
    anna = member("Anna")
    table = lay(anna)
    clock.to(table.expires_at - DAY - HOUR)
    assert told(anna) == []
    clock.on(hours=1)
    assert told(anna) == ["Not long now: Troccas"]
    (line,), _onward = selectors.lines(anna)
    assert line.words.url == f"/t/{table.public_id}/"
    assert "until" in line.words.line


def test_a_table_that_waits_for_minutes_reminds_with_a_quarter_of_them_left(clock):
    anna = member("Anna")
    table = lay(anna, wait=timedelta(minutes=20))
    clock.on(minutes=14)
    assert told(anna) == []
    clock.on(minutes=1)
    assert len(told(anna)) == 1
    assert table.expires_at - clock.now == timedelta(minutes=5)


def test_a_table_that_has_begun_or_was_taken_away_reminds_nobody(clock):
    anna = member("Anna")
    begun, closed = lay(anna), lay(anna)
    tables.start(begun.pk, anna, request_id=uuid.uuid4())
    tables.close(closed.pk, anna, request_id=uuid.uuid4())
    clock.to(begun.expires_at - HOUR)
    assert not [line for line in told(anna) if "Not long" in line]


def test_who_has_the_table_from_the_one_before_is_reminded_in_their_place(clock):
    anna, beat = member("Anna"), member("Beat")
    table = lay(anna)
    join(table, beat)
    tables.leave(table.pk, anna, request_id=uuid.uuid4())
    clock.to(table.expires_at - HOUR)
    assert "Not long now: Troccas" in told(beat)
    assert "Not long now: Troccas" not in told(anna)


def test_near_the_end_it_waits_as_long_again_and_reminds_again(clock):
    anna = member("Anna")
    table = lay(anna)
    clock.to(table.expires_at - HOUR)
    again = extend(table, anna)
    assert again.expires_at == clock.now + WEEK
    assert again.state == OpenTable.State.WAITING
    assert told(anna) == [], "the reminder of the end before says nothing any more"
    clock.to(again.expires_at - HOUR)
    assert told(anna) == ["Not long now: Troccas"]
    assert tasks.do_due(clock.now) == 0
    clock.to(again.expires_at)
    assert tasks.do_due(clock.now) == 1


def test_it_is_too_early_while_there_is_time_and_too_late_afterwards(clock):
    anna = member("Anna")
    table = lay(anna)
    with refuses("waits-long-enough"):
        extend(table, anna)
    clock.to(table.expires_at)
    with refuses("table-gone"):
        extend(table, anna)
    table.refresh_from_db()
    assert not table.events.filter(text="extended").exists()


def test_only_the_host_may_and_asking_twice_is_asking_once(clock):
    anna, beat = member("Anna"), member("Beat")
    table = lay(anna)
    join(table, beat)
    clock.to(table.expires_at - HOUR)
    with refuses("not-host"):
        extend(table, beat)
    request_id = uuid.uuid4()
    first = extend(table, anna, request_id).expires_at
    clock.to(first - HOUR)
    assert extend(table, anna, request_id).expires_at == first
    assert table.events.filter(text="extended").count() == 1


def test_an_invitation_holds_as_long_as_the_table_now_waits(clock):
    anna, beat = member("Anna"), member("Beat")
    table = lay(anna)
    tables.invite(table.pk, anna, beat, request_id=uuid.uuid4())
    assert told(beat) == ["An invitation: Troccas"]
    clock.to(table.expires_at - HOUR)
    extend(table, anna)
    clock.on(days=2)
    assert told(beat) == ["An invitation: Troccas"]
    assert "until Monday 11:00" in selectors.lines(beat)[0][0].words.line


def test_the_page_offers_it_to_the_host_near_the_end_and_does_it(clock):
    anna, beat = member("Anna"), member("Beat")
    table = lay(anna)
    join(table, beat)
    browser, other = Client(), Client()
    browser.force_login(anna.user)
    other.force_login(beat.user)
    page, way = reverse("lobby:table", args=[table.public_id]), reverse("lobby:extend", args=[table.public_id])
    assert way not in browser.get(page).content.decode()
    early = browser.post(way, {"request_id": str(uuid.uuid4())})
    assert early.status_code == 422
    assert "nearly over" in early.content.decode()
    clock.to(table.expires_at - HOUR)
    assert way in browser.get(page).content.decode()
    assert way not in other.get(page).content.decode()
    assert browser.post(way, {"request_id": str(uuid.uuid4())}).status_code == 303
    after = browser.get(page).content.decode()
    assert "Anna has let the table wait longer." in after
    assert way not in after
