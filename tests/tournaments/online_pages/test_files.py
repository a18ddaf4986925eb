"""Files of online tournaments: the schema, tables with their games, travellers of open deals only."""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime
from zoneinfo import ZoneInfo

import jsonschema
import pytest
from django.test import Client
from django.utils.formats import date_format

from tests.games.api_kit import member
from tests.tournaments.online_pages import kit
from tournaments.publishing.exports import SCHEMA
from tournaments.services import codes

pytestmark = pytest.mark.django_db


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig")), delimiter=";"))


def test_results_know_online_tables_and_open_deals():
    night = kit.duplicate(8)
    laid = night.lay("1.1")
    night.do("table.overdue", table="1.1.2", how="postponed", who=[])
    night.made("1.1.1", 1, 40, 32)
    night.made("1.1.2", 1, 30, 42)
    night.made("1.1.1", 2, 11, 61)
    night.open(laid, 1)
    data = json.loads(Client().get(night.address("results.json")).content)
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    assert data["phases"][0]["online"] == {"days": 14, "duplicate": True, "fill": True}
    (found,) = data["rounds"]
    assert found["deadline"]
    assert [(each["number"], each["open"]) for each in found["boards"]] == [(1, True), (2, False)]
    first, second = found["tables"]
    assert first["game"].endswith(f"/{night.table('1.1.1').game}/")
    assert (first["late"], second["late"]) == (False, True)
    (traveller,) = data["travellers"]
    assert (traveller["round"], traveller["deal"]) == ("1.1", 1)
    sides = {each["table"]: each["sides"] for each in traveller["tables"]}
    assert all(sum(side["gain"] for side in each) == 0 for each in sides.values())
    assert {side["points"] for side in sides[1]} == {40, 32}
    assert all(side["entrants"] for each in sides.values() for side in each)


def test_files_and_screen_name_whoever_plays_as_the_pages_do():
    night = kit.duplicate(8, online=kit.online())
    night.begin_games("1.1")
    table = night.table("1.1.1")
    owner, old, new = table.owners[0], table.people[0], night.person()
    night.do("entrant.substituted", id=owner, old=old, new=new.public_id)
    desk = Client()
    desk.force_login(night.director.user)
    full = {each.public_id: f"{each.first_name} {each.last_name}" for each in night.people}
    seat = desk.get(night.address("results.json")).json()["rounds"][0]["tables"][0]["seats"][0]
    assert (seat["entrant"], seat["name"], seat["substitute"]) == (owner, full[new.public_id], True)
    (first, _second) = rows_of(desk.get(night.address("results/tables.csv")).content)
    assert full[new.public_id] in first["Who"]
    assert full[old] not in first["Who"]
    code = codes.hall_code(night.tournament, night.state, codes.SCREEN)
    screen = Client().get(night.address(f"k/{code}/")).content.decode()
    assert full[new.public_id] in screen
    lines = [{"deal": deal, "scores": [40, 32]} for deal in (1, 2)]
    night.do("table.settled", table="1.1.1", lines=lines, reason="by word of mouth")
    seat = desk.get(night.address("results.json")).json()["rounds"][0]["tables"][0]["seats"][0]
    assert (seat["name"], seat["substitute"]) == (full[old], False)


def test_tables_and_travellers_as_csv():
    night = kit.duplicate(8)
    laid = night.lay("1.1")
    lost = night.table("1.1.2").seats[0]
    night.do("table.overdue", table="1.1.2", how="forfeited", who=[lost])
    for deal in (1, 2):
        night.made("1.1.1", deal, 40, 32)
    night.open(laid, 1, 2)
    tables = rows_of(Client().get(night.address("results/tables.csv")).content)
    assert [row["Table"] for row in tables] == ["1", "2"]
    assert night.table("1.1.1").game in tables[0]["Game"]
    assert not tables[0]["Forfeited by"]
    assert tables[1]["Forfeited by"]
    travellers = rows_of(Client().get(night.address("results/travellers.csv")).content)
    assert {(row["Deal"], row["Table"]) for row in travellers} == {("1", "1"), ("2", "1")}
    assert {row["Gain"] for row in travellers} == {"0"}


def test_computer_players_are_marked_and_have_a_name():
    night = kit.duplicate(7)
    data = json.loads(Client().get(night.address("results.json")).content)
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    (house,) = [each for each in data["entrants"] if each["house"]]
    assert house["name"] == "Gion (computer)"
    assert house["id"] not in {place["entrant"] for place in data["ranking"]["places"]}


def test_the_feed_says_until_when_a_round_is_played_the_same_to_everybody():
    night = kit.duplicate(8)
    first = night.state.round("1.1")
    assert first is not None
    deadline = datetime.fromisoformat(first.deadline).astimezone(ZoneInfo("Europe/Zurich"))
    feed = Client().get(night.address("news.atom")).content.decode()
    assert f"2 tables, until {date_format(deadline, 'DATETIME_FORMAT')}" in feed
    assert "The tournament begins" in feed
    far = member("Luregn", time_zone="Pacific/Auckland")
    reader = Client()
    reader.force_login(far.user)
    assert reader.get(night.address("news.atom")).content.decode() == feed


def test_a_league_has_no_paper_and_no_pages_of_a_hall(client):
    night = kit.duplicate(8)
    client.get(night.address())
    assert ">Evening<" not in client.get(night.address()).content.decode()
    client.force_login(night.director.user)
    page = client.get(night.address("paper/")).content.decode()
    for words in ("Codes for helpers", "Sheet for the entrance", "Place cards", "Slips with codes", "Table signs"):
        assert words not in page
    for words in ("The evening as a file", "Dry run", "How phones in the hall"):
        assert words not in page
    assert "Diplomas" in page
