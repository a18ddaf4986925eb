"""Files of draws: what is told when, that they hold, and that every change in them is noticed."""

from __future__ import annotations

import copy
import json
import uuid
from pathlib import Path

import pytest
from django.test import Client

from domain.seating import files
from domain.tournament.__main__ import main
from domain.tournament.drawing import Problem, verify
from tests.tournaments.publishing.conftest import played
from tests.tournaments.services.kit import Night
from tournaments import permissions as tournaments_permissions
from tournaments.publishing import exports
from tournaments.services import draws

pytestmark = pytest.mark.django_db


def whole(night: Night) -> dict:
    """The file as it would be downloaded: through JSON and back."""
    return json.loads(json.dumps(exports.draws_as_data(night.tournament, night.state)))


def codes(data: object) -> set[str]:
    return {problem.code for problem in verify(data).problems}


@pytest.fixture
def closed(db: None) -> dict:
    """The file of an evening with a draw that was undone, and lots, closed."""
    night = Night.at(8, rules={"rounds": 2, "deals": 2, "tie_breaks": ["match-points", "lot"]})
    night.begin()
    night.draw(out=False)
    night.do("draw.undone", phase=1, round=1, reason="Giachen was not there")
    night.draw()
    night.play_round("1.1")
    night.draw()
    night.play_round("1.2")
    draws.draw_lots(night.tournament, 1, by=tournaments_permissions.director(night.director), request_id=uuid.uuid4())
    night.do("tournament.closed")
    return whole(night)


def test_the_file_of_a_closed_tournament_holds(closed: dict):
    report = verify(closed)
    assert report.problems == ()
    assert (report.draws, report.secret, report.drafts) == (3, True, 0)
    assert report.lots > 0


def test_an_undone_draw_stays_in_the_file_without_what_the_desk_wrote_about_people(closed: dict):
    assert [draw["status"] for draw in closed["draws"]] == ["undone", "closed", "closed"]
    assert closed["draws"][0]["undone"]["reason"] == ""
    assert "Giachen" not in json.dumps(closed)


def test_a_draw_that_is_left_out_is_missed(closed: dict):
    del closed["draws"][0]
    assert verify(closed).problems == (Problem("attempt-missing", "1.1/1"),)


def test_two_people_who_change_places_are_noticed(closed: dict):
    seats = closed["draws"][1]["file"]["result"]["tables"][0]["seats"]
    seats[0], seats[1] = seats[1], seats[0]
    assert verify(closed).problems == (Problem("wrong-result", "1.1/2"),)


def test_a_seed_that_does_not_come_from_the_secret_is_noticed_even_if_draw_and_commitment_fit(closed: dict):
    file = closed["draws"][1]["file"]
    forged = files.read(file["inputs"], b"x" * 32, "")
    closed["draws"][1]["file"] = json.loads(json.dumps(forged.revealed()))
    assert verify(closed).problems == (Problem("wrong-seed", "1.1/2"),)


def test_another_secret_is_noticed(closed: dict):
    closed["secret"] = "00" * 32
    assert "wrong-secret" in codes(closed)


def test_a_lot_with_another_winner_is_noticed(closed: dict):
    closed["lots"][0]["order"].reverse()
    assert codes(closed) == {"wrong-lot"}


def test_a_lot_from_a_seed_of_ones_own_is_noticed(closed: dict):
    closed["lots"][0]["label"] += "x"
    assert "wrong-seed" in codes(closed)


@pytest.mark.parametrize("part", ["draws", "lots", "pairs", "secret", "commitment"])
def test_a_file_in_which_something_is_missing_is_refused_in_words(closed: dict, part: str):
    del closed[part]
    assert codes(closed) == {"bad-format"}


@pytest.mark.parametrize("data", [None, [], {}, {"format": "troccas-tournament-draws"}, {"format": "x", "version": 1}])
def test_anything_else_is_no_such_file(data: object):
    assert codes(data) == {"bad-format"}


def test_before_closing_the_secret_is_not_told_and_the_draws_can_be_checked_all_the_same(night: Night):
    data = whole(night)
    assert data["secret"] is None
    assert bytes(night.tournament.draw_secret).hex() not in json.dumps(data)
    report = verify(data)
    assert report.problems == ()
    assert not report.secret


def test_a_draft_shows_its_promise_only(db: None):
    night = Night.at(8)
    night.begin()
    night.draw(out=False)
    data = whole(night)
    assert set(data["draws"][0]["file"]) == {"format", "version", "engine", "commitment", "inputs"}
    assert verify(data).drafts == 1
    night.do("round.published", round="1.1")
    assert "seed" in whole(night)["draws"][0]["file"]


