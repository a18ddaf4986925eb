"""Many people at once: lines become persons, pairs or tables, after a preview."""

from __future__ import annotations

import html
import io
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from clubs.models import Member
from clubs.spreadsheets import write_xlsx
from domain.tournament.state import EXPECTED, HERE
from tests.tournaments.services.kit import Night

pytestmark = pytest.mark.django_db


class Paste:
    """The page of one evening, as a browser uses it."""

    def __init__(self, night: Night, client: Client) -> None:
        self.night, self.client = night, client
        self.address = f"/e/{night.tournament.public_id}/people/paste/"

    def look(self, text: str, **more: Any) -> str:
        """The preview, without marks; `mark` is what the page carries."""
        answer = self.client.post(self.address, {"do": "look", "text": text, **more})
        assert answer.status_code == 200
        page = answer.content.decode()
        found = re.search(r'name="mark" value="(\w+)"', page)
        self.mark = found[1] if found else ""
        self.kept = html.unescape(page.partition('<textarea name="text" hidden>')[2].partition("</textarea>")[0])
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())

    def enter(self, text: str, status: int = 303, **more: Any) -> Any:
        """Look, then press."""
        self.look(text)
        data = {"do": "enter", "text": text, "mark": self.mark, "request_id": str(uuid.uuid4()), **more}
        answer = self.client.post(self.address, data)
        assert answer.status_code == status, answer.content.decode()
        return answer

    def names(self) -> list[tuple[str, ...]]:
        """Who has entered, in order."""
        named = {each.public_id: f"{each.first_name} {each.last_name}" for each in Member.objects.all()}
        return [tuple(named[who] for who in each.members) for each in self.night.state.entrants.values()]


@pytest.fixture
def paste(client: Client) -> Any:
    def made(number: int = 0, **plan: Any) -> Paste:
        night = Night.at(number, **plan)
        client.force_login(night.director.user)
        return Paste(night, client)

    return made


def pairs(paste: Any) -> Paste:
    return paste(kind="pair", odd=["bye"], method="swiss")


def test_names_one_on_a_line_enter_and_the_club_knows_its_own_in_any_order(paste):
    here = paste()
    anna = Member.objects.create(club=here.night.club, first_name="Anna", last_name="Solèr", groups=["Trun"])
    seen = here.look("Soler Anna\n\nBeat Maria Meier\nCadruvi")
    assert "Anna Solèr: Trun." in seen
    assert "Beat Maria Meier comes into the list as a guest." in seen
    assert "4 Cadruvi “Cadruvi” is only one name." in seen
    assert here.night.state.entrants == {}
    here.enter("Soler Anna\n\nBeat Maria Meier\nCadruvi", here="yes")
    assert here.names() == [("Anna Solèr",), ("Beat Maria Meier",)]
    first = here.night.state.entrants["e1"]
    assert (first.members, first.status, len(first.groups)) == ((anna.public_id,), HERE, 1)
    assert Member.objects.get(last_name="Meier").kind == Member.Kind.GUEST


@pytest.mark.parametrize(
    "text",
    [
        "Anna Muster / Beat Meier\nCarla Giger & Duri Tuor\nEva Nay",
        "Anna Muster;Beat Meier\nCarla Giger;Duri Tuor\nEva Nay",
        "Anna Muster, Beat Meier\nCarla Giger, Duri Tuor\nEva Nay",
        "1\tAnna Muster\tBeat Meier\n2\tCarla Giger\tDuri Tuor\n3\tEva Nay",
        "Vorname;Name;Vorname;Name\nAnna;Muster;Beat;Meier\nCarla;Giger;Duri;Tuor\nEva;Nay;;",
        "Name\nAnna Muster und Beat Meier\nCarla Giger und Duri Tuor\nEva Nay",
    ],
)
def test_pairs_are_read_however_they_are_written(paste, text):
    here = pairs(paste)
    assert "needs a partner" in here.look(text)
    here.enter(text)
    assert here.names() == [("Anna Muster", "Beat Meier"), ("Carla Giger", "Duri Tuor"), ("Eva Nay",)]
    assert {each.status for each in here.night.state.entrants.values()} == {EXPECTED}


def test_first_and_last_name_in_columns_of_their_own_and_a_workbook(paste):
    here = paste()
    heads: list[str | int | float | None] = ["Vorname", "Nachname", "Jahrgang", "Gruppe", "Schuhgrösse"]
    rows: list[list[str | int | float | None]] = [
        heads,
        ["Anna", "Muster", 1961, "Trun", 38],
        ["Anna", "Muster", 1990, "", 40],
        ["Anna", "Muster", 1961, "", 1],
    ]
    file = io.BytesIO(write_xlsx([("Liste", rows)]))
    file.name = "liste.xlsx"
    seen = here.look("", file=file)
    assert "These columns are unknown and are left out: Schuhgrösse." in seen
    assert "Anna Muster is on line 2 already." in seen
    here.enter(here.kept)
    assert [
        Member.objects.get(public_id=each.members[0]).birth_year for each in here.night.state.entrants.values()
    ] == [
        1961,
        1990,
    ]


