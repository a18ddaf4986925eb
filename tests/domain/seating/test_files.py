"""What is published, and that anybody can check it."""

import copy
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from domain.seating.__main__ import WORDS, main
from domain.seating.field import FOR_PLAYERS, Entrant, Field, Past
from domain.seating.files import Draw, canonical, read, verify
from domain.seating.seat import METHODS
from tests.domain.seating.tournaments import EVENINGS, seed_of, tournament

ROOT = Path(__file__).resolve().parents[3]
FIELD = Field(
    tuple(Entrant(f"p{i}", groups=("Zug",)) for i in range(9)),
    absent=frozenset({"p7"}),
    rounds=(Past((("p0", "p1", "p2", "p3"),), out=("p4",)),),
    season=(Past((("p0", "p1", "p2"),), weight=2),),
    standing=(("p1", 3),),
    apart=(("p4", "p2"),),
)
DRAW = Draw("draw", FIELD, replace(FOR_PLAYERS, steps=400), seed_of(1), hall="dice 3 5")


@pytest.fixture
def published():
    return json.loads(json.dumps(DRAW.revealed()))


def test_a_published_draw_holds(published):
    assert verify(published) == []


@pytest.mark.parametrize("number", range(len(EVENINGS)))
def test_every_format_holds_and_is_read_back(number):
    made = tournament(number, rounds=2, most=14)
    draw = Draw(made.method, made.played[-1].field, made.settings, seed_of(number))
    data = json.loads(json.dumps(draw.revealed()))
    assert verify(data) == []
    assert read(data["inputs"], draw.seed, draw.hall) == draw


PUBLISHED = sorted((Path(__file__).parent / "published").glob("*.json"))


@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: file.stem)
def test_draws_published_earlier_still_hold(file):
    """If one does not, the code draws otherwise than it did: that needs a new `files.ENGINE` (and new files here)."""
    assert verify(json.loads(file.read_text(encoding="utf-8"))) == []


def test_there_is_a_published_draw_of_every_format():
    assert {json.loads(file.read_text(encoding="utf-8"))["inputs"]["method"] for file in PUBLISHED} == set(METHODS)


def test_the_promise_keeps_the_seed_to_itself(published):
    promise = DRAW.promise()
    assert set(promise) == {"format", "version", "engine", "commitment", "inputs"}
    assert DRAW.seed.hex() not in json.dumps(promise)
    assert promise["commitment"] == published["commitment"]
    assert replace(DRAW, hall="other dice").promise() == promise


def test_the_promise_does_not_depend_on_the_order_of_names():
    mixed = replace(DRAW, field=replace(FIELD, entrants=FIELD.entrants[::-1]))
    assert mixed.promise() == DRAW.promise()


def tampered(data, what):
    data = copy.deepcopy(data)
    what(data)
    return data


def swap(data):
    first = data["result"]["tables"][0]["seats"]
    first[0], first[1] = first[1], first[0]


@pytest.mark.parametrize(
    ("what", "problems"),
    [
        (swap, ["wrong-result"]),
        (lambda data: data.update(seed="00" * 32), ["wrong-commitment", "wrong-result"]),
        (lambda data: data.update(hall="dice 6 6"), ["wrong-result"]),
        (lambda data: data.update(commitment="00" * 32), ["wrong-commitment"]),
        (lambda data: data["inputs"]["field"]["standing"].clear(), ["wrong-commitment"]),
        (lambda data: data["inputs"]["settings"]["weights"].update(apart=0), ["wrong-commitment"]),
        (lambda data: data["inputs"]["settings"]["weights"].update(apart="much"), ["bad-inputs"]),
        (lambda data: data["inputs"]["settings"].update(more=1), ["bad-inputs"]),
        (lambda data: data["inputs"]["field"]["entrants"].append({"id": "x"}), ["bad-inputs"]),
        (lambda data: data["inputs"]["field"].update(absent="p7"), ["bad-inputs"]),
        (lambda data: data["inputs"]["field"].update(standing=[["p1"]]), ["bad-inputs"]),
        (lambda data: data["inputs"]["field"].update(standing=[["p1", "three"]]), ["bad-inputs"]),
        (lambda data: data["inputs"].update(method="bingo"), ["bad-inputs"]),
        (lambda data: data.update(seed="no hex"), ["bad-inputs"]),
        (lambda data: data.update(engine=99), ["other-engine"]),
        (lambda data: data.update(version=99), ["bad-format"]),
        (lambda data: data.pop("seed"), ["bad-format"]),
        (lambda data: data["result"].update(steps=True), ["wrong-result"]),
    ],
)
def test_what_was_changed_is_found(published, what, problems):
    found = verify(tampered(published, what))
    assert found[: len(problems)] == problems
    assert set(found) <= set(WORDS)


@pytest.mark.parametrize("data", [None, [], "text", 3, {}, {"format": "troccas-seating", "version": 1, "engine": 2}])
def test_other_files_are_no_draws(data):
    assert verify(data) == ["bad-format"]


def test_the_command_says_whether_a_file_holds(published, tmp_path, capsys):
    file = tmp_path / "draw.json"
    file.write_bytes(canonical(published))
    assert main(["verify", str(file)]) == 0
    assert published["commitment"] in capsys.readouterr().out
    file.write_bytes(canonical(tampered(published, swap)))
    assert main(["verify", str(file)]) == 1
    assert WORDS["wrong-result"] in capsys.readouterr().out
    file.write_text("no json")
    assert main(["verify", str(file)]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_the_command_runs_by_itself(published):
    run = subprocess.run(
        [sys.executable, "-m", "domain.seating", "verify", "-"],
        input=canonical(published),
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.startswith(b"It holds.")
