"""The tournament of computer players prints who is how much better."""

from __future__ import annotations

import pytest

from benchmarks.arena import gain, tournament
from tests.domain.bots.table import TROCCAS


def test_it_prints_what_each_player_gains_against_each_weaker_one(capsys: pytest.CaptureFixture[str]) -> None:
    tournament(TROCCAS, ["random", "beginner"], 6, "")
    head, names, row = capsys.readouterr().out.splitlines()
    assert head.startswith("troccas for 4: 6 deals, points a hand")
    assert names.split() == ["random"]
    assert row.startswith("beginner")
    assert float(row.split()[1]) > 0


def test_a_gain_comes_with_its_confidence_interval() -> None:
    assert gain([1.0, 3.0]) == pytest.approx((2.0, 1.96))
    assert gain([1.0]) == (1.0, float("inf"))