def test_twins_of_entries_are_shown_and_enter_no_second_time(paste):
    here = paste(2)
    seen = here.look("Vorname1 Nachname1\nEva Nay")
    assert "They have entered already Line Who About it 1 Vorname1 Nachname1" in seen
    assert "Enter 1 person" in seen
    here.enter("Vorname1 Nachname1\nEva Nay")
    assert len(here.night.state.entrants) == 3


def test_half_of_a_pair_that_has_entered_alone_is_no_new_pair(paste):
    here = pairs(paste)
    here.enter("Eva Nay")
    assert "Eva Nay and Duri Tuor have not entered as a pair." in here.look("Eva Nay / Duri Tuor")


def test_the_same_press_twice_enters_once_and_what_has_changed_is_shown_again(paste):
    here = paste()
    here.look("Eva Nay")
    data = {"do": "enter", "text": "Eva Nay", "mark": here.mark, "request_id": str(uuid.uuid4())}
    assert [here.client.post(here.address, data).status_code for _ in range(2)] == [303, 303]
    assert len(here.night.state.entrants) == 1
    changed = here.client.post(here.address, {**data, "request_id": str(uuid.uuid4())})
    assert changed.status_code == 422
    assert "Look at the lines once more" in changed.content.decode()
    assert Member.objects.filter(last_name="Nay").count() == 1


def test_lots_drawn_in_the_hall_seat_the_first_round_in_one_go(paste):
    here = paste(5)
    lots = "2: Vorname1 Nachname1, Eva Nay, Vorname3 Nachname3, Duri Tuor\nTisch 1: Gion Bundi, Vorname4 Nachname4, Onna Derungs, Pia Cajacob"
    assert "Table 2: Vorname1 Nachname1, Eva Nay" in here.look(lots)
    answer = here.enter(lots, reason="Lots from the hat")
    assert answer["Location"].endswith("/rounds/1.1/")
    first = here.night.state.round("1.1")
    named = {each.public_id: f"{each.first_name} {each.last_name}" for each in Member.objects.all()}
    assert {number: [named[who] for who in table.people] for number, table in first.tables.items()} == {
        1: ["Gion Bundi", "Vorname4 Nachname4", "Onna Derungs", "Pia Cajacob"],
        2: ["Vorname1 Nachname1", "Eva Nay", "Vorname3 Nachname3", "Duri Tuor"],
    }
    assert (first.status, set(first.byes), first.by_hand) == ("draft", {"e2", "e5"}, ("Lots from the hat",))
    log = here.client.get(f"/e/{here.night.tournament.public_id}/log/").content.decode()
    assert "changed by hand: Lots from the hat" in log


def test_pairs_are_seated_by_two_on_a_line_and_a_broken_line_stops_it_all(paste):
    here = pairs(paste)
    lots = "Anna Muster / Beat Meier; Carla Giger / Duri Tuor\nEva Nay / Pia Cajacob; Gion Bundi / Onna Derungs"
    broken = lots + "\nUrs / Vreni Tuor; Beat Nay / Anna Nay"
    assert "Seat them so" not in here.look(broken)
    refused = here.enter(broken, status=422)
    assert "Put the broken lines right first" in refused.content.decode()
    assert here.night.state.entrants == {}
    here.enter(lots)
    first = here.night.state.round("1.1")
    assert {number: table.seats for number, table in first.tables.items()} == {1: ("e1", "e2"), 2: ("e3", "e4")}


def test_a_table_named_twice_and_a_file_that_is_none_are_said(paste):
    here = paste()
    seen = here.look("1: Anna Muster, Beat Meier, Carla Giger\n1: Duri Tuor, Eva Nay, Pia Nay")
    assert "Table 1 is on line 1 already." in seen
    file = io.BytesIO(b"\x00\x01nothing")
    file.name = "x.csv"
    assert "neither CSV nor a workbook" in here.look("", file=file)


def test_a_number_that_no_table_has_is_none(paste):
    paste = paste()
    page = paste.look("Vorname;Nachname;Tisch\nAnna;Caviezel;" + "9" * 30)
    assert "Anna Caviezel" in page
    assert "Table 9" not in page


def test_more_tables_than_there_can_be_are_said(paste, monkeypatch):
    monkeypatch.setattr("tournaments.registration.pasting.MOST_TABLES", 2)
    names = ("Muster", "Meier", "Giger")
    page = paste().look("\n".join(f"Anna {name}, Beat {name}, Carla {name}, Duri {name}" for name in names))
    assert page.count("There are too many tables: at most 2.") == 1


def test_everybody_in_the_list_enters_with_one_tick(desk, night):
    for number in range(60):
        Member.objects.create(
            club=night.club, first_name=f"M{number}", last_name="Cavegn", groups=["A"] if number else []
        )
    address = f"/e/{night.tournament.public_id}/people/add/"
    assert "Everybody in the list below: 61 people" in desk.get(address).content.decode()
    data = {"do": "enter", "everybody": "yes", "kind": "members", "group": "A", "request_id": str(uuid.uuid4())}
    assert desk.post(address, data).status_code == 303
    assert len(night.state.entrants) == 59


def test_only_who_runs_the_evening_pastes(paste):
    here = paste()
    assert Client().get(here.address).status_code in (302, 303, 401, 403)
