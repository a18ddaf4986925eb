"""Random tournaments: people come late, leave early, sit out; every format, any number."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from random import Random

from domain.seating.field import (
    FIVE_ALONE,
    FIVE_DEALER_OUT,
    FOUR,
    SIX_IN_TEAMS,
    THREE_ALONE,
    THREE_PAIRS,
    TWO_PAIRS,
    Entrant,
    Field,
    Past,
    Seating,
    Settings,
    alone,
)
from domain.seating.seat import seat

ACROSS = {4: {(0, 2), (1, 3)}}
IN_SIX = {6: {(0, 2), (0, 4), (2, 4), (1, 3), (1, 5), (3, 5)}}
ROUND_FIVE = {5: {(0, 2), (1, 3), (2, 4), (0, 3), (1, 4)}}

EVENINGS = [
    ("draw", Settings(steps=1_500), ACROSS, {3, 5}),
    ("draw", Settings(shapes=(FOUR,), steps=1_500), ACROSS, set()),
    ("draw", Settings(shapes=(FOUR, THREE_ALONE), bye_price=50, steps=1_500), ACROSS, {3}),
    ("draw", Settings(shapes=(FOUR, FIVE_DEALER_OUT, SIX_IN_TEAMS), steps=1_500), ACROSS | ROUND_FIVE | IN_SIX, {5, 6}),
    ("draw", Settings(shapes=alone(), steps=1_500), {}, set()),
    ("draw", Settings(shapes=(TWO_PAIRS, THREE_PAIRS), steps=1_500), {}, {3}),
    ("standing", Settings(shapes=(FOUR, THREE_ALONE, FIVE_ALONE), steps=1_000), ACROSS, {3, 5}),
    ("standing", Settings(shapes=(FOUR, THREE_ALONE), steps=1_000, strict=True), ACROSS, {3}),
    ("rotation", Settings(steps=1_500), ACROSS, {3, 5}),
    ("swiss", Settings(shapes=(TWO_PAIRS,)), {}, set()),
    ("swiss", Settings(shapes=(TWO_PAIRS, THREE_PAIRS)), {}, {3}),
    ("round-robin", Settings(shapes=(TWO_PAIRS,)), {}, set()),
]


@dataclass
class Played:
    """A round, with what the checker needs to judge it."""

    seating: Seating
    field: Field
    before: dict


@dataclass
class Tournament:
    method: str
    settings: Settings
    table_partners: dict
    odd_sizes: set
    played: list[Played] = field(default_factory=list)


def seed_of(number: int, text: str = "") -> bytes:
    return hashlib.sha256(f"test|{number}|{text}".encode()).digest()


def tournament(number: int, rounds: int = 4, most: int = 30) -> Tournament:
    """A whole tournament from one number."""
    luck = Random(number)
    method, settings, table_partners, odd_sizes = EVENINGS[number % len(EVENINGS)]
    made = Tournament(method, settings, table_partners, odd_sizes)
    count = luck.randint(1, most)
    clubs = ["Sagogn", "Trun", "Zug"]
    entrants = [
        Entrant(f"p{i}", groups=tuple(luck.sample(clubs, luck.randint(0, 2))), carried=luck.choice([0, 0, 0, 1]))
        for i in range(count)
    ]
    luck.shuffle(entrants)
    points = {entrant.id: 0 for entrant in entrants}
    steady = luck.random() < 0.3
    now = Field(tuple(entrants))
    for turn in range(rounds):
        if turn and not steady:
            late = [Entrant(f"late{turn}-{i}") for i in range(luck.choice([0, 0, 1, 2]))]
            points |= {entrant.id: 0 for entrant in late}
            absent = frozenset(entrant.id for entrant in now.entrants if luck.random() < 0.12)
            now = replace(now, entrants=now.entrants + tuple(late), absent=absent)
        now = replace(now, standing=tuple(points.items()))
        seating = seat(method, now, settings, seed_of(number))
        made.played.append(
            Played(
                seating,
                now,
                {
                    "present": [entrant.id for entrant in now.entrants if entrant.id not in now.absent],
                    "rounds": [past.tables for past in now.rounds],
                    "outs": [past.out for past in now.rounds],
                    "carried": {entrant.id: entrant.carried for entrant in now.entrants},
                    "sizes": {shape.size for shape in settings.shapes},
                    "table_partners": table_partners,
                    "odd_sizes": odd_sizes,
                },
            )
        )
        for table in seating.tables:
            for who in table.seats:
                points[who] += luck.randint(0, 2)
        past = Past(tuple(table.seats for table in seating.tables), seating.out)
        now = replace(now, rounds=(*now.rounds, past))
    return made
