"""The tournament of computer players prints who is how much better."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.arena import gain, tournament
from domain.bots import strength
from domain.bots.strength import Strength
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


def test_what_was_measured_replaces_what_was_kept_of_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "_FILE", tmp_path / "strength.json")
    (tmp_path / "strength.json").write_text("[]", encoding="utf-8")
    strength.measured.cache_clear()
    first = Strength("troggu", 5, "club", 1.0, 2.0, 4, 3.5, compiled=False)
    other = Strength("troccas", 4, "strong", 2.0, 1.0, 4, 3.5, compiled=True)
    again = replace(first, gain=3.0, deals=9)
    try:
        for each in (first, other, again):
            strength.keep(each)
        assert strength.measured() == (other, again)
        assert [each.proven for each in (first, other, again)] == [False, True, True]
    finally:
        strength.measured.cache_clear()
