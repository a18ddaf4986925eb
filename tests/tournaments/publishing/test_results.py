"""Results as files: the JSON is what its schema says, the tables say the same, and cells are harmless."""

from __future__ import annotations

import csv
import io
import json
import re

import jsonschema
import pytest
from django.test import Client
from openpyxl import load_workbook

from tests.tournaments.publishing.conftest import played
from tests.tournaments.services.kit import Night
from tournaments.publishing import exports, tabular
from tournaments.read_models import Names

pytestmark = pytest.mark.django_db
SCHEMA = json.loads(exports.SCHEMA.read_text(encoding="utf-8"))


def data_of(night: Night, to: str = "public") -> dict:
    """The JSON of a night, checked against the published schema."""
    state = night.state
    data = json.loads(exports.results_as_json(night.tournament, state, Names(night.tournament, to)))
    jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(data)
    return data


def rows_of(sheet: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(sheet.decode("utf-8-sig")), delimiter=";"))


def test_the_schema_itself_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_is_served_at_its_address_for_good(client):
    answer = client.get("/e/results-2.schema.json")
    assert answer.json() == SCHEMA
    assert answer["Content-Type"] == "application/schema+json"
    first = client.get("/e/results-1.schema.json").json()
    assert first["properties"]["version"] == {"const": 1}
    assert "travellers" not in first["properties"]


def test_a_tournament_before_it_begins_fits_the_schema():
    assert data_of(Night.at())["rounds"] == []


def test_an_evening_with_all_sorts_of_things_fits_the_schema():
    night = played()
    night.do("penalty.given", phase=1, entrant="e2", reason="Vorname2 came late", points=5)
    night.do(
        "table.settled",
        table="1.1.1",
        lines=[{"deal": 1, "scores": [40, 32]}, {"deal": 2, "scores": [30, 42]}],
        reason="misread",
    )
    night.do("prizes.set", prizes=[{"code": "1", "amount": 5000}, {"code": "2", "thing": "Salsiz"}])
    night.do("tournament.closed", despite="the lots are left out")
    data = data_of(night)
    assert [each["key"] for each in data["rounds"]] == ["1.1", "1.2"]
    assert data["rounds"][0]["tables"][0]["sums"] == [70, 74]
    assert len(data["awards"]) == 2


def test_pairs_byes_disputes_and_substitutes_fit_the_schema():
    night = Night.at(kind="pair", odd=["bye"])
    for _pair in range(5):
        night.walk_in(pair=True)
    night.begin()
    night.draw()
    night.write("1.1.1")
    night.do("table.handed-in", table="1.1.1", place=0)
    night.do("table.disputed", table="1.1.1", place=1, lines=[{"deal": 1, "scores": [30, 42]}], note="no")
    table = night.table("1.1.2")
    new = night.person()
    night.do("entrant.substituted", id=table.owners[0], old=table.people[0], new=new.public_id)
    data = data_of(night)
    assert len(data["rounds"][0]["byes"]) == 1
    assert [each["state"] for each in data["rounds"][0]["tables"]] == ["disputed", "playing"]
    assert data["rounds"][0]["tables"][1]["seats"][0]["substitute"] is True


def test_a_final_after_the_first_part_fits_the_schema():
    night = played(rounds=1, number=8)
    night.do("phase.finished", phase=1)
    night.begin("Final", after=1, entrants=["e1", "e2", "e3", "e4"], carry=True)
    night.draw(2)
    night.play_round("2.1")
    data = data_of(night)
    assert [each["after"] for each in data["phases"]] == [0, 1]
    assert {each["phase"] for each in data["ranking"]["places"][:4]} == {2}


def test_what_the_desk_wrote_in_its_own_words_is_only_in_the_file_of_the_desk():
    night = played(rounds=1, number=8)
    night.do("penalty.given", phase=1, entrant="e2", reason="Maria came late", points=5)
    assert "Maria" not in json.dumps(data_of(night))
    assert "Maria" in json.dumps(data_of(night, "staff"))


def test_the_ranking_as_csv_is_the_ranking():
    night = played()
    heads, *rows = rows_of(tabular.as_csv(tabular.ranking(night.state, Names(night.tournament, "hall"))))
    assert heads[:2] == ["Rank", "Name"]
    data = data_of(night, "hall")["ranking"]["places"]
    assert [(row[0], row[1]) for row in rows] == [(str(each["rank"]), each["name"]) for each in data]


