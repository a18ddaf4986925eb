"""Ratings of solvers and puzzles, and what becomes of somebody's attempts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts import registry
from accounts.models import Player
from games.puzzles import privacy, services, stored
from games.puzzles.models import Attempt, RatedPuzzle, Solver
from games.puzzles.rating import MODEL, Estimate, after
from tests.games.daily.kit import member
from tests.games.table_kit import person

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)


def some(count: int) -> list[stored.Puzzle]:
    return list(stored.all_puzzles().values())[:count]


def tried(player: Player, puzzles: list[stored.Puzzle], *, solved: bool = True, day: int = 0) -> None:
    for puzzle in puzzles:
        action = puzzle.best if solved else puzzle.instead
        services.attempt(puzzle, player, action, NOW + timedelta(days=day))


def test_solving_raises_the_solver_and_lowers_the_puzzle_and_makes_both_surer():
    solver, puzzle = after(Estimate(), Estimate(), 20_000, solved=True)
    assert solver.mean == -puzzle.mean > 0
    assert solver.variance == puzzle.variance < MODEL.skill**2
    failed, harder = after(Estimate(), Estimate(), 20_000, solved=False)
    assert failed.mean == -harder.mean == -solver.mean


def test_solving_what_is_hard_says_more():
    hard, easy = Estimate(mean=-0.3), Estimate(mean=0.3)
    gains = [after(Estimate(), each, 20_000, solved=True)[0].mean for each in (hard, easy)]
    # a puzzle's mean is how much less than half the solvers find
    assert gains[1] > gains[0]


def test_many_right_answers_of_a_good_solver_come_near_the_truth():
    solver = Estimate()
    for number in range(400):
        solver, _puzzle = after(solver, Estimate(variance=0.0001), 20_000, solved=number % 10 < 8)
    assert solver.mean == pytest.approx(0.3, abs=0.06)


def test_the_first_attempt_alone_counts():
    anna, (puzzle,) = person(name="Anna"), some(1)
    tried(anna, [puzzle], solved=False)
    before = Solver.objects.get().mean
    tried(anna, [puzzle])
    assert Attempt.objects.get().solved is False
    assert Solver.objects.get().mean == before
    assert RatedPuzzle.objects.get().attempts == 1


def test_a_rating_made_again_from_the_attempts_is_the_same():
    anna, beat = person(name="Anna"), person(name="Beat")
    tried(beat, some(4), solved=False)
    tried(anna, some(3), day=1)
    tried(anna, some(5)[3:], solved=False, day=40)
    kept = Solver.objects.get(player=anna)
    with transaction.atomic():
        services.rate_again(anna)
    again = Solver.objects.get(player=anna)
    for field in ("mean", "variance", "day", "attempts", "solved"):
        assert getattr(again, field) == pytest.approx(getattr(kept, field))


def test_what_a_guest_has_tried_is_the_members_who_keeps_their_own():
    assert privacy in registry.belongings
    guest, anna = person(), member("Anna")
    tried(guest, some(3))
    tried(anna, some(1), solved=False)
    with transaction.atomic():
        privacy.merge(guest, anna)
        privacy.merge(guest, anna)  # nothing is left
    assert not Attempt.objects.filter(player=guest).exists()
    assert list(Attempt.objects.filter(player=anna).order_by("pk").values_list("solved", flat=True).order_by("solved")) == [False, True, True]  # fmt: skip
    assert (Solver.objects.get().player, Solver.objects.get().attempts, Solver.objects.get().solved) == (anna, 3, 2)


def test_attempts_are_exported_and_go_with_the_account():
    anna = member("Anna")
    tried(anna, some(2))
    told = privacy.export(anna)
    rows: Any = told["puzzles"]
    assert [row["puzzle__name"] for row in rows] == [puzzle.name for puzzle in some(2)]
    assert Solver.objects.get().solved == 2
    assert told["puzzle_rating"]
    assert privacy.release(anna) is False
    assert not Attempt.objects.exists()
    assert not Solver.objects.exists()
    assert RatedPuzzle.objects.count() == 2
    assert privacy.export(anna) == {"puzzle_rating": {}, "puzzles": []}
