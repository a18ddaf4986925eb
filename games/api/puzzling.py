"""Puzzles: the list, each puzzle as its solver sees it, and the solution once it was tried."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from django.conf import settings
from django.http import Http404, HttpRequest
from django.urls import reverse
from ninja import Field, Path, Query, Router

from core.schemas import Schema
from domain.bots.puzzling import Theme
from games.api import schemas
from games.api.base import PLAYS, READS, limit, player_of, problems
from games.api.schemas import Allowed, Legal, LineOut, TrickOut, shape_of
from games.puzzles import selectors, services, text
from games.puzzles.models import Attempt
from games.puzzles.selectors import Position
from games.puzzles.stored import Puzzle, Value
from games.text.log import log_line

router = Router(tags=["puzzles"])
Name = Annotated[str, Path(max_length=60, description="the name of a puzzle, as in the list")]
Game = Annotated[str, Query(max_length=40, description="only puzzles of this game")]


@shape_of(selectors.Row)
class PuzzleLineOut(Schema):
    """A puzzle in the list."""

    theme: Theme = Field(description="what it is about")
    solved: bool | None = Field(description="whether you found the answer at your first attempt; null: not tried")
    attempts: int = Field(description="how many have tried it")
    mean: float = Field(
        description="how much less than half of those in the middle are expected to find it, as a share"
    )


class PuzzlesOut(Schema):
    """The puzzles, game after game."""

    today: str | None = Field(description="the puzzle of the day")
    next: str | None = Field(description="one you have not tried, as hard as suits you")
    results: list[PuzzleLineOut]


@shape_of(selectors.SeatSeen)
class PuzzleSeatOut(Schema):
    """A place at the table of a puzzle, as its player knows it."""

    number: int = Field(description="seats follow each other in the order of play")
    cards: int = Field(description="how many are held")
    tricks: int = Field(description="how many were won")
    face_up: str = Field(description="the last card dealt, where it lay open and nothing is played yet")


@shape_of(
    Position,
    hidden=("cards", "choices", "lay", "lines", "may_lay", "others", "question", "together", "tricks", "trick"),
)
class PuzzlePositionOut(Schema):
    """All that whoever decides knows: their cards, what was played, and what was said and done (`lines`)."""

    viewer: int = Field(description="the seat that decides")
    rappen: bool = Field(description="it is counted in Rappen, not in points")
    asked: str = Field(description="the question, as a sentence in your language")
    hand: list[str] = Field(description="the cards held")
    legal: Legal
    trick: TrickOut | None = Field(description="the cards on the table")
    tricks: list[TrickOut] = Field(description="those before")
    situation: list[str] = Field(description="the seats, and what everybody saw, as sentences")
    lines: list[LineOut] = Field(description="what was said and done beside playing cards")


@shape_of(Value)
class PuzzleOptionOut(Schema):
    """An answer: what it brings on average, and the standard error of how far it is behind the best."""

    action: str
    right: bool = Field(description="the best, or as good by the rules")


class PuzzleSolutionOut(Schema):
    """The answer, with what it rests on."""

    options: list[PuzzleOptionOut] = Field(description="the best first")
    worlds: int = Field(description="in how many distributions of the hidden cards it was tried")
    exact: bool = Field(description="those were all there are, each played to its end")
    reasons: list[str] = Field(description="why, as sentences in your language")


class PuzzleOut(Schema):
    """A puzzle. What you did, and the answer, are there once you have tried it."""

    name: str
    url: str = Field(description="its page")
    title: str
    theme: Theme
    position: PuzzlePositionOut
    given: str | None = Field(description="what you did first")
    solved: bool | None
    solution: PuzzleSolutionOut | None


class PuzzleAnswerIn(schemas.Asked):
    """An answer to a puzzle."""

    action: str = Field(max_length=600, description="one that `legal` allows, as for `POST /games/{id}/act`")


@router.get("/puzzles", auth=READS, response={200: PuzzlesOut, **problems(401)}, summary="The puzzles")
def puzzles(request: HttpRequest, game: Game = "") -> dict[str, Any]:
    """All there are, or those of one game."""
    player = player_of(request)
    today, suits = selectors.today(), selectors.next_for(player, game)
    return {
        "today": today.name if today is not None else None,
        "next": suits.name if suits is not None else None,
        "results": [asdict(row) for row in selectors.rows(player, game)],
    }


@router.get("/puzzles/{name}", auth=READS, response={200: PuzzleOut, **problems(401, 404)}, summary="A puzzle")
def puzzle(request: HttpRequest, name: Name) -> dict[str, Any]:
    """The position; and the answer, if you have tried it."""
    found, player = _named(name), player_of(request)
    return _puzzle_data(found, selectors.attempt_of(found, player))


@router.post(
    "/puzzles/{name}/answer",
    auth=PLAYS,
    response={200: PuzzleOut, **problems(401, 403, 404, 422)},
    summary="Answer a puzzle",
)
def answer(request: HttpRequest, name: Name, payload: PuzzleAnswerIn) -> dict[str, Any]:
    """Your first answer counts; a later one changes nothing and is answered with what the first was. Needs `games:play`."""
    found, player = _named(name), player_of(request)
    action = services.answer_of(found, payload.action)
    limit("puzzle", player, rate=600, burst=60)
    return _puzzle_data(found, services.attempt(found, player.current, action))


def _named(name: str) -> Puzzle:
    found = selectors.named(name)
    if found is None:
        raise Http404
    return found


def _puzzle_data(puzzle: Puzzle, attempt: Attempt | None) -> dict[str, Any]:
    position = selectors.position_of(puzzle)
    return {
        "name": puzzle.name,
        "url": settings.SITE_URL + reverse("puzzles:puzzle", args=[puzzle.name]),
        "title": text.title(puzzle.game, puzzle.rules.seats, selectors.number_of(puzzle)),
        "theme": puzzle.theme,
        "position": _position(position),
        "given": attempt.action if attempt is not None else None,
        "solved": attempt.solved if attempt is not None else None,
        "solution": _solution(puzzle, position) if attempt is not None else None,
    }


def _position(position: Position) -> dict[str, Any]:
    company = text.company(position)
    return asdict(position) | {
        "asked": text.asked(position),
        "hand": [card.code for card in position.cards],
        "legal": _legal(position),
        "situation": text.situation(position),
        "lines": [asdict(line) | {"text": log_line(line, company)} for line in position.lines],
    }


def _legal(position: Position) -> Allowed:
    plays = [card.action for card in position.cards if card.action] + [str(action) for action in position.others]
    actions = tuple(plays or (choice.action for choice in position.choices))
    if not position.lay:
        return Allowed("one-of", actions=actions)
    cards = tuple(card for card in position.may_lay if card not in position.together)
    return Allowed(
        "cards", position.question.asked, actions, count=position.lay, cards=cards, together=position.together
    )


def _solution(puzzle: Puzzle, position: Position) -> dict[str, Any]:
    why = text.reasons(puzzle, position)
    return {
        "options": [
            {
                "action": str(each.action),
                "points": each.points,
                "error": each.error,
                "right": each.action in puzzle.right,
            }
            for each in puzzle.values
        ],
        "worlds": puzzle.worlds,
        "exact": puzzle.exact,
        "reasons": [reason for reason in (why.theme, why.thumb, why.instead, *why.facts) if reason],
    }
