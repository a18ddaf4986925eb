"""Puzzles by program: the position, and the answer for whoever has tried it."""

from __future__ import annotations

import pytest

from accounts import tokens
from games.puzzles import selectors, stored
from games.puzzles.models import Attempt
from tests.games.api_kit import Program, member
from tests.games.puzzles.kit import asking

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> Program:
    return Program(member("Anna"))


def test_the_list_names_every_puzzle_the_one_of_the_day_and_one_that_suits(program: Program):
    found = program.ask("/puzzles")
    assert [row["name"] for row in found["results"]] == list(stored.all_puzzles())
    today = selectors.today()
    assert today is not None
    assert found["today"] == today.name
    assert found["next"] in stored.all_puzzles()
    assert {row["game"] for row in program.ask("/puzzles", game="troggu")["results"]} == {"troggu"}
    assert program.ask("/puzzles", game="jass")["results"] == []


@pytest.mark.parametrize("question", ["play", "scart", "bid", "decide", "call"])
def test_what_may_be_answered_is_taken_and_only_then_the_answer_is_told(program: Program, question: str):
    found = asking(question)
    best = str(found.best)
    before = program.ask(f"/puzzles/{found.name}")
    assert (before["given"], before["solved"], before["solution"]) == (None, None, None)
    legal = before["position"]["legal"]
    if legal["kind"] == "cards":
        verb, *cards = best.split()
        assert verb == legal["verb"]
        assert len(cards) == legal["count"]
        assert {*cards} <= {*legal["cards"], *legal["together"]}
    else:
        assert {str(action) for action in found.right} <= {*legal["actions"]}
    after = program.send(f"/puzzles/{found.name}/answer", 200, {"action": best})
    assert after["position"] == before["position"]
    assert (after["given"], after["solved"]) == (best, True)
    first = after["solution"]["options"][0]
    assert (first["action"], first["right"]) == (best, True)
    assert after["solution"]["reasons"]
    assert program.ask(f"/puzzles/{found.name}") == after


def test_the_first_answer_counts(program: Program):
    found = asking("play")
    legal = program.ask(f"/puzzles/{found.name}")["position"]["legal"]["actions"]
    wrong = next(action for action in legal if action not in map(str, found.right))
    assert program.send(f"/puzzles/{found.name}/answer", 200, {"action": wrong})["solved"] is False
    again = program.send(f"/puzzles/{found.name}/answer", 200, {"action": str(found.best)})
    assert (again["given"], again["solved"]) == (wrong, False)
    assert Attempt.objects.count() == 1


def test_what_the_rules_do_not_allow_is_refused_and_counts_as_nothing(program: Program):
    found = asking("play")
    for action in ("play", "pass", "play C99", "discard CK", ""):
        answer = program.send(f"/puzzles/{found.name}/answer", 422, {"action": action})
        assert answer["code"] == "not-possible"
    assert program.ask("/puzzles/troccas-999", 404)["code"] == "not-found"
    assert not Attempt.objects.exists()


def test_answering_needs_the_right_to_play():
    reader = Program(member("Beat"), scopes=(tokens.READ,))
    found = asking("play")
    assert reader.ask(f"/puzzles/{found.name}")["solution"] is None
    assert reader.send(f"/puzzles/{found.name}/answer", 403, {"action": str(found.best)})["code"] == "scope-missing"
