"""The week of play with all faults at random (`tests.faults.week`) is run by hand; how it tells what it found."""

from __future__ import annotations

from tests.faults.week import grouped


def test_findings_of_one_sort_stand_together_and_the_rarest_first() -> None:
    two = ["game fhwh8dsq6ss has not ended: asks 2", "game jcz4bvf2q3j has not ended: asks 0"]
    assert grouped([two[0], "verify: 3 differences.", two[1]]) == [["verify: 3 differences."], two]
    assert grouped([]) == []
