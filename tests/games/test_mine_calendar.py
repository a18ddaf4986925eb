"""The calendar of deadlines: read back by the parser, at an address that can be taken away."""

from __future__ import annotations

import uuid
from datetime import UTC, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from accounts.models import Player
from domain.engine import CODES
from games.models import Game
from games.mygames import calendar as mygames_calendar
from games.mygames.models import CalendarAddress
from games.services import agreements
from notices.models import Preference
from tests.games import pace_kit, table_kit
from tests.games.test_mine import asked_seat, browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing():
    """Who is asked at a table with a clock, and the table."""
    people = pace_kit.people()
    game = pace_kit.table(people)
    return people[asked_seat(game)], game


def read(player: Player) -> list[dict]:
    return list(Calendar.from_ical(mygames_calendar.feed(player)).walk("VEVENT"))


def test_there_is_an_event_for_each_deadline_of_ones_own_and_none_else(playing):
    player, game = playing
    table_kit.laid(player)  # waits for them too, but not by a moment
    events = read(player)
    assert len(events) == 1
    event = events[0]
    assert event["dtend"].dt == game.deadline_at.replace(microsecond=0)
    assert event["dtend"].dt.tzinfo == UTC or event["dtend"].dt.utcoffset() == timedelta(0)
    assert event["dtstart"].dt < event["dtend"].dt
    assert str(event["uid"]).startswith(f"{game.public_id}-{player.public_id}@")
    assert event["sequence"] == game.number
    assert str(event["summary"]).startswith("Your turn: Troccas with ")
    assert str(event["url"]).endswith(f"/g/{game.public_id}/")
    other = game.seats.exclude(player=player).first().player
    assert read(other) == []


def test_the_uid_stays_and_the_sequence_grows_when_the_deadline_moves(playing):
    player, game = playing
    before = read(player)[0]
    giver = next(seat for seat in range(4) if seat != game.to_act)
    agreements.more_time(
        game.pk, game.to_act, pace_kit.DAY, request_id=uuid.uuid4(), by=game.seats.get(number=giver).player
    )
    after = read(player)[0]
    assert after["uid"] == before["uid"]
    assert after["sequence"] > before["sequence"]
    assert after["dtend"].dt > before["dtend"].dt


def test_it_is_a_calendar_as_the_standard_wants_it(playing):
    player, _game = playing
    data = mygames_calendar.feed(player)
    calendar = Calendar.from_ical(data)
    assert calendar["version"] == "2.0"
    assert calendar["prodid"]
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    assert data.endswith(b"END:VCALENDAR\r\n")
    for event in calendar.walk("VEVENT"):
        assert {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "SEQUENCE", "LAST-MODIFIED"} <= set(event)
    assert calendar.errors == []


def test_it_speaks_the_language_of_its_reader_and_names_no_card(playing):
    player, game = playing
    Preference.objects.create(
        player=player, language="de"
    )  # as letters do: what they last read here, if they chose none
    player.refresh_from_db()
    text = mygames_calendar.feed(player).decode()
    assert "//DE" in text
    words = text.replace("\r\n ", "").replace(game.public_id, "").replace(player.public_id, "").split()
    assert not set(words) & {code for code in CODES if code != "F"}


def test_only_who_has_the_address_reads_it_and_a_renewed_one_opens_nothing(playing):
    player, _game = playing
    page, client = reverse("mine:calendar"), browser_of(player)
    assert not CalendarAddress.objects.exists()
    assert "Make an address" in client.get(page).content.decode()
    client.post(page, {"do": "renew"})
    first = path_of(player)
    answer = Client().get(first)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/calendar")
    assert "no-cache" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]
    assert answer["X-Robots-Tag"] == "noindex"
    assert first in client.get(page).content.decode()
    client.post(page, {"do": "renew"})
    second = path_of(player)
    assert first != second
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    stranger = table_kit.person()
    mygames_calendar.renew(stranger)
    assert Client().get(second.replace(player.public_id, stranger.public_id)).status_code == 404
    client.post(page, {"do": "off"})
    assert Client().get(second).status_code == 404
    assert mygames_calendar.address_of(player) is None


def test_it_costs_little_to_ask_again_while_nothing_has_changed(playing):
    player, game = playing
    mygames_calendar.renew(player)
    first = Client().get(path_of(player))
    again = Client().get(path_of(player), headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert again.content == b""
    Game.objects.filter(pk=game.pk).update(number=game.number + 1)
    assert Client().get(path_of(player), headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_making_addresses_without_end_is_refused(playing):
    player, _game = playing
    client = browser_of(player)
    for _ in range(10):
        client.post(reverse("mine:calendar"), {"do": "renew"})
    address = path_of(player)
    client.post(reverse("mine:calendar"), {"do": "renew"})
    assert path_of(player) == address


def test_a_name_cannot_write_into_the_calendar(playing):
    player, game = playing
    other = game.seats.exclude(player=player).first().player
    Player.objects.filter(pk=other.pk).update(name="B\r\nEND:VCALENDAR;X,\\n")
    events = read(player)
    assert len(events) == 1
    assert "END:VCALENDAR" in str(events[0]["summary"])


def path_of(player: Player) -> str:
    address = mygames_calendar.address_of(player)
    assert address is not None
    return "/" + address.split("/", 3)[3]
