"""The profile of house rules: to JSON and back, what is refused and where, and its published schema."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

import domain.standings
from domain.errors import DomainError
from domain.standings.criteria import CRITERIA
from domain.standings.profile import (
    FORMAT,
    GIVEN,
    Given,
    HouseRules,
    MatchPoints,
    PenaltyKind,
    TableSize,
    from_json,
    from_plain,
    schema,
    to_json,
    to_plain,
)

TROGGU = HouseRules(
    version=3,
    name="Troggu-Abend Visp",
    ruleset="troggu",
    options=(("stake", 10), ("double_at", 29), ("fast", True), ("note", "à la Visp")),
    talk="silent",
    deals=10,
    rounds=4,
    match=MatchPoints(3, 1, 0, ((5, 3, 2, 1, 0), (4, 2, 1, 0))),
    bye=Given("fixed", -20, 1),
    late=Given("lowest"),
    wrong_sum="split",
    dropped=1,
    tie_breaks=("card-points", "best-round", "lot"),
    table_sizes=(TableSize(6, 12, 110, 2), TableSize(3, 6)),
    penalties=(PenaltyKind("late", "Late at the table", 10), PenaltyKind("word", "A word too many")),
    leavers="out",
    fewest_rounds=2,
    overdue="forfeit",
    odd_numbers="bye",
    fee=1500,
)
PUBLISHED = Path(domain.standings.__file__).parent / "house-rules.schema.json"

several = some.builds(
    HouseRules,
    version=some.integers(1, 9999),
    name=some.text(min_size=1, max_size=100),
    options=some.dictionaries(
        some.text(max_size=9), some.booleans() | some.integers() | some.text(max_size=9), max_size=4
    ).map(lambda options: tuple(options.items())),
    deals=some.integers(1, 200),
    rounds=some.integers(3, 100),
    bye=some.builds(Given, some.sampled_from(GIVEN), some.integers(-100, 100), some.integers(-9, 9)),
    dropped=some.integers(0, 2),
    tie_breaks=some.permutations(tuple(set(CRITERIA) - {"lot", "card-points"})).map(
        lambda rest: ("card-points", *rest, "lot")
    ),
)


@given(several)
def test_what_is_written_is_read_again(rules):
    assert from_json(to_json(rules)) == rules
    assert to_json(from_json(to_json(rules))) == to_json(rules)


def test_every_field_survives():
    assert from_json(to_json(TROGGU)) == TROGGU
    default = to_plain(HouseRules())
    same = {name for name, value in to_plain(TROGGU).items() if value == default[name]}
    assert same == {"drawn", "absent", "unfinished", "drop_missed", "head_to_head"}


def test_what_is_left_out_has_its_default_inside_groups_too():
    read = from_json(json.dumps({"format": FORMAT, "bye": {"points": 3}, "match": {"win": 5}}))
    assert read == replace(HouseRules(), bye=Given("own-average", 3), match=MatchPoints(5, 1, 0))


@pytest.mark.parametrize(
    ("changed", "code", "field"),
    [
        ({"deals": 0}, "out-of-range", "deals"),
        ({"deals": True}, "not-a-number", "deals"),
        ({"deals": "8"}, "not-a-number", "deals"),
        ({"deals": 8.0}, "not-a-number", "deals"),
        ({"drop_missed": 1}, "not-yes-or-no", "drop_missed"),
        ({"name": ""}, "bad-length", "name"),
        ({"name": None}, "not-a-text", "name"),
        ({"bye": {"method": "luck"}}, "not-a-choice", "bye.method"),
        ({"bye": {"method": ["fixed"]}}, "not-a-choice", "bye.method"),
        ({"bye": 7}, "not-a-group", "bye"),
        ({"bye": {"joker": 7}}, "unknown", "bye.joker"),
        ({"tiebreaks": []}, "unknown", "tiebreaks"),
        ({"tie_breaks": []}, "bad-count", "tie_breaks"),
        ({"tie_breaks": "lot"}, "not-a-list", "tie_breaks"),
        ({"tie_breaks": ["card-points", "height"]}, "not-a-choice", "tie_breaks[1]"),
        ({"tie_breaks": ["card-points", "wins", "card-points"]}, "twice", "tie_breaks[2]"),
        ({"tie_breaks": ["lot"]}, "bad-first", "tie_breaks[0]"),
        ({"tie_breaks": ["card-points", "lot", "wins"]}, "lot-not-last", "tie_breaks"),
        ({"rounds": 2, "dropped": 2}, "drops-all", "dropped"),
        ({"rounds": 2, "fewest_rounds": 3}, "more-than-rounds", "fewest_rounds"),
        ({"match": {"draw": 3}}, "wrong-order", "match"),
        ({"match": {"places": [[1, 2, 3]]}}, "wrong-order", "match.places[0]"),
        ({"match": {"places": [[2, 1], [1, 0]]}}, "twice", "match.places[1]"),
        ({"table_sizes": [{"size": 3}]}, "missing", "table_sizes[0].deals"),
        (
            {"table_sizes": [{"size": 9, "deals": 0, "percent": 100, "per_deal": 0}]},
            "out-of-range",
            "table_sizes[0].size",
        ),
        ({"penalties": [{"code": "a", "title": "A", "points": -1, "match": 0}]}, "out-of-range", "penalties[0].points"),
        ({"options": {"talk": 1.5}}, "bad-option", "options.talk"),
        ({"options": []}, "not-a-group", "options"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_name_of_its_field(changed, code, field):
    with pytest.raises(DomainError) as refused:
        from_plain(changed)
    assert (refused.value.code, refused.value.field) == (code, field)


@pytest.mark.parametrize(
    ("text", "code"), [("{", "not-json"), ("[]", "not-a-group"), ("{}", "unknown-format"), ("[" * 99999, "not-json")]
)
def test_a_text_that_is_no_profile_is_refused(text, code):
    with pytest.raises(DomainError) as refused:
        from_json(text)
    assert refused.value.code == code


def test_the_schema_that_is_published_is_that_of_the_code():
    assert json.loads(PUBLISHED.read_text()) == schema()


def test_the_schema_agrees_with_the_code():
    published = json.loads(PUBLISHED.read_text())
    for rules in (HouseRules(), TROGGU):
        assert fits(json.loads(to_json(rules)), published)
    wrongs: tuple[dict[str, object], ...] = (
        {"deals": 0}, {"deals": True}, {"name": ""}, {"bye": {"method": "luck"}}, {"bye": {"joker": 7}},
        {"tie_breaks": []}, {"tie_breaks": ["height"]}, {"table_sizes": [{"size": 3}]}, {"options": {"talk": 1.5}},
    )  # fmt: skip
    for wrong in wrongs:
        assert not fits({"format": FORMAT} | wrong, published), wrong
    assert not fits({}, published)


def fits(value, schema) -> bool:
    """Whether a value fits the few words of JSON Schema that the published one uses; another word fails the test."""
    kinds = {"integer": int, "string": str, "boolean": bool, "array": list, "object": dict}
    for word, rule in schema.items():
        match word:
            case "$schema" | "title":
                good = True
            case "type":
                named = rule if isinstance(rule, list) else [rule]
                good = any(type(value) is kinds[each] for each in named)
            case "enum":
                good = value in rule
            case "const":
                good = value == rule
            case "minimum":
                good = value >= rule
            case "maximum":
                good = value <= rule
            case "minLength" | "minItems":
                good = len(value) >= rule
            case "maxLength" | "maxItems" | "maxProperties":
                good = len(value) <= rule
            case "items":
                good = all(fits(each, rule) for each in value)
            case "required":
                good = set(rule) <= set(value)
            case "properties":
                good = all(fits(value[name], each) for name, each in rule.items() if name in value)
            case "additionalProperties" if rule is False:
                good = set(value) <= set(schema["properties"])
            case "additionalProperties":
                good = all(fits(each, rule) for each in value.values())
            case _:
                raise AssertionError(word)
        if not good:
            return False
    return True
