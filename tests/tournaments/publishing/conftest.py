"""Evenings for the tests of paper, files and public pages."""

from __future__ import annotations

import pytest

from tests.tournaments.services.kit import Night


def played(rounds: int = 2, number: int = 9) -> Night:
    """An evening with a table of three or five, played to the end but not closed."""
    night = Night.at(
        number,
        rules={"rounds": rounds, "deals": 2, "tie_breaks": ["match-points", "card-points", "lot"]},
        odd=["five-dealer-out"],
    )
    night.begin()
    for each in range(1, rounds + 1):
        night.draw()
        night.play_round(f"1.{each}")
    return night


@pytest.fixture
def night(db: None) -> Night:
    """Nine people, two rounds played."""
    return played()