def test_the_deals_as_csv_add_up_to_the_sums():
    night = played(rounds=1, number=8)
    _heads, *rows = rows_of(tabular.as_csv(tabular.deals(night.state, Names(night.tournament, "hall"))))
    assert sum(int(row[-1]) for row in rows) == 2 * 2 * 72


def test_a_name_that_looks_like_a_formula_is_a_text_in_every_file():
    night = played(rounds=1, number=8)
    person = night.people[0]
    person.first_name, person.last_name, person.named = '=HYPERLINK("http://x.invalid")', "Caduff", True
    person.save()
    state, names = night.state, Names(night.tournament, "public")
    for row in rows_of(tabular.as_csv(tabular.people(state, names))):
        assert not row[1].startswith("=")
    book = load_workbook(io.BytesIO(tabular.as_xlsx(tabular.all_sheets(state, names))))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if "HYPERLINK" in str(cell.value)]
    assert cells
    assert all(cell.data_type == "s" and not str(cell.value).startswith("=") for cell in cells)


def test_numbers_below_zero_stay_numbers():
    night = played(rounds=1, number=8)
    book = load_workbook(
        io.BytesIO(tabular.as_xlsx(tabular.all_sheets(night.state, Names(night.tournament, "public"))))
    )
    values = [cell.value for row in book["Rounds"].iter_rows(min_row=2) for cell in row]
    assert any(isinstance(value, int) and value < 0 for value in values)


def test_the_till_is_only_for_who_runs_the_tournament(client):
    night = Night.at(4)
    night.do("money.entered", kind="fee", amount=1050, who="e1")
    night.do("money.entered", kind="expense", amount=500, note="=bread")
    night.do("money.cancelled", id="m2", reason="not ours")
    address = f"/e/{night.tournament.public_id}/till.csv"
    assert client.get(address).status_code == 403
    client.force_login(night.director.user)
    rows = rows_of(client.get(address).content)
    assert rows[1][2:5] == ["10.50", "", "Vorname1 Nachname1"]
    assert rows[2][3] == "5.00"
    assert rows[2][5:] == ["'=bread", "not ours"]


@pytest.mark.services
def test_what_no_feed_can_hold_does_not_stop_the_feed():
    night = Night.at(8)
    night.begin(name="Final\x0bof\x00the best")
    night.draw()
    answer = Client().get(f"/e/{night.tournament.public_id}/news.atom")
    assert answer.status_code == 200
    assert "Final of the best" in answer.content.decode()


def test_before_the_first_result_nobody_has_a_rank_on_any_page_paper_or_file(client):
    night = Night.at(8, rules={"rounds": 2, "deals": 2, "tie_breaks": ["match-points", "card-points", "lot"]})
    night.begin()
    night.draw()
    night.write("1.1.1")
    at = f"/e/{night.tournament.public_id}/"
    data = data_of(night)
    assert {row["rank"] for row in data["ranking"]["places"]} == {0}
    assert {(row["rank"], row["shared"]) for row in data["phases"][0]["standings"]} == {(0, False)}
    assert {row[0] for row in rows_of(client.get(f"{at}results/ranking.csv").content)[1:]} == {"–"}
    client.force_login(night.director.user)
    for path in ("", "standings/", "paper/ranking/"):
        page = client.get(at + path).content.decode()
        assert "No table counts yet: nobody has a rank." in page, path
        ranks = re.findall(r'<td(?: class="number")?>([^<]*)</td>\s*<th scope="row">', page)
        assert len(ranks) == 8, path
        assert set(ranks) == {"–"}, path
    for path in ("entrant/e1/", "paper/result/?entrant=e1"):
        assert "Rank 1" not in client.get(at + path).content.decode(), path


def test_a_final_without_a_result_yet_leaves_everybody_in_their_place():
    night = played(rounds=1, number=8)
    before = [(row["entrant"], row["rank"]) for row in data_of(night)["ranking"]["places"]]
    night.do("phase.finished", phase=1)
    night.begin("Final", after=1, entrants=[who for who, _rank in before[:4]])
    night.draw(2)
    assert [(row["entrant"], row["rank"]) for row in data_of(night)["ranking"]["places"]] == before
    assert {row["rank"] for row in data_of(night)["phases"][1]["standings"]} == {0}
    night.play_round("2.1")
    after = data_of(night)["ranking"]["places"]
    assert {row["entrant"] for row in after[:4]} == {who for who, _rank in before[:4]}
    assert {row["phase"] for row in after[:4]} == {2}
