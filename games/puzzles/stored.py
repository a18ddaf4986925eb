"""The stored puzzles: `content/<game>.jsonl`, one on each line, written by `tools/make_puzzles.py`.

A line has the pack and every action before the decision, from which the engine rebuilds the position. Code that shows a
puzzle uses `view_of`, which knows no more than the player who decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from domain.bots.common import Reason
from domain.bots.evaluating import Prospects
from domain.bots.puzzling import Theme
from domain.bots.reviewing import FactKind
from domain.engine import Action, Card, Hand, Record, Ruleset, View, parse_action
from domain.engine.cards import letter_of
from domain.engine.record import RecordedHand, hands_of, parse_pack
from domain.engine.ruleset import OptionValue
from domain.engine.rulesets import ruleset
from games.selectors import rulesets
from games.text.advice import FactSeen

CONTENT: Final = Path(__file__).parent / "content"


@dataclass(frozen=True, slots=True)
class Value:
    """The average result of an action, in the game's points, and the standard error of its difference from the best."""

    action: Action
    points: float
    error: float


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle.

    `values` has the best action first; they were measured in that many `worlds`, or are `exact`. `right`, `thumb` and
    `instead` are as in `domain.bots.puzzling.Solution`.
    """

    name: str
    rules: Ruleset
    options: Mapping[str, OptionValue]
    dealer: int
    pack: tuple[Card, ...]
    actions: tuple[str, ...]
    seat: int
    theme: Theme
    worlds: int
    exact: bool
    values: tuple[Value, ...]
    right: tuple[Action, ...]
    thumb: Action
    instead: Action
    reason: Reason | None
    facts: tuple[FactSeen, ...]
    prospects: tuple[Prospects, ...]

    @property
    def best(self) -> Action:
        return self.values[0].action

    @property
    def game(self) -> str:
        return self.rules.id


@cache
def all_puzzles() -> Mapping[str, Puzzle]:
    """Every puzzle by its name, game after game."""
    puzzles = [
        puzzle_of(json.loads(line))
        for game in rulesets.ORDER
        if (file := CONTENT / f"{game}.jsonl").exists()
        for line in file.read_text().splitlines()
    ]
    return {puzzle.name: puzzle for puzzle in puzzles}


def puzzle_of(line: Mapping[str, Any]) -> Puzzle:
    """The puzzle of a decoded line. Raises ValueError or LookupError if the line is invalid."""
    rules = ruleset(line["game"], line["version"], line["seats"])
    return Puzzle(
        name=line["id"],
        rules=rules,
        options=rules.settled_options(line["options"]),
        dealer=line["dealer"],
        pack=parse_pack(line["pack"], rules),
        actions=tuple(line["actions"]),
        seat=line["seat"],
        theme=Theme(line["theme"]),
        worlds=line["worlds"],
        exact=line["exact"],
        values=tuple(Value(parse_action(text), points, error) for text, points, error in line["values"]),
        right=tuple(map(parse_action, line["right"])),
        thumb=parse_action(line["thumb"]),
        instead=parse_action(line["instead"]),
        reason=Reason(line["reason"]) if line["reason"] else None,
        facts=tuple(
            FactSeen(FactKind(kind), seat, card, letter_of(lane), number)
            for kind, seat, card, lane, number in line["facts"]
        ),
        prospects=tuple(Prospects(*each) for each in line["prospects"]),
    )


def record_of(puzzle: Puzzle, players: tuple[str, ...]) -> Record:
    """The record of the hand up to the decision."""
    hand = RecordedHand(puzzle.dealer, puzzle.pack, puzzle.actions)
    return Record(puzzle.rules, puzzle.options, players, (hand,))


def hand_of(puzzle: Puzzle) -> Hand:
    """The hand before the decision, played by the engine. Raises RecordError if the rules forbid an action."""
    return hands_of(record_of(puzzle, tuple("ABCDEFGH"[: puzzle.rules.seats])))[0]


@lru_cache(maxsize=64)
def _view_of(name: str) -> View:
    puzzle = all_puzzles()[name]
    return hand_of(puzzle).view(puzzle.seat)


def view_of(puzzle: Puzzle) -> View:
    """The position as the player who decides sees it."""
    return _view_of(puzzle.name) if all_puzzles().get(puzzle.name) is puzzle else hand_of(puzzle).view(puzzle.seat)
