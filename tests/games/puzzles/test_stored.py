"""Every stored puzzle is a real position with a legal answer, and says what the engine and the computer player say."""

from __future__ import annotations

import pytest

from domain.bots import advice
from domain.bots.evaluating import evaluate, prospects
from domain.bots.puzzling import LEAST, SURE, as_good, is_clear, theme_of
from domain.bots.reviewing import facts, plain
from domain.engine.cards import CODES
from games.puzzles import stored
from games.puzzles.selectors import games, in_turn, number_of
from games.selectors import rulesets
from tests.games.puzzles.kit import lines

PUZZLES = list(stored.all_puzzles().values())


def test_there_are_puzzles_and_their_names_are_their_own():
    assert "troccas" in games()
    assert len({line["id"] for line in lines()}) == len(list(lines())) == len(PUZZLES)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_a_puzzle_is_a_position_that_the_engine_reaches_and_its_answers_are_legal(puzzle):
    hand = stored.hand_of(puzzle)
    assert not hand.over
    assert hand.turn == puzzle.seat
    assert all(value.action in hand.legal for value in puzzle.values)
    assert puzzle.thumb in hand.legal
    assert puzzle.instead in hand.legal
    assert puzzle.best in puzzle.right
    assert puzzle.instead not in puzzle.right


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_one_action_is_better_than_each_other_by_far_more_than_chance(puzzle):
    best, *others = puzzle.values
    assert others
    assert as_good(stored.view_of(puzzle), puzzle.best) == puzzle.right
    for other in others:
        if other.action in puzzle.right:
            continue
        gap = best.points - other.points
        assert gap >= LEAST - 0.011  # written with two decimals
        assert gap >= SURE * other.error - 0.06


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_theme_rule_of_thumb_and_facts_follow_from_the_position(puzzle):
    view = stored.view_of(puzzle)
    advised = advice.advise(view)
    assert plain(advised.action) == puzzle.thumb
    assert puzzle.reason == (advised.reason if puzzle.thumb in puzzle.right else None)
    assert theme_of(view, puzzle.best, puzzle.thumb) is puzzle.theme
    told = [(fact.kind, fact.seat, CODES[fact.card] if fact.card >= 0 else "", fact.number) for fact in facts(view, puzzle.instead, puzzle.best)]  # fmt: skip
    assert [(fact.kind, fact.seat, fact.card, fact.number) for fact in puzzle.facts] == told


def test_a_fresh_search_of_the_last_tricks_finds_the_same():
    late = min(PUZZLES, key=lambda puzzle: sum(stored.view_of(puzzle).counts) if puzzle.prospects else 99)
    view = stored.view_of(late)
    found = evaluate(view, worlds=60, seed=b"fresh")
    assert plain(found[0].action) in late.right
    assert is_clear(view, found, 0.0, LEAST / 2)


def test_what_comes_of_an_answer_is_found_again():
    puzzle = min(PUZZLES, key=lambda puzzle: sum(stored.view_of(puzzle).counts) if puzzle.prospects else 99)
    found = prospects(stored.view_of(puzzle), (puzzle.best, puzzle.instead))
    assert tuple(found) == puzzle.prospects


def test_games_take_turns_from_day_to_day():
    order = in_turn(PUZZLES)
    assert sorted(puzzle.name for puzzle in order) == sorted(puzzle.name for puzzle in PUZZLES)
    first = [puzzle for puzzle in order if number_of(puzzle) == 1]
    assert order[: len(first)] == first
    assert [puzzle.game for puzzle in first] == [game for game in rulesets.ORDER if game in games()]
