"""Trying a puzzle: the first attempt counts, for the solver and for the puzzle."""

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
    """The action that was sent: `text` as in a record, or the `cards` that are to be laid away. Raises PuzzleError for one that
    the rules do not allow here."""
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
    """Write what this person did, and rate both; what they did first if they have tried it before.

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
        tried = Attempt.objects.create(
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
        return tried


def _estimate(row: Rated) -> Estimate:
    return Estimate(row.mean, row.variance, row.day)


def _write(row: Rated, found: Estimate, *, solved: bool) -> None:
    row.mean, row.variance, row.day = found.mean, found.variance, found.day
    row.attempts += 1
    row.solved += solved
    row.save()


def rate_again(player: Player) -> None:
    """Make the rating of this person anew from their attempts; without any there is none.

    Call it in a transaction that holds the player's row.
    """
    attempts = list(Attempt.objects.filter(player=player).order_by("at", "pk"))
    Solver.objects.filter(player=player).delete()
    if not attempts:
        return
    found = Estimate(day=day_number(attempts[0].at))
    for each in attempts:
        day = day_number(each.at)
        found, _puzzle = after(found, Estimate(each.mean, each.variance, day), day, solved=each.solved)
    Solver.objects.create(
        player=player,
        mean=found.mean,
        variance=found.variance,
        day=found.day,
        attempts=len(attempts),
        solved=sum(each.solved for each in attempts),
    )
