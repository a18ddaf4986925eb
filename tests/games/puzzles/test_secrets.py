"""A puzzle that is not solved tells nothing that its player could not know: neither cards of others nor the answer."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from domain.engine import CODES
from domain.engine.record import RecordError
from games.puzzles import stored
from tests.games.puzzles.kit import forget, laid_out, lines
from tests.games.test_secrets import CHANGING
from tests.games.unseen import unseen_by

pytestmark = pytest.mark.django_db
PAIRS = 60
SOME = 8


@pytest.fixture(autouse=True)
def _puzzles_of_the_site():
    yield
    forget()


def twin_of(line: dict[str, Any], chance: random.Random) -> dict[str, Any] | None:
    """The same puzzle with cards exchanged that its player has never seen; None where none were found with which all that was
    done is legal and looks the same."""
    puzzle = stored.puzzle_of(line)
    hand = stored.hand_of(puzzle)
    unseen = [card for card in unseen_by(hand, puzzle.seat) if any(held >> card & 1 for held in hand.hands)]
    for _ in range(PAIRS):
        if len(unseen) < 2:
            return None
        one, other = chance.sample(unseen, 2)
        if any(held >> one & 1 and held >> other & 1 for held in hand.hands):
            continue
        swap = {one: other, other: one}
        pack = tuple(swap.get(card, card) for card in puzzle.pack)
        try:
            twin = stored.hand_of(replace(puzzle, pack=pack))
        except RecordError:
            continue
        if twin.view(puzzle.seat) == hand.view(puzzle.seat) and twin.hands != hand.hands:
            return line | {"pack": " ".join(CODES[card] for card in pack)}
    return None


def pages_of(names: list[str]) -> dict[str, str]:
    client = Client(headers={"accept-language": "en"})
    paths = [reverse("puzzles:list"), *(reverse("puzzles:puzzle", args=[name]) for name in names)]
    return {path: CHANGING.sub("", client.get(path).content.decode()) for path in paths}


def test_pages_are_the_same_whatever_the_others_hold(tmp_path, monkeypatch):
    chance = random.Random(7)
    every = list(lines())
    chance.shuffle(every)
    both = [(line, twin) for line in every if (twin := twin_of(line, chance)) is not None][:SOME]
    assert len(both) == SOME
    found = []
    for at in (0, 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        laid_out(folder, monkeypatch, [pair[at] for pair in both])
        found.append(pages_of([pair[at]["id"] for pair in both]))
    assert found[0] == found[1]


def test_pages_are_the_same_whatever_the_answer_is(tmp_path, monkeypatch):
    """The values, their order, what a rule of thumb says, the reason: none of it stands on the page before one has answered."""
    every = [line for line in lines() if line["values"][0][0].startswith("play")][:SOME]
    found = []
    for at in (0, 1):
        rows = [
            line
            if not at
            else line
            | {
                "values": line["values"][::-1],
                "thumb": line["instead"],
                "instead": line["thumb"],
                "facts": [],
                "reason": "",
                "prospects": [],
                "worlds": 1,
            }
            for line in every
        ]
        folder = tmp_path / str(at)
        folder.mkdir()
        laid_out(folder, monkeypatch, rows)
        found.append(pages_of([line["id"] for line in every]))
    assert found[0] == found[1]
