"""The recorded games that articles may show tricks of: `rules/content/records/*.json`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from games.engine import Hand, Match, Record, parse_record
from games.engine.actions import parse_line

FOLDER: Final = Path(__file__).resolve().parent.parent / "content" / "records"
_ALL: Final = 99  # more tricks than any hand has
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}")


@cache
def record(name: str) -> Record | None:
    """The record of that name, None if there is none."""
    if not _NAME.fullmatch(name):
        return None
    path = FOLDER / f"{name}.json"
    return parse_record(path.read_bytes()) if path.is_file() else None


@cache
def hand_at(name: str, number: int, trick: int) -> Hand:
    """Hand `number` of a record that exists, when `trick` tricks have been gathered and all about them is settled.

    Everybody gets the same hand: copy it before acting. One that ended earlier is given at its end.
    """
    found = record(name)
    assert found is not None
    match = Match(found.ruleset, found.options, dealer=found.hands[0].dealer)
    for at, recorded in enumerate(found.hands[:number], 1):
        hand = match.deal(recorded.pack)
        for line in recorded.actions:
            if at == number and len(hand.tricks) == trick and hand.asked == "play":
                return hand
            match.push(parse_line(line)[1])
    return hand


def tricks_played(name: str, number: int) -> int:
    """How many tricks were played in a hand of a record that exists; 0 if it was not played at all."""
    return len(hand_at(name, number, _ALL).tricks)
