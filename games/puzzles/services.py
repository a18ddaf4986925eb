"""Attempts at puzzles: the first one counts, for the solver and for the puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from domain.bots.reviewing import plain
from domain.engine.actions import Action, MalformedAction, parse_action
from domain.engine.legal import LegalChoice
from games.puzzles.exceptions import PuzzleError
from games.puzzles.models import Attempt, Rated, RatedPuzzle, Solver
from games.puzzles.rating import Estimate, after, on_day
from games.puzzles.stored import Puzzle, view_of

_BEGINNING = date(1970, 1, 1).toordinal()


def day_number(moment: datetime) -> int:
    return timezone.localdate(moment).toordinal() - _BEGINNING


def answer_of(puzzle: Puzzle, text: str, cards: Iterable[str] = ()) -> Action:
    """Parse an answer: `text` as in a record, or the `cards` to discard.

    Raises PuzzleError if the rules do not allow it.
    """
    view = view_of(puzzle)
    legal = view.legal
    if not text and isinstance(legal, LegalChoice):
        codes = list(cards)
        if len(set(codes)) != legal.count:
            raise PuzzleError("wrong-number")
        text = " ".join([legal.verb, *codes])
    try:
        action = parse_action(text)
    except MalformedAction:
        raise PuzzleError("not-possible") from None
    if action not in legal or action.said or action.words:
        raise PuzzleError("not-possible")
    return plain(action)


def attempt(puzzle: Puzzle, player: Player, action: Action, now: datetime | None = None) -> Attempt:
    """Save a first attempt, and rate solver and puzzle. Returns the earlier attempt if this person has tried it before.

    Takes the locks on the rows of the puzzle and of the solver, in this order.
    """
    moment = now or timezone.now()
    day = day_number(moment)
    nothing = Estimate()
    fresh = {"variance": nothing.variance, "day": day}
    with transaction.atomic():
        RatedPuzzle.objects.get_or_create(name=puzzle.name, defaults=fresh)
        row = RatedPuzzle.objects.select_for_update().get(name=puzzle.name)
        first = Attempt.objects.filter(puzzle=row, player=player).first()
        if first is not None:
            return first
        Solver.objects.get_or_create(player=player, defaults=fresh)
        solver = Solver.objects.select_for_update().get(player=player)
        before = on_day(_estimate(row), day)
        solved = action in puzzle.right
        new_attempt = Attempt.objects.create(
            puzzle=row,
            player=player,
            action=str(action),
            solved=solved,
            mean=before.mean,
            variance=before.variance,
            at=moment,
        )
        of_solver, of_puzzle = after(_estimate(solver), before, day, solved=solved)
        _write(solver, of_solver, solved=solved)
        _write(row, of_puzzle, solved=solved)
        return new_attempt


def _estimate(row: Rated) -> Estimate:
    return Estimate(row.mean, row.variance, row.day)


def _write(row: Rated, estimate: Estimate, *, solved: bool) -> None:
    row.mean, row.variance, row.day = estimate.mean, estimate.variance, estimate.day
    row.attempts += 1
    row.solved += solved
    row.save()


def rate_again(player: Player) -> None:
    """Rebuild the rating of this person from their attempts; without attempts, delete it.

    Call it in a transaction that holds the player's row.
    """
    attempts = list(Attempt.objects.filter(player=player).order_by("at", "pk"))
    Solver.objects.filter(player=player).delete()
    if not attempts:
        return
    estimate = Estimate(day=day_number(attempts[0].at))
    for each in attempts:
        day = day_number(each.at)
        estimate, _puzzle = after(estimate, Estimate(each.mean, each.variance, day), day, solved=each.solved)
    Solver.objects.create(
        player=player,
        mean=estimate.mean,
        variance=estimate.variance,
        day=estimate.day,
        attempts=len(attempts),
        solved=sum(each.solved for each in attempts),
    )
