"""Records: the samples replay to what is expected of them, and what is wrong with a record is said in one clear line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.engine import RecordError, parse_record, replay
from domain.engine.record import replayed
from domain.engine.rulesets import RULESETS
from tests.domain.engine.corners import CORNERS
from tests.domain.engine.kit import RECORDS, TROCCAS

PLAYABLE = {name for name, _ in RULESETS}
SAMPLES = [path for path in sorted(RECORDS.rglob("*.json")) if not path.name.endswith(".expected.json")]


def sample(name: str = "troccas") -> dict[str, Any]:
    data: dict[str, Any] = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    return data


def playable(path: Path) -> bool:
    return json.loads(path.read_text(encoding="utf-8"))["ruleset"] in PLAYABLE


@pytest.mark.parametrize("path", [path for path in SAMPLES if playable(path)], ids=lambda path: path.stem)
def test_a_sample_replays_ply_by_ply_to_what_is_expected(path: Path) -> None:
    record = parse_record(path.read_bytes())
    expected = json.loads(path.with_name(f"{path.stem}.expected.json").read_text(encoding="utf-8"))
    assert replayed(record, legal=True) == expected
    plain = {**expected, "hands": [{k: v for k, v in hand.items() if k != "decisions"} for hand in expected["hands"]]}
    assert replayed(record) == plain
    assert replay(record).totals == expected["totals"]


def test_the_samples_of_this_ruleset_are_there() -> None:
    names = {path.stem for path in SAMPLES}
    assert {"troccas", "troccas-b", "troccas-dealer-without-trumps"} <= names


@pytest.mark.parametrize("name", CORNERS)
def test_a_corner_record_shows_its_corner(name: str) -> None:
    _word, options, shows = CORNERS[name]
    record = parse_record((RECORDS / "corners" / f"{name}.json").read_bytes())
    last = replay(record).hand
    assert last is not None
    assert shows(last)
    assert record.options == TROCCAS.settled_options(options)


def test_a_record_that_ends_early_is_unfinished_and_says_who_is_to_act() -> None:
    data = sample()
    data["hands"] = data["hands"][:1]
    data["hands"][0]["actions"] = data["hands"][0]["actions"][:12]
    assert replayed(parse_record(json.dumps(data))) == {
        "ruleset": "troccas",
        "hands": [{"status": "unfinished", "to_act": 3}],
        "totals": [0, 0, 0, 0],
    }


def test_a_record_without_hands_is_a_game_that_has_not_begun() -> None:
    assert replayed(parse_record(json.dumps({**sample(), "hands": []}))) == {
        "ruleset": "troccas",
        "hands": [],
        "totals": [0, 0, 0, 0],
    }


def test_what_a_record_carries_along_is_kept() -> None:
    data = {**sample(), "events": [{"after": 3}], "proof": [{"secret": "00"}], "place": "Sedrun"}
    record = parse_record(json.dumps(data))
    assert (record.events, record.proof, record.extra) == (data["events"], data["proof"], {"place": "Sedrun"})
    written = record.to_json()
    assert {**data, "ruleset_version": 1, "options": {}} == written


def test_options_that_are_the_defaults_are_not_written() -> None:
    record = parse_record(json.dumps({**sample(), "options": {"knock": "on", "hands": 4}}))
    assert record.to_json()["options"] == {"knock": True}


def change(data: dict[str, Any], hand: int, place: int, text: str) -> None:
    data["hands"][hand]["actions"][place] = text


def first_pack(data: dict[str, Any], edit: Callable[[list[str]], object]) -> None:
    pack = data["hands"][0]["pack"].split()
    edit(pack)
    data["hands"][0]["pack"] = " ".join(pack)


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (lambda d: change(d, 0, 0, "3 cut 0"), 'hand 1, action 1 "3 cut 0": a cut lifts 1 to 77 cards'),
        (lambda d: change(d, 0, 0, "2 cut 9"), 'hand 1, action 1 "2 cut 9": seat 3 is to act'),
        (lambda d: change(d, 0, 0, "cut 9"), 'hand 1, action 1 "cut 9": no such action: 9'),
        (lambda d: change(d, 0, 1, "1 jump"), 'hand 1, action 2 "1 jump": no such action: jump'),
        (lambda d: change(d, 0, 1, "1 allow cK"), 'hand 1, action 2 "1 allow cK": no such phrase: cK'),
        (lambda d: change(d, 0, 8, "1 play XX"), 'hand 1, action 9 "1 play XX": no such card: XX'),
        (lambda d: change(d, 0, 8, "1 play CK"), 'hand 1, action 9 "1 play CK": CK is not in this hand'),
        (lambda d: d["hands"][0]["actions"].append("1 go"), 'hand 1, action 88 "1 go": the hand is over'),
        (lambda d: d["hands"][0]["actions"].append("-1 go"), 'hand 1, action 88 "-1 go": the hand is over'),
        (lambda d: d["hands"][0]["actions"].pop(), "hand 1: the actions end before the hand does"),
        (lambda d: d["hands"][1].update(dealer=3), "hand 2: seat 1 deals, not 3"),
        (lambda d: d["hands"][1].update(dealer=4), "hand 2: the dealer is a seat from 0 to 3"),
        (lambda d: d["hands"][1].update(dealer=True), "hand 2: the dealer is a seat from 0 to 3"),
        (lambda d: d["hands"].append(d["hands"][0]), "hand 6: the game is over"),
        (lambda d: first_pack(d, lambda pack: pack.remove("F")), "hand 1: F is missing in the pack"),
        (lambda d: first_pack(d, lambda pack: pack.append("CK")), "hand 1: CK lies twice in the pack"),
        (lambda d: first_pack(d, lambda pack: pack.append("CX")), "hand 1: no such card: CX"),
        (lambda d: d["hands"][0].update(pack=7), "hand 1: the pack is a line of cards"),
        (lambda d: d["hands"][0].update(actions="3 cut 1"), "hand 1: actions are a list of texts"),
        (lambda d: d["hands"][0].update(actions=[1]), "hand 1: actions are a list of texts"),
        (lambda d: d["hands"].insert(0, []), "hand 1: a hand is one JSON object"),
        (lambda d: d.update(hands={}), "hands are a list"),
        (lambda d: d.update(format="pgn"), "unknown format: 'pgn'"),
        (lambda d: d.update(version=2), "unknown version: 2"),
        (lambda d: d.update(version=True), "unknown version: True"),
        (lambda d: d.update(ruleset="tarock"), "no such ruleset: tarock"),
        (lambda d: d.update(ruleset=["troccas"]), "unknown ruleset: ['troccas']"),
        (lambda d: d.update(ruleset_version=9), "ruleset troccas has no version 9"),
        (lambda d: d.update(options={"stake": 1}), "troccas has no option stake"),
        (lambda d: d.update(options={"hands": 0}), "option hands is a number from 1 to 16"),
        (lambda d: d.update(options=[]), "options are one JSON object"),
        (lambda d: d.update(players=["Anna"]), "troccas has 4 players, the record names 1"),
        (lambda d: d.update(players=[1, 2, 3, 4]), "players are a list of names"),
    ],
)
def test_what_is_wrong_with_a_record_is_said_in_one_line(edit: Callable[[dict[str, Any]], object], line: str) -> None:
    data = sample()
    edit(data)
    for reading in (replayed, replay):
        with pytest.raises(RecordError) as wrong:
            reading(parse_record(json.dumps(data)))
        assert str(wrong.value) == line


def test_a_card_of_the_wrong_suit_is_named_with_the_rule() -> None:
    data = sample()
    place, text = next((place, f"{line[0]} play {card}") for place, line, card in discards(data))
    change(data, 0, place, text)
    with pytest.raises(RecordError, match=rf'^hand 1, action {place + 1} "{text}": must follow \w+$'):
        replay(parse_record(json.dumps(data)))


def discards(data: dict[str, Any]) -> list[tuple[int, str, str]]:
    """Plays of the first hand that follow suit, by a player who holds a card of another suit: (place, line, that card)."""
    found: list[tuple[int, str, str]] = []
    expected = json.loads((RECORDS / "troccas.expected.json").read_text(encoding="utf-8"))["hands"][0]["decisions"]
    lines = data["hands"][0]["actions"]
    for place, line in enumerate(lines):
        legal = expected[place]["legal"]
        if " play " not in line or not isinstance(legal, list) or not all(text.startswith("play S") for text in legal):
            continue
        later = [text.split()[2] for text in lines[place + 1 :] if text.startswith(f"{line[0]} play ")]
        found += [(place, line, card) for card in later if card[0] in "COBT"]
    return found


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", "null", b"\xff\xfe\xfa", "[" * 100_000, '{"format": "troccas-record"', "9" * 5000]
)
def test_what_is_no_record_is_refused(text: str | bytes) -> None:
    with pytest.raises(RecordError):
        parse_record(text)