def test_pairs_that_were_drawn_can_be_drawn_again(db: None):
    night = Night.at(kind="pair", method="draw", odd=["bye"])
    for _each in range(7):
        night.walk_in()
    draws.make_pairs(night.tournament, by=tournaments_permissions.director(night.director), request_id=uuid.uuid4())
    night.begin()
    night.draw()
    night.do("tournament.closed", despite="it was a test")
    data = whole(night)
    assert verify(data).problems == ()
    assert len(data["pairs"][0]["single"]) == 7
    changed = copy.deepcopy(data)
    first, second = changed["pairs"][0]["pairs"][:2]
    first[0], second[0] = second[0], first[0]
    assert codes(changed) == {"wrong-pairs"}


def test_a_plan_for_all_rounds_is_one_draw_of_one_seed(db: None):
    night = Night.at(8, method="rotation", odd=["bye"])
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.draw()
    night.do("tournament.closed", despite="it was a test")
    assert verify(whole(night)).problems == ()


def test_every_draw_alone_is_a_file_that_seating_verifies(client):
    night = played()
    page = client.get(f"/e/{night.tournament.public_id}/draws/").content.decode()
    for key in ("1.1-1", "1.2-1"):
        answer = client.get(f"/e/{night.tournament.public_id}/draws/{key}.json")
        assert f"/draws/{key}.json" in page
        assert files.verify(answer.json()) == []


def test_the_command_says_whether_a_file_holds(closed: dict, tmp_path: Path, capsys):
    file = tmp_path / "draws.json"
    file.write_text(json.dumps(closed), encoding="utf-8")
    assert main(["verify", str(file)]) == 0
    assert "It holds: 3 draws" in capsys.readouterr().out
    closed["secret"] = "11" * 32
    file.write_text(json.dumps(closed), encoding="utf-8")
    assert main(["verify", str(file)]) == 1
    assert "wrong-secret" in capsys.readouterr().out
    file.write_text("no JSON", encoding="utf-8")
    assert main(["verify", str(file)]) == 2


def test_the_file_of_a_round_is_that_of_the_draw_that_stands(client: Client):
    night = Night.at(8, rules={"rounds": 2, "deals": 2})
    night.begin()
    night.draw(out=False)
    night.do("draw.undone", phase=1, round=1, reason="Giachen was not there")
    night.draw()
    address = f"/e/{night.tournament.public_id}/draws"
    stands = client.get(f"{address}/1.1.json")
    assert stands.status_code == 200
    assert stands.content == client.get(f"{address}/1.1-2.json").content
    assert stands.content != client.get(f"{address}/1.1-1.json").content


def test_whom_the_organiser_wants_apart_stands_in_no_public_file_and_the_club_can_check_it(
    client: Client, tmp_path, capsys
):
    night = Night.at(8, rules={"rounds": 3, "deals": 2})
    people = list(night.state.entrants)
    # Somebody is kept apart from all others: whatever is drawn, wishes are broken, which the result tells.
    night.do("apart.set", pairs=[[people[0], other] for other in people[1:]])
    night.begin()
    night.draw()
    night.play_round("1.1")
    night.do("tournament.closed", despite="it was a test")
    address = f"/e/{night.tournament.public_id}"
    for name in ("draws/draws.json", "draws/1.1-1.json", "results.json"):
        said = client.get(f"{address}/{name}").json()
        assert not any(isinstance(found, list) and found for found in lists_of(said, "apart")), name
        assert "apart" not in lists_of(said, "criterion"), name
    public = client.get(f"{address}/draws/draws.json").json()
    report = verify(public)
    assert (report.problems, report.draws, report.withheld) == ((), 1, 1)
    assert files.verify(client.get(f"{address}/draws/1.1-1.json").json()) == ["withheld"]
    public["draws"][0]["file"]["seed"] = "00" * 32
    assert codes(public) == {"wrong-seed"}
    assert "stays with the club" in client.get(f"{address}/draws/").content.decode()
    (tmp_path / "draws.json").write_text(json.dumps(client.get(f"{address}/draws/draws.json").json()), encoding="utf-8")
    assert main(["verify", str(tmp_path / "draws.json")]) == 0
    assert "1 of the draws keep people apart" in capsys.readouterr().out
    client.force_login(night.director.user)
    own = client.get(f"{address}/draws/draws.json").json()
    assert "apart" in lists_of(own, "criterion")
    assert (verify(own).problems, verify(own).withheld) == ((), 0)


def lists_of(data: object, name: str) -> list[object]:
    """Everything that is called so, anywhere in a file."""
    if isinstance(data, list):
        return [found for each in data for found in lists_of(each, name)]
    if isinstance(data, dict):
        inside = [found for each in data.values() for found in lists_of(each, name)]
        return inside + ([data[name]] if name in data else [])
    return []
